/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * lru.h - putting pages on the node's LRU lists and taking them off, in bunches under its lock.
 */
#ifndef ZONESIM_ALLOC_LRU_H
#define ZONESIM_ALLOC_LRU_H

#include "mm.h"

#define PAGEVEC_SIZE 15 /* room; how many are gathered is the kernel's choice */

/* Pages of one CPU that wait to go on the LRU; each holds a reference. */
struct pagevec {
	unsigned long nr;
	struct page *pages[PAGEVEC_SIZE];
};
_Static_assert(sizeof(struct pagevec) == 128, "two cache lines");

/* Queue a new page in @pvec, this CPU's, and move the pagevec to the LRU when it is full. */
void lru_cache_add(struct pagevec *pvec, struct page *page);

/* Move what is in @pvec to the LRU. */
void lru_add_drain(struct pagevec *pvec);

/* Drop a reference to each page, and free those that have no other. */
void release_pages(struct page **pages, int count);

#endif
