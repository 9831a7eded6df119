/* SPDX-License-Identifier: GPL-3.0-or-later */
/* grid.c - rows and columns of figures that print as a table for people or as CSV for programs. */
#include "grid.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "csv.h"
#include "grid_internal.h"
#include "must.h"

#define GAP 2 /* blanks between columns */

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
 * As a table
 */

/* The widths of a column: of its figures, its intervals, and the whole of it. */
struct widths {
	size_t figure, interval, all;
};

size_t grid_characters(const char *text)
{
	size_t nr = 0;

	for (; *text; text++)
		if (((unsigned char)*text & 0xc0) != 0x80)
			nr++;
	return nr;
}

static size_t larger(size_t a, size_t b)
{
	return a > b ? a : b;
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

static struct widths measure(const struct grid *grid, size_t column)
{
	const struct grid_column *c = &grid->columns[column];
	struct widths w = {0};
	size_t text = 0;

	for (size_t row = 0; row < grid->nr_rows; row++) {
		struct grid_printed p = grid_print_cell(grid, row, column);

		/* Text such as "failed" may reach over both parts. */
		if (*p.interval)
			w.figure = larger(w.figure, grid_characters(p.figure));
		else
			text = larger(text, grid_characters(p.figure));
		w.interval = larger(w.interval, grid_characters(p.interval));
		grid_free_printed(&p);
	}
	w.all = larger(w.figure + w.interval, text);
	w.all = larger(w.all, larger(grid_characters(c->heading), grid_characters(c->unit)));
	return w;
}

static void put_blanks(FILE *out, size_t nr)
{
	while (nr-- > 0)
		fputc(' ', out);
}

void grid_put_aligned(FILE *out, const char *text, size_t width, bool left)
{
	size_t length = grid_characters(text);
	size_t blanks = width > length ? width - length : 0;

	if (!left)
		put_blanks(out, blanks);
	fputs(text, out);
	if (left)
		put_blanks(out, blanks);
}

/* One of the tables a grid is cut into: which columns, in order. */
struct block {
	const struct grid *grid;
	size_t *columns, nr;
	struct widths *widths; /* of all columns of the grid */
};

static const struct grid_column *block_column(const struct block *b, size_t i)
{
	return &b->grid->columns[b->columns[i]];
}

/* The end of the group that starts at @i, and how many characters it covers. */
static size_t group_end(const struct block *b, size_t i, size_t *width)
{
	const char *group = block_column(b, i)->group;
	size_t end = i;

	*width = 0;
	for (; end < b->nr && strcmp(block_column(b, end)->group, group) == 0; end++)
		*width += b->widths[b->columns[end]].all + (end > i ? GAP : 0);
	return end;
}

/* A group's name in the middle of a line of dashes above its columns. */
static void print_group(FILE *out, const char *name, size_t width)
{
	size_t length = grid_characters(name);
	size_t dashes = width > length + 2 ? width - length - 2 : 0;

	for (size_t i = 0; i < dashes / 2; i++)
		fputc('-', out);
	fprintf(out, dashes ? " %s " : "%s", name);
	for (size_t i = dashes / 2; i < dashes; i++)
		fputc('-', out);
}

/* Blanks are only printed before text, so that no line ends in them. */
static void print_groups(const struct block *b, FILE *out)
{
	size_t blanks = 0, width;

	for (size_t i = 0; i < b->nr;) {
		const char *group = block_column(b, i)->group;

		i = group_end(b, i, &width);
		if (*group) {
			put_blanks(out, blanks);
			print_group(out, group, width);
			width = 0;
			blanks = 0;
		}
		blanks += width + GAP;
	}
	fputc('\n', out);
}

static void print_headings(const struct block *b, FILE *out, bool units)
{
	size_t blanks = 0;

	for (size_t i = 0; i < b->nr; i++) {
		const struct grid_column *c = block_column(b, i);
		const char *text = units ? c->unit : c->heading;
		size_t width = b->widths[b->columns[i]].all;
		size_t length = grid_characters(text);

		if (length == 0) {
			blanks += width + GAP;
			continue;
		}
		put_blanks(out, blanks + (c->left ? 0 : width - length));
		fputs(text, out);
		blanks = (c->left ? width - length : 0) + GAP;
	}
	fputc('\n', out);
}

static void print_cells(const struct block *b, FILE *out, size_t row)
{
	for (size_t i = 0; i < b->nr; i++) {
		const struct grid_column *c = block_column(b, i);
		const struct widths *w = &b->widths[b->columns[i]];
		struct grid_printed p = grid_print_cell(b->grid, row, b->columns[i]);

		if (*p.interval) {
			grid_put_aligned(out, p.figure, w->all - w->interval, false);
			grid_put_aligned(out, p.interval, w->interval, true);
		} else {
			grid_put_aligned(out, p.figure, w->all, c->left);
		}
		put_blanks(out, GAP);
		grid_free_printed(&p);
	}
}

/* No line ends in blanks, whatever its last cells are. */
static void print_row(const struct block *b, FILE *out, size_t row)
{
	char *line = NULL;
	size_t size = 0;
	FILE *cells = open_memstream(&line, &size);

	if (!cells)
		return;
	print_cells(b, cells, row);
	fclose(cells);
	while (size > 0 && line[size - 1] == ' ')
		size--;
	fprintf(out, "%.*s\n", (int)size, line);
	free(line);
}

/* Make the first column of a group wider where the name of the group needs it. */
static void make_room_for_groups(const struct block *b)
{
	size_t width, end;

	for (size_t i = 0; i < b->nr; i = end) {
		size_t name = grid_characters(block_column(b, i)->group);

		end = group_end(b, i, &width);
		if (width < name)
			b->widths[b->columns[i]].all += name - width;
	}
}

static void print_block(const struct block *b, FILE *out)
{
	bool groups = false, units = false;

	for (size_t i = 0; i < b->nr; i++) {
		groups = groups || *block_column(b, i)->group;
		units = units || *block_column(b, i)->unit;
	}
	if (groups)
		print_groups(b, out);
	print_headings(b, out, false);
	if (units)
		print_headings(b, out, true);
	for (size_t row = 0; row < b->grid->nr_rows; row++)
		print_row(b, out, row);
}

/* Add the label columns, or the columns from @from to the end of their group. */
static size_t add_to_block(struct block *b, size_t from, size_t end, bool labels)
{
	size_t width = 0, first = b->nr;

	for (size_t i = from; i < end; i++)
		if (b->grid->columns[i].heading && b->grid->columns[i].label == labels)
			b->columns[b->nr++] = i;
	make_room_for_groups(b);
	for (size_t i = first; i < b->nr; i++)
		width += b->widths[b->columns[i]].all + GAP;
	return width;
}

/* Figures without a group stand alone. */
static bool stands_alone(const struct grid_column *c)
{
	return !*c->group && c->interval;
}

/* The first column after @from that starts another group. */
static size_t next_group(const struct grid *grid, size_t from)
{
	const struct grid_column *columns = grid->columns;
	size_t i = from + 1;

	while (i < grid->nr_columns && !stands_alone(&columns[from]) &&
		!stands_alone(&columns[i]) && strcmp(columns[i].group, columns[from].group) == 0)
		i++;
	return i;
}

void grid_print(const struct grid *grid, FILE *out, size_t width)
{
	struct widths *widths = must_calloc(grid->nr_columns, sizeof(*widths));
	size_t *columns = must_calloc(grid->nr_columns, sizeof(*columns));
	struct block b = {.grid = grid, .columns = columns, .widths = widths};
	size_t used, labels, at = 0;

	for (size_t i = 0; i < grid->nr_columns; i++)
		if (grid->columns[i].heading)
			widths[i] = measure(grid, i);
	used = add_to_block(&b, 0, grid->nr_columns, true);
	labels = b.nr;
	while (at < grid->nr_columns) {
		size_t before = b.nr, end = next_group(grid, at);
		size_t more = add_to_block(&b, at, end, false);

		if (before > labels && used + more > width + GAP) {
			/* Print what fits, and start again with the labels and this group. */
			b.nr = before;
			print_block(&b, out);
			fputc('\n', out);
			b.nr = 0;
			used = add_to_block(&b, 0, grid->nr_columns, true);
			more = add_to_block(&b, at, end, false);
		}
		used += more;
		at = end;
	}
	print_block(&b, out);
	free(columns);
	free(widths);
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
