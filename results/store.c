/* SPDX-License-Identifier: GPL-3.0-or-later */
/* store.c - results kept in an SQLite file. */
#include "store.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include <sqlite3.h>

#include "../models/error.h"
#include "must.h"

#define APPLICATION_ID 0x7a6f6e65 /* "zone": PRAGMA application_id of a store */

struct store {
	sqlite3 *db;
	char *path;
};

/* JSON stays text, so that sqlite3's json_extract() can look into it. */
static const char schema[] =
	"CREATE TABLE points (\n"
	"	fingerprint TEXT PRIMARY KEY NOT NULL,\n"
	"	status TEXT NOT NULL,    -- ok, imprecise or failed\n"
	"	machine TEXT NOT NULL,\n"
	"	kernel TEXT NOT NULL,\n"
	"	patches TEXT NOT NULL,   -- all in effect, between single spaces\n"
	"	workload TEXT NOT NULL,\n"
	"	parameters TEXT NOT NULL, -- of the workload, JSON\n"
	"	tasks INTEGER NOT NULL,\n"
	"	batch INTEGER NOT NULL,  -- as used\n"
	"	high INTEGER NOT NULL,\n"
	"	seed INTEGER NOT NULL,\n"
	"	version TEXT NOT NULL,   -- of the zonesim that simulated it\n"
	"	started TEXT NOT NULL,   -- UTC\n"
	"	wall_s REAL NOT NULL,    -- seconds it took\n"
	"	document TEXT NOT NULL); -- as in \"points\" of zonesim run --json\n"
	"CREATE TABLE metrics (\n"
	"	fingerprint TEXT NOT NULL REFERENCES points ON DELETE CASCADE,\n"
	"	name TEXT NOT NULL,\n"
	"	mean REAL, -- NULL: not known\n"
	"	ci95 REAL, -- half width of the 95% confidence interval, the same\n"
	"	unit TEXT NOT NULL,\n"
	"	PRIMARY KEY (fingerprint, name)) WITHOUT ROWID;\n";

/*
 * Errors
 */

/* What SQLite's answer means to a user. Always returns -1. */
static int failed(const struct store *s, struct error *err)
{
	int reason = sqlite3_system_errno(s->db);

	switch (sqlite3_errcode(s->db)) {
	case SQLITE_BUSY:
	case SQLITE_LOCKED:
		return error_set(err,
			"the store %s is locked: another program has been writing to it for too "
			"long",
			s->path);
	case SQLITE_NOTADB:
		return error_set(err,
			"%s is not a store: it is not an SQLite database; name another with --db",
			s->path);
	case SQLITE_CORRUPT:
		return error_set(err,
			"the store %s is damaged; move it away, and results are simulated anew",
			s->path);
	case SQLITE_READONLY:
		return error_set(err, "the store %s can not be written: it is read-only", s->path);
	case SQLITE_FULL:
		return error_set(err, "the store %s can not be written: the disk is full", s->path);
	case SQLITE_CANTOPEN:
		return error_set(err, "can not open the store %s: %s", s->path,
			reason ? strerror(reason) : "it is no regular file");
	case SQLITE_IOERR:
		return error_set(err, "can not read or write the store %s: %s", s->path,
			reason ? strerror(reason) : "the system says no more");
	default:
		return error_set(err, "the store %s: %s", s->path, sqlite3_errmsg(s->db));
	}
}

static int execute(const struct store *s, const char *sql, struct error *err)
{
	return sqlite3_exec(s->db, sql, NULL, NULL, NULL) == SQLITE_OK ? 0 : failed(s, err);
}

/* Undo what was begun; what went wrong before is what is reported. Always returns -1. */
static int roll_back(const struct store *s)
{
	(void)sqlite3_exec(s->db, "ROLLBACK", NULL, NULL, NULL);
	return -1;
}

/* Returns NULL with @err filled when @sql can not be prepared. */
static sqlite3_stmt *prepare(const struct store *s, const char *sql, struct error *err)
{
	sqlite3_stmt *statement;

	if (sqlite3_prepare_v2(s->db, sql, -1, &statement, NULL) == SQLITE_OK)
		return statement;
	failed(s, err);
	return NULL;
}

/*
 * Opening
 */

static int read_number(const struct store *s, const char *sql, int *number, struct error *err)
{
	sqlite3_stmt *statement = prepare(s, sql, err);
	int status = 0;

	if (!statement)
		return -1;
	if (sqlite3_step(statement) == SQLITE_ROW)
		*number = sqlite3_column_int(statement, 0);
	else
		status = failed(s, err);
	sqlite3_finalize(statement);
	return status;
}

/* Read the whole file once: a store is small, and damage is best found before hours of work. */
static int check_whole(const struct store *s, struct error *err)
{
	sqlite3_stmt *statement = prepare(s, "PRAGMA quick_check(1)", err);
	const char *answer = NULL;
	int status = 0;

	if (!statement)
		return -1;
	if (sqlite3_step(statement) == SQLITE_ROW)
		answer = (const char *)sqlite3_column_text(statement, 0);
	if (!answer)
		status = failed(s, err);
	else if (strcmp(answer, "ok") != 0)
		status = error_set(err,
			"the store %s is damaged; move it away, and results are simulated anew",
			s->path);
	sqlite3_finalize(statement);
	return status;
}

/* Whose file is it? Fills @empty when nobody's yet. */
static int check_owner(const struct store *s, bool *empty, struct error *err)
{
	int application = 0, version = 0, tables = 0;

	if (read_number(s, "PRAGMA application_id", &application, err) < 0 ||
		read_number(s, "PRAGMA user_version", &version, err) < 0 ||
		read_number(s, "SELECT count(*) FROM sqlite_schema", &tables, err) < 0)
		return -1;
	*empty = application == 0 && version == 0 && tables == 0;
	if (*empty)
		return 0;
	if (application != APPLICATION_ID)
		return error_set(
			err, "%s is not a store: it is a database of another program", s->path);
	if (version > STORE_SCHEMA)
		return error_set(err,
			"the store %s was written by a newer zonesim (schema %d; this one knows "
			"%d): use that one, or name another store with --db",
			s->path, version, STORE_SCHEMA);
	return 0;
}

/* Of two programs that find the file empty, one waits here and finds it made. */
static int make_schema(const struct store *s, struct error *err)
{
	bool empty;
	char marks[96];

	if (execute(s, "BEGIN IMMEDIATE", err) < 0)
		return -1;
	if (check_owner(s, &empty, err) < 0)
		return roll_back(s);
	sqlite3_snprintf(sizeof(marks), marks,
		"PRAGMA application_id = %d; PRAGMA user_version = %d", APPLICATION_ID,
		STORE_SCHEMA);
	if (empty && (execute(s, schema, err) < 0 || execute(s, marks, err) < 0))
		return roll_back(s);
	return execute(s, "COMMIT", err) < 0 ? roll_back(s) : 0;
}

static int check_writable(const struct store *s, struct error *err)
{
	if (sqlite3_db_readonly(s->db, "main") != 1)
		return 0;
	return error_set(err, "the store %s can not be written: it is read-only", s->path);
}

static int set_up(const struct store *s, int patience_ms, struct error *err)
{
	bool empty;

	sqlite3_extended_result_codes(s->db, 0);
	sqlite3_busy_timeout(s->db, patience_ms);
	if (check_owner(s, &empty, err) < 0 || check_writable(s, err) < 0 ||
		check_whole(s, err) < 0)
		return -1;
	/* Where the file system can not have a write-ahead log, SQLite stays with a journal. */
	if (execute(s,
		    "PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; "
		    "PRAGMA foreign_keys = ON",
		    err) < 0)
		return -1;
	return make_schema(s, err);
}

struct store *store_open(const char *path, int patience_ms, struct error *err)
{
	struct store *s = must_calloc(1, sizeof(*s));
	int flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE;

	/* To SQLite "" and ":memory:" are databases that are gone in the end: here, they are files.
	 */
	s->path = must_format("%s%s", *path == '\0' || *path == ':' ? "./" : "", path);
	if (sqlite3_open_v2(s->path, &s->db, flags, NULL) != SQLITE_OK) {
		if (s->db)
			failed(s, err);
		else
			error_set(err, "out of memory");
	} else if (set_up(s, patience_ms, err) == 0) {
		return s;
	}
	store_close(s);
	return NULL;
}

void store_close(struct store *s)
{
	if (!s)
		return;
	/* Whatever was committed is safe already. */
	(void)sqlite3_close(s->db);
	free(s->path);
	free(s);
}

/*
 * Writing
 */

static const char *text_of(const json_t *object, const char *key)
{
	const char *text = json_string_value(json_object_get(object, key));

	return text ? text : "";
}

static void bind_text(sqlite3_stmt *statement, int i, const char *text)
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

/* Run a statement that gives no rows, and end it. */
static int run(const struct store *s, sqlite3_stmt *statement, struct error *err)
{
	int status = sqlite3_step(statement) == SQLITE_DONE ? 0 : failed(s, err);

	sqlite3_finalize(statement);
	return status;
}

/* The names in an array, with single spaces between them. The caller frees it. */
static char *join(const json_t *names)
{
	char *text = must_format("%s", "");

	for (size_t i = 0; i < json_array_size(names); i++) {
		const char *name = json_string_value(json_array_get(names, i));
		char *longer = must_format("%s%s%s", text, i ? " " : "", name ? name : "");

		free(text);
		text = longer;
	}
	return text;
}

/* JSON on one line, or "" for none. The caller frees it; NULL when memory is short. */
static char *dump(const json_t *json)
{
	return json ? json_dumps(json, JSON_COMPACT) : strdup("");
}

/* The columns that say what was simulated. */
static void bind_config(sqlite3_stmt *statement, const json_t *config, const char *parameters)
{
	const json_t *pcp = json_object_get(config, "pcp");
	char *patches = join(json_object_get(config, "effective_patches"));

	bind_text(statement, 3, text_of(config, "machine"));
	bind_text(statement, 4, text_of(config, "kernel"));
	bind_text(statement, 5, patches);
	bind_text(statement, 6, text_of(config, "workload"));
	bind_text(statement, 7, parameters);
	bind_integer(statement, 8, json_object_get(config, "tasks"));
	bind_integer(statement, 9, json_object_get(pcp, "batch"));
	bind_integer(statement, 10, json_object_get(pcp, "high"));
	bind_integer(statement, 11, json_object_get(config, "seed"));
	free(patches);
}

static int insert_point(const struct store *s, const json_t *point, struct error *err)
{
	const json_t *config = json_object_get(point, "config");
	const json_t *wall = json_object_get(json_object_get(point, "host"), "wall_s");
	char *document = dump(point), *parameters = dump(json_object_get(config, "parameters"));
	sqlite3_stmt *statement = NULL;
	int status = -1;

	if (!document || !parameters)
		error_set(err, "out of memory");
	else
		statement = prepare(s,
			"INSERT INTO points VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?,"
			" strftime('%Y-%m-%dT%H:%M:%SZ', 'now', '-' || ?13 || ' seconds'), ?13, "
			"?14)",
			err);
	if (statement) {
		bind_text(statement, 1, text_of(point, "fingerprint"));
		bind_text(statement, 2, text_of(point, "status"));
		bind_config(statement, config, parameters);
		bind_text(statement, 12, ZONESIM_VERSION);
		(void)sqlite3_bind_double(statement, 13, json_number_value(wall));
		bind_text(statement, 14, document);
		status = run(s, statement, err);
	}
	free(parameters);
	free(document);
	return status;
}

static int insert_metrics(const struct store *s, const json_t *point, struct error *err)
{
	json_t *metrics = json_object_get(point, "metrics"), *metric;
	const char *name;

	json_object_foreach(metrics, name, metric)
	{
		sqlite3_stmt *statement =
			prepare(s, "INSERT INTO metrics VALUES (?, ?, ?, ?, ?)", err);

		if (!statement)
			return -1;
		bind_text(statement, 1, text_of(point, "fingerprint"));
		bind_text(statement, 2, name);
		bind_real(statement, 3, json_object_get(metric, "mean"));
		bind_real(statement, 4, json_object_get(metric, "ci95"));
		bind_text(statement, 5, text_of(metric, "unit"));
		if (run(s, statement, err) < 0)
			return -1;
	}
	return 0;
}

/* Its metrics go with it. */
static int delete_point(const struct store *s, const json_t *point, struct error *err)
{
	sqlite3_stmt *statement = prepare(s, "DELETE FROM points WHERE fingerprint = ?", err);

	if (!statement)
		return -1;
	bind_text(statement, 1, text_of(point, "fingerprint"));
	return run(s, statement, err);
}

int store_put(struct store *s, const json_t *point, struct error *err)
{
	if (execute(s, "BEGIN IMMEDIATE", err) < 0)
		return -1;
	if (delete_point(s, point, err) < 0 || insert_point(s, point, err) < 0 ||
		insert_metrics(s, point, err) < 0 || execute(s, "COMMIT", err) < 0)
		return roll_back(s);
	return 0;
}

/*
 * Reading
 */

int store_find(struct store *s, const char *fingerprint, json_t **point, struct error *err)
{
	sqlite3_stmt *statement = prepare(
		s, "SELECT document FROM points WHERE fingerprint = ? AND status <> 'failed'", err);
	int answer, status = 0;

	*point = NULL;
	if (!statement)
		return -1;
	bind_text(statement, 1, fingerprint);
	answer = sqlite3_step(statement);
	if (answer == SQLITE_ROW) {
		const char *text = (const char *)sqlite3_column_text(statement, 0);

		*point = text ? json_loads(text, JSON_REJECT_DUPLICATES, NULL) : NULL;
		if (!json_is_object(*point)) {
			json_decref(*point);
			*point = NULL;
			status = error_set(err, "the store %s is damaged: point %s is not JSON",
				s->path, fingerprint);
		}
	} else if (answer != SQLITE_DONE) {
		status = failed(s, err);
	}
	sqlite3_finalize(statement);
	return status;
}
