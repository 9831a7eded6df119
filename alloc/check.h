/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * check.h - is the state of memory consistent? Derived anew from struct pages and lists.
 *
 * Only for moments when no CPU is inside the allocator. Not instrumented, not on any hot path.
 */
#ifndef ZONESIM_ALLOC_CHECK_H
#define ZONESIM_ALLOC_CHECK_H

#include <stddef.h>
#include <stdint.h>

/* Where a page is. */
enum page_place {
	PLACE_ELSEWHERE, /* on no list: in use, or leaked as bad */
	PLACE_BUDDY,
	PLACE_PAGESET,
	PLACE_LRU,
	PLACE_DEFERRED, /* not brought up yet */
};

/*
 * mm_check - each page is in one place at most; blocks are aligned, and not free beside a free
 * buddy that they should have merged with; every counter equals the length of its list; the
 * counter of free pages, with what CPUs hold back, equals what is free.
 * Returns 0, or -1 with the first thing found wrong in @why (at most @size bytes, terminated).
 */
int mm_check(char *why, size_t size);

/* The same, and tells in @places where each page is, by page frame number of all nodes. */
int mm_check_places(uint8_t *places, char *why, size_t size);

#endif
