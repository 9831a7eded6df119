/* SPDX-License-Identifier: GPL-3.0-or-later */
/* selection_explain.c - why a selection has no points, or not all that it names. */
#include <stdlib.h>
#include <string.h>

#include "../models/error.h"
#include "must.h"
#include "selection_internal.h"
#include "store_internal.h"

#define SOME_POINT "SELECT 1 FROM points JOIN models ON models.id = model WHERE"

#define SOME 8

/* The first few of @nr names, for a message. The caller frees it. */
static char *some_of(char *const *names, size_t nr)
{
	char *text = must_format("%s", nr ? "" : "none");

	for (size_t i = 0; i < nr && i < SOME; i++) {
		char *longer =
			must_format("%s%s%s", text, i ? ", " : "", *names[i] ? names[i] : "none");

		free(text);
		text = longer;
	}
	return text;
}

/* The values that points have for a key, to choose one from. */
static int explain_word(const struct selection *s, const struct condition *c, struct error *err)
{
	bool is_scenario = strcmp(c->key->name, "scenario") == 0;
	char *names[256], *sql, *some;
	const char *value = c->nr && c->texts[0] ? c->texts[0] : "", *near;
	size_t nr = 0;
	sqlite3_stmt *statement;

	sql = is_scenario ? must_format("SELECT name FROM scenarios LIMIT 255")
			  : must_format("SELECT DISTINCT %s FROM points JOIN models ON models.id = "
					"model LIMIT 255",
				    c->key->sql);
	statement = store_prepare(s->store, sql, err);
	free(sql);
	if (!statement)
		return -1;
	while (sqlite3_step(statement) == SQLITE_ROW)
		names[nr++] = must_format("%s", sqlite3_column_text(statement, 0));
	names[nr] = NULL;
	sqlite3_finalize(statement);
	some = some_of(names, nr);
	near = c->key->text && c->nr == 1 ? nearest_name(value, (const char *const *)names) : NULL;
	if (near)
		error_set(err, "no point in %s fits %.80s: did you mean '%s'?",
			store_path(s->store), c->word, near);
	else if (is_scenario)
		error_set(err, "no scenario '%.80s' in %s: `zonesim query --scenarios` lists them",
			value, store_path(s->store));
	else
		error_set(err, "no point in %s fits %.80s; there are %s%s", store_path(s->store),
			c->word, some, nr > SOME ? ", ..." : "");
	free(some);
	while (nr > 0)
		free(names[--nr]);
	return -1;
}

int selection_explain_empty(const struct selection *s, struct error *err)
{
	for (size_t i = 0; i < s->nr; i++) {
		sqlite3_stmt *one = selection_prepare_part(s, SOME_POINT, "LIMIT 1", i, i + 1, err);
		int answer = one ? sqlite3_step(one) : SQLITE_ERROR;

		sqlite3_finalize(one);
		if (!one)
			return -1;
		if (answer == SQLITE_DONE)
			return explain_word(s, &s->conditions[i], err);
	}
	if (s->nr > 1)
		return error_set(
			err, "no point in %s fits all of: %s", store_path(s->store), s->text);
	return error_set(err, "the store %s has no points", store_path(s->store));
}

/* Does any point fit @words? What can not be asked is not missed. */
static bool has_points(struct store *store, char *const *words, size_t nr)
{
	struct error unused;
	struct selection *s = selection_make(store, words, nr, &unused);
	sqlite3_stmt *statement = s ? selection_prepare(s, SOME_POINT, "LIMIT 1", &unused) : NULL;
	bool found = !statement || sqlite3_step(statement) != SQLITE_DONE;

	sqlite3_finalize(statement);
	selection_free(s);
	return found;
}

/* Try each of the values between commas of condition @i by itself. */
static void note_values(const struct selection *s, size_t i, FILE *note)
{
	const char *word = s->conditions[i].word, *values = strchr(word, '=') + 1;
	char **words = must_calloc(s->nr, sizeof(*words));

	for (size_t k = 0; k < s->nr; k++)
		words[k] = s->conditions[k].word;
	while (*values) {
		size_t length = strcspn(values, ",");

		words[i] = must_format(
			"%.*s%.*s", (int)(strchr(word, '=') + 1 - word), word, (int)length, values);
		if (!has_points(s->store, words, s->nr))
			fprintf(note, "zonesim: no point fits %s\n", words[i]);
		free(words[i]);
		values += length + (values[length] != '\0');
	}
	free(words);
}

void selection_note_missing(const struct selection *s, FILE *note)
{
	for (size_t i = 0; i < s->nr; i++) {
		const char *word = s->conditions[i].word;

		if (strchr(word, ',') && strchr(word, '=') && !strpbrk(word, "!<>"))
			note_values(s, i, note);
	}
}
