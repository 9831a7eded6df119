/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * store.h - results kept in an SQLite file, so that no point need be simulated twice.
 *
 * A point is known by its fingerprint. docs/STORE.md describes the tables for those who look with
 * sqlite3. Several programs may use a file at once.
 */
#ifndef ZONESIM_STORE_H
#define ZONESIM_STORE_H

#include <stdbool.h>
#include <stddef.h>

#include <jansson.h>

struct error;
struct store;

#define STORE_SCHEMA 2		/* PRAGMA user_version of what this zonesim writes */
#define STORE_PATIENCE_MS 10000 /* how long to wait for another program that writes */
#define STORE_DEFAULT "zonesim.db"

enum store_mode {
	STORE_READ,  /* what is there; a store of an older schema is brought up to date */
	STORE_WRITE, /* made when it is not there */
};

/*
 * store_open - open the file at @path. With STORE_WRITE, it is made what a store is when it is new
 * or empty.
 * @patience_ms: how long, here and later, to wait for a lock that someone else holds
 * @status: filled on failure with the exit status that fits: EXIT_BAD_INPUT for a file that is no
 *          store, or of a newer zonesim, or not there; EXIT_RUN_FAILED for one that is locked,
 *          damaged or can not be written
 * Returns the store, to be ended with store_close; or NULL with @err filled.
 */
struct store *store_open(
	const char *path, enum store_mode mode, int patience_ms, int *status, struct error *err);
void store_close(struct store *store);

const char *store_path(const struct store *store);

/* The exit status that fits the last error of a store, as for store_open. */
int store_problem(const struct store *store);

/*
 * store_put - keep @point, in place of what was known of its fingerprint, and give up a claim to
 * it. When this returns 0, the point survives whatever ends the program. Returns -1 with @err
 * filled, and nothing changed.
 */
int store_put(struct store *store, const json_t *point, struct error *err);

/*
 * store_find - what is known of @fingerprint.
 * Fills @point with a new reference, or with NULL when nothing is known, or only that it failed.
 * Returns 0, or -1 with @err filled.
 */
int store_find(struct store *store, const char *fingerprint, json_t **point, struct error *err);

/*
 * store_status - "ok", "imprecise" or "failed" into @status, which has room for 16 bytes; "" when
 * nothing is known of @fingerprint. Returns 0, or -1 with @err filled.
 */
int store_status(struct store *store, const char *fingerprint, char status[16], struct error *err);

/* A point that is to be simulated, as far as its time goes. */
struct stored_like {
	const char *machine, *workload;
	double precision;
	unsigned int tasks;
};

/*
 * store_expect_wall - how long such a point takes by itself: the mean of the stored points of the
 * nearest number of tasks, in proportion to it. Fills @seconds, with NAN when nothing is like it.
 * Returns 0, or -1 with @err filled.
 */
int store_expect_wall(
	struct store *store, const struct stored_like *like, double *seconds, struct error *err);

/* What is written down of a scenario: its points are found by its name later. */
struct stored_scenario {
	const char *name;	/* "batch" */
	const char *title;	/* its own words */
	const char *definition; /* the file, and what was set and varied on the command line */
	const char *const *fingerprints; /* of its points, in order */
	size_t nr_points;
};

/*
 * store_put_scenario - keep a scenario and which points it has, those of earlier runs of the same
 * name among them. Returns 0, or -1 with @err filled.
 */
int store_put_scenario(struct store *store, const struct stored_scenario *s, struct error *err);

/*
 * Claims keep two programs from simulating one point. They end with store_put, with
 * store_give_up_claims, or with the process that made them.
 */
enum claim {
	CLAIM_FAILED = -1, /* an error */
	CLAIM_MINE,	   /* simulate it */
	CLAIM_DONE,	   /* it is in the store by now */
	CLAIM_OTHERS,	   /* another program is at it */
};

/*
 * store_claim - ask for the right to simulate @fingerprint. @retry: also if it is known to fail.
 * On CLAIM_FAILED, @err is filled.
 */
enum claim store_claim(struct store *store, const char *fingerprint, bool retry, struct error *err);

/* Let others know that this process still runs; cheap, to be called every few seconds. */
void store_keep_claims(struct store *store);
void store_give_up_claims(struct store *store);

/*
 * store_merge - add all that the store at @path holds. Returns 0, or -1 with @err filled and
 * nothing changed: the two are of different models, or differ in what one point gave.
 * @added: filled with the number of points that were new here
 */
int store_merge(struct store *store, const char *path, size_t *added, struct error *err);

/* Read all of the file and look for damage. Returns 0, or -1 with @err filled. */
int store_check(struct store *store, struct error *err);

#endif
