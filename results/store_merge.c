/* SPDX-License-Identifier: GPL-3.0-or-later */
/* store_merge.c - joining stores that were filled apart, as the shards of a sweep are. */
#include <stdlib.h>
#include <string.h>

#include "../models/error.h"
#include "must.h"
#include "store_internal.h"

/*
 * The first row of @sql says what does not fit; no row: nothing. The caller frees @first and
 * @second. Returns 1 when there is a row, 0, or -1 with @err filled.
 */
static int ask(struct store *s, const char *sql, char **first, char **second, struct error *err)
{
	sqlite3_stmt *statement = store_prepare(s, sql, err);
	int answer;

	*first = *second = NULL;
	if (!statement)
		return -1;
	answer = sqlite3_step(statement);
	if (answer == SQLITE_ROW) {
		*first = must_format("%s", sqlite3_column_text(statement, 0));
		*second = must_format("%s", sqlite3_column_text(statement, 1));
	} else if (answer != SQLITE_DONE) {
		store_failed(s, err);
	}
	sqlite3_finalize(statement);
	return answer == SQLITE_ROW ? 1 : answer == SQLITE_DONE ? 0 : -1;
}

/* What must not differ between two stores. Each question is answered with what differs. */
enum conflict { OTHER_MODEL, OTHER_MACHINE, OTHER_SCORE, NR_CONFLICTS };

static const char *const questions[NR_CONFLICTS] = {
	[OTHER_MODEL] = "SELECT a.digest, b.digest FROM main.models a, other.models b"
			" WHERE a.digest <> b.digest AND a.id IN (SELECT model FROM main.points)"
			" AND b.id IN (SELECT model FROM other.points) LIMIT 1",
	[OTHER_MACHINE] =
		"SELECT a.machine, a.machine_digest || ' and ' || b.machine_digest FROM"
		" (SELECT DISTINCT machine, machine_digest FROM main.points) a JOIN"
		" (SELECT DISTINCT machine, machine_digest FROM other.points) b USING (machine)"
		" WHERE a.machine_digest <> b.machine_digest LIMIT 1",
	[OTHER_SCORE] = "SELECT a.fingerprint, x.mean || ' and ' || y.mean FROM main.points a"
			" JOIN other.points b USING (fingerprint)"
			" JOIN main.metrics x ON x.point = a.id AND x.name = 'score'"
			" JOIN other.metrics y ON y.point = b.id AND y.name = 'score'"
			" WHERE x.mean <> y.mean LIMIT 1",
};

static int describe(enum conflict conflict, const char *path, const char *first, const char *second,
	struct error *err)
{
	switch (conflict) {
	case OTHER_MODEL:
		return error_set(err,
			"%s holds points of another model (%s; here it is %s): what different "
			"zonesims simulated does not go into one store",
			path, second, first);
	case OTHER_MACHINE:
		return error_set(err, "%s: machine %s has other figures there (digests %s)", path,
			first, second);
	default:
		return error_set(err,
			"%s: point %.8s has another score there (%s), which one seed can not give",
			path, first, second);
	}
}

static int find_conflict(struct store *s, const char *path, struct error *err)
{
	for (enum conflict i = 0; i < NR_CONFLICTS; i++) {
		char *first, *second;
		int found = ask(s, questions[i], &first, &second, err);

		if (found > 0) {
			s->problem = EXIT_BAD_INPUT;
			describe(i, path, first, second, err);
		}
		free(first);
		free(second);
		if (found)
			return -1;
	}
	return 0;
}

/* What is known here to be good is not replaced; a failure is, by what is known there. */
static const char copy[] =
	"CREATE TEMP TABLE taken AS SELECT o.id AS there, o.fingerprint FROM other.points o"
	" LEFT JOIN main.points p USING (fingerprint)"
	" WHERE p.id IS NULL OR (p.status = 'failed' AND o.status <> 'failed');\n"
	"INSERT INTO main.models (digest, version, sources, coefficients)"
	" SELECT digest, version, sources, coefficients FROM other.models WHERE true"
	" ON CONFLICT DO NOTHING;\n"
	"DELETE FROM main.points WHERE fingerprint IN (SELECT fingerprint FROM taken);\n"
	"INSERT INTO main.points (fingerprint, status, failure, log, machine, machine_digest,"
	" kernel, changes, patches, workload, parameters, tasks, batch, high, fraction,"
	" high_fraction, precision, time_limit, seed, model, host, started, wall_s, simulated_s,"
	" warm_up_s) SELECT o.fingerprint, status, failure, log, machine, machine_digest, kernel,"
	" changes, patches, workload, parameters, tasks, batch, high, fraction, high_fraction,"
	" precision, time_limit, seed, (SELECT m.id FROM main.models m JOIN other.models n"
	" USING (digest) WHERE n.id = o.model), host, started, wall_s, simulated_s, warm_up_s"
	" FROM other.points o JOIN taken ON there = o.id ORDER BY o.id;\n"
	"CREATE TEMP TABLE renamed AS SELECT there, p.id AS here FROM taken"
	" JOIN main.points p USING (fingerprint);\n"
	"CREATE UNIQUE INDEX temp.by_there ON renamed (there);\n"
	"INSERT INTO main.documents SELECT here, document FROM renamed"
	" JOIN other.documents ON point = there;\n"
	"INSERT INTO main.metrics SELECT here, name, mean, ci95, degrees, unit FROM renamed"
	" JOIN other.metrics ON point = there;\n"
	"INSERT INTO main.batches SELECT here, series, batch, nodes, rounds, warm_up, seconds, work"
	" FROM renamed JOIN other.batches ON point = there;\n"
	"INSERT INTO main.locks SELECT here, name, con_bounces, contentions, waittime_min_us,"
	" waittime_max_us, waittime_total_us, acq_bounces, acquisitions, holdtime_min_us,"
	" holdtime_max_us, holdtime_total_us FROM renamed JOIN other.locks ON point = there;\n"
	"INSERT INTO main.lock_times SELECT here, lock, kind, from_ns, count FROM renamed"
	" JOIN other.lock_times ON point = there;\n"
	"INSERT INTO main.scenarios (name, title, definition, added)"
	" SELECT name, title, definition, added FROM other.scenarios WHERE true"
	" ON CONFLICT DO NOTHING;\n"
	"INSERT INTO main.scenario_points SELECT a.id, fingerprint, position FROM"
	" other.scenario_points sp JOIN other.scenarios b ON b.id = sp.scenario"
	" JOIN main.scenarios a ON a.name = b.name WHERE true ON CONFLICT DO NOTHING;\n";

static int count_taken(struct store *s, size_t *added, struct error *err)
{
	char *number, *unused;
	int found = ask(s, "SELECT count(*), '' FROM taken", &number, &unused, err);

	*added = found > 0 ? strtoul(number, NULL, 10) : 0;
	free(number);
	free(unused);
	return found < 0 ? -1 : 0;
}

static int attach(struct store *s, const char *path, struct error *err)
{
	sqlite3_stmt *statement = store_prepare(s, "ATTACH ? AS other", err);
	int status;

	if (!statement)
		return -1;
	store_bind_text(statement, 1, path);
	status = store_step(s, statement, err);
	sqlite3_finalize(statement);
	return status;
}

int store_merge(struct store *s, const char *path, size_t *added, struct error *err)
{
	int status;
	/* It is opened on its own first: that finds what is no store, or an older one. */
	struct store *other = store_open(path, STORE_READ, STORE_PATIENCE_MS, &s->problem, err);

	if (!other)
		return -1;
	status = attach(s, other->path, err);
	store_close(other);
	if (status < 0)
		return -1;
	status = store_execute(s, "BEGIN IMMEDIATE", err);
	if (status == 0) {
		if (find_conflict(s, path, err) < 0 || store_execute(s, copy, err) < 0 ||
			count_taken(s, added, err) < 0 ||
			store_execute(s, "DROP TABLE taken; DROP TABLE renamed; COMMIT", err) < 0)
			status = store_roll_back(s);
	}
	(void)sqlite3_exec(s->db, "DETACH other", NULL, NULL, NULL);
	return status;
}
