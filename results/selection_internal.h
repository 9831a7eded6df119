/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * selection_internal.h - what a selection is made of, for the files that ask it.
 */
#ifndef ZONESIM_SELECTION_INTERNAL_H
#define ZONESIM_SELECTION_INTERNAL_H

#include <sqlite3.h>

#include "selection.h"

/* A condition, ready for SQL: the values are bound, never pasted. */
struct condition {
	char *word; /* as the user wrote it */
	struct selection_key *key;
	char *sql;
	char **texts; /* values to bind; NULL where it is a number */
	double *numbers;
	size_t nr;
};

struct selection {
	struct store *store;
	char *text;
	struct condition *conditions;
	size_t nr;
};

/* selection_prepare for the conditions from @from to before @to. */
sqlite3_stmt *selection_prepare_part(const struct selection *s, const char *sql, const char *order,
	size_t from, size_t to, struct error *err);

#endif
