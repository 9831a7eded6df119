/* SPDX-License-Identifier: GPL-3.0-or-later */
/* page_alloc.c - the entry points of the page allocator. */

#include "page_alloc.h"

#include "buddy.h"
#include "kernel_ops.h"
#include "pcp.h"

static bool zone_watermark_fast(const struct zone *zone, unsigned int order)
{
	unsigned long free_pages = zone_page_state(zone, NR_FREE_PAGES);

	return free_pages > zone->watermark[WMARK_LOW] + (1UL << order);
}

struct page *rmqueue_buddy(struct zone *zone, unsigned int order, int migratetype)
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

static void free_pages_buddy(struct page *page, unsigned int order)
{
	free_pages_prepare(page, order);

	unsigned long pfn = page_to_pfn(page);
	struct zone *zone = page_zone(page);
	int migratetype = get_pcppage_migratetype(page);
	unsigned long flags = local_irq_save();

	count_vm_events(PGFREE, 1UL << order);
	spin_lock(&zone->lock);
	__free_one_page(page, pfn, zone, order, migratetype);
	spin_unlock(&zone->lock);
	local_irq_restore(flags);
}

/* Do pagesets keep blocks of @order? Single pages only, before pcp-high-order. */
static __always_inline bool pcp_allowed_order(unsigned int order, const bool high_orders)
{
	if (!high_orders)
		return order == 0;
	return order <= PAGE_ALLOC_COSTLY_ORDER || order == PAGEBLOCK_ORDER;
}

static __always_inline struct page *get_page_from_freelist(
	unsigned int order, int migratetype, bool use_reserve, const bool high_orders)
{
	struct zone *const *zonelist = node_data[cpu_node[smp_processor_id()]]->zonelist;

	for (int i = 0; zonelist[i]; i++) {
		struct zone *zone = zonelist[i];

		if (unlikely(!use_reserve && !zone_watermark_fast(zone, order)))
			continue;
		struct page *page = likely(pcp_allowed_order(order, high_orders))
					    ? kernel.pcp.take(zone, order, migratetype)
					    : rmqueue_buddy(zone, order, migratetype);

		if (unlikely(!page))
			continue;
		prep_new_page(page, order);
		if (unlikely(i > 0))
			count_vm_events(ALLOC_REMOTE, 1UL << order);
		return page;
	}
	return NULL;
}

static __always_inline struct page *__alloc_pages(
	unsigned int order, int migratetype, const bool high_orders)
{
	struct page *page = get_page_from_freelist(order, migratetype, false, high_orders);

	/* nothing reclaims here, so the reserve below the watermark is all that is left to try */
	if (unlikely(!page))
		page = get_page_from_freelist(order, migratetype, true, high_orders);
	return page;
}

static __always_inline void __free_pages(
	struct page *page, unsigned int order, const bool high_orders)
{
	if (!put_page_testzero(page))
		return;
	if (likely(pcp_allowed_order(order, high_orders)))
		kernel.pcp.give(page, order);
	else
		free_pages_buddy(page, order);
}

static struct page *alloc_pages_single(unsigned int order, int migratetype)
{
	return __alloc_pages(order, migratetype, false);
}

static struct page *alloc_pages_orders(unsigned int order, int migratetype)
{
	return __alloc_pages(order, migratetype, true);
}

static void free_pages_single(struct page *page, unsigned int order)
{
	__free_pages(page, order, false);
}

static void free_pages_orders(struct page *page, unsigned int order)
{
	__free_pages(page, order, true);
}

struct page *(*const alloc_pages_forms[2])(unsigned int, int) = {
	alloc_pages_single, alloc_pages_orders};
void (*const free_pages_forms[2])(struct page *, unsigned int) = {
	free_pages_single, free_pages_orders};

struct page *alloc_pages(unsigned int order, int migratetype)
{
	return kernel.alloc_pages(order, migratetype);
}

void free_pages(struct page *page, unsigned int order)
{
	kernel.free_pages(page, order);
}
