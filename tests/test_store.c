/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_store.c - keeping results in a file, and files that are no store. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
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
	struct store *store = store_open(path, SOON, &err);

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

static void assert_refused(const char *path, const char *reason)
{
	struct error err = {""};
	struct store *store = store_open(path, SOON, &err);

	assert_null(store);
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
		"SELECT name || ' ' || mean || ' ' || ci95 || ' ' || unit FROM metrics "
		"WHERE fingerprint = 'abc' AND name = 'score'",
		"score 100.0 2.0 pages/s");
	assert_asked(p->path, "SELECT count(*) FROM metrics", "4");
	assert_asked(p->path, "SELECT json_extract(document, '$.metrics.score.mean') FROM points",
		"100.0");
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
	assert_asked(p->path, "PRAGMA user_version", "1");
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
	execute(p->path, "PRAGMA user_version = 2");
	assert_refused(p->path, "was written by a newer zonesim (schema 2; this one knows 1)");
	assert_asked(p->path, "PRAGMA user_version", "2");
}

static void what_is_no_database_is_refused(void **state)
{
	const struct place *p = *state;
	char *text;

	write_file(p->path, 0, "name: a scenario\n", 1);
	assert_refused(p->path, "is not an SQLite database");
	write_file(p->path, 0, "name: a scenario\n", 1000);
	assert_refused(p->path, "is not an SQLite database");
	/* And left as it was. */
	text = sample_read_file(p->path);
	assert_int_equal(strlen(text), 17000);
	free(text);
}

static void a_database_of_others_is_refused(void **state)
{
	const struct place *p = *state;

	execute(p->path, "CREATE TABLE mail (sender TEXT)");
	assert_refused(p->path, "is a database of another program");
	assert_asked(p->path, "SELECT count(*) FROM sqlite_schema", "1");
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
	assert_refused(p->path, "is damaged");
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
	assert_refused(p->path, "is damaged");
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

	assert_refused("/proc/zonesim.db", "can not open the store");
	assert_refused(p->directory, "can not open the store");
	assert_refused("", "can not open the store");
	write_file(p->path, 0, "", 1);
	snprintf(path, sizeof(path), "%s/below.db", p->path);
	assert_refused(path, "can not open the store");
	snprintf(path, sizeof(path), "%s/nowhere/s.db", p->directory);
	assert_refused(path, "No such file or directory");
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
	assert_refused(p->path, "is locked");
	assert_int_equal(store_put(store, point, &err), -1);
	assert_non_null(strstr(err.text, "is locked"));
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
		CASE(a_newer_schema_is_refused),
		CASE(what_is_no_database_is_refused),
		CASE(a_database_of_others_is_refused),
		CASE(a_damaged_store_is_refused),
		CASE(a_cut_store_is_refused),
		CASE(an_empty_file_becomes_a_store),
		CASE(where_nothing_can_be_written),
		CASE(a_locked_store_is_waited_for_so_long),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
