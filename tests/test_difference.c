/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_difference.c - how often a difference is seen where there is one, and where there is none.
 */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <gsl/gsl_randist.h>
#include <gsl/gsl_rng.h>

#include "../results/difference.h"

#define MOST 10
#define TRIALS 1000

/* A side with room for its runs. */
struct side {
	struct run_set set;
	double seeds[MOST];
	struct measured values[MOST];
};

/* @nr runs around @mean; an interval of a run is right about its own spread @sd. */
static void draw(struct side *s, gsl_rng *rng, size_t nr, double first_seed, double mean, double sd)
{
	s->set = (struct run_set){s->seeds, s->values, nr};
	for (size_t i = 0; i < nr; i++) {
		s->seeds[i] = first_seed + (double)i;
		s->values[i] = (struct measured){mean + gsl_ran_gaussian(rng, sd), 2.09 * sd, 20};
	}
}

/* In how many of TRIALS trials a difference of @change (a share of the mean) is seen. */
static int seen(size_t nr, double other_seed, double change, double sd, enum basis basis)
{
	gsl_rng *rng = gsl_rng_alloc(gsl_rng_mt19937);
	struct side base, patched;
	int count = 0;

	for (int i = 0; i < TRIALS; i++) {
		struct difference d;

		draw(&base, rng, nr, 1, 1e6, sd * 1e6);
		draw(&patched, rng, nr, other_seed, 1e6 * (1 + change), sd * 1e6);
		d = difference_of(&base.set, &patched.set);
		assert_int_equal(d.basis, basis);
		count += d.verdict == DIFFERENCE_SEEN;
	}
	gsl_rng_free(rng);
	return count;
}

/* Half a percent of a run's 95% interval, the default precision, is this standard deviation. */
#define DEFAULT_SD (0.005 / 1.96)

static void none_is_seen_where_there_is_none(void **state)
{
	(void)state;
	/* 5% by design; 93 of 100 is what is promised. */
	assert_in_range(seen(3, 1, 0, DEFAULT_SD, BY_PAIRS), 30, 70);
	assert_in_range(seen(10, 1, 0, DEFAULT_SD, BY_PAIRS), 30, 70);
	assert_in_range(seen(3, 100, 0, DEFAULT_SD, BY_SEEDS), 10, 70);
	assert_in_range(seen(10, 100, 0, DEFAULT_SD, BY_SEEDS), 30, 70);
	assert_in_range(seen(1, 100, 0, DEFAULT_SD, BY_ROUNDS), 0, 70);
	assert_in_range(seen(2, 100, 0, DEFAULT_SD, BY_ROUNDS), 0, 70);
}

static void one_percent_is_seen_at_the_default_precision(void **state)
{
	(void)state;
	assert_in_range(seen(5, 1, 0.01, DEFAULT_SD, BY_PAIRS), 900, TRIALS);
	assert_in_range(seen(5, 100, 0.01, DEFAULT_SD, BY_SEEDS), 900, TRIALS);
	assert_in_range(seen(5, 1, -0.01, DEFAULT_SD, BY_PAIRS), 900, TRIALS);
}

static struct side side_of(size_t nr, const double *means, const struct measured *like)
{
	struct side s = {.set.nr = nr};

	for (size_t i = 0; i < nr; i++) {
		s.seeds[i] = (double)i + 1;
		s.values[i] = *like;
		s.values[i].mean = means[i];
	}
	return s;
}

static struct difference compared(struct side *a, struct side *b)
{
	a->set.seeds = a->seeds;
	a->set.values = a->values;
	b->set.seeds = b->seeds;
	b->set.values = b->values;
	return difference_of(&a->set, &b->set);
}

static void pairs_take_out_what_a_seed_does_to_both(void **state)
{
	static const double base[] = {100, 110, 90}, patched[] = {101, 111.1, 90.9};
	const struct measured like = {0, 1, 20};
	struct side a = side_of(3, base, &like), b = side_of(3, patched, &like);
	struct difference d = compared(&a, &b);

	(void)state;
	assert_int_equal(d.basis, BY_PAIRS);
	assert_int_equal(d.verdict, DIFFERENCE_SEEN);
	assert_true(fabs(d.percent - 1) < 1e-9);
	/* By hand: sd of 1, 1.1, 0.9 is 0.1; t with 2 degrees of freedom is 4.3027. */
	assert_true(fabs(d.half - 4.3027 * 0.1 / sqrt(3)) < 1e-4);
	assert_true(fabs(d.base_spread - 10) < 1e-9);
	/* With other seeds the same figures say nothing. */
	for (size_t i = 0; i < 3; i++)
		b.seeds[i] += 10;
	d = compared(&a, &b);
	assert_int_equal(d.basis, BY_SEEDS);
	assert_int_equal(d.verdict, DIFFERENCE_NOT_SEEN);
}

static void single_runs_go_by_their_rounds(void **state)
{
	static const double base[] = {100}, patched[] = {105};
	const struct measured like = {0, 1, 20}, few = {0, 0.1, 2}, exact = {0, 0, 0},
			      none = {0, NAN, NAN};
	struct side a = side_of(1, base, &like), b = side_of(1, patched, &like);
	struct difference d = compared(&a, &b);
	double expected;

	(void)state;
	assert_int_equal(d.basis, BY_ROUNDS);
	assert_int_equal(d.verdict, DIFFERENCE_SEEN);
	/* Errors of 1 / t(20), together with 40 degrees of freedom. */
	expected = ROUNDS_WIDEN * 2.0211 * sqrt(2) / 2.0860;
	assert_true(fabs(d.half - expected) < 1e-3);
	a = side_of(1, base, &few);
	d = compared(&a, &b);
	assert_int_equal(d.verdict, DIFFERENCE_UNKNOWN);
	a = side_of(1, base, &none);
	d = compared(&a, &b);
	assert_int_equal(d.verdict, DIFFERENCE_UNKNOWN);
	a = side_of(1, base, &exact);
	b = side_of(1, patched, &exact);
	assert_int_equal(compared(&a, &b).verdict, DIFFERENCE_SEEN);
	b = side_of(1, base, &exact);
	assert_int_equal(compared(&a, &b).verdict, DIFFERENCE_NOT_SEEN);
}

static void what_is_missing_or_zero(void **state)
{
	static const double nothing[] = {NAN}, zero[] = {0}, one[] = {1};
	const struct measured like = {0, 0, 0};
	struct side a = side_of(1, nothing, &like), b = side_of(1, one, &like);
	struct difference d = compared(&a, &b);

	(void)state;
	assert_int_equal(d.verdict, DIFFERENCE_UNKNOWN);
	assert_string_equal(difference_verdict_text(&d), "not in both");
	a = side_of(1, zero, &like);
	d = compared(&a, &b);
	assert_true(isnan(d.percent));
	assert_int_equal(d.verdict, DIFFERENCE_SEEN);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(none_is_seen_where_there_is_none),
		cmocka_unit_test(one_percent_is_seen_at_the_default_precision),
		cmocka_unit_test(pairs_take_out_what_a_seed_does_to_both),
		cmocka_unit_test(single_runs_go_by_their_rounds),
		cmocka_unit_test(what_is_missing_or_zero),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
