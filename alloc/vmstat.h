/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * vmstat.h - counters of zones and nodes: each CPU gathers a small difference and adds it to the
 * shared sum, with atomics, when it passes the threshold.
 */
#ifndef ZONESIM_ALLOC_VMSTAT_H
#define ZONESIM_ALLOC_VMSTAT_H

#include "mm.h"

/* Out of line, as in the kernel. The caller has interrupts off. */
void __mod_zone_page_state(struct zone *zone, enum zone_stat_item item, long delta);
void __mod_node_page_state(struct pglist_data *pgdat, enum node_stat_item item, long delta);

/* The shared sum, without what CPUs still hold back; never negative. */
static __always_inline unsigned long zone_page_state(
	const struct zone *zone, enum zone_stat_item item)
{
	long sum = __atomic_load_n(&zone->vm_stat[item], __ATOMIC_RELAXED);

	return sum < 0 ? 0 : (unsigned long)sum;
}

/* The exact value: the sum and all CPUs' differences. Not safe against running CPUs. */
long zone_page_state_snapshot(const struct zone *zone, enum zone_stat_item item);

/*
 * Texts in the form of /proc/zoneinfo, /proc/buddyinfo and /proc/pagetypeinfo, all nodes.
 * Allocated; the caller frees. NULL when out of memory.
 */
char *zoneinfo_text(void);
char *buddyinfo_text(void);
char *pagetypeinfo_text(void);

/*
 * The same of /proc/vmstat: the counters that the kernel has, by its names and in its order, exact.
 * @events: how often each came, all CPUs together
 */
char *vmstat_text(const uint64_t events[NR_VM_EVENT_ITEMS]);

#endif
