/* SPDX-License-Identifier: GPL-3.0-or-later */
/* mmu_gather.c - from unmapped to released. */

#include "mmu_gather.h"

#include "page_alloc.h"

void tlb_gather_init(
	struct mmu_gather *tlb, struct pagevec *lru_pvec, struct mmu_gather_batch *arrays)
{
	tlb->lru_pvec = lru_pvec;
	tlb->arrays = arrays;
	tlb->batch_count = 0;
	tlb->active = &tlb->local;
	tlb->local.next = NULL;
	tlb->local.nr = 0;
	tlb->local.max = MMU_GATHER_BUNDLE;
}

/* Go on in another array; false when a flush is due instead. */
static bool tlb_next_batch(struct mmu_gather *tlb)
{
	struct mmu_gather_batch *batch = tlb->active->next;

	if (batch) {
		tlb->active = batch;
		return true;
	}
	if (tlb->batch_count == MAX_GATHER_BATCH_COUNT)
		return false;
	struct page *page = alloc_page(MIGRATE_UNMOVABLE);

	if (!page)
		return false;
	batch = &tlb->arrays[tlb->batch_count];
	tlb->array_pages[tlb->batch_count++] = page;
	batch->next = NULL;
	batch->nr = 0;
	batch->max = MAX_GATHER_BATCH;
	tlb->active->next = batch;
	tlb->active = batch;
	return true;
}

static void tlb_flush_mmu(struct mmu_gather *tlb)
{
	flush_tlb();
	count_vm_events(TLB_FLUSH, 1);
	for (struct mmu_gather_batch *batch = &tlb->local; batch && batch->nr;
		batch = batch->next) {
		lru_add_drain(tlb->lru_pvec);
		release_pages(batch->pages, (int)batch->nr);
		batch->nr = 0;
	}
	tlb->active = &tlb->local;
}

void tlb_remove_page(struct mmu_gather *tlb, struct page *page)
{
	struct mmu_gather_batch *batch = tlb->active;

	batch->pages[batch->nr++] = page;
	if (batch->nr == batch->max && !tlb_next_batch(tlb))
		tlb_flush_mmu(tlb);
}

void tlb_finish_mmu(struct mmu_gather *tlb)
{
	tlb_flush_mmu(tlb);
	for (unsigned int i = 0; i < tlb->batch_count; i++)
		free_pages(tlb->array_pages[i], 0);
	tlb->batch_count = 0;
	tlb->local.next = NULL;
}
