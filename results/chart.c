/* SPDX-License-Identifier: GPL-3.0-or-later */
/* chart.c - the kinds of charts, and what they share. */
#include "chart.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "chart_internal.h"
#include "gnuplot.h"
#include "must.h"
#include "svg.h"

static const char *const no_metrics[] = {NULL};
static const char *const spin_metrics[] = {"zone_lock_spin_share", "lru_lock_spin_share", NULL};

const struct chart_kind chart_kinds[] = {
	{"lines", "a metric against a number, a line for each of what else varies", NULL, false,
		false, chart_lines},
	{"scaling", "a metric against tasks, in units of that of one", NULL, true, false,
		chart_scaling},
	{"spin", "CPU time that goes to the zone lock, the LRU lock, the rest", spin_metrics, false,
		false, chart_spin},
	{"map", "a metric as shades over two numbers", NULL, false, true, chart_map},
	{"holds", "how long locks are held: the share of holds up to a time", no_metrics, true,
		false, chart_holds},
	{"waits", "how long locks are waited for: the share of waits up to a time", NULL, true,
		false, chart_waits},
	{NULL, NULL, NULL, false, false, NULL},
};

const struct chart_kind *chart_find(const char *name)
{
	for (const struct chart_kind *kind = chart_kinds; kind->name; kind++)
		if (strcmp(kind->name, name) == 0)
			return kind;
	return NULL;
}

int chart_write(const char *path, const struct chart_kind *kind, struct chart_request *request,
	struct error *err)
{
	return svg_write(path, kind->draw, request, err);
}

int chart_print(
	FILE *out, const struct chart_kind *kind, struct chart_request *request, struct error *err)
{
	return svg_print(out, kind->draw, request, err);
}

/*
 * Shared
 */

static size_t count_failed(const struct rows *rows)
{
	size_t nr = 0;

	for (size_t i = 0; i < rows->nr; i++)
		nr += strcmp(rows->list[i].status, "failed") == 0;
	return nr;
}

/* What the picture rests on. The caller frees it. */
static char *origin(const struct chart_request *r, const struct curves *c, const char *bands)
{
	const struct rows *rows = r->rows;
	size_t failed = count_failed(rows);
	char *common = rows_common(rows), *text, *spread = must_format("%s", "");

	if (bands && c->most_seeds >= MIN_SEEDS) {
		free(spread);
		spread = must_format(
			" Means of %zu seeds; %s: 95%% intervals.", c->most_seeds, bands);
	} else if (bands) {
		free(spread);
		spread = must_format(
			" %c%s: 95%% intervals of single runs.", bands[0] - 'a' + 'A', bands + 1);
	}
	text = must_format("Simulated with zonesim %s, model %.8s: %s. %zu point%s, the first is "
			   "%.8s.%s%s",
		rows->list[0].version, rows->list[0].model, common, rows->nr,
		rows->nr == 1 ? "" : "s", rows->list[0].fingerprint, spread,
		failed ? " FAILED points are missing." : "");
	free(spread);
	free(common);
	return text;
}

void chart_frame(struct picture *p, const struct chart_request *r, const struct curves *c,
	const char *title, const char *bands, struct frame *frame)
{
	char *simulated = origin(r, c, bands);
	char *published =
		c->sources ? must_format("Published: %s.", c->sources) : must_format("%s", "");

	frame->title = r->title ? r->title : title;
	frame->footer[0] = simulated;
	frame->footer[1] = published;
	picture_frame(p, frame);
	free(simulated);
	free(published);
}

double chart_scale(const struct curves *c, size_t metric, const char **factor)
{
	double largest = 0;

	for (size_t i = 0; i < c->nr; i++)
		for (size_t k = 0; k < c->list[i].nr; k++)
			largest = fmax(largest, c->list[i].points[k].means[metric].mean);
	*factor = largest >= 1e6 ? "million " : largest >= 1e4 ? "thousand " : "";
	return largest >= 1e6 ? 1e6 : largest >= 1e4 ? 1e3 : 1;
}

/* Do the places grow by factors rather than by steps? */
static bool is_logarithmic(const struct curve *c)
{
	double first, last;

	if (c->nr < 4 || c->points[0].x <= 0)
		return false;
	first = c->points[1].x - c->points[0].x;
	last = c->points[c->nr - 1].x - c->points[c->nr - 2].x;
	return last > 4 * first && c->points[c->nr - 1].x > 8 * c->points[0].x;
}

/* The ends of all curves. */
static void find_range(const struct curves *c, double *first, double *last)
{
	*first = INFINITY;
	*last = -INFINITY;
	for (size_t i = 0; i < c->nr; i++) {
		*first = fmin(*first, c->list[i].points[0].x);
		*last = fmax(*last, c->list[i].points[c->list[i].nr - 1].x);
	}
}

void chart_x_axis(FILE *script, const struct curves *c, bool linear)
{
	bool logarithmic = !linear;
	double first, last;

	find_range(c, &first, &last);
	for (size_t i = 0; i < c->nr; i++)
		logarithmic = logarithmic && is_logarithmic(&c->list[i]);
	if (logarithmic) {
		fprintf(script, "set logscale x 2\nset xrange [%.6g:%.6g]\nset xtics (",
			first / 1.15, last * 1.15);
		for (size_t k = 0; k < c->list[0].nr; k++)
			fprintf(script, "%s%.10g", k ? ", " : "", c->list[0].points[k].x);
		fputs(")\nset offsets 0, 0, graph 0.05, 0\n", script);
	} else {
		fputs("set xrange [0:*]\nset offsets 0, graph 0.03, graph 0.05, 0\n", script);
	}
	fputs("set xlabel ", script);
	gnuplot_quote(script, c->x);
	fputs(" offset 0,0.3 noenhanced\n", script);
}
