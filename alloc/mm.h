/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * mm.h - pages, zones, nodes and per-CPU pagesets.
 *
 * Names and layouts follow the kernel's (x86-64, v4.15 unless said), because which fields share a
 * cache line decides what a lock holder waits for.
 */
#ifndef ZONESIM_ALLOC_MM_H
#define ZONESIM_ALLOC_MM_H

#include <stdint.h>

#include "kernel.h"
#include "list.h"
#include "port.h"

#define PAGE_SHIFT 12
#define PAGE_SIZE (1UL << PAGE_SHIFT)
#define MAX_ORDER 11 /* orders 0..10: up to 4 MiB */
#define PAGEBLOCK_ORDER 9
#define PAGEBLOCK_NR_PAGES (1UL << PAGEBLOCK_ORDER)
#define PAGES_PER_SECTION 32768UL /* 128 MiB: the unit in which memory is brought up */
#define CACHE_LINE 64
#define MAX_NUMNODES 8
#define NR_CPUS 1024

#define __cacheline_aligned __attribute__((aligned(CACHE_LINE)))

enum migratetype {
	MIGRATE_UNMOVABLE,
	MIGRATE_MOVABLE,
	MIGRATE_RECLAIMABLE,
	MIGRATE_PCPTYPES, /* the first three have per-CPU lists */
	MIGRATE_HIGHATOMIC = MIGRATE_PCPTYPES,
	MIGRATE_ISOLATE,
	MIGRATE_TYPES
};

/* Bits of page->flags. */
enum pageflags {
	PG_lru,
	PG_active,
	PG_swapbacked,
	PG_unevictable,
	PG_uptodate,
	PG_locked,
	PG_mlocked
};
#define PAGE_FLAGS_CHECK ((1UL << PG_lru) | (1UL << PG_active) | (1UL << PG_unevictable))
#define NODES_PGSHIFT 56 /* the node number stands in the top byte */

#define PAGE_BUDDY_MAPCOUNT_VALUE (-128) /* page->_mapcount of the head of a free block */

struct page {
	unsigned long flags;
	struct list_head lru; /* of a free list, a pageset list or the LRU */
	void *mapping;
	unsigned long index;   /* page offset; migratetype while on a pageset list */
	unsigned long private; /* order while the head of a free block */
	int _mapcount;
	int _refcount;
	void *mem_cgroup;
} __cacheline_aligned;
_Static_assert(sizeof(struct page) == 64, "struct page is one cache line");

struct free_area {
	struct list_head free_list[MIGRATE_TYPES];
	unsigned long nr_free;
};
_Static_assert(sizeof(struct free_area) == 88, "as in the published layout");

/* Order-0 pages that one CPU keeps for one zone. */
struct per_cpu_pages {
	int count; /* pages on all lists together */
	int high;  /* at or above it a batch is drained */
	int batch; /* pages per refill and per drain */
	struct list_head lists[MIGRATE_PCPTYPES];
};
_Static_assert(sizeof(struct per_cpu_pages) == 64, "as in the published layout");

#define PAGE_ALLOC_COSTLY_ORDER 3 /* the largest order that pagesets keep, huge pages apart */
#define NR_LOWORDER_PCP_LISTS (MIGRATE_PCPTYPES * (PAGE_ALLOC_COSTLY_ORDER + 1))
#define NR_PCP_LISTS (NR_LOWORDER_PCP_LISTS + 1) /* the last one for huge pages */

/* Bits of per_cpu_order_pages.flags. */
#define PCPF_PREV_FREE_HIGH_ORDER 1u /* the last free was of order 1 to 3 */
#define PCPF_FREE_HIGH_BATCH 2u	     /* the CPU's share of the cache is large */

/*
 * The same since v5.14, for blocks of several orders; as v6.7 lays it out, with high_min and
 * high_max equal to high and the lock unused in kernels that have them not. Counts are in pages.
 */
struct per_cpu_order_pages {
	spinlock_t lock;
	int count, high, high_min, high_max, batch;
	uint8_t flags;
	uint8_t alloc_factor; /* refills are batch << this */
	uint8_t expire;	      /* of a remote node's pageset; unused here */
	/* before pcp-auto-tune how often drains have doubled, since then pages freed in a row */
	short free_count;
	struct list_head lists[NR_PCP_LISTS];
} __cacheline_aligned;
_Static_assert(sizeof(struct per_cpu_order_pages) == 256, "as in the published layout");
_Static_assert(offsetof(struct per_cpu_order_pages, lists) == 32, "as in the published layout");

enum lru_list {
	LRU_INACTIVE_ANON,
	LRU_ACTIVE_ANON,
	LRU_INACTIVE_FILE,
	LRU_ACTIVE_FILE,
	LRU_UNEVICTABLE,
	NR_LRU_LISTS
};

enum zone_stat_item {
	NR_FREE_PAGES,
	NR_ZONE_LRU_BASE,
	NR_VM_ZONE_STAT_ITEMS = NR_ZONE_LRU_BASE + NR_LRU_LISTS
};
enum node_stat_item {
	NR_LRU_BASE,
	NR_ANON_MAPPED = NR_LRU_BASE + NR_LRU_LISTS,
	NR_FILE_MAPPED,
	NR_VM_NODE_STAT_ITEMS
};

struct per_cpu_pageset {
	struct per_cpu_pages pcp;
	int8_t stat_threshold;
	int8_t vm_stat_diff[NR_VM_ZONE_STAT_ITEMS];
	struct cluster *spare_cluster; /* of patch cluster-alloc: for the next drain */
} __cacheline_aligned;

struct per_cpu_nodestat {
	int8_t stat_threshold;
	int8_t vm_node_stat_diff[NR_VM_NODE_STAT_ITEMS];
} __cacheline_aligned;

enum zone_watermarks { WMARK_MIN, WMARK_LOW, WMARK_HIGH, NR_WMARK };

struct zone {
	/* read-mostly */
	unsigned long watermark[NR_WMARK];
	struct pglist_data *zone_pgdat;
	struct per_cpu_pageset *pageset[NR_CPUS];
	struct per_cpu_order_pages
		*per_cpu_pages[NR_CPUS]; /* instead of pageset's pcp since v5.14 */
	unsigned long *pageblock_flags;	 /* four bits a pageblock */
	unsigned long zone_start_pfn, managed_pages;
	unsigned long nr_isolate_pageblock;
	unsigned long first_deferred_pfn; /* from here on memory is not brought up yet */

	/* written by the allocator under the lock */
	struct free_area free_area[MAX_ORDER] __cacheline_aligned;
	unsigned long flags;
	spinlock_t lock; /* shares a line with flags and the end of free_area[10] */

	/* counters, written by atomics */
	long vm_stat[NR_VM_ZONE_STAT_ITEMS] __cacheline_aligned;

	/* of patch cluster-alloc, under the lock */
	struct cluster *unused_clusters __cacheline_aligned;
	struct cluster *fresh_clusters, *end_of_clusters;
	int cluster_length;	  /* pages that a run has at most: the batch */
	long cluster_in_progress; /* runs whose pages still look free; atomic */
} __cacheline_aligned;

struct zone_reclaim_stat {
	unsigned long recent_rotated[2], recent_scanned[2];
};

struct lruvec {
	struct list_head lists[NR_LRU_LISTS];
	struct zone_reclaim_stat reclaim_stat;
	struct pglist_data *pgdat;
};

/* The root memory cgroup's part of a node: its LRU lists and their lengths. */
struct mem_cgroup_per_node {
	struct lruvec lruvec;
	unsigned long lru_size[NR_LRU_LISTS];
};

struct pglist_data {
	int node_id;
	struct mem_cgroup_per_node *memcg;
	struct per_cpu_nodestat *per_cpu_nodestats[NR_CPUS];
	struct zone *zonelist[MAX_NUMNODES + 1]; /* nearest first, ends with NULL */
	struct zone zone;			 /* ZONE_NORMAL: the one that serves */
	spinlock_t lru_lock __cacheline_aligned;
	long vm_stat[NR_VM_NODE_STAT_ITEMS] __cacheline_aligned;
} __cacheline_aligned;

/* Every struct page of the machine, by page frame number. */
extern struct page *mem_map;
extern struct pglist_data *node_data[MAX_NUMNODES];
extern int nr_online_nodes;
extern int nr_cpu_ids;
extern int cpu_node[NR_CPUS]; /* the node of each CPU */

/* Machine-wide sums of the zones' and nodes' counters. */
extern struct vm_global_stat {
	long zone[NR_VM_ZONE_STAT_ITEMS] __cacheline_aligned;
	long node[NR_VM_NODE_STAT_ITEMS] __cacheline_aligned;
} * vm_global;

static __always_inline unsigned long page_to_pfn(const struct page *page)
{
	return (unsigned long)(page - mem_map);
}

static __always_inline struct page *pfn_to_page(unsigned long pfn)
{
	return mem_map + pfn;
}

static __always_inline int page_to_nid(const struct page *page)
{
	return (int)(page->flags >> NODES_PGSHIFT);
}

static __always_inline struct pglist_data *page_pgdat(const struct page *page)
{
	return node_data[page_to_nid(page)];
}

static __always_inline struct zone *page_zone(const struct page *page)
{
	return &page_pgdat(page)->zone;
}

/*
 * Also asked, under the zone lock, of pages that are in use and being mapped meanwhile: the answer
 * is no then, whatever their count is just now.
 */
static __always_inline bool PageBuddy(const struct page *page)
{
	return __atomic_load_n(&page->_mapcount, __ATOMIC_RELAXED) == PAGE_BUDDY_MAPCOUNT_VALUE;
}

static __always_inline bool page_flag(const struct page *page, enum pageflags bit)
{
	return page->flags >> bit & 1;
}

/*
 * Does the page look as a page without users must? The allocator looks at every page that passes
 * between a pageset and buddy.
 */
static __always_inline bool page_expected_state(const struct page *page)
{
	unsigned long users = (unsigned long)page->mapping | (unsigned long)page->mem_cgroup |
			      (unsigned long)page->_refcount | (page->flags & PAGE_FLAGS_CHECK);

	/* one branch for all that should be zero, as the kernel has it */
	return likely(page->_mapcount == -1 && !users);
}

/* What is left of a page that failed the check: it leaks, and the event is counted. */
void bad_page(struct page *page);

/* The order of a free block; meaningful under the zone lock only. */
static __always_inline unsigned int page_order(const struct page *page)
{
	return (unsigned int)page->private;
}

/* While a page is on a pageset list its migratetype is kept in page->index. */
static __always_inline int get_pcppage_migratetype(const struct page *page)
{
	return (int)page->index;
}

static __always_inline void set_pcppage_migratetype(struct page *page, int migratetype)
{
	page->index = (unsigned long)migratetype;
}

/* The migratetype of the pageblock that @pfn is in; safe without a lock, may be stale. */
static __always_inline int get_pfnblock_migratetype(const struct zone *zone, unsigned long pfn)
{
	unsigned long block = (pfn - zone->zone_start_pfn) >> PAGEBLOCK_ORDER;

	unsigned long word = __atomic_load_n(&zone->pageblock_flags[block / 16], __ATOMIC_RELAXED);

	return (int)(word >> (block % 16 * 4) & 7);
}

#endif
