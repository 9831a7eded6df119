/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * kernel.h - releases of the kernel as sets of patches, and the patches themselves.
 */
#ifndef ZONESIM_KERNEL_H
#define ZONESIM_KERNEL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* One bit each in a patch_set. */
enum patch {
	PATCH_INLINE_RMQUEUE,
	PATCH_PICK_OUTSIDE_LOCK,
	PATCH_PREFETCH_BUDDY,
	PATCH_DOUBLE_BATCH,
	PATCH_PAGEVEC_15,
	PATCH_NO_SKIP_PAGEVECS,
	PATCH_SKIP_MERGE,
	PATCH_CLUSTER_ALLOC,
	PATCH_BULK_ALLOC,
	PATCH_INLINE_RMQUEUE_PCPLIST,
	PATCH_PCP_HIGH_BY_ZONE,
	PATCH_FREE_BATCH_SCALE,
	PATCH_PCP_HIGH_ORDER,
	PATCH_PCP_SINGLE_PASS,
	PATCH_HIGH_ORDER_LIMIT,
	PATCH_PCP_SPINLOCK,
	PATCH_PCP_TRYLOCK,
	PATCH_PCP_NO_DRAIN_ON_EXIT,
	PATCH_PCP_KEEP_HIGH_ORDER_BATCH,
	PATCH_PCP_AUTO_TUNE,
	PATCH_CHUNKED_DRAIN,
	NR_PATCHES,
};

typedef uint64_t patch_set;
#define PATCH_BIT(p) ((patch_set)1 << (p))

/* What `zonesim list patches` shows; needs and excludes are sets. */
struct patch_info {
	const char *name;
	const char *release; /* first release with it, e.g. "v4.17" */
	const char *commit;  /* of mainline, 12 digits; "" when never merged or not known */
	const char *summary; /* what it changes, one line */
	patch_set needs, excludes;
};

struct kernel_info {
	const char *name; /* "v4.15" */
	const char *summary;
	patch_set patches;
};

extern const struct patch_info patches[NR_PATCHES];
extern const struct kernel_info kernels[];
extern const size_t nr_kernels;

/* Look up by name; NULL or -1 when there is none. */
const struct kernel_info *kernel_find(const char *name);
int patch_find(const char *name);

/*
 * patch_set_check - can these patches work together?
 * Returns true, or false with the reason in @why (at most @size bytes, always terminated).
 */
bool patch_set_check(patch_set set, char *why, size_t size);

#endif
