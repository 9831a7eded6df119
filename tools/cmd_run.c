// SPDX-License-Identifier: GPL-3.0-or-later
/*
 * cmd_run.c - zonesim run: from a scenario to results.
 */
#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "../models/error.h"
#include "../models/replace.h"
#include "../results/c2c.h"
#include "../results/functions.h"
#include "../results/must.h"
#include "../results/result.h"
#include "../results/store.h"
#include "../results/wrap.h"
#include "command.h"
#include "config.h"
#include "runner.h"
#include "scenario.h"
#include "watch.h"

struct arguments {
	struct shared_arguments shared;
	const char *output;
	struct watch watch;
};

/* clang-format off */
static const struct argp_option options_of_run[] = {
	{"output", 'o', "FILE", 0, "Also write the JSON document to FILE", 0},
	{"timeline", 't', "FILE[:START..END]", 0, "Write what CPUs and locks did to FILE, for Perfetto; of one point", 0},
	WATCH_OPTIONS,
	{0},
};
/* clang-format on */

static void check_watch(const struct arguments *a, const struct argp_state *state)
{
	const char *option = a->watch.timeline ? "--timeline"
			     : a->watch.lines  ? "--c2c"
					       : "--functions";
	bool listed = a->watch.lines || a->watch.functions;

	if ((a->watch.timeline || listed) && a->shared.db)
		argp_error(state,
			"%s and --db exclude each other: a point from the store is not simulated",
			option);
	if (listed && a->shared.csv)
		argp_error(state, "%s and --csv exclude each other",
			a->watch.lines ? "--c2c" : "--functions");
}

static error_t parse_option(int key, char *argument, struct argp_state *state)
{
	struct arguments *a = state->input;

	switch (key) {
	case 'o':
		a->output = argument;
		return 0;
	case 't':
		watch_parse_timeline(&a->watch, argument, state);
		return 0;
	case ARGP_KEY_END:
		check_watch(a, state);
		return 0;
	default:
		return watch_parse(&a->watch, key) ? 0 : ARGP_ERR_UNKNOWN;
	}
}

static const struct argp argp = {
	.options = options_of_run,
	.parser = parse_option,
	.args_doc = "SCENARIO",
	.doc = "Simulate the points of a scenario and print their results, as a table unless told "
	       "otherwise."
	       "\vSCENARIO is a file, a name of `zonesim list scenarios`, or - for standard "
	       "input. What a scenario may "
	       "set: `zonesim help scenario`. The exit status: `zonesim help exit-status`.\n\n"
	       "A timeline shows on a track for each CPU when it faults, unmaps, sleeps, and waits "
	       "for and holds which lock, and on a track for each lock who owns it. It is of the "
	       "simulated time from START to END, as in trace.json:2ms..3ms, where either may be "
	       "left out; "
	       "one of more than 100000 spans is cut. Open it in ui.perfetto.dev or "
	       "chrome://tracing.\n\n" WATCH_HELP,
};

/* The text, and a newline, as far as the disk. */
static int write_text(FILE *out, void *what)
{
	const char *text = what;

	return fputs(text, out) == EOF || fputc('\n', out) == EOF || fflush(out) == EOF ||
			       fsync(fileno(out)) < 0
		       ? -1
		       : 0;
}

static int write_file(const char *path, char *text, struct error *err)
{
	int problem = replace_file(path, write_text, text);

	return problem ? error_set(err, "can not write %s: %s", path, strerror(problem)) : 0;
}

/* Better to hear now than after an hour that the results have nowhere to go. */
static int check_output(const char *path, struct error *err)
{
	const char *slash = strrchr(path, '/');
	char *directory = slash ? strndup(path, (size_t)(slash - path) + 1) : strdup(".");
	struct stat st;
	int status = 0;

	if (!directory)
		return error_set(err, "out of memory");
	if (access(directory, W_OK | X_OK) < 0)
		status = error_set(err, "can not write %s: %s", path, strerror(errno));
	else if (stat(path, &st) == 0 && !S_ISREG(st.st_mode))
		status = error_set(err, "can not write %s: it is not a regular file", path);
	free(directory);
	return status;
}

/* What was looked at besides, point by point. */
static void print_watched(const struct scenario *s, const json_t *document)
{
	const json_t *points = json_object_get(document, "points"), *point;
	char what[256];
	size_t i;

	json_array_foreach(points, i, point)
	{
		if (!json_object_get(point, "c2c") && !json_object_get(point, "functions"))
			continue;
		config_describe(&s->points[i], what, sizeof(what));
		putchar('\n');
		if (s->nr_points > 1)
			print_filled(stdout, "", 0, PRINT_WIDTH, what);
		functions_print(stdout, point);
		c2c_print(stdout, point);
	}
}

static int print_document(
	const struct arguments *a, const struct scenario *s, json_t *document, struct error *err)
{
	char *text = json_dumps(document, JSON_INDENT(2));
	int status = 0;

	if (!text)
		return error_set(err, "out of memory");
	if (a->output)
		status = write_file(a->output, text, err);
	/* Whether standard output took it is found when it is closed. */
	if (a->shared.json)
		puts(text);
	free(text);
	if (status < 0)
		return -1;
	if (a->shared.json)
		return 0;
	if (a->shared.csv)
		return result_print_csv(stdout, document, err);
	if (result_print_table(stdout, document, err) < 0)
		return -1;
	print_watched(s, document);
	return 0;
}

static int run_scenario(const struct arguments *a, const struct scenario *s)
{
	json_t *document = document_new(s->name);
	struct error err;
	int status;

	if (!document) {
		fputs("zonesim: out of memory\n", stderr);
		return EXIT_RUN_FAILED;
	}
	status = runner_run(s, &a->shared.runner, document, NULL);
	watch_tell(&a->watch, document);
	if (status != EXIT_INTERRUPTED && print_document(a, s, document, &err) < 0) {
		fputs(err.text, stderr);
		status = EXIT_RUN_FAILED;
	}
	json_decref(document);
	return status;
}

/* The same with the store open, if there is to be one. */
static int run_with_store(struct arguments *a, const struct scenario *s)
{
	struct runner_options *runner = &a->shared.runner;
	int status;

	runner->retry_failed = true;
	runner->store = command_open_store(a->shared.db, STORE_WRITE, &status);
	if (runner->store)
		status = command_keep_scenario(runner->store, s);
	if (status == EXIT_DONE)
		status = run_scenario(a, s);
	store_close(runner->store);
	return status;
}

static int run(int argc, char **argv)
{
	struct arguments a = {0};
	struct scenario s;
	struct error err;
	int status;

	command_parse(&command_run, argc, argv, &a.shared, &a);
	if (watch_use_program(&a.watch, &err) < 0 ||
		(a.output && check_output(a.output, &err) < 0) ||
		(a.watch.timeline && check_output(a.watch.timeline, &err) < 0) ||
		scenario_load(&s, a.shared.scenario, &a.shared.set, &err) < 0) {
		fputs(err.text, stderr);
		shared_arguments_free(&a.shared);
		return EXIT_BAD_INPUT;
	}
	watch_points(&s, &a.watch);
	if (watch_check(&a.watch, &s, &err) < 0) {
		fputs(err.text, stderr);
		status = EXIT_BAD_INPUT;
	} else {
		status = run_with_store(&a, &s);
	}
	scenario_free(&s);
	shared_arguments_free(&a.shared);
	return status;
}

const struct command command_run = {
	.name = "run",
	.summary = "simulate the points of a scenario",
	.takes = TAKES_SCENARIO | TAKES_SET | TAKES_KEEP | TAKES_CSV | TAKES_JSON | TAKES_JOBS |
		 TAKES_QUIET,
	.argp = &argp,
	.run = run,
};
