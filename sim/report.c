/* SPDX-License-Identifier: GPL-3.0-or-later */
/* report.c - lock statistics, counters, zoneinfo. */

#include "report.h"

#include <stdio.h>
#include <string.h>

#include "../alloc/pcp.h"
#include "../alloc/vmstat.h"
#include "lock.h"
#include "memory.h"
#include "sim.h"

static double seconds(sim_time time)
{
	return (double)time / PS_PER_SECOND;
}

/* Smallest first, where 0 stands for none yet. */
static void widen(double *min, double *max, const struct lock_times *t, bool first)
{
	if (!t->count)
		return;
	if (first || seconds(t->min) < *min)
		*min = seconds(t->min);
	if (seconds(t->max) > *max)
		*max = seconds(t->max);
}

static void add_buckets(uint64_t *to, const struct lock_times *from)
{
	_Static_assert(LOCK_REPORT_BUCKETS == LOCK_HISTOGRAM_BUCKETS, "the same buckets");
	for (int i = 0; i < LOCK_REPORT_BUCKETS; i++)
		to[i] += from->buckets[i];
}

/* Adds what is known of @lock to @r. */
static void report_lock(const struct lock *lock, struct lock_report *r)
{
	widen(&r->wait_min, &r->wait_max, &lock->wait, r->wait_total == 0);
	r->con_bounces += lock->contention_bounces;
	r->contentions += lock->contentions;
	r->wait_total += seconds(lock->wait.total);
	add_buckets(r->wait_buckets, &lock->wait);
	r->acq_bounces += lock->acquisition_bounces;
	r->acquisitions += lock->acquisitions;
	for (int i = 0; i < NR_HOLDS; i++) {
		widen(&r->hold_min, &r->hold_max, &lock->hold[i], r->hold_total == 0);
		r->hold_total += seconds(lock->hold[i].total);
		add_buckets(r->hold_buckets, &lock->hold[i]);
	}
}

/* The row of locks of that name, of which a node may have many; NULL when there is no room. */
static struct lock_report *row_of(struct point_result *result, const char *name)
{
	struct lock_report *r = result->locks;

	while (r < result->locks + result->nr_locks && strcmp(r->name, name) != 0)
		r++;
	if (r < result->locks + result->nr_locks)
		return r;
	if (result->nr_locks == POINT_MAX_LOCKS)
		return NULL;
	result->nr_locks++;
	(void)snprintf(r->name, sizeof(r->name), "%s", name);
	return r;
}

/* One row for all locks of a node that have the same name: those of pagesets, or of sockets. */
static void report_locks(struct point_result *result)
{
	for (unsigned int i = 0; i < nr_locks; i++) {
		char name[sizeof(result->locks[0].name)];

		(void)snprintf(name, sizeof(name), "%s node %d", locks[i].name, locks[i].node);
		struct lock_report *r = row_of(result, name);

		if (r)
			report_lock(&locks[i], r);
	}
}

/* ---- holds ---- */

static const char *const wait_names[NR_WAITS] = {"branches", "loads", "stores", "atomics"};

const char *const hold_names[NR_HOLDS] = {[HOLD_NOTHING] = "none",
	[HOLD_ZONE_ALLOC] = "zone alloc",
	[HOLD_ZONE_FREE] = "zone free",
	[HOLD_LRU] = "lru",
	[HOLD_OTHER] = "other"};

static const struct {
	enum hold hold;
	const char *help;
} purposes[] = {
	{HOLD_ZONE_ALLOC, "zone->lock, to refill a pageset"},
	{HOLD_ZONE_FREE, "zone->lock, to drain a pageset"},
	{HOLD_LRU, "lru_lock, to put pages on or take them off"},
};

enum hold report_purpose(size_t i)
{
	return purposes[i].hold;
}

static void report_hold(size_t purpose, struct hold_report *r)
{
	enum hold hold = purposes[purpose].hold;

	_Static_assert(NR_WAITS == POINT_WAITS, "the same waits");
	_Static_assert(NR_SERVED <= POINT_SOURCES, "room for all sources");
	r->name = hold_names[hold];
	r->help = purposes[purpose].help;
	for (unsigned int i = 0; i < nr_locks; i++) {
		r->count += locks[i].hold[hold].count;
		r->total += seconds(locks[i].hold[hold].total);
		r->handed_over += seconds(locks[i].handed_over[hold]);
	}
	for (int what = 0; what < NR_WAITS; what++) {
		r->waits[what].name = wait_names[what];
		for (unsigned int i = 0; i < nr_cpus; i++)
			r->waits[what].seconds += seconds(cpus[i].waited[hold][what]);
	}
	for (int i = 0; i < NR_SERVED; i++)
		r->served[i] = memory_served[i][hold];
}

static void report_holds(struct point_result *result)
{
	_Static_assert(sizeof(result->holds) / sizeof(result->holds[0]) ==
			       sizeof(purposes) / sizeof(purposes[0]),
		"room for all purposes");
	for (size_t i = 0; i < sizeof(purposes) / sizeof(purposes[0]); i++)
		report_hold(i, &result->holds[result->nr_holds++]);
}

/* Events, and the state that they left. */
static void report_memory(struct point_result *result)
{
	uint64_t events[NR_VM_EVENT_ITEMS] = {0};

	for (int i = 0; i < NR_VM_EVENT_ITEMS; i++) {
		for (int node = 0; node < MAX_NUMNODES; node++)
			events[i] += vm_events[node][i];
		result->counters[result->nr_counters++] =
			(struct counter){vm_event_names[i], vm_event_help[i], events[i]};
	}
	result->zoneinfo = zoneinfo_text();
	result->buddyinfo = buddyinfo_text();
	result->pagetypeinfo = pagetypeinfo_text();
	result->vmstat = vmstat_text(events);
}

void report_fill(const struct point *point, struct point_result *result)
{
	(void)point;
	result->batch = (unsigned int)pcp_batch(&node_data[0]->zone, 0);
	result->high = (unsigned int)pcp_high(&node_data[0]->zone, 0);
	report_locks(result);
	report_holds(result);
	for (int i = 0; i < NR_SERVED; i++) {
		uint64_t sum = 0;

		for (int hold = 0; hold < NR_HOLDS; hold++)
			sum += memory_served[i][hold];
		result->served[result->nr_served++] =
			(struct counter){served_names[i], served_help[i], sum};
		result->accesses += sum;
	}
	report_memory(result);
}
