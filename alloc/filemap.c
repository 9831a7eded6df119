/* SPDX-License-Identifier: GPL-3.0-or-later */
/* filemap.c - faults on mapped files. */

#include "filemap.h"

#include "pte.h"

/* ---- the page cache ---- */

static struct page *add_to_page_cache(
	struct page_cache *file, unsigned long index, struct pagevec *lru_pvec)
{
	struct page *page = alloc_page(MIGRATE_MOVABLE);

	if (unlikely(!page))
		return NULL;
	clear_page(page);
	page->flags |= 1UL << PG_uptodate;
	page->mapping = file;
	page->index = index;
	lru_cache_add(lru_pvec, page);
	file->page[index] = page;
	return page;
}

/* The page of the file at @index, locked, with one more reference. */
static struct page *filemap_get_locked(
	struct page_cache *file, unsigned long index, struct pagevec *lru_pvec)
{
	struct page *page = file->page[index];

	if (unlikely(!page)) {
		page = add_to_page_cache(file, index, lru_pvec);
		if (!page)
			return NULL;
	}
	__atomic_fetch_add(&page->_refcount, 1, __ATOMIC_SEQ_CST);
	__atomic_fetch_or(&page->flags, 1UL << PG_locked, __ATOMIC_SEQ_CST);
	return page;
}

static __always_inline void unlock_page(struct page *page)
{
	__atomic_fetch_and(&page->flags, ~(1UL << PG_locked), __ATOMIC_SEQ_CST);
}

/* ---- private mappings ---- */

int do_cow_fault(struct anon_region *region, unsigned long index, struct page_cache *file,
	struct pagevec *lru_pvec)
{
	count_vm_events(PGFAULT, 1);
	if (unlikely(pte_alloc(region, index)))
		return -1;
	struct page *page = alloc_page(MIGRATE_MOVABLE);

	if (unlikely(!page))
		return -1;
	struct page *source = filemap_get_locked(file, index, lru_pvec);

	if (unlikely(!source)) {
		free_pages(page, 0);
		return -1;
	}
	copy_page(page, source);
	page->flags |= 1UL << PG_uptodate;
	page_add_new_anon_rmap(page, region, index);
	page->flags |= 1UL << PG_active;
	lru_cache_add(lru_pvec, page);
	region->pte[index] = page;
	unlock_page(source);
	/* the cache keeps its own reference */
	(void)put_page_testzero(source);
	touch_page(page);
	return 0;
}

/* ---- shared mappings ---- */

int do_shared_fault(struct anon_region *region, unsigned long index, struct page_cache *file,
	struct pagevec *lru_pvec)
{
	count_vm_events(PGFAULT, 1);
	if (unlikely(pte_alloc(region, index)))
		return -1;
	struct page *page = filemap_get_locked(file, index, lru_pvec);

	if (unlikely(!page))
		return -1;
	if (__atomic_add_fetch(&page->_mapcount, 1, __ATOMIC_SEQ_CST) == 0)
		__mod_node_page_state(page_pgdat(page), NR_FILE_MAPPED, 1);
	region->pte[index] = page;
	unlock_page(page);
	touch_page(page);
	return 0;
}

void zap_shared_range(
	struct anon_region *region, unsigned long start, unsigned long end, struct mmu_gather *tlb)
{
	for (unsigned long index = start; index < end; index++) {
		struct page *page = region->pte[index];

		if (!page)
			continue;
		region->pte[index] = NULL;
		if (__atomic_sub_fetch(&page->_mapcount, 1, __ATOMIC_SEQ_CST) < 0)
			__mod_node_page_state(page_pgdat(page), NR_FILE_MAPPED, -1);
		tlb_remove_page(tlb, page);
	}
}
