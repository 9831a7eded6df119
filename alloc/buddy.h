/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * buddy.h - free blocks of 2^order pages per zone and migratetype. All of it under zone->lock.
 */
#ifndef ZONESIM_ALLOC_BUDDY_H
#define ZONESIM_ALLOC_BUDDY_H

#include "mm.h"
#include "vmstat.h"

/*
 * __rmqueue - take one block of @order off the free lists, splitting or falling back to another
 * migratetype as needed. Returns its head page, or NULL when the zone has nothing. The free-page
 * counter is the caller's business.
 */
struct page *__rmqueue(struct zone *zone, unsigned int order, int migratetype);

/*
 * __free_one_page - give one block back, merging it with its buddies as far as they are free.
 * @page: head of the block, on no list
 */
void __free_one_page(struct page *page, unsigned long pfn, struct zone *zone, unsigned int order,
	int migratetype);

#define MERGE_SKIPPED (~0UL) /* page->index of a free page that went back without merging */

/*
 * Give a single page back without a look at its buddy (patch skip-merge). Merging it is left to
 * compaction, which does not exist here.
 */
static __always_inline void free_one_page_unmerged(
	struct page *page, struct zone *zone, int migratetype)
{
	struct free_area *area = &zone->free_area[0];

	if (likely(migratetype != MIGRATE_ISOLATE))
		__mod_zone_page_state(zone, NR_FREE_PAGES, 1);
	page->private = 0;
	page->_mapcount = PAGE_BUDDY_MAPCOUNT_VALUE;
	page->index = MERGE_SKIPPED;
	list_add(&page->lru, &area->free_list[migratetype]);
	area->nr_free++;
}

/* Take from another migratetype's blocks and move the block over; true when one was moved. */
bool __rmqueue_fallback(struct zone *zone, unsigned int order, int migratetype);

/* Split @page, a block of order @high, until one of order @low is left; upper halves go to lists.
 */
static __always_inline void expand(
	struct zone *zone, struct page *page, unsigned int low, unsigned int high, int migratetype)
{
	while (high > low) {
		struct free_area *area = &zone->free_area[--high];
		struct page *upper = page + (1UL << high);

		list_add(&upper->lru, &area->free_list[migratetype]);
		area->nr_free++;
		upper->private = high;
		upper->_mapcount = PAGE_BUDDY_MAPCOUNT_VALUE;
		count_vm_events(BUDDY_SPLIT, 1);
	}
}

/* Unlink the head of a free block from its list. */
static __always_inline void del_page_from_free_area(struct page *page, struct free_area *area)
{
	list_del(&page->lru);
	page->_mapcount = -1;
	page->private = 0;
	area->nr_free--;
}

/* The smallest block of the wanted type that is large enough; NULL when there is none. */
static __always_inline struct page *__rmqueue_smallest(
	struct zone *zone, unsigned int order, int migratetype)
{
	for (unsigned int current = order; current < MAX_ORDER; current++) {
		struct free_area *area = &zone->free_area[current];
		struct list_head *list = &area->free_list[migratetype];

		if (list_empty(list))
			continue;
		struct page *page = list_first_entry(list, struct page, lru);

		del_page_from_free_area(page, area);
		expand(zone, page, order, current, migratetype);
		set_pcppage_migratetype(page, migratetype);
		return page;
	}
	return NULL;
}

/* The body of __rmqueue, for callers that have it inlined (patch inline-rmqueue). */
static __always_inline struct page *__rmqueue_inlined(
	struct zone *zone, unsigned int order, int migratetype)
{
	struct page *page;

	do {
		page = __rmqueue_smallest(zone, order, migratetype);
	} while (unlikely(!page) && __rmqueue_fallback(zone, order, migratetype));
	return page;
}

#endif
