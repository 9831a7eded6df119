/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * store.h - results kept in an SQLite file, so that no point need be simulated twice.
 *
 * A point is known by its fingerprint. The table "points" has its whole JSON object, as a document
 * carries it (see result.h), and its settings as columns for those who look with sqlite3; the table
 * "metrics" has a row per metric. Several programs may use a file at once.
 */
#ifndef ZONESIM_STORE_H
#define ZONESIM_STORE_H

#include <jansson.h>

struct error;
struct store;

#define STORE_SCHEMA 1		/* PRAGMA user_version of what this zonesim writes */
#define STORE_PATIENCE_MS 10000 /* how long to wait for another program that writes */

/*
 * store_open - open the file at @path, and make it what a store is when it is new or empty.
 * @patience_ms: how long, here and later, to wait for a lock that someone else holds
 * Returns the store, to be ended with store_close; or NULL with @err filled: the file can not be
 * opened or written, is no database or a damaged one, belongs to another program, was written by a
 * newer zonesim, or is locked for too long.
 */
struct store *store_open(const char *path, int patience_ms, struct error *err);
void store_close(struct store *store);

/*
 * store_put - keep @point, in place of what was known of its fingerprint. When this returns 0, the
 * point survives whatever ends the program. Returns -1 with @err filled, and nothing changed.
 */
int store_put(struct store *store, const json_t *point, struct error *err);

/*
 * store_find - what is known of @fingerprint.
 * Fills @point with a new reference, or with NULL when nothing is known, or only that it failed.
 * Returns 0, or -1 with @err filled.
 */
int store_find(struct store *store, const char *fingerprint, json_t **point, struct error *err);

#endif
