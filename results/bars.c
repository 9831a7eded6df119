/* SPDX-License-Identifier: GPL-3.0-or-later */
/* bars.c - grouped bars: base and patched, simulated beside published, for each configuration. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "gnuplot.h"
#include "must.h"
#include "picture.h"
#include "table.h"

/* In widths of a bar. */
#define GAP_INSIDE 0.45 /* between simulated and published */
#define GAP_BETWEEN 1.3 /* between configurations */
#define BAR_PIXELS 27

/* What the bars are: sets of patches (the first is the base) in configurations. */
struct chart {
	const struct comparison *c;
	const char **sets;
	size_t *groups; /* a point of each configuration, to name it by */
	size_t nr_sets, nr_groups;
	size_t kinds; /* 2 with published figures, else 1 */
	double scale;
};

/*
 * Lightness tells base from patched, also without colour; hatching tells published from simulated.
 */
static const char *const solid[] = {"#9ecae1", "#08519c", "#041f3d", "#4292c6"};
static const char *const hatched[] = {"#e6954a", "#a63603", "#4d1a02", "#d95f0e"};
static const int hatching[] = {4, 2, 1, 5};
#define NR_SHADES 4

static void collect(struct chart *chart, const struct comparison *c)
{
	size_t nr = c->settings.nr_points, k;

	*chart = (struct chart){.c = c, .kinds = c->has_published ? 2 : 1};
	chart->sets = must_calloc(nr, sizeof(*chart->sets));
	chart->groups = must_calloc(nr, sizeof(*chart->groups));
	for (size_t i = 0; i < nr; i++) {
		const char *set = comparison_patches(c, i);

		for (k = 0; k < chart->nr_sets && strcmp(chart->sets[k], set) != 0; k++)
			;
		if (k == chart->nr_sets)
			chart->sets[chart->nr_sets++] = set;
		for (k = 0; k < chart->nr_groups && !comparison_partners(c, chart->groups[k], i);
			k++)
			;
		if (k == chart->nr_groups)
			chart->groups[chart->nr_groups++] = i;
	}
}

/* The point of a bar, or NO_POINT. */
static size_t bar_point(const struct chart *chart, size_t group, size_t set)
{
	const struct comparison *c = chart->c;

	for (size_t i = 0; i < c->settings.nr_points; i++)
		if (comparison_partners(c, i, chart->groups[group]) &&
			strcmp(comparison_patches(c, i), chart->sets[set]) == 0)
			return i;
	return NO_POINT;
}

/* A bar's height with its interval, in the units of the axis. Kind 0 is simulated. */
static struct estimate bar_value(const struct chart *chart, size_t group, size_t set, size_t kind)
{
	size_t point = bar_point(chart, group, set);
	const struct published_row *row;
	struct estimate value = estimate_none();

	if (point == NO_POINT)
		return value;
	if (kind == 0) {
		value = point_metric(document_point(chart->c->document, point), chart->c->metric);
	} else {
		row = comparison_published(chart->c, point, chart->c->metric);
		value.mean = row ? row->value : NAN;
	}
	value.mean /= chart->scale;
	value.ci95 /= chart->scale;
	return value;
}

static double group_width(const struct chart *chart)
{
	return (double)(chart->nr_sets * chart->kinds) + GAP_INSIDE * (double)(chart->kinds - 1);
}

/* The middle of a bar. */
static double bar_x(const struct chart *chart, size_t group, size_t set, size_t kind)
{
	return (double)group * (group_width(chart) + GAP_BETWEEN) + 0.5 + (double)set +
	       (double)kind * ((double)chart->nr_sets + GAP_INSIDE);
}

static double highest(const struct chart *chart)
{
	double top = 0;

	for (size_t g = 0; g < chart->nr_groups; g++)
		for (size_t s = 0; s < chart->nr_sets; s++)
			for (size_t k = 0; k < chart->kinds; k++) {
				struct estimate v = bar_value(chart, g, s, k);

				top = fmax(top, v.mean + (isnan(v.ci95) ? 0 : v.ci95));
			}
	return top;
}

/*
 * Labels
 */

/* The gain above a pair of bars, with its interval where there is one. */
static void label_gain(
	struct picture *p, const struct chart *chart, size_t group, size_t set, size_t kind)
{
	struct estimate base = bar_value(chart, group, 0, kind);
	struct estimate patched = bar_value(chart, group, set, kind);
	struct estimate change = relative_change(base, patched);
	bool pair = chart->nr_sets == 2;
	struct label label = {.bold = true, .upright = !pair};
	char *gain, *interval;

	if (isnan(change.mean))
		return;
	label.x = bar_x(chart, group, set, kind) - (pair ? 0.5 : 0);
	label.y = fmax(pair ? base.mean : 0, patched.mean);
	label.y += isnan(patched.ci95) ? 0 : patched.ci95;
	gain = must_format("%+.1f%%", change.mean);
	interval = must_format("±%.1f", change.ci95);
	if (pair && !isnan(change.ci95)) {
		label.lines = 1;
		picture_label(p, &label, gain);
		label.lines = 0;
		label.bold = false;
		picture_label(p, &label, interval);
	} else {
		picture_label(p, &label, gain);
	}
	free(interval);
	free(gain);
}

/* Where a bar should be and is not. */
static void label_missing(struct picture *p, const struct chart *chart, size_t group, size_t set)
{
	size_t point = bar_point(chart, group, set);
	struct label label = {.x = bar_x(chart, group, set, 0), .upright = true};
	const char *status;

	if (!isnan(bar_value(chart, group, set, 0).mean))
		return;
	status = point == NO_POINT ? "not run"
				   : point_status(document_point(chart->c->document, point));
	picture_label(p, &label, strcmp(status, "ok") == 0 ? "no figure" : status);
}

/* Does a setting of a configuration follow from its patches, as the kernel's own batch may? */
static bool differs_inside(const struct chart *chart, size_t group, size_t setting)
{
	const struct settings *s = &chart->c->settings;
	size_t first = chart->groups[group];

	for (size_t i = 0; i < s->nr_points; i++)
		if (comparison_partners(chart->c, i, first) &&
			strcmp(settings_value(s, i, setting), settings_value(s, first, setting)) !=
				0)
			return true;
	return false;
}

/* The name of a configuration below its bars: one line for each setting that varies. */
static void label_group(struct picture *p, const struct chart *chart, size_t group)
{
	const struct settings *s = &chart->c->settings;
	struct label label = {.below = true};

	label.x = (double)group * (group_width(chart) + GAP_BETWEEN) + group_width(chart) / 2;
	for (size_t i = 0; i < s->nr; i++) {
		const char *value = settings_value(s, chart->groups[group], i);
		char *text;

		if (!s->list[i].varies || differs_inside(chart, group, i))
			continue;
		text = s->list[i].numeric
			       ? must_format("%s %s", setting_heading(&s->list[i]), value)
			       : must_format("%s", value);
		label.lines++;
		picture_label(p, &label, text);
		free(text);
	}
}

static int count_label_lines(const struct comparison *c)
{
	int nr = 0;

	for (size_t i = 0; i < c->settings.nr; i++)
		nr += c->settings.list[i].varies && (int)i != c->patches;
	return nr;
}

/*
 * The drawing
 */

/*
 * Does a set have figures of a kind? What was never published gets no place in the legend; what
 * should have been simulated keeps its place.
 */
static bool has_bars(const struct chart *chart, size_t set, size_t kind)
{
	for (size_t g = 0; g < chart->nr_groups; g++)
		if (kind == 0 || !isnan(bar_value(chart, g, set, kind).mean))
			return true;
	return false;
}

static char *legend_entry(const struct chart *chart, size_t set, size_t kind)
{
	const char *what = kind ? "published" : "simulated";

	if (chart->nr_sets == 1)
		return must_format("%s", what);
	if (set == 0)
		return must_format("%s, %s", what,
			strcmp(chart->sets[0], EMPTY_LIST) == 0 ? "base" : chart->sets[0]);
	return must_format("%s, %s", what, chart->sets[set]);
}

static void frame(struct picture *p, const struct chart *chart)
{
	const struct comparison *c = chart->c;
	char *axis = picture_axis(c, chart->scale);
	size_t nr = 0;
	char **legend = must_calloc(chart->nr_sets * chart->kinds, sizeof(*legend));

	for (size_t k = 0; k < chart->kinds; k++)
		for (size_t s = 0; s < chart->nr_sets; s++)
			if (has_bars(chart, s, k))
				legend[nr++] = legend_entry(chart, s, k);
	picture_comparison_frame(p, c,
		&(struct frame){
			.axis = axis,
			.legend = (const char *const *)legend,
			.nr_legend = nr,
			.lines_below = count_label_lines(c),
		});
	for (size_t i = 0; i < nr; i++)
		free(legend[i]);
	free(legend);
	free(axis);
}

/* The figures of one set and kind, as a block of data with the name @name. */
static void write_data(
	FILE *script, const struct chart *chart, const char *name, size_t set, size_t kind)
{
	fprintf(script, "%s << END\n", name);
	for (size_t g = 0; g < chart->nr_groups; g++) {
		struct estimate v = bar_value(chart, g, set, kind);

		if (!isnan(v.mean))
			fprintf(script, "%.6g %.8g %.8g\n", bar_x(chart, g, set, kind), v.mean,
				isnan(v.ci95) ? 0 : v.ci95);
	}
	/* Keeps an empty block legal, and lies outside what is drawn. */
	fputs("-100 0 0\nEND\n", script);
}

/*
 * Error bars as arrows with flat heads: with errorbars gnuplot blanks a circle around the point. A
 * pale one below each dark one keeps it visible on a dark bar.
 */
static void write_error_bars(
	FILE *script, const struct chart *chart, const char *colour, double width)
{
	for (size_t s = 0; s < chart->nr_sets; s++)
		fprintf(script,
			", $bars_0_%zu using 1:($2-$3):(0):(2*$3) with vectors heads size 0.14,90 "
			"lc rgb '%s' lw %.1f notitle",
			s, colour, width);
}

static void write_plots(FILE *script, const struct chart *chart)
{
	const char *separator = "plot ";

	for (size_t k = 0; k < chart->kinds; k++) {
		for (size_t s = 0; s < chart->nr_sets; s++) {
			char *entry = legend_entry(chart, s, k);
			size_t shade = s % NR_SHADES;

			if (!has_bars(chart, s, k)) {
				free(entry);
				continue;
			}
			fprintf(script, "%s$bars_%zu_%zu using 1:2:(1) with boxes ", separator, k,
				s);
			if (k == 0)
				fprintf(script, "fill solid 1 border rgb '#222222' lc rgb '%s'",
					solid[shade]);
			else
				fprintf(script, "fill pattern %d border rgb '%s' lc rgb '%s'",
					hatching[shade], hatched[shade], hatched[shade]);
			fputs(" title ", script);
			gnuplot_quote(script, entry);
			separator = ", ";
			free(entry);
		}
	}
	write_error_bars(script, chart, "#ffffff", 3.4);
	write_error_bars(script, chart, "#000000", 1.4);
	fputc('\n', script);
}

int picture_bars(struct picture *p, const struct comparison *c)
{
	struct chart chart;
	const char *prefix;
	double top;

	collect(&chart, c);
	chart.scale = metric_scale(c, c->metric, &prefix);
	top = highest(&chart);
	p->width = fmax(560, 2 * 40 + BAR_PIXELS * (double)chart.nr_groups *
					      (group_width(&chart) + GAP_BETWEEN));
	frame(p, &chart);
	fprintf(p->script,
		"set xrange [%g:%g]\nset yrange [0:%.6g]\nunset xtics\n"
		"set boxwidth 1 absolute\n",
		-GAP_BETWEEN / 2,
		(double)chart.nr_groups * (group_width(&chart) + GAP_BETWEEN) - GAP_BETWEEN / 2,
		(chart.nr_sets > 2 ? 1.3 : 1.18) * top);
	for (size_t g = 0; g < chart.nr_groups; g++) {
		label_group(p, &chart, g);
		for (size_t s = 0; s < chart.nr_sets; s++) {
			label_missing(p, &chart, g, s);
			for (size_t k = 0; s > 0 && k < chart.kinds; k++)
				label_gain(p, &chart, g, s, k);
		}
	}
	for (size_t k = 0; k < chart.kinds; k++) {
		for (size_t s = 0; s < chart.nr_sets; s++) {
			char *name = must_format("$bars_%zu_%zu", k, s);

			write_data(p->script, &chart, name, s, k);
			free(name);
		}
	}
	write_plots(p->script, &chart);
	free(chart.sets);
	free(chart.groups);
	return top > 0 ? 0 : -1;
}
