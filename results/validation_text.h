/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * validation_text.h - judged rows in print: their figures, and notes on them. The caller frees
 * text that is returned; errors of a file are left for the caller to find with ferror.
 */
#ifndef ZONESIM_VALIDATION_TEXT_H
#define ZONESIM_VALIDATION_TEXT_H

#include <stdio.h>

#include "validation.h"

struct grid;

/* What was published, as far as it is compared: "15.346M", "64.0 %", "+6.30 %". */
char *published_text(const struct validation_row *row);

/*
 * The same of what was simulated, with its interval: in points after a share or change, in percent
 * of the value after a value. "-" where there is none.
 */
char *simulated_text(const struct validation_row *row);

/* How far the one is from the other, in percent or points; "-" where it is not known. */
char *difference_text(const struct validation_row *row);

/* Put @text into a cell that it was made for, and free it. */
void set_own_text(struct grid *grid, size_t row, size_t column, char *text);

/* For a terminal, or for a page of Markdown. */
enum print_style { STYLE_PLAIN, STYLE_MARKDOWN };

void print_grid(FILE *out, enum print_style style, const struct grid *grid);

/* A note is a line above or below a table. */
void print_note(FILE *out, enum print_style style, const char *label, const char *text);

/*
 * Notes on @nr rows but for mere bases: why which are missing, each reason once; and how many are
 * imprecise, by themselves or by a mere base.
 */
void print_missing(FILE *out, enum print_style style, const struct validation_row *rows, size_t nr);
void print_imprecise(
	FILE *out, enum print_style style, const struct validation_row *rows, size_t nr);

#endif
