/* SPDX-License-Identifier: GPL-3.0-or-later */
/* lines.c - the score against the one number that varies, a line for each other configuration. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "gnuplot.h"
#include "must.h"
#include "picture.h"
#include "table.h"

/* The horizontal axis, and which settings tell the lines apart. */
struct lines {
	const struct comparison *c;
	size_t x;	/* the setting on the horizontal axis */
	bool *apart;	/* of each setting */
	size_t *series; /* a point of each line */
	size_t nr_series;
	double scale;
};

static const char *value(const struct comparison *c, size_t point, size_t setting)
{
	return settings_value(&c->settings, point, setting);
}

/* Does @setting follow from @x, as pcp.high follows from pcp.batch? */
static bool follows(const struct comparison *c, size_t setting, size_t x)
{
	for (size_t i = 0; i < c->settings.nr_points; i++)
		for (size_t k = 0; k < i; k++)
			if (strcmp(value(c, i, x), value(c, k, x)) == 0 &&
				strcmp(value(c, i, setting), value(c, k, setting)) != 0)
				return false;
	return true;
}

static bool same_line(const struct lines *l, size_t a, size_t b)
{
	for (size_t i = 0; i < l->c->settings.nr; i++)
		if (l->apart[i] && strcmp(value(l->c, a, i), value(l->c, b, i)) != 0)
			return false;
	return true;
}

/* Sort the points into lines along setting @x. Returns whether a line has two points or more. */
static bool along(struct lines *l, size_t x)
{
	const struct settings *s = &l->c->settings;
	size_t k;

	l->x = x;
	l->nr_series = 0;
	for (size_t i = 0; i < s->nr; i++)
		l->apart[i] =
			s->list[i].varies && i != x && !(s->list[i].numeric && follows(l->c, i, x));
	for (size_t i = 0; i < s->nr_points; i++) {
		for (k = 0; k < l->nr_series && !same_line(l, l->series[k], i); k++)
			;
		if (k == l->nr_series)
			l->series[l->nr_series++] = i;
	}
	return l->nr_series < s->nr_points;
}

/* Find the horizontal axis: tasks, batch, or the first number that varies; never the seed. */
static bool find_axis(struct lines *l)
{
	static const char *const preferred[] = {"tasks", "pcp.batch"};
	const struct settings *s = &l->c->settings;

	for (size_t i = 0; i < sizeof(preferred) / sizeof(*preferred); i++) {
		int x = settings_find(s, preferred[i]);

		if (x >= 0 && s->list[x].varies && s->list[x].numeric && along(l, (size_t)x))
			return true;
	}
	for (size_t i = 0; i < s->nr; i++)
		if (s->list[i].varies && s->list[i].numeric &&
			strcmp(s->list[i].path, "seed") != 0 && along(l, i))
			return true;
	return false;
}

static void lines_init(struct lines *l, const struct comparison *c)
{
	*l = (struct lines){.c = c};
	l->apart = must_calloc(c->settings.nr, sizeof(*l->apart));
	l->series = must_calloc(c->settings.nr_points, sizeof(*l->series));
}

static void lines_free(struct lines *l)
{
	free(l->apart);
	free(l->series);
}

bool picture_has_lines(const struct comparison *c)
{
	struct lines l;
	bool found;

	lines_init(&l, c);
	found = find_axis(&l);
	lines_free(&l);
	return found;
}

/*
 * The drawing
 */

static double published_value(const struct lines *l, size_t point)
{
	const struct published_row *row = comparison_published(l->c, point, l->c->metric);

	return row ? row->value / l->scale : NAN;
}

/* Has any point of the line a published figure? */
static bool has_published(const struct lines *l, size_t series)
{
	for (size_t i = 0; i < l->c->settings.nr_points; i++)
		if (same_line(l, i, l->series[series]) && !isnan(published_value(l, i)))
			return true;
	return false;
}

/* Data of a line: x, simulated, its interval, published; "NaN" is what gnuplot leaves out. */
static void write_data(FILE *script, const struct lines *l, size_t series)
{
	fprintf(script, "$line_%zu << END\n", series);
	for (size_t i = 0; i < l->c->settings.nr_points; i++) {
		struct estimate v;

		if (!same_line(l, i, l->series[series]))
			continue;
		v = point_metric(document_point(l->c->document, i), l->c->metric);
		fprintf(script, "%s %.8g %.8g %.8g\n", value(l->c, i, l->x), v.mean / l->scale,
			isnan(v.ci95) ? 0 : v.ci95 / l->scale, published_value(l, i));
	}
	fputs("END\n", script);
}

/* What tells a line from the others. */
static char *line_name(const struct lines *l, size_t series, bool published)
{
	char *name = must_format("%s", published ? "published" : "simulated");

	for (size_t i = 0; i < l->c->settings.nr; i++) {
		const struct setting *s = &l->c->settings.list[i];
		const char *text = value(l->c, l->series[series], i);
		bool patches = (int)i == l->c->patches;
		char *longer;

		if (!l->apart[i])
			continue;
		if (patches && strcmp(text, EMPTY_LIST) == 0)
			longer = must_format("%s, base", name);
		else
			longer = must_format("%s, %s%s%s", name,
				s->numeric ? setting_heading(s) : "", s->numeric ? " " : "", text);
		free(name);
		name = longer;
	}
	return name;
}

static void write_plots(FILE *script, const struct lines *l)
{
	const char *separator = "plot ";

	for (size_t i = 0; i < l->nr_series; i++) {
		size_t style = i % PICTURE_STYLES;
		char *name = line_name(l, i, false);

		fprintf(script,
			"%s$line_%zu using 1:2:3 with yerrorlines lc rgb '%s' lw 2 pt %d "
			"ps 0.8 title ",
			separator, i, picture_colours[style], picture_marks[style]);
		gnuplot_quote(script, name);
		free(name);
		separator = ", ";
		if (!has_published(l, i))
			continue;
		name = line_name(l, i, true);
		/* The mark before is the same one, hollow. */
		fprintf(script,
			", $line_%zu using 1:4 with linespoints lc rgb '%s' lw 1.5 dt 2 "
			"pt %d ps 0.8 title ",
			i, picture_colours[style], picture_marks[style] - 1);
		gnuplot_quote(script, name);
		free(name);
	}
	fputc('\n', script);
}

static void frame(struct picture *p, const struct lines *l)
{
	const struct comparison *c = l->c;
	char *axis = picture_axis(c, l->scale);
	char **legend = must_calloc(2 * l->nr_series, sizeof(*legend));
	size_t nr = 0;

	for (size_t i = 0; i < l->nr_series; i++) {
		legend[nr++] = line_name(l, i, false);
		if (has_published(l, i))
			legend[nr++] = line_name(l, i, true);
	}
	picture_comparison_frame(p, c,
		&(struct frame){.axis = axis,
			.legend = (const char *const *)legend,
			.nr_legend = nr,
			.lines_below = 3});
	for (size_t i = 0; i < nr; i++)
		free(legend[i]);
	free(legend);
	free(axis);
}

int picture_lines(struct picture *p, const struct comparison *c)
{
	struct lines l;
	const char *prefix;

	lines_init(&l, c);
	if (!find_axis(&l)) {
		lines_free(&l);
		return -1;
	}
	l.scale = metric_scale(c, c->metric, &prefix);
	p->width = 640;
	frame(p, &l);
	fputs("set yrange [0:*]\nset xrange [0:*]\nset offsets 0, graph 0.03, graph 0.05, 0\n"
	      "set datafile missing 'nan'\nset xlabel ",
		p->script);
	gnuplot_quote(p->script, c->settings.list[l.x].path);
	fputs(" offset 0,0.3 noenhanced\n", p->script);
	for (size_t i = 0; i < l.nr_series; i++)
		write_data(p->script, &l, i);
	write_plots(p->script, &l);
	lines_free(&l);
	return 0;
}
