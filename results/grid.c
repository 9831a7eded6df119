/* SPDX-License-Identifier: GPL-3.0-or-later */
/* grid.c - rows and columns of figures that print as a table for people or as CSV for programs. */
#include "grid.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "csv.h"
#include "grid_internal.h"
#include "must.h"

/*
 * Filling
 */

void grid_init(struct grid *grid)
{
	*grid = (struct grid){0};
}

void grid_free(struct grid *grid)
{
	for (size_t i = 0; i < grid->nr_rows * grid->nr_columns; i++)
		free(grid->cells[i].text);
	free(grid->cells);
	free(grid->columns);
	grid_init(grid);
}

size_t grid_add_column(struct grid *grid, const struct grid_column *column)
{
	grid->columns = must_realloc(grid->columns, grid->nr_columns + 1, sizeof(*grid->columns));
	grid->columns[grid->nr_columns] = *column;
	return grid->nr_columns++;
}

static struct grid_cell *cell_at(const struct grid *grid, size_t row, size_t column)
{
	return &grid->cells[row * grid->nr_columns + column];
}

size_t grid_add_row(struct grid *grid)
{
	grid->cells = must_realloc(
		grid->cells, (grid->nr_rows + 1) * grid->nr_columns, sizeof(*grid->cells));
	for (size_t i = 0; i < grid->nr_columns; i++)
		*cell_at(grid, grid->nr_rows, i) = (struct grid_cell){NULL, estimate_none()};
	return grid->nr_rows++;
}

void grid_set_text(struct grid *grid, size_t row, size_t column, const char *text)
{
	struct grid_cell *cell = cell_at(grid, row, column);

	free(cell->text);
	cell->text = must_format("%s", text);
}

void grid_set_value(struct grid *grid, size_t row, size_t column, struct estimate value)
{
	cell_at(grid, row, column)->value = value;
}

void grid_set_number(struct grid *grid, size_t row, size_t column, double value)
{
	grid_set_value(grid, row, column, (struct estimate){value, NAN});
}

/*
 * What the ways to print share
 */

size_t grid_characters(const char *text)
{
	size_t nr = 0;

	for (; *text; text++)
		if (((unsigned char)*text & 0xc0) != 0x80)
			nr++;
	return nr;
}

/* Rounding must not make a number look like minus zero. */
static double no_minus_zero(double value, int decimals)
{
	return fabs(value) < 0.5 * pow(10, -decimals) ? 0 : value;
}

struct grid_printed grid_print_cell(const struct grid *grid, size_t row, size_t column)
{
	const struct grid_column *c = &grid->columns[column];
	const struct grid_cell *cell = cell_at(grid, row, column);
	double value = cell->value.mean / c->scale, interval = cell->value.ci95 / c->scale;
	struct grid_printed p;

	if (cell->text || isnan(value)) {
		p.figure = must_format("%s", cell->text ? cell->text : "-");
		p.interval = must_format("%s", "");
		return p;
	}
	value = no_minus_zero(value, c->decimals);
	p.figure = must_format(c->sign ? "%+.*f" : "%.*f", c->decimals, value);
	if (!c->interval)
		p.interval = must_format("%s", "");
	else if (isnan(interval))
		p.interval = must_format(" ±?");
	else
		p.interval = must_format(" ±%.*f", c->decimals, interval);
	return p;
}

void grid_free_printed(struct grid_printed *p)
{
	free(p->figure);
	free(p->interval);
}

void grid_put_blanks(FILE *out, size_t nr)
{
	while (nr-- > 0)
		fputc(' ', out);
}

void grid_put_aligned(FILE *out, const char *text, size_t width, bool left)
{
	size_t length = grid_characters(text);
	size_t blanks = width > length ? width - length : 0;

	if (!left)
		grid_put_blanks(out, blanks);
	fputs(text, out);
	if (left)
		grid_put_blanks(out, blanks);
}

/*
 * As CSV
 */

static void print_csv_header(const struct grid *grid, FILE *out)
{
	const char *comma = "";

	for (size_t i = 0; i < grid->nr_columns; i++) {
		const struct grid_column *c = &grid->columns[i];

		if (!c->csv)
			continue;
		fputs(comma, out);
		csv_put(out, c->csv);
		if (c->interval) {
			fputc(',', out);
			fprintf(out, "%s_ci95", c->csv);
		}
		comma = ",";
	}
	fputc('\n', out);
}

static void print_csv_row(const struct grid *grid, FILE *out, size_t row)
{
	const char *comma = "";

	for (size_t i = 0; i < grid->nr_columns; i++) {
		const struct grid_column *c = &grid->columns[i];
		const struct grid_cell *cell = cell_at(grid, row, i);
		bool is_figure = !isnan(cell->value.mean);

		if (!c->csv)
			continue;
		fputs(comma, out);
		if (is_figure)
			csv_put_number(out, cell->value.mean);
		else if (cell->text && !c->interval) /* no words in columns of figures */
			csv_put(out, cell->text);
		if (c->interval)
			fputc(',', out);
		if (c->interval && is_figure)
			csv_put_number(out, cell->value.ci95);
		comma = ",";
	}
	fputc('\n', out);
}

void grid_print_csv(const struct grid *grid, FILE *out)
{
	print_csv_header(grid, out);
	for (size_t row = 0; row < grid->nr_rows; row++)
		print_csv_row(grid, out, row);
}
