/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * table.h - the rows of a comparison as a grid of figures, for print and for CSV.
 */
#ifndef ZONESIM_TABLE_H
#define ZONESIM_TABLE_H

#include "comparison.h"
#include "grid.h"

/* A grid, and the names that were made for its columns. */
struct table {
	struct grid grid;
	char **names;
	size_t nr_names;
};

/* Lay out @c, which must outlive the table. End with table_free. */
void table_make(struct table *table, const struct comparison *c);
void table_free(struct table *table);

/*
 * The letter that stands for a set of patches in the table, where more than one set is compared
 * with the base; '\0' where there is only one. After 'Z' it is '?'.
 */
char patches_letter(const struct comparison *c, const char *patches);

/*
 * metric_scale - what to divide a metric by, so that a few digits stand before the point.
 * @prefix: set to "M", "k" or "", to put before the unit.
 */
double metric_scale(const struct comparison *c, const char *metric, const char **prefix);

#endif
