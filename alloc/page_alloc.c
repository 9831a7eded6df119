/* SPDX-License-Identifier: GPL-3.0-or-later */
/* page_alloc.c - the entry points of the page allocator. */

#include "page_alloc.h"

#include "buddy.h"
#include "pcp.h"

static bool zone_watermark_fast(const struct zone *zone, unsigned int order)
{
	unsigned long free_pages = zone_page_state(zone, NR_FREE_PAGES);

	return free_pages > zone->watermark[WMARK_LOW] + (1UL << order);
}

/* A block straight from buddy. */
static struct page *rmqueue_buddy(struct zone *zone, unsigned int order, int migratetype)
{
	unsigned long flags = local_irq_save();

	spin_lock(&zone->lock);
	struct page *page = __rmqueue(zone, order, migratetype);

	if (page) {
		__mod_zone_page_state(zone, NR_FREE_PAGES, -(1L << order));
		count_vm_events(PGALLOC, 1UL << order);
	}
	spin_unlock(&zone->lock);
	local_irq_restore(flags);
	return page;
}

static __always_inline void prep_new_page(struct page *page)
{
	page->private = 0;
	page->index = 0;
	page->_refcount = 1;
}

static struct page *get_page_from_freelist(unsigned int order, int migratetype, bool use_reserve)
{
	struct zone *const *zonelist = node_data[cpu_node[smp_processor_id()]]->zonelist;

	for (int i = 0; zonelist[i]; i++) {
		struct zone *zone = zonelist[i];

		if (unlikely(!use_reserve && !zone_watermark_fast(zone, order)))
			continue;
		struct page *page = likely(order == 0) ? rmqueue_pcplist(zone, migratetype)
						       : rmqueue_buddy(zone, order, migratetype);

		if (unlikely(!page))
			continue;
		prep_new_page(page);
		if (unlikely(i > 0))
			count_vm_events(ALLOC_REMOTE, 1UL << order);
		return page;
	}
	return NULL;
}

struct page *alloc_pages(unsigned int order, int migratetype)
{
	struct page *page = get_page_from_freelist(order, migratetype, false);

	/* nothing reclaims here, so the reserve below the watermark is all that is left to try */
	if (unlikely(!page))
		page = get_page_from_freelist(order, migratetype, true);
	return page;
}

static void free_pages_buddy(struct page *page, unsigned int order)
{
	unsigned long pfn = page_to_pfn(page);
	struct zone *zone = page_zone(page);
	int migratetype = get_pfnblock_migratetype(zone, pfn);
	unsigned long flags = local_irq_save();

	count_vm_events(PGFREE, 1UL << order);
	spin_lock(&zone->lock);
	__free_one_page(page, pfn, zone, order, migratetype);
	spin_unlock(&zone->lock);
	local_irq_restore(flags);
}

void free_pages(struct page *page, unsigned int order)
{
	if (!put_page_testzero(page))
		return;
	if (likely(order == 0))
		free_unref_page(page);
	else
		free_pages_buddy(page, order);
}
