/* SPDX-License-Identifier: GPL-3.0-or-later */
/* explanation_print.c - an explanation in print and as JSON. */
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "explanation.h"
#include "holds.h"
#include "must.h"
#include "wrap.h"

/* ---- in print ---- */

/* Does the interval leave out zero? */
static bool is_seen(struct estimate effect)
{
	return fabs(effect.mean) > effect.ci95;
}

static double size_of(const struct explanation *e, const struct explained_row *row, size_t figure)
{
	struct estimate score = explanation_score_effect(e, row, figure);

	return isnan(score.mean) ? -1 : fabs(score.mean);
}

/* The figures, the one that moves the score most first; the caller frees the array. */
static size_t *by_effect(const struct explanation *e, const struct explained_row *row)
{
	size_t *order = must_calloc(e->nr_figures + 1, sizeof(*order));

	for (size_t i = 0; i < e->nr_figures; i++) {
		size_t at = i;

		for (; at > 0 && size_of(e, row, order[at - 1]) < size_of(e, row, i); at--)
			order[at] = order[at - 1];
		order[at] = i;
	}
	return order;
}

static void print_effect(
	FILE *out, const struct explanation *e, const struct explained_row *row, size_t figure)
{
	struct estimate score = explanation_score_effect(e, row, figure);
	struct estimate change = explanation_change_effect(e, row, figure);

	fprintf(out, "  %-20s %+7.3f ±%.3f %%", e->figures[figure].key, score.mean, score.ci95);
	if (row->patches)
		fprintf(out, "  %+7.3f ±%.3f pt", change.mean, change.ci95);
	fputc('\n', out);
}

/* Does it do anything that is larger than its interval? */
static bool has_effect(const struct explanation *e, const struct explained_row *row, size_t figure)
{
	return is_seen(explanation_score_effect(e, row, figure)) ||
	       (row->patches && is_seen(explanation_change_effect(e, row, figure)));
}

static void print_without_effect(
	FILE *out, const struct explanation *e, const struct explained_row *row)
{
	char *list = NULL;

	for (size_t i = 0; i < e->nr_figures; i++) {
		if (has_effect(e, row, i))
			continue;
		char *longer = must_format(
			"%s%s%s", list ? list : "", list ? ", " : "", e->figures[i].key);

		free(list);
		list = longer;
	}
	if (list)
		print_wrapped(out, "  no effect seen:", list);
	free(list);
}

static void print_figures(FILE *out, const struct explanation *e, const struct explained_row *row)
{
	size_t *order = by_effect(e, row);

	fprintf(out, "  %-20s %-16s%s\n", "1 % more of", e->metric,
		row->patches ? "  what the patches bring" : "");
	for (size_t i = 0; i < e->nr_figures; i++) {
		if (has_effect(e, row, order[i]))
			print_effect(out, e, row, order[i]);
	}
	print_without_effect(out, e, row);
	free(order);
}

/* Where the time under the locks goes, without and with the patches. */
static void print_holds(FILE *out, const struct explained_row *row)
{
	fputc('\n', out);
	if (row->patches)
		fputs("  without the patches\n", out);
	holds_print(out, "  ", row->base_point);
	if (!row->patches)
		return;
	fprintf(out, "  with %s\n", row->patches);
	holds_print(out, "  ", row->patched_point);
}

static void print_spread(FILE *out, const struct explanation *e, const struct explained_row *row)
{
	struct spread score = explanation_score_spread(e, row);
	struct spread change = explanation_change_spread(e, row);

	fprintf(out,
		"\n  With all figures anywhere within their bounds, %zu samples:\n"
		"  %s %.4g, standard deviation %.1f %%, 95 %% within %.4g to %.4g\n",
		e->nr_samples, e->metric, score.mean, 100 * score.sd / score.mean, score.low,
		score.high);
	if (row->patches)
		fprintf(out,
			"  the patches bring %+.2f %%, standard deviation %.2f points, "
			"%+.2f to %+.2f\n",
			change.mean, change.sd, change.low, change.high);
}

static void print_heading(FILE *out, const struct explanation *e, const struct explained_row *row)
{
	char *score = must_format(
		"%s: %.4g ±%.2g %s", row->label, row->score[0].mean, row->score[0].ci95, e->unit);
	char *change = row->patches
			       ? must_format("%s, %+.2f ±%.2f %% by %s", score, row->change[0].mean,
					 row->change[0].ci95, row->patches)
			       : NULL;

	print_wrapped(out, "", change ? change : score);
	free(change);
	free(score);
}

void explanation_print(FILE *out, const struct explanation *e)
{
	for (size_t i = 0; i < e->nr_rows; i++) {
		const struct explained_row *row = &e->rows[i];

		fputs(i ? "\n" : "", out);
		print_heading(out, e, row);
		print_holds(out, row);
		if (e->nr_figures)
			print_figures(out, e, row);
		if (e->nr_samples)
			print_spread(out, e, row);
	}
}

/* ---- JSON ---- */

/* Numbers that are not known become null. */
static json_t *number(double value)
{
	return isfinite(value) ? json_real(value) : json_null();
}

static json_t *estimate_to_json(struct estimate e)
{
	return json_pack("{s:o, s:o}", "mean", number(e.mean), "ci95", number(e.ci95));
}

static json_t *spread_to_json(struct spread s)
{
	return json_pack("{s:o, s:o, s:o, s:o}", "mean", number(s.mean), "sd", number(s.sd), "low",
		number(s.low), "high", number(s.high));
}

static json_t *figures_to_json(const struct explanation *e, const struct explained_row *row)
{
	json_t *array = json_array();

	for (size_t i = 0; i < e->nr_figures; i++) {
		json_t *figure = json_pack("{s:s, s:f, s:o}", "figure", e->figures[i].key,
			"raised_percent", e->figures[i].percent, "score_percent_per_percent",
			estimate_to_json(explanation_score_effect(e, row, i)));

		if (row->patches && figure)
			json_object_set_new(figure, "change_points_per_percent",
				estimate_to_json(explanation_change_effect(e, row, i)));
		json_array_append_new(array, figure);
	}
	return array;
}

static json_t *row_to_json(const struct explanation *e, const struct explained_row *row)
{
	json_t *json = json_pack("{s:s, s:s, s:s, s:o, s:o}", "configuration", row->label, "metric",
		e->metric, "unit", e->unit, "value", estimate_to_json(row->score[0]), "figures",
		figures_to_json(e, row));

	if (row->patches && json) {
		json_object_set_new(json, "patches", json_string(row->patches));
		json_object_set_new(json, "change_pct", estimate_to_json(row->change[0]));
	}
	if (row->base_point && json)
		json_object_set(json, "holds", json_object_get(row->base_point, "holds"));
	if (row->patched_point && json)
		json_object_set(
			json, "patched_holds", json_object_get(row->patched_point, "holds"));
	if (e->nr_samples && json) {
		json_t *uncertainty = json_pack("{s:I, s:o}", "samples", (json_int_t)e->nr_samples,
			"value", spread_to_json(explanation_score_spread(e, row)));

		if (row->patches && uncertainty)
			json_object_set_new(uncertainty, "change_pct",
				spread_to_json(explanation_change_spread(e, row)));
		json_object_set_new(json, "uncertainty", uncertainty);
	}
	return json;
}

json_t *explanation_to_json(const struct explanation *e)
{
	json_t *rows = json_array();

	for (size_t i = 0; i < e->nr_rows; i++)
		json_array_append_new(rows, row_to_json(e, &e->rows[i]));
	return json_pack("{s:s, s:o}", "zonesim", ZONESIM_VERSION, "rows", rows);
}
