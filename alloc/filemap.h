/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * filemap.h - mappings of a file: pages that the page cache keeps, and private copies of them.
 */
#ifndef ZONESIM_ALLOC_FILEMAP_H
#define ZONESIM_ALLOC_FILEMAP_H

#include "memory.h"

/* A file and what is cached of it; @page is the caller's array, of @pages entries. */
struct page_cache {
	unsigned long pages;
	struct page **page;
};

/*
 * Write faults at @index of a region that maps @file from its start. The first one on a page of the
 * file brings a zeroed page into the cache. do_cow_fault maps a copy of it, for a private mapping;
 * do_shared_fault maps the cache's own page. Both return 0, or -1 when there is no memory.
 */
int do_cow_fault(struct anon_region *region, unsigned long index, struct page_cache *file,
	struct pagevec *lru_pvec);
int do_shared_fault(struct anon_region *region, unsigned long index, struct page_cache *file,
	struct pagevec *lru_pvec);

/* zap_pte_range for a region that do_shared_fault has filled. */
void zap_shared_range(
	struct anon_region *region, unsigned long start, unsigned long end, struct mmu_gather *tlb);

#endif
