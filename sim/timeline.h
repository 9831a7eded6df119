/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * timeline.h - what each CPU and each lock did in a window of simulated time, for trace viewers.
 *
 * Nothing here changes a clock: a run gives the same with a timeline and without. Who could tell
 * something looks at timeline_on first, at most once for a hold, a sleep or a step of the workload.
 */
#ifndef ZONESIM_TIMELINE_H
#define ZONESIM_TIMELINE_H

#include "lock.h"
#include "point.h"

/* Spans that a timeline has before it is cut; those under way then are still finished. */
#define TIMELINE_MOST 100000

extern bool timeline_on;

/* Look at what @watch asks for, which is nothing without a file. Call after cpus_init. */
void timeline_start(const struct watch *watch);

/* ---- for those who know, while timeline_on; all until @cpu's clock ---- */

/* @cpu waited for @lock since @since; it has just been handed over and is not held yet. */
void timeline_waited(const struct lock *lock, const struct cpu *cpu, sim_time since);

/* @cpu held @lock, for @hold, since lock->held_since. */
void timeline_held(const struct lock *lock, const struct cpu *cpu, enum hold hold);

/* @cpu slept since @since. */
void timeline_slept(const struct cpu *cpu, sim_time since);

/* @cpu begins with @name, a static string; NULL: with nothing that has a name. */
void timeline_enter(const struct cpu *cpu, const char *name);

static inline void timeline_phase(const struct cpu *cpu, const char *name)
{
	if (__builtin_expect(timeline_on, false))
		timeline_enter(cpu, name);
}

/*
 * timeline_finish - the run is over: write the file, in one step, and tell @result what it has.
 * Without a timeline nothing is done. A file that can not be written is a failed run, said on
 * stderr.
 */
void timeline_finish(struct point_result *result);

/* ---- for timeline_write.c ---- */

enum span_kind { SPAN_PHASE, SPAN_SLEEP, SPAN_WAIT, SPAN_HOLD };

struct span {
	enum span_kind kind;
	enum hold hold; /* what the lock is wanted or held for */
	unsigned int cpu, order;
	int from;		 /* SPAN_WAIT: the CPU that handed over */
	const char *name;	 /* SPAN_PHASE */
	const struct lock *lock; /* SPAN_WAIT, SPAN_HOLD */
	sim_time start, end;
	sim_time released; /* SPAN_WAIT: by the other CPU */
};

struct timeline {
	const char *file;
	sim_time from, to; /* what spans have outside is left out */
	struct span *spans;
	size_t nr, capacity;
	bool cut; /* at @to, because they were too many */
};

/* timeline_write - in Chrome's trace event format. Sorts the spans. Returns 0, or -1 with errno. */
int timeline_write(FILE *out, struct timeline *t);

#endif
