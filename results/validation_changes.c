/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * validation_changes.c - what patches and batches changed, as published and as simulated, in one
 * table for the README.
 */
#include "validation.h"

#include <ctype.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "../models/error.h"
#include "grid.h"
#include "must.h"
#include "validation_text.h"

/*
 * Choosing
 */

/* When the tables were published, which their names do not tell; others come after these. */
static const char *const order[] = {
	"inline-rmqueue",
	"pick-outside-lock",
	"batch-sweep",
	"bulk-inline-pcplist",
	"pcp-spinlock",
	"pcp-keep-high-order-batch",
};

#define NR_ORDERED (sizeof(order) / sizeof(order[0]))

static size_t place_of(const struct validation_row *row)
{
	size_t place = 0;

	while (place < NR_ORDERED && strcmp(order[place], row->published->table) != 0)
		place++;
	return place;
}

static bool changes_batch(const struct validation_row *row)
{
	return row->published->batch != row->base->batch;
}

static bool is_change(const struct validation_row *row)
{
	unsigned int batch = row->published->batch;

	if (!row->base || isnan(row->published->change_pct))
		return false;
	return !changes_batch(row) || batch == 63 || batch == 127;
}

static bool is_base(const struct validation *v, const struct validation_row *row)
{
	for (size_t i = 0; i < v->nr_rows; i++)
		if (v->rows[i].base == row->published && is_change(&v->rows[i]))
			return true;
	return false;
}

int validation_choose_changes(struct validation *v, struct error *err)
{
	struct validation_row *rows = must_calloc(v->nr_rows, sizeof(*rows));
	size_t nr = 0;

	for (size_t place = 0; place <= NR_ORDERED; place++) {
		for (size_t i = 0; i < v->nr_rows; i++) {
			bool change = is_change(&v->rows[i]);

			if (place_of(&v->rows[i]) != place || (!change && !is_base(v, &v->rows[i])))
				continue;
			rows[nr] = v->rows[i];
			rows[nr++].only_base = !change;
		}
	}
	free(v->rows);
	v->rows = rows;
	v->nr_rows = nr;
	if (nr > 0)
		return 0;
	return error_set(err, "no published change: what was asked for has none");
}

/*
 * Printing
 */

/* The last word of @source that is a year; 0 when none is. */
static int year_of(const char *source)
{
	int year = 0;

	for (const char *at = source; *at;) {
		size_t length = strcspn(at, " ,");
		size_t digits = strspn(at, "0123456789");

		if (length == 4 && digits == 4)
			year = atoi(at);
		at += length + strspn(at + length, " ,");
	}
	return year;
}

/*
 * What stands between the first and the last quote of a source, without the parts of the kernel
 * that it begins with: "Somebody, patch 'mm: do less', 2018" is "do less". Without quotes, all up
 * to the first comma.
 */
static char *title_of(const char *source)
{
	const char *start = strchr(source, '\''), *end = strrchr(source, '\'');

	if (!start || start == end) {
		start = source;
		end = source + strcspn(source, ",");
	} else {
		start++;
	}
	for (const char *colon = start; (colon = strstr(colon, ": ")) && colon < end;)
		start = colon += strlen(": ");
	return must_format("%.*s", (int)(end - start), start);
}

static char *publication_text(const struct validation_row *row)
{
	char *title = title_of(row->published->source), *text;
	int year = year_of(row->published->source);

	text = year ? must_format("%s, %d", title, year) : must_format("%s", title);
	free(title);
	return text;
}

/* "page_fault1, 192 tasks, batch 63 instead of 31: pages/s" */
static char *measured_text(const struct validation_row *row)
{
	const struct published_row *p = row->published;
	bool relative = strcmp(p->unit, "relative") == 0;
	char *batch = changes_batch(row)
			      ? must_format(", batch %u instead of %u", p->batch, row->base->batch)
			      : must_format("%s", "");
	char *text = must_format("%s, %u task%s%s%s%s: %s", p->workload, p->tasks,
		p->tasks == 1 ? "" : "s", *p->parameters ? ", " : "", p->parameters, batch,
		relative ? p->metric : p->unit);

	free(batch);
	return text;
}

/* A cell that is empty would look as if something had been forgotten. */
static char *change_text(const struct validation_row *row)
{
	return isnan(row->difference) ? must_format("%s", verdict_name(row->verdict))
				      : simulated_text(row);
}

enum column { PUBLICATION, MACHINE, MEASURED, PUBLISHED, SIMULATED, NR_COLUMNS };

static void add_columns(struct grid *grid)
{
	static const char *const headings[NR_COLUMNS] = {
		[PUBLICATION] = "publication",
		[MACHINE] = "machine",
		[MEASURED] = "measured",
		[PUBLISHED] = "published",
		[SIMULATED] = "simulated",
	};

	for (enum column column = 0; column < NR_COLUMNS; column++)
		grid_add_column(grid, &(struct grid_column){.group = "",
					      .heading = headings[column],
					      .unit = "",
					      .left = column < PUBLISHED,
					      .scale = 1});
}

/* A publication is named in the first of its rows. */
static void fill_row(struct grid *grid, const struct validation_row *row, bool first)
{
	size_t at = grid_add_row(grid);

	set_own_text(grid, at, PUBLICATION, first ? publication_text(row) : must_format("%s", ""));
	grid_set_text(grid, at, MACHINE, row->published->machine);
	set_own_text(grid, at, MEASURED, measured_text(row));
	set_own_text(grid, at, PUBLISHED, published_text(row));
	set_own_text(grid, at, SIMULATED, change_text(row));
}

static void print_table(FILE *out, const struct validation *v)
{
	const char *last = "";
	struct grid grid;

	grid_init(&grid);
	add_columns(&grid);
	for (size_t i = 0; i < v->nr_rows; i++) {
		const struct validation_row *row = &v->rows[i];

		if (row->only_base)
			continue;
		fill_row(&grid, row, strcmp(row->published->source, last) != 0);
		last = row->published->source;
	}
	print_grid(out, STYLE_MARKDOWN, &grid);
	grid_free(&grid);
}

void validation_print_changes(FILE *out, const struct validation *v)
{
	print_table(out, v);
	fputs("\nA change is against the kernel without the patch, or against the smaller batch; ± "
	      "is\n"
	      "the half width of its 95% confidence interval.\n",
		out);
	print_missing(out, STYLE_MARKDOWN, v->rows, v->nr_rows);
	print_imprecise(out, STYLE_MARKDOWN, v->rows, v->nr_rows);
}
