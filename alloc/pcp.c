/* SPDX-License-Identifier: GPL-3.0-or-later */
/* pcp.c - per-CPU pagesets: refill, drain, and the fast paths between. */

#include "pcp.h"

#include "buddy.h"
#include "kernel_ops.h"

#define SWAP_CLUSTER_MAX 32 /* pages freed in one stretch with interrupts off */

static __always_inline struct per_cpu_pages *this_cpu_pages(struct zone *zone)
{
	return &zone->pageset[smp_processor_id()]->pcp;
}

/* ---- refill ---- */

static __always_inline int __rmqueue_bulk(struct zone *zone, unsigned int order, int count,
	struct list_head *list, int migratetype, const bool inlined)
{
	int tried, taken = 0;

	count_vm_events(PCP_REFILL, 1);
	spin_lock(&zone->lock);
	for (tried = 0; tried < count; tried++) {
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

static int rmqueue_bulk_calling(
	struct zone *zone, unsigned int order, int count, struct list_head *list, int migratetype)
{
	return __rmqueue_bulk(zone, order, count, list, migratetype, false);
}

static int rmqueue_bulk_inlined(
	struct zone *zone, unsigned int order, int count, struct list_head *list, int migratetype)
{
	return __rmqueue_bulk(zone, order, count, list, migratetype, true);
}

int (*const rmqueue_bulk_forms[2])(struct zone *, unsigned int, int, struct list_head *, int) = {
	rmqueue_bulk_calling, rmqueue_bulk_inlined};

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
	struct zone *zone, struct page *page, bool isolated_pageblocks)
{
	int migratetype = get_pcppage_migratetype(page);

	if (unlikely(isolated_pageblocks))
		migratetype = get_pfnblock_migratetype(zone, page_to_pfn(page));
	__free_one_page(page, page_to_pfn(page), zone, 0, migratetype);
}

static __always_inline void prefetch_buddy(const struct page *page)
{
	unsigned long pfn = page_to_pfn(page);

	prefetch_nta(page + ((long)(pfn ^ 1) - (long)pfn));
}

/* Before commit 0a5f4e5b4562: the lock is held while pages are chosen. */
static __always_inline void drain_picking_inside(
	struct zone *zone, int count, struct per_cpu_pages *pcp)
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
			free_picked_page(zone, page, isolated_pageblocks);
	}
	spin_unlock(&zone->lock);
}

/* Since: chosen pages wait on a private list, and the lock is held only to merge them. */
static __always_inline void drain_picking_outside(
	struct zone *zone, int count, struct per_cpu_pages *pcp, const bool prefetch)
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
		free_picked_page(zone, container_of(at, struct page, lru), isolated_pageblocks);
	}
	spin_unlock(&zone->lock);
}

static __always_inline void __free_pcppages_bulk(struct zone *zone, int count,
	struct per_cpu_pages *pcp, const bool pick_outside, const bool prefetch)
{
	count_vm_events(PCP_DRAIN, 1);
	pcp->count -= count;
	if (pick_outside)
		drain_picking_outside(zone, count, pcp, prefetch);
	else
		drain_picking_inside(zone, count, pcp);
}

static void free_pcppages_bulk_inside(struct zone *zone, int count, struct per_cpu_pages *pcp)
{
	__free_pcppages_bulk(zone, count, pcp, false, false);
}

static void free_pcppages_bulk_outside(struct zone *zone, int count, struct per_cpu_pages *pcp)
{
	__free_pcppages_bulk(zone, count, pcp, true, false);
}

static void free_pcppages_bulk_prefetching(struct zone *zone, int count, struct per_cpu_pages *pcp)
{
	__free_pcppages_bulk(zone, count, pcp, true, true);
}

void (*const free_pcppages_bulk_forms[4])(struct zone *, int, struct per_cpu_pages *) = {
	free_pcppages_bulk_inside, free_pcppages_bulk_outside,
	NULL /* prefetch-buddy needs pick-outside-lock */, free_pcppages_bulk_prefetching};

void drain_local_pages(struct zone *zone)
{
	unsigned long flags = local_irq_save();
	struct per_cpu_pages *pcp = this_cpu_pages(zone);

	if (pcp->count)
		kernel.free_pcppages_bulk(zone, pcp->count, pcp);
	local_irq_restore(flags);
}

/* ---- fast paths ---- */

struct page *rmqueue_pcplist(struct zone *zone, int migratetype)
{
	unsigned long flags = local_irq_save();
	struct per_cpu_pages *pcp = this_cpu_pages(zone);
	struct list_head *list = &pcp->lists[migratetype];
	struct page *page = NULL;

	if (list_empty(list))
		pcp->count += kernel.rmqueue_bulk(zone, 0, pcp->batch, list, migratetype);
	if (likely(!list_empty(list))) {
		page = list_first_entry(list, struct page, lru);
		list_del(&page->lru);
		pcp->count--;
		count_vm_events(PGALLOC, 1);
	}
	local_irq_restore(flags);
	return page;
}

/* Make the page fit for the free lists and remember its type while no lock is held. */
static __always_inline void free_unref_page_prepare(struct page *page)
{
	page->mapping = NULL;
	page->flags &= ~PAGE_FLAGS_CHECK;
	set_pcppage_migratetype(page, get_pfnblock_migratetype(page_zone(page), page_to_pfn(page)));
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

void free_unref_page(struct page *page)
{
	free_unref_page_prepare(page);

	unsigned long flags = local_irq_save();

	free_unref_page_commit(page);
	local_irq_restore(flags);
}

void free_unref_page_list(struct list_head *list)
{
	struct list_head *at, *next;
	int stretch = 0;

	list_for_each (at, list)
		free_unref_page_prepare(container_of(at, struct page, lru));

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
