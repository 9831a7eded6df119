/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * result.h - the document of a run: what `zonesim run --json` prints, and its table and CSV forms.
 *
 * A document is {"zonesim": version, "scenario": name, "points": [point, ...]}. Everything printed
 * (table, CSV, picture) is made from the document, so that all of them show the same figures.
 * Times and rates are in base units inside the document: seconds, bytes, pages/s, ns where named
 * so.
 *
 * The build defines ZONESIM_VERSION (a string).
 */
#ifndef ZONESIM_RESULT_H
#define ZONESIM_RESULT_H

#include <stdio.h>

#include <jansson.h>

struct error;
struct point_result;

/*
 * document_new - an empty document.
 * Returns a new reference, or NULL when memory is short or @scenario_name is not UTF-8.
 */
json_t *document_new(const char *scenario_name);

/*
 * document_add - append a point made by result_to_json. Steals the reference of @point, also when
 * it fails. Returns 0, or -1 when memory is short or @point is NULL.
 */
int document_add(json_t *document, json_t *point);

/*
 * result_to_json - one point of a document.
 * @config: {"machine", "kernel", "patches", "effective_patches", "workload", "tasks",
 *          "pcp": {"batch", "high"}, "seed", ...}; its reference is stolen, also on failure.
 *          "patches" is what the scenario added, "effective_patches" those in the running kernel,
 *          both arrays of names; "pcp" holds what was used, after the kernel's own choice.
 *          "workload" is a name, or an object with a "name"; "tasks" the number that ran, also
 *          where the scenario says all. Any other key may be added: what varies between points
 *          becomes a column of the table.
 * Returns a new reference, or NULL when memory is short.
 */
json_t *result_to_json(const struct point_result *result, json_t *config, const char *fingerprint);

/*
 * result_print_table - the document as a table of at most 80 columns.
 *
 * One row per configuration. Where the patches vary, base and patched stand in one row with the
 * change between them, its 95% confidence interval, and the published figures where
 * results/published knows the configuration. Failed points are listed with their reasons.
 * Returns 0, or -1 with @err filled (a malformed document, output that can not be written).
 */
int result_print_table(FILE *out, json_t *document, struct error *err);

/*
 * result_print_csv - the rows of the table as CSV (RFC 4180, but lines end in a plain newline),
 * with every figure in full precision and in base units, and columns for all settings and metrics.
 * Returns 0, or -1 with @err filled.
 */
int result_print_csv(FILE *out, json_t *document, struct error *err);

#endif
