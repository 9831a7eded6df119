/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * kernel_ops.h - the compiled forms of patched functions, one set of which is in force.
 *
 * A patch must cost exactly what its code costs, so it is never a flag tested on a hot path. A
 * function that patches change is written once, inlined, with constant flags, and instantiated for
 * each combination; kernel_select picks the instances, like a kernel built with those patches.
 */
#ifndef ZONESIM_ALLOC_KERNEL_OPS_H
#define ZONESIM_ALLOC_KERNEL_OPS_H

#include "mm.h"

struct pagevec;

struct kernel_ops {
	/*
	 * Take up to @count blocks of @order from buddy under one hold of zone->lock and append
	 * them to @list. Returns how many.
	 */
	int (*rmqueue_bulk)(struct zone *zone, unsigned int order, int count,
		struct list_head *list, int migratetype);
	/* Give @count pages of @pcp back to buddy. */
	void (*free_pcppages_bulk)(struct zone *zone, int count, struct per_cpu_pages *pcp);
	/* Queue @page for the LRU in @pvec and move the pagevec there when it is full. */
	void (*lru_cache_add)(struct pagevec *pvec, struct page *page);
};

extern struct kernel_ops kernel;

/* Put the instances for @patches in force. @patches has passed patch_set_check. */
void kernel_select(patch_set patches);

/* Instances by the bits of the patches that the function knows; defined where the function is. */
extern int (*const rmqueue_bulk_forms[2])(
	struct zone *, unsigned int, int, struct list_head *, int); /* inline-rmqueue */
extern void (*const free_pcppages_bulk_forms[4])(
	struct zone *, int, struct per_cpu_pages *); /* pick-outside-lock, prefetch-buddy */
extern void (*const lru_cache_add_forms[2])(struct pagevec *, struct page *); /* pagevec-15 */

#endif
