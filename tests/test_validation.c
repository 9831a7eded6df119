/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * test_validation.c - published rows beside points made by hand: what is compared with what, and
 * how it is printed.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>
#include <math.h>

#include "../models/error.h"
#include "../results/markdown.h"
#include "../results/must.h"
#include "../results/points.h"
#include "../results/validation.h"

#define HEADER                                                                                     \
	"machine,workload,tasks,kernel,patches,batch,high,parameters,metric,unit,value,"           \
	"change_pct,source\n"

/* Tables: one with a base, its patch, and a share; one relative to its base. */
static const char plain[] = HEADER "m,w,8,v1,a,31,186,,score,pages/s,2000000,,somebody\n"
				   "m,w,8,v1,a b,31,186,,score,pages/s,2200000,10,somebody\n"
				   "m,w,8,v1,a,31,186,,lock_spin_share,percent,60,,somebody\n";
static const char relative[] =
	HEADER "n,bw,4,v2,a,63,,pairs=2,bandwidth,relative,1.0,,somebody else\n"
	       "n,bw,4,v2,a b,63,,pairs=2,bandwidth,relative,1.5,50,somebody else\n";

/* Batches, and what changes are told of; the name comes before the others in publication. */
#define SWEPT "\"Some One, patch 'mm, x: take_more | of it', 2018, commit 012345678901\"\n"
static const char swept[] = HEADER "m,w,8,v3,,31,186,,score,pages/s,2000000,0.0," SWEPT
				   "m,w,8,v3,,31,186,,lock_spin_share,percent,60,," SWEPT
				   "m,w,8,v3,,53,318,,score,pages/s,2200000,10," SWEPT
				   "m,w,8,v3,,63,378,,score,pages/s,2400000,20," SWEPT
				   "m,w,8,v3,,127,762,,score,pages/s,2600000,30," SWEPT;

/*
 * A directory of data with the tables
 */

static char directory[] = "/tmp/zonesim-test-XXXXXX";

static void write_table(const char *name, const char *text)
{
	char *path = must_format("%s/results/published/%s", directory, name);
	FILE *out = fopen(path, "we");

	assert_non_null(out);
	assert_true(fputs(text, out) != EOF);
	assert_int_equal(fclose(out), 0);
	free(path);
}

static void make_directory(const char *name)
{
	char *path = must_format("%s/%s", directory, name);

	assert_int_equal(mkdir(path, 0700), 0);
	free(path);
}

static int make_tables(void **state)
{
	(void)state;
	assert_non_null(mkdtemp(directory));
	make_directory("results");
	make_directory("results/published");
	write_table("plain.csv", plain);
	write_table("relative.csv", relative);
	write_table("batch-sweep.csv", swept);
	return setenv("ZONESIM_DATA", directory, 1);
}

static int remove_tables(void **state)
{
	static const char *const names[] = {"results/published/plain.csv",
		"results/published/relative.csv", "results/published/batch-sweep.csv",
		"results/published", "results", ""};

	(void)state;
	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		char *path = must_format("%s/%s", directory, names[i]);

		assert_int_equal(remove(path), 0);
		free(path);
	}
	return 0;
}

static void load(struct validation *v, const char *table)
{
	struct error err;

	if (validation_load(v, table, NULL, &err) < 0)
		fail_msg("%s", err.text);
}

static json_t *metric(double mean, double ci95)
{
	return json_pack("{s:f, s:f, s:s}", "mean", mean, "ci95", ci95, "unit", "u");
}

/* A point with one metric. */
static json_t *point(const char *name, double mean, double ci95)
{
	return json_pack("{s:s, s:s, s:{s:o}}", "fingerprint", "f00d", "status", "ok", "metrics",
		name, metric(mean, ci95));
}

/* 2% below the published base, 11% instead of 10% with the patch, and 63% spinning. */
static void settle_plain(struct validation *v)
{
	v->rows[0].point = point("score", 1960000, 19600);
	v->rows[1].point = point("score", 1960000 * 1.11, 0);
	v->rows[2].point = json_pack("{s:s, s:s, s:{s:o, s:o, s:o}}", "fingerprint", "beef",
		"status", "imprecise", "metrics", "zone_lock_spin_share", metric(40, 1),
		"mmap_sem_spin_share", metric(23, 2), "zone_lock_hold", metric(1000, 1));
	validation_judge(v);
}

/*
 * Judging
 */

static void rows_are_compared_with_their_bases(void **state)
{
	struct validation v;

	(void)state;
	load(&v, "plain");
	settle_plain(&v);
	assert_int_equal(v.nr_rows, 3);
	assert_int_equal(v.rows[0].compared, COMPARED_VALUE);
	assert_null(v.rows[0].base);
	assert_true(fabs(v.rows[0].difference + 2) < 1e-9);
	assert_int_equal(v.rows[0].verdict, VERDICT_WITHIN);
	assert_int_equal(v.rows[1].compared, COMPARED_CHANGE);
	assert_ptr_equal(v.rows[1].base, v.rows[0].published);
	assert_true(fabs(v.rows[1].change.mean - 11) < 1e-9);
	/* 1% of the base, and nothing of the other, scaled by the ratio. */
	assert_true(fabs(v.rows[1].change.ci95 - 1.11) < 1e-9);
	assert_true(fabs(v.rows[1].difference - 1) < 1e-9);
	assert_int_equal(v.rows[1].verdict, VERDICT_WITHIN);
	validation_free(&v);
}

/* A metric that ends otherwise does not count; half widths add up. */
static void spin_shares_are_summed(void **state)
{
	struct validation v;

	(void)state;
	load(&v, "plain");
	settle_plain(&v);
	assert_int_equal(v.rows[2].compared, COMPARED_SHARE);
	assert_true(v.rows[2].simulated.mean == 63);
	assert_true(v.rows[2].simulated.ci95 == 3);
	assert_true(v.rows[2].difference == 3);
	assert_int_equal(v.rows[2].verdict, VERDICT_WITHIN);
	validation_free(&v);
}

static void relative_figures_are_ratios(void **state)
{
	struct validation v;
	struct validation_summary s;

	(void)state;
	load(&v, "relative");
	v.rows[0].point = point("bandwidth", 40, 0.4);
	v.rows[1].point = point("bandwidth", 64, 0);
	validation_judge(&v);
	assert_true(v.rows[0].by_definition);
	assert_true(v.rows[0].simulated.mean == 1);
	assert_int_equal(v.rows[0].verdict, VERDICT_WITHIN);
	assert_true(fabs(v.rows[1].simulated.mean - 1.6) < 1e-9);
	assert_true(fabs(v.rows[1].simulated.ci95 - 0.016) < 1e-9);
	assert_true(fabs(v.rows[1].change.mean - 60) < 1e-9);
	assert_int_equal(v.rows[1].verdict, VERDICT_SIGN);
	/* What is 1 by definition proves nothing. */
	s = validation_summarize(&v, NULL);
	assert_true(isnan(s.mean_error[COMPARED_VALUE]));
	assert_true(fabs(s.mean_error[COMPARED_CHANGE] - 10) < 1e-9);
	validation_free(&v);
}

static void assert_missing(const struct validation_row *row, const char *reason)
{
	assert_int_equal(row->verdict, VERDICT_MISSING);
	assert_string_equal(row->missing, reason);
	assert_true(isnan(row->difference));
}

static void nothing_is_skipped_in_silence(void **state)
{
	struct validation v;

	(void)state;
	load(&v, "plain");
	v.rows[0].missing = must_format("unknown machine 'm'");
	v.rows[1].point = point("score", 1, 0);
	v.rows[2].point = point("score", 1, 0);
	validation_judge(&v);
	assert_missing(&v.rows[0], "unknown machine 'm'");
	assert_missing(&v.rows[1], "its base: unknown machine 'm'");
	assert_missing(&v.rows[2], "what was simulated has no metric lock_spin_share");
	assert_true(validation_failed(&v));
	validation_free(&v);
}

static void a_failed_point_is_missing(void **state)
{
	struct validation v;

	(void)state;
	load(&v, "plain");
	v.rows[0].point = json_pack("{s:s, s:s, s:s, s:{}}", "fingerprint", "f", "status", "failed",
		"failure", "the simulator crashed", "metrics");
	v.rows[1].left_out = v.rows[2].left_out = true;
	validation_judge(&v);
	assert_missing(&v.rows[0], "the simulation failed: the simulator crashed");
	validation_free(&v);
}

static void there_is_no_change_from_nothing(void **state)
{
	struct validation v;

	(void)state;
	load(&v, "plain");
	v.rows[0].point = point("score", 0, 0);
	v.rows[1].point = point("score", 1, 0);
	v.rows[2].left_out = true;
	validation_judge(&v);
	assert_int_equal(v.rows[0].verdict, VERDICT_WRONG);
	assert_missing(&v.rows[1], "its base is 0: there is no change against it");
	validation_free(&v);
}

static void what_is_left_out_fails_nothing(void **state)
{
	struct validation v;

	(void)state;
	load(&v, "plain");
	v.rows[0].point = point("score", 2000000, 0);
	v.rows[1].left_out = v.rows[2].left_out = true;
	validation_judge(&v);
	assert_int_equal(v.rows[1].verdict, VERDICT_LEFT_OUT);
	assert_false(validation_failed(&v));
	json_decref(v.rows[0].point);
	v.rows[0].point = point("score", 1000000, 0);
	validation_judge(&v);
	assert_int_equal(v.rows[0].verdict, VERDICT_WRONG);
	assert_true(validation_failed(&v));
	validation_free(&v);
}

static void assert_refused(const char *table, const char *machine, const char *reason)
{
	struct validation v;
	struct error err = {""};

	assert_int_equal(validation_load(&v, table, machine, &err), -1);
	assert_string_equal(err.text, reason);
}

static void rows_are_chosen_by_name(void **state)
{
	struct validation v;
	struct error err;

	(void)state;
	load(&v, NULL);
	assert_int_equal(v.nr_rows, 10);
	validation_free(&v);
	assert_int_equal(validation_load(&v, NULL, "n", &err), 0);
	assert_int_equal(v.nr_rows, 2);
	validation_free(&v);
	assert_refused(
		"plian", NULL, "zonesim: no published table 'plian': did you mean 'plain'?\n");
	assert_refused(NULL, "skylake",
		"zonesim: no published machine 'skylake': see results/published\n");
	assert_refused("plain", "n", "zonesim: no published row: table plain has nothing of n\n");
}

static void choose(struct validation *v, const char *table)
{
	struct error err;

	load(v, table);
	assert_int_equal(validation_choose_changes(v, &err), 0);
}

static void assert_chosen(const struct validation_row *row, const char *table, unsigned int batch,
	const char *metric, bool only_base)
{
	assert_string_equal(row->published->table, table);
	assert_int_equal(row->published->batch, batch);
	assert_string_equal(row->published->metric, metric);
	assert_int_equal(row->only_base, only_base);
}

static void changes_are_chosen_with_their_bases(void **state)
{
	struct validation v;

	(void)state;
	choose(&v, NULL);
	assert_int_equal(v.nr_rows, 7);
	assert_chosen(&v.rows[0], "batch-sweep", 31, "score", true);
	assert_chosen(&v.rows[1], "batch-sweep", 63, "score", false);
	assert_chosen(&v.rows[2], "batch-sweep", 127, "score", false);
	assert_chosen(&v.rows[3], "plain", 31, "score", true);
	assert_chosen(&v.rows[4], "plain", 31, "score", false);
	assert_chosen(&v.rows[5], "relative", 63, "bandwidth", true);
	assert_chosen(&v.rows[6], "relative", 63, "bandwidth", false);
	validation_free(&v);
}

static void without_changes_there_is_nothing_to_choose(void **state)
{
	struct validation v;
	struct error err;

	(void)state;
	load(&v, "plain");
	v.nr_rows = 1;
	assert_int_equal(validation_choose_changes(&v, &err), -1);
	assert_string_equal(
		err.text, "zonesim: no published change: what was asked for has none\n");
	validation_free(&v);
}

/* It may be as far off as it likes. */
static void a_mere_base_fails_nothing(void **state)
{
	struct validation v;

	(void)state;
	choose(&v, "plain");
	v.rows[0].point = point("score", 1, 0);
	v.rows[1].point = point("score", 1.1, 0);
	validation_judge(&v);
	assert_int_equal(v.rows[0].verdict, VERDICT_WRONG);
	assert_int_equal(v.rows[1].verdict, VERDICT_WITHIN);
	assert_false(validation_failed(&v));
	validation_free(&v);
}

/*
 * Printing
 */

typedef void printer(FILE *out, const struct validation *v);

static void assert_printed_by(printer *print, const struct validation *v, const char *expected)
{
	char *text = NULL;
	size_t size;
	FILE *out = open_memstream(&text, &size);

	assert_non_null(out);
	print(out, v);
	assert_int_equal(fclose(out), 0);
	assert_string_equal(text, expected);
	free(text);
}

static void assert_printed(const struct validation *v, const char *expected)
{
	assert_printed_by(validation_print, v, expected);
}

#define LEGEND                                                                                     \
	"\nA signed percentage is a change against the base; ± is the half width of the 95%\n"    \
	"confidence interval; pt: percentage points. The targets: zonesim help verdicts.\n"

/* clang-format off */
static const char printed_plain[] =
"plain: somebody\n"
"measured: m, w, v1, tasks 8, batch 31, high 186\n"
"base: patches a\n"
"patched: patches a b\n"
"figures: score in pages/s, lock_spin_share in percent\n"
"\n"
"patches  metric           published       simulated  difference  verdict\n"
"base     score               2.000M    1.960M ±1.0%      -2.0 %  within\n"
"patched  score             +10.00 %  +11.00 ±1.11 %     +1.0 pt  within\n"
"base     lock_spin_share     60.0 %     63.0 ±3.0 %     +3.0 pt  within\n"
"imprecise: 1 row of points that stopped at the time limit, before the precision asked for\n"
"\n"
"       ------------------- rows -------------------  -- mean |difference| --\n"
"table  within  near  sign  left-out  wrong  missing  changes  shares  values\n"
"                                                      points  points       %\n"
"plain       3     0     0         0      0        0      1.0     3.0     2.0\n"
"all         3     0     0         0      0        0      1.0     3.0     2.0\n"
LEGEND;

static const char printed_missing[] =
"relative: somebody else\n"
"measured: n, bw, v2, tasks 4, batch 63, pairs=2\n"
"base: patches a\n"
"patched: patches a b\n"
"figures: bandwidth against the base\n"
"\n"
"patches  published  simulated  difference  verdict\n"
"base         1.000          -           -  missing\n"
"patched   +50.00 %          -           -  left-out\n"
"missing, 1 row: unknown workload 'bw'\n"
"\n"
"          ------------------- rows -------------------  -- mean |difference| --\n"
"table     within  near  sign  left-out  wrong  missing  changes  shares  values\n"
"                                                         points  points       %\n"
"relative       0     0     0         1      0        1        -       -       -\n"
"all            0     0     0         1      0        1        -       -       -\n"
LEGEND;
/* clang-format on */

static void it_is_printed_as_a_table(void **state)
{
	struct validation v;

	(void)state;
	load(&v, "plain");
	settle_plain(&v);
	assert_printed(&v, printed_plain);
	validation_free(&v);
	load(&v, "relative");
	v.rows[0].missing = must_format("unknown workload 'bw'");
	v.rows[1].left_out = true;
	validation_judge(&v);
	assert_printed(&v, printed_missing);
	validation_free(&v);
}

/* clang-format off */
static const char markdown_plain[] =
"### plain\n"
"\n"
"- source: somebody\n"
"- measured: m, w, v1, tasks 8, batch 31, high 186\n"
"- base: patches a\n"
"- patched: patches a b\n"
"- figures: score in pages/s, lock_spin_share in percent\n"
"- imprecise: 1 row of points that stopped at the time limit, before the precision asked for\n"
"\n"
"| patches | metric          | published |      simulated | difference | verdict |\n"
"| :------ | :-------------- | --------: | -------------: | ---------: | :------ |\n"
"| base    | score           |    2.000M |   1.960M ±1.0% |     -2.0 % | within  |\n"
"| patched | score           |  +10.00 % | +11.00 ±1.11 % |    +1.0 pt | within  |\n"
"| base    | lock_spin_share |    60.0 % |    63.0 ±3.0 % |    +3.0 pt | within  |\n"
"\n"
"### Summary\n"
"\n"
"| table | rows: within | rows: near | rows: sign | rows: left-out | rows: wrong | rows: missing | mean \\|difference\\|: changes (points) | mean \\|difference\\|: shares (points) | mean \\|difference\\|: values (%) |\n"
"| :---- | -----------: | ---------: | ---------: | -------------: | ----------: | ------------: | ------------------------------------: | -----------------------------------: | ------------------------------: |\n"
"| plain |            3 |          0 |          0 |              0 |           0 |             0 |                                   1.0 |                                  3.0 |                             2.0 |\n"
"| all   |            3 |          0 |          0 |              0 |           0 |             0 |                                   1.0 |                                  3.0 |                             2.0 |\n"
LEGEND;

static const char markdown_changes[] =
"| publication              | machine | measured                                     | published |      simulated |\n"
"| :----------------------- | :------ | :------------------------------------------- | --------: | -------------: |\n"
"| take_more \\| of it, 2018 | m       | w, 8 tasks, batch 63 instead of 31: pages/s  |  +20.00 % | +25.00 ±1.25 % |\n"
"|                          | m       | w, 8 tasks, batch 127 instead of 31: pages/s |  +30.00 % |       left-out |\n"
"| somebody                 | m       | w, 8 tasks: pages/s                          |  +10.00 % |        missing |\n"
"| somebody else            | n       | bw, 4 tasks, pairs=2: bandwidth              |  +50.00 % | +60.00 ±1.60 % |\n"
"\n"
"A change is against the kernel without the patch, or against the smaller batch; ± is\n"
"the half width of its 95% confidence interval.\n"
"- missing, 1 row: its base: it was not simulated\n"
"- imprecise: 1 row of points that stopped at the time limit, before the precision asked for\n";
/* clang-format on */

static void it_is_printed_as_markdown(void **state)
{
	struct validation v;

	(void)state;
	load(&v, "plain");
	settle_plain(&v);
	assert_printed_by(validation_print_markdown, &v, markdown_plain);
	validation_free(&v);
}

static void changes_are_printed_in_one_table(void **state)
{
	struct validation v;

	(void)state;
	choose(&v, NULL);
	v.rows[0].point = point("score", 40, 0.4);
	v.rows[1].point = point("score", 50, 0);
	json_object_set_new(v.rows[0].point, "status", json_string("imprecise"));
	v.rows[2].left_out = true;
	v.rows[4].point = point("score", 1, 0);
	v.rows[5].point = point("bandwidth", 40, 0.4);
	v.rows[6].point = point("bandwidth", 64, 0);
	validation_judge(&v);
	assert_printed_by(validation_print_changes, &v, markdown_changes);
	validation_free(&v);
}

static void assert_escaped(const char *text, const char *expected)
{
	char *escaped = markdown_escape(text);

	assert_string_equal(escaped, expected);
	free(escaped);
}

static void markdown_shows_text_as_it_is(void **state)
{
	(void)state;
	assert_escaped("", "");
	assert_escaped("page_fault1, +6.3 % ±0.2", "page_fault1, +6.3 % ±0.2");
	assert_escaped("__rmqueue() _x a_", "\\_\\_rmqueue() \\_x a\\_");
	assert_escaped("a|b*c`d<e>[f]\\", "a\\|b\\*c\\`d\\<e\\>\\[f\\]\\\\");
}

static double number_of(const json_t *object, const char *key)
{
	const json_t *number = json_object_get(object, key);

	assert_true(json_is_number(number));
	return json_number_value(number);
}

static void assert_text(const json_t *object, const char *key, const char *expected)
{
	const char *text = json_string_value(json_object_get(object, key));

	assert_non_null(text);
	assert_string_equal(text, expected);
}

static void it_is_printed_as_json(void **state)
{
	struct validation v;
	const json_t *row, *summary;
	json_t *json;

	(void)state;
	load(&v, "plain");
	settle_plain(&v);
	json = validation_to_json(&v);
	assert_int_equal(json_array_size(json_object_get(json, "rows")), 3);
	row = json_array_get(json_object_get(json, "rows"), 1);
	assert_text(row, "table", "plain");
	assert_text(row, "machine", "m");
	assert_text(row, "kernel", "v1");
	assert_text(row, "workload", "w");
	assert_text(row, "parameters", "batch=31 high=186");
	assert_text(row, "patches", "a b");
	assert_text(row, "metric", "score");
	assert_text(row, "unit", "pages/s");
	assert_text(row, "verdict", "within");
	assert_text(row, "compared", "change");
	assert_true(number_of(row, "tasks") == 8);
	assert_true(number_of(row, "published") == 2200000);
	assert_true(number_of(row, "published_change_pct") == 10);
	assert_true(fabs(number_of(row, "simulated") - 2175600) < 1e-3);
	assert_true(number_of(row, "simulated_ci95") == 0);
	assert_true(fabs(number_of(row, "simulated_change_pct") - 11) < 1e-9);
	assert_true(number_of(row, "target") == 1);
	row = json_array_get(json_object_get(json, "rows"), 0);
	assert_true(json_is_null(json_object_get(row, "published_change_pct")));
	assert_true(json_is_null(json_object_get(row, "simulated_change_pct")));
	summary = json_object_get(json, "summary");
	assert_true(number_of(summary, "within") == 3);
	assert_true(number_of(summary, "missing") == 0);
	assert_true(
		number_of(json_object_get(summary, "mean_absolute_error"), "share_points") == 3);
	assert_int_equal(json_array_size(json_object_get(summary, "tables")), 1);
	json_decref(json);
	validation_free(&v);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(rows_are_compared_with_their_bases),
		cmocka_unit_test(spin_shares_are_summed),
		cmocka_unit_test(relative_figures_are_ratios),
		cmocka_unit_test(nothing_is_skipped_in_silence),
		cmocka_unit_test(a_failed_point_is_missing),
		cmocka_unit_test(there_is_no_change_from_nothing),
		cmocka_unit_test(what_is_left_out_fails_nothing),
		cmocka_unit_test(rows_are_chosen_by_name),
		cmocka_unit_test(changes_are_chosen_with_their_bases),
		cmocka_unit_test(without_changes_there_is_nothing_to_choose),
		cmocka_unit_test(a_mere_base_fails_nothing),
		cmocka_unit_test(it_is_printed_as_a_table),
		cmocka_unit_test(it_is_printed_as_markdown),
		cmocka_unit_test(changes_are_printed_in_one_table),
		cmocka_unit_test(markdown_shows_text_as_it_is),
		cmocka_unit_test(it_is_printed_as_json),
	};

	return cmocka_run_group_tests(tests, make_tables, remove_tables);
}
