/* SPDX-License-Identifier: GPL-3.0-or-later */
/* reference.c - the allocator once more, naively. */

#include "reference.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

#define MAX_PAGES (4 * PAGES_PER_SECTION)
#define MAX_CPUS 64
#define MAX_NODES 4
#define TYPES 3

/* ---- lists as arrays: [0] is the head ---- */

struct sequence {
	unsigned int length, room;
	unsigned int *pfn; /* kept from one machine to the next */
};

static void insert(struct sequence *s, unsigned int at, unsigned long pfn)
{
	if (s->length == s->room) {
		s->room = s->room ? 2 * s->room : 64;
		s->pfn = realloc(s->pfn, s->room * sizeof(s->pfn[0]));
		assert(s->pfn);
	}
	memmove(&s->pfn[at + 1], &s->pfn[at], (s->length - at) * sizeof(s->pfn[0]));
	s->pfn[at] = (unsigned int)pfn;
	s->length++;
}

static unsigned long take(struct sequence *s, unsigned int at)
{
	unsigned long pfn = s->pfn[at];

	s->length--;
	memmove(&s->pfn[at], &s->pfn[at + 1], (s->length - at) * sizeof(s->pfn[0]));
	return pfn;
}

static bool take_pfn(struct sequence *s, unsigned long pfn)
{
	for (unsigned int i = 0; i < s->length; i++)
		if (s->pfn[i] == pfn) {
			(void)take(s, i);
			return true;
		}
	return false;
}

/* ---- state ---- */

static struct reference_node {
	struct sequence free[MAX_ORDER][TYPES];
	unsigned long start, end, deferred;
} nodes[MAX_NODES];

static struct {
	struct sequence list[TYPES];
} pagesets[MAX_CPUS][MAX_NODES];

static int free_order[MAX_PAGES];  /* of the free block that begins here, -1: none does */
static int owned_order[MAX_PAGES]; /* of the allocated block that this page is in, -1: in none */
static int block_type[MAX_PAGES / PAGEBLOCK_NR_PAGES];
static unsigned long pages_per_node;
static int nr_nodes, batch_size, high_mark;

static void empty(struct sequence *sequences, int nr)
{
	for (int i = 0; i < nr; i++)
		sequences[i].length = 0;
}

void reference_boot(const struct native_config *config, int batch, int high)
{
	for (int cpu = 0; cpu < MAX_CPUS; cpu++)
		for (int node = 0; node < MAX_NODES; node++)
			empty(pagesets[cpu][node].list, TYPES);
	memset(free_order, -1, sizeof(free_order));
	memset(owned_order, -1, sizeof(owned_order));
	for (unsigned long i = 0; i < MAX_PAGES / PAGEBLOCK_NR_PAGES; i++)
		block_type[i] = MIGRATE_MOVABLE;
	pages_per_node = config->sections_per_node * PAGES_PER_SECTION;
	assert(pages_per_node * (unsigned long)config->nodes <= MAX_PAGES);
	assert(config->nodes <= MAX_NODES && config->cpus <= MAX_CPUS);
	for (int i = 0; i < config->nodes; i++) {
		empty(nodes[i].free[0], MAX_ORDER * TYPES);
		nodes[i].start = nodes[i].deferred = (unsigned long)i * pages_per_node;
		nodes[i].end = nodes[i].start + pages_per_node;
	}
	nr_nodes = config->nodes;
	batch_size = batch;
	high_mark = high;
}

static int *type_of(unsigned long pfn)
{
	return &block_type[pfn / PAGEBLOCK_NR_PAGES];
}

static void put_free(
	struct reference_node *node, unsigned long pfn, unsigned int order, int type, bool at_tail)
{
	struct sequence *list = &node->free[order][type];

	insert(list, at_tail ? list->length : 0, pfn);
	free_order[pfn] = (int)order;
}

/* ---- freeing ---- */

static void give_back(unsigned long pfn, unsigned int order, int type)
{
	struct reference_node *node = &nodes[pfn / pages_per_node];

	for (; order < MAX_ORDER - 1; order++) {
		unsigned long buddy = pfn ^ (1UL << order);

		if (free_order[buddy] != (int)order)
			break;
		for (int t = 0; t < TYPES; t++)
			if (take_pfn(&node->free[order][t], buddy))
				break;
		free_order[buddy] = -1;
		if (buddy < pfn)
			pfn = buddy;
	}
	/* the block twice as large that this one could become half of, and that one's buddy */
	unsigned long twice = 2UL << order;
	bool soon = order <= 8 && free_order[(pfn / twice * twice) ^ twice] == (int)order + 1;

	put_free(node, pfn, order, type, soon);
}

static void drain(int cpu, int node, int count)
{
	struct sequence *list = pagesets[cpu][node].list;
	int type = 0;

	while (count > 0) {
		int run = 0;

		do {
			type = (type + 1) % TYPES;
			run++;
		} while (list[type].length == 0);
		if (run == TYPES)
			run = count;
		for (; run > 0 && count > 0 && list[type].length > 0; run--, count--)
			give_back(take(&list[type], list[type].length - 1), 0, type);
	}
}

int reference_pageset_count(int cpu, int node)
{
	int sum = 0;

	for (int type = 0; type < TYPES; type++)
		sum += (int)pagesets[cpu][node].list[type].length;
	return sum;
}

void reference_drain(int cpu, int node)
{
	drain(cpu, node, reference_pageset_count(cpu, node));
}

bool reference_owned(unsigned long pfn)
{
	return owned_order[pfn] >= 0;
}

bool reference_free(int cpu, unsigned long pfn, unsigned int order)
{
	int node = (int)(pfn / pages_per_node);

	for (unsigned long at = pfn; at < pfn + (1UL << order); at++) {
		if (owned_order[at] != (int)order)
			return false;
		owned_order[at] = -1;
	}
	int type = *type_of(pfn);

	if (order > 0) {
		give_back(pfn, order, type);
		return true;
	}
	insert(&pagesets[cpu][node].list[type], 0, pfn);
	if (reference_pageset_count(cpu, node) >= high_mark)
		drain(cpu, node, batch_size);
	return true;
}

/* ---- allocating ---- */

/* The block at @pfn leaves the lists; what of it is not needed returns to those of @type. */
static unsigned long carve(struct reference_node *node, unsigned long pfn, unsigned int have,
	unsigned int want, int type)
{
	free_order[pfn] = -1;
	while (have > want) {
		have--;
		put_free(node, pfn + (1UL << have), have, type, false);
	}
	return pfn;
}

static unsigned long smallest_fit(struct reference_node *node, unsigned int order, int type)
{
	for (unsigned int o = order; o < MAX_ORDER; o++)
		if (node->free[o][type].length)
			return carve(node, take(&node->free[o][type], 0), o, order, type);
	return NO_PFN;
}

static bool grow(struct reference_node *node)
{
	if (node->deferred == node->end)
		return false;
	for (unsigned long i = 0; i < PAGES_PER_SECTION; i += 1024)
		put_free(node, node->deferred + i, MAX_ORDER - 1, MIGRATE_MOVABLE, true);
	node->deferred += PAGES_PER_SECTION;
	return true;
}

/* The migratetypes to try for @type at @order, as the order of preference has it; -1: none. */
static int other_type(const struct reference_node *node, unsigned int order, int type)
{
	static const int preference[TYPES][2] = {
		[MIGRATE_MOVABLE] = {MIGRATE_RECLAIMABLE, MIGRATE_UNMOVABLE},
		[MIGRATE_UNMOVABLE] = {MIGRATE_RECLAIMABLE, MIGRATE_MOVABLE},
		[MIGRATE_RECLAIMABLE] = {MIGRATE_UNMOVABLE, MIGRATE_MOVABLE},
	};

	if (node->free[order][preference[type][0]].length)
		return preference[type][0];
	return node->free[order][preference[type][1]].length ? preference[type][1] : -1;
}

/* All free blocks of the pageblock change lists, in the order of their addresses. Pages moved. */
static unsigned int move_pageblock(struct reference_node *node, unsigned long pfn, int type)
{
	unsigned long start = pfn / PAGEBLOCK_NR_PAGES * PAGEBLOCK_NR_PAGES;
	unsigned int moved = 0;

	for (unsigned long at = start; at < start + PAGEBLOCK_NR_PAGES; at++) {
		int order = free_order[at];

		if (order < 0)
			continue;
		for (int t = 0; t < TYPES; t++)
			if (take_pfn(&node->free[order][t], at))
				break;
		put_free(node, at, (unsigned int)order, type, false);
		moved += 1U << order;
	}
	return moved;
}

/*
 * Take over the first block of @from, or all of its pageblock. In use there is nothing on the LRU
 * here, thus nothing that counts as movable: compatible with other types is all of a movable
 * pageblock, with movable pages nothing.
 */
static void steal(struct reference_node *node, unsigned int order, int from, int type, bool all)
{
	unsigned long pfn = node->free[order][from].pfn[0];

	if (order < PAGEBLOCK_ORDER && all) {
		unsigned int moved = move_pageblock(node, pfn, type);
		bool compatible = type != MIGRATE_MOVABLE && *type_of(pfn) == MIGRATE_MOVABLE;

		if (compatible || moved >= PAGEBLOCK_NR_PAGES / 2)
			*type_of(pfn) = type;
		return;
	}
	for (unsigned long at = pfn; order >= PAGEBLOCK_ORDER && at < pfn + (1UL << order);
		at += PAGEBLOCK_NR_PAGES)
		*type_of(at) = type;
	(void)take_pfn(&node->free[order][from], pfn);
	put_free(node, pfn, order, type, false);
}

/* Make blocks of @type out of another's; false when there is nothing. */
static bool fall_back(struct reference_node *node, unsigned int order, int type)
{
	if (!node->free[MAX_ORDER - 1][MIGRATE_MOVABLE].length && grow(node) &&
		type == MIGRATE_MOVABLE)
		return true;
	for (int o = MAX_ORDER - 1; o >= (int)order; o--) {
		int from = other_type(node, (unsigned int)o, type);

		if (from < 0)
			continue;
		bool all = o >= 4 || type != MIGRATE_MOVABLE;

		if (!all)
			for (o = (int)order; other_type(node, (unsigned int)o, type) < 0;)
				o++;
		steal(node, (unsigned int)o, other_type(node, (unsigned int)o, type), type, all);
		return true;
	}
	return false;
}

static unsigned long from_buddy(struct reference_node *node, unsigned int order, int type)
{
	unsigned long pfn = smallest_fit(node, order, type);

	while (pfn == NO_PFN && fall_back(node, order, type))
		pfn = smallest_fit(node, order, type);
	return pfn;
}

static void refill(struct reference_node *node, struct sequence *list, int type)
{
	for (int i = 0; i < batch_size; i++) {
		unsigned long pfn = from_buddy(node, 0, type);

		if (pfn == NO_PFN)
			return;
		insert(list, list->length, pfn);
	}
}

unsigned long reference_alloc(int cpu, int node, unsigned int order, int migratetype)
{
	struct sequence *list = &pagesets[cpu][node].list[migratetype];
	unsigned long pfn;

	if (order == 0 && !list->length)
		refill(&nodes[node], list, migratetype);
	if (order == 0)
		pfn = list->length ? take(list, 0) : NO_PFN;
	else
		pfn = from_buddy(&nodes[node], order, migratetype);
	for (unsigned long i = 0; pfn != NO_PFN && i < 1UL << order; i++) {
		assert(owned_order[pfn + i] < 0 && free_order[pfn + i] < 0);
		owned_order[pfn + i] = (int)order;
	}
	return pfn;
}

unsigned long reference_alloc_any(
	int cpu, const bool above[MAX_NUMNODES], unsigned int order, int migratetype)
{
	for (int reserve = 0; reserve < 2; reserve++)
		for (int i = 0; i < nr_nodes; i++) {
			int node = (cpu % nr_nodes + i) % nr_nodes;

			if (!reserve && !above[node])
				continue;
			unsigned long pfn = reference_alloc(cpu, node, order, migratetype);

			if (pfn != NO_PFN)
				return pfn;
		}
	return NO_PFN;
}
