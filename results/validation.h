/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * validation.h - the published tables, row by row, beside what is simulated for each.
 */
#ifndef ZONESIM_VALIDATION_H
#define ZONESIM_VALIDATION_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include <jansson.h>

#include "estimate.h"
#include "published.h"
#include "verdict.h"

struct error;

struct validation_row {
	const struct published_row *published;
	const struct published_row *base; /* what it is compared with; NULL: it stands alone */
	bool only_base;			  /* not asked for itself: others are compared with it */

	/* What was simulated, set by the caller of validation_judge. */
	json_t *point; /* a point of a document; owned reference; NULL when there is none */
	char *missing; /* why there is none, when it can not be; owned */
	bool left_out; /* it was not asked for */

	/* What validation_judge makes of it. */
	enum compared compared;
	bool by_definition;	   /* 1 because it is the base of figures relative to it */
	struct estimate simulated; /* in the published unit */
	struct estimate change;	   /* percent, against the base */
	double difference;	   /* see verdict_difference; NAN when nothing was simulated */
	enum verdict verdict;
};

struct validation {
	struct published published;
	struct validation_row *rows;
	size_t nr_rows;
};

/*
 * validation_load - the rows of the published tables; only those of @table and of @machine, where
 * these are not NULL. Returns 0, or -1 with @err filled and nothing to free: a table can not be
 * read, or there is no such table, machine or row.
 */
int validation_load(
	struct validation *v, const char *table, const char *machine, struct error *err);
void validation_free(struct validation *v);

/*
 * validation_choose_changes - of the rows just loaded, keep those of a published change, and their
 * bases. Where a table goes through many batches, only 63 and 127 are kept: those that later
 * kernels took for the 31 of that time, and twice as much. The rows are put in the order in which
 * they were published. Returns 0, or -1 with @err filled when no row has a change.
 */
int validation_choose_changes(struct validation *v, struct error *err);

/* Compare each row with its point. */
void validation_judge(struct validation *v);

/* Is a verdict wrong or missing? Those of rows that are only bases do not count. */
bool validation_failed(const struct validation *v);

/* The numbers of rows by verdict, and the mean absolute difference by what was compared. */
struct validation_summary {
	size_t rows, verdicts[NR_VERDICTS];
	double mean_error[NR_COMPARED]; /* NAN when no row was compared so */
};

/* Of @table, or of all tables when it is NULL. Rows that are 1 by definition have no error. */
struct validation_summary validation_summarize(const struct validation *v, const char *table);

/* "batch=31 high=186 step=64": what a row was measured with. The caller frees it. */
char *validation_parameters(const struct published_row *row);

/*
 * validation_print - the judged rows, a table for each published one, and the summary.
 * Errors of @out are left for the caller to find with ferror.
 */
void validation_print(FILE *out, const struct validation *v);
void validation_print_markdown(FILE *out, const struct validation *v);

/* validation_print_changes - one table of Markdown with the changes that were chosen and judged. */
void validation_print_changes(FILE *out, const struct validation *v);

/*
 * validation_to_json - {"zonesim": version, "rows": [...], "summary": {...}}.
 * Returns a new reference, or NULL when memory is short.
 */
json_t *validation_to_json(const struct validation *v);

#endif
