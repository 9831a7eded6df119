/* SPDX-License-Identifier: GPL-3.0-or-later */
/* memory.c - what faults and unmaps do to struct pages. */

#include "memory.h"

#include "pte.h"

int do_anonymous_page(struct anon_region *region, unsigned long index, struct pagevec *lru_pvec)
{
	count_vm_events(PGFAULT, 1);
	if (unlikely(pte_alloc(region, index)))
		return -1;
	struct page *page = alloc_page(MIGRATE_MOVABLE);

	if (unlikely(!page))
		return -1;
	clear_page(page);
	page->flags |= 1UL << PG_uptodate;
	page_add_new_anon_rmap(page, region, index);
	page->flags |= 1UL << PG_active;
	lru_cache_add(lru_pvec, page);
	region->pte[index] = page;
	touch_page(page);
	return 0;
}

/* One mapping less; the last one takes the page out of the statistics. */
static void page_remove_rmap(struct page *page)
{
	if (__atomic_sub_fetch(&page->_mapcount, 1, __ATOMIC_SEQ_CST) >= 0)
		return;
	__mod_node_page_state(page_pgdat(page), NR_ANON_MAPPED, -1);
}

void zap_pte_range(
	struct anon_region *region, unsigned long start, unsigned long end, struct mmu_gather *tlb)
{
	for (unsigned long index = start; index < end; index++) {
		struct page *page = region->pte[index];

		if (!page)
			continue;
		region->pte[index] = NULL;
		page_remove_rmap(page);
		tlb_remove_page(tlb, page);
	}
}

void free_pgtables(struct anon_region *region, struct mmu_gather *tlb)
{
	for (unsigned long i = 0; i < region->pages; i += PTRS_PER_PTE) {
		struct page **slot = &region->pte_pages[i / PTRS_PER_PTE];

		if (!*slot)
			continue;
		tlb_remove_page(tlb, *slot);
		*slot = NULL;
	}
}
