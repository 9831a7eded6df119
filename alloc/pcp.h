/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * pcp.h - per-CPU pagesets: order-0 pages that a CPU takes and gives without the zone lock.
 */
#ifndef ZONESIM_ALLOC_PCP_H
#define ZONESIM_ALLOC_PCP_H

#include "mm.h"

/*
 * rmqueue_pcplist - one order-0 page from this CPU's pageset, refilled from buddy when its list is
 * empty. Returns NULL when the zone has none left.
 */
struct page *rmqueue_pcplist(struct zone *zone, int migratetype);

/* Give one order-0 page, without users, back to this CPU's pageset. */
void free_unref_page(struct page *page);

/*
 * The same for a list of pages linked through page->lru, from its head; leaves interrupts on for a
 * moment after each 32 pages.
 */
void free_unref_page_list(struct list_head *list);

/* Give all pages of this CPU's pageset back to buddy. */
void drain_local_pages(struct zone *zone);

#endif
