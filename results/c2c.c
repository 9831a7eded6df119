/* SPDX-License-Identifier: GPL-3.0-or-later */
/* c2c.c - the cache lines that cost most to get, in print. */
#include "c2c.h"

#include <string.h>

#include "wrap.h"

#define MOST_PRINTED 16 /* the document has more */

/* A column of counts, and the sources that it adds up; the last ones are NULL. */
static const struct column {
	const char *title, *sources[3];
} columns[] = {
	{"core", {"dirty-socket", "dirty-remote"}},
	{"upgrade", {"upgrade"}},
	{"LLC", {"llc", "llc-remote"}},
	{"DRAM", {"dram", "dram-remote"}},
	{"L2", {"l2"}},
	{"handed", {"hand-over"}},
};

/* A column of who pays, likewise. */
static const struct column payers[] = {
	{"alloc", {"zone alloc"}},
	{"free", {"zone free"}},
	{"lru", {"lru"}},
	{"else", {"none", "other"}},
};

#define NR(array) (sizeof(array) / sizeof((array)[0]))

static double number_of(const json_t *object, const char *key)
{
	return json_number_value(json_object_get(object, key));
}

/* A column has the width of its title, or of "12.3k". */
static int width_of(const char *title)
{
	return strlen(title) > 5 ? (int)strlen(title) : 5;
}

/* "9999", "12.3k", "456k", "1.2M": five characters at most. */
static void print_count(FILE *out, int width, double count)
{
	const char *unit = "kMGT";

	if (count < 9999.5) {
		fprintf(out, "%*.0f", width, count);
		return;
	}
	for (count /= 1000; count >= 999.5 && unit[1]; count /= 1000)
		unit++;
	fprintf(out, "%*.*f%c", width - 1, count < 99.95 ? 1 : 0, count, *unit);
}

static double all_seconds(const json_t *lines)
{
	const json_t *line;
	double sum = 0;
	size_t i;

	json_array_foreach(lines, i, line) sum += number_of(line, "seconds");
	return sum;
}

static double count_all(const json_t *sources)
{
	json_t *all = (json_t *)sources, *source;
	const char *name;
	double sum = 0;

	json_object_foreach(all, name, source) sum += number_of(source, "count");
	return sum;
}

static void print_head(FILE *out, double seconds)
{
	char text[160];

	snprintf(text, sizeof(text),
		"cache lines by what it took to get them: %.6g ms, latencies added up, and who "
		"paid, by what it held",
		seconds * 1e3);
	print_filled(out, "", 0, PRINT_WIDTH, text);
	fprintf(out, "%6s %6s", "share", "ns");
	for (size_t i = 0; i < NR(columns); i++)
		fprintf(out, " %*s", width_of(columns[i].title), columns[i].title);
	for (size_t i = 0; i < NR(payers); i++)
		fprintf(out, " %*s", width_of(payers[i].title), payers[i].title);
	fputc('\n', out);
}

static void print_line(FILE *out, const json_t *line, double all)
{
	const json_t *sources = json_object_get(line, "sources");
	const json_t *paid = json_object_get(line, "paid_by");
	double seconds = number_of(line, "seconds"), lines = number_of(line, "lines");
	double count = count_all(sources);

	fputs(json_string_value(json_object_get(line, "name")), out);
	if (lines > 1)
		fprintf(out, " (%.0f lines)", lines);
	fprintf(out, "\n%5.1f%% %6.0f", all > 0 ? 100 * seconds / all : 0,
		count > 0 ? seconds / count * 1e9 : 0);
	for (size_t i = 0; i < NR(columns); i++) {
		double sum = 0;

		for (const char *const *name = columns[i].sources; *name; name++)
			sum += number_of(json_object_get(sources, *name), "count");
		fputc(' ', out);
		print_count(out, width_of(columns[i].title), sum);
	}
	for (size_t i = 0; i < NR(payers); i++) {
		double sum = 0;

		for (const char *const *name = payers[i].sources; *name; name++)
			sum += number_of(paid, *name);
		fprintf(out, "%5.0f%%", seconds > 0 ? 100 * sum / seconds : 0);
	}
	fputc('\n', out);
}

void c2c_print(FILE *out, const json_t *point)
{
	const json_t *lines = json_object_get(point, "c2c"), *line;
	double all = all_seconds(lines);
	size_t i;

	if (json_array_size(lines) == 0)
		return;
	print_head(out, all);
	json_array_foreach(lines, i, line)
	{
		if (i == MOST_PRINTED)
			break;
		print_line(out, line, all);
	}
	fputc('\n', out);
}
