/* SPDX-License-Identifier: GPL-3.0-or-later */
/* boot.c - bringing memory up. */

#include "boot.h"
#include "cluster.h"
#include "kernel_ops.h"

struct page *mem_map;
struct pglist_data *node_data[MAX_NUMNODES];
int nr_online_nodes;
int nr_cpu_ids;
int cpu_node[NR_CPUS];
struct vm_global_stat *vm_global;

static int min_int(int a, int b)
{
	return a < b ? a : b;
}

static int max_int(int a, int b)
{
	return a > b ? a : b;
}

/* Position of the highest set bit, from 1; 0 for 0. */
static int fls_ulong(unsigned long value)
{
	return value ? 64 - __builtin_clzl(value) : 0;
}

/* ---- sizes ---- */

int zone_batchsize(unsigned long managed_pages, bool double_batch)
{
	unsigned long cap = (double_batch ? 1024 : 512) * 1024 / PAGE_SIZE;
	unsigned long batch = managed_pages / 1024;

	if (batch > cap)
		batch = cap;
	batch /= 4;
	if (batch < 1)
		batch = 1;
	/* one below a power of two: a power itself would make the same cache sets collide */
	batch += batch / 2;
	return (1 << (fls_ulong(batch) - 1)) - 1;
}

/* min = 4 * sqrt(memory in KiB) KiB, at most 64 MiB, shared by the nodes. */
static unsigned long min_watermark(const struct boot_parameters *boot)
{
	unsigned long kib = boot->pages_per_node * (unsigned long)boot->nodes * 4 * 16;
	unsigned long root = 1;

	while ((root + 1) * (root + 1) <= kib)
		root++;
	if (root > 65536)
		root = 65536;
	return root / 4 / (unsigned long)boot->nodes;
}

/* From min to low, and from low to high: a quarter of min, or a thousandth of the zone if more. */
static unsigned long watermark_distance(const struct boot_parameters *boot)
{
	unsigned long quarter = min_watermark(boot) / 4, scaled = boot->pages_per_node / 1000;

	return quarter > scaled ? quarter : scaled;
}

int zone_highsize(const struct boot_parameters *boot, int batch, int cpus, int fraction)
{
	unsigned long pages = fraction ? boot->pages_per_node / (unsigned long)fraction
				       : min_watermark(boot) + watermark_distance(boot);

	return max_int((int)(pages / (unsigned long)cpus), 4 * batch);
}

/* CPUs that share a node's memory; all when it has none of its own, or none are told apart. */
static int cpus_of_node(const struct boot_parameters *boot, int node)
{
	int cpus = 0;

	for (int cpu = 0; boot->cpu_node && cpu < boot->cpus; cpu++)
		cpus += boot->cpu_node[cpu] == node;
	return cpus ? cpus : max_int(1, boot->cpus);
}

static void size_by_fraction(const struct boot_parameters *boot, int *batch, int *high)
{
	*high = (int)(boot->pages_per_node / (unsigned long)boot->percpu_pagelist_fraction);
	*batch = min_int(max_int(1, *high / 4), PAGE_SHIFT * 8);
}

void pageset_size(const struct boot_parameters *boot, int *batch, int *high)
{
	int size =
		zone_batchsize(boot->pages_per_node, boot->patches & PATCH_BIT(PATCH_DOUBLE_BATCH));
	bool by_zone = boot->patches & PATCH_BIT(PATCH_PCP_HIGH_BY_ZONE);
	bool by_fraction = !by_zone && boot->percpu_pagelist_fraction > 0;

	*high = 6 * size;
	*batch = max_int(1, size);
	if (by_fraction)
		size_by_fraction(boot, batch, high);
	if (boot->batch > 0) {
		*batch = boot->batch;
		/* with a fraction, high is what the fraction says */
		if (!by_fraction)
			*high = 6 * boot->batch;
	}
	if (by_zone)
		*high = zone_highsize(
			boot, *batch, cpus_of_node(boot, 0), boot->percpu_pagelist_high_fraction);
	if (boot->high > 0)
		*high = boot->high;
}

/* How far a CPU's counter difference may go, from the number of CPUs and the zone's size. */
static int8_t normal_stat_threshold(int cpus, unsigned long managed_pages)
{
	unsigned long mem = managed_pages >> (27 - PAGE_SHIFT);

	return (int8_t)min_int(125, 2 * fls_ulong((unsigned long)cpus) * (1 + fls_ulong(mem)));
}

/* ---- structures ---- */

/* The smallest fraction that percpu_pagelist_high_fraction may be: the most that high may grow to.
 */
#define MIN_PERCPU_PAGELIST_HIGH_FRACTION 8

/* Tuning moves high between the sizes by the watermark and by that fraction, unless high is told.
 */
static int init_order_pages(
	struct zone *zone, int cpu, const struct boot_parameters *boot, int batch, int high)
{
	struct per_cpu_order_pages *pcp = memblock_alloc(sizeof(*pcp), CACHE_LINE);
	int node = zone->zone_pgdat->node_id;

	if (!pcp)
		return -1;
	spin_lock_init(&pcp->lock, "pcp->lock", node);
	pcp->batch = batch;
	pcp->high = pcp->high_min = pcp->high_max = high;
	if ((boot->patches & PATCH_BIT(PATCH_PCP_AUTO_TUNE)) && boot->high <= 0 &&
		!boot->percpu_pagelist_high_fraction)
		pcp->high_max = max_int(high, zone_highsize(boot, batch, cpus_of_node(boot, node),
						      MIN_PERCPU_PAGELIST_HIGH_FRACTION));
	if (boot->cache_slice / PAGE_SIZE > 3 * (unsigned long)batch)
		pcp->flags = PCPF_FREE_HIGH_BATCH;
	for (int i = 0; i < NR_PCP_LISTS; i++)
		INIT_LIST_HEAD(&pcp->lists[i]);
	zone->per_cpu_pages[cpu] = pcp;
	return 0;
}

static int init_pagesets(struct zone *zone, const struct boot_parameters *boot)
{
	int batch, high;

	pageset_size(boot, &batch, &high);
	for (int cpu = 0; cpu < boot->cpus; cpu++) {
		struct per_cpu_pageset *pset = memblock_alloc(sizeof(*pset), CACHE_LINE);
		struct per_cpu_nodestat *stat = memblock_alloc(sizeof(*stat), CACHE_LINE);

		if (!pset || !stat)
			return -1;
		pset->pcp.batch = batch;
		pset->pcp.high = high;
		for (int type = 0; type < MIGRATE_PCPTYPES; type++)
			INIT_LIST_HEAD(&pset->pcp.lists[type]);
		pset->stat_threshold = normal_stat_threshold(boot->cpus, boot->pages_per_node);
		stat->stat_threshold = pset->stat_threshold;
		zone->pageset[cpu] = pset;
		zone->zone_pgdat->per_cpu_nodestats[cpu] = stat;
		if ((boot->patches & PATCH_BIT(PATCH_PCP_HIGH_ORDER)) &&
			init_order_pages(zone, cpu, boot, batch, high))
			return -1;
	}
	return 0;
}

static void init_watermarks(struct zone *zone, const struct boot_parameters *boot)
{
	zone->watermark[WMARK_MIN] = min_watermark(boot);
	zone->watermark[WMARK_LOW] = zone->watermark[WMARK_MIN] + watermark_distance(boot);
	zone->watermark[WMARK_HIGH] = zone->watermark[WMARK_LOW] + watermark_distance(boot);
}

/* Records for runs of single pages, one for each batch of pages. */
static int cluster_init(struct zone *zone, const struct boot_parameters *boot)
{
	int batch, high;

	pageset_size(boot, &batch, &high);
	unsigned long n = boot->pages_per_node / (unsigned long)batch;

	zone->cluster_length = batch;
	zone->fresh_clusters = memblock_alloc(n * sizeof(struct cluster), CACHE_LINE);
	if (!zone->fresh_clusters)
		return -1;
	zone->end_of_clusters = zone->fresh_clusters + n;
	return 0;
}

static int init_zone(struct zone *zone, int node, const struct boot_parameters *boot)
{
	unsigned long words = boot->pages_per_node / PAGEBLOCK_NR_PAGES / 16 + 1;

	zone->pageblock_flags = memblock_alloc(words * sizeof(unsigned long), CACHE_LINE);
	if (!zone->pageblock_flags)
		return -1;
	for (unsigned long word = 0; word < words; word++)
		zone->pageblock_flags[word] = 0x1111111111111111UL * MIGRATE_MOVABLE;
	zone->zone_start_pfn = (unsigned long)node * boot->pages_per_node;
	zone->managed_pages = boot->pages_per_node;
	zone->first_deferred_pfn = zone->zone_start_pfn;
	zone->vm_stat[NR_FREE_PAGES] = (long)boot->pages_per_node;
	vm_global->zone[NR_FREE_PAGES] += (long)boot->pages_per_node;
	for (int order = 0; order < MAX_ORDER; order++)
		for (int type = 0; type < MIGRATE_TYPES; type++)
			INIT_LIST_HEAD(&zone->free_area[order].free_list[type]);
	spin_lock_init(&zone->lock, "zone->lock", node);
	if (boot->patches & PATCH_BIT(PATCH_CLUSTER_ALLOC) && cluster_init(zone, boot))
		return -1;
	init_watermarks(zone, boot);
	return init_pagesets(zone, boot);
}

static int init_node(int node, const struct boot_parameters *boot)
{
	struct pglist_data *pgdat = memblock_alloc(sizeof(*pgdat), CACHE_LINE);

	if (!pgdat)
		return -1;
	pgdat->memcg = memblock_alloc(sizeof(*pgdat->memcg), CACHE_LINE);
	if (!pgdat->memcg)
		return -1;
	node_data[node] = pgdat;
	pgdat->node_id = node;
	pgdat->zone.zone_pgdat = pgdat;
	pgdat->memcg->lruvec.pgdat = pgdat;
	for (int lru = 0; lru < NR_LRU_LISTS; lru++)
		INIT_LIST_HEAD(&pgdat->memcg->lruvec.lists[lru]);
	spin_lock_init(&pgdat->lru_lock, "lru_lock", node);
	return init_zone(&pgdat->zone, node, boot);
}

int mm_init(const struct boot_parameters *boot)
{
	unsigned long pages = boot->pages_per_node * (unsigned long)boot->nodes;

	nr_online_nodes = boot->nodes;
	nr_cpu_ids = boot->cpus;
	for (int cpu = 0; cpu < boot->cpus; cpu++)
		cpu_node[cpu] = boot->cpu_node[cpu];
	vm_global = memblock_alloc(sizeof(*vm_global), CACHE_LINE);
	mem_map = memblock_alloc(pages * sizeof(struct page), PAGE_SIZE);
	if (!vm_global || !mem_map)
		return -1;
	for (int node = 0; node < boot->nodes; node++)
		if (init_node(node, boot))
			return -1;
	for (int node = 0; node < boot->nodes; node++)
		for (int i = 0; i < boot->nodes; i++)
			node_data[node]->zonelist[i] = &node_data[(node + i) % boot->nodes]->zone;
	kernel_select(boot->patches);
	return 0;
}

bool deferred_grow_zone(struct zone *zone)
{
	unsigned long start = zone->first_deferred_pfn;

	if (start == zone->zone_start_pfn + zone->managed_pages)
		return false;
	zone->first_deferred_pfn = start + PAGES_PER_SECTION;

	unsigned long node = (unsigned long)zone->zone_pgdat->node_id;

	for (unsigned long pfn = start; pfn < zone->first_deferred_pfn; pfn++) {
		mem_map[pfn].flags = node << NODES_PGSHIFT;
		mem_map[pfn]._mapcount = -1;
	}
	struct free_area *area = &zone->free_area[MAX_ORDER - 1];

	for (unsigned long pfn = start; pfn < zone->first_deferred_pfn;
		pfn += 1UL << (MAX_ORDER - 1)) {
		struct page *page = &mem_map[pfn];

		page->private = MAX_ORDER - 1;
		page->_mapcount = PAGE_BUDDY_MAPCOUNT_VALUE;
		list_add_tail(&page->lru, &area->free_list[MIGRATE_MOVABLE]);
		area->nr_free++;
	}
	return true;
}
