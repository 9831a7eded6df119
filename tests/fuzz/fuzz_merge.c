// SPDX-License-Identifier: GPL-3.0-or-later
/*
 * fuzz_merge.c - a damaged or hostile file is merged into a store. The input is such a file, or SQL
 * that is done to a good one first.
 *
 * The merge may be refused, with a message. Either way the store is undamaged, still has its own
 * point as it was, and all that can be read of it is read.
 */
#include <fcntl.h>
#include <sqlite3.h>
#include <string.h>
#include <unistd.h>

#include "../../models/error.h"
#include "../../results/query.h"
#include "../../results/rows.h"
#include "../../results/store.h"
#include "../sample.h"
#include "fuzz.h"

#define SOON 100 /* ms of patience */
#define OWN "00000000000000001111111111111111"
#define OTHER "00000000000000002222222222222222"

static char directory[64], target[80], other[80];
static struct bytes {
	char *data;
	size_t size;
} empty_target, good_other;

/* ---- files ---- */

static void write_file(const char *path, const void *data, size_t size)
{
	int fd = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);

	must_hold(fd >= 0 && write(fd, data, size) == (ssize_t)size, "%s", path);
	(void)close(fd);
}

static struct bytes read_file(const char *path)
{
	FILE *file = fopen(path, "rbe");
	struct bytes bytes = {malloc(1 << 20), 0};

	must_hold(file && bytes.data, "%s", path);
	bytes.size = fread(bytes.data, 1, 1 << 20, file);
	(void)fclose(file);
	return bytes;
}

static void remove_file(const char *path)
{
	static const char *const suffixes[] = {"", "-wal", "-shm", "-journal"};
	char name[96];

	for (int i = 0; i < 4; i++) {
		(void)snprintf(name, sizeof(name), "%s%s", path, suffixes[i]);
		(void)unlink(name);
	}
}

static void remove_all(void)
{
	remove_file(target);
	remove_file(other);
	(void)rmdir(directory);
	free(empty_target.data);
	free(good_other.data);
}

/* ---- good stores ---- */

static json_t *sample_point(const char *fingerprint, double score)
{
	const struct sample sample = {.machine = "m",
		.kernel = "v4.15",
		.tasks = 8,
		.batch = 31,
		.high = 186,
		.score = score,
		.ci95 = 2};
	json_t *document = sample_document("s", &sample, 1);
	json_t *point = json_incref(json_array_get(json_object_get(document, "points"), 0));

	(void)json_object_set_new(point, "fingerprint", json_string(fingerprint));
	json_decref(document);
	return point;
}

/* A store of one point, its pages small so that damage hits something. */
static struct bytes good_store(const char *path, const char *fingerprint, double score)
{
	struct error err = {""};
	json_t *point = sample_point(fingerprint, score);
	int status;
	sqlite3 *db;
	struct store *store;

	must_hold(sqlite3_open(path, &db) == SQLITE_OK, "%s", path);
	(void)sqlite3_exec(db, "PRAGMA page_size = 512; VACUUM", NULL, NULL, NULL);
	(void)sqlite3_close(db);
	store = store_open(path, STORE_WRITE, SOON, &status, &err);
	must_hold(store && store_put(store, point, &err) == 0, "%s", err.text);
	must_hold(store_put_scenario(store,
			  &(struct stored_scenario){
				  "s", "S", "text\n", (const char *const[]){fingerprint}, 1},
			  &err) == 0,
		"%s", err.text);
	store_close(store);
	json_decref(point);
	return read_file(path);
}

static void prepare(void)
{
	if (*directory)
		return;
	(void)snprintf(directory, sizeof(directory), "%s/zonesim-fuzz-XXXXXX",
		access("/dev/shm", W_OK) == 0 ? "/dev/shm" : "/tmp");
	must_hold(mkdtemp(directory), "%s", directory);
	(void)snprintf(target, sizeof(target), "%s/target.db", directory);
	(void)snprintf(other, sizeof(other), "%s/other.db", directory);
	empty_target = good_store(target, OWN, 1000);
	good_other = good_store(other, OTHER, 2000);
	(void)atexit(remove_all);
}

/* ---- the input ---- */

/* The input must stay in its file, and end. */
static int authorize(
	void *unused, int action, const char *a, const char *b, const char *c, const char *d)
{
	(void)unused, (void)a, (void)b, (void)c, (void)d;
	return action == SQLITE_ATTACH || action == SQLITE_PRAGMA ? SQLITE_DENY : SQLITE_OK;
}

static int stop(void *unused)
{
	(void)unused;
	return 1;
}

static void do_sql(const uint8_t *data, size_t size)
{
	char *sql = strndup((const char *)data, size);
	sqlite3 *db;

	must_hold(sql && sqlite3_open(other, &db) == SQLITE_OK, "%s", other);
	(void)sqlite3_limit(db, SQLITE_LIMIT_LENGTH, 1 << 20);
	(void)sqlite3_set_authorizer(db, authorize, NULL);
	sqlite3_progress_handler(db, 10000, stop, NULL);
	(void)sqlite3_exec(db, sql, NULL, NULL, NULL);
	(void)sqlite3_close(db);
	free(sql);
}

static void make_other(const uint8_t *data, size_t size)
{
	remove_file(other);
	if (size >= 16 && memcmp(data, "SQLite format 3", 16) == 0) {
		write_file(other, data, size);
		return;
	}
	write_file(other, good_other.data, good_other.size);
	do_sql(data, size);
}

/* ---- what must hold afterwards ---- */

static void look_at_own_point(struct store *store)
{
	struct error err = {""};
	json_t *point, *expected = sample_point(OWN, 1000);

	must_hold(store_find(store, OWN, &point, &err) == 0 && point, "%s", err.text);
	must_hold(json_equal(point, expected), "the point of the store has changed");
	json_decref(point);
	json_decref(expected);
}

static void look_at_row(struct store *store, const struct row *row)
{
	struct error err = {""};
	json_t *point = NULL;
	char status[16];

	if (store_find(store, row->fingerprint, &point, &err) < 0)
		must_explain(&err);
	json_decref(point);
	(void)store_status(store, row->fingerprint, status, &err);
}

static void look_at_all(struct store *store)
{
	struct error err = {""};
	struct selection *all = selection_make(store, NULL, 0, &err);
	FILE *out = fopen("/dev/null", "we");
	struct rows rows;

	must_hold(all && out, "%s", err.text);
	if (rows_load(&rows, all, NULL, 0, &err) == 0) {
		query_print(out, &rows, "fuzz");
		query_print_csv(out, &rows);
		json_decref(query_to_json(&rows));
		for (size_t i = 0; i < rows.nr; i++)
			look_at_row(store, &rows.list[i]);
		rows_free(&rows);
	} else {
		must_explain(&err);
	}
	json_decref(query_scenarios(store, &err));
	json_decref(query_models(store, &err));
	(void)fclose(out);
	selection_free(all);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	struct error err = {""};
	struct store *store;
	size_t added;
	int status;

	prepare();
	remove_file(target);
	write_file(target, empty_target.data, empty_target.size);
	make_other(data, size);
	store = store_open(target, STORE_WRITE, SOON, &status, &err);
	must_hold(store, "%s", err.text);
	if (store_merge(store, other, &added, &err) < 0)
		must_explain(&err);
	must_hold(store_check(store, &err) == 0, "%s", err.text);
	look_at_own_point(store);
	look_at_all(store);
	store_close(store);
	return 0;
}
