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
};

#define V4_15 PATCH_BIT(PATCH_INLINE_RMQUEUE)
#define V4_17                                                                                      \
	(V4_15 | PATCH_BIT(PATCH_PAGEVEC_15) | PATCH_BIT(PATCH_PICK_OUTSIDE_LOCK) |                \
		PATCH_BIT(PATCH_PREFETCH_BUDDY))
#define V4_19 (V4_17 | PATCH_BIT(PATCH_DOUBLE_BATCH))

const struct kernel_info kernels[] = {
	{"v4.14", "drains pick their pages under zone->lock; batch 31, high 186", 0},
	{"v4.15", "__rmqueue inlined", V4_15},
	{"v4.17", "drains pick their pages before the lock and prefetch their buddies", V4_17},
	{"v4.18", "as v4.17", V4_17},
	{"v4.19", "batch 63, high 378", V4_19},
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

	kernel.rmqueue_bulk = rmqueue_bulk_forms[!!(set & PATCH_BIT(PATCH_INLINE_RMQUEUE))];
	kernel.free_pcppages_bulk = free_pcppages_bulk_forms[2 * prefetch + pick];
	kernel.lru_cache_add = lru_cache_add_forms[!!(set & PATCH_BIT(PATCH_PAGEVEC_15))];
}
