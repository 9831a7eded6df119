/* SPDX-License-Identifier: GPL-3.0-or-later */
/* cluster.c - runs of single free pages that are taken in one piece. */

#include "cluster.h"

#include "buddy.h"

int cluster_take(struct zone *zone, int count, struct list_head *list, int migratetype)
{
	struct free_area *area = &zone->free_area[0];
	struct list_head *head = &area->free_list[migratetype];

	if (list_empty(head))
		return 0;
	struct page *first = list_first_entry(head, struct page, lru);
	struct cluster *c = page_cluster(first);

	if (!c || c->length > count)
		return 0;
	count = c->length;
	struct list_head *last = &c->tail->lru;

	head->next = last->next;
	last->next->prev = head;
	first->lru.prev = list->prev;
	list->prev->next = &first->lru;
	last->next = list;
	list->prev = last;
	area->nr_free -= (unsigned long)count;
	cluster_put(zone, c);
	__atomic_fetch_add(&zone->cluster_in_progress, 1, __ATOMIC_SEQ_CST);
	__mod_zone_page_state(zone, NR_FREE_PAGES, -(long)count);
	return count;
}

int cluster_take_finish(struct zone *zone, int count, struct list_head *list, int migratetype)
{
	struct list_head *at = list->prev;
	int good = 0;

	for (int i = 0; i < count; i++) {
		struct page *page = container_of(at, struct page, lru);

		at = at->prev;
		page->mapping = NULL;
		__atomic_store_n(&page->_mapcount, -1, __ATOMIC_RELAXED);
		set_pcppage_migratetype(page, migratetype);
		if (likely(page_expected_state(page))) {
			good++;
			continue;
		}
		list_del(&page->lru);
		bad_page(page);
	}
	__atomic_fetch_sub(&zone->cluster_in_progress, 1, __ATOMIC_SEQ_CST);
	return good;
}

void cluster_mark(const struct list_head *list, struct cluster *c)
{
	const struct list_head *at;

	list_for_each (at, list) {
		struct page *page =
			container_of((struct list_head *)(uintptr_t)at, struct page, lru);

		page->mapping = c;
		page->private = 0;
		page->index = MERGE_SKIPPED;
		__atomic_store_n(&page->_mapcount, PAGE_BUDDY_MAPCOUNT_VALUE, __ATOMIC_RELAXED);
	}
}

void cluster_insert(struct zone *zone, struct list_head *list, int count, int migratetype)
{
	struct free_area *area = &zone->free_area[0];
	struct list_head *head = &area->free_list[migratetype];

	list->prev->next = head->next;
	head->next->prev = list->prev;
	head->next = list->next;
	list->next->prev = head;
	area->nr_free += (unsigned long)count;
	__mod_zone_page_state(zone, NR_FREE_PAGES, count);
}
