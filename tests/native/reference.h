/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * reference.h - the allocator once more, naively: free lists as plain arrays of page frame
 * numbers, searched from end to end. It knows no locks, no links and no patches, since none of
 * them may change which page an allocation gets.
 *
 * It also keeps who owns each page, and refuses what no owner may do.
 */
#ifndef ZONESIM_NATIVE_REFERENCE_H
#define ZONESIM_NATIVE_REFERENCE_H

#include "machine.h"

#define NO_PFN (~0UL)

/* Start over, as native_boot does. */
void reference_boot(const struct native_config *config, int batch, int high);

/*
 * reference_alloc - the first page frame of the block that @cpu gets, NO_PFN when @node has none.
 * Which node is tried when depends on watermarks, and is the caller's business.
 */
unsigned long reference_alloc(int cpu, int node, unsigned int order, int migratetype);

/*
 * The same from the nodes in the order in which the kernel tries them: from that of @cpu on, first
 * those that are @above their low watermark, then all.
 */
unsigned long reference_alloc_any(
	int cpu, const bool above[MAX_NUMNODES], unsigned int order, int migratetype);

/* @cpu frees the block at @pfn. Returns false when no one has it. */
bool reference_free(int cpu, unsigned long pfn, unsigned int order);

/* Is @pfn inside a block that was allocated and not freed? */
bool reference_owned(unsigned long pfn);

/* Pages on the pageset of @cpu for @node. */
int reference_pageset_count(int cpu, int node);

/* The pageset of @cpu for @node goes back to buddy. */
void reference_drain(int cpu, int node);

#endif
