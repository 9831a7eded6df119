/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_claims.c - the points that rows of published tables ask for. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "../models/error.h"
#include "../results/validation.h"
#include "../sim/workload.h"
#include "../tools/claims.h"
#include "../tools/scenario.h"

/* Rows made by hand, each of a table and machine of its own unless it says otherwise. */
struct plan {
	struct published_row published[8];
	struct validation_row rows[8];
	struct validation v;
	struct scenario s;
	size_t *points;
};

static struct published_row row_of(char *release, char *set, unsigned int batch)
{
	static char table[] = "t", machine[] = "skylake-2s", workload[] = "page_fault1",
		    metric[] = "score", none[] = "";

	return (struct published_row){.table = table,
		.machine = machine,
		.workload = workload,
		.kernel = release,
		.patches = set,
		.parameters = none,
		.metric = metric,
		.unit = none,
		.source = none,
		.tasks = 8,
		.batch = batch,
		.high = 6 * batch,
		.value = 1};
}

static void make_plan(struct plan *p, size_t nr, bool quick)
{
	p->v = (struct validation){.published = {p->published, nr}, .rows = p->rows, .nr_rows = nr};
	p->s = (struct scenario){0};
	for (size_t i = 0; i < nr; i++)
		p->rows[i] = (struct validation_row){.published = &p->published[i]};
	p->points = claims_plan(&p->v, &p->s, quick);
}

static void free_plan(struct plan *p)
{
	for (size_t i = 0; i < p->v.nr_rows; i++)
		free(p->rows[i].missing);
	scenario_free(&p->s);
	free(p->points);
}

static const struct point *point_of(const struct plan *p, size_t row)
{
	assert_true(p->points[row] != NO_CLAIM);
	return &p->s.points[p->points[row]].point;
}

#define SET(name) PATCH_BIT(PATCH_##name)

/* What the tables say of a release is exact; what they do not mention stays as it is there. */
static void patches_are_those_of_the_row(void **state)
{
	static char v4_14[] = "v4.14", v4_15[] = "v4.15", v4_18[] = "v4.18", none[] = "",
		    inlined[] = "inline-rmqueue", pick[] = "inline-rmqueue pick-outside-lock",
		    all[] = "inline-rmqueue pick-outside-lock prefetch-buddy";
	struct plan p;

	(void)state;
	p.published[0] = row_of(v4_15, inlined, 31);
	p.published[1] = row_of(v4_15, pick, 31);
	p.published[2] = row_of(v4_14, inlined, 31);
	p.published[3] = row_of(v4_18, all, 31);
	p.published[4] = row_of(v4_18, inlined, 31);
	p.published[5] = row_of(v4_15, none, 31);
	make_plan(&p, 6, false);
	assert_true(point_of(&p, 0)->patches == SET(INLINE_RMQUEUE));
	assert_true(point_of(&p, 1)->patches == (SET(INLINE_RMQUEUE) | SET(PICK_OUTSIDE_LOCK)));
	assert_true(point_of(&p, 2)->patches == SET(INLINE_RMQUEUE));
	/* The release has pagevec-15 and no-skip-pagevecs, too. */
	assert_true(point_of(&p, 3)->patches == kernel_find("v4.18")->patches);
	assert_true(point_of(&p, 4)->patches ==
		    (SET(INLINE_RMQUEUE) | SET(PAGEVEC_15) | SET(NO_SKIP_PAGEVECS)));
	assert_true(point_of(&p, 5)->patches == 0);
	free_plan(&p);
}

static void settings_are_those_of_the_row(void **state)
{
	static char release[] = "v4.15", set[] = "inline-rmqueue";
	struct plan p;
	const struct point *point;

	(void)state;
	p.published[0] = row_of(release, set, 63);
	p.published[1] = row_of(release, set, 0);
	make_plan(&p, 2, false);
	point = point_of(&p, 0);
	assert_string_equal(point->machine->name, "skylake-2s");
	assert_string_equal(point->kernel->name, "v4.15");
	assert_string_equal(point->workload->name, "page_fault1");
	assert_int_equal(point->tasks, 8);
	assert_int_equal(point->pcp_batch, 63);
	assert_int_equal(point->pcp_high, 378);
	assert_true(point->precision == 0.005);
	assert_true(point->parameters[0] == 128 << 20);
	point = point_of(&p, 1);
	assert_int_equal(point->pcp_batch, 0);
	assert_int_equal(point->pcp_high, 0);
	free_plan(&p);
}

static void a_configuration_is_simulated_once(void **state)
{
	static char release[] = "v4.15", set[] = "inline-rmqueue", other[] = "other",
		    metric[] = "zone_lock_spin_share";
	struct plan p;

	(void)state;
	p.published[0] = row_of(release, set, 31);
	p.published[1] = row_of(release, set, 63);
	p.published[2] = row_of(release, set, 31);
	p.published[2].table = other;
	p.published[2].metric = metric;
	make_plan(&p, 3, false);
	assert_int_equal(p.s.nr_points, 2);
	assert_int_equal(p.points[0], 0);
	assert_int_equal(p.points[1], 1);
	assert_int_equal(p.points[2], 0);
	assert_int_equal(p.s.nr_machines, 1);
	free_plan(&p);
}

static void assert_missing(const struct plan *p, size_t row, const char *reason)
{
	assert_true(p->points[row] == NO_CLAIM);
	assert_non_null(p->rows[row].missing);
	assert_string_equal(p->rows[row].missing, reason);
	assert_false(p->rows[row].left_out);
}

static void what_can_not_be_simulated_says_why(void **state)
{
	static char release[] = "v4.15", later[] = "tomorrow", set[] = "inline-rmqueue",
		    patch[] = "inline-rmqueue faster-pages", machine[] = "z80", workload[] = "make",
		    parameters[] = "colour=11";
	struct plan p;

	(void)state;
	for (size_t i = 0; i < 7; i++)
		p.published[i] = row_of(release, set, 31);
	p.published[0].kernel = later;
	p.published[1].patches = patch;
	p.published[2].machine = machine;
	p.published[3].workload = workload;
	p.published[4].parameters = parameters;
	p.published[5].tasks = 1000;
	make_plan(&p, 7, true);
	assert_missing(&p, 0, "unknown kernel 'tomorrow': see `zonesim list kernels`");
	assert_missing(&p, 1, "unknown patch 'faster-pages': see `zonesim list patches`");
	assert_missing(&p, 2, "unknown machine 'z80': see `zonesim list machines`");
	assert_missing(&p, 3, "unknown workload 'make': see `zonesim list workloads`");
	assert_missing(&p, 4, "unknown key 'colour' in workload: see `zonesim help scenario`");
	assert_missing(&p, 5,
		"tasks: 1000 tasks, but skylake-2s has 112 logical CPUs; use at most that many, "
		"or 'all'");
	/* The others are none the worse for it. */
	assert_int_equal(p.s.nr_points, 1);
	assert_int_equal(p.points[6], 0);
	free_plan(&p);
}

static void quick_leaves_out_and_shortens(void **state)
{
	static char release[] = "v4.15", set[] = "inline-rmqueue", large[] = "skylake-4s";
	struct plan p;

	(void)state;
	for (size_t i = 0; i < 3; i++)
		p.published[i] = row_of(release, set, 31);
	p.published[1].machine = large;
	p.published[2].batch = 119;
	p.published[2].high = 714;
	p.published[3] = p.published[2];
	p.published[3].tasks = 1;
	make_plan(&p, 4, true);
	assert_int_equal(p.s.nr_points, 2);
	assert_false(p.rows[0].left_out);
	assert_true(p.rows[1].left_out);
	assert_true(p.rows[2].left_out);
	assert_false(p.rows[3].left_out);
	assert_true(point_of(&p, 0)->precision == 0.02);
	assert_true(point_of(&p, 0)->parameters[0] == 32 << 20);
	free_plan(&p);
}

/*
 * The tables that come with zonesim: each row is either planned or says what is missing, and a base
 * is never left out where what is compared with it is not.
 */
static void own_tables_are_planned(void **state)
{
	struct error err;

	(void)state;
	for (int quick = 0; quick < 2; quick++) {
		struct validation v;
		struct scenario s = {0};
		size_t *points, planned = 0;

		assert_int_equal(validation_load(&v, NULL, NULL, &err), 0);
		points = claims_plan(&v, &s, quick);
		for (size_t i = 0; i < v.nr_rows; i++) {
			assert_int_equal(
				!!v.rows[i].missing + v.rows[i].left_out + (points[i] != NO_CLAIM),
				1);
			planned += points[i] != NO_CLAIM;
			for (size_t k = 0; v.rows[i].base && k < v.nr_rows; k++)
				if (v.rows[k].published == v.rows[i].base)
					assert_true(v.rows[i].left_out || !v.rows[k].left_out);
		}
		assert_true(planned >= (quick ? 16 : 134));
		scenario_free(&s);
		free(points);
		validation_free(&v);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(patches_are_those_of_the_row),
		cmocka_unit_test(settings_are_those_of_the_row),
		cmocka_unit_test(a_configuration_is_simulated_once),
		cmocka_unit_test(what_can_not_be_simulated_says_why),
		cmocka_unit_test(quick_leaves_out_and_shortens),
		cmocka_unit_test(own_tables_are_planned),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
