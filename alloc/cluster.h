/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * cluster.h - runs of single free pages that are taken in one piece (patch cluster-alloc).
 *
 * Neighbours on a free list of order 0 may share a record, which knows the last of them. Who wants
 * as many pages as there are cuts them off without a look at each. A page tells its record in
 * page->mapping while it is free. All of it under zone->lock, but for cluster_take_finish.
 */
#ifndef ZONESIM_ALLOC_CLUSTER_H
#define ZONESIM_ALLOC_CLUSTER_H

#include "mm.h"

struct cluster {
	struct page *tail; /* farthest from the list's head; of an unused record the next one */
	int length;
};

static __always_inline struct cluster *page_cluster(const struct page *page)
{
	return page->mapping;
}

static __always_inline struct cluster *cluster_get(struct zone *zone)
{
	struct cluster *c = zone->unused_clusters;

	if (c)
		zone->unused_clusters = (struct cluster *)c->tail;
	else if (zone->fresh_clusters < zone->end_of_clusters)
		c = zone->fresh_clusters++;
	return c;
}

static __always_inline void cluster_put(struct zone *zone, struct cluster *c)
{
	c->tail = (struct page *)zone->unused_clusters;
	zone->unused_clusters = c;
}

/* @page leaves the free list, or its place there, alone: the others stay together. */
static __always_inline void cluster_forget(struct zone *zone, struct page *page)
{
	struct cluster *c = page_cluster(page);

	page->mapping = NULL;
	if (--c->length == 0)
		cluster_put(zone, c);
	else if (c->tail == page)
		c->tail = container_of(page->lru.prev, struct page, lru);
}

/* @page has become the first of @list, which is one of order 0: put it to its neighbour's run. */
static __always_inline void cluster_join(
	struct zone *zone, struct page *page, const struct list_head *list)
{
	struct cluster *c = NULL;

	if (page->lru.next != list)
		c = page_cluster(container_of(page->lru.next, struct page, lru));
	if (!c || c->length >= zone->cluster_length) {
		c = cluster_get(zone);
		if (unlikely(!c))
			return;
		*c = (struct cluster){page, 0};
	}
	c->length++;
	page->mapping = c;
}

/*
 * cluster_take - cut the first run of the free list for @migratetype off, if it has at most @count
 * pages, and append it to @list. The pages keep the marks of free ones until cluster_take_finish,
 * and until then no one may look for free pages by their numbers. Returns how many pages that are,
 * 0 when there is no such run.
 */
int cluster_take(struct zone *zone, int count, struct list_head *list, int migratetype);

/*
 * cluster_take_finish - unmark the last @count pages of @list, without zone->lock. Returns how many
 * of them are good; bad ones are taken off.
 */
int cluster_take_finish(struct zone *zone, int count, struct list_head *list, int migratetype);

/*
 * cluster_mark - mark all pages of @list as free ones in the run @c, without zone->lock: no one
 * else knows of them yet.
 */
void cluster_mark(const struct list_head *list, struct cluster *c);

/* Put the @count pages of @list, marked so, to the head of the free list in one piece. */
void cluster_insert(struct zone *zone, struct list_head *list, int count, int migratetype);

#endif
