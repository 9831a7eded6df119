/* SPDX-License-Identifier: GPL-3.0-or-later */
/* kernel.c - the table of releases and patches, and the choice among compiled forms. */

#include <stdio.h>
#include <string.h>

#include "kernel.h"
#include "kernel_ops.h"

const struct patch_info patches[NR_PATCHES] = {
	[PATCH_INLINE_RMQUEUE] = {"inline-rmqueue", "v4.15", "85ccc8fa81af",
		"inline __rmqueue() and what it calls into rmqueue_bulk", 0, 0},
	[PATCH_PICK_OUTSIDE_LOCK] = {"pick-outside-lock", "v4.17", "0a5f4e5b4562",
		"choose the pages to drain before taking zone->lock", 0, 0},
	[PATCH_PREFETCH_BUDDY] = {"prefetch-buddy", "v4.17", "97334162e4d7",
		"prefetch the buddy's struct page of each page to drain, before the lock",
		PATCH_BIT(PATCH_PICK_OUTSIDE_LOCK), 0},
	[PATCH_DOUBLE_BATCH] = {"double-batch", "v4.19", "d8a759b57035",
		"cap a zone's batch at 63 pages instead of 31", 0, 0},
	[PATCH_PAGEVEC_15] = {"pagevec-15", "v4.16", "",
		"gather 15 pages instead of 14 before taking the LRU lock", 0, 0},
	[PATCH_NO_SKIP_PAGEVECS] = {"no-skip-pagevecs", "v4.16", "9c4e6b1a7027",
		"locked pages go through pagevecs, too, and each is tested under the LRU lock", 0,
		0},
	[PATCH_SKIP_MERGE] = {"skip-merge", "RFC", "",
		"single pages go back to buddy unmerged, without a look at their buddies", 0,
		PATCH_BIT(PATCH_PREFETCH_BUDDY) | PATCH_BIT(PATCH_PCP_HIGH_ORDER)},
	[PATCH_CLUSTER_ALLOC] = {"cluster-alloc", "RFC", "",
		"a batch of single pages leaves buddy, and goes back, in one piece",
		PATCH_BIT(PATCH_SKIP_MERGE) | PATCH_BIT(PATCH_PICK_OUTSIDE_LOCK), 0},
	[PATCH_BULK_ALLOC] = {"bulk-alloc", "v5.13", "",
		"alloc_pages_bulk: many pages in one visit to the pageset", 0, 0},
	[PATCH_INLINE_RMQUEUE_PCPLIST] = {"inline-rmqueue-pcplist", "v5.13", "",
		"inline __rmqueue_pcplist() into its two callers", PATCH_BIT(PATCH_BULK_ALLOC), 0},
	[PATCH_PCP_HIGH_BY_ZONE] = {"pcp-high-by-zone", "v5.14", "",
		"high from the zone's low watermark and its CPUs instead of 6 x batch", 0, 0},
	[PATCH_FREE_BATCH_SCALE] = {"free-batch-scale", "v5.14", "",
		"each drain takes twice as much as the one before, until pages are taken again",
		PATCH_BIT(PATCH_PCP_HIGH_ORDER), 0},
	[PATCH_PCP_HIGH_ORDER] = {"pcp-high-order", "v5.14", "",
		"pagesets also keep blocks of orders 1 to 3 and huge pages",
		PATCH_BIT(PATCH_BULK_ALLOC) | PATCH_BIT(PATCH_INLINE_RMQUEUE_PCPLIST), 0},
	[PATCH_PCP_SINGLE_PASS] = {"pcp-single-pass", "v5.18", "",
		"a drain picks and frees in one pass under zone->lock, the list just freed to "
		"first",
		PATCH_BIT(PATCH_PCP_HIGH_ORDER),
		PATCH_BIT(PATCH_PICK_OUTSIDE_LOCK) | PATCH_BIT(PATCH_PREFETCH_BUDDY)},
	[PATCH_HIGH_ORDER_LIMIT] = {"high-order-limit", "v5.18", "f26b3fa04611",
		"while drains follow each other, one of order 1 to 3 empties the pageset",
		PATCH_BIT(PATCH_PCP_HIGH_ORDER) | PATCH_BIT(PATCH_FREE_BATCH_SCALE), 0},
	[PATCH_PCP_SPINLOCK] = {"pcp-spinlock", "v6.0", "",
		"pagesets under a spinlock of their own, interrupts off",
		PATCH_BIT(PATCH_PCP_HIGH_ORDER), 0},
	[PATCH_PCP_TRYLOCK] = {"pcp-trylock", "v6.2", "",
		"the pageset's lock is only tried, and interrupts stay on",
		PATCH_BIT(PATCH_PCP_SPINLOCK), 0},
	[PATCH_PCP_NO_DRAIN_ON_EXIT] = {"pcp-no-drain-on-exit", "v6.7", "",
		"emptying the pageset takes two frees of order 1 to 3 in a row",
		PATCH_BIT(PATCH_HIGH_ORDER_LIMIT), 0},
	[PATCH_PCP_KEEP_HIGH_ORDER_BATCH] = {"pcp-keep-high-order-batch", "v6.7", "",
		"keep a batch of pages from being emptied where a CPU's share of the cache is "
		"large",
		PATCH_BIT(PATCH_PCP_NO_DRAIN_ON_EXIT), 0},
	[PATCH_PCP_AUTO_TUNE] = {"pcp-auto-tune", "v6.7", "",
		"high moves between bounds as pages are taken and freed; refills scale up",
		PATCH_BIT(PATCH_PCP_NO_DRAIN_ON_EXIT) | PATCH_BIT(PATCH_PCP_HIGH_BY_ZONE) |
			PATCH_BIT(PATCH_PCP_SPINLOCK),
		0},
	[PATCH_CHUNKED_DRAIN] = {"chunked-drain", "2025", "",
		"drains go by batches, with both locks dropped between them",
		PATCH_BIT(PATCH_PCP_AUTO_TUNE) | PATCH_BIT(PATCH_PCP_TRYLOCK), 0},
};

#define V4_15 PATCH_BIT(PATCH_INLINE_RMQUEUE)
#define V4_17                                                                                      \
	(V4_15 | PATCH_BIT(PATCH_PAGEVEC_15) | PATCH_BIT(PATCH_NO_SKIP_PAGEVECS) |                 \
		PATCH_BIT(PATCH_PICK_OUTSIDE_LOCK) | PATCH_BIT(PATCH_PREFETCH_BUDDY))
#define V4_19 (V4_17 | PATCH_BIT(PATCH_DOUBLE_BATCH))
#define V5_13 (V4_19 | PATCH_BIT(PATCH_BULK_ALLOC) | PATCH_BIT(PATCH_INLINE_RMQUEUE_PCPLIST))
#define V5_14                                                                                      \
	(V5_13 | PATCH_BIT(PATCH_PCP_HIGH_BY_ZONE) | PATCH_BIT(PATCH_FREE_BATCH_SCALE) |           \
		PATCH_BIT(PATCH_PCP_HIGH_ORDER))
#define V5_18                                                                                      \
	((V5_14 & ~(PATCH_BIT(PATCH_PICK_OUTSIDE_LOCK) | PATCH_BIT(PATCH_PREFETCH_BUDDY))) |       \
		PATCH_BIT(PATCH_PCP_SINGLE_PASS) | PATCH_BIT(PATCH_HIGH_ORDER_LIMIT))
#define V6_0 (V5_18 | PATCH_BIT(PATCH_PCP_SPINLOCK))
#define V6_2 (V6_0 | PATCH_BIT(PATCH_PCP_TRYLOCK))
#define V6_7                                                                                       \
	(V6_2 | PATCH_BIT(PATCH_PCP_NO_DRAIN_ON_EXIT) |                                            \
		PATCH_BIT(PATCH_PCP_KEEP_HIGH_ORDER_BATCH) | PATCH_BIT(PATCH_PCP_AUTO_TUNE))

const struct kernel_info kernels[] = {
	{"v4.14", "drains pick their pages under zone->lock; batch 31, high 186", 0},
	{"v4.15", "__rmqueue inlined", V4_15},
	{"v4.17", "drains pick their pages before the lock and prefetch their buddies", V4_17},
	{"v4.18", "as v4.17", V4_17},
	{"v4.19", "batch 63, high 378", V4_19},
	{"v5.13", "many pages in one call", V5_13},
	{"v5.14", "pagesets for orders 0 to 3, high from the zone's size, drains that grow", V5_14},
	{"v5.18", "drains in one pass under zone->lock", V5_18},
	{"v5.19", "as v5.18", V5_18},
	{"v6.0", "pagesets under a spinlock", V6_0},
	{"v6.2", "that lock is only tried, interrupts stay on", V6_2},
	{"v6.6", "as v6.2", V6_2},
	{"v6.7", "high tunes itself, and bursts of high orders keep a batch", V6_7},
};
const size_t nr_kernels = sizeof(kernels) / sizeof(kernels[0]);

struct kernel_ops kernel;

const struct kernel_info *kernel_find(const char *name)
{
	for (size_t i = 0; i < nr_kernels; i++)
		if (!strcmp(kernels[i].name, name))
			return &kernels[i];
	return NULL;
}

int patch_find(const char *name)
{
	for (int i = 0; i < NR_PATCHES; i++)
		if (!strcmp(patches[i].name, name))
			return i;
	return -1;
}

/* The first patch in @set; only called for sets that are not empty. */
static const char *first_name(patch_set set)
{
	return patches[__builtin_ctzll(set)].name;
}

bool patch_set_check(patch_set set, char *why, size_t size)
{
	for (int i = 0; i < NR_PATCHES; i++) {
		if (!(set & PATCH_BIT(i)))
			continue;
		patch_set missing = patches[i].needs & ~set;
		patch_set clash = patches[i].excludes & set;

		if (missing)
			(void)snprintf(why, size, "patch %s needs %s", patches[i].name,
				first_name(missing));
		else if (clash)
			(void)snprintf(why, size, "patches %s and %s exclude each other",
				patches[i].name, first_name(clash));
		if (missing || clash)
			return false;
	}
	return true;
}

void kernel_select(patch_set set)
{
	bool pick = set & PATCH_BIT(PATCH_PICK_OUTSIDE_LOCK);
	bool prefetch = set & PATCH_BIT(PATCH_PREFETCH_BUDDY);
	bool one_pass = set & PATCH_BIT(PATCH_PCP_SINGLE_PASS);
	bool orders = set & PATCH_BIT(PATCH_PCP_HIGH_ORDER);
	bool unmerged = set & PATCH_BIT(PATCH_SKIP_MERGE);
	bool cluster = set & PATCH_BIT(PATCH_CLUSTER_ALLOC);
	int drain = 2 * prefetch + pick;

	kernel.alloc_pages = alloc_pages_forms[orders];
	kernel.free_pages = free_pages_forms[orders];
	kernel.pcp = orders ? *pcp_order_ops(set) : *pcp_ops(set);
	kernel.rmqueue_bulk =
		rmqueue_bulk_forms[2 * cluster + !!(set & PATCH_BIT(PATCH_INLINE_RMQUEUE))];
	kernel.free_pcppages_bulk = free_pcppages_bulk_forms[cluster	? 6
							     : unmerged ? 4 + pick
									: drain];
	kernel.free_pcp_orders = free_pcp_orders_forms[one_pass ? 4 : drain];
	kernel.pagevec_lru_add = pagevec_lru_add_forms[!!(set & PATCH_BIT(PATCH_NO_SKIP_PAGEVECS))];
	kernel.lru_cache_add = lru_cache_add_forms[2 * !!(set & PATCH_BIT(PATCH_NO_SKIP_PAGEVECS)) +
						   !!(set & PATCH_BIT(PATCH_PAGEVEC_15))];
}
