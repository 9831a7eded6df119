/* SPDX-License-Identifier: GPL-3.0-or-later */
/* vmstat.c - the counters' hot path: a difference per CPU, folded past a threshold. */

#include "vmstat.h"

void __mod_zone_page_state(struct zone *zone, enum zone_stat_item item, long delta)
{
	struct per_cpu_pageset *pset = zone->pageset[smp_processor_id()];
	int8_t *diff = &pset->vm_stat_diff[item];
	long sum = delta + *diff;
	long threshold = pset->stat_threshold;

	if (unlikely(sum > threshold || sum < -threshold)) {
		__atomic_fetch_add(&zone->vm_stat[item], sum, __ATOMIC_SEQ_CST);
		__atomic_fetch_add(&vm_global->zone[item], sum, __ATOMIC_SEQ_CST);
		sum = 0;
	}
	*diff = (int8_t)sum;
}

void __mod_node_page_state(struct pglist_data *pgdat, enum node_stat_item item, long delta)
{
	struct per_cpu_nodestat *stat = pgdat->per_cpu_nodestats[smp_processor_id()];
	int8_t *diff = &stat->vm_node_stat_diff[item];
	long sum = delta + *diff;
	long threshold = stat->stat_threshold;

	if (unlikely(sum > threshold || sum < -threshold)) {
		__atomic_fetch_add(&pgdat->vm_stat[item], sum, __ATOMIC_SEQ_CST);
		__atomic_fetch_add(&vm_global->node[item], sum, __ATOMIC_SEQ_CST);
		sum = 0;
	}
	*diff = (int8_t)sum;
}
