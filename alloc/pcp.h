/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * pcp.h - per-CPU pagesets: order-0 pages that a CPU takes and gives without the zone lock.
 */
#ifndef ZONESIM_ALLOC_PCP_H
#define ZONESIM_ALLOC_PCP_H

#include "mm.h"

/* Give a single page, without users, back to this CPU's pageset. */
void free_unref_page(struct page *page);

/*
 * The same for a list of pages linked through page->lru, from its head; lets go of the pageset for
 * a moment after each 32 pages.
 */
void free_unref_page_list(struct list_head *list);

/* Give all pages of this CPU's pageset back to buddy. */
void drain_local_pages(struct zone *zone);

/*
 * drain_remote_pages - the same for the pageset of @cpu, any CPU. Returns false, with nothing done,
 * when the pageset is another CPU's and has no lock (before pcp-spinlock).
 */
bool drain_remote_pages(struct zone *zone, int cpu);

/*
 * decay_pcp_high - let a tuned high sink a little, and drain what is above it; once in a while, by
 * the worker that folds counters. Only with pcp-auto-tune.
 */
void decay_pcp_high(struct zone *zone, int cpu);

/* Pages on @cpu's pageset, and its size, whichever form it has. */
static inline int pcp_count(const struct zone *zone, int cpu)
{
	return zone->per_cpu_pages[cpu] ? zone->per_cpu_pages[cpu]->count
					: zone->pageset[cpu]->pcp.count;
}

static inline int pcp_high(const struct zone *zone, int cpu)
{
	return zone->per_cpu_pages[cpu] ? zone->per_cpu_pages[cpu]->high
					: zone->pageset[cpu]->pcp.high;
}

static inline int pcp_batch(const struct zone *zone, int cpu)
{
	return zone->per_cpu_pages[cpu] ? zone->per_cpu_pages[cpu]->batch
					: zone->pageset[cpu]->pcp.batch;
}

/*
 * Make a block fit for the free lists, with the pages behind its head, and remember its type while
 * no lock is held.
 */
static __always_inline void free_pages_prepare(struct page *page, unsigned int order)
{
	page->mapping = NULL;
	for (unsigned int i = 1; i < 1u << order; i++) {
		page[i].lru.next = NULL;
		page[i].flags &= ~PAGE_FLAGS_CHECK;
	}
	page->flags &= ~PAGE_FLAGS_CHECK;
	set_pcppage_migratetype(page, get_pfnblock_migratetype(page_zone(page), page_to_pfn(page)));
}

#endif
