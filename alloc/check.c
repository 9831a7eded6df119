/* SPDX-License-Identifier: GPL-3.0-or-later */
/* check.c - deriving the state of memory anew, to compare it with what is recorded. */

#include "check.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "buddy.h"
#include "cluster.h"
#include "pcp.h"
#include "vmstat.h"

struct check {
	uint8_t *places;
	char *why;
	size_t size;
};

/* What is wrong; returns -1 for the caller to return. */
static int __attribute__((format(printf, 2, 3)))
wrong(const struct check *check, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	(void)vsnprintf(check->why, check->size, format, args);
	va_end(args);
	return -1;
}

/* The first page frame of @zone that is not brought up. */
static unsigned long end_pfn(const struct zone *zone)
{
	return zone->first_deferred_pfn;
}

static bool pfn_in_zone(const struct zone *zone, unsigned long pfn)
{
	return pfn >= zone->zone_start_pfn && pfn < end_pfn(zone);
}

/* Can @entry be a page of @zone? Nothing it points to is looked at. */
static bool entry_in_zone(const struct zone *zone, const struct list_head *entry)
{
	uintptr_t offset = (uintptr_t)entry - offsetof(struct page, lru) - (uintptr_t)mem_map;

	return offset % sizeof(struct page) == 0 && pfn_in_zone(zone, offset / sizeof(struct page));
}

/*
 * The page of @entry on the list at @head, with its links checked before anyone follows them. NULL
 * with the reason given.
 */
static struct page *page_of_entry(const struct check *check, const struct zone *zone,
	const struct list_head *head, const struct list_head *entry)
{
	int node = zone->zone_pgdat->node_id;

	if (!entry_in_zone(zone, entry)) {
		(void)wrong(check, "a list of node %d leads to %p, which is no page of the node",
			node, (const void *)entry);
		return NULL;
	}
	struct page *page = container_of(entry, struct page, lru);
	bool next = entry->next == head || entry_in_zone(zone, entry->next);
	bool prev = entry->prev == head || entry_in_zone(zone, entry->prev);

	if (!next || !prev || entry->next->prev != entry || entry->prev->next != entry) {
		(void)wrong(check, "page %lu: its neighbours on the list do not point back",
			page_to_pfn(page));
		return NULL;
	}
	return page;
}

/* Claim @pages from @pfn on for @place; they must not be in another. */
static int claim(
	const struct check *check, unsigned long pfn, unsigned long pages, enum page_place place)
{
	static const char *const names[] = {
		"elsewhere", "a free list", "a pageset", "an LRU list", "deferred memory"};

	for (unsigned long at = pfn; at < pfn + pages; at++) {
		if (check->places[at] != PLACE_ELSEWHERE)
			return wrong(check, "page %lu is on %s and on %s", at,
				names[check->places[at]], names[place]);
		check->places[at] = (uint8_t)place;
	}
	return 0;
}

/* ---- free lists ---- */

static int check_block(const struct check *check, const struct zone *zone, const struct page *page,
	unsigned int order)
{
	unsigned long pfn = page_to_pfn(page);

	if (!PageBuddy(page) || page_order(page) != order)
		return wrong(
			check, "page %lu on a list of order %u is not marked as such", pfn, order);
	if (pfn & ((1UL << order) - 1))
		return wrong(check, "block %lu is not aligned to its order %u", pfn, order);
	if (page_to_nid(page) != zone->zone_pgdat->node_id)
		return wrong(check, "block %lu of node %d is on a list of node %d", pfn,
			page_to_nid(page), zone->zone_pgdat->node_id);
	for (unsigned long at = 0; at < 1UL << order; at++)
		if (page[at]._refcount || (at && page[at]._mapcount != -1))
			return wrong(check, "page %lu in a free block has users", pfn + at);
	return claim(check, pfn, 1UL << order, PLACE_BUDDY);
}

/* Adds what the list holds to @blocks. */
static int check_free_list(const struct check *check, const struct zone *zone, unsigned int order,
	const struct list_head *list, unsigned long *blocks)
{
	const struct list_head *entry;

	list_for_each (entry, list) {
		const struct page *page = page_of_entry(check, zone, list, entry);

		if (!page || check_block(check, zone, page, order))
			return -1;
		++*blocks;
	}
	return 0;
}

/* Runs of single pages: together, as long as their records say, and with the tail at the end. */
static int check_clusters(
	const struct check *check, const struct zone *zone, const struct list_head *list)
{
	const struct list_head *entry = list->next;

	while (entry != list) {
		const struct page *page =
			container_of((struct list_head *)(uintptr_t)entry, struct page, lru);
		const struct cluster *c = page_cluster(page);
		int length = 0;

		if (!c) {
			entry = entry->next;
			continue;
		}
		for (; entry != list &&
			page_cluster(container_of(
				(struct list_head *)(uintptr_t)entry, struct page, lru)) == c;
			entry = entry->next)
			length++;
		if (length != c->length || &c->tail->lru != entry->prev)
			return wrong(check,
				"node %d: the run of page %lu has %d pages together, but %d by its "
				"record",
				zone->zone_pgdat->node_id, page_to_pfn(page), length, c->length);
	}
	return 0;
}

static int check_free_areas(const struct check *check, const struct zone *zone)
{
	unsigned long free = zone->zone_start_pfn + zone->managed_pages - end_pfn(zone);

	for (unsigned int order = 0; order < MAX_ORDER; order++) {
		const struct free_area *area = &zone->free_area[order];
		unsigned long blocks = 0, isolated = 0;

		for (int type = 0; type < MIGRATE_TYPES; type++)
			if (check_free_list(check, zone, order, &area->free_list[type],
				    type == MIGRATE_ISOLATE ? &isolated : &blocks))
				return -1;
		for (int type = 0; order == 0 && type < MIGRATE_TYPES; type++)
			if (check_clusters(check, zone, &area->free_list[type]))
				return -1;
		if (area->nr_free != blocks + isolated)
			return wrong(check, "node %d order %u: nr_free is %lu, but %lu are listed",
				zone->zone_pgdat->node_id, order, area->nr_free, blocks + isolated);
		free += blocks << order;
	}
	long counted = zone_page_state_snapshot(zone, NR_FREE_PAGES);

	if (counted != (long)free)
		return wrong(check, "node %d: nr_free_pages is %ld, but %lu are free",
			zone->zone_pgdat->node_id, counted, free);
	return 0;
}

/* A block and its buddy are never both free, short of the largest order or a fence between them. */
static int check_merged(const struct check *check, const struct zone *zone)
{
	for (unsigned long pfn = zone->zone_start_pfn; pfn < end_pfn(zone);) {
		const struct page *page = pfn_to_page(pfn);

		if (check->places[pfn] != PLACE_BUDDY) {
			/* a mark without a list entry */
			if (PageBuddy(page))
				return wrong(check, "page %lu is marked free and on no list", pfn);
			pfn++;
			continue;
		}
		unsigned int order = page_order(page);
		const struct page *buddy = pfn_to_page(pfn ^ (1UL << order));
		bool fenced = order >= PAGEBLOCK_ORDER && zone->nr_isolate_pageblock;

		bool skipped = page->index == MERGE_SKIPPED || buddy->index == MERGE_SKIPPED;

		if (order < MAX_ORDER - 1 && !fenced && !(order == 0 && skipped) &&
			PageBuddy(buddy) && page_order(buddy) == order)
			return wrong(check, "blocks %lu and %lu of order %u are buddies, both free",
				pfn, page_to_pfn(buddy), order);
		pfn += 1UL << order;
	}
	return 0;
}

/* ---- pagesets ---- */

/* Adds the pages of @list, blocks of @order, to @pages. */
static int check_pageset_list(const struct check *check, const struct zone *zone,
	const struct list_head *list, unsigned int order, int *pages)
{
	const struct list_head *entry;

	list_for_each (entry, list) {
		const struct page *page = page_of_entry(check, zone, list, entry);
		unsigned long pfn = page ? page_to_pfn(page) : 0;

		if (!page || claim(check, pfn, 1UL << order, PLACE_PAGESET))
			return -1;
		if (pfn & ((1UL << order) - 1))
			return wrong(check, "block %lu on a pageset is not aligned to order %u",
				pfn, order);
		for (unsigned long at = 0; at < 1UL << order; at++)
			if (page[at]._refcount || page[at]._mapcount != -1)
				return wrong(check, "page %lu on a pageset has users", pfn + at);
		*pages += 1 << order;
	}
	return 0;
}

/* A pageset of blocks of several orders (since v5.14). */
static int check_order_lists(const struct check *check, const struct zone *zone,
	const struct per_cpu_order_pages *pcp, int *pages)
{
	for (unsigned int pindex = 0; pindex < NR_PCP_LISTS; pindex++) {
		unsigned int order = pindex == NR_LOWORDER_PCP_LISTS ? PAGEBLOCK_ORDER
								     : pindex / MIGRATE_PCPTYPES;

		if (check_pageset_list(check, zone, &pcp->lists[pindex], order, pages))
			return -1;
	}
	return 0;
}

static int check_pageset(const struct check *check, const struct zone *zone, int cpu)
{
	const struct per_cpu_pageset *pset = zone->pageset[cpu];
	int pages = 0;

	for (int type = 0; type < MIGRATE_PCPTYPES; type++)
		if (check_pageset_list(check, zone, &pset->pcp.lists[type], 0, &pages))
			return -1;
	if (zone->per_cpu_pages[cpu] &&
		check_order_lists(check, zone, zone->per_cpu_pages[cpu], &pages))
		return -1;
	if (pages != pcp_count(zone, cpu))
		return wrong(check, "node %d CPU %d: the pageset counts %d pages, but lists %d",
			zone->zone_pgdat->node_id, cpu, pcp_count(zone, cpu), pages);
	for (int item = 0; item < NR_VM_ZONE_STAT_ITEMS; item++)
		if (abs(pset->vm_stat_diff[item]) > pset->stat_threshold)
			return wrong(check, "node %d CPU %d: counter %d is held back too far",
				zone->zone_pgdat->node_id, cpu, item);
	return 0;
}

/* ---- LRU lists ---- */

static enum lru_list lru_of(const struct page *page)
{
	if (page_flag(page, PG_unevictable))
		return LRU_UNEVICTABLE;
	return (enum lru_list)(
		(page_flag(page, PG_swapbacked) ? LRU_INACTIVE_ANON : LRU_INACTIVE_FILE) +
		page_flag(page, PG_active));
}

static long node_page_state_snapshot(const struct pglist_data *pgdat, enum node_stat_item item)
{
	long sum = pgdat->vm_stat[item];

	for (int cpu = 0; cpu < nr_cpu_ids; cpu++)
		sum += pgdat->per_cpu_nodestats[cpu]->vm_node_stat_diff[item];
	return sum;
}

static int check_lru_counters(const struct check *check, const struct pglist_data *pgdat,
	enum lru_list lru, unsigned long pages)
{
	long node = node_page_state_snapshot(pgdat, NR_LRU_BASE + lru);
	long zone = zone_page_state_snapshot(&pgdat->zone, NR_ZONE_LRU_BASE + lru);

	if (pgdat->memcg->lru_size[lru] != pages || node != (long)pages || zone != (long)pages)
		return wrong(check,
			"node %d: LRU list %d has %lu pages, but is counted as %lu by the memory "
			"cgroup, %ld by the node and %ld by the zone",
			pgdat->node_id, lru, pages, pgdat->memcg->lru_size[lru], node, zone);
	return 0;
}

static int check_lru(const struct check *check, const struct pglist_data *pgdat, enum lru_list lru)
{
	const struct list_head *list = &pgdat->memcg->lruvec.lists[lru], *entry;
	unsigned long pages = 0;

	list_for_each (entry, list) {
		const struct page *page = page_of_entry(check, &pgdat->zone, list, entry);

		if (!page || claim(check, page_to_pfn(page), 1, PLACE_LRU))
			return -1;
		if (!page_flag(page, PG_lru) || lru_of(page) != lru || page->_refcount < 1)
			return wrong(check, "page %lu does not belong on LRU list %d",
				page_to_pfn(page), lru);
		pages++;
	}
	return check_lru_counters(check, pgdat, lru, pages);
}

/* ---- all of it ---- */

static int check_node(const struct check *check, const struct pglist_data *pgdat)
{
	const struct zone *zone = &pgdat->zone;

	if (check_free_areas(check, zone))
		return -1;
	for (int cpu = 0; cpu < nr_cpu_ids; cpu++)
		if (check_pageset(check, zone, cpu))
			return -1;
	for (enum lru_list lru = 0; lru < NR_LRU_LISTS; lru++)
		if (check_lru(check, pgdat, lru))
			return -1;
	return check_merged(check, zone);
}

/* The machine-wide sums are of the same counters. */
static int check_global(const struct check *check)
{
	for (enum zone_stat_item item = 0; item < NR_VM_ZONE_STAT_ITEMS; item++) {
		long sum = 0;

		for (int node = 0; node < nr_online_nodes; node++)
			sum += node_data[node]->zone.vm_stat[item];
		if (sum != vm_global->zone[item])
			return wrong(check, "zone counter %d: the machine's is %ld, the zones' %ld",
				item, vm_global->zone[item], sum);
	}
	for (enum node_stat_item item = 0; item < NR_VM_NODE_STAT_ITEMS; item++) {
		long sum = 0;

		for (int node = 0; node < nr_online_nodes; node++)
			sum += node_data[node]->vm_stat[item];
		if (sum != vm_global->node[item])
			return wrong(check, "node counter %d: the machine's is %ld, the nodes' %ld",
				item, vm_global->node[item], sum);
	}
	return 0;
}

/* @check->places is zeroed. */
static int check_all(const struct check *check)
{
	for (int node = 0; node < nr_online_nodes; node++)
		if (check_node(check, node_data[node]))
			return -1;
	return check_global(check);
}

static unsigned long nr_pages(void)
{
	const struct zone *last = &node_data[nr_online_nodes - 1]->zone;

	return last->zone_start_pfn + last->managed_pages;
}

int mm_check_places(uint8_t *places, char *why, size_t size)
{
	memset(places, PLACE_ELSEWHERE, nr_pages());
	for (int node = 0; node < nr_online_nodes; node++) {
		const struct zone *zone = &node_data[node]->zone;
		unsigned long end = zone->zone_start_pfn + zone->managed_pages;

		memset(places + end_pfn(zone), PLACE_DEFERRED, end - end_pfn(zone));
	}
	return check_all(&(struct check){places, why, size});
}

int mm_check(char *why, size_t size)
{
	/* zeroed by the system: deferred memory, which may be most, costs nothing */
	struct check check = {calloc(nr_pages(), 1), why, size};

	if (!check.places)
		return wrong(&check, "no memory to check with");
	int status = check_all(&check);

	free(check.places);
	return status;
}
