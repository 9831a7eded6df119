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

/* Memory that was not brought up yet is free in movable blocks of the largest order. */
static unsigned long deferred_blocks(const struct zone *zone, unsigned int order)
{
	unsigned long end = zone->zone_start_pfn + zone->managed_pages;

	return order == MAX_ORDER - 1 ? (end - zone->first_deferred_pfn) >> order : 0;
}

static void print_buddy(FILE *out, const struct zone *zone)
{
	(void)fprintf(out, "Node %d, zone   Normal", zone->zone_pgdat->node_id);
	for (unsigned int order = 0; order < MAX_ORDER; order++)
		(void)fprintf(out, " %6lu",
			zone->free_area[order].nr_free + deferred_blocks(zone, order));
	(void)fprintf(out, "\n");
}

/* ---- pagetypeinfo ---- */

static const char *const migratetype_names[MIGRATE_TYPES] = {[MIGRATE_UNMOVABLE] = "Unmovable",
	[MIGRATE_MOVABLE] = "Movable",
	[MIGRATE_RECLAIMABLE] = "Reclaimable",
	[MIGRATE_HIGHATOMIC] = "HighAtomic",
	[MIGRATE_ISOLATE] = "Isolate"};

static unsigned long blocks_of_type(
	const struct zone *zone, unsigned int order, enum migratetype type)
{
	unsigned long blocks = type == MIGRATE_MOVABLE ? deferred_blocks(zone, order) : 0;
	const struct list_head *at;

	list_for_each (at, &zone->free_area[order].free_list[type])
		blocks++;
	return blocks;
}

static void print_free_types(FILE *out, const struct zone *zone)
{
	for (int type = 0; type < MIGRATE_TYPES; type++) {
		(void)fprintf(out, "Node %4d, zone   Normal, type %12s", zone->zone_pgdat->node_id,
			migratetype_names[type]);
		for (unsigned int order = 0; order < MAX_ORDER; order++)
			(void)fprintf(
				out, " %6lu", blocks_of_type(zone, order, (enum migratetype)type));
		(void)fprintf(out, "\n");
	}
}

static void print_block_types(FILE *out, const struct zone *zone)
{
	unsigned long blocks[8] = {0}; /* by all that a label can say */

	for (unsigned long at = 0; at < zone->managed_pages; at += PAGEBLOCK_NR_PAGES)
		blocks[get_pfnblock_migratetype(zone, zone->zone_start_pfn + at)]++;
	(void)fprintf(out, "Node %d, zone   Normal", zone->zone_pgdat->node_id);
	for (int type = 0; type < MIGRATE_TYPES; type++)
		(void)fprintf(out, " %12lu", blocks[type]);
	(void)fprintf(out, "\n");
}

static void print_types(FILE *out)
{
	(void)fprintf(out, "Page block order: %d\nPages per block:  %lu\n\n%-43s", PAGEBLOCK_ORDER,
		PAGEBLOCK_NR_PAGES, "Free pages count per migrate type at order");
	for (int order = 0; order < MAX_ORDER; order++)
		(void)fprintf(out, " %6d", order);
	(void)fprintf(out, "\n");
	for (int node = 0; node < nr_online_nodes; node++)
		print_free_types(out, &node_data[node]->zone);
	(void)fprintf(out, "\n%-22s", "Number of blocks type");
	for (int type = 0; type < MIGRATE_TYPES; type++)
		(void)fprintf(out, " %12s", migratetype_names[type]);
	(void)fprintf(out, "\n");
	for (int node = 0; node < nr_online_nodes; node++)
		print_block_types(out, &node_data[node]->zone);
}

/* ---- vmstat ---- */

static const char *const zone_stat_names[NR_VM_ZONE_STAT_ITEMS] = {
	[NR_FREE_PAGES] = "nr_free_pages",
	[NR_ZONE_LRU_BASE + LRU_INACTIVE_ANON] = "nr_zone_inactive_anon",
	[NR_ZONE_LRU_BASE + LRU_ACTIVE_ANON] = "nr_zone_active_anon",
	[NR_ZONE_LRU_BASE + LRU_INACTIVE_FILE] = "nr_zone_inactive_file",
	[NR_ZONE_LRU_BASE + LRU_ACTIVE_FILE] = "nr_zone_active_file",
	[NR_ZONE_LRU_BASE + LRU_UNEVICTABLE] = "nr_zone_unevictable"};

static const char *const node_stat_names[NR_VM_NODE_STAT_ITEMS] = {
	[NR_LRU_BASE + LRU_INACTIVE_ANON] = "nr_inactive_anon",
	[NR_LRU_BASE + LRU_ACTIVE_ANON] = "nr_active_anon",
	[NR_LRU_BASE + LRU_INACTIVE_FILE] = "nr_inactive_file",
	[NR_LRU_BASE + LRU_ACTIVE_FILE] = "nr_active_file",
	[NR_LRU_BASE + LRU_UNEVICTABLE] = "nr_unevictable",
	[NR_ANON_MAPPED] = "nr_anon_pages",
	[NR_FILE_MAPPED] = "nr_mapped"};

/* Those of the events that the kernel counts, too. */
static const struct {
	enum vm_event_item item;
	const char *name;
} event_names[] = {{PGALLOC, "pgalloc_normal"}, {PGFREE, "pgfree"}, {PGFAULT, "pgfault"}};

static long node_page_state_snapshot(const struct pglist_data *node, enum node_stat_item item)
{
	long sum = node->vm_stat[item];

	for (int cpu = 0; cpu < nr_cpu_ids; cpu++)
		sum += node->per_cpu_nodestats[cpu]->vm_node_stat_diff[item];
	return sum;
}

static void print_vmstat(FILE *out, const uint64_t events[NR_VM_EVENT_ITEMS])
{
	for (int item = 0; item < NR_VM_ZONE_STAT_ITEMS; item++) {
		long sum = 0;

		for (int node = 0; node < nr_online_nodes; node++)
			sum += zone_page_state_snapshot(
				&node_data[node]->zone, (enum zone_stat_item)item);
		(void)fprintf(out, "%s %ld\n", zone_stat_names[item], sum);
	}
	for (int item = 0; item < NR_VM_NODE_STAT_ITEMS; item++) {
		long sum = 0;

		for (int node = 0; node < nr_online_nodes; node++)
			sum += node_page_state_snapshot(node_data[node], (enum node_stat_item)item);
		(void)fprintf(out, "%s %ld\n", node_stat_names[item], sum);
	}
	for (size_t i = 0; i < sizeof(event_names) / sizeof(event_names[0]); i++)
		(void)fprintf(out, "%s %llu\n", event_names[i].name,
			(unsigned long long)events[event_names[i].item]);
}

/* ---- texts ---- */

/* A file in memory, whose text is @text once it is closed. */
struct text {
	char *text;
	size_t size;
	FILE *out;
};

static FILE *text_open(struct text *t)
{
	t->text = NULL;
	t->out = open_memstream(&t->text, &t->size);
	return t->out;
}

/* The text, or NULL when memory was short. */
static char *text_close(struct text *t)
{
	if (!fclose(t->out))
		return t->text;
	free(t->text);
	return NULL;
}

static char *all_zones(void (*print)(FILE *, const struct zone *))
{
	struct text t;

	if (!text_open(&t))
		return NULL;
	for (int node = 0; node < nr_online_nodes; node++)
		print(t.out, &node_data[node]->zone);
	return text_close(&t);
}

char *zoneinfo_text(void)
{
	return all_zones(print_zone);
}

char *buddyinfo_text(void)
{
	return all_zones(print_buddy);
}

char *pagetypeinfo_text(void)
{
	struct text t;

	if (!text_open(&t))
		return NULL;
	print_types(t.out);
	return text_close(&t);
}

char *vmstat_text(const uint64_t events[NR_VM_EVENT_ITEMS])
{
	struct text t;

	if (!text_open(&t))
		return NULL;
	print_vmstat(t.out, events);
	return text_close(&t);
}
