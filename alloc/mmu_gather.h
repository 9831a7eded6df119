/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * mmu_gather.h - pages that an unmap has taken out of the page table, kept until the TLB is
 * flushed, then released in arrays.
 */
#ifndef ZONESIM_ALLOC_MMU_GATHER_H
#define ZONESIM_ALLOC_MMU_GATHER_H

#include "lru.h"
#include "mm.h"

#define MMU_GATHER_BUNDLE 8				  /* slots without an allocation */
#define MAX_GATHER_BATCH ((4096 - 16) / 8)		  /* 510: what a page has room for */
#define MAX_GATHER_BATCH_COUNT (10000 / MAX_GATHER_BATCH) /* 19 arrays, then a flush is due */

struct mmu_gather_batch {
	struct mmu_gather_batch *next;
	unsigned int nr, max;
	struct page *pages[MAX_GATHER_BATCH];
};
_Static_assert(sizeof(struct mmu_gather_batch) == 4096, "one page");

/*
 * The arrays are order-0 pages from the allocator. Their content lives in @arrays, which stays with
 * the gather, so that page frames need no memory behind them.
 */
struct mmu_gather {
	struct mmu_gather_batch *active;
	unsigned int batch_count;
	struct pagevec *lru_pvec;	 /* this CPU's */
	struct mmu_gather_batch *arrays; /* MAX_GATHER_BATCH_COUNT of them */
	struct page *array_pages[MAX_GATHER_BATCH_COUNT];
	struct mmu_gather_batch local; /* only the first MMU_GATHER_BUNDLE slots are used */
};

/* @arrays: room for MAX_GATHER_BATCH_COUNT batches, owned by the caller. */
void tlb_gather_init(
	struct mmu_gather *tlb, struct pagevec *lru_pvec, struct mmu_gather_batch *arrays);

/* Gather @page; flushes by itself when there is no more room. */
void tlb_remove_page(struct mmu_gather *tlb, struct page *page);

/* Flush the TLB and release everything gathered, arrays included. */
void tlb_finish_mmu(struct mmu_gather *tlb);

#endif
