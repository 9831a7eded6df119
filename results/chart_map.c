/* SPDX-License-Identifier: GPL-3.0-or-later */
/* chart_map.c - a metric as shades over two numbers, with its figures written in. */
#include <math.h>
#include <stdlib.h>

#include "../models/error.h"
#include "chart_internal.h"
#include "gnuplot.h"
#include "must.h"

/* The values of one axis, sorted. */
struct places {
	double *list;
	size_t nr;
};

static void add_place(struct places *p, double value)
{
	size_t at = 0;

	while (at < p->nr && p->list[at] < value)
		at++;
	if (at < p->nr && p->list[at] == value)
		return;
	p->list = must_realloc(p->list, p->nr + 1, sizeof(*p->list));
	for (size_t i = p->nr++; i > at; i--)
		p->list[i] = p->list[i - 1];
	p->list[at] = value;
}

static size_t place_of(const struct places *p, double value)
{
	size_t at = 0;

	while (p->list[at] != value)
		at++;
	return at;
}

/* Cells are equally large, whatever the steps. */
static void write_tics(FILE *script, const char *axis, const struct places *p)
{
	fprintf(script, "set %stics (", axis);
	for (size_t i = 0; i < p->nr; i++)
		fprintf(script, "%s'%.10g' %zu", i ? ", " : "", p->list[i], i);
	fprintf(script, ") scale 0\nset %srange [-0.5:%g]\n", axis, (double)p->nr - 0.5);
}

static void write_data(FILE *script, const struct curve *curve, const struct places *x,
	const struct places *y, double scale)
{
	fputs("$map << END\n", script);
	for (size_t i = 0; i < curve->nr; i++) {
		const struct curve_point *p = &curve->points[i];

		if (!isnan(p->means[0].mean))
			fprintf(script, "%zu %zu %.6g\n", place_of(x, p->x), place_of(y, p->y),
				p->means[0].mean / scale);
	}
	fputs("END\n", script);
}

/* Light to dark, so that it reads without colour; figures are white on the dark half. */
static void write_map(FILE *script)
{
	fputs("set palette defined (0 '#f7fbff', 1 '#6baed6', 2 '#08306b')\nunset colorbox\n"
	      "set border 0\nunset grid\n"
	      "set cbrange [STATS_min == STATS_max ? STATS_min - 1 : STATS_min : STATS_max]\n"
	      "shade(v) = STATS_max > STATS_min ? (v - STATS_min) / (STATS_max - STATS_min) : 0\n"
	      "plot $map using 1:2:(0.5):(0.5):3 with boxxyerror fill solid 1 border rgb '#ffffff' "
	      "fc palette notitle, "
	      "$map using 1:2:(sprintf('%.3g', $3)):(shade($3) > 0.5 ? 0xffffff : 0) with labels "
	      "tc rgb variable font 'sans-serif,11' notitle\n",
		script);
}

static int check_map(const struct curves *c, const struct places *x, const struct places *y,
	const char *x_key, const char *y_key, struct error *err)
{
	if (c->nr > 1)
		return error_set(err,
			"%zu maps can not be drawn in one picture: select one, such as "
			"'%s' or '%s'",
			c->nr, c->list[0].name, c->list[1].name);
	if (x->nr > 1 && y->nr > 1 && c->list[0].nr <= x->nr && c->list[0].nr <= y->nr)
		return error_set(err, "nothing to map: each %s goes with one %s", x_key, y_key);
	if (x->nr > 1 && y->nr > 1)
		return 0;
	return error_set(
		err, "nothing to map: all points have the same %s", x->nr > 1 ? y_key : x_key);
}

static void draw(struct picture *p, const struct chart_request *r, const struct curves *c,
	const struct places *x, const struct places *y, const char *y_key)
{
	const char *factor, *metric = r->rows->metrics[0];
	double scale = chart_scale(c, 0, &factor);
	char *title = must_format("%s over %s and %s", metric, c->x, y_key);
	char *axis = must_format("%s (%s: %s%s, the darker the more)", y_key, metric, factor,
		r->rows->metric_units[0]);

	chart_frame(p, r, c, title, NULL, &(struct frame){.axis = axis, .lines_below = 3});
	fputs("set xlabel ", p->script);
	gnuplot_quote(p->script, c->x);
	fputs(" offset 0,0.3 noenhanced\n", p->script);
	write_data(p->script, &c->list[0], x, y, scale);
	/* Before there are ranges, which would leave figures out. */
	fputs("stats $map using 3 nooutput\n", p->script);
	write_tics(p->script, "x", x);
	write_tics(p->script, "y", y);
	write_map(p->script);
	free(axis);
	free(title);
}

int chart_map(FILE *script, void *request, struct error *err)
{
	struct chart_request *r = request;
	struct picture p = {.script = script, .width = 640};
	const char *x_key = r->x ? r->x : "pcp.batch", *y_key = r->y ? r->y : "pcp.high";
	struct places x = {0}, y = {0};
	struct curves c;
	int status;

	if (curves_make(&c, r->rows, x_key, y_key, err) < 0)
		return -1;
	curves_drop_published(&c);
	for (size_t i = 0; i < c.list[0].nr; i++) {
		add_place(&x, c.list[0].points[i].x);
		add_place(&y, c.list[0].points[i].y);
	}
	status = check_map(&c, &x, &y, x_key, y_key, err);
	if (status == 0)
		draw(&p, r, &c, &x, &y, y_key);
	free(x.list);
	free(y.list);
	curves_free(&c);
	return status;
}
