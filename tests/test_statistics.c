// SPDX-License-Identifier: GPL-3.0-or-later
/*
 * test_statistics.c - warm-up, ratios and confidence intervals, against values worked out by hand.
 */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "../sim/statistics.h"

static void assert_near(double value, double expected)
{
	if (fabs(value - expected) > fabs(expected) * 1e-6)
		fail_msg("%.9g is not %.9g", value, expected);
}

/* ---- warm-up ---- */

#define MAX_SAMPLES 200

/* @warm samples of 100, then 10 and 12 in turn. */
static size_t cut_of(size_t warm, size_t n)
{
	double samples[MAX_SAMPLES];

	for (size_t i = 0; i < n; i++)
		samples[i] = i < warm ? 100 : 10 + 2 * (double)(i % 2);
	return mser_truncation(samples, n);
}

static void warm_up_is_cut_to_the_sample(void **state)
{
	(void)state;
	assert_int_equal(cut_of(5, 20), 5);
	assert_int_equal(cut_of(1, 20), 1);
	assert_int_equal(cut_of(10, 20), 10);
	assert_int_equal(cut_of(24, 49), 24);
}

static void from_50_samples_on_it_is_cut_in_fives(void **state)
{
	(void)state;
	assert_int_equal(cut_of(15, 100), 15);
	assert_int_equal(cut_of(17, 100), 20);
	assert_int_equal(cut_of(1, 50), 5);
	/* three samples too many for whole groups */
	assert_int_equal(cut_of(17, 103), 20);
}

static void nothing_is_cut_from_a_steady_series(void **state)
{
	double constant[] = {3, 3, 3, 3, 3, 3};

	(void)state;
	assert_int_equal(mser_truncation(constant, 6), 0);
	assert_int_equal(cut_of(0, 20), 0);
	assert_int_equal(cut_of(0, 100), 0);
}

static void at_most_half_is_cut(void **state)
{
	double samples[100];

	(void)state;
	/* each sample of the warm-up outweighs all that come after it */
	for (int i = 0; i < 100; i++)
		samples[i] = ldexp(1, 80 - i);
	assert_int_equal(mser_truncation(samples, 20), 10);
	assert_int_equal(mser_truncation(samples, 21), 10);
	assert_int_equal(mser_truncation(samples, 100), 50);
}

static void short_series_are_kept(void **state)
{
	double samples[] = {7, 1};

	(void)state;
	assert_int_equal(mser_truncation(samples, 0), 0);
	assert_int_equal(mser_truncation(samples, 1), 0);
	assert_int_equal(mser_truncation(samples, 2), 0);
}

static void a_decaying_warm_up_ends_where_it_is_lost_in_the_noise(void **state)
{
	double samples[200];

	(void)state;
	for (size_t i = 0; i < 200; i++)
		samples[i] = 50 + 40 * exp(-(double)i / 8) + (i % 2 ? 1 : -1);
	size_t cut = mser_truncation(samples, 200);

	/* 40 exp(-i / 8) falls from 3.3 at 20 to 0.3 at 40 */
	assert_true(cut >= 20 && cut <= 40);
}

/* ---- ratios ---- */

static void ratio_and_its_variance(void **state)
{
	double top[] = {10, 22, 28}, bottom[] = {1, 2, 3};
	struct estimate e = ratio_of_means(top, bottom, 3);

	(void)state;
	/* 60 / 6; residuals (0, 2, -2) over the mean of 2: their squares sum up to 2, of 3 - 1 */
	assert_near(e.mean, 10);
	assert_near(e.variance, 2.0 / 2 / 3);
	assert_near(e.degrees, 2);
	/* t(0.975, 2) = 4.302653 */
	assert_near(estimate_ci95(e), 4.302653 * sqrt(1.0 / 3));
}

static void a_constant_ratio_has_no_variance(void **state)
{
	double top[] = {3, 6, 9, 1.5}, bottom[] = {1, 2, 3, 0.5};
	struct estimate e = ratio_of_means(top, bottom, 4);

	(void)state;
	assert_near(e.mean, 3);
	assert_true(e.variance == 0);
	assert_true(estimate_ci95(e) == 0);
}

static void too_few_batches(void **state)
{
	double top[] = {8, 1}, bottom[] = {4, 1}, zero[] = {0, 0};
	struct estimate one = ratio_of_means(top, bottom, 1);

	(void)state;
	assert_near(one.mean, 2);
	assert_true(isinf(one.variance));
	assert_true(isinf(estimate_ci95(one)));
	assert_true(isnan(ratio_of_means(top, bottom, 0).mean));
	assert_true(ratio_of_means(top, zero, 2).mean == 0);
}

/* Variance of a ratio of 100 with @n residuals, which keep their sign for @run batches. */
static double variance_of_runs(size_t n, size_t run)
{
	double top[MAX_SAMPLES], bottom[MAX_SAMPLES];

	for (size_t i = 0; i < n; i++) {
		top[i] = i / run % 2 ? 99 : 101;
		bottom[i] = 1;
	}
	return ratio_of_means(top, bottom, n).variance;
}

static void autocorrelation_widens(void **state)
{
	(void)state;
	/* + + + + + - - - - -: nine products, eight of +1 and one of -1: r = 7 / 10 */
	assert_near(variance_of_runs(10, 5), 1.0 / 9 * 1.7 / 0.3);
	/* 97 of 100 would widen by 66; r counts for 0.95 at most */
	assert_near(variance_of_runs(100, 50), 1.0 / 99 * 1.97 / 0.05);
}

static void autocorrelation_never_narrows(void **state)
{
	(void)state;
	assert_near(variance_of_runs(10, 1), 1.0 / 9);
}

static void autocorrelation_of_few_batches_is_not_believed(void **state)
{
	(void)state;
	assert_near(variance_of_runs(8, 4), 1.0 / 7);
}

/* ---- estimates ---- */

static void estimates_add_and_scale(void **state)
{
	struct estimate a = {2, 0.25, 3}, b = {3, 0.5, 4};
	struct estimate sum = estimate_add(a, b), scaled = estimate_scale(a, -2);

	(void)state;
	assert_near(sum.mean, 5);
	assert_near(sum.variance, 0.75);
	assert_near(sum.degrees, 7);
	assert_near(scaled.mean, -4);
	assert_near(scaled.variance, 1);
	assert_near(scaled.degrees, 3);
}

static void confidence_by_students_t(void **state)
{
	(void)state;
	assert_near(estimate_ci95((struct estimate){9, 1, 1}), 12.7062047);
	assert_near(estimate_ci95((struct estimate){9, 1, 4}), 2.77644511);
	assert_near(estimate_ci95((struct estimate){9, 4, 4}), 2 * 2.77644511);
	assert_near(estimate_ci95((struct estimate){9, 1, 1e9}), 1.95996398);
}

static void confidence_at_the_ends(void **state)
{
	(void)state;
	assert_true(estimate_ci95((struct estimate){9, 0, 4}) == 0);
	assert_true(estimate_ci95((struct estimate){9, 0, 0}) == 0);
	assert_true(isinf(estimate_ci95((struct estimate){9, 1, 0})));
	assert_true(isinf(estimate_ci95((struct estimate){9, INFINITY, 4})));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(warm_up_is_cut_to_the_sample),
		cmocka_unit_test(from_50_samples_on_it_is_cut_in_fives),
		cmocka_unit_test(nothing_is_cut_from_a_steady_series),
		cmocka_unit_test(at_most_half_is_cut),
		cmocka_unit_test(short_series_are_kept),
		cmocka_unit_test(a_decaying_warm_up_ends_where_it_is_lost_in_the_noise),
		cmocka_unit_test(ratio_and_its_variance),
		cmocka_unit_test(a_constant_ratio_has_no_variance),
		cmocka_unit_test(too_few_batches),
		cmocka_unit_test(autocorrelation_widens),
		cmocka_unit_test(autocorrelation_never_narrows),
		cmocka_unit_test(autocorrelation_of_few_batches_is_not_believed),
		cmocka_unit_test(estimates_add_and_scale),
		cmocka_unit_test(confidence_by_students_t),
		cmocka_unit_test(confidence_at_the_ends),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
