// SPDX-License-Identifier: GPL-3.0-or-later
/*
 * cmd_validate.c - zonesim validate: what is simulated beside what was published.
 */
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

#include "../models/error.h"
#include "../results/must.h"
#include "../results/result.h"
#include "../results/store.h"
#include "../results/validation.h"
#include "claims.h"
#include "command.h"
#include "runner.h"
#include "scenario.h"

struct arguments {
	const char *table, *machine, *db;
	enum format { PLAIN, MARKDOWN, CHANGES, JSON } format;
	bool quick;
	struct runner_options runner;
};

/* clang-format off */
static const struct argp_option options_of_validate[] = {
	{"table", 't', "NAME", 0, "Only the published table NAME", 0},
	{"machine", 'm', "NAME", 0, "Only the rows of that machine", 0},
	{"quick", 'Q', NULL, 0, "A smaller set, with less precision; see below", 0},
	{"markdown", 'M', NULL, 0, "Print rows and summary as tables of Markdown", 0},
	{"changes", 'C', NULL, 0, "Simulate only what has a published change, and print one table of these in Markdown; see below", 0},
	{"json", 'J', NULL, 0, "Print rows and summary as one JSON document", 0},
	{"db", 'd', "FILE", 0, "Keep each point in the store FILE, and take from it those it has (default: " STORE_DEFAULT ")", 0},
	{"jobs", 'j', "N", 0, "Simulate N points at once (default: as many as CPUs)", 0},
	{"quiet", 'q', NULL, 0, "No progress on standard error", 0},
	{0},
};
/* clang-format on */

static void set_format(struct arguments *a, enum format format, struct argp_state *state)
{
	if (a->format != PLAIN && a->format != format)
		argp_error(state, "--json, --markdown and --changes exclude each other");
	a->format = format;
}

static error_t parse_option(int key, char *argument, struct argp_state *state)
{
	struct arguments *a = state->input;

	switch (key) {
	case 't':
		a->table = argument;
		return 0;
	case 'm':
		a->machine = argument;
		return 0;
	case 'Q':
		a->quick = true;
		return 0;
	case 'M':
		set_format(a, MARKDOWN, state);
		return 0;
	case 'C':
		set_format(a, CHANGES, state);
		return 0;
	case 'J':
		set_format(a, JSON, state);
		return 0;
	case 'd':
		a->db = argument;
		return 0;
	case 'j':
		a->runner.jobs = command_parse_jobs(argument, state);
		return 0;
	case 'q':
		a->runner.quiet = true;
		return 0;
	default:
		return ARGP_ERR_UNKNOWN;
	}
}

static const char changes_help[] =
	"--changes has a row for each published change, in the order of publication. Of a table "
	"that goes through many batches it takes 63 and 127, the double and the fourfold of the "
	"31 that they are compared with; nothing else is left out, and how near a row comes plays "
	"no part.";

/* What --help ends with; the caller of argp's filter frees what it returns. */
static char *filter_help(int key, const char *text, void *input)
{
	(void)input;
	if (key != ARGP_KEY_HELP_POST_DOC)
		return (char *)text;
	return must_format("%s %s\n\n%s", text, claims_quick_help, changes_help);
}

static const struct argp argp = {
	.options = options_of_validate,
	.parser = parse_option,
	.help_filter = filter_help,
	.doc = "Simulate what was measured for the published tables, each configuration once, and "
	       "print both beside each other with a verdict per row."
	       "\vWhat the verdicts mean: `zonesim help verdicts`. The exit status is 1 when a "
	       "verdict is wrong or a row can not be simulated.",
};

/* Simulate the plan. Returns the runner's status. */
static int run_plan(const struct arguments *a, struct validation *v, const struct scenario *s,
	const size_t *plan)
{
	json_t *document = document_new("validate");
	int status = EXIT_DONE;

	if (!document) {
		fputs("zonesim: out of memory\n", stderr);
		return EXIT_RUN_FAILED;
	}
	if (s->nr_points > 0)
		status = runner_run(s, &a->runner, document, NULL);
	if (status != EXIT_INTERRUPTED)
		claims_settle(v, plan, document);
	json_decref(document);
	return status;
}

static int print_json(const struct validation *v)
{
	json_t *json = validation_to_json(v);

	if (json)
		return command_print_json(json);
	fputs("zonesim: out of memory\n", stderr);
	return EXIT_RUN_FAILED;
}

static int print(enum format format, const struct validation *v)
{
	switch (format) {
	case JSON:
		return print_json(v);
	case MARKDOWN:
		validation_print_markdown(stdout, v);
		return EXIT_DONE;
	case CHANGES:
		validation_print_changes(stdout, v);
		return EXIT_DONE;
	default:
		validation_print(stdout, v);
		return EXIT_DONE;
	}
}

/* Print what was found. Returns the exit status, which is at least as bad as the run's. */
static int report(const struct arguments *a, struct validation *v, int status)
{
	validation_judge(v);
	if (print(a->format, v) != EXIT_DONE)
		return EXIT_RUN_FAILED;
	if (status == EXIT_BROKEN)
		return status;
	return validation_failed(v) ? EXIT_RUN_FAILED : status;
}

static int validate(const struct arguments *a, struct validation *v)
{
	struct scenario s = {0};
	size_t *plan = claims_plan(v, &s, a->quick);
	int status = run_plan(a, v, &s, plan);

	free(plan);
	scenario_free(&s);
	return status == EXIT_INTERRUPTED ? status : report(a, v, status);
}

/* The rows that are asked for. Returns 0, or -1 with @err filled and nothing to free. */
static int load(const struct arguments *a, struct validation *v, struct error *err)
{
	if (validation_load(v, a->table, a->machine, err) < 0)
		return -1;
	if (a->format != CHANGES || validation_choose_changes(v, err) == 0)
		return 0;
	validation_free(v);
	return -1;
}

int cmd_validate(int argc, char **argv)
{
	struct arguments a = {.db = STORE_DEFAULT};
	struct validation v;
	struct error err;
	int status;

	command_parse(&argp, argc, argv, &a);
	if (load(&a, &v, &err) < 0) {
		fputs(err.text, stderr);
		return EXIT_BAD_INPUT;
	}
	a.runner.retry_failed = true;
	a.runner.store = store_open(a.db, STORE_WRITE, STORE_PATIENCE_MS, &status, &err);
	if (a.runner.store) {
		status = validate(&a, &v);
		store_close(a.runner.store);
	} else {
		fputs(err.text, stderr);
	}
	validation_free(&v);
	return status;
}
