/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_store.c - keeping results in a file, and files that are no store. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>
#include <sqlite3.h>

#include "../models/error.h"
#include "../results/store.h"
#include "sample.h"

#define SOON 50 /* ms of patience */

/* A directory of its own for each test, and the path of a store in it. */
struct place {
	char directory[40], path[64];
};

static int make_place(void **state)
{
	struct place *p = calloc(1, sizeof(*p));

	assert_non_null(p);
	strcpy(p->directory, "/tmp/zonesim-test-XXXXXX");
	assert_non_null(mkdtemp(p->directory));
	snprintf(p->path, sizeof(p->path), "%s/s.db", p->directory);
	*state = p;
	return 0;
}

static int remove_place(void **state)
{
	struct place *p = *state;
	char path[80];

	for (const char *const *suffix =
			(const char *const[]){"", "-wal", "-shm", "-journal", NULL};
		*suffix; suffix++) {
		snprintf(path, sizeof(path), "%s%s", p->path, *suffix);
		unlink(path);
	}
	assert_int_equal(rmdir(p->directory), 0);
	free(p);
	return 0;
}

static struct store *opened(const char *path)
{
	struct error err;
	int status;
	struct store *store = store_open(path, STORE_WRITE, SOON, &status, &err);

	if (!store)
		fail_msg("%s", err.text);
	return store;
}

static void put(struct store *store, const json_t *point)
{
	struct error err;

	if (store_put(store, point, &err) < 0)
		fail_msg("%s", err.text);
}

static json_t *found(struct store *store, const char *fingerprint)
{
	struct error err;
	json_t *point;

	if (store_find(store, fingerprint, &point, &err) < 0)
		fail_msg("%s", err.text);
	return point;
}

/* A point with some settings; @score 0 makes it one that failed. */
static json_t *point_of(const char *fingerprint, double score)
{
	const struct sample sample = {.machine = "m",
		.kernel = "v4.15",
		.patch = "pick-outside-lock",
		.effective = "inline-rmqueue",
		.tasks = 8,
		.batch = 31,
		.high = 186,
		.score = score,
		.ci95 = 2,
		.failure = score > 0 ? NULL : "out of luck"};
	json_t *document = sample_document("s", &sample, 1);
	json_t *point = json_incref(json_array_get(json_object_get(document, "points"), 0));

	assert_int_equal(json_object_set_new(point, "fingerprint", json_string(fingerprint)), 0);
	assert_int_equal(json_object_set_new(point, "host", json_pack("{s:f}", "wall_s", 12.5)), 0);
	json_decref(document);
	return point;
}

static void put_new(struct store *store, const char *fingerprint, double score)
{
	json_t *point = point_of(fingerprint, score);

	put(store, point);
	json_decref(point);
}

/* The first column of the first row that @sql gives, as text; the caller frees it. */
static char *asked(const char *path, const char *sql)
{
	sqlite3 *db;
	sqlite3_stmt *statement;
	char *text;

	assert_int_equal(sqlite3_open(path, &db), SQLITE_OK);
	assert_int_equal(sqlite3_prepare_v2(db, sql, -1, &statement, NULL), SQLITE_OK);
	assert_int_equal(sqlite3_step(statement), SQLITE_ROW);
	text = strdup((const char *)sqlite3_column_text(statement, 0));
	assert_non_null(text);
	sqlite3_finalize(statement);
	sqlite3_close(db);
	return text;
}

static void assert_asked(const char *path, const char *sql, const char *expected)
{
	char *text = asked(path, sql);

	assert_string_equal(text, expected);
	free(text);
}

static void execute(const char *path, const char *sql)
{
	sqlite3 *db;

	assert_int_equal(sqlite3_open(path, &db), SQLITE_OK);
	assert_int_equal(sqlite3_exec(db, sql, NULL, NULL, NULL), SQLITE_OK);
	sqlite3_close(db);
}

static void assert_refused(const char *path, int expected, const char *reason)
{
	struct error err = {""};
	int status = 0;
	struct store *store = store_open(path, STORE_WRITE, SOON, &status, &err);

	assert_null(store);
	assert_int_equal(status, expected);
	if (!strstr(err.text, reason) || !strstr(err.text, path))
		fail_msg("\"%s\" lacks \"%s\" or the path", err.text, reason);
}

/*
 * What is kept
 */

static void a_point_comes_back(void **state)
{
	const struct place *p = *state;
	struct store *store = opened(p->path);
	json_t *point = point_of("abc", 100), *back;

	put(store, point);
	store_close(store);
	store = opened(p->path);
	back = found(store, "abc");
	assert_true(json_equal(point, back));
	assert_null(found(store, "abd"));
	json_decref(back);
	json_decref(point);
	store_close(store);
}

static void settings_and_metrics_are_columns(void **state)
{
	const struct place *p = *state;
	struct store *store = opened(p->path);

	put_new(store, "abc", 100);
	assert_asked(p->path,
		"SELECT concat FROM (SELECT fingerprint || ' ' || status || ' ' || machine || ' ' "
		"|| kernel || ' ' || patches || ' ' || workload || ' ' || tasks || ' ' || batch || "
		"' ' || high || ' ' || seed || ' ' || wall_s AS concat FROM points)",
		"abc ok m v4.15 inline-rmqueue pick-outside-lock page_fault1 8 31 186 1 12.5");
	assert_asked(p->path,
		"SELECT name || ' ' || mean || ' ' || ci95 || ' ' || unit FROM metrics JOIN points "
		"ON point = id WHERE fingerprint = 'abc' AND name = 'score'",
		"score 100.0 2.0 pages/s");
	assert_asked(p->path, "SELECT count(*) FROM metrics", "4");
	assert_asked(p->path,
		"SELECT json_extract(document, '$.metrics.score.mean') FROM documents", "100.0");
	assert_asked(p->path,
		"SELECT strftime('%s', 'now') - strftime('%s', started) BETWEEN 12 AND 60 "
		"FROM points",
		"1");
	store_close(store);
}

static void a_metric_may_be_unknown(void **state)
{
	const struct place *p = *state;
	struct store *store = opened(p->path);
	json_t *point = point_of("abc", 100);
	json_t *score = json_object_get(json_object_get(point, "metrics"), "score");

	assert_int_equal(json_object_set_new(score, "mean", json_null()), 0);
	put(store, point);
	assert_asked(p->path, "SELECT mean IS NULL FROM metrics WHERE name = 'score'", "1");
	json_decref(point);
	store_close(store);
}

static void a_failed_point_is_kept_but_not_found(void **state)
{
	const struct place *p = *state;
	struct store *store = opened(p->path);
	json_t *back;

	put_new(store, "abc", 0);
	assert_null(found(store, "abc"));
	assert_asked(p->path, "SELECT status FROM points", "failed");
	put_new(store, "abc", 100);
	back = found(store, "abc");
	assert_non_null(back);
	json_decref(back);
	assert_asked(p->path, "SELECT count(*) FROM points", "1");
	store_close(store);
}

static void the_metrics_of_a_replaced_point_go(void **state)
{
	const struct place *p = *state;
	struct store *store = opened(p->path);

	put_new(store, "abc", 100);
	put_new(store, "abc", 0);
	assert_asked(p->path, "SELECT count(*) FROM metrics", "0");
	store_close(store);
}

static void two_may_use_a_store(void **state)
{
	const struct place *p = *state;
	struct store *one = opened(p->path), *other = opened(p->path);
	json_t *back;

	put_new(one, "abc", 100);
	put_new(other, "def", 200);
	back = found(one, "def");
	assert_non_null(back);
	json_decref(back);
	back = found(other, "abc");
	assert_non_null(back);
	json_decref(back);
	store_close(one);
	store_close(other);
}

static void it_writes_ahead(void **state)
{
	const struct place *p = *state;

	store_close(opened(p->path));
	assert_asked(p->path, "PRAGMA journal_mode", "wal");
	assert_asked(p->path, "PRAGMA user_version", "2");
}

/* What zonesim kept before: all in one table and one for metrics. */
static const char schema_1[] =
	"CREATE TABLE points (fingerprint TEXT PRIMARY KEY NOT NULL, status TEXT NOT NULL,"
	" machine TEXT NOT NULL, kernel TEXT NOT NULL, patches TEXT NOT NULL,"
	" workload TEXT NOT NULL, parameters TEXT NOT NULL, tasks INTEGER NOT NULL,"
	" batch INTEGER NOT NULL, high INTEGER NOT NULL, seed INTEGER NOT NULL,"
	" version TEXT NOT NULL, started TEXT NOT NULL, wall_s REAL NOT NULL,"
	" document TEXT NOT NULL);"
	"CREATE TABLE metrics (fingerprint TEXT NOT NULL REFERENCES points ON DELETE CASCADE,"
	" name TEXT NOT NULL, mean REAL, ci95 REAL, unit TEXT NOT NULL,"
	" PRIMARY KEY (fingerprint, name)) WITHOUT ROWID;"
	"INSERT INTO points VALUES ('abc', 'ok', 'm', 'v4.15', 'a b', 'page_fault1', '{}', 8, 31,"
	" 186, 1, '0.0.9', '2026-01-01T00:00:00Z', 12.5, '{\"fingerprint\":\"abc\",\"status\":"
	"\"ok\",\"config\":{\"patches\":[\"b\",\"a\"],\"precision\":0.5},\"simulated_s\":2}');"
	"INSERT INTO metrics VALUES ('abc', 'score', 100.0, 2.0, 'pages/s');"
	"PRAGMA application_id = 2054123109; PRAGMA user_version = 1";

static void an_older_schema_is_brought_up_to_date(void **state)
{
	const struct place *p = *state;
	struct store *store;
	struct error err;
	json_t *back;
	int status;

	execute(p->path, schema_1);
	store = store_open(p->path, STORE_READ, SOON, &status, &err);
	assert_non_null(store);
	back = found(store, "abc");
	assert_non_null(back);
	json_decref(back);
	store_close(store);
	assert_asked(p->path, "PRAGMA user_version", "2");
	assert_asked(p->path,
		"SELECT status || machine || kernel || changes || patches || tasks || precision ||"
		" started || simulated_s || version FROM points JOIN models ON models.id = model",
		"okmv4.15a ba b80.52026-01-01T00:00:00Z2.00.0.9");
	assert_asked(p->path, "SELECT name || mean FROM metrics JOIN points ON id = point",
		"score100.0");
	assert_asked(p->path, "SELECT count(*) FROM sqlite_schema WHERE name LIKE 'old%'", "0");
	assert_asked(p->path, "SELECT count(*) FROM pragma_foreign_key_check", "0");
	/* And it goes on from there. */
	store = opened(p->path);
	put_new(store, "abc", 200);
	store_close(store);
	assert_asked(p->path, "SELECT mean FROM metrics WHERE name = 'score'", "200.0");
}

static void reading_makes_no_store(void **state)
{
	const struct place *p = *state;
	struct error err;
	int status = 0;

	assert_null(store_open(p->path, STORE_READ, SOON, &status, &err));
	assert_int_equal(status, EXIT_BAD_INPUT);
	assert_non_null(strstr(err.text, "there is no store"));
	assert_int_equal(access(p->path, F_OK), -1);
}

static void batches_and_lock_times_are_rows(void **state)
{
	const struct place *p = *state;
	struct store *store = opened(p->path);
	json_t *point = point_of("abc", 100);

	assert_int_equal(json_object_set_new(point, "batches",
				 json_pack("[{s:i, s:i, s:i, s:[f, f, f], s:[f, f, f]}]", "nodes",
					 2, "rounds_each", 3, "warm_up", 1, "seconds", 0.5, 0.25,
					 0.125, "work", 10., 20., 30.)),
		0);
	assert_int_equal(
		json_object_set_new(point, "locks",
			json_pack("[{s:s, s:i, s:i, s:i, s:i, s:f, s:f, s:[i, i, i], s:[]}]",
				"name", "zone->lock node 0", "con_bounces", 1, "contentions", 2,
				"acq_bounces", 3, "acquisitions", 4, "waittime_max_us", 1.5,
				"holdtime_max_us", 2.5, "wait_histogram", 0, 7, 8,
				"hold_histogram")),
		0);
	put(store, point);
	assert_asked(p->path,
		"SELECT sum(work) || ' ' || sum(rounds) FROM batches WHERE NOT warm_up", "50.0 6");
	assert_asked(p->path,
		"SELECT group_concat(kind || from_ns || '-' || count) FROM lock_times",
		"wait2-7,wait4-8");
	assert_asked(p->path, "SELECT acquisitions || ' ' || holdtime_max_us FROM locks", "4 2.5");
	put_new(store, "abc", 100);
	assert_asked(p->path,
		"SELECT (SELECT count(*) FROM batches) + (SELECT count(*) FROM lock_times)", "0");
	json_decref(point);
	store_close(store);
}

static void a_scenario_has_points(void **state)
{
	const struct place *p = *state;
	const char *const fingerprints[] = {"abc", "def"}, *const later[] = {"ghi"};
	struct stored_scenario s = {"batch", "More pages", "machine: m\n", fingerprints, 2};
	struct store *store = opened(p->path);
	struct error err;

	assert_int_equal(store_put_scenario(store, &s, &err), 0);
	s.fingerprints = later;
	s.nr_points = 1;
	s.title = "Other words";
	assert_int_equal(store_put_scenario(store, &s, &err), 0);
	assert_asked(p->path,
		"SELECT title || ' ' || group_concat(fingerprint) FROM scenarios JOIN"
		" scenario_points ON id = scenario",
		"Other words abc,def,ghi");
	store_close(store);
}

/* A process that claims @fingerprint and goes away, with its claim left behind if @leave. */
static enum claim claim_elsewhere(const char *path, const char *fingerprint, bool leave)
{
	int status;
	pid_t pid = fork();

	assert_true(pid >= 0);
	if (pid == 0) {
		struct error err;
		struct store *store = store_open(path, STORE_WRITE, SOON, &status, &err);
		enum claim claim =
			store ? store_claim(store, fingerprint, false, &err) : CLAIM_FAILED;

		if (store && !leave)
			store_give_up_claims(store);
		_exit(1 + (int)claim);
	}
	assert_int_equal(waitpid(pid, &status, 0), pid);
	return WEXITSTATUS(status) - 1;
}

static void one_point_is_simulated_once(void **state)
{
	const struct place *p = *state;
	struct store *store = opened(p->path);
	struct error err;

	assert_int_equal(store_claim(store, "abc", false, &err), CLAIM_MINE);
	assert_int_equal(claim_elsewhere(p->path, "abc", false), CLAIM_OTHERS);
	assert_int_equal(claim_elsewhere(p->path, "def", false), CLAIM_MINE);
	put_new(store, "abc", 100);
	assert_int_equal(claim_elsewhere(p->path, "abc", false), CLAIM_DONE);
	assert_asked(p->path, "SELECT count(*) FROM claims", "0");
	store_close(store);
}

static void a_claim_ends_with_its_process(void **state)
{
	const struct place *p = *state;
	struct store *store = opened(p->path);
	struct error err;

	assert_int_equal(claim_elsewhere(p->path, "abc", true), CLAIM_MINE);
	assert_asked(p->path, "SELECT count(*) FROM claims", "1");
	assert_int_equal(store_claim(store, "abc", false, &err), CLAIM_MINE);
	/* On another host, only time tells. */
	execute(p->path, "UPDATE claims SET host = 'elsewhere', seen = strftime('%s', 'now')");
	assert_int_equal(store_claim(store, "abc", false, &err), CLAIM_OTHERS);
	execute(p->path, "UPDATE claims SET seen = seen - 1000");
	assert_int_equal(store_claim(store, "abc", false, &err), CLAIM_MINE);
	store_close(store);
}

static void a_failure_is_claimed_only_to_retry(void **state)
{
	const struct place *p = *state;
	struct store *store = opened(p->path);
	struct error err;

	put_new(store, "abc", 0);
	assert_int_equal(store_claim(store, "abc", false, &err), CLAIM_DONE);
	assert_int_equal(store_claim(store, "abc", true, &err), CLAIM_MINE);
	store_close(store);
}

/*
 * Merging
 */

/* Another store beside the first, with one point. The caller unlinks it. */
static char *other_store(const struct place *p, const char *fingerprint, double score)
{
	static char path[80];
	struct store *store;

	snprintf(path, sizeof(path), "%s/other.db", p->directory);
	store = opened(path);
	put_new(store, fingerprint, score);
	store_close(store);
	return path;
}

static void stores_are_joined(void **state)
{
	const struct place *p = *state;
	struct store *store = opened(p->path);
	char *path = other_store(p, "def", 200);
	struct error err;
	size_t added;

	put_new(store, "abc", 100);
	put_new(store, "def", 0);
	assert_int_equal(store_merge(store, path, &added, &err), 0);
	assert_int_equal(added, 1);
	assert_asked(p->path,
		"SELECT group_concat(fingerprint || status || mean) FROM (SELECT * FROM points"
		" JOIN metrics ON point = id WHERE name = 'score' ORDER BY fingerprint)",
		"abcok100.0,defok200.0");
	assert_int_equal(store_merge(store, path, &added, &err), 0);
	assert_int_equal(added, 0);
	store_close(store);
	unlink(path);
}

static void assert_not_merged(struct store *store, const char *path, const char *reason)
{
	struct error err = {""};
	size_t added;

	assert_int_equal(store_merge(store, path, &added, &err), -1);
	assert_int_equal(store_problem(store), EXIT_BAD_INPUT);
	if (!strstr(err.text, reason))
		fail_msg("\"%s\" lacks \"%s\"", err.text, reason);
}

static void what_does_not_go_together_is_not_joined(void **state)
{
	const struct place *p = *state;
	struct store *store = opened(p->path);
	char *path = other_store(p, "def", 200);

	put_new(store, "def", 201);
	assert_not_merged(store, path, "has another score there");
	execute(path, "UPDATE points SET fingerprint = 'ghi', machine_digest = 'x'");
	assert_not_merged(store, path, "machine m has other figures there");
	execute(path, "UPDATE models SET digest = 'x'");
	assert_not_merged(store, path, "holds points of another model");
	assert_asked(p->path, "SELECT count(*) FROM points", "1");
	execute(path, "PRAGMA user_version = 9");
	assert_not_merged(store, path, "was written by a newer zonesim");
	store_close(store);
	unlink(path);
}

/*
 * Files that will not do
 */

static void write_file(const char *path, long offset, const char *junk, size_t times)
{
	FILE *out = fopen(path, offset ? "r+e" : "we");

	assert_non_null(out);
	assert_int_equal(fseek(out, offset, SEEK_SET), 0);
	for (size_t i = 0; i < times; i++)
		assert_true(fputs(junk, out) != EOF);
	assert_int_equal(fclose(out), 0);
}

static void a_newer_schema_is_refused(void **state)
{
	const struct place *p = *state;

	store_close(opened(p->path));
	execute(p->path, "PRAGMA user_version = 3");
	assert_refused(p->path, EXIT_BAD_INPUT,
		"was written by a newer zonesim (schema 3; this one knows 2)");
	assert_asked(p->path, "PRAGMA user_version", "3");
}

static void what_is_no_database_is_refused(void **state)
{
	const struct place *p = *state;
	char *text;

	write_file(p->path, 0, "name: a scenario\n", 1);
	assert_refused(p->path, EXIT_BAD_INPUT, "is not an SQLite database");
	write_file(p->path, 0, "name: a scenario\n", 1000);
	assert_refused(p->path, EXIT_BAD_INPUT, "is not an SQLite database");
	/* And left as it was. */
	text = sample_read_file(p->path);
	assert_int_equal(strlen(text), 17000);
	free(text);
}

/* Opens the store when the others do, which is when the pipe's other end is closed. */
static pid_t open_with_others(const char *path, const int gate[2])
{
	pid_t child = fork();
	struct error err = {""};
	char byte;
	int status;

	assert_true(child >= 0);
	if (child)
		return child;
	close(gate[1]);
	(void)!read(gate[0], &byte, 1);
	struct store *store = store_open(path, STORE_WRITE, STORE_PATIENCE_MS, &status, &err);

	(void)fputs(err.text, stderr);
	store_close(store);
	_exit(store ? 0 : 1);
}

/* All find it new, and one makes it; for none it may be half made. */
static void many_may_make_it_at_once(void **state)
{
	const struct place *p = *state;
	pid_t children[8];
	int gate[2], status;

	for (int round = 0; round < 20; round++) {
		unlink(p->path);
		assert_int_equal(pipe(gate), 0);
		for (int i = 0; i < 8; i++)
			children[i] = open_with_others(p->path, gate);
		close(gate[0]);
		close(gate[1]);
		for (int i = 0; i < 8; i++) {
			assert_int_equal(waitpid(children[i], &status, 0), children[i]);
			assert_int_equal(status, 0);
		}
	}
}

static void a_database_of_others_is_refused(void **state)
{
	const struct place *p = *state;

	execute(p->path, "CREATE TABLE mail (sender TEXT)");
	assert_refused(p->path, EXIT_BAD_INPUT, "is a database of another program");
	assert_asked(p->path, "SELECT count(*) FROM sqlite_schema", "1");
}

/* To read the view takes for ever; the trigger would hide what is written. */
static void a_store_of_views_or_triggers_is_refused(void **state)
{
	const struct place *p = *state;

	store_close(opened(p->path));
	execute(p->path, "CREATE VIEW mine AS SELECT machine FROM points");
	store_close(opened(p->path));
	execute(p->path, "CREATE TRIGGER t AFTER INSERT ON points BEGIN DELETE FROM points; END");
	assert_refused(p->path, EXIT_BAD_INPUT, "views or triggers");
	execute(p->path, "DROP TRIGGER t; DROP TABLE models; CREATE VIEW Models AS WITH RECURSIVE "
			 "c(id) AS (SELECT 1 UNION ALL SELECT id + 1 FROM c) SELECT id, id AS "
			 "digest, '' AS version, '' AS sources, '' AS coefficients FROM c");
	assert_refused(p->path, EXIT_BAD_INPUT, "views or triggers");
}

static void a_damaged_store_is_refused(void **state)
{
	const struct place *p = *state;
	struct store *store = opened(p->path);
	char name[16];

	for (int i = 0; i < 100; i++) {
		snprintf(name, sizeof(name), "%d", i);
		put_new(store, name, 100);
	}
	store_close(store);
	write_file(p->path, 4096, "junk ", 8000);
	assert_refused(p->path, EXIT_RUN_FAILED, "is damaged");
}

static void a_cut_store_is_refused(void **state)
{
	const struct place *p = *state;
	struct store *store = opened(p->path);
	char name[16];

	for (int i = 0; i < 100; i++) {
		snprintf(name, sizeof(name), "%d", i);
		put_new(store, name, 100);
	}
	store_close(store);
	assert_int_equal(truncate(p->path, 3 * 4096), 0);
	assert_refused(p->path, EXIT_RUN_FAILED, "is damaged");
}

static void an_empty_file_becomes_a_store(void **state)
{
	const struct place *p = *state;
	struct store *store;

	write_file(p->path, 0, "", 1);
	store = opened(p->path);
	put_new(store, "abc", 100);
	store_close(store);
}

static void where_nothing_can_be_written(void **state)
{
	const struct place *p = *state;
	char path[96];

	assert_refused("/proc/zonesim.db", EXIT_BAD_INPUT, "can not open the store");
	assert_refused(p->directory, EXIT_BAD_INPUT, "can not open the store");
	assert_refused("", EXIT_BAD_INPUT, "can not open the store");
	write_file(p->path, 0, "", 1);
	snprintf(path, sizeof(path), "%s/below.db", p->path);
	assert_refused(path, EXIT_BAD_INPUT, "can not open the store");
	snprintf(path, sizeof(path), "%s/nowhere/s.db", p->directory);
	assert_refused(path, EXIT_BAD_INPUT, "No such file or directory");
}

static void a_locked_store_is_waited_for_so_long(void **state)
{
	const struct place *p = *state;
	struct store *store = opened(p->path);
	json_t *point = point_of("abc", 100);
	struct error err;
	sqlite3 *db;

	assert_int_equal(sqlite3_open(p->path, &db), SQLITE_OK);
	assert_int_equal(sqlite3_exec(db, "BEGIN IMMEDIATE", NULL, NULL, NULL), SQLITE_OK);
	assert_int_equal(store_put(store, point, &err), -1);
	assert_non_null(strstr(err.text, "is locked"));
	assert_int_equal(store_problem(store), EXIT_RUN_FAILED);
	assert_int_equal(sqlite3_exec(db, "COMMIT", NULL, NULL, NULL), SQLITE_OK);
	sqlite3_close(db);
	/* Nothing was half done: it works again. */
	put(store, point);
	json_decref(point);
	store_close(store);
}

#define CASE(name) cmocka_unit_test_setup_teardown(name, make_place, remove_place)

int main(void)
{
	const struct CMUnitTest tests[] = {
		CASE(a_point_comes_back),
		CASE(settings_and_metrics_are_columns),
		CASE(a_metric_may_be_unknown),
		CASE(a_failed_point_is_kept_but_not_found),
		CASE(the_metrics_of_a_replaced_point_go),
		CASE(two_may_use_a_store),
		CASE(it_writes_ahead),
		CASE(an_older_schema_is_brought_up_to_date),
		CASE(reading_makes_no_store),
		CASE(batches_and_lock_times_are_rows),
		CASE(a_scenario_has_points),
		CASE(one_point_is_simulated_once),
		CASE(a_claim_ends_with_its_process),
		CASE(a_failure_is_claimed_only_to_retry),
		CASE(stores_are_joined),
		CASE(what_does_not_go_together_is_not_joined),
		CASE(a_newer_schema_is_refused),
		CASE(what_is_no_database_is_refused),
		CASE(many_may_make_it_at_once),
		CASE(a_database_of_others_is_refused),
		CASE(a_store_of_views_or_triggers_is_refused),
		CASE(a_damaged_store_is_refused),
		CASE(a_cut_store_is_refused),
		CASE(an_empty_file_becomes_a_store),
		CASE(where_nothing_can_be_written),
		CASE(a_locked_store_is_waited_for_so_long),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
