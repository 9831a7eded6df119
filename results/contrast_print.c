/* SPDX-License-Identifier: GPL-3.0-or-later */
/* contrast_print.c - matched points as tables in the form of LKP reports, Markdown and JSON. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "contrast.h"
#include "grid.h"
#include "html.h"
#include "must.h"
#include "wrap.h"

/* Does setting @i tell groups apart? */
static bool tells_apart(const struct contrast *c, size_t i)
{
	if (c->compared[i] || strcmp(c->base->keys[i], "measure.seed") == 0)
		return false;
	for (size_t k = 1; k < c->nr_groups; k++)
		if (!rows_same(&c->base->list[c->groups[0].base], &c->base->list[c->groups[k].base],
			    i))
			return true;
	return false;
}

static const char *short_name(const struct rows *rows, size_t i)
{
	return selection_keys[i].alias ? selection_keys[i].alias : rows->keys[i];
}

/* The compared settings of one side: "patches none, high 186". The caller frees it. */
static char *side_text(const struct contrast *c, const struct rows *rows)
{
	char *text = must_format("%s", "");

	for (size_t i = 0; i < rows->nr_settings; i++) {
		char *value, *longer;

		if (!c->compared[i])
			continue;
		value = rows_varies(rows, i) ? must_format("(varies)")
					     : rows_text(rows, &rows->list[0], rows->keys[i]);
		longer = must_format(
			"%s%s%s %s", text, *text ? ", " : "", short_name(rows, i), value);
		free(value);
		free(text);
		text = longer;
	}
	if (!*text) {
		free(text);
		text = must_format("other seeds");
	}
	return text;
}

/* The settings that both sides and all groups share. The caller frees it. */
static char *common_text(const struct contrast *c)
{
	const struct rows *rows = c->base;
	char *text = must_format("%s", "");

	for (size_t i = 0; i < rows->nr_settings; i++) {
		bool off = strstr(rows->keys[i], "fraction") && rows->list[0].number[i] == 0;
		bool named = i >= 5; /* behind machine, kernel, patches, workload, parameters */
		char *value, *longer;

		if (c->compared[i] || tells_apart(c, i) || off ||
			strcmp(rows->keys[i], "measure.seed") == 0)
			continue;
		value = rows_text(rows, &rows->list[c->groups[0].base], rows->keys[i]);
		longer = must_format("%s%s%s%s%s%s", text, *text ? ", " : "",
			strcmp(rows->keys[i], "patches") == 0 ? "patches " : "",
			named ? short_name(rows, i) : "", named ? " " : "", value);
		free(value);
		free(text);
		text = longer;
	}
	return text;
}

/* Digits as LKP has them: none for large numbers, three for small ones. */
static char *value_text(double value)
{
	double size = fabs(value);

	if (isnan(value))
		return must_format("-");
	return must_format("%.*f", size >= 1000 ? 0 : size >= 10 ? 1 : size > 0 ? 3 : 0, value);
}

static bool is_share(const struct contrast *c, size_t metric)
{
	return strcmp(c->base->metric_units[metric], "percent") == 0;
}

/* "+6.3% ±0.7%", or in percentage points for what is a percentage already. */
static char *change_text(const struct difference *d, bool share, bool half)
{
	double value = share ? d->change : d->percent, spread = share ? d->half : d->percent_half;
	const char *unit = share ? " pt" : "%";

	if (isnan(half ? spread : value))
		return must_format("-");
	if (half)
		return must_format("±%.2f%s", spread, unit);
	return must_format("%+.2f%s", value == 0 ? 0 : value, unit);
}

static char *spread_text(double spread)
{
	return isnan(spread) ? must_format("-") : must_format("±%.1f%%", fabs(spread));
}

enum {
	BASE,
	BASE_SPREAD,
	CHANGE,
	CHANGE_HALF,
	PATCHED,
	PATCHED_SPREAD,
	METRIC,
	VERDICT,
	NR_COLUMNS
};

static const struct grid_column columns[NR_COLUMNS] = {
	[BASE] = {.heading = "base", .group = "", .unit = ""},
	[BASE_SPREAD] = {.heading = "%stddev", .group = "", .unit = ""},
	[CHANGE] = {.heading = "%change", .group = "", .unit = ""},
	[CHANGE_HALF] = {.heading = "95%", .group = "", .unit = ""},
	[PATCHED] = {.heading = "patched", .group = "", .unit = ""},
	[PATCHED_SPREAD] = {.heading = "%stddev", .group = "", .unit = ""},
	[METRIC] = {.heading = "metric", .group = "", .unit = "", .left = true},
	[VERDICT] = {.heading = "verdict", .group = "", .unit = "", .left = true},
};

/* Move @text into a cell. */
static void set(struct grid *grid, size_t row, size_t column, char *text)
{
	grid_set_text(grid, row, column, text);
	free(text);
}

static void add_row(struct grid *grid, const struct contrast *c, const struct contrast_group *g,
	size_t metric, const bool *apart)
{
	const struct difference *d = &g->metrics[metric];
	bool share = is_share(c, metric);
	size_t row = grid_add_row(grid), at = 0;

	for (size_t i = 0; i < c->base->nr_settings; i++)
		if (apart[i])
			set(grid, row, at++,
				rows_text(c->base, &c->base->list[g->base], c->base->keys[i]));
	set(grid, row, at + BASE, value_text(d->base));
	set(grid, row, at + BASE_SPREAD, spread_text(d->base_spread));
	set(grid, row, at + CHANGE, change_text(d, share, false));
	set(grid, row, at + CHANGE_HALF, change_text(d, share, true));
	set(grid, row, at + PATCHED, value_text(d->patched));
	set(grid, row, at + PATCHED_SPREAD, spread_text(d->patched_spread));
	grid_set_text(grid, row, at + METRIC, c->base->metrics[metric]);
	grid_set_text(grid, row, at + VERDICT, difference_verdict_text(d));
}

static void fill(struct grid *grid, const struct contrast *c)
{
	bool apart[ROW_MAX_SETTINGS];

	for (size_t i = 0; i < c->base->nr_settings; i++) {
		apart[i] = tells_apart(c, i);
		if (apart[i])
			grid_add_column(
				grid, &(struct grid_column){.heading = short_name(c->base, i),
					      .group = "",
					      .unit = "",
					      .label = true,
					      .left = selection_keys[i].text});
	}
	for (size_t i = 0; i < NR_COLUMNS; i++)
		grid_add_column(grid, &columns[i]);
	for (size_t k = 0; k < c->nr_groups; k++)
		for (size_t i = 0; i < c->base->nr_metrics; i++)
			add_row(grid, c, &c->groups[k], i, apart);
}

/* What the intervals rest on, once for each basis there is. */
static void print_bases(FILE *out, const struct contrast *c)
{
	size_t nr[BY_NOTHING + 1] = {0};

	for (size_t k = 0; k < c->nr_groups; k++)
		for (size_t i = 0; i < c->base->nr_metrics; i++)
			nr[c->groups[k].metrics[i].basis]++;
	for (enum basis b = BY_PAIRS; b < BY_NOTHING; b++) {
		char *text;

		if (!nr[b])
			continue;
		text = must_format("the interval of the change (95%%) rests on %s%s",
			difference_basis_text(b),
			b == BY_ROUNDS ? ", whose intervals are widened: runs of other seeds are "
					 "further apart than these tell. With three seeds or more "
					 "(zonesim sweep --seeds 5) their spread counts."
				       : ".");
		print_wrapped(out, "95%:", text);
		free(text);
	}
}

static void print_left_out(FILE *out, const struct contrast *c)
{
	if (c->base_alone + c->patched_alone)
		fprintf(out, "\nwithout partner: %zu of the base, %zu of the patched side\n",
			c->base_alone, c->patched_alone);
	if (c->failed)
		fprintf(out, "\nfailed: %zu points, which are left out\n", c->failed);
	if (c->imprecise)
		fprintf(out, "\nimprecise: %zu points stopped at the time limit\n", c->imprecise);
}

static void print_head(FILE *out, const struct contrast *c, bool markdown)
{
	const char *const labels[] = {"base:", "patched:", "both:"};
	char *texts[] = {side_text(c, c->base), side_text(c, c->patched), common_text(c)};
	char *versions =
		must_format("%s, model %.8s", c->base->list[0].version, c->base->list[0].model);

	for (size_t i = 0; i < 3; i++) {
		if (markdown)
			fprintf(out, "- %s %s\n", labels[i], texts[i]);
		else
			print_wrapped(out, labels[i], texts[i]);
		free(texts[i]);
	}
	fprintf(out, "%szonesim %s\n\n", markdown ? "- " : "", versions);
	free(versions);
}

void contrast_print(FILE *out, const struct contrast *c, bool markdown)
{
	struct grid grid;

	grid_init(&grid);
	fill(&grid, c);
	print_head(out, c, markdown);
	if (markdown)
		grid_print_markdown(&grid, out);
	else
		grid_print(&grid, out, PRINT_WIDTH);
	fputc('\n', out);
	print_bases(out, c);
	print_left_out(out, c);
	grid_free(&grid);
}

void contrast_print_html(FILE *out, const struct contrast *c)
{
	char *base = side_text(c, c->base), *patched = side_text(c, c->patched);
	struct grid grid;

	grid_init(&grid);
	fill(&grid, c);
	fputs("<p>base: ", out);
	html_put(out, base);
	fputs("; patched: ", out);
	html_put(out, patched);
	fputs("</p>\n", out);
	grid_print_html(&grid, out);
	fputs("<p>", out);
	print_bases(out, c);
	fputs("</p>\n", out);
	grid_free(&grid);
	free(patched);
	free(base);
}

/*
 * JSON
 */

static json_t *number(double value)
{
	return isfinite(value) ? json_real(value) : json_null();
}

static json_t *side_to_json(
	double mean, double spread, const struct rows *rows, size_t from, size_t nr)
{
	json_t *points = json_array();

	for (size_t i = 0; i < nr; i++)
		(void)json_array_append_new(points, json_string(rows->list[from + i].fingerprint));
	return json_pack("{s:o, s:o, s:o}", "mean", number(mean), "stddev_pct", number(spread),
		"points", points);
}

static json_t *difference_to_json(
	const struct contrast *c, const struct contrast_group *g, size_t metric)
{
	static const char *const verdicts[] = {"difference", "no difference seen", "unknown"};
	static const char *const bases[] = {"pairs", "seeds", "rounds", "nothing"};
	const struct difference *d = &g->metrics[metric];

	return json_pack("{s:s, s:o, s:o, s:o, s:o, s:o, s:o, s:s, s:s}", "unit",
		c->base->metric_units[metric], "base",
		side_to_json(d->base, d->base_spread, c->base, g->base, g->nr_base), "patched",
		side_to_json(d->patched, d->patched_spread, c->patched, g->patched, g->nr_patched),
		"change", number(d->change), "change_ci95", number(d->half), "change_pct",
		number(d->percent), "change_pct_ci95", number(d->percent_half), "basis",
		bases[d->basis], "verdict", verdicts[d->verdict]);
}

static json_t *group_to_json(const struct contrast *c, const struct contrast_group *g)
{
	json_t *settings = json_object(), *metrics = json_object();

	for (size_t i = 0; i < c->base->nr_settings; i++) {
		char *text;

		if (!tells_apart(c, i))
			continue;
		text = rows_text(c->base, &c->base->list[g->base], c->base->keys[i]);
		(void)json_object_set_new(settings, c->base->keys[i], json_string(text));
		free(text);
	}
	for (size_t i = 0; i < c->base->nr_metrics; i++)
		(void)json_object_set_new(
			metrics, c->base->metrics[i], difference_to_json(c, g, i));
	return json_pack("{s:o, s:o}", "settings", settings, "metrics", metrics);
}

json_t *contrast_to_json(const struct contrast *c)
{
	char *base = side_text(c, c->base), *patched = side_text(c, c->patched);
	char *both = common_text(c);
	json_t *groups = json_array(), *json;

	for (size_t k = 0; k < c->nr_groups; k++)
		(void)json_array_append_new(groups, group_to_json(c, &c->groups[k]));
	json = json_pack("{s:s, s:s, s:s, s:s, s:s, s:o, s:I, s:I, s:I, s:I}", "zonesim",
		c->base->list[0].version, "model", c->base->list[0].model, "base", base, "patched",
		patched, "both", both, "groups", groups, "base_without_partner",
		(json_int_t)c->base_alone, "patched_without_partner", (json_int_t)c->patched_alone,
		"failed", (json_int_t)c->failed, "imprecise", (json_int_t)c->imprecise);
	free(base);
	free(patched);
	free(both);
	return json;
}
