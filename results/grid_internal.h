/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * grid_internal.h - what the ways to print a grid share.
 */
#ifndef ZONESIM_GRID_INTERNAL_H
#define ZONESIM_GRID_INTERNAL_H

#include "grid.h"

/* A cell in print: a figure and its interval, aligned on their own. Owned. */
struct grid_printed {
	char *figure, *interval;
};

struct grid_printed grid_print_cell(const struct grid *grid, size_t row, size_t column);
void grid_free_printed(struct grid_printed *p);

/* Characters of UTF-8 text. */
size_t grid_characters(const char *text);

void grid_put_blanks(FILE *out, size_t nr);

/* Print @text with blanks up to @width characters. */
void grid_put_aligned(FILE *out, const char *text, size_t width, bool left);

#endif
