/* SPDX-License-Identifier: GPL-3.0-or-later */
/* store.c - results kept in an SQLite file: opening it, and what can be wrong with it. */
#include "store.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "../models/error.h"
#include "must.h"
#include "store_internal.h"

#define APPLICATION_ID 0x7a6f6e65 /* "zone": PRAGMA application_id of a store */
#define PAUSE_MS 10
#define CHECKED_SIZE (16 << 20) /* bytes; up to this size all of a store is read when opened */

/*
 * Errors
 */

/* Is @mode allowed in the directory that @path is in? F_OK: is there one? */
static bool is_directory(const char *path, int mode)
{
	char *directory = must_format("%s", path), *slash = strrchr(directory, '/');
	bool fits;

	if (slash)
		slash[1] = '\0';
	fits = access(slash ? directory : ".", mode) == 0;
	free(directory);
	return fits;
}

/* A file that can not be opened: a wrong path is the user's fault, all else is not. */
static int can_not_open(struct store *s, struct error *err)
{
	int reason = sqlite3_system_errno(s->db);

	/* SQLite tries to read what it can not make, and tells only of that. */
	if (reason == ENOENT && is_directory(s->path, F_OK) && !is_directory(s->path, W_OK))
		reason = errno;
	if (reason == 0 || reason == ENOENT || reason == ENOTDIR || reason == EISDIR)
		s->problem = EXIT_BAD_INPUT;
	return error_set(err, "can not open the store %s: %s", s->path,
		reason ? strerror(reason) : "it is no regular file");
}

int store_failed(struct store *s, struct error *err)
{
	int reason = sqlite3_system_errno(s->db);

	s->problem = EXIT_RUN_FAILED;
	switch (sqlite3_errcode(s->db) & 0xff) {
	case SQLITE_BUSY:
	case SQLITE_LOCKED:
		return error_set(err,
			"the store %s is locked: another program has been writing to it for too "
			"long",
			s->path);
	case SQLITE_NOTADB:
		s->problem = EXIT_BAD_INPUT;
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
		return can_not_open(s, err);
	case SQLITE_IOERR:
		return error_set(err, "can not read or write the store %s: %s", s->path,
			reason ? strerror(reason) : "the system says no more");
	default:
		return error_set(err, "the store %s: %s", s->path, sqlite3_errmsg(s->db));
	}
}

int store_execute(struct store *s, const char *sql, struct error *err)
{
	return sqlite3_exec(s->db, sql, NULL, NULL, NULL) == SQLITE_OK ? 0 : store_failed(s, err);
}

int store_roll_back(struct store *s)
{
	(void)sqlite3_exec(s->db, "ROLLBACK", NULL, NULL, NULL);
	return -1;
}

sqlite3_stmt *store_prepare(struct store *s, const char *sql, struct error *err)
{
	sqlite3_stmt *statement;

	if (sqlite3_prepare_v2(s->db, sql, -1, &statement, NULL) == SQLITE_OK)
		return statement;
	store_failed(s, err);
	return NULL;
}

int store_step(struct store *s, sqlite3_stmt *statement, struct error *err)
{
	int status = sqlite3_step(statement) == SQLITE_DONE ? 0 : store_failed(s, err);

	(void)sqlite3_reset(statement); /* its answer was that of the step */
	(void)sqlite3_clear_bindings(statement);
	return status;
}

/*
 * Opening
 */

static int read_number(struct store *s, const char *sql, int *number, struct error *err)
{
	sqlite3_stmt *statement = store_prepare(s, sql, err);
	int status = 0;

	if (!statement)
		return -1;
	if (sqlite3_step(statement) == SQLITE_ROW)
		*number = sqlite3_column_int(statement, 0);
	else
		status = store_failed(s, err);
	sqlite3_finalize(statement);
	return status;
}

int store_check(struct store *s, struct error *err)
{
	sqlite3_stmt *statement = store_prepare(s, "PRAGMA quick_check(1)", err);
	const char *answer = NULL;
	int status = 0;

	if (!statement)
		return -1;
	if (sqlite3_step(statement) == SQLITE_ROW)
		answer = (const char *)sqlite3_column_text(statement, 0);
	if (!answer) {
		status = store_failed(s, err);
	} else if (strcmp(answer, "ok") != 0) {
		s->problem = EXIT_RUN_FAILED;
		status = error_set(err,
			"the store %s is damaged; move it away, and results are simulated anew",
			s->path);
	}
	sqlite3_finalize(statement);
	return status;
}

/* Damage is best found before hours of work, but reading a large file takes long. */
static int check_small(struct store *s, struct error *err)
{
	struct stat st;

	if (stat(s->path, &st) == 0 && st.st_size > CHECKED_SIZE)
		return 0;
	return store_check(s, err);
}

/*
 * A view in place of a table, or a trigger on one, may never end; a file from elsewhere may have
 * one to that end, or to have a store that it is merged into hold what is not in any table.
 */
static int check_plain_tables(struct store *s, struct error *err)
{
	static const char sql[] =
		"SELECT count(*) FROM sqlite_schema WHERE type IN ('view', 'trigger') AND tbl_name"
		" COLLATE NOCASE IN ('models', 'points', 'documents', 'metrics', 'batches',"
		" 'locks', 'lock_times', 'scenarios', 'scenario_points', 'claims')";
	int strange = 0;

	if (read_number(s, sql, &strange, err) < 0)
		return -1;
	if (!strange)
		return 0;
	s->problem = EXIT_BAD_INPUT;
	return error_set(err,
		"%s is not a store: it has views or triggers where a store has tables alone",
		s->path);
}

static int look_at_owner(struct store *s, int *version, struct error *err)
{
	int application = 0, tables = 0;

	if (read_number(s, "PRAGMA application_id", &application, err) < 0 ||
		read_number(s, "PRAGMA user_version", version, err) < 0 ||
		read_number(s, "SELECT count(*) FROM sqlite_schema", &tables, err) < 0)
		return -1;
	if (application == 0 && *version == 0 && tables == 0)
		return 0;
	s->problem = EXIT_BAD_INPUT;
	if (application != APPLICATION_ID)
		return error_set(
			err, "%s is not a store: it is a database of another program", s->path);
	if (*version > STORE_SCHEMA)
		return error_set(err,
			"the store %s was written by a newer zonesim (schema %d; this one knows "
			"%d): use that one, or name another store with --db",
			s->path, *version, STORE_SCHEMA);
	return check_plain_tables(s, err);
}

/*
 * Whose file is it? Fills @version, which is 0 when it is nobody's yet. All of one moment: another
 * program may be making the tables.
 */
static int check_owner(struct store *s, int *version, struct error *err)
{
	int status;

	if (store_execute(s, "SAVEPOINT look", err) < 0)
		return -1;
	status = look_at_owner(s, version, err);
	(void)sqlite3_exec(s->db, "RELEASE look", NULL, NULL, NULL);
	return status;
}

/* Of two programs that find the file empty or old, one waits here and finds it made. */
static int make_schema(struct store *s, struct error *err)
{
	char marks[96];
	int version;

	if (store_execute(s, "BEGIN IMMEDIATE", err) < 0)
		return -1;
	if (check_owner(s, &version, err) < 0)
		return store_roll_back(s);
	sqlite3_snprintf(sizeof(marks), marks,
		"PRAGMA application_id = %d; PRAGMA user_version = %d", APPLICATION_ID,
		STORE_SCHEMA);
	if (version != STORE_SCHEMA &&
		(store_make_tables(s, version, err) < 0 || store_execute(s, marks, err) < 0))
		return store_roll_back(s);
	return store_execute(s, "COMMIT", err) < 0 ? store_roll_back(s) : 0;
}

static int check_writable(struct store *s, struct error *err)
{
	if (sqlite3_db_readonly(s->db, "main") != 1)
		return 0;
	s->problem = EXIT_RUN_FAILED;
	return error_set(err, "the store %s can not be written: it is read-only", s->path);
}

/*
 * Switch to a write-ahead log. SQLite does not wait for others while it does that, so it is done
 * here. Where the file system can not have such a log, SQLite stays with a journal.
 */
static int write_ahead(struct store *s, int patience_ms, struct error *err)
{
	for (int waited = 0;; waited += PAUSE_MS) {
		int status = sqlite3_exec(s->db, "PRAGMA journal_mode = WAL", NULL, NULL, NULL);

		if (status == SQLITE_OK)
			return 0;
		if (status != SQLITE_BUSY || waited >= patience_ms)
			return store_failed(s, err);
		sqlite3_sleep(PAUSE_MS);
	}
}

static int set_up_to_write(struct store *s, int patience_ms, struct error *err)
{
	int version;

	if (check_owner(s, &version, err) < 0 || check_writable(s, err) < 0 ||
		check_small(s, err) < 0)
		return -1;
	if (write_ahead(s, patience_ms, err) < 0 ||
		store_execute(s, "PRAGMA synchronous = FULL; PRAGMA foreign_keys = ON", err) < 0)
		return -1;
	return version == STORE_SCHEMA ? 0 : make_schema(s, err);
}

/* To SQLite "" and ":memory:" are databases that are gone in the end: here, they are files. */
static struct store *new_store(const char *path)
{
	struct store *s = must_calloc(1, sizeof(*s));

	s->path = must_format("%s%s", *path == '\0' || *path == ':' ? "./" : "", path);
	return s;
}

static int connect(struct store *s, const char *uri, int flags, int patience_ms, struct error *err)
{
	if (sqlite3_open_v2(uri, &s->db, flags, NULL) == SQLITE_OK) {
		sqlite3_extended_result_codes(s->db, 0);
		sqlite3_busy_timeout(s->db, patience_ms);
		return 0;
	}
	s->problem = EXIT_RUN_FAILED;
	return s->db ? store_failed(s, err) : error_set(err, "out of memory");
}

static struct store *give_up(struct store *s, int *status)
{
	*status = s->problem;
	store_close(s);
	return NULL;
}

static struct store *open_to_write(
	const char *path, int patience_ms, int *status, struct error *err)
{
	struct store *s = new_store(path);
	int flags = SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE;

	if (connect(s, s->path, flags, patience_ms, err) < 0 ||
		set_up_to_write(s, patience_ms, err) < 0)
		return give_up(s, status);
	return s;
}

/*
 * Readers of a write-ahead log write into files beside the store, and take them away in the end.
 * Where they can not, and there is no log, no one writes, and the file can be read as it is.
 */
static int connect_to_read(struct store *s, int patience_ms, struct error *err)
{
	char *log = must_format("%s-wal", s->path), *uri;
	bool as_it_is = access(log, F_OK) < 0 && !strpbrk(s->path, "?#%");
	int status;

	free(log);
	if (access(s->path, W_OK) == 0 && is_directory(s->path, W_OK)) {
		if (connect(s, s->path, SQLITE_OPEN_READWRITE, patience_ms, err) < 0)
			return -1;
		return store_execute(s, "PRAGMA query_only = ON", err);
	}
	uri = must_format(
		"%s%s%s", as_it_is ? "file:" : "", s->path, as_it_is ? "?immutable=1" : "");
	status = connect(s, uri, SQLITE_OPEN_READONLY | SQLITE_OPEN_URI, patience_ms, err);
	free(uri);
	return status;
}

static struct store *open_to_read(const char *path, int patience_ms, int *status, struct error *err)
{
	struct store *s = new_store(path);
	int version = 0;

	if (access(s->path, F_OK) < 0 && errno == ENOENT) {
		error_set(err,
			"there is no store %s: `zonesim sweep` makes one, --db names another",
			s->path);
		s->problem = EXIT_BAD_INPUT;
		return give_up(s, status);
	}
	if (connect_to_read(s, patience_ms, err) < 0 || check_owner(s, &version, err) < 0 ||
		check_small(s, err) < 0)
		return give_up(s, status);
	if (version == STORE_SCHEMA)
		return s;
	store_close(s);
	return open_to_write(path, patience_ms, status, err);
}

struct store *store_open(
	const char *path, enum store_mode mode, int patience_ms, int *status, struct error *err)
{
	return mode == STORE_READ ? open_to_read(path, patience_ms, status, err)
				  : open_to_write(path, patience_ms, status, err);
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

int store_problem(const struct store *s)
{
	return s->problem;
}

const char *store_path(const struct store *s)
{
	return s->path;
}
