/* SPDX-License-Identifier: GPL-3.0-or-later */
/* store_claims.c - who is at which point, so that two programs on one store share the work. */
#include <ctype.h>
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "../models/error.h"
#include "store_internal.h"

/* Seconds. On another host a claim counts as long as it was refreshed this recently. */
#define STALE 120
#define REFRESH 20

/* When a process began, in clock ticks since the host did; 0 when there is no such process. */
static long long born(pid_t pid)
{
	char path[40], line[1024], *at;
	FILE *file;
	size_t size;

	snprintf(path, sizeof(path), "/proc/%ld/stat", (long)pid);
	file = fopen(path, "re");
	if (!file)
		return 0;
	size = fread(line, 1, sizeof(line) - 1, file);
	fclose(file);
	line[size] = '\0';
	/* The name, in parentheses, may hold anything; the start is the 20th field after it. */
	at = strrchr(line, ')');
	for (int field = 0; at && field < 20; field++)
		at = strchr(at + 1, ' ');
	return at ? strtoll(at, NULL, 10) : 0;
}

/*
 * Does the process of a claim still run, which began @then? Where there is no /proc, only its
 * number tells, and another one may have that by now.
 */
static bool is_running(pid_t pid, long long then)
{
	if (then == 0 || born(getpid()) == 0)
		return kill(pid, 0) == 0 || errno == EPERM;
	return born(pid) == then;
}

static void host_name(char name[65])
{
	if (gethostname(name, 65) < 0)
		name[0] = '\0';
	name[64] = '\0';
}

static bool is_alive(sqlite3_stmt *claim)
{
	const char *host = (const char *)sqlite3_column_text(claim, 0);
	pid_t pid = (pid_t)sqlite3_column_int64(claim, 1);
	long long then = sqlite3_column_int64(claim, 2), seen = sqlite3_column_int64(claim, 3);
	char here[65];

	host_name(here);
	if (host && strcmp(host, here) == 0)
		return is_running(pid, then) && pid != getpid();
	return seen + STALE > (long long)time(NULL);
}

/* Is there a claim of someone else, who is alive? Fills @taken. */
static int look(struct store *s, const char *fingerprint, bool *taken, struct error *err)
{
	sqlite3_stmt *statement = store_prepare(
		s, "SELECT host, pid, born, seen FROM claims WHERE fingerprint = ?", err);
	int answer;

	*taken = false;
	if (!statement)
		return -1;
	store_bind_text(statement, 1, fingerprint);
	answer = sqlite3_step(statement);
	if (answer == SQLITE_ROW)
		*taken = is_alive(statement);
	else if (answer != SQLITE_DONE)
		store_failed(s, err);
	sqlite3_finalize(statement);
	return answer == SQLITE_ROW || answer == SQLITE_DONE ? 0 : -1;
}

static int write_claim(struct store *s, const char *fingerprint, struct error *err)
{
	sqlite3_stmt *statement =
		store_prepare(s, "INSERT OR REPLACE INTO claims VALUES (?, ?, ?, ?, ?)", err);
	char host[65];
	int status;

	if (!statement)
		return -1;
	host_name(host);
	store_bind_text(statement, 1, fingerprint);
	store_bind_text(statement, 2, host);
	(void)sqlite3_bind_int64(statement, 3, getpid());
	(void)sqlite3_bind_int64(statement, 4, born(getpid()));
	(void)sqlite3_bind_int64(statement, 5, (sqlite3_int64)time(NULL));
	status = store_step(s, statement, err);
	sqlite3_finalize(statement);
	return status;
}

/* CLAIM_DONE when the point is known, else CLAIM_MINE. */
static enum claim look_up(struct store *s, const char *fingerprint, bool retry, struct error *err)
{
	char status[16];

	if (store_status(s, fingerprint, status, err) < 0)
		return CLAIM_FAILED;
	return *status && !(retry && strcmp(status, "failed") == 0) ? CLAIM_DONE : CLAIM_MINE;
}

/* In a transaction, so that no other program finds the same. */
static enum claim take(struct store *s, const char *fingerprint, bool retry, struct error *err)
{
	enum claim known = look_up(s, fingerprint, retry, err);
	bool taken;

	if (known != CLAIM_MINE)
		return known;
	if (look(s, fingerprint, &taken, err) < 0)
		return CLAIM_FAILED;
	if (taken)
		return CLAIM_OTHERS;
	return write_claim(s, fingerprint, err) < 0 ? CLAIM_FAILED : CLAIM_MINE;
}

/* A claim need not survive the host: only points are worth waiting for the disk. */
enum claim store_claim(struct store *s, const char *fingerprint, bool retry, struct error *err)
{
	enum claim answer = look_up(s, fingerprint, retry, err);

	/* Most often the answer is there without a transaction. */
	if (answer != CLAIM_MINE)
		return answer;
	if (store_execute(s, "PRAGMA synchronous = NORMAL; BEGIN IMMEDIATE", err) < 0)
		return CLAIM_FAILED;
	answer = take(s, fingerprint, retry, err);
	if (answer == CLAIM_FAILED || store_execute(s, "COMMIT", err) < 0) {
		store_roll_back(s);
		answer = CLAIM_FAILED;
	}
	(void)sqlite3_exec(s->db, "PRAGMA synchronous = FULL", NULL, NULL, NULL);
	return answer;
}

/* Run @sql for the claims of this process. No one can do anything about a failure. */
static void run_for_own(struct store *s, const char *sql)
{
	struct error err;
	sqlite3_stmt *statement = store_prepare(s, sql, &err);
	char host[65];

	if (!statement)
		return;
	host_name(host);
	store_bind_text(statement, 1, host);
	(void)sqlite3_bind_int64(statement, 2, getpid());
	(void)sqlite3_bind_int64(statement, 3, (sqlite3_int64)time(NULL));
	(void)store_step(s, statement, &err);
	sqlite3_finalize(statement);
}

void store_keep_claims(struct store *s)
{
	int64_t now = (int64_t)time(NULL);

	if (now < s->last_seen + REFRESH)
		return;
	s->last_seen = now;
	run_for_own(s, "UPDATE claims SET seen = ?3 WHERE host = ?1 AND pid = ?2");
}

void store_give_up_claims(struct store *s)
{
	run_for_own(s, "DELETE FROM claims WHERE host = ?1 AND pid = ?2 AND ?3 > 0");
}
