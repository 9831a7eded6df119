/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * store_internal.h - what the files of the store share; no one else includes it.
 */
#ifndef ZONESIM_STORE_INTERNAL_H
#define ZONESIM_STORE_INTERNAL_H

#include <stdint.h>

#include <sqlite3.h>

#include "store.h"

struct store {
	sqlite3 *db;
	char *path;
	int problem;	   /* the exit status that fits the last error */
	int64_t last_seen; /* when claims were refreshed */
};

/* Set @err to what SQLite's last answer means to a user. Always returns -1. */
int store_failed(struct store *s, struct error *err);

/* Run statements that give no rows. Returns 0, or -1 with @err filled. */
int store_execute(struct store *s, const char *sql, struct error *err);

/* Undo what was begun; what went wrong before is what is reported. Always returns -1. */
int store_roll_back(struct store *s);

/* Returns NULL with @err filled when @sql can not be prepared. */
sqlite3_stmt *store_prepare(struct store *s, const char *sql, struct error *err);

/* Run a statement that gives no rows, and make it ready for the next. 0, or -1 with @err. */
int store_step(struct store *s, sqlite3_stmt *statement, struct error *err);

/* Bind parameter @i. */
void store_bind_text(sqlite3_stmt *statement, int i, const char *text);

/* Make the tables, or bring those of schema @version up to date, in a transaction of the caller. */
int store_make_tables(struct store *s, int version, struct error *err);

#endif
