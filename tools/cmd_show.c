// SPDX-License-Identifier: GPL-3.0-or-later
/*
 * cmd_show.c - zonesim show: what lies behind the scores of a run.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../models/error.h"
#include "../results/must.h"
#include "../results/result.h"
#include "command.h"
#include "runner.h"
#include "scenario.h"
#include "show.h"
#include "watch.h"

struct arguments {
	struct shared_arguments shared;
	const char *source;
	long point; /* from 1; 0: all */
	struct watch watch;
};

static const struct argp_option options_of_show[] = {
	{"point", 'p', "N", 0, "Only point N, counted from 1", 0},
	WATCH_OPTIONS,
	{0},
};

static long parse_point(const char *text, struct argp_state *state)
{
	char *end;
	long point = strtol(text, &end, 10);

	if (end == text || *end || point < 1)
		argp_error(state, "-p %s: expected the number of a point, from 1", text);
	return point;
}

static error_t parse_option(int key, char *argument, struct argp_state *state)
{
	struct arguments *a = state->input;

	switch (key) {
	case 'p':
		a->point = parse_point(argument, state);
		return 0;
	case ARGP_KEY_ARG:
		if (a->source)
			argp_error(state, "one scenario or result at a time");
		a->source = argument;
		return 0;
	case ARGP_KEY_END:
		if (!a->source)
			argp_error(state, "a scenario or a result (.json) is missing");
		return 0;
	default:
		return watch_parse(&a->watch, key) ? 0 : ARGP_ERR_UNKNOWN;
	}
}

static const struct argp argp = {
	.options = options_of_show,
	.parser = parse_option,
	.args_doc = "RESULT.json|SCENARIO",
	.doc = "Show, for each point, its metrics and what they mean, its locks as /proc/lock_stat "
	       "shows them (times in microseconds), what holds are made of, where memory accesses "
	       "were served from, "
	       "counters of its own, and zoneinfo, buddyinfo, pagetypeinfo and vmstat at the end "
	       "of the run."
	       "\vRESULT.json is what `zonesim run -o RESULT.json` wrote. A SCENARIO is run "
	       "first.\n\n" WATCH_HELP,
};

static int has_suffix(const char *text, const char *suffix)
{
	size_t length = strlen(text), end = strlen(suffix);

	return length >= end && strcmp(text + length - end, suffix) == 0;
}

/* Run the scenario. Returns its document, or NULL; fills @status. */
static json_t *run_scenario(const struct arguments *a, int *status)
{
	struct scenario s;
	struct error err;
	json_t *document;

	if (watch_use_program(&a->watch, &err) < 0 ||
		scenario_load(&s, a->source, &a->shared.set, &err) < 0) {
		fputs(err.text, stderr);
		*status = EXIT_BAD_INPUT;
		return NULL;
	}
	watch_points(&s, &a->watch);
	document = document_new(s.name);
	if (document)
		*status = runner_run(&s, &a->shared.runner, document, NULL);
	scenario_free(&s);
	if (!document || *status == EXIT_INTERRUPTED) {
		json_decref(document);
		return NULL;
	}
	return document;
}

static json_t *load_result(const struct arguments *a, int *status)
{
	struct error err;
	json_t *document = command_load_document(a->source, &err);

	if (document && watch_check_result(&a->watch, a->source, document, &err) < 0) {
		json_decref(document);
		document = NULL;
	}
	*status = document ? EXIT_DONE : EXIT_BAD_INPUT;
	if (!document)
		fputs(err.text, stderr);
	return document;
}

static int show_document(const struct arguments *a, json_t *document, int status)
{
	const json_t *points = json_object_get(document, "points");
	size_t count = json_array_size(points);

	if ((size_t)a->point > count) {
		fprintf(stderr, "zonesim: there is no point %ld: %s has %zu\n", a->point, a->source,
			count);
		return EXIT_BAD_INPUT;
	}
	for (size_t i = 0; i < count; i++) {
		if (!a->point || (size_t)a->point == i + 1)
			show_point(stdout, json_array_get(points, i), i + 1);
	}
	return status;
}

static int run(int argc, char **argv)
{
	struct arguments a = {0};
	int status = EXIT_RUN_FAILED;
	json_t *document;

	command_parse(&command_show, argc, argv, &a.shared, &a);
	if (!has_suffix(a.source, ".json"))
		document = run_scenario(&a, &status);
	else if (a.shared.set.sets.nr) {
		fputs("zonesim show: --set can not change a result: give a scenario\n", stderr);
		document = NULL;
		status = EXIT_BAD_INPUT;
	} else
		document = load_result(&a, &status);
	if (document)
		status = show_document(&a, document, status);
	json_decref(document);
	shared_arguments_free(&a.shared);
	return status;
}

const struct command command_show = {
	.name = "show",
	.summary = "show locks, zones and counters of a run",
	.takes = TAKES_SET | TAKES_QUIET,
	.argp = &argp,
	.run = run,
};
