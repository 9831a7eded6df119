/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_result.c - the JSON document that other programs rely on, and estimates. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>
#include <jansson.h>
#include <math.h>

#include "../results/estimate.h"
#include "../results/result.h"
#include "../sim/point.h"

static json_t *config(void)
{
	json_t *json = json_pack("{s:s, s:[s], s:{s:i, s:i}}", "machine", "skylake-2s", "patches",
		"pick-outside-lock", "pcp", "batch", 31, "high", 186);

	assert_non_null(json);
	return json;
}

/* A result with one of everything. */
static void fill(struct point_result *r)
{
	static double seconds[] = {0.25, 0.5}, work[] = {10, 20};
	static char zoneinfo[] = "Node 0, zone   Normal\n", buddyinfo[] = "Node 0 1 2 3\n",
		    pagetypeinfo[] = "Page block order: 9\n", vmstat[] = "pgfree 7\n";

	*r = (struct point_result){
		.status = POINT_OK,
		.metrics = {{"score", "pages/s", "Pages per second.", 8.5e6, 2e4, 9}},
		.nr_metrics = 1,
		.locks = {{.name = "zone->lock node 0",
			.con_bounces = 1,
			.contentions = 4,
			.wait_min = 1e-6,
			.wait_max = 3e-6,
			.wait_total = 8e-6,
			.acq_bounces = 5,
			.acquisitions = 10,
			.hold_min = 0.5e-6,
			.hold_max = 2e-6,
			.hold_total = 10e-6,
			.wait_buckets = {0, 0, 4},
			.hold_buckets = {10}}},
		.nr_locks = 1,
		.holds = {{.name = "lru",
			.help = "Pages.",
			.count = 4,
			.total = 0.5,
			.handed_over = 0.25,
			.waits = {{"branches", 0}, {"loads", 0.25}, {"stores", 0.0625},
				{"atomics", 0.0625}},
			.served = {6}}},
		.nr_holds = 1,
		.served = {{"l1", "Hits.", 70}},
		.nr_served = 1,
		.counters = {{"pcp_refill", "Refills.", 7}},
		.nr_counters = 1,
		.series = {{.nodes = 2,
			.each = 1,
			.warm_up = 1,
			.nr = 2,
			.seconds = seconds,
			.work = work}},
		.nr_series = 1,
		.zoneinfo = zoneinfo,
		.buddyinfo = buddyinfo,
		.pagetypeinfo = pagetypeinfo,
		.vmstat = vmstat,
		.simulated = 0.5,
		.warm_up = 0.125,
		.wall = 2.5,
		.max_rss = 1 << 20,
		.accesses = 1000,
	};
}

static void assert_json(const json_t *json, const char *expected)
{
	char *text = json_dumps(json, JSON_COMPACT);

	assert_non_null(text);
	assert_string_equal(text, expected);
	free(text);
}

static void document_has_the_promised_shape(void **state)
{
	struct point_result r;
	json_t *document = document_new("A scenario");

	(void)state;
	fill(&r);
	assert_int_equal(document_add(document, result_to_json(&r, config(), "0123abcd")), 0);
	assert_json(document,
		"{\"zonesim\":\"" ZONESIM_VERSION "\",\"scenario\":\"A scenario\",\"points\":["
		"{\"fingerprint\":\"0123abcd\",\"status\":\"ok\","
		"\"config\":{\"machine\":\"skylake-2s\",\"patches\":[\"pick-outside-lock\"],"
		"\"pcp\":{\"batch\":31,\"high\":186}},"
		"\"metrics\":{\"score\":{\"mean\":8500000.0,\"ci95\":20000.0,"
		"\"degrees\":9.0,\"unit\":\"pages/s\",\"help\":\"Pages per second.\"}},"
		"\"host\":{\"wall_s\":2.5,\"max_rss_bytes\":1048576,\"accesses\":1000},"
		"\"simulated_s\":0.5,\"warm_up_s\":0.125,"
		"\"batches\":[{\"nodes\":2,\"rounds_each\":1,\"warm_up\":1,"
		"\"seconds\":[0.25,0.5],\"work\":[10.0,20.0]}],"
		"\"locks\":[{\"name\":\"zone->lock node 0\",\"con_bounces\":1,\"contentions\":4,"
		"\"waittime_min_us\":1.0,\"waittime_max_us\":3.0,\"waittime_total_us\":8.0,"
		"\"waittime_avg_us\":2.0,\"acq_bounces\":5,\"acquisitions\":10,"
		"\"holdtime_min_us\":0.5,\"holdtime_max_us\":2.0,\"holdtime_total_us\":10.0,"
		"\"holdtime_avg_us\":1.0,"
		"\"wait_histogram\":[0,0,4],\"hold_histogram\":[10]}],"
		"\"holds\":[{\"name\":\"lru\",\"help\":\"Pages.\",\"count\":4,"
		"\"handed_over_ns\":62500000.0,\"held_ns\":125000000.0,"
		"\"instructions_ns\":31250000.0,"
		"\"waits_ns\":{\"branches\":0.0,\"loads\":62500000.0,"
		"\"stores\":15625000.0,\"atomics\":15625000.0},"
		"\"lines\":{\"l1\":1.5}}],"
		"\"served\":[{\"name\":\"l1\",\"value\":70,\"help\":\"Hits.\"}],"
		"\"counters\":[{\"name\":\"pcp_refill\",\"value\":7,\"help\":\"Refills.\"}],"
		"\"zoneinfo\":\"Node 0, zone   Normal\\n\",\"buddyinfo\":\"Node 0 1 2 3\\n\","
		"\"pagetypeinfo\":\"Page block order: 9\\n\",\"vmstat\":\"pgfree 7\\n\"}]}");
	json_decref(document);
}

static void failure_says_why(void **state)
{
	struct point_result r = {.status = POINT_FAILED, .failure = "out of memory"};
	json_t *point = result_to_json(&r, config(), "f");

	(void)state;
	assert_string_equal(json_string_value(json_object_get(point, "status")), "failed");
	assert_string_equal(json_string_value(json_object_get(point, "failure")), "out of memory");
	assert_int_equal(json_object_size(json_object_get(point, "metrics")), 0);
	json_decref(point);
	r.status = POINT_IMPRECISE;
	point = result_to_json(&r, config(), "f");
	assert_string_equal(json_string_value(json_object_get(point, "status")), "imprecise");
	assert_null(json_object_get(point, "failure"));
	json_decref(point);
}

/* JSON knows neither infinity nor NAN; text that is not UTF-8 must not lose the result. */
static void what_json_can_not_hold_is_replaced(void **state)
{
	struct point_result r = {
		.status = POINT_FAILED,
		.failure = "caf\xe9",
		.metrics = {{"score", "pages/s", "", NAN, INFINITY}},
		.nr_metrics = 1,
		.accesses = UINT64_MAX,
	};
	json_t *point = result_to_json(&r, config(), "f");
	json_t *score = json_object_get(json_object_get(point, "metrics"), "score");

	(void)state;
	assert_true(json_is_null(json_object_get(score, "mean")));
	assert_true(json_is_null(json_object_get(score, "ci95")));
	assert_string_equal(json_string_value(json_object_get(point, "failure")), "caf?");
	assert_true(json_integer_value(json_object_get(
			    json_object_get(point, "host"), "accesses")) == INT64_MAX);
	json_decref(point);
}

static void bad_input_gives_no_document(void **state)
{
	struct point_result r = {0};

	(void)state;
	assert_null(document_new("caf\xe9"));
	assert_null(result_to_json(&r, NULL, "f"));
}

/* Worked out by hand: 100 +- 3 to 110 +- 4 is +10%, +- 100 sqrt(0.04^2 + (1.1 * 0.03)^2). */
static void change_has_the_interval_of_a_ratio(void **state)
{
	struct estimate change =
		relative_change((struct estimate){100, 3}, (struct estimate){110, 4});

	(void)state;
	assert_true(fabs(change.mean - 10) < 1e-12);
	assert_true(fabs(change.ci95 - 5.185556) < 1e-6);
	/* From a base that is known exactly only the other interval counts. */
	change = relative_change((struct estimate){200, 0}, (struct estimate){100, 4});
	assert_true(fabs(change.mean + 50) < 1e-12);
	assert_true(fabs(change.ci95 - 2) < 1e-12);
}

/*
 * The interval against a simulation: of 200000 pairs of normal means the ratio lies inside it 95
 * times in 100. The generator is the one of Park and Miller, seeded, so that the test is the same
 * each time.
 */
static double next_normal(uint64_t *seed)
{
	double sum = -6;

	for (int i = 0; i < 12; i++) {
		*seed = *seed * 48271 % 2147483647;
		sum += (double)*seed / 2147483647;
	}
	return sum;
}

static void interval_covers_what_it_says(void **state)
{
	const struct estimate from = {8.0e6, 1.96 * 3e4}, to = {8.4e6, 1.96 * 5e4};
	struct estimate change = relative_change(from, to);
	uint64_t seed = 42;
	int inside = 0;

	(void)state;
	for (int i = 0; i < 200000; i++) {
		double a = 8.0e6 + 3e4 * next_normal(&seed);
		double b = 8.4e6 + 5e4 * next_normal(&seed);

		inside += fabs(100 * (b / a - 1) - change.mean) < change.ci95;
	}
	assert_true(inside > 0.945 * 200000 && inside < 0.955 * 200000);
}

static void change_from_nothing_is_not_known(void **state)
{
	struct estimate one = {1, 0.1};

	(void)state;
	assert_true(isnan(relative_change((struct estimate){0, 0.1}, one).mean));
	assert_true(isnan(relative_change(estimate_none(), one).mean));
	assert_true(isnan(relative_change(one, estimate_none()).mean));
	assert_true(isnan(relative_change((struct estimate){1, NAN}, one).ci95));
	assert_false(isnan(relative_change((struct estimate){1, NAN}, one).mean));
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(document_has_the_promised_shape),
		cmocka_unit_test(failure_says_why),
		cmocka_unit_test(what_json_can_not_hold_is_replaced),
		cmocka_unit_test(bad_input_gives_no_document),
		cmocka_unit_test(change_has_the_interval_of_a_ratio),
		cmocka_unit_test(interval_covers_what_it_says),
		cmocka_unit_test(change_from_nothing_is_not_known),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
