/* SPDX-License-Identifier: GPL-3.0-or-later */
/* validation_text.c - judged rows in print: their figures, and notes on them. */
#include "validation_text.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "grid.h"
#include "markdown.h"
#include "must.h"
#include "points.h"
#include "wrap.h"

/*
 * Figures
 */

/* "15.346M", "64.0 %", "1.722". The caller frees it. */
static char *value_text(double value, const char *unit)
{
	if (strcmp(unit, "percent") == 0)
		return must_format("%.1f %%", value);
	if (strcmp(unit, "relative") == 0)
		return must_format("%.3f", value);
	if (fabs(value) >= 1e6)
		return must_format("%.3fM", value / 1e6);
	if (fabs(value) >= 1e5)
		return must_format("%.1fk", value / 1e3);
	return must_format("%.1f", value);
}

char *published_text(const struct validation_row *row)
{
	if (row->compared == COMPARED_CHANGE)
		return must_format("%+.2f %%", row->published->change_pct);
	return value_text(row->published->value, row->published->unit);
}

char *simulated_text(const struct validation_row *row)
{
	const struct estimate *s = &row->simulated;
	char *value, *text;

	if (isnan(row->difference))
		return must_format("-");
	if (row->compared == COMPARED_CHANGE)
		return must_format("%+.2f ±%.2f %%", row->change.mean, row->change.ci95);
	if (row->compared == COMPARED_SHARE)
		return must_format("%.1f ±%.1f %%", s->mean, s->ci95);
	value = value_text(s->mean, row->published->unit);
	text = must_format("%s ±%.1f%%", value, s->mean > 0 ? 100 * s->ci95 / s->mean : NAN);
	free(value);
	return text;
}

char *difference_text(const struct validation_row *row)
{
	if (isnan(row->difference))
		return must_format("-");
	return must_format(
		"%+.1f %s", row->difference, row->compared == COMPARED_VALUE ? "%" : "pt");
}

void set_own_text(struct grid *grid, size_t row, size_t column, char *text)
{
	grid_set_text(grid, row, column, text);
	free(text);
}

void print_grid(FILE *out, enum print_style style, const struct grid *grid)
{
	if (style == STYLE_MARKDOWN)
		grid_print_markdown(grid, out);
	else
		grid_print(grid, out, PRINT_WIDTH);
}

/*
 * Notes
 */

/* Later lines are indented by two: in Markdown they go on with the item of the list. */
void print_note(FILE *out, enum print_style style, const char *label, const char *text)
{
	char *item, *escaped;

	if (style == STYLE_PLAIN) {
		print_wrapped(out, label, text);
		return;
	}
	item = must_format("- %s", label);
	escaped = markdown_escape(text);
	print_wrapped(out, item, escaped);
	free(escaped);
	free(item);
}

static bool same_reason(const struct validation_row *a, const struct validation_row *b)
{
	return !a->only_base && !b->only_base && a->missing && b->missing &&
	       strcmp(a->missing, b->missing) == 0;
}

/* How many of the rows are missing for the reason of @row. */
static size_t count_missing(
	const struct validation_row *rows, size_t nr, const struct validation_row *row)
{
	size_t count = 0;

	for (size_t i = 0; i < nr; i++)
		count += same_reason(row, &rows[i]);
	return count;
}

void print_missing(FILE *out, enum print_style style, const struct validation_row *rows, size_t nr)
{
	for (size_t i = 0; i < nr; i++) {
		size_t count = count_missing(rows, nr, &rows[i]);
		char *label;

		if (count == 0 || count_missing(rows, i, &rows[i]) > 0)
			continue;
		label = must_format("missing, %zu row%s:", count, count == 1 ? "" : "s");
		print_note(out, style, label, rows[i].missing);
		free(label);
	}
}

static bool is_imprecise(const struct validation_row *row)
{
	return row->point && strcmp(point_status(row->point), "imprecise") == 0;
}

/* Is the base of @row imprecise, and not printed as a row of its own? */
static bool has_imprecise_base(
	const struct validation_row *rows, size_t nr, const struct validation_row *row)
{
	for (size_t i = 0; i < nr; i++)
		if (rows[i].only_base && rows[i].published == row->base)
			return is_imprecise(&rows[i]);
	return false;
}

void print_imprecise(
	FILE *out, enum print_style style, const struct validation_row *rows, size_t nr)
{
	size_t count = 0;

	for (size_t i = 0; i < nr; i++) {
		const struct validation_row *row = &rows[i];

		count += row->point && !row->only_base &&
			 (is_imprecise(row) || has_imprecise_base(rows, nr, row));
	}
	if (count > 0)
		fprintf(out,
			"%simprecise: %zu row%s of points that stopped at the time limit, before "
			"the precision asked for\n",
			style == STYLE_MARKDOWN ? "- " : "", count, count == 1 ? "" : "s");
}
