/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_published.c - reading the published tables, and finding the figure for a configuration. */
#include <setjmp.h>
#include <stdbool.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>
#include <math.h>

#include "../models/error.h"
#include "../results/csv.h"
#include "../results/published.h"

#define HEADER                                                                                     \
	"machine,workload,tasks,kernel,patches,batch,high,parameters,metric,unit,value,"           \
	"change_pct,source\n"
#define ROW "m,w,8,v4.15,,31,186,,score,pages/s,100,,somebody\n"

/*
 * The tables that come with zonesim
 */

static void own_tables_are_complete(void **state)
{
	struct published p;
	struct error err = {""};
	double sum = 0;

	(void)state;
	assert_int_equal(published_load(&p, &err), 0);
	assert_int_equal(p.nr_rows, 200);
	for (size_t i = 0; i < p.nr_rows; i++)
		if (strcmp(p.rows[i].table, "pick-outside-lock") == 0)
			sum += p.rows[i].value;
	assert_true(sum == 9037332.0 + 9608786 + 8000124 + 8368915 + 13642741 + 14042169 +
				   15728686 + 17433559);
	published_free(&p);
}

/* What their authors give as the change agrees with their figures: nothing was mistyped. */
static void changes_agree_with_figures(void **state)
{
	struct published p;
	struct error err = {""};
	int checked = 0;

	(void)state;
	assert_int_equal(published_load(&p, &err), 0);
	for (size_t i = 0; i < p.nr_rows; i++) {
		const struct published_row *row = &p.rows[i], *base = published_base(&p, row);
		double change;

		if (isnan(row->change_pct))
			continue;
		assert_non_null(base);
		assert_string_equal(base->metric, row->metric);
		assert_string_equal(base->machine, row->machine);
		assert_int_equal(base->tasks, row->tasks);
		change = 100 * (row->value / base->value - 1);
		if (fabs(change - row->change_pct) > 0.06)
			fail_msg("%s %s batch %u: %g%% from the figures, %g%% given", row->table,
				row->machine, row->batch, change, row->change_pct);
		checked++;
	}
	assert_int_equal(checked, 54);
	published_free(&p);
}

/*
 * Finding
 */

static const char *const none[] = {NULL};
static const char *const release[] = {"pagevec-15", "inline-rmqueue", NULL};
static const char *const release_pick[] = {
	"pagevec-15", "inline-rmqueue", "pick-outside-lock", NULL};
static const char *const pick[] = {"pick-outside-lock", NULL};

static struct published_key key(const char *const *patches, const char *const *changes)
{
	return (struct published_key){.machine = "skylake-4s",
		.workload = "page_fault1",
		.kernel = "v4.15",
		.metric = "score",
		.patches = patches,
		.changes = changes,
		.tasks = 192,
		.batch = 31,
		.high = 186};
}

static double found(const struct published *p, struct published_key k)
{
	const struct published_row *row = published_find(p, &k);

	return row ? row->value : 0;
}

static void patches_are_matched_as_a_set(void **state)
{
	static const char *const more[] = {
		"prefetch-buddy", "inline-rmqueue", "pick-outside-lock", NULL};
	static const char *const more_added[] = {"pick-outside-lock", "prefetch-buddy", NULL};
	static const char *const removed[] = {"-pagevec-15", NULL};
	static const char *const without[] = {"inline-rmqueue", NULL};
	static const char *const back[] = {"-inline-rmqueue", NULL};
	struct published_key older = key(none, back);
	struct published p;
	struct error err = {""};

	(void)state;
	assert_int_equal(published_load(&p, &err), 0);
	/* The release has a patch that the table does not mention: that does not count. */
	assert_true(found(&p, key(release, none)) == 15728686);
	assert_true(found(&p, key(release_pick, pick)) == 17433559);
	/* One that the user added or removed does. */
	assert_true(found(&p, key(more, more_added)) == 0);
	assert_true(found(&p, key(without, removed)) == 0);
	/* Unless the table knows the kernel without it. */
	older.machine = "skylake-2s";
	older.kernel = "v4.14";
	older.metric = "per_process_ops";
	older.tasks = 112;
	assert_true(found(&p, older) == 77342);
	/* One that the table mentions, and the kernel lacks. */
	assert_true(found(&p, key(none, none)) == 0);
	published_free(&p);
}

static void everything_else_must_agree(void **state)
{
	struct published_key k = key(release, none);
	struct published p;
	struct error err = {""};

	(void)state;
	assert_int_equal(published_load(&p, &err), 0);
	k.machine = "skylake-2s";
	assert_true(found(&p, k) == 0); /* has 112 CPUs, not 192 */
	k.tasks = 112;
	assert_true(found(&p, k) == 8000124);
	k.batch = 63;
	assert_true(found(&p, k) == 0);
	k.batch = 31;
	k.high = 187;
	assert_true(found(&p, k) == 0);
	k.high = 186;
	k.kernel = "v4.14";
	assert_true(found(&p, k) == 0);
	k.kernel = "v4.15";
	k.metric = "zone_lock_spin_share";
	assert_true(found(&p, k) == 0);
	published_free(&p);
}

/*
 * Series of rows
 */

/* Rows of the same series that were measured with another parameter are no match. */
static void parameters_must_agree(void **state)
{
	static const char *const bulk[] = {"bulk-alloc", NULL};
	struct published_parameter parameters[] = {{"order", 0}, {"step", 8}};
	const struct published_key k = {.machine = "broadwell-1s",
		.workload = "page_bench04_bulk",
		.kernel = "v5.13",
		.metric = "page_cost",
		.patches = bulk,
		.changes = bulk,
		.tasks = 1,
		.parameters = parameters,
		.nr_parameters = 2};
	struct published p;
	struct error err = {""};

	(void)state;
	assert_int_equal(published_load(&p, &err), 0);
	assert_true(found(&p, k) == 120);
	parameters[1].value = 0; /* step=single */
	assert_true(found(&p, k) == 199);
	parameters[1].value = 5;
	assert_true(found(&p, k) == 0);
	published_free(&p);
}

static void parameters_are_read(void **state)
{
	const char *at = " step=64  pairs=1e1 step=single",
		   *bad[] = {"step", "=1", "step=", "step=x", "step=1x"};
	struct published_parameter parameter;

	(void)state;
	assert_int_equal(published_parameter(&at, &parameter), 0);
	assert_string_equal(parameter.name, "step");
	assert_true(parameter.value == 64);
	assert_int_equal(published_parameter(&at, &parameter), 0);
	assert_string_equal(parameter.name, "pairs");
	assert_true(parameter.value == 10);
	assert_int_equal(published_parameter(&at, &parameter), 0);
	assert_true(parameter.value == 0);
	assert_int_equal(published_parameter(&at, &parameter), 1);
	for (size_t i = 0; i < sizeof(bad) / sizeof(bad[0]); i++)
		assert_int_equal(published_parameter(&bad[i], &parameter), -1);
}

/* All tables speak of a release together. */
static void patches_are_mentioned_for_a_release(void **state)
{
	struct published p;
	struct error err = {""};

	(void)state;
	assert_int_equal(published_load(&p, &err), 0);
	assert_true(published_mentions(&p, "v4.15", "pick-outside-lock"));
	assert_false(published_mentions(&p, "v4.14", "pick-outside-lock"));
	assert_false(published_mentions(&p, "v4.18", "pagevec-15"));
	assert_false(published_mentions(&p, "v4.15", "pick"));
	published_free(&p);
}

/*
 * Files with something wrong
 */

/* Load a directory with one table of the given text. Returns what published_load_directory does. */
static int load_text(const char *text, struct published *p, struct error *err)
{
	char directory[] = "/tmp/zonesim-test-XXXXXX", path[64];
	FILE *out;
	int ret;

	assert_non_null(mkdtemp(directory));
	snprintf(path, sizeof(path), "%s/t.csv", directory);
	out = fopen(path, "we");
	assert_non_null(out);
	assert_true(fputs(text, out) != EOF);
	assert_int_equal(fclose(out), 0);
	ret = published_load_directory(p, directory, err);
	assert_int_equal(unlink(path), 0);
	assert_int_equal(rmdir(directory), 0);
	return ret;
}

static void assert_refused(const char *text, const char *place, const char *reason)
{
	struct published p;
	struct error err = {""};

	assert_int_equal(load_text(text, &p, &err), -1);
	if (!strstr(err.text, place) || !strstr(err.text, reason))
		fail_msg("\"%s\" lacks \"%s\" or \"%s\"", err.text, place, reason);
	assert_null(p.rows);
}

static void errors_have_their_place(void **state)
{
	(void)state;
	assert_refused("", "/t.csv: ", "empty");
	assert_refused("a,b\n", "/t.csv:1:", "the header line must be machine,workload");
	assert_refused(HEADER "m,w,8\n", "/t.csv:2:", "3 fields where 13 are expected");
	assert_refused("# c\n" HEADER ROW "m,w,x,v4.15,,31,186,,score,pages/s,100,,s\n",
		"/t.csv:4:", "\"x\" in column tasks is not a number");
	assert_refused(HEADER "m,w,8,v4.15,,-31,186,,score,pages/s,100,,s\n",
		"/t.csv:2:", "\"-31\" in column batch is not a whole number of at least 1");
	assert_refused(HEADER "m,w,1.5,v4.15,,31,186,,score,pages/s,100,,s\n",
		"/t.csv:2:", "\"1.5\" in column tasks is not a whole number");
	assert_refused(HEADER "m,w,8,v4.15,,31,186,,score,pages/s,nan,,s\n",
		"/t.csv:2:", "\"nan\" in column value is not a number");
	assert_refused(HEADER "m,w,8,v4.15,,31,186,,score,pages/s,,,s\n",
		"/t.csv:2:", "column value is empty");
	assert_refused(HEADER "m,w,8,v4.15,,31,186,,score,pages/s,1,,\n",
		"/t.csv:2:", "column source is empty");
	assert_refused(HEADER "m,w,8,v4.15,,31,186,step,score,pages/s,1,,s\n",
		"/t.csv:2:", "\"step\" in column parameters is not a list of name=number");
	assert_refused(HEADER "m,w,8,v4.15,,31,186,,score,pages/s,1,,\"open\n",
		"/t.csv:2:", "a quoted field does not end where it should");
}

static void missing_directory_is_named(void **state)
{
	struct published p;
	struct error err = {""};

	(void)state;
	assert_int_equal(published_load_directory(&p, "/nowhere/at/all", &err), -1);
	assert_non_null(strstr(err.text, "/nowhere/at/all"));
	assert_non_null(strstr(err.text, "No such file"));
}

/* Comments, blank lines, carriage returns, quotes, and no newline at the end. */
static void odd_files_are_read(void **state)
{
	struct published p;
	struct error err = {""};

	(void)state;
	assert_int_equal(load_text("# note\r\n" HEADER "\n" ROW
				   "m,w,8,v4.15,,,,,score,pages/s,1,-2.5,\"a, \"\"b\"\"\"",
				 &p, &err),
		0);
	assert_int_equal(p.nr_rows, 2);
	assert_string_equal(p.rows[0].table, "t");
	assert_int_equal(p.rows[0].batch, 31);
	assert_true(isnan(p.rows[0].change_pct));
	assert_int_equal(p.rows[1].batch, 0);
	assert_true(p.rows[1].change_pct == -2.5);
	assert_string_equal(p.rows[1].source, "a, \"b\"");
	published_free(&p);
}

static void lines_are_split(void **state)
{
	char simple[] = "a,,c", quoted[] = "\"x,\"\"y\"\"\",z", open[] = "\"x",
	     after[] = "\"x\"y,z";
	char *f[2];

	(void)state;
	assert_int_equal(csv_split(simple, f, 2), 3);
	assert_string_equal(f[0], "a");
	assert_string_equal(f[1], "");
	assert_int_equal(csv_split(quoted, f, 2), 2);
	assert_string_equal(f[0], "x,\"y\"");
	assert_string_equal(f[1], "z");
	assert_int_equal(csv_split(open, f, 2), -1);
	assert_int_equal(csv_split(after, f, 2), -1);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(own_tables_are_complete),
		cmocka_unit_test(changes_agree_with_figures),
		cmocka_unit_test(patches_are_matched_as_a_set),
		cmocka_unit_test(everything_else_must_agree),
		cmocka_unit_test(parameters_must_agree),
		cmocka_unit_test(parameters_are_read),
		cmocka_unit_test(patches_are_mentioned_for_a_release),
		cmocka_unit_test(errors_have_their_place),
		cmocka_unit_test(missing_directory_is_named),
		cmocka_unit_test(odd_files_are_read),
		cmocka_unit_test(lines_are_split),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
