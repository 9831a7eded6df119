// SPDX-License-Identifier: GPL-3.0-or-later
/*
 * cmd_tune.c - zonesim tune: the settings that make a goal large.
 */
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../models/error.h"
#include "../models/units.h"
#include "../results/goal.h"
#include "../results/grid.h"
#include "../results/must.h"
#include "../results/result.h"
#include "../results/store.h"
#include "../results/wrap.h"
#include "command.h"
#include "options.h"
#include "runner.h"
#include "scenario.h"
#include "tune.h"

#define DEFAULT_BUDGET 60
#define MAX_BUDGET 10000
#define DEFAULT_LIMIT 100e-6 /* seconds */

struct arguments {
	struct shared_arguments shared;
	const char *goal;
	struct dimension dimensions[TUNE_MAX_DIMENSIONS];
	size_t nr_dimensions, budget;
	double hold_limit;
};

/* clang-format off */
static const struct argp_option options_of_tune[] = {
	{"vary", 'v', "PATH[=FROM..TO]", 0, "Look for the best value of an option, a whole number; up to four", 0},
	{"goal", 'g', "EXPRESSION", 0, "What is to be made large (default: score - penalty); see below", 0},
	{"hold-limit", 'l', "TIME", 0, "The longest hold without penalty (default: 100us)", 0},
	{"budget", 'b', "N", 0, "Points to simulate at most (default: 60)", 0},
	{0},
};
/* clang-format on */

/* Ranges that make sense where the user gives none. */
static const struct dimension usual[] = {
	{"pcp.batch", 8, 512},
	{"pcp.high", 32, 4096},
};

static double read_count(const char *text, struct argp_state *state)
{
	char why[128];
	double value;

	if (quantity_parse(text, QUANTITY_COUNT, &value, why, sizeof(why)) < 0)
		argp_error(state, "--vary: %s", why);
	return value;
}

static void read_range(struct dimension *d, const char *range, struct argp_state *state)
{
	const char *dots = strstr(range, "..");
	char *from;

	if (!dots)
		argp_error(state, "--vary %s=%s: expected FROM..TO, as in 8..512", d->path, range);
	from = must_format("%.*s", (int)(dots - range), range);
	d->low = read_count(from, state);
	d->high = read_count(dots + 2, state);
	free(from);
	if (d->low < 1 || d->high <= d->low)
		argp_error(state,
			"--vary %s=%s: the range must begin at 1 or above, and end above that",
			d->path, range);
}

/* What to say of @text, which names no option that is a whole number. */
static struct suggestion suggest_number(const char *text)
{
	size_t count, nr = 0;
	const struct scenario_option *all = options(&count);
	const char **names = must_calloc(count + 1, sizeof(*names));
	struct suggestion s;

	for (size_t i = 0; i < count; i++) {
		if (option_is_number(&all[i]))
			names[nr++] = all[i].path;
	}
	s = suggest(text, names, "see `zonesim help scenario`");
	free(names);
	return s;
}

/* Cuts @text at the '='. */
static void add_dimension(struct arguments *a, char *text, struct argp_state *state)
{
	struct dimension d = {.path = text};
	char *equals = strchr(text, '=');
	const struct scenario_option *option;

	if (equals)
		*equals = '\0';
	option = option_find(text);
	if (!option || !option_is_number(option))
		argp_error(state, "--vary %s: no option that is a whole number%s", text,
			suggest_number(text).text);
	if (a->nr_dimensions == TUNE_MAX_DIMENSIONS)
		argp_error(state, "--vary: at most %d options", TUNE_MAX_DIMENSIONS);
	for (size_t i = 0; i < a->nr_dimensions; i++)
		if (strcmp(a->dimensions[i].path, text) == 0)
			argp_error(state, "--vary %s is given twice", text);
	for (size_t i = 0; !equals && i < sizeof(usual) / sizeof(*usual); i++)
		if (strcmp(usual[i].path, text) == 0)
			d = usual[i];
	if (equals)
		read_range(&d, equals + 1, state);
	else if (d.high == 0)
		argp_error(state, "--vary %s: say from where to where, as in %s=1..64", text, text);
	a->dimensions[a->nr_dimensions++] = d;
}

static void check_arguments(const struct arguments *a, struct argp_state *state)
{
	if (!a->nr_dimensions)
		argp_error(state, "--vary is missing: what to look for, as in --vary pcp.batch");
}

static void read_budget(struct arguments *a, const char *text, struct argp_state *state)
{
	char *end;
	long nr = strtol(text, &end, 10);

	if (end == text || *end || nr < 5 || nr > MAX_BUDGET)
		argp_error(state, "--budget %s: expected a number from 5 to %d", text, MAX_BUDGET);
	a->budget = (size_t)nr;
}

static void read_limit(struct arguments *a, const char *text, struct argp_state *state)
{
	char why[128];

	if (quantity_parse(text, QUANTITY_TIME, &a->hold_limit, why, sizeof(why)) < 0)
		argp_error(state, "--hold-limit: %s", why);
	if (!(a->hold_limit > 0))
		argp_error(state, "--hold-limit: expected a time above 0");
}

static error_t parse_option(int key, char *argument, struct argp_state *state)
{
	struct arguments *a = state->input;

	switch (key) {
	case 'v':
		add_dimension(a, argument, state);
		return 0;
	case 'g':
		a->goal = argument;
		return 0;
	case 'l':
		read_limit(a, argument, state);
		return 0;
	case 'b':
		read_budget(a, argument, state);
		return 0;
	case ARGP_KEY_END:
		check_arguments(a, state);
		return 0;
	default:
		return ARGP_ERR_UNKNOWN;
	}
}

static const struct argp argp = {
	.options = options_of_tune,
	.parser = parse_option,
	.args_doc = "SCENARIO",
	.doc = "Look for the settings that make a goal large: a grid first, then ever closer to "
	       "the best. What leads is simulated with further seeds, so that luck does not win. "
	       "All points are kept in a store, and taken from it when they are there."
	       "\vThe scenario must come to one point; --vary takes the place of what it says of "
	       "that option. pcp.batch is looked for from 8 to 512, pcp.high from 32 to 4096, and "
	       "never below batch.\n\n"
	       "EXPRESSION has metrics, numbers, + - * / and parentheses, and two names more: "
	       "worst_hold is the longest hold of a zone or LRU lock, in microseconds; penalty is "
	       "the score times the share by which that is above --hold-limit.\n\n"
	       "The table shows the best candidates. \"even\" are those to which no difference is "
	       "seen, so choose among them by other reasons; \"front\" are those that no other "
	       "beats in both score and worst hold.\n\n"
	       "  zonesim tune scaling --set tasks=all --vary pcp.batch --budget 80",
};

/*
 * Running
 */

/* "PATH=V1,V2,..." for a dimension of all trials; the caller frees it. */
static char *values_of(
	const struct tuning *t, size_t dimension, const struct trial *trials, size_t nr)
{
	char *text = must_format("%s=", t->dimensions[dimension].path);

	for (size_t i = 0; i < nr; i++) {
		char *longer = must_format(
			"%s%s%.0f", text, i ? "," : "", t->list[trials[i].candidate].at[dimension]);

		free(text);
		text = longer;
	}
	return text;
}

static char *seeds_of(const struct trial *trials, size_t nr)
{
	char *text = must_format("measure.seed=");

	for (size_t i = 0; i < nr; i++) {
		char *longer = must_format("%s%s%u", text, i ? "," : "", trials[i].seed);

		free(text);
		text = longer;
	}
	return text;
}

/* The points of the trials, side by side. Returns 0, or -1 with @err filled. */
static int load_trials(const struct arguments *a, const struct tuning *t,
	const struct trial *trials, size_t nr, struct scenario *s, struct error *err)
{
	struct scenario_arguments arguments = {.sets = a->shared.set.sets, .zip = true};
	int status;

	for (size_t i = 0; i < t->nr_dimensions; i++)
		words_add(&arguments.overs, values_of(t, i, trials, nr));
	words_add(&arguments.overs, seeds_of(trials, nr));
	status = scenario_load(s, a->shared.scenario, &arguments, err);
	if (status == 0 && s->nr_points != nr) {
		status = error_set(err,
			"%s comes to %zu points; to be tuned it must come to one: use --set",
			a->shared.scenario, s->nr_points / nr);
		scenario_free(s);
	}
	for (size_t i = 0; i < arguments.overs.nr; i++)
		free(arguments.overs.list[i]);
	free(arguments.overs.list);
	return status;
}

/* What the points of @document say. Returns 0, or -1 with @err filled. */
static int tell(const struct arguments *a, struct tuning *t, const struct trial *trials, size_t nr,
	const json_t *document, struct error *err)
{
	for (size_t i = 0; i < nr; i++) {
		const json_t *point = json_array_get(json_object_get(document, "points"), i);
		const char *status = json_string_value(json_object_get(point, "status"));
		double goal, score;

		if (!status || strcmp(status, "failed") == 0) {
			tune_fail(t, &trials[i]);
			continue;
		}
		if (goal_value(a->goal, point, a->hold_limit, &goal, err) < 0 ||
			goal_value("score", point, a->hold_limit, &score, err) < 0)
			return -1;
		tune_tell(t, &trials[i], goal, score, goal_worst_hold(point));
	}
	return 0;
}

/* One turn of the search. Returns an exit status; EXIT_DONE to go on. */
static int turn(const struct arguments *a, struct tuning *t, const struct trial *trials, size_t nr,
	struct error *err)
{
	struct scenario s;
	json_t *document;
	bool kept = false;
	int status;

	if (load_trials(a, t, trials, nr, &s, err) < 0)
		return EXIT_BAD_INPUT;
	document = document_new("tune");
	if (!document) {
		error_set(err, "out of memory");
		status = EXIT_RUN_FAILED;
	} else {
		status = command_keep_scenario(a->shared.runner.store, &s);
		kept = status == EXIT_DONE;
	}
	if (kept)
		status = runner_run(&s, &a->shared.runner, document, NULL);
	/* A point that failed, or was not precise, is no reason to stop. */
	if (kept && status != EXIT_INTERRUPTED)
		status = tell(a, t, trials, nr, document, err) < 0 ? EXIT_BAD_INPUT : EXIT_DONE;
	json_decref(document);
	scenario_free(&s);
	return status;
}

static int search(const struct arguments *a, struct tuning *t, struct error *err)
{
	struct trial *trials = must_calloc(a->budget, sizeof(*trials));
	size_t nr;
	int status = EXIT_DONE;

	while (status == EXIT_DONE && (nr = tune_ask(t, trials, a->budget)) > 0)
		status = turn(a, t, trials, nr, err);
	free(trials);
	return status;
}

/*
 * Printing
 */

#define SHOWN 12 /* candidates in the table, and all of the front */

static const char *note_of(const struct candidate *c, bool best)
{
	if (c->failed)
		return "failed";
	if (best)
		return c->is_front ? "best, front" : "best";
	if (c->is_even)
		return c->is_front ? "even, front" : "even";
	return c->is_front ? "front" : "";
}

static void fill_row(struct grid *grid, const struct tuning *t, size_t candidate)
{
	const struct candidate *c = &t->list[candidate];
	size_t row = grid_add_row(grid), at = 0;

	for (size_t i = 0; i < t->nr_dimensions; i++)
		grid_set_number(grid, row, at++, c->at[i]);
	grid_set_number(grid, row, at++, candidate_goal(c));
	grid_set_number(grid, row, at++, candidate_score(c));
	grid_set_number(grid, row, at++, 1e6 * candidate_hold(c));
	grid_set_number(grid, row, at++, (double)c->nr_seeds);
	grid_set_text(grid, row, at, note_of(c, candidate == 0));
}

static void print_table(const struct arguments *a, const struct tuning *t)
{
	static const char *const headings[] = {"goal", "score", "worst hold", "seeds", "note"};
	static const char *const units[] = {"", "", "us", "", ""};
	static const int decimals[] = {0, 0, 2, 0, 0};
	struct grid grid;

	grid_init(&grid);
	for (size_t i = 0; i < t->nr_dimensions; i++)
		grid_add_column(&grid, &(struct grid_column){.heading = t->dimensions[i].path,
					       .group = "",
					       .unit = "",
					       .scale = 1});
	for (size_t i = 0; i < sizeof(headings) / sizeof(*headings); i++)
		grid_add_column(&grid, &(struct grid_column){.heading = headings[i],
					       .group = "",
					       .unit = units[i],
					       .scale = 1,
					       .left = i == 4,
					       .decimals = decimals[i]});
	for (size_t i = 0; i < t->nr; i++)
		if (t->list[i].nr_seeds && (i < SHOWN || t->list[i].is_front))
			fill_row(&grid, t, i);
	printf("%s: %zu points, %zu candidates; goal: %s\n\n", a->shared.scenario, t->spent, t->nr,
		a->goal);
	grid_print(&grid, stdout, PRINT_WIDTH);
	putchar('\n');
	print_filled(stdout, "", 0, PRINT_WIDTH,
		"even: no difference to the best is seen; front: no other has a higher score and a "
		"shorter worst hold. Only candidates with three seeds or more can be best.");
	grid_free(&grid);
}

static json_t *number(double value)
{
	return isfinite(value) ? json_real(value) : json_null();
}

static json_t *to_json(const struct arguments *a, const struct tuning *t)
{
	json_t *list = json_array();

	for (size_t i = 0; i < t->nr; i++) {
		const struct candidate *c = &t->list[i];
		json_t *settings = json_object();

		if (!c->nr_seeds) {
			json_decref(settings);
			continue;
		}
		for (size_t k = 0; k < t->nr_dimensions; k++)
			(void)json_object_set_new(settings, t->dimensions[k].path,
				json_integer((json_int_t)c->at[k]));
		(void)json_array_append_new(list,
			json_pack("{s:o, s:o, s:o, s:o, s:I, s:b, s:b, s:b}", "settings", settings,
				"goal", number(candidate_goal(c)), "score",
				number(candidate_score(c)), "worst_hold_us",
				number(1e6 * candidate_hold(c)), "seeds", (json_int_t)c->nr_seeds,
				"best", i == 0, "even", c->is_even, "front", c->is_front));
	}
	return json_pack("{s:s, s:s, s:I, s:o}", "scenario", a->shared.scenario, "goal", a->goal,
		"points", (json_int_t)t->spent, "candidates", list);
}

static int tune(const struct arguments *a, struct error *err)
{
	struct tuning t;
	int status;

	tune_begin(&t, a->dimensions, a->nr_dimensions, a->budget);
	status = search(a, &t, err);
	if (status == EXIT_DONE) {
		tune_rank(&t);
		if (a->shared.json)
			status = command_print_json(to_json(a, &t));
		else
			print_table(a, &t);
		if (t.list[0].failed || !t.list[0].nr_seeds)
			status = EXIT_RUN_FAILED;
	}
	tune_end(&t);
	return status;
}

static int run(int argc, char **argv)
{
	struct arguments a = {
		.goal = "score - penalty",
		.budget = DEFAULT_BUDGET,
		.hold_limit = DEFAULT_LIMIT,
		.shared.runner = {.retry_failed = true, .brief = true},
	};
	struct error err = {""};
	struct store *store;
	int status = EXIT_BAD_INPUT;

	command_parse(&command_tune, argc, argv, &a.shared, &a);
	if (goal_check(a.goal, &err) == 0) {
		store = command_open_store(a.shared.db, STORE_WRITE, &status);
		a.shared.runner.store = store;
		if (store)
			status = tune(&a, &err);
		store_close(store);
	}
	fputs(err.text, stderr);
	shared_arguments_free(&a.shared);
	return status;
}

const struct command command_tune = {
	.name = "tune",
	.summary = "look for the settings that make a goal large",
	.takes = TAKES_SCENARIO | TAKES_SET | TAKES_STORE | TAKES_JSON | TAKES_JOBS | TAKES_QUIET,
	.argp = &argp,
	.run = run,
};
