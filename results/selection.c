/* SPDX-License-Identifier: GPL-3.0-or-later */
/* selection.c - which points of a store are meant, in a few words. */
#include "selection.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "../models/error.h"
#include "must.h"
#include "selection_internal.h"
#include "store_internal.h"

/* clang-format off */
const struct selection_key selection_keys[] = {
	{"machine", NULL, "points.machine", QUANTITY_PLAIN, true, true, "name of the machine"},
	{"kernel", NULL, "points.kernel", QUANTITY_PLAIN, true, true, "release"},
	{"patches", NULL, "points.changes", QUANTITY_PLAIN, true, true, "those asked for: none, a, -b, a+b"},
	{"workload", NULL, "points.workload", QUANTITY_PLAIN, true, true, "name of the workload"},
	{"parameters", NULL, "points.parameters", QUANTITY_PLAIN, true, true, "of the workload, as JSON"},
	{"tasks", NULL, "points.tasks", QUANTITY_COUNT, false, true, "tasks"},
	{"pcp.batch", "batch", "points.batch", QUANTITY_COUNT, false, true, "as used"},
	{"pcp.high", "high", "points.high", QUANTITY_COUNT, false, true, "as used"},
	{"pcp.percpu-pagelist-fraction", NULL, "points.fraction", QUANTITY_COUNT, false, true, "0: off"},
	{"pcp.percpu-pagelist-high-fraction", NULL, "points.high_fraction", QUANTITY_COUNT, false, true, "0: off"},
	{"measure.precision", "precision", "points.precision", QUANTITY_SHARE, false, true, "asked for"},
	{"measure.time-limit", "time-limit", "points.time_limit", QUANTITY_TIME, false, true, "of simulated time"},
	{"measure.seed", "seed", "points.seed", QUANTITY_COUNT, false, true, "of the random numbers"},
	{"has", NULL, "points.patches", QUANTITY_PLAIN, true, false, "a patch that is in effect, whoever asked for it"},
	{"status", NULL, "points.status", QUANTITY_PLAIN, true, false, "ok, imprecise or failed"},
	{"model", NULL, "models.digest", QUANTITY_PLAIN, true, false, "beginning of the model's digest; all: any"},
	{"version", NULL, "models.version", QUANTITY_PLAIN, true, false, "of zonesim"},
	{"host", NULL, "points.host", QUANTITY_PLAIN, true, false, "where it was simulated"},
	{"scenario", NULL, "points.fingerprint", QUANTITY_PLAIN, true, false, "name of a scenario"},
	{"fingerprint", NULL, "points.fingerprint", QUANTITY_PLAIN, true, false, "its beginning"},
	{NULL, NULL, NULL, QUANTITY_PLAIN, false, false, NULL},
};
/* clang-format on */

/*
 * Keys
 */

static struct selection_key *copy_key(const struct selection_key *key)
{
	struct selection_key *copy = must_calloc(1, sizeof(*copy));

	*copy = *key;
	return copy;
}

/* "workload.region": looked for in the parameters. The key and its SQL are one allocation. */
static struct selection_key *parameter_key(const char *name)
{
	static const char format[] = "json_extract(points.parameters, '$.\"%s\"')";
	const char *parameter = name + strlen("workload.");
	size_t size = sizeof(struct selection_key) + strlen(name) + 1;
	struct selection_key *key;
	char *sql;

	if (!*parameter || parameter[strspn(parameter, "abcdefghijklmnopqrstuvwxyz0123456789-_")])
		return NULL;
	key = must_calloc(1, size + sizeof(format) + strlen(parameter));
	sql = (char *)key + size;
	memcpy(key + 1, name, strlen(name) + 1);
	sqlite3_snprintf((int)(sizeof(format) + strlen(parameter)), sql, format, parameter);
	*key = (struct selection_key){.name = (char *)(key + 1), .sql = sql, .setting = true};
	return key;
}

static struct selection_key *find_key(const char *name)
{
	for (const struct selection_key *key = selection_keys; key->name; key++) {
		if (strcmp(name, key->name) == 0 || (key->alias && strcmp(name, key->alias) == 0))
			return copy_key(key);
	}
	if (strncmp(name, "workload.", strlen("workload.")) == 0)
		return parameter_key(name);
	return NULL;
}

struct suggestion selection_suggest(const char *name)
{
	const char *names[64];
	size_t nr = 0;

	for (const struct selection_key *key = selection_keys; key->name; key++) {
		names[nr++] = key->name;
		if (key->alias)
			names[nr++] = key->alias;
	}
	names[nr] = NULL;
	return suggest(name, names, "see `zonesim query --help`");
}

static int unknown_key(const char *word, const char *name, struct error *err)
{
	return error_set(err, "%.80s: no key '%.40s'%s", word, name, selection_suggest(name).text);
}

/*
 * Conditions
 */

/* Bind one more value. Returns the number of its parameter within the condition. */
static void add_value(struct condition *c, char *text, double number)
{
	c->texts = must_realloc(c->texts, c->nr + 1, sizeof(*c->texts));
	c->numbers = must_realloc(c->numbers, c->nr + 1, sizeof(*c->numbers));
	c->texts[c->nr] = text;
	c->numbers[c->nr++] = number;
}

static void add_sql(struct condition *c, const char *more)
{
	char *longer = must_format("%s%s", c->sql ? c->sql : "", more);

	free(c->sql);
	c->sql = longer;
}

static int by_name(const void *a, const void *b)
{
	return strcmp(*(char *const *)a, *(char *const *)b);
}

/* "b+a" as the store has it, "a b"; "none" is nothing. The caller frees it. */
static char *sorted_patches(const char *value)
{
	char *copy = must_format("%s", value), *names[64], *at = copy, *text;
	size_t nr = 0;

	text = must_format("%s", "");
	if (strcmp(value, "none") == 0) {
		free(copy);
		return text;
	}
	while (at && nr < 64) {
		names[nr++] = at;
		at = strchr(at, '+');
		if (at)
			*at++ = '\0';
	}
	qsort(names, nr, sizeof(*names), by_name);
	for (size_t i = 0; i < nr; i++) {
		char *longer = must_format("%s%s%s", text, i ? " " : "", names[i]);

		free(text);
		text = longer;
	}
	free(copy);
	return text;
}

/* SQL that says whether a point's text is @value. */
static void add_text(struct condition *c, const char *value)
{
	const char *name = c->key->name;
	char *sql;

	if (strcmp(name, "model") == 0 && strcmp(value, "all") == 0) {
		add_sql(c, "true");
		return;
	}
	if (strcmp(name, "scenario") == 0) {
		add_sql(c, "+points.fingerprint IN (SELECT fingerprint FROM scenario_points JOIN"
			   " scenarios ON id = scenario WHERE name = ?)");
		add_value(c, must_format("%s", value), 0);
	} else if (strcmp(name, "model") == 0 || strcmp(name, "fingerprint") == 0) {
		/* A range, unlike LIKE, finds beginnings by the index. */
		sql = must_format("(%s >= ? AND %s < ?)", c->key->sql, c->key->sql);
		add_sql(c, sql);
		free(sql);
		add_value(c, must_format("%s", value), 0);
		add_value(c, must_format("%s~", value), 0);
	} else if (strcmp(name, "has") == 0) {
		add_sql(c, "' ' || points.patches || ' ' LIKE '% ' || ? || ' %'");
		add_value(c, must_format("%s", value), 0);
	} else {
		sql = must_format("%s = ?", c->key->sql);
		add_sql(c, sql);
		free(sql);
		add_value(c,
			strcmp(name, "patches") == 0 ? sorted_patches(value)
						     : must_format("%s", value),
			0);
	}
}

/* A number as a user writes it: with a unit where the key has one, or bare. */
static int read_number(
	const struct condition *c, const char *text, double *number, struct error *err)
{
	static const enum quantity units[] = {
		QUANTITY_PLAIN, QUANTITY_BYTES, QUANTITY_TIME, QUANTITY_SHARE};
	char why[128];

	if (quantity_parse(text, c->key->unit, number, why, sizeof(why)) == 0)
		return 0;
	/* Parameters of workloads have units that only their workload knows. */
	for (size_t i = 0; i < sizeof(units) / sizeof(*units); i++) {
		char unused[128];

		if (quantity_parse(text, units[i], number, unused, sizeof(unused)) == 0)
			return 0;
	}
	return error_set(err, "%.80s: %s", c->word, why);
}

/* SQL that says how a point's number stands to @value, or whether it is in a range. */
static int add_number(
	struct condition *c, const char *operator, const char * value, struct error *err)
{
	const char *dots = strstr(value, "..");
	double from, to = 0;
	char *sql;
	int status;

	if (dots) {
		char *first = must_format("%.*s", (int)(dots - value), value);

		status = read_number(c, first, &from, err);
		free(first);
		if (status < 0 || read_number(c, dots + 2, &to, err) < 0)
			return -1;
		sql = must_format("%s BETWEEN ? AND ?", c->key->sql);
	} else {
		if (read_number(c, value, &from, err) < 0)
			return -1;
		sql = must_format("%s %s ?", c->key->sql, operator);
	}
	add_sql(c, sql);
	free(sql);
	add_value(c, NULL, from);
	if (dots)
		add_value(c, NULL, to);
	return 0;
}

/* The values between commas: any of them. */
static int add_alternatives(
	struct condition *c, const char *operator, const char * values, struct error *err)
{
	bool negated = operator[0] == '!';

	add_sql(c, negated ? "NOT (" : "(");
	while (true) {
		size_t length = strcspn(values, ",");
		char *value = must_format("%.*s", (int)length, values);
		int status = 0;

		if (length == 0)
			status = error_set(err, "%.80s: a value is missing", c->word);
		else if (c->key->text)
			add_text(c, value);
		else
			status = add_number(c, negated ? "=" : operator, value, err);
		free(value);
		if (status < 0)
			return -1;
		if (!values[length])
			break;
		values += length + 1;
		add_sql(c, " OR ");
	}
	add_sql(c, ")");
	return 0;
}

static int read_condition(struct condition *c, const char *word, struct error *err)
{
	size_t length = strcspn(word, "=<>!");
	const char *at = word + length;
	char operator[3] = {at[0], at[1] == '=' ? '=' : '\0', '\0'};
	char *name = must_format("%.*s", (int)length, word);

	c->key = find_key(name);
	if (!c->key) {
		unknown_key(word, name, err);
		free(name);
		return -1;
	}
	free(name);
	if (strcmp(operator, "!") == 0 || strcmp(operator, "==") == 0)
		return error_set(err, "%.80s: expected =, !=, <, <=, > or >=", word);
	if (c->key->text && (operator[0] == '<' || operator[0] == '>'))
		return error_set(err, "%.80s: %s is no number", word, c->key->name);
	return add_alternatives(c, operator, at + strlen(operator), err);
}

/* A bare word: the beginning of a fingerprint if it can be one, else a scenario. */
static int read_bare(struct condition *c, const char *word, struct error *err)
{
	bool hexadecimal = word[strspn(word, "0123456789abcdef")] == '\0';

	if (hexadecimal && strlen(word) < 4)
		return error_set(
			err, "%s: of a fingerprint at least four characters are needed", word);
	c->key = find_key(hexadecimal ? "fingerprint" : "scenario");
	add_text(c, word);
	return 0;
}

static int add_word(struct selection *s, const char *word, struct error *err)
{
	struct condition *c;

	s->conditions = must_realloc(s->conditions, s->nr + 1, sizeof(*s->conditions));
	c = &s->conditions[s->nr++];
	*c = (struct condition){.word = must_format("%s", word)};
	if (word[strcspn(word, "=<>!")])
		return read_condition(c, word, err);
	return read_bare(c, word, err);
}

struct selection *selection_make(
	struct store *store, char *const *words, size_t nr, struct error *err)
{
	struct selection *s = must_calloc(1, sizeof(*s));
	int status = 0;

	s->store = store;
	s->text = must_format("%s", "");
	for (size_t i = 0; i < nr && status == 0; i++) {
		char *copy = must_format("%s", words[i]), *rest = NULL;
		char *longer = must_format("%s%s%s", s->text, i ? " " : "", words[i]);

		free(s->text);
		s->text = longer;
		for (char *word = strtok_r(copy, " ", &rest); word && status == 0;
			word = strtok_r(NULL, " ", &rest))
			status = add_word(s, word, err);
		free(copy);
	}
	if (status == 0)
		return s;
	selection_free(s);
	return NULL;
}

void selection_free(struct selection *s)
{
	if (!s)
		return;
	for (size_t i = 0; i < s->nr; i++) {
		struct condition *c = &s->conditions[i];

		for (size_t k = 0; k < c->nr; k++)
			free(c->texts[k]);
		free(c->texts);
		free(c->numbers);
		free(c->sql);
		free(c->key);
		free(c->word);
	}
	free(s->conditions);
	free(s->text);
	free(s);
}

struct store *selection_store(const struct selection *s)
{
	return s->store;
}

bool selection_names_model(const struct selection *s)
{
	for (size_t i = 0; i < s->nr; i++)
		if (strcmp(s->conditions[i].key->name, "model") == 0)
			return true;
	return false;
}

/*
 * Asking
 */

static int bind_condition(sqlite3_stmt *statement, int at, const struct condition *c)
{
	for (size_t i = 0; i < c->nr; i++, at++) {
		if (c->texts[i])
			store_bind_text(statement, at, c->texts[i]);
		else
			(void)sqlite3_bind_double(statement, at, c->numbers[i]);
	}
	return at;
}

sqlite3_stmt *selection_prepare_part(const struct selection *s, const char *sql, const char *order,
	size_t from, size_t to, struct error *err)
{
	char *text = must_format("%s (true", sql), *longer;
	sqlite3_stmt *statement;
	int at = 1;

	for (size_t i = from; i < to; i++) {
		longer = must_format("%s AND %s", text, s->conditions[i].sql);
		free(text);
		text = longer;
	}
	longer = must_format("%s) %s", text, order);
	free(text);
	statement = store_prepare(s->store, longer, err);
	free(longer);
	for (size_t i = from; statement && i < to; i++)
		at = bind_condition(statement, at, &s->conditions[i]);
	return statement;
}

sqlite3_stmt *selection_prepare(
	const struct selection *s, const char *sql, const char *order, struct error *err)
{
	return selection_prepare_part(s, sql, order, 0, s->nr, err);
}

char *selection_help(void)
{
	char *text = must_format(
		"SELECTION is any number of words, all of which must hold: the beginning of a "
		"fingerprint, the name of a scenario, or conditions: KEY=VALUE[,VALUE...], "
		"KEY!=VALUE, KEY<VALUE (<=, >, >=) or KEY=FROM..TO. The keys:\n");

	for (const struct selection_key *key = selection_keys; key->name; key++) {
		char *longer = must_format("%s\n  %s%s%s: %s", text, key->name,
			key->alias ? " or " : "", key->alias ? key->alias : "", key->help);

		free(text);
		text = longer;
	}
	text = must_realloc(text, strlen(text) + 64, 1);
	strcat(text, "\n  workload.PARAMETER: a parameter of the workload");
	return text;
}
