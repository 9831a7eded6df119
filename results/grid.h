/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * grid.h - rows and columns of figures that print as a table for people or as CSV for programs.
 */
#ifndef ZONESIM_GRID_H
#define ZONESIM_GRID_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "estimate.h"

/* How a column is printed. The strings are not owned and must outlive the grid. */
struct grid_column {
	const char *csv;     /* its name in CSV; NULL: not there */
	const char *group;   /* a heading above neighbours with the same one; "" for none */
	const char *heading; /* NULL: not in the table */
	const char *unit;    /* below the heading */
	bool label;	     /* says which row it is: repeated where a wide table is cut */
	bool left;	     /* left-aligned text */
	bool interval;	     /* has a confidence interval */
	bool sign;	     /* positive numbers show a plus */
	double scale;	     /* what the table divides figures by; CSV does not */
	int decimals;	     /* in the table */
};

/* A figure, or text instead of one. */
struct grid_cell {
	char *text;
	struct estimate value;
};

struct grid {
	struct grid_column *columns;
	struct grid_cell *cells; /* [row * nr_columns + column] */
	size_t nr_columns, nr_rows;
};

/* An empty grid; end it with grid_free. All columns are added before the first row. */
void grid_init(struct grid *grid);
void grid_free(struct grid *grid);

/* Both return the index of what was added. Cells start as not known: "-" or empty in CSV. */
size_t grid_add_column(struct grid *grid, const struct grid_column *column);
size_t grid_add_row(struct grid *grid);

/* Fill a cell. The text is copied. */
void grid_set_text(struct grid *grid, size_t row, size_t column, const char *text);
void grid_set_value(struct grid *grid, size_t row, size_t column, struct estimate value);
void grid_set_number(struct grid *grid, size_t row, size_t column, double value);

/*
 * grid_print - as a table. Where it is wider than @width characters it is cut between groups, and
 * at columns with intervals that are in none, into tables below one another, each with the label
 * columns. Where labels and one group are too wide, text is broken between words if that helps.
 * grid_print_markdown - as one table of Markdown, that can also be read as it is.
 * grid_print_html - as a table of HTML.
 * grid_print_csv - as CSV, figures with all their digits.
 * Errors of @out are left for the caller to find with ferror.
 */
void grid_print(const struct grid *grid, FILE *out, size_t width);
void grid_print_markdown(const struct grid *grid, FILE *out);
void grid_print_html(const struct grid *grid, FILE *out);
void grid_print_csv(const struct grid *grid, FILE *out);

#endif
