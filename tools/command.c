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
#include "../models/paths.h"
#include "../results/must.h"
#include "../results/rows.h"
#include "../results/store.h"
#include "command.h"
#include "scenario.h"
#include "topics.h"

#define MAX_DOCUMENT_SIZE (256L << 20) /* bytes; ten thousand points fit several times */

/* Those that argp adds by itself. */
static const char *const builtin_options[] = {"help", "usage", "version", NULL};

static size_t count_options(const struct argp_option *options)
{
	size_t nr = 0;

	while (options && (options[nr].name || options[nr].doc))
		nr++;
	return nr;
}

struct argp_option *command_options(const struct command *c)
{
	struct argp_option *options = shared_options(c->takes);
	size_t shared = count_options(options), own = count_options(c->argp->options);

	options = must_realloc(options, shared + own + 1, sizeof(*options));
	if (own)
		memcpy(&options[shared], c->argp->options, own * sizeof(*options));
	memset(&options[shared + own], 0, sizeof(*options));
	return options;
}

/* The long options, argp's own among them, with their dashes. See names_free. */
static char **long_options(const struct argp_option *options, int *nr)
{
	char **names = must_calloc(count_options(options) + 4, sizeof(*names));

	*nr = 0;
	for (; options->name || options->doc; options++) {
		if (options->name)
			names[(*nr)++] = must_format("--%s", options->name);
	}
	for (size_t i = 0; builtin_options[i]; i++)
		names[(*nr)++] = must_format("--%s", builtin_options[i]);
	return names;
}

/* getopt takes any beginning of a name that fits only one. */
static bool is_known(const char *name, size_t length, char *const *names)
{
	for (; *names; names++) {
		if (strncmp(*names, name, length) == 0)
			return true;
	}
	return false;
}

/* Does the argument after @argument belong to it, as in "--set pcp.batch=63" and "-o FILE"? */
static bool takes_next(const struct argp_option *options, const char *argument)
{
	for (const struct argp_option *o = options; o->name || o->doc; o++) {
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

static void refuse(const char *program, const char *argument, char *const *names)
{
	char name[64];

	snprintf(name, sizeof(name), "%.*s", (int)strcspn(argument, "="), argument);
	fprintf(stderr, "%s: unknown option '%s'%s\nTry '%s --help'.\n", program, name,
		suggest(name, (const char *const *)names, NULL).text, program);
	exit(EXIT_BAD_INPUT);
}

static void refuse_unknown(const struct command *c, int argc, char **argv)
{
	struct argp_option *options = command_options(c);
	int nr;
	char **names = long_options(options, &nr);

	for (int i = 1; i < argc && strcmp(argv[i], "--") != 0; i++) {
		size_t length = strcspn(argv[i], "=");

		if (takes_next(options, argv[i]))
			i++;
		else if (strncmp(argv[i], "--", 2) == 0 && !is_known(argv[i], length, names))
			refuse(argv[0], argv[i], names);
	}
	names_free(names, nr);
	free(options);
}

void command_parse(const struct command *c, int argc, char **argv, struct shared_arguments *shared,
	void *input)
{
	struct argp_option *options = shared_options(c->takes);
	const struct argp_child own[] = {{c->argp, 0, NULL, 0}, {0}};
	const struct argp all = {.options = options, .parser = shared_parse, .children = own};
	struct shared_arguments none = {0};
	struct shared_input shared_input = {c->takes, shared ? shared : &none, input};

	refuse_unknown(c, argc, argv);
	argp_err_exit_status = EXIT_BAD_INPUT;
	argp_parse(&all, argc, argv, 0, NULL, &shared_input);
	free(options);
}

const struct command *command_find(const char *name)
{
	for (size_t i = 0; commands[i]; i++) {
		if (strcmp(commands[i]->name, name) == 0)
			return commands[i];
	}
	return NULL;
}

struct suggestion command_suggest(const char *name, const char *const *others)
{
	struct suggestion s;
	const char **names;
	size_t n = 0, nr = 0;

	while (commands[nr])
		nr++;
	for (size_t i = 0; others && others[i]; i++)
		nr++;
	names = must_calloc(nr + 1, sizeof(*names));
	for (size_t i = 0; others && others[i]; i++)
		names[n++] = others[i];
	for (size_t i = 0; commands[i]; i++)
		names[n++] = commands[i]->name;
	s = suggest(name, names, NULL);
	free(names);
	return s;
}

int command_print_json(json_t *json)
{
	int status = json_dumpf(json, stdout, JSON_INDENT(2));

	json_decref(json);
	/* A failure to write is reported when standard output is closed. */
	return status < 0 || putchar('\n') == EOF ? EXIT_RUN_FAILED : EXIT_DONE;
}

struct store *command_open_store(const char *path, enum store_mode mode, int *status)
{
	struct error err;
	struct store *store;

	*status = EXIT_DONE;
	if (!path)
		return NULL;
	store = store_open(path, mode, STORE_PATIENCE_MS, status, &err);
	if (!store)
		fputs(err.text, stderr);
	return store;
}

int command_keep_scenario(struct store *store, const struct scenario *s)
{
	const char **fingerprints = must_calloc(s->nr_points, sizeof(*fingerprints));
	const struct stored_scenario stored = {
		.name = s->short_name,
		.title = s->name,
		.definition = s->definition,
		.fingerprints = fingerprints,
		.nr_points = s->nr_points,
	};
	struct error err;
	int status = EXIT_DONE;

	for (size_t i = 0; i < s->nr_points; i++)
		fingerprints[i] = s->points[i].fingerprint;
	if (store_put_scenario(store, &stored, &err) < 0) {
		fputs(err.text, stderr);
		status = store_problem(store);
	}
	free(fingerprints);
	return status;
}

/* What was asked for must be there. */
static int check_metrics(const struct rows *rows, struct error *err)
{
	const char *missing = rows_missing_metric(rows);

	if (!missing)
		return 0;
	return error_set(err, "no selected point has a metric '%.64s'%s", missing,
		metric_suggest(missing).text);
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
	if (ret == 0 && metrics->nr && check_metrics(rows, err) < 0) {
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
