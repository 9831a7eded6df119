/* SPDX-License-Identifier: GPL-3.0-or-later */
/* explanation.c - from runs with varied figures to what each figure does. */
#include "explanation.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <gsl/gsl_sort.h>
#include <gsl/gsl_statistics_double.h>

#include "../models/error.h"
#include "comparison.h"
#include "must.h"

/* ---- reading ---- */

static char *label_of(const struct comparison *c, const struct comparison_row *row)
{
	size_t point = row->base.point != NO_POINT ? row->base.point : row->patched.point;
	char *label = NULL;

	for (size_t i = 0; i < c->settings.nr; i++) {
		const char *path = c->settings.list[i].path;
		bool always = strcmp(path, "machine") == 0;
		char *longer;

		if ((int)i == c->patches || !(always || c->settings.list[i].varies))
			continue;
		longer = must_format("%s%s%s%s%s", label ? label : "", label ? ", " : "",
			always ? "" : setting_heading(&c->settings.list[i]), always ? "" : " ",
			settings_value(&c->settings, point, i));
		free(label);
		label = longer;
	}
	return label;
}

static void make_row(
	struct explained_row *row, const struct comparison *c, size_t i, size_t nr_blocks)
{
	const struct comparison_row *from = &c->rows[i];

	row->label = label_of(c, from);
	row->base_point = json_incref((json_t *)from->base.result);
	row->patched_point = json_incref((json_t *)from->patched.result);
	if (from->patched.point != NO_POINT)
		row->patches = must_format("%s", comparison_patches(c, from->patched.point));
	row->score = must_calloc(nr_blocks, sizeof(*row->score));
	row->change = must_calloc(nr_blocks, sizeof(*row->change));
}

static int read_block(struct explanation *e, const json_t *document, size_t block, size_t nr_blocks,
	size_t nr_points, struct error *err)
{
	json_t *part = document_part(document, block * nr_points, nr_points);
	struct comparison c;
	int status = part ? comparison_make(&c, part, err) : error_set(err, "out of memory");

	if (status < 0) {
		json_decref(part);
		return -1;
	}
	if (block == 0) {
		e->metric = must_format("%s", c.metric);
		e->unit = must_format("%s", metric_text(part, c.metric, "unit"));
		e->rows = must_calloc(c.nr_rows, sizeof(*e->rows));
		for (e->nr_rows = 0; e->nr_rows < c.nr_rows; e->nr_rows++)
			make_row(&e->rows[e->nr_rows], &c, e->nr_rows, nr_blocks);
	}
	for (size_t i = 0; i < e->nr_rows && i < c.nr_rows; i++) {
		e->rows[i].score[block] = c.rows[i].base.value;
		e->rows[i].change[block] = c.rows[i].change;
	}
	comparison_free(&c);
	json_decref(part);
	return 0;
}

int explanation_make(struct explanation *e, const json_t *document, size_t nr_points,
	const struct varied_figure *figures, size_t nr_figures, size_t nr_samples,
	struct error *err)
{
	size_t nr_blocks = 1 + nr_figures + nr_samples;

	*e = (struct explanation){
		.figures = figures, .nr_figures = nr_figures, .nr_samples = nr_samples};
	if (document_check(document, err) < 0)
		return -1;
	if (document_size(document) != nr_blocks * nr_points)
		return error_set(err, "%zu points where %zu times %zu were expected",
			document_size(document), nr_blocks, nr_points);
	for (size_t block = 0; block < nr_blocks; block++) {
		if (read_block(e, document, block, nr_blocks, nr_points, err) < 0) {
			explanation_free(e);
			return -1;
		}
	}
	return 0;
}

void explanation_free(struct explanation *e)
{
	for (size_t i = 0; i < e->nr_rows; i++) {
		free(e->rows[i].label);
		json_decref(e->rows[i].base_point);
		json_decref(e->rows[i].patched_point);
		free(e->rows[i].patches);
		free(e->rows[i].score);
		free(e->rows[i].change);
	}
	free(e->rows);
	free(e->metric);
	free(e->unit);
	memset(e, 0, sizeof(*e));
}

/* ---- effects ---- */

struct estimate explanation_score_effect(
	const struct explanation *e, const struct explained_row *row, size_t figure)
{
	double percent = e->figures[figure].percent;
	struct estimate change = relative_change(row->score[0], row->score[1 + figure]);

	return (struct estimate){change.mean / percent, change.ci95 / fabs(percent)};
}

struct estimate explanation_change_effect(
	const struct explanation *e, const struct explained_row *row, size_t figure)
{
	double percent = e->figures[figure].percent;
	struct estimate from = row->change[0], to = row->change[1 + figure];

	return (struct estimate){
		(to.mean - from.mean) / percent, hypot(to.ci95, from.ci95) / fabs(percent)};
}

static struct spread spread_of(const struct explanation *e, const struct estimate *blocks)
{
	double *values = must_calloc(e->nr_samples + 1, sizeof(*values));
	struct spread s = {NAN, NAN, NAN, NAN};
	size_t n = 0;

	for (size_t i = 0; i < e->nr_samples; i++) {
		double value = blocks[1 + e->nr_figures + i].mean;

		if (!isnan(value))
			values[n++] = value;
	}
	if (n >= 2) {
		gsl_sort(values, 1, n);
		s.mean = gsl_stats_mean(values, 1, n);
		s.sd = gsl_stats_sd(values, 1, n);
		s.low = gsl_stats_quantile_from_sorted_data(values, 1, n, 0.025);
		s.high = gsl_stats_quantile_from_sorted_data(values, 1, n, 0.975);
	}
	free(values);
	return s;
}

struct spread explanation_score_spread(const struct explanation *e, const struct explained_row *row)
{
	return spread_of(e, row->score);
}

struct spread explanation_change_spread(
	const struct explanation *e, const struct explained_row *row)
{
	return spread_of(e, row->change);
}
