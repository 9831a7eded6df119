/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * bulk.h - many single pages in one call (patch bulk-alloc).
 */
#ifndef ZONESIM_ALLOC_BULK_H
#define ZONESIM_ALLOC_BULK_H

#include "mm.h"
#include "page_alloc.h"

/*
 * alloc_pages_bulk - single pages of @migratetype until @wanted are there, on the head of @list or,
 * when @list is NULL, in those entries of @array that are NULL.
 * Returns how many are there, of an array its filled entries from the start on included; fewer than
 * wanted when memory is short, but at least one if there is any.
 */
unsigned long alloc_pages_bulk(
	int migratetype, unsigned long wanted, struct list_head *list, struct page **array);

/* What is still to be done of such a call. */
struct bulk_request {
	unsigned long wanted, there;
	struct list_head *list;
	struct page **array;
};

/* Is a page still wanted? Passes over entries that are filled already. */
static __always_inline bool bulk_wants(struct bulk_request *request)
{
	while (request->array && request->there < request->wanted && request->array[request->there])
		request->there++;
	return request->there < request->wanted;
}

static __always_inline void bulk_give(struct bulk_request *request, struct page *page)
{
	prep_new_page(page, 0);
	if (request->list)
		list_add(&page->lru, request->list);
	else
		request->array[request->there] = page;
	request->there++;
}

#endif
