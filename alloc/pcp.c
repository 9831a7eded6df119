/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * pcp.c - per-CPU pagesets of single pages, before v5.14: refill, drain, and the fast paths
 * between. The refill serves later pagesets, too.
 */

#include "pcp.h"

#include "bulk.h"
#include "buddy.h"
#include "cluster.h"
#include "kernel_ops.h"

#define SWAP_CLUSTER_MAX 32 /* pages freed in one stretch with interrupts off */

static __always_inline struct per_cpu_pages *this_cpu_pages(struct zone *zone)
{
	return &zone->pageset[smp_processor_id()]->pcp;
}

/* ---- refill ---- */

/* The page that is taken next, alone, leaves its run. */
static __always_inline void forget_first_cluster(struct zone *zone, int migratetype)
{
	struct list_head *list = &zone->free_area[0].free_list[migratetype];
	struct page *page = list_first_entry(list, struct page, lru);

	if (!list_empty(list) && page_cluster(page))
		cluster_forget(zone, page);
}

static __always_inline int __rmqueue_bulk(struct zone *zone, unsigned int order, int count,
	struct list_head *list, int migratetype, const bool inlined, const bool clusters)
{
	int tried, taken = 0;

	count_vm_events(PCP_REFILL, 1);
	spin_lock(&zone->lock);
	if (clusters) {
		/* fewer than asked for, if it is so: one piece makes the shortest hold */
		taken = cluster_take(zone, count, list, migratetype);
		if (likely(taken)) {
			spin_unlock(&zone->lock);
			return cluster_take_finish(zone, taken, list, migratetype);
		}
	}
	for (tried = 0; tried < count; tried++) {
		if (clusters)
			forget_first_cluster(zone, migratetype);
		struct page *page = inlined ? __rmqueue_inlined(zone, order, migratetype)
					    : __rmqueue(zone, order, migratetype);

		if (unlikely(!page))
			break;
		if (unlikely(!page_expected_state(page))) {
			bad_page(page);
			continue;
		}
		/* ascending addresses stay ascending: the page goes behind the one before */
		list_add_tail(&page->lru, list);
		taken++;
	}
	/* bad pages have left the free lists, too */
	__mod_zone_page_state(zone, NR_FREE_PAGES, -((long)tried << order));
	spin_unlock(&zone->lock);
	return taken;
}

#define RMQUEUE_BULK(name, inlined, clusters)                                                      \
	static int rmqueue_bulk_##name(struct zone *zone, unsigned int order, int count,           \
		struct list_head *list, int migratetype)                                           \
	{                                                                                          \
		return __rmqueue_bulk(zone, order, count, list, migratetype, inlined, clusters);   \
	}

RMQUEUE_BULK(calling, false, false)
RMQUEUE_BULK(inlined, true, false)
RMQUEUE_BULK(calling_clusters, false, true)
RMQUEUE_BULK(inlined_clusters, true, true)

int (*const rmqueue_bulk_forms[4])(struct zone *, unsigned int, int, struct list_head *, int) = {
	rmqueue_bulk_calling, rmqueue_bulk_inlined, rmqueue_bulk_calling_clusters,
	rmqueue_bulk_inlined_clusters};

/* ---- drain ---- */

/*
 * Which pages a drain takes: turn by turn from the lists, the more at a turn the more lists were
 * met empty, so that full lists give more.
 */
struct drain_turns {
	int migratetype;
	int run; /* pages left to take from this list at this turn */
};

static __always_inline struct page *pick_page(
	struct per_cpu_pages *pcp, struct drain_turns *turns, int left)
{
	if (turns->run == 0) {
		do {
			turns->run++;
			if (++turns->migratetype == MIGRATE_PCPTYPES)
				turns->migratetype = 0;
		} while (list_empty(&pcp->lists[turns->migratetype]));
		/* the only list that is not empty gives all that is left */
		if (turns->run == MIGRATE_PCPTYPES)
			turns->run = left;
	}
	struct page *page = list_last_entry(&pcp->lists[turns->migratetype], struct page, lru);

	/* the oldest page: it is the coldest */
	list_del(&page->lru);
	turns->run--;
	if (list_empty(&pcp->lists[turns->migratetype]))
		turns->run = 0;
	return page;
}

static __always_inline void free_picked_page(
	struct zone *zone, struct page *page, bool isolated_pageblocks, const bool merge)
{
	int migratetype = get_pcppage_migratetype(page);

	if (unlikely(isolated_pageblocks))
		migratetype = get_pfnblock_migratetype(zone, page_to_pfn(page));
	if (merge)
		__free_one_page(page, page_to_pfn(page), zone, 0, migratetype);
	else
		free_one_page_unmerged(page, zone, migratetype);
}

static __always_inline void prefetch_buddy(const struct page *page)
{
	unsigned long pfn = page_to_pfn(page);

	prefetch_nta(page + ((long)(pfn ^ 1) - (long)pfn));
}

/* Before commit 0a5f4e5b4562: the lock is held while pages are chosen. */
static __always_inline void drain_picking_inside(
	struct zone *zone, int count, struct per_cpu_pages *pcp, const bool merge)
{
	struct drain_turns turns = {0, 0};

	spin_lock(&zone->lock);
	bool isolated_pageblocks = zone->nr_isolate_pageblock;

	while (count) {
		struct page *page = pick_page(pcp, &turns, count);

		count--;
		if (unlikely(!page_expected_state(page)))
			bad_page(page);
		else
			free_picked_page(zone, page, isolated_pageblocks, merge);
	}
	spin_unlock(&zone->lock);
}

/* Since: chosen pages wait on a private list, and the lock is held only to merge them. */
static __always_inline void drain_picking_outside(struct zone *zone, int count,
	struct per_cpu_pages *pcp, const bool prefetch, const bool merge)
{
	struct drain_turns turns = {0, 0};
	struct list_head picked;
	int prefetched = 0;

	INIT_LIST_HEAD(&picked);
	while (count) {
		struct page *page = pick_page(pcp, &turns, count);

		count--;
		if (unlikely(!page_expected_state(page))) {
			bad_page(page);
			continue;
		}
		list_add_tail(&page->lru, &picked);
		if (prefetch && prefetched++ < pcp->batch)
			prefetch_buddy(page);
	}
	spin_lock(&zone->lock);
	bool isolated_pageblocks = zone->nr_isolate_pageblock;
	struct list_head *next;

	for (struct list_head *at = picked.next; at != &picked; at = next) {
		next = at->next;
		free_picked_page(
			zone, container_of(at, struct page, lru), isolated_pageblocks, merge);
	}
	spin_unlock(&zone->lock);
}

/*
 * With cluster-alloc: a batch of one type goes back in one piece, all else page by page, each to
 * the run that it meets there. The record for the piece is there before the lock is taken.
 */
static void free_pcppages_bulk_clusters(struct zone *zone, int count, struct per_cpu_pages *pcp)
{
	struct per_cpu_pageset *pset = container_of(pcp, struct per_cpu_pageset, pcp);
	struct drain_turns turns = {0, 0};
	struct list_head picked, *next;
	struct cluster *c = pset->spare_cluster;
	int good = 0, migratetype = -1;
	bool alike = c && count == pcp->batch;

	count_vm_events(PCP_DRAIN, 1);
	pcp->count -= count;
	INIT_LIST_HEAD(&picked);
	while (count) {
		struct page *page = pick_page(pcp, &turns, count);

		count--;
		if (unlikely(!page_expected_state(page))) {
			bad_page(page);
			continue;
		}
		list_add_tail(&page->lru, &picked);
		alike &= migratetype < 0 || migratetype == get_pcppage_migratetype(page);
		migratetype = get_pcppage_migratetype(page);
		good++;
	}
	if (unlikely(!good))
		return;
	alike = alike && good == pcp->batch && !zone->nr_isolate_pageblock;
	if (alike) {
		*c = (struct cluster){list_last_entry(&picked, struct page, lru), good};
		cluster_mark(&picked, c);
		pset->spare_cluster = NULL;
	}
	spin_lock(&zone->lock);
	if (alike)
		cluster_insert(zone, &picked, good, migratetype);
	for (struct list_head *at = picked.next; !alike && at != &picked; at = next) {
		struct page *page = container_of(at, struct page, lru);

		next = at->next;
		migratetype = get_pcppage_migratetype(page);
		free_picked_page(zone, page, zone->nr_isolate_pageblock, false);
		cluster_join(zone, page, &zone->free_area[0].free_list[migratetype]);
	}
	if (!pset->spare_cluster)
		pset->spare_cluster = cluster_get(zone);
	spin_unlock(&zone->lock);
}

static __always_inline void __free_pcppages_bulk(struct zone *zone, int count,
	struct per_cpu_pages *pcp, const bool pick_outside, const bool prefetch, const bool merge)
{
	count_vm_events(PCP_DRAIN, 1);
	pcp->count -= count;
	if (pick_outside)
		drain_picking_outside(zone, count, pcp, prefetch, merge);
	else
		drain_picking_inside(zone, count, pcp, merge);
}

#define FREE_PCPPAGES_BULK(name, pick_outside, prefetch, merge)                                    \
	static void free_pcppages_bulk_##name(                                                     \
		struct zone *zone, int count, struct per_cpu_pages *pcp)                           \
	{                                                                                          \
		__free_pcppages_bulk(zone, count, pcp, pick_outside, prefetch, merge);             \
	}

FREE_PCPPAGES_BULK(inside, false, false, true)
FREE_PCPPAGES_BULK(outside, true, false, true)
FREE_PCPPAGES_BULK(prefetching, true, true, true)
FREE_PCPPAGES_BULK(inside_unmerged, false, false, false)
FREE_PCPPAGES_BULK(outside_unmerged, true, false, false)

void (*const free_pcppages_bulk_forms[7])(struct zone *, int, struct per_cpu_pages *) = {
	free_pcppages_bulk_inside, free_pcppages_bulk_outside,
	NULL /* prefetch-buddy needs pick-outside-lock */, free_pcppages_bulk_prefetching,
	free_pcppages_bulk_inside_unmerged, free_pcppages_bulk_outside_unmerged,
	free_pcppages_bulk_clusters};

/* Before pcp-spinlock only its own CPU may touch a pageset. */
static bool drain_cpu(struct zone *zone, int cpu)
{
	if (cpu != smp_processor_id())
		return false;
	unsigned long flags = local_irq_save();
	struct per_cpu_pages *pcp = this_cpu_pages(zone);

	if (pcp->count)
		kernel.free_pcppages_bulk(zone, pcp->count, pcp);
	local_irq_restore(flags);
	return true;
}

/* ---- fast paths ---- */

/* One page off @list, refilled when it is empty. The caller has interrupts off. */
static __always_inline struct page *rmqueue_pcplist_body(
	struct zone *zone, int migratetype, struct per_cpu_pages *pcp, struct list_head *list)
{
	if (list_empty(list)) {
		pcp->count += kernel.rmqueue_bulk(zone, 0, pcp->batch, list, migratetype);
		if (unlikely(list_empty(list)))
			return NULL;
	}
	struct page *page = list_first_entry(list, struct page, lru);

	list_del(&page->lru);
	pcp->count--;
	return page;
}

/* With two callers, and not told to, a compiler does not inline it. */
static noinline struct page *__rmqueue_pcplist(
	struct zone *zone, int migratetype, struct per_cpu_pages *pcp, struct list_head *list)
{
	return rmqueue_pcplist_body(zone, migratetype, pcp, list);
}

static __always_inline struct page *pick_from(struct zone *zone, int migratetype,
	struct per_cpu_pages *pcp, struct list_head *list, const bool inlined)
{
	return inlined ? rmqueue_pcplist_body(zone, migratetype, pcp, list)
		       : __rmqueue_pcplist(zone, migratetype, pcp, list);
}

static __always_inline struct page *take(struct zone *zone, int migratetype, const bool inlined)
{
	unsigned long flags = local_irq_save();
	struct per_cpu_pages *pcp = this_cpu_pages(zone);
	struct page *page = pick_from(zone, migratetype, pcp, &pcp->lists[migratetype], inlined);

	if (likely(page))
		count_vm_events(PGALLOC, 1);
	local_irq_restore(flags);
	return page;
}

static __always_inline unsigned long take_bulk(
	struct zone *zone, int migratetype, struct bulk_request *request, const bool inlined)
{
	unsigned long flags = local_irq_save(), taken = 0;
	struct per_cpu_pages *pcp = this_cpu_pages(zone);
	struct list_head *list = &pcp->lists[migratetype];

	while (bulk_wants(request)) {
		struct page *page = pick_from(zone, migratetype, pcp, list, inlined);

		if (unlikely(!page))
			break;
		taken++;
		bulk_give(request, page);
	}
	count_vm_events(PGALLOC, taken);
	local_irq_restore(flags);
	return taken;
}

static struct page *take_calling(struct zone *zone, unsigned int order, int migratetype)
{
	(void)order; /* only single pages come here */
	return take(zone, migratetype, false);
}

static struct page *take_inlined(struct zone *zone, unsigned int order, int migratetype)
{
	(void)order;
	return take(zone, migratetype, true);
}

static unsigned long take_bulk_calling(
	struct zone *zone, int migratetype, struct bulk_request *request)
{
	return take_bulk(zone, migratetype, request, false);
}

static unsigned long take_bulk_inlined(
	struct zone *zone, int migratetype, struct bulk_request *request)
{
	return take_bulk(zone, migratetype, request, true);
}

static __always_inline void free_unref_page_commit(struct page *page)
{
	struct zone *zone = page_zone(page);
	int migratetype = get_pcppage_migratetype(page);

	count_vm_events(PGFREE, 1);
	if (unlikely(migratetype >= MIGRATE_PCPTYPES)) {
		if (migratetype == MIGRATE_ISOLATE) {
			spin_lock(&zone->lock);
			__free_one_page(page, page_to_pfn(page), zone, 0, migratetype);
			spin_unlock(&zone->lock);
			return;
		}
		migratetype = MIGRATE_MOVABLE;
	}
	struct per_cpu_pages *pcp = this_cpu_pages(zone);

	list_add(&page->lru, &pcp->lists[migratetype]);
	pcp->count++;
	if (pcp->count >= pcp->high)
		kernel.free_pcppages_bulk(zone, pcp->batch, pcp);
}

static void give(struct page *page, unsigned int order)
{
	(void)order;
	free_pages_prepare(page, 0);

	unsigned long flags = local_irq_save();

	free_unref_page_commit(page);
	local_irq_restore(flags);
}

static void give_list(struct list_head *list)
{
	struct list_head *at, *next;
	int stretch = 0;

	list_for_each (at, list)
		free_pages_prepare(container_of(at, struct page, lru), 0);

	unsigned long flags = local_irq_save();

	for (at = list->next; at != list; at = next) {
		next = at->next;
		free_unref_page_commit(container_of(at, struct page, lru));
		if (++stretch == SWAP_CLUSTER_MAX) {
			local_irq_restore(flags);
			stretch = 0;
			flags = local_irq_save();
		}
	}
	local_irq_restore(flags);
}

static const struct pcp_ops calling = {take_calling, take_bulk_calling, give, give_list, drain_cpu};
static const struct pcp_ops inlined = {take_inlined, take_bulk_inlined, give, give_list, drain_cpu};

const struct pcp_ops *pcp_ops(patch_set set)
{
	/* with one caller only, the compiler has always inlined it */
	bool calls = (set & PATCH_BIT(PATCH_BULK_ALLOC)) &&
		     !(set & PATCH_BIT(PATCH_INLINE_RMQUEUE_PCPLIST));

	return calls ? &calling : &inlined;
}

/* ---- whichever kernel ---- */

void free_unref_page(struct page *page)
{
	kernel.pcp.give(page, 0);
}

void free_unref_page_list(struct list_head *list)
{
	kernel.pcp.give_list(list);
}

bool drain_remote_pages(struct zone *zone, int cpu)
{
	return kernel.pcp.drain(zone, cpu);
}

void drain_local_pages(struct zone *zone)
{
	(void)kernel.pcp.drain(zone, smp_processor_id());
}
