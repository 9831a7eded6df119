// SPDX-License-Identifier: GPL-3.0-or-later
/*
 * test_explanation.c - effects of figures and the spread of samples, worked out by hand.
 */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "../models/error.h"
#include "../results/explanation.h"
#include "sample.h"

#define FIGURES 2
#define SAMPLES 3
#define BLOCKS (1 + FIGURES + SAMPLES)

/* Scores of base and patched: as they are, two figures raised by 10%, three samples. */
static const double scores[BLOCKS][2] = {
	{100, 110},
	{105, 115.5}, /* +5% and +5%, so +0.5 and no change of the gain */
	{100, 121},   /* nothing, but 21 points instead of 10 */
	{90, 99},     /* samples: gains of 10, 20 and 30 points */
	{100, 120},
	{110, 143},
};

static const struct varied_figure figures[FIGURES] = {{"cpi", "", 10}, {"pause", "", 10}};

static void make(struct explanation *e)
{
	struct sample samples[BLOCKS * 2];
	struct error err = {""};

	for (size_t i = 0; i < BLOCKS * 2; i++)
		samples[i] = (struct sample){.machine = "skylake-2s",
			.kernel = "v4.15",
			.patch = i % 2 ? "pick-outside-lock" : NULL,
			.tasks = 2,
			.batch = 31,
			.high = 186,
			.score = scores[i / 2][i % 2],
			.ci95 = 1};
	json_t *document = sample_document("A title", samples, BLOCKS * 2);

	assert_int_equal(explanation_make(e, document, 2, figures, FIGURES, SAMPLES, &err), 0);
	assert_string_equal(err.text, "");
	json_decref(document);
	assert_int_equal(e->nr_rows, 1);
}

static void assert_near(double value, double expected)
{
	if (!(fabs(value - expected) <= 1e-9 * (1 + fabs(expected))))
		fail_msg("%.12g is not %.12g", value, expected);
}

static void effects_are_per_percent(void **state)
{
	struct explanation e;

	(void)state;
	make(&e);
	assert_near(explanation_score_effect(&e, &e.rows[0], 0).mean, 0.5);
	assert_near(explanation_change_effect(&e, &e.rows[0], 0).mean, 0);
	assert_near(explanation_score_effect(&e, &e.rows[0], 1).mean, 0);
	assert_near(explanation_change_effect(&e, &e.rows[0], 1).mean, 1.1);
	explanation_free(&e);
}

/* 105 +- 1 over 100 +- 1 is 1.05 +- sqrt(0.01^2 + (1.05 x 0.01)^2), for ten percent. */
static void intervals_are_per_percent_too(void **state)
{
	struct explanation e;

	(void)state;
	make(&e);
	assert_near(explanation_score_effect(&e, &e.rows[0], 0).ci95,
		100 * hypot(0.01, 1.05 * 0.01) / 10);
	explanation_free(&e);
}

/* 90, 100, 110: the standard deviation is 10, the quantiles lie 5% of a step inside the ends. */
static void the_spread_is_that_of_the_samples(void **state)
{
	struct explanation e;

	(void)state;
	make(&e);
	struct spread score = explanation_score_spread(&e, &e.rows[0]);
	struct spread change = explanation_change_spread(&e, &e.rows[0]);

	assert_near(score.mean, 100);
	assert_near(score.sd, 10);
	assert_near(score.low, 90.5);
	assert_near(score.high, 109.5);
	assert_near(change.mean, 20);
	assert_near(change.sd, 10);
	explanation_free(&e);
}

static void a_document_of_another_size_is_refused(void **state)
{
	struct sample sample = {.machine = "skylake-2s",
		.kernel = "v4.15",
		.tasks = 1,
		.batch = 31,
		.high = 186,
		.score = 1,
		.ci95 = 1};
	json_t *document = sample_document("A title", &sample, 1);
	struct explanation e;
	struct error err;

	(void)state;
	assert_int_equal(explanation_make(&e, document, 2, figures, FIGURES, 0, &err), -1);
	assert_non_null(strstr(err.text, "1 points where 3 times 2 were expected"));
	json_decref(document);
}

static void json_has_what_is_known(void **state)
{
	struct explanation e;

	(void)state;
	make(&e);
	json_t *json = explanation_to_json(&e),
	       *row = json_array_get(json_object_get(json, "rows"), 0);
	json_t *figure = json_array_get(json_object_get(row, "figures"), 1);
	json_t *samples = json_object_get(row, "uncertainty");

	assert_string_equal(json_string_value(json_object_get(figure, "figure")), "pause");
	assert_near(json_number_value(json_object_get(
			    json_object_get(figure, "change_points_per_percent"), "mean")),
		1.1);
	assert_int_equal(json_integer_value(json_object_get(samples, "samples")), SAMPLES);
	json_decref(json);
	explanation_free(&e);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(effects_are_per_percent),
		cmocka_unit_test(intervals_are_per_percent_too),
		cmocka_unit_test(the_spread_is_that_of_the_samples),
		cmocka_unit_test(a_document_of_another_size_is_refused),
		cmocka_unit_test(json_has_what_is_known),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
