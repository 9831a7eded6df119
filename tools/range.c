// SPDX-License-Identifier: GPL-3.0-or-later
/*
 * range.c - values written as a range.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../results/must.h"
#include "range.h"

/* The last value of a range may lie beyond its end by this part of a step, from rounding. */
#define SLACK 1e-6

struct range {
	double first, last;
	double step, factor; /* one of them is 0 */
};

bool range_is(const char *text)
{
	return strstr(text, "..") != NULL || strncmp(text, "log ", 4) == 0;
}

/* Read what stands between @from and @to, without the blanks around it. */
static int read_end(
	const char *from, const char *to, enum quantity unit, double *value, char *why, size_t size)
{
	char *text;
	int status;

	from += strspn(from, " ");
	while (to > from && to[-1] == ' ')
		to--;
	text = must_format("%.*s", (int)(to - from), from);
	status = quantity_parse(text, unit, value, why, size);
	free(text);
	return status;
}

static int refuse(const char *text, const char *reason, char *why, size_t size)
{
	snprintf(why, size, "'%.60s': %s", text, reason);
	return -1;
}

/* Steps from the first value to the end. */
static double steps(const struct range *r)
{
	return r->factor > 0 ? log(r->last / r->first) / log(r->factor)
			     : (r->last - r->first) / r->step;
}

static int check(const char *text, const struct range *r, char *why, size_t size)
{
	if (r->last < r->first)
		return refuse(text, "the range ends before it begins", why, size);
	if (r->factor > 0 && r->first <= 0)
		return refuse(text, "a logarithmic range begins above 0", why, size);
	if (!(steps(r) < RANGE_MAX_VALUES))
		return refuse(text, "more than 10000 values", why, size);
	return 0;
}

/* "log A..B xF": @at is behind "log ". */
static int read_log(const char *text, const char *at, enum quantity unit, struct range *r,
	char *why, size_t size)
{
	const char *dots = strstr(at, ".."), *by = strrchr(at, 'x');
	char *end;

	if (!dots || !by || by < dots)
		return refuse(text, "expected a range such as log 16..4096 x2", why, size);
	r->factor = strtod(by + 1, &end);
	if (end == by + 1 || *end || !(r->factor > 1))
		return refuse(text, "the factor after the x must be above 1", why, size);
	if (read_end(at, dots, unit, &r->first, why, size) < 0 ||
		read_end(dots + 2, by, unit, &r->last, why, size) < 0)
		return -1;
	return check(text, r, why, size);
}

/* "A..B" or "A..B step S". */
static int read_linear(
	const char *text, enum quantity unit, struct range *r, char *why, size_t size)
{
	const char *dots = strstr(text, ".."), *step = strstr(text, " step ");
	const char *end = step ? step : text + strlen(text);
	bool plain = unit == QUANTITY_COUNT || unit == QUANTITY_PLAIN;

	if (!step && !plain)
		return refuse(text, "say in what steps, as in 1MiB..4MiB step 1MiB", why, size);
	r->step = 1;
	if (read_end(text, dots, unit, &r->first, why, size) < 0 ||
		read_end(dots + 2, end, unit, &r->last, why, size) < 0 ||
		(step && read_end(step + 6, step + strlen(step), unit, &r->step, why, size) < 0))
		return -1;
	if (!(r->step > 0))
		return refuse(text, "the step must be above 0", why, size);
	return check(text, r, why, size);
}

static char *print_value(double value, enum quantity unit)
{
	char text[400]; /* for all digits of the largest double */

	return must_format("%s", quantity_print_all(text, sizeof(text), unit, value));
}

static double value_at(const struct range *r, int i)
{
	return r->factor > 0 ? r->first * pow(r->factor, i) : r->first + i * r->step;
}

int range_expand(const char *text, enum quantity unit, char ***values, char *why, size_t size)
{
	struct range r = {0};
	int nr, status;

	if (strncmp(text, "log ", 4) == 0)
		status = read_log(text, text + 4, unit, &r, why, size);
	else
		status = read_linear(text, unit, &r, why, size);
	if (status < 0)
		return -1;
	nr = 1 + (int)(steps(&r) + SLACK);
	*values = must_calloc((size_t)nr, sizeof(**values));
	for (int i = 0; i < nr; i++)
		(*values)[i] = print_value(value_at(&r, i), unit);
	return nr;
}

/* "none" is the empty set of patches, "a+b" that of two. */
static void put_patches(FILE *out, const char *item, size_t length)
{
	if (length == 4 && strncmp(item, "none", 4) == 0) {
		fputs("[]", out);
		return;
	}
	fputc('[', out);
	for (size_t i = 0; i < length; i++) {
		if (item[i] == '+')
			fputs(", ", out);
		else
			fputc(item[i], out);
	}
	fputc(']', out);
}

char *range_list(const char *text, bool patches)
{
	char *list = NULL;
	size_t size;
	FILE *out;

	text += strspn(text, " ");
	if (*text == '[' || *text == '{')
		return must_format("%s", text);
	out = open_memstream(&list, &size);
	if (!out)
		return must_format("%s", text);
	fputc('[', out);
	for (;;) {
		size_t length = strcspn(text, ",");

		if (patches)
			put_patches(out, text, length);
		else
			fprintf(out, "%.*s", (int)length, text);
		if (!text[length])
			break;
		text += length + 1;
		fputs(", ", out);
	}
	fputc(']', out);
	fclose(out);
	return list;
}
