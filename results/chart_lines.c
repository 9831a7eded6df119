/* SPDX-License-Identifier: GPL-3.0-or-later */
/* chart_lines.c - a metric against a number, and how it scales with tasks. */
#include <math.h>
#include <stdlib.h>

#include "../models/error.h"
#include "chart_internal.h"
#include "gnuplot.h"
#include "must.h"

static bool has_published(const struct curve *curve)
{
	for (size_t i = 0; i < curve->nr; i++)
		if (!isnan(curve->points[i].published[0]))
			return true;
	return false;
}

static bool has_figures(const struct curve *curve)
{
	for (size_t i = 0; i < curve->nr; i++)
		if (!isnan(curve->points[i].means[0].mean))
			return true;
	return false;
}

/* A curve without a figure would be missed without a word: it is named in the legend. */
static char *legend_entry(const struct curve *curve, bool published)
{
	const char *missing = published || has_figures(curve) ? "" : " (failed)";

	return must_format("%s%s%s%s",
		published      ? "published"
		: *curve->name ? ""
			       : "simulated",
		published && *curve->name ? ": " : "", curve->name, missing);
}

static char **legend_of(const struct curves *c, size_t *nr)
{
	char **legend = must_calloc(2 * c->nr + 1, sizeof(*legend));

	*nr = 0;
	for (size_t i = 0; i < c->nr; i++) {
		legend[(*nr)++] = legend_entry(&c->list[i], false);
		if (has_published(&c->list[i]))
			legend[(*nr)++] = legend_entry(&c->list[i], true);
	}
	return legend;
}

static void free_legend(char **legend, size_t nr)
{
	for (size_t i = 0; i < nr; i++)
		free(legend[i]);
	free(legend);
}

/* Data of a curve: x, mean, half width, published; in the unit of the axis. */
static void write_data(FILE *script, const struct curve *curve, size_t number, double scale)
{
	fprintf(script, "$curve_%zu << END\n", number);
	for (size_t i = 0; i < curve->nr; i++) {
		const struct curve_point *p = &curve->points[i];
		double half = isfinite(p->means[0].ci95) ? p->means[0].ci95 : 0;

		fprintf(script, "%.10g %.8g %.8g %.8g\n", p->x, p->means[0].mean / scale,
			half / scale, p->published[0] / scale);
	}
	fputs("END\n", script);
}

/* Bands first, so that no band hides a line. */
static void write_bands(FILE *script, const struct curves *c)
{
	for (size_t i = 0; i < c->nr; i++)
		if (has_figures(&c->list[i]))
			fprintf(script,
				"%s$curve_%zu using 1:($2-$3):($2+$3) with filledcurves "
				"fs transparent solid 0.2 noborder lc rgb '%s' notitle",
				i ? ", " : "plot ", i, picture_colours[i % PICTURE_STYLES]);
		else
			fprintf(script, "%sNaN notitle", i ? ", " : "plot ");
}

static void write_line(FILE *script, const struct curve *curve, size_t number)
{
	size_t style = number % PICTURE_STYLES;
	char *entry = legend_entry(curve, false);

	fprintf(script, ", ");
	if (has_figures(curve))
		fprintf(script,
			"$curve_%zu using 1:($2-$3):(0):(2*$3) with vectors nohead lc rgb '%s' "
			"lw 1 notitle, "
			"$curve_%zu using 1:2",
			number, picture_colours[style], number);
	else
		fputs("NaN", script);
	/* Where one lies on another, gaps and smaller marks let the other one show. */
	fprintf(script, " with linespoints lc rgb '%s' lw %.1f dt %d pt %d ps %.1f title ",
		picture_colours[style], number ? 2.0 : 2.6, number % 2 ? 4 : 1,
		picture_marks[style], number ? 0.8 : 1.1);
	gnuplot_quote(script, entry);
	free(entry);
	if (!has_published(curve))
		return;
	entry = legend_entry(curve, true);
	fprintf(script,
		", $curve_%zu using 1:4 with linespoints lc rgb '%s' lw 1.5 dt 2 pt %d "
		"ps 0.8 title ",
		number, picture_colours[style], picture_marks[style] - 1);
	gnuplot_quote(script, entry);
	free(entry);
}

/* All but the frame. @more is plotted in the end; "" for nothing. */
static void write_curves(
	FILE *script, const struct curves *c, double scale, bool linear, const char *more)
{
	fputs("set yrange [0:*]\nset datafile missing 'nan'\n", script);
	chart_x_axis(script, c, linear);
	for (size_t i = 0; i < c->nr; i++)
		write_data(script, &c->list[i], i, scale);
	write_bands(script, c);
	for (size_t i = 0; i < c->nr; i++)
		write_line(script, &c->list[i], i);
	fprintf(script, "%s\n", more);
}

static int check_figures(const struct curves *c, const char *metric, struct error *err)
{
	for (size_t i = 0; i < c->nr; i++)
		if (has_figures(&c->list[i]))
			return 0;
	return error_set(err, "nothing to plot: no point has a %s", metric);
}

int chart_lines(FILE *script, void *request, struct error *err)
{
	struct chart_request *r = request;
	struct picture p = {.script = script, .width = 640};
	struct curves c;
	const char *factor, *metric = r->rows->metrics[0];
	double scale;
	char **legend, *axis, *title;
	size_t nr;

	if (curves_make(&c, r->rows, r->x, NULL, err) < 0)
		return -1;
	if (check_figures(&c, metric, err) < 0) {
		curves_free(&c);
		return -1;
	}
	scale = chart_scale(&c, 0, &factor);
	axis = must_format("%s, %s%s", metric, factor, r->rows->metric_units[0]);
	title = must_format("%s against %s", metric, c.x);
	legend = legend_of(&c, &nr);
	chart_frame(&p, r, &c, title, "bands",
		&(struct frame){.axis = axis,
			.legend = (const char *const *)legend,
			.nr_legend = nr,
			.lines_below = 3});
	write_curves(script, &c, scale, false, "");
	free_legend(legend, nr);
	free(title);
	free(axis);
	curves_free(&c);
	return 0;
}

/* Divide each curve by its first point. The interval of that one is left out: it is the unit. */
static void relate_to_first(struct curves *c)
{
	for (size_t i = 0; i < c->nr; i++) {
		double unit = c->list[i].nr
				      ? c->list[i].points[0].means[0].mean / c->list[i].points[0].x
				      : NAN;

		for (size_t k = 0; k < c->list[i].nr; k++) {
			struct curve_point *p = &c->list[i].points[k];

			p->means[0].mean /= unit;
			p->means[0].ci95 /= unit;
		}
	}
	curves_drop_published(c);
}

int chart_scaling(FILE *script, void *request, struct error *err)
{
	struct chart_request *r = request;
	struct picture p = {.script = script, .width = 640};
	struct curves c;
	char **legend, *axis, *title;
	size_t nr;

	if (curves_make(&c, r->rows, "tasks", NULL, err) < 0)
		return -1;
	if (check_figures(&c, r->rows->metrics[0], err) < 0) {
		curves_free(&c);
		return -1;
	}
	relate_to_first(&c);
	axis = must_format("%s, in units of that of one task", r->rows->metrics[0]);
	title = must_format("Scaling of %s with tasks", r->rows->metrics[0]);
	legend = legend_of(&c, &nr);
	legend[nr++] = must_format("ideal");
	chart_frame(&p, r, &c, title, "bands",
		&(struct frame){.axis = axis,
			.legend = (const char *const *)legend,
			.nr_legend = nr,
			.lines_below = 3});
	write_curves(
		script, &c, 1, true, ", x with lines lc rgb '#777777' dt 3 lw 1.5 title 'ideal'");
	free_legend(legend, nr);
	free(title);
	free(axis);
	curves_free(&c);
	return 0;
}
