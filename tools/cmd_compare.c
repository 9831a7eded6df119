// SPDX-License-Identifier: GPL-3.0-or-later
/*
 * cmd_compare.c - zonesim compare: base beside patched, and whether that is a difference.
 */
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

#include "../models/error.h"
#include "../results/contrast.h"
#include "../results/rows.h"
#include "../results/store.h"
#include "command.h"

struct arguments {
	struct shared_arguments shared;
	char *base, *patched;
	struct words where;
	bool markdown;
};

static const struct argp_option options_of_compare[] = {
	{"where", 'w', "SELECTION", 0, "Must hold on both sides", 0},
	{"markdown", 'M', NULL, 0, "Print a table of Markdown, for mail", 0},
	{0},
};

static void add_side(struct arguments *a, char *argument, struct argp_state *state)
{
	if (a->patched)
		argp_error(state, "two sides: put each into quotes, as in 'patches=none batch=31'");
	else if (a->base)
		a->patched = argument;
	else
		a->base = argument;
}

static void check_arguments(const struct arguments *a, struct argp_state *state)
{
	if (a->shared.json && a->markdown)
		argp_error(state, "--json and --markdown exclude each other");
	if (!a->patched)
		argp_error(state, "two sides are compared, BASE and PATCHED: say which "
				  "points they are");
}

static error_t parse_option(int key, char *argument, struct argp_state *state)
{
	struct arguments *a = state->input;

	switch (key) {
	case 'w':
		words_add(&a->where, argument);
		return 0;
	case 'M':
		a->markdown = true;
		return 0;
	case ARGP_KEY_ARG:
		add_side(a, argument, state);
		return 0;
	case ARGP_KEY_END:
		check_arguments(a, state);
		return 0;
	default:
		return ARGP_ERR_UNKNOWN;
	}
}

static const struct argp argp = {
	.options = options_of_compare,
	.parser = parse_option,
	.args_doc = "BASE PATCHED",
	.help_filter = command_selection_help,
	.doc = "Compare two selections of points: base, %change and patched for each configuration "
	       "and metric, with the 95% confidence interval of the change, or that no difference "
	       "is seen."
	       "\vEach side is one SELECTION, in quotes where it has several words. Settings "
	       "that have no value in common on the two sides are what is compared; points "
	       "alike in all others, but for the seed, are matched.\n\n"
	       "%stddev is the standard deviation between seeds, or, of a single seed, the "
	       "standard error of the run. The interval rests on pairs of the same seed where "
	       "there are three or more, on the spread between seeds where these differ, and "
	       "else on the rounds of the runs, whose own intervals are made twice as wide: "
	       "runs of different seeds can be that much further apart.\n\n"
	       "  zonesim compare patches=none has=pick-outside-lock -w tasks=112\n"
	       "  zonesim compare 'batch=31 tasks=8' 'batch=63 tasks=8' --metric all\n"
	       "  zonesim compare 1a2b3c4d 5e6f7a8b --markdown",
};

/* Load one side. Returns 0, or -1 with @err and @status filled. */
static int load_side(const struct arguments *a, struct rows *rows, struct store *store, char *side,
	int *status, struct error *err)
{
	struct words select = {0};
	int ret;

	words_add(&select, side);
	for (size_t i = 0; i < a->where.nr; i++)
		words_add(&select, a->where.list[i]);
	ret = command_load_rows(rows, store, &select, &a->shared.metrics, status, err);
	free(select.list);
	return ret;
}

static int print(
	const struct arguments *a, struct rows *base, struct rows *patched, struct error *err)
{
	struct contrast c;
	int status = EXIT_DONE;

	if (contrast_make(&c, base, patched, err) < 0)
		return EXIT_BAD_INPUT;
	if (a->shared.json)
		status = command_print_json(contrast_to_json(&c));
	else
		contrast_print(stdout, &c, a->markdown);
	contrast_free(&c);
	return status;
}

static int refuse_models(struct error *err)
{
	error_set(err, "nothing to compare: the two sides are of different models; with model=all "
		       "on both they are compared all the same");
	return EXIT_BAD_INPUT;
}

static int compare(const struct arguments *a, struct store *store, struct error *err)
{
	struct rows base, patched;
	int status;

	if (load_side(a, &base, store, a->base, &status, err) < 0)
		return status;
	if (load_side(a, &patched, store, a->patched, &status, err) == 0) {
		rows_keep_one_model(&base, &patched, stderr);
		if (base.nr && patched.nr)
			status = print(a, &base, &patched, err);
		else
			status = refuse_models(err);
		rows_free(&patched);
	}
	rows_free(&base);
	return status;
}

static int run(int argc, char **argv)
{
	struct arguments a = {0};
	struct error err = {""};
	struct store *store;
	int status;

	command_parse(&command_compare, argc, argv, &a.shared, &a);
	store = command_open_store(a.shared.db, STORE_READ, &status);
	if (store)
		status = compare(&a, store, &err);
	fputs(err.text, stderr);
	store_close(store);
	free(a.where.list);
	shared_arguments_free(&a.shared);
	return status;
}

const struct command command_compare = {
	.name = "compare",
	.summary = "compare two sets of points of a store",
	.takes = TAKES_STORE | TAKES_METRIC | TAKES_JSON,
	.argp = &argp,
	.run = run,
};
