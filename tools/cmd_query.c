// SPDX-License-Identifier: GPL-3.0-or-later
/*
 * cmd_query.c - zonesim query: what a store holds.
 */
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

#include "../models/error.h"
#include "../results/must.h"
#include "../results/query.h"
#include "../results/rows.h"
#include "../results/store.h"
#include "command.h"

struct arguments {
	struct shared_arguments shared;
	enum question { POINTS, SCENARIOS, MODELS, CHECK } question;
};

/* clang-format off */
static const struct argp_option options_of_query[] = {
	{"scenarios", 's', NULL, 0, "List the scenarios instead, and how many of their points are there", 0},
	{"models", 'M', NULL, 0, "List the models instead: versions of zonesim that simulated points", 0},
	{"check", 'k', NULL, 0, "Read all of the store instead, and look for damage", 0},
	{0},
};
/* clang-format on */

static void ask(struct arguments *a, enum question question, struct argp_state *state)
{
	if (a->question != POINTS && a->question != question)
		argp_error(state, "--scenarios, --models and --check exclude each other");
	a->question = question;
}

static void check_arguments(const struct arguments *a, struct argp_state *state)
{
	const struct shared_arguments *s = &a->shared;

	if (a->question != POINTS && (s->select.nr || s->metrics.nr || s->csv))
		argp_error(state, "only points are selected, have metrics, and print as CSV");
}

static error_t parse_option(int key, char *argument, struct argp_state *state)
{
	struct arguments *a = state->input;

	(void)argument;
	switch (key) {
	case 's':
		ask(a, SCENARIOS, state);
		return 0;
	case 'M':
		ask(a, MODELS, state);
		return 0;
	case 'k':
		ask(a, CHECK, state);
		return 0;
	case ARGP_KEY_END:
		check_arguments(a, state);
		return 0;
	default:
		return ARGP_ERR_UNKNOWN;
	}
}

static const struct argp argp = {
	.options = options_of_query,
	.parser = parse_option,
	.args_doc = "[SELECTION...]",
	.help_filter = command_selection_help,
	.doc = "List the points of a store: what tells them apart, and their score."
	       "\v",
};

static int print_points(const struct arguments *a, struct store *store, struct error *err)
{
	struct rows rows;
	int status = EXIT_DONE;

	if (command_load_rows(&rows, store, &a->shared.select, &a->shared.metrics, &status, err) <
		0)
		return status;
	if (a->shared.json)
		status = command_print_json(query_to_json(&rows));
	else if (a->shared.csv)
		query_print_csv(stdout, &rows);
	else
		query_print(stdout, &rows, store_path(store));
	rows_free(&rows);
	return status;
}

static int print_list(const struct arguments *a, struct store *store, struct error *err)
{
	json_t *list =
		a->question == MODELS ? query_models(store, err) : query_scenarios(store, err);
	size_t i;
	json_t *item;

	if (!list)
		return store_problem(store);
	if (a->shared.json)
		return command_print_json(list);
	json_array_foreach(list, i, item)
	{
		json_int_t points = json_integer_value(json_object_get(item, "points"));

		if (a->question == MODELS)
			printf("%-16s zonesim %s, %lld points, the last on %s\n",
				json_string_value(json_object_get(item, "digest")),
				json_string_value(json_object_get(item, "version")),
				(long long)points,
				json_string_value(json_object_get(item, "last")));
		else
			printf("%-24s %lld of %lld points, %lld failed  %s\n",
				json_string_value(json_object_get(item, "name")),
				(long long)json_integer_value(json_object_get(item, "stored")),
				(long long)points,
				(long long)json_integer_value(json_object_get(item, "failed")),
				json_string_value(json_object_get(item, "title")));
	}
	json_decref(list);
	return EXIT_DONE;
}

static int check(struct store *store, struct error *err)
{
	if (store_check(store, err) < 0)
		return store_problem(store);
	printf("%s: no damage found\n", store_path(store));
	return EXIT_DONE;
}

static int answer(const struct arguments *a, struct store *store, struct error *err)
{
	switch (a->question) {
	case CHECK:
		return check(store, err);
	case SCENARIOS:
	case MODELS:
		return print_list(a, store, err);
	default:
		return print_points(a, store, err);
	}
}

static int run(int argc, char **argv)
{
	struct arguments a = {0};
	struct error err = {""};
	struct store *store;
	int status;

	command_parse(&command_query, argc, argv, &a.shared, &a);
	store = command_open_store(a.shared.db, STORE_READ, &status);
	if (store)
		status = answer(&a, store, &err);
	fputs(err.text, stderr);
	store_close(store);
	shared_arguments_free(&a.shared);
	return status;
}

const struct command command_query = {
	.name = "query",
	.summary = "list the points of a store",
	.takes = TAKES_SELECTION | TAKES_STORE | TAKES_METRIC | TAKES_CSV | TAKES_JSON,
	.argp = &argp,
	.run = run,
};
