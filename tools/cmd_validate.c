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
	struct shared_arguments shared;
	const char *table, *machine;
	enum format { PLAIN, MARKDOWN, CHANGES } format;
	bool quick;
};

/* clang-format off */
static const struct argp_option options_of_validate[] = {
	{"table", 't', "NAME", 0, "Only the published table NAME", 0},
	{"machine", 'm', "NAME", 0, "Only the rows of that machine", 0},
	{"quick", 'Q', NULL, 0, "A smaller set, with less precision; see below", 0},
	{"markdown", 'M', NULL, 0, "Print rows and summary as tables of Markdown", 0},
	{"changes", 'C', NULL, 0, "Simulate only what has a published change, and print one table of these in Markdown; see below", 0},
	{0},
};
/* clang-format on */

static const char only_one_format[] = "--json, --markdown and --changes exclude each other";

static void set_format(struct arguments *a, enum format format, struct argp_state *state)
{
	if (a->format != PLAIN && a->format != format)
		argp_error(state, only_one_format);
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
	case ARGP_KEY_END:
		if (a->shared.json && a->format != PLAIN)
			argp_error(state, only_one_format);
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
		status = runner_run(s, &a->shared.runner, document, NULL);
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

static int print(const struct arguments *a, const struct validation *v)
{
	if (a->shared.json)
		return print_json(v);
	switch (a->format) {
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
	if (print(a, v) != EXIT_DONE)
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

static int run(int argc, char **argv)
{
	struct arguments a = {0};
	struct validation v;
	struct error err;
	int status;

	command_parse(&command_validate, argc, argv, &a.shared, &a);
	if (load(&a, &v, &err) < 0) {
		fputs(err.text, stderr);
		return EXIT_BAD_INPUT;
	}
	a.shared.runner.retry_failed = true;
	a.shared.runner.store = command_open_store(a.shared.db, STORE_WRITE, &status);
	if (a.shared.runner.store)
		status = validate(&a, &v);
	store_close(a.shared.runner.store);
	validation_free(&v);
	return status;
}

const struct command command_validate = {
	.name = "validate",
	.summary = "hold the simulation against published measurements",
	.takes = TAKES_STORE | TAKES_JSON | TAKES_JOBS | TAKES_QUIET,
	.argp = &argp,
	.run = run,
};
