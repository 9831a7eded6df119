/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * query.h - what a store holds, for people and for programs.
 */
#ifndef ZONESIM_QUERY_H
#define ZONESIM_QUERY_H

#include <stdio.h>

#include <jansson.h>

struct error;
struct rows;
struct store;

/*
 * query_print - one line for each row: what tells them apart, and their metrics.
 * query_print_html - the same as a table of HTML.
 * query_print_csv - all settings of each row, and its metrics, in base units.
 * query_to_json - the same as an array of objects. A new reference, or NULL when memory is short.
 * @source: the name of the store. Errors of @out are left for the caller to find with ferror.
 */
void query_print(FILE *out, const struct rows *rows, const char *source);
void query_print_html(FILE *out, const struct rows *rows);
void query_print_csv(FILE *out, const struct rows *rows);
json_t *query_to_json(const struct rows *rows);

/*
 * query_scenarios - the scenarios of a store, with how many of their points it has, as an array of
 * objects. query_models - the models, likewise. A new reference, or NULL with @err filled.
 */
json_t *query_scenarios(struct store *store, struct error *err);
json_t *query_models(struct store *store, struct error *err);

#endif
