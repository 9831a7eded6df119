// SPDX-License-Identifier: GPL-3.0-or-later
/*
 * test_units.c - quantities and their units, and the name that was probably meant.
 */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "../models/error.h"
#include "../models/units.h"

static void reads_every_unit(void **state)
{
	static const struct {
		const char *text;
		enum quantity kind;
		double value;
	} cases[] = {
		{"1.5", QUANTITY_PLAIN, 1.5},
		{"-2e3", QUANTITY_PLAIN, -2000},
		{"112", QUANTITY_COUNT, 112},
		{"yes", QUANTITY_BOOL, 1},
		{"no", QUANTITY_BOOL, 0},
		{"4096B", QUANTITY_BYTES, 4096},
		{"128MiB", QUANTITY_BYTES, 134217728},
		{"38.5 MiB", QUANTITY_BYTES, 40370176},
		{"4K", QUANTITY_BYTES, 4096},
		{"2G", QUANTITY_BYTES, 2147483648.0},
		{"1TiB", QUANTITY_BYTES, 1099511627776.0},
		{"100ps", QUANTITY_TIME, 100e-12},
		{"50 ns", QUANTITY_TIME, 50e-9},
		{"3us", QUANTITY_TIME, 3e-6},
		{"3µs", QUANTITY_TIME, 3e-6},
		{"7ms", QUANTITY_TIME, 7e-3},
		{"2s", QUANTITY_TIME, 2},
		{"2.8 GHz", QUANTITY_FREQUENCY, 2.8e9},
		{"100MHz", QUANTITY_FREQUENCY, 1e8},
		{"70GB/s", QUANTITY_BANDWIDTH, 7e10},
		{"500 MB/s", QUANTITY_BANDWIDTH, 5e8},
		{"140 cycles", QUANTITY_CYCLES, 140},
		{"1 cycle", QUANTITY_CYCLES, 1},
		{"0.5%", QUANTITY_SHARE, 0.005},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		double value = NAN;
		char why[128];

		assert_int_equal(
			quantity_parse(cases[i].text, cases[i].kind, &value, why, sizeof(why)), 0);
		assert_true(fabs(value - cases[i].value) <= fabs(cases[i].value) * 1e-15);
	}
}

static void refuses(const char *text, enum quantity kind, const char *expected)
{
	double value = 4711;
	char why[128];

	assert_int_equal(quantity_parse(text, kind, &value, why, sizeof(why)), -1);
	assert_string_equal(why, expected);
	assert_true(value == 4711);
}

static void says_what_is_wrong(void **state)
{
	(void)state;
	refuses("128", QUANTITY_BYTES,
		"'128' has no unit: expected a size such as 128MiB (B, KiB, MiB, GiB, TiB)");
	refuses("128MB", QUANTITY_BYTES,
		"'128MB' has the wrong unit 'MB': expected a size such as 128MiB (B, KiB, MiB, "
		"GiB, "
		"TiB)");
	refuses("5 ns", QUANTITY_CYCLES,
		"'5 ns' has the wrong unit 'ns': expected a number of cycles such as 140 cycles");
	refuses("31 pages", QUANTITY_COUNT,
		"'31 pages' has the wrong unit 'pages': expected a whole number such as 4, without "
		"a "
		"unit");
	refuses("1.5", QUANTITY_COUNT, "'1.5' is not a whole number such as 4, without a unit");
	refuses("-1", QUANTITY_COUNT, "'-1' is not a whole number such as 4, without a unit");
	refuses("maybe", QUANTITY_BOOL, "'maybe' is not yes or no");
	refuses("", QUANTITY_PLAIN, "'' is not a number such as 1.5, without a unit");
	refuses("0.5", QUANTITY_SHARE, "'0.5' has no unit: expected a percentage such as 0.5%");
}

/* What strtod would take. */
static void refuses_what_is_not_finite(void **state)
{
	(void)state;
	refuses("nan", QUANTITY_PLAIN, "'nan' is not a number such as 1.5, without a unit");
	refuses("inf", QUANTITY_PLAIN, "'inf' is not a number such as 1.5, without a unit");
	refuses("1e999", QUANTITY_PLAIN, "'1e999' is not a number such as 1.5, without a unit");
	refuses("0x10", QUANTITY_COUNT,
		"'0x10' has the wrong unit 'x10': expected a whole number such as 4, without a "
		"unit");
	refuses("1111111111111111111111111111111111111111111111111111111111111111111111111",
		QUANTITY_COUNT,
		"'1111111111111111111111111111111111111111' is not a whole number such as 4, "
		"without "
		"a unit");
}

static void prints(enum quantity kind, double value, const char *expected)
{
	char text[48];

	assert_string_equal(quantity_print(text, sizeof(text), kind, value), expected);
}

static void prints_the_shortest_unit(void **state)
{
	(void)state;
	prints(QUANTITY_BYTES, 0, "0 B");
	prints(QUANTITY_BYTES, 1023, "1023 B");
	prints(QUANTITY_BYTES, 1024, "1 KiB");
	prints(QUANTITY_BYTES, 40370176, "38.5 MiB");
	prints(QUANTITY_TIME, 50e-9, "50 ns");
	prints(QUANTITY_TIME, 1e-6, "1 us");
	prints(QUANTITY_TIME, 2, "2 s");
	prints(QUANTITY_FREQUENCY, 2.8e9, "2.8 GHz");
	prints(QUANTITY_BANDWIDTH, 7e10, "70 GB/s");
	prints(QUANTITY_CYCLES, 9.5, "9.5 cycles");
	prints(QUANTITY_SHARE, 0.005, "0.5%");
	prints(QUANTITY_COUNT, 16777216, "16777216");
	prints(QUANTITY_BOOL, 1, "yes");
	prints(QUANTITY_PLAIN, 1.27, "1.27");
}

/* 1 MiB and 4 KiB, 31 of 1024 KiB: both have an end in binary, the second a long one. */
static void prints_all_digits_where_asked_to(void **state)
{
	char text[64];

	(void)state;
	quantity_print_all(text, sizeof(text), QUANTITY_BYTES, 1052672);
	assert_string_equal(text, "1.00390625 MiB");
	quantity_print_all(text, sizeof(text), QUANTITY_BYTES, 31);
	assert_string_equal(text, "31 B");
	quantity_print_all(text, sizeof(text), QUANTITY_TIME, 0.0012345678);
	assert_string_equal(text, "1.2345678 ms");
	/* a sum that is off in its last bit stays what it was meant to be */
	quantity_print_all(text, sizeof(text), QUANTITY_SHARE, 0.001 + 2 * 0.001);
	assert_string_equal(text, "0.3%");
	quantity_print_all(text, sizeof(text), QUANTITY_COUNT, 0x1p53);
	assert_string_equal(text, "9007199254740992");
}

static void finds_the_name_that_was_meant(void **state)
{
	static const char *const names[] = {
		"batch", "cpi", "high", "seed", "pick-outside-lock", NULL};

	(void)state;
	assert_string_equal(nearest_name("hihg", names), "high");
	assert_string_equal(nearest_name("bacth", names), "batch");
	/* one edit is all that so short a name is worth: two letters swapped are one */
	assert_string_equal(nearest_name("cip", names), "cpi");
	assert_string_equal(nearest_name("pick_outside_lock", names), "pick-outside-lock");
	assert_null(nearest_name("tasks", names));
	assert_null(nearest_name("", names));
	assert_null(nearest_name("x", names));
}

/* A message never grows past its buffer, and still ends in a newline. */
static void long_messages_are_cut(void **state)
{
	char long_text[5000];
	struct error err;

	(void)state;
	memset(long_text, 'x', sizeof(long_text) - 1);
	long_text[sizeof(long_text) - 1] = '\0';
	assert_int_equal(error_set(&err, "%s", long_text), -1);
	assert_int_equal(strlen(err.text), sizeof(err.text) - 1);
	assert_int_equal(err.text[sizeof(err.text) - 2], '\n');
	assert_int_equal(error_set_at(&err, "f", 1, 3000, long_text, "%s", "wrong"), -1);
	assert_in_range(strlen(err.text), 20, 400);
	assert_int_equal(err.text[strlen(err.text) - 2], '^');
}

/* What a file says must not clear the screen of who reads that it is wrong. */
static void messages_quote_no_control_characters(void **state)
{
	struct error err;

	(void)state;
	error_set(&err, "unknown '%s'", "\033[2J\a\177 \tµ");
	assert_string_equal(err.text, "zonesim: unknown '?[2J?? \tµ'\n");
	error_set_at(&err, "a\033b", 1, 1, "x\033y", "unknown '%s'", "\r");
	assert_string_equal(err.text, "a?b:1:1: unknown '?'\n    x y\n    ^\n");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(reads_every_unit),
		cmocka_unit_test(says_what_is_wrong),
		cmocka_unit_test(refuses_what_is_not_finite),
		cmocka_unit_test(prints_the_shortest_unit),
		cmocka_unit_test(prints_all_digits_where_asked_to),
		cmocka_unit_test(finds_the_name_that_was_meant),
		cmocka_unit_test(long_messages_are_cut),
		cmocka_unit_test(messages_quote_no_control_characters),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
