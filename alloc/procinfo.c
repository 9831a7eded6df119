/* SPDX-License-Identifier: GPL-3.0-or-later */
/* procinfo.c - the state of memory as /proc shows it. Not on any hot path, not instrumented. */

#include <stdio.h>
#include <stdlib.h>

#include "pcp.h"
#include "vmstat.h"

long zone_page_state_snapshot(const struct zone *zone, enum zone_stat_item item)
{
	long sum = zone->vm_stat[item];

	for (int cpu = 0; cpu < nr_cpu_ids; cpu++)
		sum += zone->pageset[cpu]->vm_stat_diff[item];
	return sum;
}

static void print_zone(FILE *out, const struct zone *zone)
{
	(void)fprintf(out, "Node %d, zone   Normal\n", zone->zone_pgdat->node_id);
	(void)fprintf(out, "  pages free     %ld\n", zone_page_state_snapshot(zone, NR_FREE_PAGES));
	(void)fprintf(out, "        min      %lu\n", zone->watermark[WMARK_MIN]);
	(void)fprintf(out, "        low      %lu\n", zone->watermark[WMARK_LOW]);
	(void)fprintf(out, "        high     %lu\n", zone->watermark[WMARK_HIGH]);
	(void)fprintf(out, "        managed  %lu\n", zone->managed_pages);
	(void)fprintf(out, "      nr_free_pages        %ld\n",
		zone_page_state_snapshot(zone, NR_FREE_PAGES));
	(void)fprintf(out, "      nr_zone_active_anon  %ld\n",
		zone_page_state_snapshot(zone, NR_ZONE_LRU_BASE + LRU_ACTIVE_ANON));
	(void)fprintf(out, "  pagesets\n");
	for (int cpu = 0; cpu < nr_cpu_ids; cpu++) {
		int count = pcp_count(zone, cpu);

		/* CPUs that never used the zone say nothing */
		if (!count)
			continue;
		(void)fprintf(out,
			"    cpu: %d\n              count: %d\n              high:  %d\n"
			"              batch: %d\n",
			cpu, count, pcp_high(zone, cpu), pcp_batch(zone, cpu));
	}
	(void)fprintf(out, "  start_pfn:           %lu\n", zone->zone_start_pfn);
}

static void print_buddy(FILE *out, const struct zone *zone)
{
	(void)fprintf(out, "Node %d, zone   Normal", zone->zone_pgdat->node_id);
	for (int order = 0; order < MAX_ORDER; order++) {
		unsigned long deferred =
			zone->zone_start_pfn + zone->managed_pages - zone->first_deferred_pfn;
		unsigned long free = zone->free_area[order].nr_free;

		/* memory that was not brought up yet is free in blocks of the largest order */
		if (order == MAX_ORDER - 1)
			free += deferred >> (MAX_ORDER - 1);
		(void)fprintf(out, " %6lu", free);
	}
	(void)fprintf(out, "\n");
}

static char *all_zones(void (*print)(FILE *, const struct zone *))
{
	char *text = NULL;
	size_t size;
	FILE *out = open_memstream(&text, &size);

	if (!out)
		return NULL;
	for (int node = 0; node < nr_online_nodes; node++)
		print(out, &node_data[node]->zone);
	if (fclose(out)) {
		free(text);
		return NULL;
	}
	return text;
}

char *zoneinfo_text(void)
{
	return all_zones(print_zone);
}

char *buddyinfo_text(void)
{
	return all_zones(print_buddy);
}
