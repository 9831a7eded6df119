// SPDX-License-Identifier: GPL-3.0-or-later
/*
 * cmd_plot.c - zonesim plot: a run, or points of a store, as a picture.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../models/error.h"
#include "../results/chart.h"
#include "../results/must.h"
#include "../results/plot.h"
#include "../results/rows.h"
#include "../results/suggest.h"
#include "../results/store.h"
#include "../results/svg.h"
#include "command.h"

struct arguments {
	struct shared_arguments shared;
	const char *output, *x, *y, *title;
	const struct chart_kind *kind;
	struct words metrics;
};

/* clang-format off */
static const struct argp_option options_of_plot[] = {
	{"output", 'o', "FILE", 0, "The SVG file to write; required", 0},
	{"kind", 'k', "KIND", 0, "What to draw; see below (default: lines)", 0},
	{"metric", 'm', "NAME", 0, "Draw this metric (default: score)", 0},
	{"x", 'x', "KEY", 0, "The horizontal axis (default: tasks, pcp.batch, or what else varies; of a map: pcp.batch)", 0},
	{"y", 'y', "KEY", 0, "The vertical axis of a map (default: pcp.high)", 0},
	{"title", 't', "TEXT", 0, "In place of one that tells what is drawn", 0},
	{0},
};
/* clang-format on */

static void set_kind(struct arguments *a, const char *name, struct argp_state *state)
{
	const char *names[16] = {NULL};
	size_t nr = 0;

	a->kind = chart_find(name);
	if (a->kind)
		return;
	for (const struct chart_kind *kind = chart_kinds; kind->name; kind++)
		names[nr++] = kind->name;
	argp_error(state, "no kind '%.40s'%s", name, suggest(name, names, NULL).text);
}

/* A single word that ends in .json is a document; all else selects points of a store. */
static bool is_document(const struct arguments *a)
{
	const struct words *select = &a->shared.select;
	const char *word = select->nr == 1 ? select->list[0] : "";
	size_t length = strlen(word);

	return length > 5 && strcmp(word + length - 5, ".json") == 0;
}

/* An option that has no effect is a mistake. */
static void check_arguments(struct arguments *a, struct argp_state *state)
{
	if (!a->output)
		argp_error(state, "-o FILE is missing: where to write the picture");
	if (is_document(a) && (a->kind || a->metrics.nr || a->x || a->y || a->title))
		argp_error(state, "what is drawn of a .json file follows from the file");
	if (!a->kind)
		a->kind = &chart_kinds[0];
	if (a->y && !a->kind->map)
		argp_error(state, "only a map has --y");
	if (a->x && a->kind->own_axis)
		argp_error(state, "--kind %s has an axis of its own", a->kind->name);
	if (a->metrics.nr > 1)
		argp_error(state, "one metric at a time");
	if (a->metrics.nr && a->kind->metrics)
		argp_error(state, "--kind %s does not draw metrics of choice", a->kind->name);
}

static error_t parse_option(int key, char *argument, struct argp_state *state)
{
	struct arguments *a = state->input;

	switch (key) {
	case 'o':
		a->output = argument;
		return 0;
	case 'k':
		set_kind(a, argument, state);
		return 0;
	case 'm':
		words_add(&a->metrics, argument);
		return 0;
	case 'x':
		a->x = argument;
		return 0;
	case 'y':
		a->y = argument;
		return 0;
	case 't':
		a->title = argument;
		return 0;
	case ARGP_KEY_END:
		check_arguments(a, state);
		return 0;
	default:
		return ARGP_ERR_UNKNOWN;
	}
}

/* The kinds, and what a SELECTION is; the caller of argp's filter frees what it returns. */
static char *filter_help(int key, const char *text, void *input)
{
	char *kinds, *all;

	if (key != ARGP_KEY_HELP_POST_DOC)
		return (char *)text;
	kinds = must_format("%s", text);
	for (const struct chart_kind *kind = chart_kinds; kind->name; kind++) {
		char *longer = must_format("%s\n  %s: %s", kinds, kind->name, kind->help);

		free(kinds);
		kinds = longer;
	}
	all = command_selection_help(key, kinds, input);
	free(kinds);
	return all;
}

static const struct argp argp = {
	.options = options_of_plot,
	.parser = parse_option,
	.help_filter = filter_help,
	.args_doc = "RESULT.json -o FILE.svg\n[SELECTION...] -o FILE.svg",
	.doc = "Draw the points of a run, as `zonesim run -o RESULT.json` wrote it, or those of a "
	       "store, as SVG. Published figures are drawn beside them where there are any."
	       "\vThe kinds of pictures of a store:\n",
};

static int draw_document(const struct arguments *a)
{
	struct error err;
	json_t *document = command_load_document(a->shared.select.list[0], &err);
	int status;

	if (!document) {
		fputs(err.text, stderr);
		return EXIT_BAD_INPUT;
	}
	status = plot_grouped_bars(document, a->output, &err);
	json_decref(document);
	if (status < 0) {
		fputs(err.text, stderr);
		return EXIT_RUN_FAILED;
	}
	return EXIT_DONE;
}

static int draw_rows(const struct arguments *a, struct store *store, struct error *err)
{
	struct words metrics = a->metrics;
	struct chart_request request = {
		.x = a->x,
		.y = a->y,
		.title = a->title,
		.store = store,
	};
	struct rows rows;
	int status;

	if (a->kind->metrics) {
		metrics = (struct words){0};
		for (size_t i = 0; a->kind->metrics[i]; i++)
			words_add(&metrics, (char *)a->kind->metrics[i]);
	}
	if (command_load_rows(&rows, store, &a->shared.select, &metrics, &status, err) == 0) {
		rows_keep_one_model(&rows, NULL, stderr);
		request.rows = &rows;
		switch (chart_write(a->output, a->kind, &request, err)) {
		case 0:
			break;
		case SVG_REFUSED:
			status = EXIT_BAD_INPUT;
			break;
		default:
			status = EXIT_RUN_FAILED;
		}
		rows_free(&rows);
	}
	if (a->kind->metrics)
		free(metrics.list);
	return status;
}

static int draw_store(const struct arguments *a)
{
	struct error err = {""};
	struct store *store;
	int status;

	store = command_open_store(a->shared.db, STORE_READ, &status);
	if (store)
		status = draw_rows(a, store, &err);
	fputs(err.text, stderr);
	store_close(store);
	return status;
}

static int run(int argc, char **argv)
{
	struct arguments a = {0};
	int status;

	command_parse(&command_plot, argc, argv, &a.shared, &a);
	status = is_document(&a) ? draw_document(&a) : draw_store(&a);
	free(a.metrics.list);
	shared_arguments_free(&a.shared);
	return status;
}

const struct command command_plot = {
	.name = "plot",
	.summary = "draw a run, or points of a store, as SVG",
	.takes = TAKES_SELECTION | TAKES_STORE,
	.argp = &argp,
	.run = run,
};
