/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * runner.h - runs the points of a scenario, each in a process of its own.
 */
#ifndef ZONESIM_RUNNER_H
#define ZONESIM_RUNNER_H

#include <stdbool.h>
#include <stddef.h>

#include <jansson.h>

struct scenario;
struct store;

struct runner_options {
	int jobs; /* points under way at once; 0: as many as CPUs */
	bool quiet, brief;
	bool retry_failed;   /* points that the store knows to fail are tried again */
	struct store *store; /* where points are looked for first, and kept; or NULL */
};

/* What became of the points. */
struct runner_counts {
	size_t simulated; /* with a result, precise or not */
	size_t reused, failed, failed_before, not_kept;
	double points_wall; /* seconds that the points took by themselves, together */
};

/*
 * runner_run - run all points, and add them to @document in the scenario's order.
 * A point whose process crashes counts as failed; the others go on. Returns the worst exit status
 * of all points. With a store, a point that another program is at is waited for. What can not be
 * read from the store is simulated; what can not be kept there is a failure of the run, but goes
 * into the document. On SIGINT or SIGTERM the points under way are killed and EXIT_INTERRUPTED is
 * returned: the document is then of no use, but the store has all points that were finished.
 * @document: may be NULL when there is a store; points are then only kept there, and the first that
 *            can not be kept ends the run
 * @counts: filled, unless NULL
 */
int runner_run(const struct scenario *s, const struct runner_options *o, json_t *document,
	struct runner_counts *counts);

/* How many points are simulated at once unless told otherwise: the CPUs this process may use. */
int runner_usable_cpus(void);

#endif
