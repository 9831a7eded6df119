/* SPDX-License-Identifier: GPL-3.0-or-later */
/* report.c - lock statistics, counters, zoneinfo. */

#include "report.h"

#include <stdio.h>

#include "../alloc/vmstat.h"
#include "lock.h"
#include "memory.h"
#include "sim.h"

static double seconds(sim_time time)
{
	return (double)time / PS_PER_SECOND;
}

static void report_lock(const struct lock *lock, struct lock_report *r)
{
	(void)snprintf(r->name, sizeof(r->name), "%s node %d", lock->name, lock->node);
	r->con_bounces = lock->contention_bounces;
	r->contentions = lock->contentions;
	r->wait_min = seconds(lock->wait.min);
	r->wait_max = seconds(lock->wait.max);
	r->wait_total = seconds(lock->wait.total);
	r->acq_bounces = lock->acquisition_bounces;
	r->acquisitions = lock->acquisitions;
	for (int i = 0; i < NR_HOLDS; i++) {
		const struct lock_times *hold = &lock->hold[i];

		if (!hold->count)
			continue;
		if (r->hold_total == 0 || seconds(hold->min) < r->hold_min)
			r->hold_min = seconds(hold->min);
		if (seconds(hold->max) > r->hold_max)
			r->hold_max = seconds(hold->max);
		r->hold_total += seconds(hold->total);
	}
}

void report_fill(const struct point *point, struct point_result *result)
{
	const struct per_cpu_pages *pcp = &node_data[0]->zone.pageset[0]->pcp;

	(void)point;
	result->batch = (unsigned int)pcp->batch;
	result->high = (unsigned int)pcp->high;
	for (unsigned int i = 0; i < nr_locks && i < POINT_MAX_LOCKS; i++)
		report_lock(&locks[i], &result->locks[result->nr_locks++]);
	for (int i = 0; i < NR_SERVED; i++) {
		uint64_t sum = 0;

		for (int hold = 0; hold < NR_HOLDS; hold++)
			sum += memory_served[i][hold];
		result->served[result->nr_served++] =
			(struct counter){served_names[i], served_help[i], sum};
		result->accesses += sum;
	}
	for (int i = 0; i < NR_VM_EVENT_ITEMS; i++) {
		uint64_t sum = 0;

		for (int node = 0; node < MAX_NUMNODES; node++)
			sum += vm_events[node][i];
		result->counters[result->nr_counters++] =
			(struct counter){vm_event_names[i], vm_event_help[i], sum};
	}
	result->zoneinfo = zoneinfo_text();
	result->buddyinfo = buddyinfo_text();
}
