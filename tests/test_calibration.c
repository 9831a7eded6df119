// SPDX-License-Identifier: GPL-3.0-or-later
/*
 * test_calibration.c - the fit of figures, against minima worked out by hand.
 */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "../results/calibration.h"

#define WIDE 1000.0 /* bounds that hold nothing back */

static void assert_near(double value, double expected, double tolerance)
{
	if (!(fabs(value - expected) <= tolerance))
		fail_msg("%.9g is not %.9g", value, expected);
}

static void one_row_is_met_where_nothing_holds_it_back(void **state)
{
	double slope = -4;
	struct calibration_row row = {.deviation = 2, .slope = &slope, .weight = 1};
	struct calibration_figure figure = {.low = -WIDE, .high = WIDE};

	(void)state;
	assert_int_equal(calibration_fit(&row, 1, &figure, 1, NULL), 0);
	assert_near(figure.d, 0.5, 1e-5);
	assert_near(calibration_predict(&row, &figure, 1), 0, 1e-4);
	assert_false(figure.at_bound);
}

/* w (r + J d)^2 + (d / s)^2 is least at -w J r / (w J^2 + 1 / s^2); here s is (1 + 1) / 4. */
static void the_prior_holds_it_back(void **state)
{
	double slope = -4;
	struct calibration_row row = {.deviation = 2, .slope = &slope, .weight = 0.25};
	struct calibration_figure figure = {.low = -1, .high = 1};

	(void)state;
	assert_int_equal(calibration_fit(&row, 1, &figure, 1, NULL), 0);
	assert_near(figure.d, 0.25 * 4 * 2 / (0.25 * 16 + 4), 1e-9);
	assert_near(figure.sd, sqrt(1 / (0.25 * 16 + 4)), 1e-9);
}

static void a_figure_stays_within_its_bounds(void **state)
{
	double slope = -1;
	struct calibration_row row = {.deviation = 2.5, .slope = &slope, .weight = 1e9};
	struct calibration_figure figure = {.low = -0.25, .high = 0.25};

	(void)state;
	assert_int_equal(calibration_fit(&row, 1, &figure, 1, NULL), 0);
	assert_near(figure.d, 0.25, 0);
	assert_true(figure.at_bound);
}

static void a_figure_without_bounds_stays(void **state)
{
	double slopes[2] = {-1, -1};
	struct calibration_row row = {.deviation = 1, .slope = slopes, .weight = 1};
	struct calibration_figure figures[2] = {
		{.low = 0, .high = 0}, {.low = -WIDE, .high = WIDE}};

	(void)state;
	assert_int_equal(calibration_fit(&row, 1, figures, 2, NULL), 0);
	assert_near(figures[0].d, 0, 0);
	assert_near(figures[1].d, 1, 1e-4);
}

/*
 * Two rows at 1 - d and one at 100 - d. By squares alone d would be 34. With Huber's weights the
 * last pulls with a force of 3, so 2 (d - 1) = 3.
 */
static void a_row_out_of_reach_pulls_with_a_limited_force(void **state)
{
	double slope = -1;
	struct calibration_row rows[3] = {{1, &slope, 1}, {1, &slope, 1}, {100, &slope, 1}};
	struct calibration_figure figure = {.low = -WIDE, .high = WIDE};

	(void)state;
	assert_int_equal(calibration_fit(rows, 3, &figure, 1, NULL), 0);
	assert_near(figure.d, 2.5, 1e-3);
}

static void a_row_without_weight_says_nothing(void **state)
{
	double slope = -1;
	struct calibration_row rows[2] = {{1, &slope, 1}, {2, &slope, 0}};
	struct calibration_figure figure = {.low = -WIDE, .high = WIDE};

	(void)state;
	assert_int_equal(calibration_fit(rows, 2, &figure, 1, NULL), 0);
	assert_near(figure.d, 1, 1e-4);
}

/* Figures that move all rows alike can be traded for each other; those that do not, can not. */
static void what_can_not_be_told_apart_is_correlated(void **state)
{
	double alike[2] = {1, 1}, alike_too[2] = {2, 2}, apart[2] = {1, 0}, apart_too[2] = {0, 1};
	struct calibration_row mixed[2] = {{1, alike, 1}, {2, alike_too, 1}};
	struct calibration_row clear[2] = {{1, apart, 1}, {2, apart_too, 1}};
	struct calibration_figure figures[2] = {
		{.low = -WIDE, .high = WIDE}, {.low = -WIDE, .high = WIDE}};
	double correlation[4];

	(void)state;
	assert_int_equal(calibration_fit(mixed, 2, figures, 2, correlation), 0);
	assert_near(correlation[1], -1, 1e-3);
	assert_near(correlation[0], 1, 1e-9);
	assert_int_equal(calibration_fit(clear, 2, figures, 2, correlation), 0);
	assert_near(correlation[1], 0, 1e-9);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(one_row_is_met_where_nothing_holds_it_back),
		cmocka_unit_test(the_prior_holds_it_back),
		cmocka_unit_test(a_figure_stays_within_its_bounds),
		cmocka_unit_test(a_figure_without_bounds_stays),
		cmocka_unit_test(a_row_out_of_reach_pulls_with_a_limited_force),
		cmocka_unit_test(a_row_without_weight_says_nothing),
		cmocka_unit_test(what_can_not_be_told_apart_is_correlated),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
