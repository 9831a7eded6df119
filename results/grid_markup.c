/* SPDX-License-Identifier: GPL-3.0-or-later */
/* grid_markup.c - a grid in Markdown and in HTML. */
#include <stdint.h>
#include <stdlib.h>

#include "grid_internal.h"
#include "html.h"
#include "markdown.h"
#include "must.h"

static size_t larger(size_t a, size_t b)
{
	return a > b ? a : b;
}

/*
 * As Markdown
 */

#define HEADING SIZE_MAX /* the row of headings */

/* One line has room for all of a heading: "group: heading (unit)". */
static char *markdown_heading(const struct grid_column *c)
{
	return must_format("%s%s%s%s%s%s", c->group, *c->group ? ": " : "", c->heading,
		*c->unit ? " (" : "", c->unit, *c->unit ? ")" : "");
}

/* The caller frees it. */
static char *markdown_cell(const struct grid *grid, size_t row, size_t column)
{
	char *text, *escaped;

	if (row == HEADING) {
		text = markdown_heading(&grid->columns[column]);
	} else {
		struct grid_printed p = grid_print_cell(grid, row, column);

		text = must_format("%s%s", p.figure, p.interval);
		grid_free_printed(&p);
	}
	escaped = markdown_escape(text);
	free(text);
	return escaped;
}

/* At least 3, which is what the line below the headings takes. */
static size_t markdown_width(const struct grid *grid, size_t column)
{
	char *text = markdown_cell(grid, HEADING, column);
	size_t width = larger(3, grid_characters(text));

	free(text);
	for (size_t row = 0; row < grid->nr_rows; row++) {
		text = markdown_cell(grid, row, column);
		width = larger(width, grid_characters(text));
		free(text);
	}
	return width;
}

static void print_markdown_row(const struct grid *grid, FILE *out, size_t row, const size_t *widths)
{
	for (size_t i = 0; i < grid->nr_columns; i++) {
		char *text;

		if (!grid->columns[i].heading)
			continue;
		text = markdown_cell(grid, row, i);
		fputs("| ", out);
		grid_put_aligned(out, text, widths[i], grid->columns[i].left);
		fputc(' ', out);
		free(text);
	}
	fputs("|\n", out);
}

/* A colon is on the side to which a column is aligned. */
static void print_markdown_rule(const struct grid *grid, FILE *out, const size_t *widths)
{
	for (size_t i = 0; i < grid->nr_columns; i++) {
		bool left = grid->columns[i].left;

		if (!grid->columns[i].heading)
			continue;
		fputs(left ? "| :" : "| ", out);
		for (size_t k = 1; k < widths[i]; k++)
			fputc('-', out);
		fputs(left ? " " : ": ", out);
	}
	fputs("|\n", out);
}

void grid_print_markdown(const struct grid *grid, FILE *out)
{
	size_t *widths = must_calloc(grid->nr_columns, sizeof(*widths));

	for (size_t i = 0; i < grid->nr_columns; i++)
		if (grid->columns[i].heading)
			widths[i] = markdown_width(grid, i);
	print_markdown_row(grid, out, HEADING, widths);
	print_markdown_rule(grid, out, widths);
	for (size_t row = 0; row < grid->nr_rows; row++)
		print_markdown_row(grid, out, row, widths);
	free(widths);
}

/*
 * As HTML
 */

static void put_html_row(const struct grid *grid, FILE *out, size_t row)
{
	fputs("<tr>", out);
	for (size_t i = 0; i < grid->nr_columns; i++) {
		const struct grid_column *c = &grid->columns[i];
		struct grid_printed p;

		if (!c->heading)
			continue;
		p = grid_print_cell(grid, row, i);
		fputs(c->left ? "<td class=\"left\">" : "<td>", out);
		html_put(out, p.figure);
		html_put(out, p.interval);
		fputs("</td>", out);
		grid_free_printed(&p);
	}
	fputs("</tr>\n", out);
}

void grid_print_html(const struct grid *grid, FILE *out)
{
	fputs("<table>\n<thead><tr>", out);
	for (size_t i = 0; i < grid->nr_columns; i++) {
		char *heading;

		if (!grid->columns[i].heading)
			continue;
		heading = markdown_heading(&grid->columns[i]);
		fputs(grid->columns[i].left ? "<th class=\"left\">" : "<th>", out);
		html_put(out, heading);
		fputs("</th>", out);
		free(heading);
	}
	fputs("</tr></thead>\n<tbody>\n", out);
	for (size_t row = 0; row < grid->nr_rows; row++)
		put_html_row(grid, out, row);
	fputs("</tbody>\n</table>\n", out);
}
