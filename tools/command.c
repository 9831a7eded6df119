// SPDX-License-Identifier: GPL-3.0-or-later
/*
 * command.c - what all subcommands share.
 */
#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "../models/error.h"
#include "../results/must.h"
#include "../results/rows.h"
#include "../results/store.h"
#include "command.h"
#include "scenario.h"

#define MAX_JOBS 256
#define MAX_DOCUMENT_SIZE (256L << 20) /* bytes; ten thousand points fit several times */

/* Those that argp adds by itself. */
static const char *const builtin_options[] = {"help", "usage", "version", NULL};

/* The options of @argp by their long names, argp's own among them. The caller frees the array. */
static const char **long_names(const struct argp *argp)
{
	size_t n = 0, count = 0;
	const char **names;

	while (argp->options && (argp->options[count].name || argp->options[count].doc))
		count++;
	names = must_calloc(count + 4, sizeof(*names));
	for (size_t i = 0; i < count; i++) {
		if (argp->options[i].name)
			names[n++] = argp->options[i].name;
	}
	for (size_t i = 0; builtin_options[i]; i++)
		names[n++] = builtin_options[i];
	return names;
}

/* getopt takes any beginning of a name that fits only one. */
static bool is_known(const char *name, size_t length, const char *const *names)
{
	for (; *names; names++) {
		if (strncmp(*names, name, length) == 0)
			return true;
	}
	return false;
}

/* Does the argument after @argument belong to it, as in "--set pcp.batch=63" and "-o FILE"? */
static bool takes_next(const struct argp *argp, const char *argument)
{
	for (const struct argp_option *o = argp->options; o && (o->name || o->doc); o++) {
		if (!o->arg)
			continue;
		if (o->name && strncmp(argument, "--", 2) == 0 &&
			strcmp(argument + 2, o->name) == 0)
			return true;
		if (argument[0] == '-' && argument[1] == o->key && argument[2] == '\0')
			return true;
	}
	return false;
}

static void refuse(const char *program, const char *argument, const char *const *names)
{
	char name[64];
	const char *near;

	snprintf(name, sizeof(name), "%.*s", (int)strcspn(argument + 2, "="), argument + 2);
	near = nearest_name(name, names);
	fprintf(stderr, "%s: unknown option '--%s'", program, name);
	if (near)
		fprintf(stderr, ": did you mean '--%s'?", near);
	fprintf(stderr, "\nTry '%s --help'.\n", program);
	exit(EXIT_BAD_INPUT);
}

void command_parse(const struct argp *argp, int argc, char **argv, void *input)
{
	const char **names = long_names(argp);

	for (int i = 1; i < argc && strcmp(argv[i], "--") != 0; i++) {
		size_t length = strcspn(argv[i], "=");

		if (takes_next(argp, argv[i]))
			i++;
		else if (strncmp(argv[i], "--", 2) == 0 &&
			 !is_known(argv[i] + 2, length - 2, names))
			refuse(argv[0], argv[i], names);
	}
	free(names);
	argp_err_exit_status = EXIT_BAD_INPUT;
	argp_parse(argp, argc, argv, 0, NULL, input);
}

int command_parse_jobs(const char *text, struct argp_state *state)
{
	char *end;
	long jobs = strtol(text, &end, 10);

	if (end == text || *end || jobs < 1 || jobs > MAX_JOBS)
		argp_error(state, "-j %s: expected a number from 1 to %d", text, MAX_JOBS);
	return (int)jobs;
}

int command_print_json(json_t *json)
{
	int status = json_dumpf(json, stdout, JSON_INDENT(2));

	json_decref(json);
	/* A failure to write is reported when standard output is closed. */
	return status < 0 || putchar('\n') == EOF ? EXIT_RUN_FAILED : EXIT_DONE;
}

void command_add(struct words *words, char *word)
{
	words->list = must_realloc(words->list, words->nr + 1, sizeof(*words->list));
	words->list[words->nr++] = word;
}

int command_keep_scenario(
	struct store *store, const struct scenario *s, int *status, struct error *err)
{
	const char **fingerprints = must_calloc(s->nr_points, sizeof(*fingerprints));
	const struct stored_scenario stored = {
		.name = s->short_name,
		.title = s->name,
		.definition = s->definition,
		.fingerprints = fingerprints,
		.nr_points = s->nr_points,
	};
	int ret;

	for (size_t i = 0; i < s->nr_points; i++)
		fingerprints[i] = s->points[i].fingerprint;
	ret = store_put_scenario(store, &stored, err);
	if (ret < 0)
		*status = store_problem(store);
	free(fingerprints);
	return ret;
}

int command_load_rows(struct rows *rows, struct store *store, const struct words *select,
	const struct words *metrics, int *status, struct error *err)
{
	static char score[] = "score", *fallback[] = {score};
	struct selection *selection = selection_make(store, select->list, select->nr, err);
	size_t nr = metrics->nr;
	int ret = -1;

	*status = EXIT_BAD_INPUT;
	if (!selection)
		return -1;
	for (size_t i = 0; i < metrics->nr; i++) {
		if (strcmp(metrics->list[i], "all") == 0)
			nr = 0;
	}
	if (metrics->nr == 0)
		ret = rows_load(rows, selection, fallback, 1, err);
	else
		ret = rows_load(rows, selection, nr ? metrics->list : NULL, nr, err);
	if (ret == 0)
		selection_note_missing(selection, stderr);
	if (ret == 0 && metrics->nr && rows_check_metrics(rows, err) < 0) {
		rows_free(rows);
		ret = -1;
	}
	if (ret == 0)
		*status = EXIT_DONE;
	else if (store_problem(store))
		*status = store_problem(store);
	selection_free(selection);
	return ret;
}

char *command_selection_help(int key, const char *text, void *input)
{
	char *words, *all;

	(void)input;
	if (key != ARGP_KEY_HELP_POST_DOC)
		return (char *)text;
	words = selection_help();
	all = must_format("%s%s%s", text ? text : "", text && *text ? "\n\n" : "", words);
	free(words);
	return all;
}

/* The file as JSON, or NULL with @err filled. */
static json_t *load_json(const char *path, struct error *err)
{
	FILE *file = fopen(path, "re");
	json_error_t problem;
	struct stat st;
	json_t *json;

	if (!file) {
		error_set(err, "can not open %s: %s", path, strerror(errno));
		return NULL;
	}
	if (fstat(fileno(file), &st) < 0 || S_ISDIR(st.st_mode) || st.st_size > MAX_DOCUMENT_SIZE) {
		error_set(err,
			"%s is not a result of `zonesim run --json`: a directory, or too large",
			path);
		fclose(file);
		return NULL;
	}
	json = json_loadf(file, JSON_REJECT_DUPLICATES, &problem);
	fclose(file);
	if (!json)
		error_set_at(err, path, problem.line, problem.column > 0 ? problem.column : 1, NULL,
			"not valid JSON: %s", problem.text);
	return json;
}

json_t *command_load_document(const char *path, struct error *err)
{
	json_t *document = load_json(path, err);

	if (!document)
		return NULL;
	if (!json_is_string(json_object_get(document, "zonesim")) ||
		!json_is_array(json_object_get(document, "points"))) {
		error_set(
			err, "%s is not a result of `zonesim run --json`: it has no points", path);
		json_decref(document);
		return NULL;
	}
	return document;
}
