/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * pte.h - what all kinds of faults share: page tables, and who maps a page. For alloc/ only.
 */
#ifndef ZONESIM_ALLOC_PTE_H
#define ZONESIM_ALLOC_PTE_H

#include "memory.h"
#include "page_alloc.h"
#include "vmstat.h"

#define PAGE_MAPPING_ANON 1UL

/* A table for the entry at @index, when there is none. Returns 0, or -1 without memory. */
static __always_inline int pte_alloc(struct anon_region *region, unsigned long index)
{
	struct page **slot = &region->pte_pages[index / PTRS_PER_PTE];

	if (likely(*slot))
		return 0;
	struct page *page = alloc_page(MIGRATE_UNMOVABLE);

	if (!page)
		return -1;
	clear_page(page);
	*slot = page;
	return 0;
}

/* @page, which no one else has, becomes the one at @index of @region. */
static __always_inline void page_add_new_anon_rmap(
	struct page *page, const struct anon_region *region, unsigned long index)
{
	page->flags |= 1UL << PG_swapbacked;
	__atomic_store_n(&page->_mapcount, 0, __ATOMIC_RELAXED);
	__mod_node_page_state(page_pgdat(page), NR_ANON_MAPPED, 1);
	page->mapping = (char *)region->anon_vma + PAGE_MAPPING_ANON;
	page->index = index;
}

#endif
