/* SPDX-License-Identifier: GPL-3.0-or-later */
/* chart_times.c - how long locks are held and waited for: the share of all up to a time. */
#include <stdlib.h>
#include <string.h>

#include "../models/error.h"
#include "chart_internal.h"
#include "gnuplot.h"
#include "must.h"
#include "store_internal.h"

#define MAX_POINTS 6
#define CLASSES 2 /* zone lock and LRU lock */
#define BUCKETS 40

static const struct {
	const char *name, *like;
} classes[CLASSES] = {
	{"zone lock", "zone->lock%"},
	{"LRU lock", "lru_lock%"},
};

/* How many took up to 2^(i+1) ns, of all locks of a class together. */
struct times {
	char *name;
	double buckets[BUCKETS], total;
	size_t style;
};

struct all_times {
	struct times *list;
	size_t nr;
};

static int read_times(struct times *t, struct store *store, long long point, const char *like,
	const char *kind, struct error *err)
{
	sqlite3_stmt *statement = store_prepare(store,
		"SELECT from_ns, sum(count) FROM lock_times WHERE point = ? AND lock LIKE ? AND "
		"kind = ? GROUP BY from_ns ORDER BY from_ns",
		err);
	int answer;

	if (!statement)
		return -1;
	(void)sqlite3_bind_int64(statement, 1, point);
	store_bind_text(statement, 2, like);
	store_bind_text(statement, 3, kind);
	while ((answer = sqlite3_step(statement)) == SQLITE_ROW) {
		unsigned long long from = (unsigned long long)sqlite3_column_int64(statement, 0);
		int bucket = from ? 63 - __builtin_clzll(from) : 0;

		if (bucket < BUCKETS)
			t->buckets[bucket] += sqlite3_column_double(statement, 1);
		t->total += sqlite3_column_double(statement, 1);
	}
	if (answer != SQLITE_DONE)
		store_failed(store, err);
	sqlite3_finalize(statement);
	return answer == SQLITE_DONE ? 0 : -1;
}

static int collect(
	struct all_times *all, const struct chart_request *r, const char *kind, struct error *err)
{
	bool apart[ROW_MAX_SETTINGS];

	for (size_t i = 0; i < r->rows->nr_settings; i++)
		apart[i] = rows_varies(r->rows, i);
	all->list = must_calloc(r->rows->nr * CLASSES, sizeof(*all->list));
	for (size_t i = 0; i < r->rows->nr; i++) {
		for (size_t k = 0; k < CLASSES; k++) {
			struct times *t = &all->list[all->nr];
			char *point;

			if (read_times(t, r->store, r->rows->list[i].id, classes[k].like, kind,
				    err) < 0)
				return -1;
			point = rows_label(r->rows, &r->rows->list[i], apart);
			t->name = must_format("%s%s%s%s", classes[k].name, *point ? ", " : "",
				point, t->total > 0 ? "" : " (never)");
			t->style = i * CLASSES + k;
			all->nr++;
			free(point);
		}
	}
	return 0;
}

static void free_times(struct all_times *all)
{
	for (size_t i = 0; i < all->nr; i++)
		free(all->list[i].name);
	free(all->list);
}

static void write_data(FILE *script, const struct times *t, size_t number)
{
	double sum = 0;

	fprintf(script, "$times_%zu << END\n", number);
	for (int i = 0; i < BUCKETS && sum < t->total; i++) {
		/* None is shorter than the first bucket. */
		if (sum == 0 && t->buckets[i] > 0)
			fprintf(script, "%.10g 0\n", (double)(1ULL << i));
		sum += t->buckets[i];
		if (sum > 0)
			fprintf(script, "%.10g %.6g\n", (double)(2ULL << i), 100 * sum / t->total);
	}
	fputs("END\n", script);
}

static void write_plot(FILE *script, const struct all_times *all)
{
	for (size_t i = 0; i < all->nr; i++)
		if (all->list[i].total > 0)
			write_data(script, &all->list[i], i);
	for (size_t i = 0; i < all->nr; i++) {
		size_t style = all->list[i].style % PICTURE_STYLES;

		fputs(i ? ", " : "plot ", script);
		if (all->list[i].total > 0)
			fprintf(script, "$times_%zu using 1:2", i);
		else
			fputs("NaN", script);
		fprintf(script, " with linespoints lc rgb '%s' lw 2 dt %zu pt %d ps 0.7 title ",
			picture_colours[style], i % CLASSES + 1, picture_marks[style]);
		gnuplot_quote(script, all->list[i].name);
	}
	fputc('\n', script);
}

static void draw(FILE *script, const struct chart_request *r, const struct all_times *all,
	const char *title, const char *label)
{
	struct picture p = {.script = script, .width = 640};
	const char **legend = must_calloc(all->nr, sizeof(*legend));
	const struct curves none = {0};

	for (size_t i = 0; i < all->nr; i++)
		legend[i] = all->list[i].name;
	chart_frame(&p, r, &none, title, NULL,
		&(struct frame){.axis = "percent of all, up to that long",
			.legend = legend,
			.nr_legend = all->nr,
			.lines_below = 3});
	fprintf(script,
		"set logscale x 2\nset yrange [0:100]\nset ytics 20\n"
		"set xtics ('16 ns' 16, '64 ns' 64, '256 ns' 256, '1 us' 1024, '4 us' 4096, "
		"'16 us' 16384, '66 us' 65536, '262 us' 262144, '1 ms' 1048576, '4 ms' 4194304, "
		"'17 ms' 16777216)\nset offsets 0, graph 0.03, 0, 0\n"
		"set xlabel '%s' offset 0,0.3 noenhanced\n",
		label);
	write_plot(script, all);
	free(legend);
}

static int chart_times(FILE *script, const struct chart_request *r, const char *kind,
	const char *title, const char *label, struct error *err)
{
	struct all_times all = {0};
	double total = 0;
	int status = 0;

	if (r->rows->nr > MAX_POINTS)
		return error_set(err, "%zu points are too many to tell apart: select up to %d",
			r->rows->nr, MAX_POINTS);
	status = collect(&all, r, kind, err);
	for (size_t i = 0; status == 0 && i < all.nr; i++)
		total += all.list[i].total;
	if (status == 0 && total == 0)
		status =
			error_set(err, "nothing to plot: no selected point has %ss of locks", kind);
	if (status == 0)
		draw(script, r, &all, title, label);
	free_times(&all);
	return status;
}

int chart_holds(FILE *script, void *request, struct error *err)
{
	return chart_times(script, request, "hold", "How long locks are held", "time held", err);
}

int chart_waits(FILE *script, void *request, struct error *err)
{
	return chart_times(script, request, "wait", "How long locks are waited for",
		"time waited, by those that had to", err);
}
