/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * boot.h - bringing memory up: nodes, zones, pagesets, their sizes.
 *
 * Nothing here is on a hot path, and none of it is instrumented.
 */
#ifndef ZONESIM_ALLOC_BOOT_H
#define ZONESIM_ALLOC_BOOT_H

#include "mm.h"

struct boot_parameters {
	patch_set patches;
	int nodes, cpus;
	const int *cpu_node;	      /* node of each CPU; for sizes alone NULL: all on one node */
	unsigned long pages_per_node; /* a multiple of PAGES_PER_SECTION */
	int batch, high;	      /* 0: what the kernel chooses */
	int percpu_pagelist_fraction; /* 0: off; before pcp-high-by-zone */
	int percpu_pagelist_high_fraction; /* 0: off; since */
	unsigned long cache_slice;	   /* bytes of last-level cache per CPU */
};

/*
 * mm_init - build all nodes with their memory free. Uses memblock_alloc for everything; call once.
 * Returns 0, or -1 when memblock_alloc has no more.
 */
int mm_init(const struct boot_parameters *boot);

/*
 * deferred_grow_zone - bring up one more section of a zone's memory, as a kernel with deferred
 * initialisation of struct pages does, so that a large machine costs only what is used of it.
 * The section's pages already count as free. Returns false when all memory is up.
 */
bool deferred_grow_zone(struct zone *zone);

/* The batch that a zone of @managed_pages gets; @double_batch is commit d8a759b57035. */
int zone_batchsize(unsigned long managed_pages, bool double_batch);

/*
 * zone_highsize - high of a zone by pcp-high-by-zone: its low watermark's pages, or 1/@fraction of
 * its memory when that is not 0, shared by the @cpus of its node; at least four batches.
 */
int zone_highsize(const struct boot_parameters *boot, int batch, int cpus, int fraction);

/*
 * pageset_size - batch and high as the kernel would set them, then overridden where not 0.
 * The batch is at least 1.
 */
void pageset_size(const struct boot_parameters *boot, int *batch, int *high);

#endif
