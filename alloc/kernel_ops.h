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

struct bulk_request;
struct pagevec;

/* What a CPU does with its pageset. */
struct pcp_ops {
	/* A block of an order that pagesets keep; NULL when the zone has none. */
	struct page *(*take)(struct zone *zone, unsigned int order, int migratetype);
	/* Single pages for @request; returns how many. */
	unsigned long (*take_bulk)(
		struct zone *zone, int migratetype, struct bulk_request *request);
	/* Blocks without users come back. */
	void (*give)(struct page *page, unsigned int order);
	void (*give_list)(struct list_head *list);
	/* See drain_remote_pages. */
	bool (*drain)(struct zone *zone, int cpu);
};

struct kernel_ops {
	struct page *(*alloc_pages)(unsigned int order, int migratetype);
	void (*free_pages)(struct page *page, unsigned int order);
	struct pcp_ops pcp;
	/*
	 * Take up to @count blocks of @order from buddy under one hold of zone->lock and append
	 * them to @list. Returns how many.
	 */
	int (*rmqueue_bulk)(struct zone *zone, unsigned int order, int count,
		struct list_head *list, int migratetype);
	/* Give @count pages of @pcp back to buddy. */
	void (*free_pcppages_bulk)(struct zone *zone, int count, struct per_cpu_pages *pcp);
	/* The same since v5.14, beginning with list @pindex; at most what there is. */
	void (*free_pcp_orders)(
		struct zone *zone, int count, struct per_cpu_order_pages *pcp, int pindex);
	/* Queue @page for the LRU in @pvec and move the pagevec there when it is full. */
	void (*lru_cache_add)(struct pagevec *pvec, struct page *page);
	/* Move @pvec to the LRU now. */
	void (*pagevec_lru_add)(struct pagevec *pvec);
};

extern struct kernel_ops kernel;

/* Put the instances for @patches in force. @patches has passed patch_set_check. */
void kernel_select(patch_set patches);

/* Those of pcp.c and pcp_order.c that @patches choose. */
const struct pcp_ops *pcp_ops(patch_set patches);
const struct pcp_ops *pcp_order_ops(patch_set patches);

/* Instances by the bits of the patches that the function knows; defined where the function is. */
extern int (*const rmqueue_bulk_forms[4])(struct zone *, unsigned int, int, struct list_head *,
	int); /* inline-rmqueue, cluster-alloc */
/* pick-outside-lock, prefetch-buddy; from the fifth on skip-merge; the seventh cluster-alloc */
extern void (*const free_pcppages_bulk_forms[7])(struct zone *, int, struct per_cpu_pages *);
extern struct page *(*const alloc_pages_forms[2])(unsigned int, int);  /* pcp-high-order */
extern void (*const free_pages_forms[2])(struct page *, unsigned int); /* pcp-high-order */
/* pick-outside-lock, prefetch-buddy; the fifth pcp-single-pass */
extern void (*const free_pcp_orders_forms[5])(
	struct zone *, int, struct per_cpu_order_pages *, int);
extern void (*const lru_cache_add_forms[4])(
	struct pagevec *, struct page *);			 /* pagevec-15, no-skip-pagevecs */
extern void (*const pagevec_lru_add_forms[2])(struct pagevec *); /* no-skip-pagevecs */

#endif
