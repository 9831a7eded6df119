/* SPDX-License-Identifier: GPL-3.0-or-later */
/* rows.c - the points of a selection, read from a store. */
#include "rows.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <uthash.h>

#include "../models/error.h"
#include "must.h"
#include "store_internal.h"

/*
 * Texts: most rows have the same few
 */

struct pooled {
	UT_hash_handle hh;
	char text[];
};

struct pool {
	struct pooled *texts;
};

static const char *pool_keep(struct pool *pool, const char *text)
{
	struct pooled *found;

	text = text ? text : "";
	HASH_FIND_STR(pool->texts, text, found);
	if (!found) {
		found = must_calloc(1, sizeof(*found) + strlen(text) + 1);
		strcpy(found->text, text);
		HASH_ADD_STR(pool->texts, text, found);
	}
	return found->text;
}

static void pool_free(struct pool *pool)
{
	struct pooled *text, *next;

	if (!pool)
		return;
	HASH_ITER(hh, pool->texts, text, next)
	{
		HASH_DEL(pool->texts, text);
		free(text);
	}
	free(pool);
}

/*
 * Reading
 */

#define FIXED_COLUMNS 12

static void read_row(struct rows *rows, sqlite3_stmt *from)
{
	struct row *row;
	const char *texts[FIXED_COLUMNS];

	for (int i = 1; i < FIXED_COLUMNS - 1; i++)
		texts[i] = pool_keep(rows->pool, (const char *)sqlite3_column_text(from, i));
	if ((rows->nr & (rows->nr - 1)) == 0)
		rows->list =
			must_realloc(rows->list, rows->nr ? 2 * rows->nr : 1, sizeof(*rows->list));
	row = &rows->list[rows->nr++];
	*row = (struct row){
		.id = sqlite3_column_int64(from, 0),
		.fingerprint = texts[1],
		.status = texts[2],
		.failure = texts[3],
		.model = texts[4],
		.machine_digest = texts[5],
		.version = texts[6],
		.host = texts[7],
		.started = texts[8],
		.log = texts[9],
		.effective = texts[10],
		.wall = sqlite3_column_double(from, FIXED_COLUMNS - 1),
	};
	for (size_t i = 0; i < rows->nr_settings; i++) {
		int column = FIXED_COLUMNS + (int)i;

		if (selection_keys[i].text)
			row->text[i] = pool_keep(
				rows->pool, (const char *)sqlite3_column_text(from, column));
		else
			row->number[i] = sqlite3_column_double(from, column);
	}
}

static char *points_sql(struct rows *rows)
{
	char *sql = must_format(
		"SELECT points.id, fingerprint, status, failure, models.digest, machine_digest,"
		" models.version, host, started, log, points.patches, wall_s");

	for (const struct selection_key *key = selection_keys; key->setting; key++) {
		char *longer = must_format("%s, %s", sql, key->sql);

		free(sql);
		sql = longer;
		rows->keys[rows->nr_settings] = key->name;
		rows->units[rows->nr_settings++] = key->unit;
	}
	return sql;
}

#define FROM_POINTS " FROM points JOIN models ON models.id = model WHERE"

static int read_points(
	struct rows *rows, const struct selection *s, struct store *store, struct error *err)
{
	char *columns = points_sql(rows), *sql = must_format("%s" FROM_POINTS, columns);
	sqlite3_stmt *statement = selection_prepare(s, sql, "", err);
	int answer = SQLITE_ERROR;

	free(columns);
	free(sql);
	if (!statement)
		return -1;
	while ((answer = sqlite3_step(statement)) == SQLITE_ROW)
		read_row(rows, statement);
	if (answer != SQLITE_DONE)
		store_failed(store, err);
	sqlite3_finalize(statement);
	return answer == SQLITE_DONE ? 0 : -1;
}

static int by_id(const void *a, const void *b)
{
	const struct row *x = a, *y = b;

	return (x->id > y->id) - (x->id < y->id);
}

/* Texts are of one pool: most often a look at their addresses is enough. */
static int compare_texts(const char *a, const char *b)
{
	return a == b || !a || !b ? 0 : strverscmp(a, b);
}

static int by_settings(const void *a, const void *b)
{
	const struct row *x = a, *y = b;

	for (size_t i = 0; i < ROW_MAX_SETTINGS; i++) {
		int order = compare_texts(x->text[i], y->text[i]);

		if (order)
			return order;
		if (x->number[i] != y->number[i])
			return x->number[i] < y->number[i] ? -1 : 1;
	}
	return by_id(a, b);
}

/* The metric's index, added when it is new. */
static size_t metric_index(struct rows *rows, const char *name, const char *unit)
{
	int found = rows_metric(rows, name);

	if (found >= 0 && !*rows->metric_units[found] && *unit) {
		free(rows->metric_units[found]);
		rows->metric_units[found] = must_format("%s", unit);
	}
	if (found >= 0)
		return (size_t)found;
	rows->metrics = must_realloc(rows->metrics, rows->nr_metrics + 1, sizeof(*rows->metrics));
	rows->metric_units =
		must_realloc(rows->metric_units, rows->nr_metrics + 1, sizeof(*rows->metric_units));
	rows->metrics[rows->nr_metrics] = must_format("%s", name);
	rows->metric_units[rows->nr_metrics] = must_format("%s", unit);
	return rows->nr_metrics++;
}

/* The metrics are not known by number before all are read: rows have room for so many. */
#define MAX_METRICS 64

static double real_or_nan(sqlite3_stmt *from, int column)
{
	return sqlite3_column_type(from, column) == SQLITE_NULL
		       ? NAN
		       : sqlite3_column_double(from, column);
}

static void make_room(struct row *row, size_t nr)
{
	row->metrics = must_calloc(nr, sizeof(*row->metrics));
	for (size_t i = 0; i < nr; i++)
		row->metrics[i] = (struct measured){NAN, NAN, NAN};
}

/* Both are sorted by point. @room: metrics of a row. */
static int join_metrics(
	struct rows *rows, sqlite3_stmt *from, struct store *store, size_t room, struct error *err)
{
	size_t at = 0;
	int answer;

	while ((answer = sqlite3_step(from)) == SQLITE_ROW) {
		long long id = sqlite3_column_int64(from, 0);
		size_t metric;

		while (at < rows->nr && rows->list[at].id < id)
			at++;
		if (at == rows->nr || rows->list[at].id != id)
			continue; /* written since the points were read */
		metric = metric_index(rows, (const char *)sqlite3_column_text(from, 1),
			(const char *)sqlite3_column_text(from, 5));
		if (metric >= room)
			continue;
		if (!rows->list[at].metrics)
			make_room(&rows->list[at], room);
		rows->list[at].metrics[metric] = (struct measured){
			real_or_nan(from, 2), real_or_nan(from, 3), real_or_nan(from, 4)};
	}
	return answer == SQLITE_DONE ? 0 : store_failed(store, err);
}

/* SQL that keeps to the given metrics; NULL with @err filled when one can be none. */
static char *metrics_condition(char *const *metrics, size_t nr, struct error *err)
{
	char *sql = must_format("%s", metrics ? "AND metrics.name IN (" : "");

	for (size_t i = 0; i < nr; i++) {
		char *longer;

		if (!*metrics[i] ||
			metrics[i][strspn(metrics[i], "abcdefghijklmnopqrstuvwxyz0123456789_")]) {
			error_set(err, "no point has a metric '%.64s'", metrics[i]);
			free(sql);
			return NULL;
		}
		longer = must_format("%s%s'%s'", sql, i ? ", " : "", metrics[i]);
		free(sql);
		sql = longer;
	}
	if (metrics) {
		char *longer = must_format("%s)", sql);

		free(sql);
		sql = longer;
	}
	return sql;
}

static int read_metrics(struct rows *rows, const struct selection *s, struct store *store,
	char *const *metrics, size_t nr, struct error *err)
{
	char *condition = metrics_condition(metrics, nr, err), *order;
	sqlite3_stmt *statement;
	int status;

	if (!condition)
		return -1;
	order = must_format("%s ORDER BY points.id", condition);
	statement = selection_prepare(s,
		"SELECT points.id, metrics.name, mean, ci95, degrees, unit FROM points JOIN models"
		" ON models.id = model JOIN metrics ON metrics.point = points.id WHERE",
		order, err);
	free(order);
	free(condition);
	if (!statement)
		return -1;
	/* In the order in which they are asked for. */
	for (size_t i = 0; i < nr; i++)
		(void)metric_index(rows, metrics[i], "");
	qsort(rows->list, rows->nr, sizeof(*rows->list), by_id);
	status = join_metrics(rows, statement, store, metrics ? nr : (size_t)MAX_METRICS, err);
	sqlite3_finalize(statement);
	return status;
}

const char *rows_missing_metric(const struct rows *rows)
{
	for (size_t i = 0; i < rows->nr_metrics; i++) {
		bool found = false;

		for (size_t k = 0; k < rows->nr && !found; k++)
			found = !isnan(rows_measured(&rows->list[k], (int)i).mean);
		if (!found)
			return rows->metrics[i];
	}
	return NULL;
}

int rows_load(struct rows *rows, const struct selection *selection, char *const *metrics, size_t nr,
	struct error *err)
{
	struct store *store = selection_store(selection);
	int status;

	*rows = (struct rows){
		.pool = must_calloc(1, sizeof(*rows->pool)),
		.model_named = selection_names_model(selection),
	};
	status = read_points(rows, selection, store, err);
	if (status == 0 && rows->nr == 0)
		status = selection_explain_empty(selection, err);
	if (status == 0)
		status = read_metrics(rows, selection, store, metrics, nr, err);
	if (status == 0)
		qsort(rows->list, rows->nr, sizeof(*rows->list), by_settings);
	else
		rows_free(rows);
	return status;
}

void rows_free(struct rows *rows)
{
	for (size_t i = 0; i < rows->nr; i++)
		free(rows->list[i].metrics);
	for (size_t i = 0; i < rows->nr_metrics; i++) {
		free(rows->metrics[i]);
		free(rows->metric_units[i]);
	}
	free(rows->metrics);
	free(rows->metric_units);
	free(rows->list);
	pool_free(rows->pool);
	*rows = (struct rows){0};
}
