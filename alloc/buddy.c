/* SPDX-License-Identifier: GPL-3.0-or-later */
/* buddy.c - the parts of the buddy allocator that are not inlined into their callers. */

#include "boot.h"
#include "buddy.h"
#include "cluster.h"

struct page *__rmqueue(struct zone *zone, unsigned int order, int migratetype)
{
	return __rmqueue_inlined(zone, order, migratetype);
}

void bad_page(struct page *page)
{
	count_vm_events(BAD_PAGE, 1);
	page->_mapcount = -1;
}

/* ---- giving back ---- */

/* Is @buddy the head of a free block of @order in @page's zone? */
static __always_inline bool page_is_buddy(
	const struct page *page, const struct page *buddy, unsigned int order)
{
	return PageBuddy(buddy) && page_order(buddy) == order &&
	       page_to_nid(page) == page_to_nid(buddy);
}

/*
 * Will the block probably merge again soon? Then its place is the tail, so that it is handed out
 * late. True when the buddy of the block one order up is free already.
 */
static __always_inline bool buddy_merge_likely(
	const struct page *page, unsigned long pfn, unsigned int order)
{
	if (order >= MAX_ORDER - 2)
		return false;

	unsigned long buddy_pfn = pfn ^ (1UL << order);
	unsigned long higher_pfn = pfn & buddy_pfn;
	unsigned long higher_buddy_pfn = higher_pfn ^ (1UL << (order + 1));
	const struct page *higher = page + (long)(higher_pfn - pfn);
	const struct page *higher_buddy = higher + (long)(higher_buddy_pfn - higher_pfn);

	return page_is_buddy(higher, higher_buddy, order + 1);
}

/* Past a pageblock, blocks with an isolated side must stay apart. */
static bool may_merge_pageblocks(struct zone *zone, unsigned long pfn, unsigned long buddy_pfn)
{
	if (likely(!zone->nr_isolate_pageblock))
		return true;
	return get_pfnblock_migratetype(zone, pfn) != MIGRATE_ISOLATE &&
	       get_pfnblock_migratetype(zone, buddy_pfn) != MIGRATE_ISOLATE;
}

void __free_one_page(struct page *page, unsigned long pfn, struct zone *zone, unsigned int order,
	int migratetype)
{
	if (likely(migratetype != MIGRATE_ISOLATE))
		__mod_zone_page_state(zone, NR_FREE_PAGES, 1L << order);

	while (order < MAX_ORDER - 1) {
		unsigned long buddy_pfn = pfn ^ (1UL << order);
		struct page *buddy = page + (long)(buddy_pfn - pfn);

		if (!page_is_buddy(page, buddy, order))
			break;
		if (unlikely(order >= PAGEBLOCK_ORDER) &&
			!may_merge_pageblocks(zone, pfn, buddy_pfn))
			break;
		del_page_from_free_area(buddy, &zone->free_area[order]);
		unsigned long merged_pfn = buddy_pfn & pfn;

		page += (long)(merged_pfn - pfn);
		pfn = merged_pfn;
		order++;
		count_vm_events(BUDDY_MERGE, 1);
	}

	struct free_area *area = &zone->free_area[order];
	struct list_head *list = &area->free_list[migratetype];

	page->private = order;
	page->_mapcount = PAGE_BUDDY_MAPCOUNT_VALUE;
	if (buddy_merge_likely(page, pfn, order)) {
		list_add_tail(&page->lru, list);
		count_vm_events(BUDDY_TAIL, 1);
	} else {
		list_add(&page->lru, list);
	}
	area->nr_free++;
}

/* ---- falling back to another migratetype ---- */

static const int fallbacks[MIGRATE_PCPTYPES][2] = {
	[MIGRATE_UNMOVABLE] = {MIGRATE_RECLAIMABLE, MIGRATE_MOVABLE},
	[MIGRATE_MOVABLE] = {MIGRATE_RECLAIMABLE, MIGRATE_UNMOVABLE},
	[MIGRATE_RECLAIMABLE] = {MIGRATE_UNMOVABLE, MIGRATE_MOVABLE},
};

/* May the rest of the pageblock be taken along with a block of @order? */
static bool can_steal_fallback(unsigned int order, int migratetype)
{
	return order >= PAGEBLOCK_ORDER / 2 || migratetype != MIGRATE_MOVABLE;
}

/* The fallback type that has a block in @area, or -1. */
static int find_suitable_fallback(const struct free_area *area, int migratetype)
{
	for (int i = 0; i < 2; i++)
		if (!list_empty(&area->free_list[fallbacks[migratetype][i]]))
			return fallbacks[migratetype][i];
	return -1;
}

static void set_pageblock_migratetype(struct zone *zone, unsigned long pfn, int migratetype)
{
	unsigned long block = (pfn - zone->zone_start_pfn) >> PAGEBLOCK_ORDER;
	unsigned long *word = &zone->pageblock_flags[block / 16];
	unsigned int shift = block % 16 * 4;

	/* labels are read without the lock */
	__atomic_store_n(word, (*word & ~(15UL << shift)) | (unsigned long)migratetype << shift,
		__ATOMIC_RELAXED);
}

/* Could the page, which is in use, be moved elsewhere? Its user may be changing that. */
static __always_inline bool page_looks_movable(const struct page *page)
{
	return page_flag(page, PG_lru);
}

/* A free block changes to the lists of @migratetype. */
static void move_block(struct zone *zone, struct page *page, unsigned int order, int migratetype)
{
	if (page_cluster(page))
		cluster_forget(zone, page);
	list_move(&page->lru, &zone->free_area[order].free_list[migratetype]);
}

/*
 * Move the free blocks of the pageblock around @pfn to @migratetype's lists. Returns the pages
 * moved;
 * @movable: how many of the others could be moved elsewhere.
 */
static unsigned long move_freepages_block(
	struct zone *zone, unsigned long pfn, int migratetype, unsigned long *movable)
{
	unsigned long start = pfn & ~(PAGEBLOCK_NR_PAGES - 1);
	unsigned long moved = 0;

	*movable = 0;
	for (unsigned long at = start; at < start + PAGEBLOCK_NR_PAGES;) {
		struct page *page = pfn_to_page(at);

		if (!PageBuddy(page)) {
			*movable += page_looks_movable(page);
			at++;
			continue;
		}
		unsigned int order = page_order(page);

		move_block(zone, page, order, migratetype);
		at += 1UL << order;
		moved += 1UL << order;
	}
	return moved;
}

/*
 * Move all free blocks of the pageblock, and its label too when at least half of its pages are free
 * or in use by what would be at home in it then.
 */
static void steal_pageblock(struct zone *zone, unsigned long pfn, int migratetype)
{
	int old_type = get_pfnblock_migratetype(zone, pfn);
	unsigned long movable, alike = 0;
	unsigned long moved = move_freepages_block(zone, pfn, migratetype, &movable);

	if (migratetype == MIGRATE_MOVABLE)
		alike = movable;
	else if (old_type == MIGRATE_MOVABLE)
		alike = PAGEBLOCK_NR_PAGES - moved - movable;
	if (moved + alike >= PAGEBLOCK_NR_PAGES / 2)
		set_pageblock_migratetype(zone, pfn, migratetype);
}

/* Take the block @page of @order over to @migratetype, with its pageblock when that is allowed. */
static void steal_suitable_fallback(
	struct zone *zone, struct page *page, unsigned int order, int migratetype, bool whole_block)
{
	unsigned long pfn = page_to_pfn(page);

	/* pages of a run that is being taken look free, but are on no free list any more */
	if (order < PAGEBLOCK_ORDER && whole_block &&
		!__atomic_load_n(&zone->cluster_in_progress, __ATOMIC_SEQ_CST)) {
		steal_pageblock(zone, pfn, migratetype);
		return;
	}
	if (order >= PAGEBLOCK_ORDER)
		for (unsigned long at = 0; at < 1UL << order; at += PAGEBLOCK_NR_PAGES)
			set_pageblock_migratetype(zone, pfn + at, migratetype);
	move_block(zone, page, order, migratetype);
}

bool noinline __rmqueue_fallback(struct zone *zone, unsigned int order, int migratetype)
{
	if (list_empty(&zone->free_area[MAX_ORDER - 1].free_list[MIGRATE_MOVABLE]) &&
		deferred_grow_zone(zone) && migratetype == MIGRATE_MOVABLE)
		return true;

	unsigned int current = MAX_ORDER;
	int from = -1;

	while (from < 0 && current > order)
		from = find_suitable_fallback(&zone->free_area[--current], migratetype);
	if (from < 0)
		return false;

	bool whole_block = can_steal_fallback(current, migratetype);

	if (!whole_block && current > order) {
		/* the pageblock stays with its type: rather break the smallest block that serves */
		from = -1;
		for (current = order; from < 0 && current < MAX_ORDER; current++)
			from = find_suitable_fallback(&zone->free_area[current], migratetype);
		current--;
	}
	steal_suitable_fallback(zone,
		list_first_entry(&zone->free_area[current].free_list[from], struct page, lru),
		current, migratetype, whole_block);
	count_vm_events(BUDDY_FALLBACK, 1);
	return true;
}
