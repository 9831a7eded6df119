/* SPDX-License-Identifier: GPL-3.0-or-later */
/* validation_print.c - a validation for people. */
#include "validation.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "grid.h"
#include "must.h"
#include "points.h"
#include "validation_text.h"

/* The rows of one published table: [first, end). */
struct part {
	const struct validation *v;
	size_t first, end;
	char *patches[27]; /* the sets of the table in the order of their appearance; not owned */
	size_t nr_patches;
	enum print_style style;
};

static const struct published_row *published_of(const struct part *part, size_t i)
{
	return part->v->rows[i].published;
}

/*
 * Labels: what tells the rows of a table apart is in columns, what they share is above it.
 */

static size_t set_number(const struct part *part, const char *patches)
{
	size_t i = 0;

	while (i < part->nr_patches && strcmp(part->patches[i], patches) != 0)
		i++;
	return i;
}

/* "base" and "patched" where there are two sets of patches, else letters. */
static char *set_name(const struct part *part, size_t i)
{
	if (part->nr_patches == 2)
		return must_format("%s", i ? "patched" : "base");
	return must_format("%c", (int)('A' + i));
}

static void collect_patches(struct part *part)
{
	const size_t most = sizeof(part->patches) / sizeof(*part->patches);

	for (size_t i = part->first; i < part->end && part->nr_patches < most; i++) {
		char *patches = published_of(part, i)->patches;

		if (set_number(part, patches) == part->nr_patches)
			part->patches[part->nr_patches++] = patches;
	}
}

enum label {
	MACHINE,
	WORKLOAD,
	KERNEL,
	TASKS,
	BATCH,
	HIGH,
	PARAMETERS,
	PATCHES,
	METRIC,
	NR_LABELS
};

static const struct {
	const char *heading; /* of the column */
	bool left;	     /* aligned */
} labels[NR_LABELS] = {
	[MACHINE] = {"machine", true},
	[WORKLOAD] = {"workload", true},
	[KERNEL] = {"kernel", true},
	[TASKS] = {"tasks", false},
	[BATCH] = {"batch", false},
	[HIGH] = {"high", false},
	[PARAMETERS] = {"parameters", true},
	[PATCHES] = {"patches", true},
	[METRIC] = {"metric", true},
};

/* A number that stands where it is given. */
static char *count_text(unsigned int count)
{
	return count ? must_format("%u", count) : must_format("%s", "");
}

/* The caller frees it. */
static char *label_text(const struct part *part, size_t i, enum label label)
{
	const struct published_row *row = published_of(part, i);

	switch (label) {
	case MACHINE:
		return must_format("%s", row->machine);
	case WORKLOAD:
		return must_format("%s", row->workload);
	case KERNEL:
		return must_format("%s", row->kernel);
	case TASKS:
		return count_text(row->tasks);
	case BATCH:
		return count_text(row->batch);
	case HIGH:
		return count_text(row->high);
	case PARAMETERS:
		return must_format("%s", row->parameters);
	case PATCHES:
		return set_name(part, set_number(part, row->patches));
	default:
		return must_format("%s", row->metric);
	}
}

static bool varies(const struct part *part, enum label label)
{
	char *first = label_text(part, part->first, label);
	bool same = true;

	for (size_t i = part->first + 1; same && i < part->end; i++) {
		char *other = label_text(part, i, label);

		same = strcmp(first, other) == 0;
		free(other);
	}
	free(first);
	return !same;
}

/* Append to a list in print, whose old text is freed. */
static char *listed(char *list, const char *word, const char *text)
{
	char *longer = must_format("%s%s%s%s", list, *list ? ", " : "", word, text);

	free(list);
	return longer;
}

/* What all rows of a table share. */
static void print_shared(FILE *out, const struct part *part)
{
	static const char *const words[NR_LABELS] = {
		[TASKS] = "tasks ", [BATCH] = "batch ", [HIGH] = "high "};
	char *list = must_format("%s", "");

	for (enum label label = 0; label < PATCHES; label++) {
		char *text = label_text(part, part->first, label);

		if (*text && !varies(part, label))
			list = listed(list, words[label] ? words[label] : "", text);
		free(text);
	}
	if (part->nr_patches == 1)
		list = listed(list, "patches ", *part->patches[0] ? part->patches[0] : EMPTY_LIST);
	print_note(out, part->style, "measured:", list);
	free(list);
}

/* Which patches "base" and "patched" stand for. */
static void print_patches(FILE *out, const struct part *part)
{
	for (size_t i = 0; part->nr_patches > 1 && i < part->nr_patches; i++) {
		char *name = set_name(part, i), *label = must_format("%s: patches", name);

		print_note(
			out, part->style, label, *part->patches[i] ? part->patches[i] : EMPTY_LIST);
		free(label);
		free(name);
	}
}

/* Is the row the first of its table with what @same compares? */
static bool is_first(const struct part *part, size_t i,
	bool (*same)(const struct validation_row *a, const struct validation_row *b))
{
	for (size_t k = part->first; k < i; k++)
		if (same(&part->v->rows[k], &part->v->rows[i]))
			return false;
	return true;
}

static bool same_source(const struct validation_row *a, const struct validation_row *b)
{
	return strcmp(a->published->source, b->published->source) == 0;
}

static bool same_metric(const struct validation_row *a, const struct validation_row *b)
{
	return strcmp(a->published->metric, b->published->metric) == 0;
}

/* The name of the table, and where it is from. */
static void print_title(FILE *out, const struct part *part)
{
	bool markdown = part->style == STYLE_MARKDOWN;
	const char *table = published_of(part, part->first)->table;
	char *label = must_format("%s:", markdown ? "source" : table);

	if (markdown)
		fprintf(out, "### %s\n\n", table);
	for (size_t i = part->first; i < part->end; i++)
		if (is_first(part, i, same_source))
			print_note(out, part->style, label, published_of(part, i)->source);
	free(label);
}

/* The metrics and their units: too long for columns. */
static void print_units(FILE *out, const struct part *part)
{
	char *list = must_format("%s", "");

	for (size_t i = part->first; i < part->end; i++) {
		const struct published_row *row = published_of(part, i);

		if (!is_first(part, i, same_metric))
			continue;
		list = listed(list, row->metric,
			strcmp(row->unit, "relative") == 0 ? " against the base" : " in ");
		if (strcmp(row->unit, "relative") != 0) {
			char *longer = must_format("%s%s", list, row->unit);

			free(list);
			list = longer;
		}
	}
	print_note(out, part->style, "figures:", list);
	free(list);
}

/*
 * The table
 */

enum figure { PUBLISHED, SIMULATED, DIFFERENCE, VERDICT, NR_FIGURES };

static const char *const figure_headings[NR_FIGURES] = {
	[PUBLISHED] = "published",
	[SIMULATED] = "simulated",
	[DIFFERENCE] = "difference",
	[VERDICT] = "verdict",
};

static void add_columns(struct grid *grid, const struct part *part, bool shown[NR_LABELS])
{
	for (enum label label = 0; label < NR_LABELS; label++) {
		shown[label] = varies(part, label);
		if (shown[label])
			grid_add_column(grid, &(struct grid_column){.group = "",
						      .heading = labels[label].heading,
						      .unit = "",
						      .label = true,
						      .left = labels[label].left,
						      .scale = 1});
	}
	for (enum figure figure = 0; figure < NR_FIGURES; figure++)
		grid_add_column(grid, &(struct grid_column){.group = "",
					      .heading = figure_headings[figure],
					      .unit = "",
					      .left = figure == VERDICT,
					      .scale = 1});
}

static void fill_row(
	struct grid *grid, const struct part *part, size_t i, const bool shown[NR_LABELS])
{
	const struct validation_row *row = &part->v->rows[i];
	size_t at = grid_add_row(grid), column = 0;

	for (enum label label = 0; label < NR_LABELS; label++)
		if (shown[label])
			set_own_text(grid, at, column++, label_text(part, i, label));
	set_own_text(grid, at, column++, published_text(row));
	set_own_text(grid, at, column++, simulated_text(row));
	set_own_text(grid, at, column++, difference_text(row));
	grid_set_text(grid, at, column, verdict_name(row->verdict));
}

static void print_table(FILE *out, const struct part *part)
{
	bool shown[NR_LABELS];
	struct grid grid;

	grid_init(&grid);
	add_columns(&grid, part, shown);
	for (size_t i = part->first; i < part->end; i++)
		fill_row(&grid, part, i, shown);
	print_grid(out, part->style, &grid);
	grid_free(&grid);
}

/* Notes below a table would be cells of it in Markdown. */
static void print_part(FILE *out, struct part *part)
{
	const struct validation_row *rows = &part->v->rows[part->first];
	bool markdown = part->style == STYLE_MARKDOWN;
	size_t nr = part->end - part->first;

	collect_patches(part);
	print_title(out, part);
	print_shared(out, part);
	print_patches(out, part);
	print_units(out, part);
	if (markdown) {
		print_missing(out, part->style, rows, nr);
		print_imprecise(out, part->style, rows, nr);
	}
	fputc('\n', out);
	print_table(out, part);
	if (!markdown) {
		print_missing(out, part->style, rows, nr);
		print_imprecise(out, part->style, rows, nr);
	}
	fputc('\n', out);
}

/*
 * The summary
 */

static void add_summary_column(
	struct grid *grid, const char *group, const char *heading, const char *unit, int decimals)
{
	grid_add_column(grid, &(struct grid_column){.group = group,
				      .heading = heading,
				      .unit = unit,
				      .label = grid->nr_columns == 0,
				      .left = grid->nr_columns == 0,
				      .scale = 1,
				      .decimals = decimals});
}

static void fill_summary(struct grid *grid, const struct validation *v, const char *table)
{
	struct validation_summary s = validation_summarize(v, table);
	size_t row = grid_add_row(grid), column = 0;

	grid_set_text(grid, row, column++, table ? table : "all");
	for (int i = 0; i < NR_VERDICTS; i++)
		grid_set_number(grid, row, column++, (double)s.verdicts[i]);
	for (int i = 0; i < NR_COMPARED; i++)
		grid_set_number(grid, row, column++, s.mean_error[i]);
}

static void print_summary(FILE *out, enum print_style style, const struct validation *v)
{
	static const char *const headings[NR_COMPARED] = {"changes", "shares", "values"};
	const char *last = "";
	struct grid grid;

	grid_init(&grid);
	add_summary_column(&grid, "", "table", "", 0);
	for (int i = 0; i < NR_VERDICTS; i++)
		add_summary_column(&grid, "rows", verdict_name(i), "", 0);
	for (int i = 0; i < NR_COMPARED; i++)
		add_summary_column(&grid, "mean |difference|", headings[i],
			i == COMPARED_VALUE ? "%" : "points", 1);
	for (size_t i = 0; i < v->nr_rows; i++) {
		const char *table = v->rows[i].published->table;

		if (strcmp(table, last) != 0)
			fill_summary(&grid, v, table);
		last = table;
	}
	fill_summary(&grid, v, NULL);
	print_grid(out, style, &grid);
	grid_free(&grid);
}

static void print_all(FILE *out, enum print_style style, const struct validation *v)
{
	size_t end;

	for (size_t i = 0; i < v->nr_rows; i = end) {
		const char *table = v->rows[i].published->table;

		for (end = i; end < v->nr_rows; end++)
			if (strcmp(v->rows[end].published->table, table) != 0)
				break;
		print_part(out, &(struct part){.v = v, .first = i, .end = end, .style = style});
	}
	if (style == STYLE_MARKDOWN)
		fputs("### Summary\n\n", out);
	print_summary(out, style, v);
	fputs("\nA signed percentage is a change against the base; ± is the half width of the 95%\n"
	      "confidence interval; pt: percentage points. The targets: zonesim help verdicts.\n",
		out);
}

void validation_print(FILE *out, const struct validation *v)
{
	print_all(out, STYLE_PLAIN, v);
}

void validation_print_markdown(FILE *out, const struct validation *v)
{
	print_all(out, STYLE_MARKDOWN, v);
}
