/* SPDX-License-Identifier: GPL-3.0-or-later */
/* look.c - what tests look at. */

#include "look.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stdio.h>

#include <cmocka.h>

#include "../../alloc/check.h"
#include "../../alloc/page_alloc.h"

struct look look_list(const struct list_head *list)
{
	struct look look = {0};
	const struct list_head *entry;

	list_for_each (entry, list) {
		if (look.length == LOOK_MAX)
			fail_msg("a list of more than %d pages", LOOK_MAX);
		look.pfn[look.length++] = page_to_pfn(container_of(entry, struct page, lru));
	}
	return look;
}

struct look look_free(int node, unsigned int order, int migratetype)
{
	return look_list(&zone_of(node)->free_area[order].free_list[migratetype]);
}

struct look look_pageset(int cpu, int node, int migratetype)
{
	return look_list(&zone_of(node)->pageset[cpu]->pcp.lists[migratetype]);
}

void look_expect(struct look look, ...)
{
	unsigned int i = 0;
	va_list args;

	va_start(args, look);
	for (unsigned long want; (want = va_arg(args, unsigned long)) != LAST; i++) {
		if (i == look.length)
			fail_msg("the list ends before page %lu", want);
		if (look.pfn[i] != want)
			fail_msg("place %u of the list has page %lu instead of %lu", i, look.pfn[i],
				want);
	}
	va_end(args);
	if (i != look.length)
		fail_msg("the list goes on with page %lu", look.pfn[i]);
}

void look_consistent(void)
{
	char why[200];

	if (mm_check(why, sizeof(why)))
		fail_msg("%s", why);
	if (native_busy())
		fail_msg("interrupts are off or a lock is held");
}

unsigned long take_pfn_of(unsigned int order, int migratetype)
{
	struct page *page = alloc_pages(order, migratetype);

	assert_non_null(page);
	return page_to_pfn(page);
}

void free_pfn(unsigned long pfn, unsigned int order)
{
	free_pages(pfn_to_page(pfn), order);
}

void boot_without_pagesets(void)
{
	native_boot(&(struct native_config){
		.nodes = 1, .cpus = 2, .sections_per_node = 1, .batch = 1, .high = 1});
}

void look_above_watermark(bool above[MAX_NUMNODES], unsigned int order)
{
	for (int node = 0; node < nr_online_nodes; node++)
		above[node] = zone_page_state(zone_of(node), NR_FREE_PAGES) >
			      zone_of(node)->watermark[WMARK_LOW] + (1UL << order);
}
