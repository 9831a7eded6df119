/* SPDX-License-Identifier: GPL-3.0-or-later */
/* grid_print.c - a grid as a table for people, within the width of a line. */
#include <stdlib.h>
#include <string.h>

#include "grid_internal.h"
#include "must.h"

#define GAP 2 /* blanks between columns */

/*
 * The widths of a column: of its figures, its intervals, the whole of it, and the least that it can
 * have when its text is broken between words.
 */
struct widths {
	size_t figure, interval, all, least;
};

static size_t larger(size_t a, size_t b)
{
	return a > b ? a : b;
}

/* How long the first part of @text is: a word, or of joined ones the first with its plus. */
static size_t part_of(const char *text)
{
	size_t bytes = strcspn(text, " +");

	return bytes + (text[bytes] == '+');
}

static size_t longest_part(const char *text)
{
	size_t longest = 0;

	for (; *text; text += strspn(text, " ")) {
		longest = larger(longest, part_of(text));
		text += part_of(text);
	}
	return longest;
}

static struct widths measure(const struct grid *grid, size_t column)
{
	const struct grid_column *c = &grid->columns[column];
	struct widths w = {0};
	size_t heading = larger(grid_characters(c->heading), grid_characters(c->unit));
	size_t text = 0, part = 0;

	for (size_t row = 0; row < grid->nr_rows; row++) {
		struct grid_printed p = grid_print_cell(grid, row, column);

		/* Text such as "failed" may reach over both parts. */
		if (*p.interval)
			w.figure = larger(w.figure, grid_characters(p.figure));
		else
			text = larger(text, grid_characters(p.figure));
		part = larger(part, longest_part(p.figure));
		w.interval = larger(w.interval, grid_characters(p.interval));
		grid_free_printed(&p);
	}
	w.all = larger(larger(w.figure + w.interval, text), heading);
	w.least = c->left ? larger(part, heading) : w.all;
	return w;
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
			grid_put_blanks(out, blanks);
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
		grid_put_blanks(out, blanks + (c->left ? 0 : width - length));
		fputs(text, out);
		blanks = (c->left ? width - length : 0) + GAP;
	}
	fputc('\n', out);
}

/* What is still to be printed of a cell: text that is wider than its column takes more lines. */
struct rest {
	struct grid_printed printed;
	const char *text;
};

/* What is left of @text after as much as fits into @width, which takes @bytes. */
static const char *what_fits(const char *text, size_t width, size_t *bytes)
{
	*bytes = part_of(text);
	while (text[*bytes]) {
		size_t blanks = strspn(text + *bytes, " ");
		size_t more = *bytes + blanks + part_of(text + *bytes + blanks);

		if (more > width)
			break;
		*bytes = more;
	}
	return text + *bytes + strspn(text + *bytes, " ");
}

static void print_part(const struct block *b, FILE *out, size_t i, struct rest *rest)
{
	const struct widths *w = &b->widths[b->columns[i]];
	size_t bytes;

	if (*rest->printed.interval && *rest->text) {
		grid_put_aligned(out, rest->text, w->all - w->interval, false);
		grid_put_aligned(out, rest->printed.interval, w->interval, true);
		rest->text = "";
	} else if (grid_characters(rest->text) <= w->all) {
		grid_put_aligned(out, rest->text, w->all, block_column(b, i)->left);
		rest->text = "";
	} else {
		const char *after = what_fits(rest->text, w->all, &bytes);

		fprintf(out, "%.*s", (int)bytes, rest->text);
		grid_put_blanks(out, w->all - bytes);
		rest->text = after;
	}
}

/* One line of a row. True when there is more of it. No line ends in blanks. */
static bool print_line(const struct block *b, FILE *out, struct rest *rests)
{
	char *line = NULL;
	size_t size = 0;
	FILE *cells = open_memstream(&line, &size);
	bool more = false;

	if (!cells)
		return false;
	for (size_t i = 0; i < b->nr; i++) {
		print_part(b, cells, i, &rests[i]);
		grid_put_blanks(cells, GAP);
		more = more || *rests[i].text;
	}
	fclose(cells);
	while (size > 0 && line[size - 1] == ' ')
		size--;
	fprintf(out, "%.*s\n", (int)size, line);
	free(line);
	return more;
}

static void print_row(const struct block *b, FILE *out, size_t row)
{
	struct rest *rests = must_calloc(b->nr, sizeof(*rests));

	for (size_t i = 0; i < b->nr; i++) {
		rests[i].printed = grid_print_cell(b->grid, row, b->columns[i]);
		rests[i].text = rests[i].printed.figure;
	}
	while (print_line(b, out, rests))
		;
	for (size_t i = 0; i < b->nr; i++)
		grid_free_printed(&rests[i].printed);
	free(rests);
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

/*
 * The widest column of text that can still be made narrower; NULL when there is none. In a group a
 * column may have been made wider for the group's name.
 */
static struct widths *widest_text(const struct grid *grid, struct widths *widths)
{
	struct widths *widest = NULL;

	for (size_t i = 0; i < grid->nr_columns; i++)
		if (!*grid->columns[i].group && widths[i].all > widths[i].least &&
			(!widest || widths[i].all > widest->all))
			widest = &widths[i];
	return widest;
}

/* The labels and the widest group, which stand side by side at least. */
static size_t width_at_least(struct block *b)
{
	size_t labels = add_to_block(b, 0, b->grid->nr_columns, true), group = 0;

	for (size_t i = 0; i < b->grid->nr_columns; i = next_group(b->grid, i))
		group = larger(group, add_to_block(b, i, next_group(b->grid, i), false));
	b->nr = 0;
	return labels + group - GAP;
}

/* Let text be broken into lines until it all fits into @width; where it can not, leave it whole. */
static void make_narrower(struct block *b, size_t width)
{
	size_t wide = width_at_least(b), could_be_saved = 0;
	struct widths *widest;

	for (size_t i = 0; i < b->grid->nr_columns; i++)
		if (!*b->grid->columns[i].group)
			could_be_saved += b->widths[i].all - b->widths[i].least;
	if (wide > width && wide - could_be_saved > width)
		return;
	for (; wide > width && (widest = widest_text(b->grid, b->widths)); wide--)
		widest->all--;
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
	make_narrower(&b, width);
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
