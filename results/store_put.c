/* SPDX-License-Identifier: GPL-3.0-or-later */
/* store_put.c - writing points and scenarios into a store, and reading points back. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "../models/error.h"
#include "must.h"
#include "store_internal.h"

/*
 * Binding
 */

static const char *text_of(const json_t *object, const char *key)
{
	const char *text = json_string_value(json_object_get(object, key));

	return text ? text : "";
}

/* A failure to bind shows when the statement runs: a column that must not be NULL is. */
void store_bind_text(sqlite3_stmt *statement, int i, const char *text)
{
	(void)sqlite3_bind_text(statement, i, text, -1, SQLITE_TRANSIENT);
}

static void bind_integer(sqlite3_stmt *statement, int i, const json_t *number)
{
	(void)sqlite3_bind_int64(statement, i, json_integer_value(number));
}

/* NULL where it is no number. */
static void bind_real(sqlite3_stmt *statement, int i, const json_t *number)
{
	if (json_is_number(number))
		(void)sqlite3_bind_double(statement, i, json_number_value(number));
}

static int by_name(const void *a, const void *b)
{
	return strcmp(*(const char *const *)a, *(const char *const *)b);
}

/* The names in an array, with single spaces between them. The caller frees it. */
static char *join(const json_t *names, bool sorted)
{
	size_t nr = json_array_size(names);
	const char **list = must_calloc(nr, sizeof(*list));
	char *text = must_format("%s", "");

	for (size_t i = 0; i < nr; i++) {
		list[i] = json_string_value(json_array_get(names, i));
		list[i] = list[i] ? list[i] : "";
	}
	if (sorted && nr)
		qsort(list, nr, sizeof(*list), by_name);
	for (size_t i = 0; i < nr; i++) {
		char *longer = must_format("%s%s%s", text, i ? " " : "", list[i]);

		free(text);
		text = longer;
	}
	free(list);
	return text;
}

/* JSON on one line, or "" for none. The caller frees it; NULL when memory is short. */
static char *dump(const json_t *json)
{
	return json ? json_dumps(json, JSON_COMPACT) : strdup("");
}

/*
 * The rows of a point
 */

/* The model's row, made when it is new. Fills @id. */
static int write_model(struct store *s, const json_t *model, sqlite3_int64 *id, struct error *err)
{
	const char *digest = text_of(model, "digest");
	sqlite3_stmt *insert = store_prepare(s,
		"INSERT INTO models (digest, version, sources, coefficients)"
		" VALUES (?, ?, ?, ?) ON CONFLICT DO NOTHING",
		err);
	sqlite3_stmt *find = store_prepare(s, "SELECT id FROM models WHERE digest = ?", err);
	int status = -1;

	if (insert && find) {
		store_bind_text(insert, 1, digest);
		store_bind_text(insert, 2, ZONESIM_VERSION);
		store_bind_text(insert, 3, text_of(model, "sources"));
		store_bind_text(insert, 4, text_of(model, "coefficients"));
		status = store_step(s, insert, err);
		store_bind_text(find, 1, digest);
		if (status == 0 && sqlite3_step(find) == SQLITE_ROW)
			*id = sqlite3_column_int64(find, 0);
		else if (status == 0)
			status = store_failed(s, err);
	}
	sqlite3_finalize(find);
	sqlite3_finalize(insert);
	return status;
}

/* The columns that say what was simulated: parameters 6 to 20. */
static void bind_config(sqlite3_stmt *to, const json_t *config, const char *parameters)
{
	const json_t *pcp = json_object_get(config, "pcp");
	char *changes = join(json_object_get(config, "patches"), true);
	char *patches = join(json_object_get(config, "effective_patches"), false);

	store_bind_text(to, 6, text_of(config, "machine"));
	store_bind_text(to, 7, text_of(config, "kernel"));
	store_bind_text(to, 8, changes);
	store_bind_text(to, 9, patches);
	store_bind_text(to, 10, text_of(config, "workload"));
	store_bind_text(to, 11, parameters);
	bind_integer(to, 12, json_object_get(config, "tasks"));
	bind_integer(to, 13, json_object_get(pcp, "batch"));
	bind_integer(to, 14, json_object_get(pcp, "high"));
	bind_integer(to, 15, json_object_get(config, "percpu_pagelist_fraction"));
	bind_integer(to, 16, json_object_get(config, "percpu_pagelist_high_fraction"));
	(void)sqlite3_bind_double(to, 17, json_number_value(json_object_get(config, "precision")));
	(void)sqlite3_bind_double(to, 18, json_number_value(json_object_get(config, "time_limit")));
	bind_integer(to, 19, json_object_get(config, "seed"));
	free(patches);
	free(changes);
}

static const char insert_point[] =
	"INSERT INTO points (fingerprint, status, failure, log, machine_digest, machine, kernel,"
	" changes, patches, workload, parameters, tasks, batch, high, fraction, high_fraction,"
	" precision, time_limit, seed, model, host, wall_s, simulated_s, warm_up_s, started)"
	" VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?,"
	" coalesce(?, strftime('%Y-%m-%dT%H:%M:%SZ', 'now', '-' || ?22 || ' seconds')))";

static void bind_point(sqlite3_stmt *to, const json_t *point, sqlite3_int64 model)
{
	const json_t *host = json_object_get(point, "host");

	store_bind_text(to, 1, text_of(point, "fingerprint"));
	store_bind_text(to, 2, text_of(point, "status"));
	store_bind_text(to, 3, text_of(point, "failure"));
	store_bind_text(to, 4, text_of(point, "log"));
	store_bind_text(to, 5, text_of(json_object_get(point, "model"), "machine"));
	(void)sqlite3_bind_int64(to, 20, model);
	store_bind_text(to, 21, text_of(host, "name"));
	(void)sqlite3_bind_double(to, 22, json_number_value(json_object_get(host, "wall_s")));
	bind_real(to, 23, json_object_get(point, "simulated_s"));
	bind_real(to, 24, json_object_get(point, "warm_up_s"));
	if (json_object_get(host, "started"))
		store_bind_text(to, 25, text_of(host, "started"));
}

static int write_settings(
	struct store *s, const json_t *point, sqlite3_int64 model, struct error *err)
{
	const json_t *config = json_object_get(point, "config");
	char *parameters = dump(json_object_get(config, "parameters"));
	sqlite3_stmt *statement = parameters ? store_prepare(s, insert_point, err) : NULL;
	int status = -1;

	if (!parameters)
		error_set(err, "out of memory");
	if (statement) {
		bind_point(statement, point, model);
		bind_config(statement, config, parameters);
		status = store_step(s, statement, err);
	}
	sqlite3_finalize(statement);
	free(parameters);
	return status;
}

static int write_document(struct store *s, const json_t *point, sqlite3_int64 id, struct error *err)
{
	char *document = dump(point);
	sqlite3_stmt *statement = store_prepare(s, "INSERT INTO documents VALUES (?, ?)", err);
	int status = -1;

	if (!document)
		error_set(err, "out of memory");
	if (statement && document) {
		(void)sqlite3_bind_int64(statement, 1, id);
		store_bind_text(statement, 2, document);
		status = store_step(s, statement, err);
	}
	sqlite3_finalize(statement);
	free(document);
	return status;
}

static int write_metrics(struct store *s, const json_t *point, sqlite3_int64 id, struct error *err)
{
	json_t *metrics = json_object_get(point, "metrics"), *metric;
	sqlite3_stmt *to = store_prepare(s, "INSERT INTO metrics VALUES (?, ?, ?, ?, ?, ?)", err);
	const char *name;
	int status = to ? 0 : -1;

	json_object_foreach(metrics, name, metric)
	{
		if (status < 0)
			break;
		(void)sqlite3_bind_int64(to, 1, id);
		store_bind_text(to, 2, name);
		bind_real(to, 3, json_object_get(metric, "mean"));
		bind_real(to, 4, json_object_get(metric, "ci95"));
		bind_real(to, 5, json_object_get(metric, "degrees"));
		store_bind_text(to, 6, text_of(metric, "unit"));
		status = store_step(s, to, err);
	}
	sqlite3_finalize(to);
	return status;
}

/* One series of batches, the @number-th. */
static int write_series(struct store *s, sqlite3_stmt *to, const json_t *series, size_t number,
	sqlite3_int64 id, struct error *err)
{
	const json_t *seconds = json_object_get(series, "seconds");
	const json_t *work = json_object_get(series, "work");
	size_t warm_up = (size_t)json_integer_value(json_object_get(series, "warm_up"));

	for (size_t i = 0; i < json_array_size(seconds); i++) {
		(void)sqlite3_bind_int64(to, 1, id);
		(void)sqlite3_bind_int64(to, 2, (sqlite3_int64)number);
		(void)sqlite3_bind_int64(to, 3, (sqlite3_int64)i);
		bind_integer(to, 4, json_object_get(series, "nodes"));
		bind_integer(to, 5, json_object_get(series, "rounds_each"));
		(void)sqlite3_bind_int64(to, 6, i < warm_up);
		bind_real(to, 7, json_array_get(seconds, i));
		bind_real(to, 8, json_array_get(work, i));
		if (store_step(s, to, err) < 0)
			return -1;
	}
	return 0;
}

static int write_batches(struct store *s, const json_t *point, sqlite3_int64 id, struct error *err)
{
	const json_t *all = json_object_get(point, "batches");
	sqlite3_stmt *to =
		store_prepare(s, "INSERT INTO batches VALUES (?, ?, ?, ?, ?, ?, ?, ?)", err);
	int status = to ? 0 : -1;

	for (size_t i = 0; status == 0 && i < json_array_size(all); i++)
		status = write_series(s, to, json_array_get(all, i), i, id, err);
	sqlite3_finalize(to);
	return status;
}

/* Bucket i of a histogram holds what took [2^i, 2^(i+1)) ns. Empty ones have no row. */
static int write_histogram(struct store *s, sqlite3_stmt *to, const json_t *lock, const char *kind,
	sqlite3_int64 id, struct error *err)
{
	char *key = must_format("%s_histogram", kind);
	const json_t *buckets = json_object_get(lock, key);
	int status = 0;

	free(key);
	for (size_t i = 0; status == 0 && i < json_array_size(buckets); i++) {
		const json_t *count = json_array_get(buckets, i);

		if (!json_integer_value(count))
			continue;
		(void)sqlite3_bind_int64(to, 1, id);
		store_bind_text(to, 2, text_of(lock, "name"));
		store_bind_text(to, 3, kind);
		(void)sqlite3_bind_int64(to, 4, (sqlite3_int64)1 << i);
		bind_integer(to, 5, count);
		status = store_step(s, to, err);
	}
	return status;
}

static int write_lock(
	struct store *s, sqlite3_stmt *to, const json_t *lock, sqlite3_int64 id, struct error *err)
{
	static const char *const columns[] = {"con_bounces", "contentions", "waittime_min_us",
		"waittime_max_us", "waittime_total_us", "acq_bounces", "acquisitions",
		"holdtime_min_us", "holdtime_max_us", "holdtime_total_us"};

	(void)sqlite3_bind_int64(to, 1, id);
	store_bind_text(to, 2, text_of(lock, "name"));
	for (int i = 0; i < (int)(sizeof(columns) / sizeof(*columns)); i++)
		bind_real(to, 3 + i, json_object_get(lock, columns[i]));
	return store_step(s, to, err);
}

static int write_locks(struct store *s, const json_t *point, sqlite3_int64 id, struct error *err)
{
	const json_t *locks = json_object_get(point, "locks");
	sqlite3_stmt *to = store_prepare(
		s, "INSERT INTO locks VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)", err);
	sqlite3_stmt *times =
		store_prepare(s, "INSERT INTO lock_times VALUES (?, ?, ?, ?, ?)", err);
	int status = to && times ? 0 : -1;

	for (size_t i = 0; status == 0 && i < json_array_size(locks); i++) {
		const json_t *lock = json_array_get(locks, i);

		status = write_lock(s, to, lock, id, err);
		if (status == 0)
			status = write_histogram(s, times, lock, "wait", id, err);
		if (status == 0)
			status = write_histogram(s, times, lock, "hold", id, err);
	}
	sqlite3_finalize(times);
	sqlite3_finalize(to);
	return status;
}

/* Run @sql, which has one parameter, for a fingerprint. */
static int run_for(struct store *s, const char *sql, const char *fingerprint, struct error *err)
{
	sqlite3_stmt *statement = store_prepare(s, sql, err);
	int status;

	if (!statement)
		return -1;
	store_bind_text(statement, 1, fingerprint);
	status = store_step(s, statement, err);
	sqlite3_finalize(statement);
	return status;
}

/* All that hangs on the old row of the point goes with it. */
static int write_point(struct store *s, const json_t *point, struct error *err)
{
	const char *fingerprint = text_of(point, "fingerprint");
	sqlite3_int64 model = 0, id;

	if (run_for(s, "DELETE FROM claims WHERE fingerprint = ?", fingerprint, err) < 0 ||
		run_for(s, "DELETE FROM points WHERE fingerprint = ?", fingerprint, err) < 0 ||
		write_model(s, json_object_get(point, "model"), &model, err) < 0 ||
		write_settings(s, point, model, err) < 0)
		return -1;
	id = sqlite3_last_insert_rowid(s->db);
	if (write_document(s, point, id, err) < 0 || write_metrics(s, point, id, err) < 0 ||
		write_batches(s, point, id, err) < 0)
		return -1;
	return write_locks(s, point, id, err);
}

int store_put(struct store *s, const json_t *point, struct error *err)
{
	if (store_execute(s, "BEGIN IMMEDIATE", err) < 0)
		return -1;
	if (write_point(s, point, err) < 0 || store_execute(s, "COMMIT", err) < 0)
		return store_roll_back(s);
	return 0;
}

/*
 * Scenarios
 */

static int write_scenario(
	struct store *s, const struct stored_scenario *scenario, struct error *err)
{
	sqlite3_stmt *statement = store_prepare(s,
		"INSERT INTO scenarios (name, title, definition, added) VALUES (?, ?, ?,"
		" strftime('%Y-%m-%dT%H:%M:%SZ', 'now')) ON CONFLICT (name) DO UPDATE SET"
		" title = excluded.title, definition = excluded.definition,"
		" added = excluded.added",
		err);
	int status;

	if (!statement)
		return -1;
	store_bind_text(statement, 1, scenario->name);
	store_bind_text(statement, 2, scenario->title);
	store_bind_text(statement, 3, scenario->definition);
	status = store_step(s, statement, err);
	sqlite3_finalize(statement);
	return status;
}

static int write_scenario_points(
	struct store *s, const struct stored_scenario *scenario, struct error *err)
{
	sqlite3_stmt *statement = store_prepare(s,
		"INSERT INTO scenario_points SELECT id, ?2, ?3 FROM scenarios WHERE name = ?1"
		" ON CONFLICT DO UPDATE SET position = excluded.position",
		err);
	int status = statement ? 0 : -1;

	for (size_t i = 0; status == 0 && i < scenario->nr_points; i++) {
		store_bind_text(statement, 1, scenario->name);
		store_bind_text(statement, 2, scenario->fingerprints[i]);
		(void)sqlite3_bind_int64(statement, 3, (sqlite3_int64)i);
		status = store_step(s, statement, err);
	}
	sqlite3_finalize(statement);
	return status;
}

int store_put_scenario(struct store *s, const struct stored_scenario *scenario, struct error *err)
{
	if (store_execute(s, "BEGIN IMMEDIATE", err) < 0)
		return -1;
	if (write_scenario(s, scenario, err) < 0 || write_scenario_points(s, scenario, err) < 0 ||
		store_execute(s, "COMMIT", err) < 0)
		return store_roll_back(s);
	return 0;
}

/*
 * Reading
 */

int store_find(struct store *s, const char *fingerprint, json_t **point, struct error *err)
{
	sqlite3_stmt *statement = store_prepare(s,
		"SELECT document FROM points JOIN documents ON point = id"
		" WHERE fingerprint = ? AND status <> 'failed'",
		err);
	int answer, status = 0;

	*point = NULL;
	if (!statement)
		return -1;
	store_bind_text(statement, 1, fingerprint);
	answer = sqlite3_step(statement);
	if (answer == SQLITE_ROW) {
		const char *text = (const char *)sqlite3_column_text(statement, 0);

		*point = text ? json_loads(text, JSON_REJECT_DUPLICATES, NULL) : NULL;
		if (!json_is_object(*point)) {
			json_decref(*point);
			*point = NULL;
			s->problem = EXIT_RUN_FAILED;
			status = error_set(err, "the store %s is damaged: point %s is not JSON",
				s->path, fingerprint);
		}
	} else if (answer != SQLITE_DONE) {
		status = store_failed(s, err);
	}
	sqlite3_finalize(statement);
	return status;
}

int store_status(struct store *s, const char *fingerprint, char status[16], struct error *err)
{
	sqlite3_stmt *statement =
		store_prepare(s, "SELECT status FROM points WHERE fingerprint = ?", err);
	int answer;

	status[0] = '\0';
	if (!statement)
		return -1;
	store_bind_text(statement, 1, fingerprint);
	answer = sqlite3_step(statement);
	if (answer == SQLITE_ROW)
		sqlite3_snprintf(16, status, "%s", sqlite3_column_text(statement, 0));
	else if (answer != SQLITE_DONE)
		store_failed(s, err);
	sqlite3_finalize(statement);
	return answer == SQLITE_ROW || answer == SQLITE_DONE ? 0 : -1;
}

int store_expect_wall(
	struct store *s, const struct stored_like *like, double *seconds, struct error *err)
{
	sqlite3_stmt *statement = store_prepare(s,
		"SELECT avg(wall_s) * ?4 / tasks FROM points WHERE machine = ?1 AND workload = ?2"
		" AND status <> 'failed' AND tasks > 0 GROUP BY tasks, precision"
		" ORDER BY max(tasks, ?4) * 1.0 / min(tasks, ?4), abs(precision - ?3) LIMIT 1",
		err);
	int answer;

	*seconds = NAN;
	if (!statement)
		return -1;
	store_bind_text(statement, 1, like->machine);
	store_bind_text(statement, 2, like->workload);
	(void)sqlite3_bind_double(statement, 3, like->precision);
	(void)sqlite3_bind_int64(statement, 4, like->tasks);
	answer = sqlite3_step(statement);
	if (answer == SQLITE_ROW)
		*seconds = sqlite3_column_double(statement, 0);
	else if (answer != SQLITE_DONE)
		store_failed(s, err);
	sqlite3_finalize(statement);
	return answer == SQLITE_ROW || answer == SQLITE_DONE ? 0 : -1;
}
