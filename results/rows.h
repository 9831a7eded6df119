/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * rows.h - the points of a selection, read from a store: settings and metrics, without their
 * documents, so that a hundred thousand are read in a second.
 */
#ifndef ZONESIM_ROWS_H
#define ZONESIM_ROWS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "selection.h"

struct error;

/* A mean with what is known of its spread; NAN where it is not known. */
struct measured {
	double mean, ci95, degrees;
};

#define ROW_MAX_SETTINGS 16

struct row {
	long long id; /* of the store's table points */
	const char *fingerprint, *status, *failure, *model, *machine_digest, *version, *host;
	const char *started, *log;
	const char *effective;		    /* all patches in effect, between single spaces */
	double wall;			    /* seconds */
	const char *text[ROW_MAX_SETTINGS]; /* of each setting; NULL where it is a number */
	double number[ROW_MAX_SETTINGS];
	struct measured *metrics; /* of each metric; NULL when there are none */
};

struct rows {
	struct row *list;
	size_t nr;
	const char *keys[ROW_MAX_SETTINGS]; /* settings by name, in the order of selection_keys */
	enum quantity units[ROW_MAX_SETTINGS];
	size_t nr_settings;
	char **metrics, **metric_units;
	size_t nr_metrics;
	bool model_named;  /* by the selection */
	struct pool *pool; /* of all texts */
};

/*
 * rows_load - read the points of @selection, sorted by their settings.
 * @metrics: the names of @nr of them, or NULL for all there are
 * Returns 0, or -1 with @err filled and nothing to free: the store can not be read. An empty
 * selection is an error, too, which says why. End with rows_free.
 */
int rows_load(struct rows *rows, const struct selection *selection, char *const *metrics, size_t nr,
	struct error *err);
void rows_free(struct rows *rows);

/* The first metric that was asked for and that no row has, or NULL. */
const char *rows_missing_metric(const struct rows *rows);

/*
 * rows_keep_one_model - leave out points of any but the newest model, and of any but the newest
 * figures of a machine, and say so on @note: what different models simulated does not compare.
 * Rows whose selection names a model stay as they are.
 * @other: further rows that must then be of the same model, or NULL
 */
void rows_keep_one_model(struct rows *rows, struct rows *other, FILE *note);

/* The setting called @key, an index, or -1. Parameters of workloads are none. */
int rows_setting(const struct rows *rows, const char *key);

/*
 * rows_text - the value of any key, also of a parameter, as a scenario would write it. The caller
 * frees it.
 * rows_number - the same as a number in base units; NAN when it is none.
 */
char *rows_text(const struct rows *rows, const struct row *row, const char *key);
double rows_number(const struct rows *rows, const struct row *row, const char *key);

/* Does setting @i differ between any two rows? Are two rows the same in it? */
bool rows_varies(const struct rows *rows, size_t i);
bool rows_same(const struct row *a, const struct row *b, size_t i);

/*
 * rows_label - a row by the settings that @which has marked: "skylake-2s, base, tasks 8"; "base"
 * are no patches. The caller frees it.
 */
char *rows_label(const struct rows *rows, const struct row *row, const bool *which);

/* The settings that all rows share, in print: "skylake-2s, v4.15, page_fault1, tasks 8". Owned. */
char *rows_common(const struct rows *rows);

/* The index of a metric, or -1; and its measured value, NANs when a row has none. */
int rows_metric(const struct rows *rows, const char *name);
struct measured rows_measured(const struct row *row, int metric);

#endif
