/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * memory.h - anonymous memory of a process: faults that map a zeroed page, unmaps that release it.
 */
#ifndef ZONESIM_ALLOC_MEMORY_H
#define ZONESIM_ALLOC_MEMORY_H

#include "lru.h"
#include "mm.h"
#include "mmu_gather.h"

#define PTRS_PER_PTE 512UL

/*
 * A private anonymous mapping and its page table. @pte and @pte_pages are the caller's arrays, of
 * @pages entries and of one per PTRS_PER_PTE pages.
 */
struct anon_region {
	unsigned long pages;
	struct page **pte;
	struct page **pte_pages;
	void *anon_vma;
};

/*
 * do_anonymous_page - map a zeroed page at @index, with a page-table page when the first of its
 * range. Returns 0, or -1 when there is no memory.
 */
int do_anonymous_page(struct anon_region *region, unsigned long index, struct pagevec *lru_pvec);

/*
 * zap_pte_range - unmap pages [@start, @end), gathering them in @tlb. Unmapped entries are skipped.
 */
void zap_pte_range(
	struct anon_region *region, unsigned long start, unsigned long end, struct mmu_gather *tlb);

/* free_pgtables - gather the page-table pages of a region that is unmapped. */
void free_pgtables(struct anon_region *region, struct mmu_gather *tlb);

#endif
