/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * look.h - what tests look at, as page frame numbers.
 */
#ifndef ZONESIM_NATIVE_LOOK_H
#define ZONESIM_NATIVE_LOOK_H

#include "../../alloc/vmstat.h"
#include "machine.h"

#define LOOK_MAX 1024
#define LAST (~0UL) /* ends what look_expect expects */

/* The pages of a list from its head; at most LOOK_MAX. */
struct look {
	unsigned int length;
	unsigned long pfn[LOOK_MAX];
};
struct look look_list(const struct list_head *list);
struct look look_free(int node, unsigned int order, int migratetype);
struct look look_pageset(int cpu, int node, int migratetype);

/* Fails the test unless @look is exactly the numbers given, up to LAST. */
void look_expect(struct look look, ...);

/* Fails the test unless mm_check finds memory consistent and no CPU holds anything. */
void look_consistent(void);

/* One page or block, by number; fails the test when there is none. */
unsigned long take_pfn_of(unsigned int order, int migratetype);
void free_pfn(unsigned long pfn, unsigned int order);

static inline struct zone *zone_of(int node)
{
	return &node_data[node]->zone;
}

/* For each node, whether it has more than a block of @order above its low watermark. */
void look_above_watermark(bool above[MAX_NUMNODES], unsigned int order);

/* Boots one node of one section with a pageset that passes each page straight on to buddy. */
void boot_without_pagesets(void);

#endif
