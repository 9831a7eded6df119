// SPDX-License-Identifier: GPL-3.0-or-later
/*
 * units.c - quantities with their units, read and printed from one table.
 */
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "units.h"

/*
 * Every unit: of one quantity from small to large; the other spellings, which are read but never
 * printed, come after.
 */
static const struct unit {
	enum quantity kind;
	const char *name;
	double scale; /* base units in one of these */
	bool printed;
} units[] = {
	{QUANTITY_BYTES, "B", 1, true},
	{QUANTITY_BYTES, "KiB", 0x1p10, true},
	{QUANTITY_BYTES, "MiB", 0x1p20, true},
	{QUANTITY_BYTES, "GiB", 0x1p30, true},
	{QUANTITY_BYTES, "TiB", 0x1p40, true},
	{QUANTITY_BYTES, "K", 0x1p10, false},
	{QUANTITY_BYTES, "M", 0x1p20, false},
	{QUANTITY_BYTES, "G", 0x1p30, false},
	{QUANTITY_TIME, "ps", 1e-12, true},
	{QUANTITY_TIME, "ns", 1e-9, true},
	{QUANTITY_TIME, "us", 1e-6, true},
	{QUANTITY_TIME, "ms", 1e-3, true},
	{QUANTITY_TIME, "s", 1, true},
	{QUANTITY_TIME, "µs", 1e-6, false},
	{QUANTITY_FREQUENCY, "Hz", 1, true},
	{QUANTITY_FREQUENCY, "MHz", 1e6, true},
	{QUANTITY_FREQUENCY, "GHz", 1e9, true},
	{QUANTITY_BANDWIDTH, "MB/s", 1e6, true},
	{QUANTITY_BANDWIDTH, "GB/s", 1e9, true},
	{QUANTITY_CYCLES, "cycles", 1, true},
	{QUANTITY_CYCLES, "cycle", 1, false},
	{QUANTITY_SHARE, "%", 0.01, true},
};

#define NR_UNITS (sizeof(units) / sizeof(units[0]))

static const char *const descriptions[] = {
	[QUANTITY_PLAIN] = "a number such as 1.5, without a unit",
	[QUANTITY_COUNT] = "a whole number such as 4, without a unit",
	[QUANTITY_BOOL] = "yes or no",
	[QUANTITY_BYTES] = "a size such as 128MiB (B, KiB, MiB, GiB, TiB)",
	[QUANTITY_TIME] = "a time such as 50ns (ps, ns, us, ms, s)",
	[QUANTITY_FREQUENCY] = "a frequency such as 2.8GHz (Hz, MHz, GHz)",
	[QUANTITY_BANDWIDTH] = "a bandwidth such as 70GB/s (MB/s, GB/s)",
	[QUANTITY_CYCLES] = "a number of cycles such as 140 cycles",
	[QUANTITY_SHARE] = "a percentage such as 0.5%",
};

const char *quantity_describe(enum quantity kind)
{
	return descriptions[kind];
}

static int parse_bool(const char *text, double *value)
{
	static const char *const words[][2] = {{"no", "yes"}, {"false", "true"}};

	for (size_t i = 0; i < sizeof(words) / sizeof(words[0]); i++) {
		for (int answer = 0; answer < 2; answer++) {
			if (strcmp(text, words[i][answer]) == 0) {
				*value = answer;
				return 0;
			}
		}
	}
	return -1;
}

/* Base units in one of the unit named @name; 0 when @kind has no such unit. */
static double unit_scale(enum quantity kind, const char *name)
{
	if (kind == QUANTITY_PLAIN || kind == QUANTITY_COUNT)
		return *name ? 0 : 1;
	for (size_t i = 0; i < NR_UNITS; i++) {
		if (units[i].kind == kind && strcmp(units[i].name, name) == 0)
			return units[i].scale;
	}
	return 0;
}

/* strtod without its hexadecimal, "inf" and "nan"; *end is where the number ends. */
static double parse_number(const char *text, const char **end)
{
	size_t length = strspn(text, "0123456789.+-eE");
	char digits[64];
	char *stop;
	double number;

	*end = text;
	if (length >= sizeof(digits))
		return NAN;
	memcpy(digits, text, length);
	digits[length] = '\0';
	number = strtod(digits, &stop);
	*end = text + (stop - digits);
	return number;
}

int quantity_parse(const char *text, enum quantity kind, double *value, char *why, size_t size)
{
	const char *end, *unit;
	double number, scale;

	if (kind == QUANTITY_BOOL) {
		if (parse_bool(text, value) == 0)
			return 0;
		snprintf(why, size, "'%.40s' is not yes or no", text);
		return -1;
	}
	number = parse_number(text, &end);
	if (end == text || !isfinite(number)) {
		snprintf(why, size, "'%.40s' is not %s", text, quantity_describe(kind));
		return -1;
	}
	unit = end + strspn(end, " ");
	scale = unit_scale(kind, unit);
	if (scale == 0) {
		if (*unit)
			snprintf(why, size, "'%.40s' has the wrong unit '%.16s': expected %s", text,
				unit, quantity_describe(kind));
		else
			snprintf(why, size, "'%.40s' has no unit: expected %s", text,
				quantity_describe(kind));
		return -1;
	}
	if (kind == QUANTITY_COUNT && (number < 0 || number != floor(number))) {
		snprintf(why, size, "'%.40s' is not %s", text, quantity_describe(kind));
		return -1;
	}
	*value = number * scale;
	return 0;
}

static char *print(char *text, size_t size, enum quantity kind, double value, int digits)
{
	const struct unit *best = NULL;

	if (kind == QUANTITY_BOOL) {
		snprintf(text, size, "%s", value != 0 ? "yes" : "no");
		return text;
	}
	for (size_t i = 0; i < NR_UNITS; i++) {
		const struct unit *unit = &units[i];

		if (unit->kind != kind || !unit->printed)
			continue;
		/* Half a step of the last digit shown, lest 1e-6 print as "1000 ns". */
		if (!best || fabs(value) * (1 + 5e-7) >= unit->scale)
			best = unit;
	}
	if (kind == QUANTITY_COUNT)
		snprintf(text, size, "%.0f", value);
	else if (!best)
		snprintf(text, size, "%.*g", digits, value);
	else if (kind == QUANTITY_SHARE)
		snprintf(text, size, "%.*g%%", digits, value / best->scale);
	else
		snprintf(text, size, "%.*g %s", digits, value / best->scale, best->name);
	return text;
}

char *quantity_print(char *text, size_t size, enum quantity kind, double value)
{
	return print(text, size, kind, value, 6);
}

char *quantity_print_all(char *text, size_t size, enum quantity kind, double value)
{
	char why[128];
	double read;

	for (int digits = 6; digits <= 17; digits++) {
		(void)print(text, size, kind, value, digits);
		if (quantity_parse(text, kind, &read, why, sizeof(why)) == 0 &&
			fabs(read - value) <= fabs(value) * 1e-12)
			break;
	}
	return text;
}
