// SPDX-License-Identifier: GPL-3.0-or-later
/*
 * test_scenario.c - the points that a scenario stands for, and their fingerprints.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "../models/error.h"
#include "../models/figures.h"
#include "../sim/workload.h"
#include "../tools/scenario.h"

#define BASE "machine: skylake-2s\nkernel: v4.15\nworkload: page_fault1\n"

/* Load a scenario of @text with up to one --set argument. Returns what scenario_load does. */
static int load_text(struct scenario *s, const char *text, const char *set, struct error *err)
{
	char path[] = "/tmp/zonesim-XXXXXX", *sets[] = {(char *)set};
	const struct scenario_arguments arguments = {.sets = {sets, set ? 1 : 0}};
	int fd = mkstemp(path), status;

	assert_true(fd >= 0);
	assert_int_equal(write(fd, text, strlen(text)), strlen(text));
	close(fd);
	err->text[0] = '\0';
	status = scenario_load(s, path, &arguments, err);
	unlink(path);
	return status;
}

static void load(struct scenario *s, const char *text, const char *set)
{
	struct error err;

	if (load_text(s, text, set, &err) < 0)
		fail_msg("%s", err.text);
}

static void defaults(void **state)
{
	struct scenario s;
	const struct point *p;

	(void)state;
	load(&s, BASE, NULL);
	assert_int_equal(s.nr_points, 1);
	p = &s.points[0].point;
	assert_string_equal(p->machine->name, "skylake-2s");
	assert_string_equal(p->kernel->name, "v4.15");
	assert_string_equal(p->workload->name, "page_fault1");
	assert_int_equal(p->tasks, 112);
	assert_int_equal(p->pcp_batch, 0);
	assert_int_equal(p->pcp_high, 0);
	assert_int_equal(p->percpu_pagelist_fraction, 0);
	assert_true(p->precision == 0.005);
	assert_true(p->time_limit == 2);
	assert_int_equal(p->seed, 1);
	assert_true(p->parameters[0] == p->workload->parameters[0].fallback);
	assert_true(p->patches == kernel_find("v4.15")->patches);
	assert_int_equal(s.points[0].nr_patches, 0);
	scenario_free(&s);
}

static void every_key_counts(void **state)
{
	struct scenario s;
	const struct point *p;

	(void)state;
	load(&s,
		"name: A name\nmachine: broadwell-4s\nkernel: v4.14\npatches: [inline-rmqueue]\n"
		"workload: {name: page_fault1, region: 4MiB}\ntasks: 7\n"
		"pcp: {batch: 63, high: 378, percpu-pagelist-fraction: 100}\n"
		"measure: {precision: 2%, time-limit: 30ms, seed: 5}\n",
		NULL);
	p = &s.points[0].point;
	assert_string_equal(s.name, "A name");
	assert_string_equal(p->machine->name, "broadwell-4s");
	assert_true(p->patches == PATCH_BIT(PATCH_INLINE_RMQUEUE));
	assert_true(p->parameters[0] == 4 << 20);
	assert_int_equal(p->tasks, 7);
	assert_int_equal(p->pcp_batch, 63);
	assert_int_equal(p->pcp_high, 378);
	assert_int_equal(p->percpu_pagelist_fraction, 100);
	assert_true(p->precision == 0.02);
	assert_true(p->time_limit == 0.03);
	assert_int_equal(p->seed, 5);
	scenario_free(&s);
}

/* Machines vary slowest, patches fastest, whatever the order of the file. */
static void lists_are_combined_in_a_fixed_order(void **state)
{
	static const char *const texts[] = {
		"machine: [broadwell-2s, skylake-2s]\ntasks: [1, 2]\npatches: [[], "
		"[pick-outside-lock]]\nkernel: v4.15\nworkload: page_fault1\n",
		"patches: [[], [pick-outside-lock]]\nworkload: page_fault1\nkernel: v4.15\ntasks: "
		"[1, "
		"2]\nmachine: [broadwell-2s, skylake-2s]\n",
	};

	(void)state;
	for (size_t t = 0; t < 2; t++) {
		struct scenario s;

		load(&s, texts[t], NULL);
		assert_int_equal(s.nr_points, 8);
		for (size_t i = 0; i < 8; i++) {
			const struct scenario_point *p = &s.points[i];

			assert_string_equal(
				p->point.machine->name, i < 4 ? "broadwell-2s" : "skylake-2s");
			assert_int_equal(p->point.tasks, i % 4 < 2 ? 1 : 2);
			assert_int_equal(p->nr_patches, i % 2);
		}
		scenario_free(&s);
	}
}

static void a_flat_list_of_patches_is_one_set(void **state)
{
	struct scenario s;

	(void)state;
	load(&s, BASE "patches: [pick-outside-lock, -inline-rmqueue, prefetch-buddy]\n", NULL);
	assert_int_equal(s.nr_points, 1);
	assert_true(s.points[0].point.patches ==
		    (PATCH_BIT(PATCH_PICK_OUTSIDE_LOCK) | PATCH_BIT(PATCH_PREFETCH_BUDDY)));
	assert_int_equal(s.points[0].nr_patches, 3);
	assert_string_equal(s.points[0].patches[1], "-inline-rmqueue");
	scenario_free(&s);
	load(&s, BASE "patches: []\n", NULL);
	assert_int_equal(s.nr_points, 1);
	scenario_free(&s);
}

static void mappings_go_together(void **state)
{
	struct scenario s;

	(void)state;
	load(&s, BASE "pcp: [{batch: 31, high: 186}, {batch: 63, high: 378}]\ntasks: [1, 2]\n",
		NULL);
	assert_int_equal(s.nr_points, 4);
	for (size_t i = 0; i < 4; i++) {
		assert_int_equal(s.points[i].point.tasks, i < 2 ? 1 : 2);
		assert_int_equal(s.points[i].point.pcp_batch, i % 2 ? 63 : 31);
		assert_int_equal(s.points[i].point.pcp_high, i % 2 ? 378 : 186);
	}
	scenario_free(&s);
	load(&s, BASE "workload.region: 4MiB\n", "workload=[page_fault1]");
	assert_true(s.points[0].point.parameters[0] ==
		    s.points[0].point.workload->parameters[0].fallback);
	scenario_free(&s);
}

static void arguments_take_the_place_of_the_file(void **state)
{
	struct scenario s;

	(void)state;
	load(&s, BASE "pcp: [{batch: 31, high: 186}, {batch: 63, high: 378}]\n", "pcp={batch: 7}");
	assert_int_equal(s.nr_points, 1);
	assert_int_equal(s.points[0].point.pcp_batch, 7);
	assert_int_equal(s.points[0].point.pcp_high, 0);
	scenario_free(&s);
	load(&s, BASE "pcp: {batch: 31, high: 186}\n", "pcp.batch=[15, 63]");
	assert_int_equal(s.nr_points, 2);
	assert_int_equal(s.points[1].point.pcp_batch, 63);
	assert_int_equal(s.points[1].point.pcp_high, 186);
	scenario_free(&s);
	load(&s, BASE, "patches=[[],[pick-outside-lock]]");
	assert_int_equal(s.nr_points, 2);
	scenario_free(&s);
}

static void machines_are_read_once(void **state)
{
	struct scenario s;

	(void)state;
	load(&s, BASE "tasks: [1, 2, 3]\n", "machine=[skylake-2s, skylake-4s]");
	assert_int_equal(s.nr_points, 6);
	assert_int_equal(s.nr_machines, 2);
	assert_ptr_equal(s.points[0].point.machine, s.points[2].point.machine);
	scenario_free(&s);
}

static void too_many_points_are_refused(void **state)
{
	char text[40000] = BASE "measure: {seed: [1";
	struct scenario s;
	struct error err;

	(void)state;
	for (int i = 2; i <= 5001; i++)
		sprintf(text + strlen(text), ",%d", i);
	strcat(text, "]}\n");
	assert_int_equal(load_text(&s, text, "tasks=[1,2]", &err), -1);
	assert_string_equal(err.text, "zonesim: the lists combine to more than 10000 points\n");
}

/* The fingerprint of the only point. */
static void fingerprint(char *text, const char *scenario, const char *set)
{
	struct scenario s;

	load(&s, scenario, set);
	strcpy(text, s.points[0].fingerprint);
	assert_int_equal(strlen(text), 32);
	scenario_free(&s);
}

static void fingerprints_do_not_depend_on_how_it_is_written(void **state)
{
	static const char *const same[] = {
		"workload: page_fault1\nkernel: v4.15\nmachine: skylake-2s\n",
		BASE "name: other\n",
		BASE "tasks: 112\nmeasure: {seed: 1, precision: 0.50%, time-limit: 2000ms}\n",
		BASE "workload.region: 131072KiB\npatches: []\n",
		BASE "patches: [inline-rmqueue]\n", /* which v4.15 has */
		"machine: [skylake-2s]\nkernel: v4.15\nworkload: {name: page_fault1}\n",
	};
	char base[FINGERPRINT_SIZE], other[FINGERPRINT_SIZE];

	(void)state;
	fingerprint(base, BASE, NULL);
	for (size_t i = 0; i < sizeof(same) / sizeof(same[0]); i++) {
		fingerprint(other, same[i], NULL);
		assert_string_equal(base, other);
	}
}

static void fingerprints_depend_on_every_setting(void **state)
{
	static const char *const sets[] = {"machine=skylake-4s", "kernel=v4.14",
		"patches=[pick-outside-lock]", "patches=[-inline-rmqueue]", "workload.region=64MiB",
		"tasks=111", "pcp.batch=31", "pcp.high=186", "pcp.percpu-pagelist-fraction=8",
		"measure.precision=1%", "measure.time-limit=1s", "measure.seed=2"};
	char seen[16][FINGERPRINT_SIZE];
	const size_t count = sizeof(sets) / sizeof(sets[0]);

	(void)state;
	fingerprint(seen[count], BASE, NULL);
	for (size_t i = 0; i < count; i++) {
		fingerprint(seen[i], BASE, sets[i]);
		for (size_t j = 0; j < i; j++)
			assert_string_not_equal(seen[i], seen[j]);
		assert_string_not_equal(seen[i], seen[count]);
	}
}

static void fingerprints_depend_on_every_figure(void **state)
{
	char base[FINGERPRINT_SIZE], other[FINGERPRINT_SIZE];
	struct scenario s;

	(void)state;
	load(&s, BASE, NULL);
	fingerprint_of_point(&s.points[0].point, base);
	for (size_t i = 0; i < nr_machine_figures; i++) {
		struct machine changed = *s.points[0].point.machine;
		struct point point = s.points[0].point;
		char *field = (char *)&changed + machine_figures[i].offset;

		point.machine = &changed;
		if (machine_figures[i].unit == QUANTITY_BOOL)
			*(bool *)field = !*(bool *)field;
		else
			*(double *)field *= 1 + 1e-9;
		fingerprint_of_point(&point, other);
		assert_string_not_equal(base, other);
	}
	for (size_t i = 0; i < sizeof(struct coefficients) / sizeof(double); i++) {
		struct point point = s.points[0].point;

		((double *)&point.coefficients)[i] += 1e-6;
		fingerprint_of_point(&point, other);
		assert_string_not_equal(base, other);
	}
	scenario_free(&s);
}

/* 10^9 and 2^53 - 2 are where a part in 10^9 of the end is a step, or more steps than one counts.
 */
static void ranges_end_where_they_say(void **state)
{
	struct scenario s;

	(void)state;
	load(&s, BASE, "measure.seed=1000000000..1000000002");
	assert_int_equal(s.nr_points, 3);
	assert_int_equal(s.points[2].point.seed, 1000000002);
	scenario_free(&s);
	load(&s, BASE, "measure.seed=9007199254740990..9007199254740991");
	assert_int_equal(s.nr_points, 2);
	scenario_free(&s);
	/* (0.3 - 0.1) / 0.1 is a little less than 2 */
	load(&s, BASE, "measure.precision=10%..30% step 10%");
	assert_int_equal(s.nr_points, 3);
	scenario_free(&s);
	load(&s, BASE, "pcp.batch=log 1..1000 x10");
	assert_int_equal(s.nr_points, 4);
	scenario_free(&s);
}

/* 1028 KiB has more digits in MiB than are shown to people. */
static void a_value_of_a_range_is_the_value_that_is_written(void **state)
{
	struct scenario range, list;

	(void)state;
	load(&range, BASE, "workload.region=1MiB..1032KiB step 4KiB");
	load(&list, BASE, "workload.region=[1MiB, 1028KiB, 1032KiB]");
	assert_int_equal(range.nr_points, 3);
	for (int i = 0; i < 3; i++)
		assert_string_equal(range.points[i].fingerprint, list.points[i].fingerprint);
	scenario_free(&range);
	scenario_free(&list);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(defaults),
		cmocka_unit_test(every_key_counts),
		cmocka_unit_test(lists_are_combined_in_a_fixed_order),
		cmocka_unit_test(a_flat_list_of_patches_is_one_set),
		cmocka_unit_test(mappings_go_together),
		cmocka_unit_test(arguments_take_the_place_of_the_file),
		cmocka_unit_test(machines_are_read_once),
		cmocka_unit_test(too_many_points_are_refused),
		cmocka_unit_test(fingerprints_do_not_depend_on_how_it_is_written),
		cmocka_unit_test(fingerprints_depend_on_every_setting),
		cmocka_unit_test(fingerprints_depend_on_every_figure),
		cmocka_unit_test(ranges_end_where_they_say),
		cmocka_unit_test(a_value_of_a_range_is_the_value_that_is_written),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
