/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_tune.c - a search in noise, and goals. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>
#include <gsl/gsl_randist.h>
#include <gsl/gsl_rng.h>

#include "../models/error.h"
#include "../results/goal.h"
#include "../tools/tune.h"

#define TURN 8 /* runs at once */

/* Highest where each setting is at its peak; 1% lower half a doubling away from one. */
static double surface(const struct tuning *t, const double *at, const double *peaks)
{
	double loss = 0;

	for (size_t i = 0; i < t->nr_dimensions; i++)
		loss += 0.04 * pow(log2(at[i] / peaks[i]), 2);
	return 1e6 * (1 - loss);
}

/* Search with runs whose standard deviation is @sd of the mean. */
static void search(struct tuning *t, const double *peaks, double sd, unsigned long seed)
{
	gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);
	struct trial trials[TURN];
	size_t nr, runs = 0;

	gsl_rng_set(rng, seed);
	while ((nr = tune_ask(t, trials, TURN)) > 0) {
		for (size_t i = 0; i < nr; i++) {
			const struct candidate *c = &t->list[trials[i].candidate];
			double value = surface(t, c->at, peaks) * (1 + gsl_ran_gaussian(rng, sd));

			assert_int_equal(trials[i].seed, c->nr_seeds + 1);
			tune_tell(t, &trials[i], value, value, 1e-6 * c->at[0]);
			runs++;
		}
	}
	assert_true(runs <= t->budget);
	assert_int_equal(runs, t->spent);
	gsl_rng_free(rng);
	tune_rank(t);
}

static void the_peak_is_found(void **state)
{
	static const struct dimension dimensions[] = {
		{"pcp.batch", 8, 512}, {"pcp.high", 32, 4096}};
	static const double peaks[] = {63, 700};
	struct tuning t;

	(void)state;
	tune_begin(&t, dimensions, 1, 40);
	search(&t, peaks, 0, 1);
	assert_true(fabs(log2(t.list[0].at[0] / 63)) < 0.1);
	tune_end(&t);
	tune_begin(&t, dimensions, 2, 80);
	search(&t, peaks, 0, 1);
	assert_true(surface(&t, t.list[0].at, peaks) > 0.995e6);
	tune_end(&t);
}

/* With noise as large as a run's interval may be, what wins is as good as it looks. */
static void luck_does_not_win(void **state)
{
	static const struct dimension dimensions[] = {{"pcp.batch", 8, 512}};
	static const double peaks[] = {63};
	int good = 0, honest = 0;

	(void)state;
	for (unsigned long seed = 1; seed <= 100; seed++) {
		struct tuning t;

		tune_begin(&t, dimensions, 1, 40);
		search(&t, peaks, 0.01, seed);
		assert_true(t.list[0].nr_seeds >= TUNE_SEEDS);
		good += surface(&t, t.list[0].at, peaks) > 0.985e6;
		honest += fabs(candidate_goal(&t.list[0]) / surface(&t, t.list[0].at, peaks) - 1) <
			  0.01;
		tune_end(&t);
	}
	assert_in_range(good, 90, 100);
	assert_in_range(honest, 90, 100);
}

static void leaders_get_further_seeds(void **state)
{
	static const struct dimension dimensions[] = {{"pcp.batch", 8, 512}};
	struct trial trials[20];
	struct tuning t;
	size_t nr;

	(void)state;
	tune_begin(&t, dimensions, 1, 20);
	nr = tune_ask(&t, trials, 20);
	assert_int_equal(nr, 6);
	for (size_t i = 0; i < nr; i++)
		tune_tell(&t, &trials[i], (double)i, 1, 1);
	for (unsigned int seed = 2; seed <= TUNE_SEEDS; seed++) {
		assert_int_equal(tune_ask(&t, trials, 20), 3);
		for (size_t i = 0; i < 3; i++) {
			assert_int_equal(trials[i].candidate, 5 - i);
			assert_int_equal(trials[i].seed, seed);
			tune_tell(&t, &trials[i], 5 - (double)i, 1, 1);
		}
	}
	/* Then the best gets neighbours. */
	nr = tune_ask(&t, trials, 20);
	assert_true(nr > 0 && trials[0].seed == 1 && trials[0].candidate == 6);
	tune_end(&t);
}

static void front_and_even(void **state)
{
	static const struct dimension dimensions[] = {{"pcp.batch", 8, 512}};
	struct tuning t = {.dimensions = dimensions, .nr_dimensions = 1};
	struct candidate list[] = {
		{.at = {8},
			.goals = {99, 100, 101},
			.scores = {99, 100, 101},
			.holds = {1, 2, 1},
			.nr_seeds = 3},
		{.at = {16},
			.goals = {100, 101, 102},
			.scores = {100, 101, 102},
			.holds = {3, 3, 3},
			.nr_seeds = 3},
		{.at = {32},
			.goals = {101.5, 99.5, 101},
			.scores = {101.5, 99.5, 101},
			.holds = {4, 4, 4},
			.nr_seeds = 3},
		{.at = {64}, .goals = {300}, .scores = {300}, .holds = {9}, .nr_seeds = 1},
		{.at = {128}, .failed = true},
	};

	(void)state;
	t.list = list;
	t.nr = sizeof(list) / sizeof(*list);
	tune_rank(&t);
	/* The lucky one and the failed one come last. */
	assert_true(list[0].at[0] == 16 && list[1].at[0] == 32 && list[2].at[0] == 8);
	assert_true(list[3].at[0] == 64 && list[4].at[0] == 128);
	assert_true(list[0].is_front && !list[1].is_front && list[2].is_front && list[3].is_front);
	assert_true(list[1].is_even && !list[2].is_even && !list[3].is_even);
}

static void a_pageset_is_no_smaller_than_a_batch(void **state)
{
	static const struct dimension dimensions[] = {{"pcp.batch", 8, 512}, {"pcp.high", 8, 512}};
	static const double peaks[] = {512, 8};
	struct tuning t;

	(void)state;
	tune_begin(&t, dimensions, 2, 60);
	search(&t, peaks, 0, 1);
	for (size_t i = 0; i < t.nr; i++)
		assert_true(t.list[i].at[1] >= t.list[i].at[0]);
	tune_end(&t);
}

/*
 * Goals
 */

static json_t *point(void)
{
	json_t *p = json_pack("{s:{s:{s:f}, s:{s:f}}, s:[{s:s, s:f}, {s:s, s:f}, {s:s, s:f}]}",
		"metrics", "score", "mean", 1000.0, "share", "mean", 4.0, "locks", "name",
		"zone->lock node 0", "holdtime_max_us", 150.0, "name", "lru_lock node 1",
		"holdtime_max_us", 20.0, "name", "pcp->lock node 0", "holdtime_max_us", 900.0);

	assert_non_null(p);
	return p;
}

static double value_within(const char *goal, double hold_limit)
{
	json_t *p = point();
	struct error err;
	double value;

	if (goal_value(goal, p, hold_limit, &value, &err) < 0)
		fail_msg("%s", err.text);
	json_decref(p);
	return value;
}

static double value_of(const char *goal)
{
	return value_within(goal, 100e-6);
}

static void goals_are_worked_out(void **state)
{
	(void)state;
	assert_true(value_of("score") == 1000);
	assert_true(value_of("2 + 3 * share - -1") == 15);
	assert_true(value_of("(2+3)*share/ 8") == 2.5);
	assert_true(fabs(value_of("worst_hold") - 150) < 1e-9);
	/* Half above the limit costs half the score. */
	assert_true(fabs(value_of("score - penalty") - 500) < 1e-6);
	assert_true(value_within("score - penalty", 1) == 1000);
}

static void assert_no_goal(const char *goal, const char *reason)
{
	struct error err = {""};

	assert_int_equal(goal_check(goal, &err), -1);
	if (!strstr(err.text, reason))
		fail_msg("\"%s\" lacks \"%s\"", err.text, reason);
}

static void what_is_no_goal(void **state)
{
	struct error err;
	json_t *p = point();
	double value;

	(void)state;
	assert_no_goal("", "expected a number, a name or a ( at 'the end'");
	assert_no_goal("score -", "expected a number, a name or a (");
	assert_no_goal("score score", "expected + - * or / at 'score'");
	assert_no_goal("(score", "a ) is missing");
	assert_no_goal("score % 2", "expected + - * or /");
	assert_int_equal(goal_check("sorce", &err), 0);
	assert_int_equal(goal_value("sorce", p, 1, &value, &err), -1);
	assert_non_null(strstr(err.text, "the points have no metric 'sorce'"));
	json_decref(p);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_peak_is_found),
		cmocka_unit_test(luck_does_not_win),
		cmocka_unit_test(leaders_get_further_seeds),
		cmocka_unit_test(front_and_even),
		cmocka_unit_test(a_pageset_is_no_smaller_than_a_batch),
		cmocka_unit_test(goals_are_worked_out),
		cmocka_unit_test(what_is_no_goal),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
