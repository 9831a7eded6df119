/* SPDX-License-Identifier: GPL-3.0-or-later */
/* chart_spin.c - where CPU time goes: two locks and the rest, one on the other. */
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>

#include "../models/error.h"
#include "chart_internal.h"
#include "gnuplot.h"
#include "must.h"

/* What is stacked, from the bottom: shades that differ also without colour, and a hatching. */
static const struct {
	const char *name, *colour;
	int pattern;
} layers[] = {
	{"zone lock", "#0072b2", 3},
	{"LRU lock", "#e69f00", 1},
	{"rest: work", "#dddddd", 0},
};
#define NR_LAYERS (sizeof(layers) / sizeof(*layers))

/* Only one stack can be drawn: which it is, is the user's choice. */
static int check_single(const struct curves *c, struct error *err)
{
	if (c->nr == 1)
		return 0;
	return error_set(err,
		"%zu stacks can not be drawn in one picture: select one, such as "
		"'%s' or '%s'",
		c->nr, c->list[0].name, c->list[1].name);
}

/* Published shares of both locks are marked as what they would be in the stack. */
static bool has_published(const struct curve *curve)
{
	for (size_t i = 0; i < curve->nr; i++)
		if (!isnan(curve->points[i].published[0]) && !isnan(curve->points[i].published[1]))
			return true;
	return false;
}

static void write_published(FILE *script, const struct curve *curve)
{
	size_t bar = 0;

	fputs("$published << END\n", script);
	for (size_t i = 0; i < curve->nr; i++) {
		const struct curve_point *p = &curve->points[i];

		if (isnan(p->means[0].mean) || isnan(p->means[1].mean))
			continue;
		if (!isnan(p->published[0]) && !isnan(p->published[1]))
			fprintf(script, "%zu %.6g %.6g\n", bar, p->published[0],
				p->published[0] + p->published[1]);
		bar++;
	}
	fputs("END\n", script);
}

static void write_data(FILE *script, const struct curve *curve)
{
	fputs("$stack << END\n", script);
	for (size_t i = 0; i < curve->nr; i++) {
		double zone = curve->points[i].means[0].mean, lru = curve->points[i].means[1].mean;

		if (!isnan(zone) && !isnan(lru))
			fprintf(script, "%zu %.10g %.6g %.6g %.6g\n", i, curve->points[i].x, zone,
				lru, 100 - zone - lru);
	}
	fputs("END\n", script);
}

/* White marks with a dark edge show on every shade. */
static void write_marks(FILE *script)
{
	for (int column = 2; column <= 3; column++)
		fprintf(script,
			", $published using 1:%d with points pt 7 ps 1.1 lc rgb '#ffffff' notitle, "
			"$published using 1:%d with points pt 6 ps 1.1 lw 2 lc rgb '#000000' %s",
			column, column, column == 2 ? "title 'published'" : "notitle");
}

static void write_layers(FILE *script, bool published)
{
	fputs("set style data histograms\nset style histogram rowstacked\nset boxwidth 0.75\n"
	      "set yrange [0:100]\nset ytics 20\n",
		script);
	for (size_t i = 0; i < NR_LAYERS; i++) {
		fprintf(script, "%s$stack using %zu%s ", i ? ", " : "plot ", i + 3,
			i == 0 ? ":xtic(2)" : "");
		if (layers[i].pattern)
			fprintf(script, "fill pattern %d border rgb '#222222' lc rgb '%s'",
				layers[i].pattern, layers[i].colour);
		else
			fprintf(script, "fill solid 1 border rgb '#222222' lc rgb '%s'",
				layers[i].colour);
		fputs(" title ", script);
		gnuplot_quote(script, layers[i].name);
	}
	if (published)
		write_marks(script);
	fputc('\n', script);
}

int chart_spin(FILE *script, void *request, struct error *err)
{
	struct chart_request *r = request;
	struct picture p = {.script = script, .width = 640};
	const char *legend[NR_LAYERS + 1];
	bool published;
	struct curves c;
	char *title;

	if (curves_make(&c, r->rows, r->x ? r->x : "pcp.batch", NULL, err) < 0)
		return -1;
	if (check_single(&c, err) < 0) {
		curves_free(&c);
		return -1;
	}
	for (size_t i = 0; i < NR_LAYERS; i++)
		legend[i] = layers[i].name;
	published = has_published(&c.list[0]);
	legend[NR_LAYERS] = "published";
	title = must_format("CPU time that goes to spinning, against %s", c.x);
	chart_frame(&p, r, &c, title, NULL,
		&(struct frame){.axis = "percent of the CPU time of all tasks",
			.legend = legend,
			.nr_legend = NR_LAYERS + published,
			.lines_below = 3});
	fputs("set xlabel ", script);
	gnuplot_quote(script, c.x);
	fputs(" offset 0,0.3 noenhanced\n", script);
	write_data(script, &c.list[0]);
	if (published)
		write_published(script, &c.list[0]);
	write_layers(script, published);
	free(title);
	curves_free(&c);
	return 0;
}
