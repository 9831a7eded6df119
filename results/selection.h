/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * selection.h - which points of a store are meant, in a few words.
 *
 * A word is the beginning of a fingerprint (four characters or more), the name of a scenario, or a
 * condition: KEY=VALUE[,VALUE...], KEY!=..., KEY<VALUE, <=, >, >=, or KEY=FROM..TO for numbers. All
 * words must hold. One word may have several conditions, with blanks between them.
 */
#ifndef ZONESIM_SELECTION_H
#define ZONESIM_SELECTION_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "../models/units.h"
#include "suggest.h"

struct error;
struct store;
struct sqlite3_stmt;

/* What can be asked for, and what points are told apart by. */
struct selection_key {
	const char *name;   /* "pcp.batch" */
	const char *alias;  /* "batch", or NULL */
	const char *sql;    /* its value, of the tables points and models */
	enum quantity unit; /* how numbers are written */
	bool text;	    /* no number */
	bool setting;	    /* part of what was simulated */
	const char *help;
};

/*
 * All keys, the settings first; the end has a NULL name. "workload.PARAMETER" can be asked for,
 * too.
 */
extern const struct selection_key selection_keys[];

/* What to say of a @name that no key has. */
struct suggestion selection_suggest(const char *name);

struct selection;

/*
 * selection_make - read @nr words. Returns the selection, to be ended with selection_free, or NULL
 * with @err filled. No words select all points.
 */
struct selection *selection_make(
	struct store *store, char *const *words, size_t nr, struct error *err);
void selection_free(struct selection *s);

/* The store it is of; and whether a word says which model is meant. */
struct store *selection_store(const struct selection *s);
bool selection_names_model(const struct selection *s);

/*
 * selection_prepare - a statement that runs @sql, which ends where a condition on points is
 * expected, and then @order. Returns NULL with @err filled when it can not.
 */
struct sqlite3_stmt *selection_prepare(
	const struct selection *s, const char *sql, const char *order, struct error *err);

/* Set @err to why the selection has no points: the first word that no point fits. Returns -1. */
int selection_explain_empty(const struct selection *s, struct error *err);

/* Say on @note which of several values that a word names no point has. */
void selection_note_missing(const struct selection *s, FILE *note);

/* Print what words there are, for --help. */
char *selection_help(void);

#endif
