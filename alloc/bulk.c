/* SPDX-License-Identifier: GPL-3.0-or-later */
/* bulk.c - many single pages in one call. */

#include "bulk.h"

#include "kernel_ops.h"
#include "vmstat.h"

/* The nearest zone that has @pages to spare. */
static struct zone *zone_for(unsigned long pages)
{
	struct zone *const *zonelist = node_data[cpu_node[smp_processor_id()]]->zonelist;

	for (int i = 0; zonelist[i]; i++)
		if (likely(zone_page_state(zonelist[i], NR_FREE_PAGES) >
			    zonelist[i]->watermark[WMARK_LOW] + pages))
			return zonelist[i];
	return NULL;
}

unsigned long alloc_pages_bulk(
	int migratetype, unsigned long wanted, struct list_head *list, struct page **array)
{
	struct bulk_request request = {wanted, 0, list, list ? NULL : array};

	if (unlikely(!bulk_wants(&request)))
		return request.there;
	/* for a single page the way through the pageset would only be longer */
	if (request.wanted - request.there > 1) {
		struct zone *zone = zone_for(request.wanted - request.there);

		if (likely(zone) && likely(kernel.pcp.take_bulk(zone, migratetype, &request)))
			return request.there;
	}
	struct page *page = alloc_page(migratetype);

	/* what alloc_page has done need not be done again */
	if (likely(page)) {
		if (request.list)
			list_add(&page->lru, request.list);
		else
			request.array[request.there] = page;
		request.there++;
	}
	return request.there;
}
