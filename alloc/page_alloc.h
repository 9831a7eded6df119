/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * page_alloc.h - the entry points: pages from the nearest zone that has some.
 */
#ifndef ZONESIM_ALLOC_PAGE_ALLOC_H
#define ZONESIM_ALLOC_PAGE_ALLOC_H

#include "mm.h"

/*
 * alloc_pages - a block of 2^@order pages of @migratetype for the calling CPU, its node first.
 * Its head has one reference. Returns NULL when no node has one.
 */
struct page *alloc_pages(unsigned int order, int migratetype);

/* free_pages - drop a reference to a block of @order, and free it when that was the last. */
void free_pages(struct page *page, unsigned int order);

/* A block straight from buddy; NULL when @zone has none. */
struct page *rmqueue_buddy(struct zone *zone, unsigned int order, int migratetype);

/*
 * Make a block ready for its user. Pages behind the head point to it, with the lowest bit set, as
 * in a compound page; that is where a pointer of a list is otherwise.
 */
static __always_inline void prep_new_page(struct page *page, unsigned int order)
{
	page->private = 0;
	page->index = 0;
	page->_refcount = 1;
	for (unsigned int i = 1; i < 1u << order; i++)
		page[i].lru.next = (struct list_head *)((uintptr_t)page | 1);
}

static __always_inline struct page *alloc_page(int migratetype)
{
	return alloc_pages(0, migratetype);
}

/* Drop a reference; true when it was the last. */
static __always_inline bool put_page_testzero(struct page *page)
{
	return __atomic_sub_fetch(&page->_refcount, 1, __ATOMIC_SEQ_CST) == 0;
}

#endif
