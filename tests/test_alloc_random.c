// SPDX-License-Identifier: GPL-3.0-or-later
/*
 * test_alloc_random.c - long random runs. After every step memory is consistent, and every page is
 * the one that the naive reference allocator would have given, whatever the patches.
 *
 * Seeds are fixed, so a failure repeats; it prints the run and the step.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#include <cmocka.h>

#include "../alloc/check.h"
#include "../alloc/memory.h"
#include "../alloc/page_alloc.h"
#include "../alloc/pcp.h"
#include "native/look.h"
#include "native/reference.h"

#define MAX_BLOCKS (4 * PAGES_PER_SECTION)

static uint64_t random_state;

static unsigned int random_below(unsigned int n)
{
	random_state ^= random_state << 13;
	random_state ^= random_state >> 7;
	random_state ^= random_state << 17;
	return (unsigned int)((random_state >> 33) % n);
}

/* What is in use. */
static struct block {
	unsigned long pfn;
	unsigned int order;
} blocks[MAX_BLOCKS];
static unsigned int nr_blocks;

static struct native_config config;
static int batch, high, cpu;
static unsigned long step_number;
static uint8_t places[MAX_BLOCKS];

#define expect(condition, ...)                                                                     \
	do {                                                                                       \
		if (!(condition)) {                                                                \
			print_message("patches %#lx, %d nodes, batch %d, high %d, step %lu: ",     \
				(unsigned long)config.patches, config.nodes, batch, high,          \
				step_number);                                                      \
			fail_msg(__VA_ARGS__);                                                     \
		}                                                                                  \
	} while (0)

/* ---- machines ---- */

static void boot(patch_set set, int nodes)
{
	batch = 1 + (int)random_below(80);
	high = batch + (int)random_below(6 * (unsigned int)batch);
	config = (struct native_config){.nodes = nodes,
		.cpus = nodes + (int)random_below(4),
		.sections_per_node = nodes == 1 ? 1 + random_below(2) : 1,
		.patches = set,
		.batch = batch,
		.high = high};
	native_boot(&config);
	reference_boot(&config, batch, high);
	nr_blocks = 0;
	step_number = 0;
}

/* ---- steps ---- */

static unsigned int random_order(void)
{
	/* mostly single pages, and the larger the rarer */
	unsigned int order = 0;

	if (random_below(2))
		return 0;
	while (order < MAX_ORDER - 1 && random_below(5) < 3)
		order++;
	return order;
}

static int random_migratetype(void)
{
	static const int types[] = {
		MIGRATE_MOVABLE, MIGRATE_MOVABLE, MIGRATE_UNMOVABLE, MIGRATE_RECLAIMABLE};

	return types[random_below(4)];
}

/* Returns false when memory is used up. */
static bool allocate(unsigned int order, int migratetype)
{
	bool above[MAX_NUMNODES];

	look_above_watermark(above, order);
	unsigned long want = reference_alloc_any(cpu, above, order, migratetype);
	struct page *page = alloc_pages(order, migratetype);
	unsigned long pfn = page ? page_to_pfn(page) : NO_PFN;

	expect(pfn == want, "order %u of type %d: page %ld instead of %ld", order, migratetype,
		(long)pfn, (long)want);
	if (!page)
		return false;
	expect(page->_refcount == 1, "page %lu has %d references", pfn, page->_refcount);
	expect(pfn % (1UL << order) == 0, "page %lu is not aligned to order %u", pfn, order);
	blocks[nr_blocks++] = (struct block){pfn, order};
	return true;
}

static void release(unsigned int at)
{
	struct block block = blocks[at];

	blocks[at] = blocks[--nr_blocks];
	expect(reference_free(cpu, block.pfn, block.order), "page %lu was not in use", block.pfn);
	free_pfn(block.pfn, block.order);
}

static void check_step(void)
{
	char why[200];

	step_number++;
	expect(!mm_check_places(places, why, sizeof(why)), "%s", why);
	expect(!native_busy(), "interrupts are off or a lock is held");
	for (int node = 0; node < config.nodes; node++) {
		const struct zone *zone = zone_of(node);

		for (int c = 0; c < config.cpus; c++)
			expect(pcp_count(zone, c) == reference_pageset_count(c, node),
				"CPU %d has %d pages of node %d", c, pcp_count(zone, c), node);
		for (unsigned long pfn = zone->zone_start_pfn;
			pfn < zone->zone_start_pfn + zone->managed_pages; pfn++)
			if ((places[pfn] == PLACE_ELSEWHERE) != reference_owned(pfn))
				expect(false, "page %lu: in use, or free, but not both", pfn);
	}
}

/* A step is one call; @appetite in a hundred are allocations. */
static void random_step(unsigned int appetite)
{
	cpu = (int)random_below((unsigned int)config.cpus);
	native_run_on(cpu);
	if (!nr_blocks || random_below(100) < appetite)
		(void)allocate(random_order(), random_migratetype());
	else
		release(random_below(nr_blocks));
	check_step();
}

/* All pages come back, and memory is as it was, but for the labels of pageblocks. */
static void give_everything_back(void)
{
	while (nr_blocks) {
		cpu = (int)random_below((unsigned int)config.cpus);
		native_run_on(cpu);
		release(random_below(nr_blocks));
	}
	for (cpu = 0; cpu < config.cpus; cpu++)
		for (int node = 0; node < config.nodes; node++) {
			native_run_on(cpu);
			reference_drain(cpu, node);
			drain_local_pages(zone_of(node));
		}
	cpu = 0;
	check_step();
	for (int node = 0; node < config.nodes; node++)
		for (unsigned int order = 0; order < MAX_ORDER; order++) {
			const struct zone *zone = zone_of(node);
			unsigned long up = zone->first_deferred_pfn - zone->zone_start_pfn;

			expect(zone->free_area[order].nr_free ==
					(order == MAX_ORDER - 1 ? up >> order : 0),
				"node %d: %lu blocks of order %u are left", node,
				zone->free_area[order].nr_free, order);
		}
}

/* ---- the runs ---- */

/* Patches that change how much a pageset holds, which is told here, or how the LRU is fed. */
#define IGNORED                                                                                    \
	(PATCH_BIT(PATCH_DOUBLE_BATCH) | PATCH_BIT(PATCH_PAGEVEC_15) |                             \
		PATCH_BIT(PATCH_PCP_HIGH_BY_ZONE))

/* Patches that change which pages an allocation gets, which the reference does not know. */
#define OTHER_PAGES (PATCH_BIT(PATCH_SKIP_MERGE) | PATCH_BIT(PATCH_PCP_HIGH_ORDER))

/* Calls @run with each set of patches that may be combined; false for those that the reference does
 * not know. */
static void with_patches(void (*run)(patch_set set), bool single_pages)
{
	char why[200];

	for (patch_set set = 0; set < PATCH_BIT(NR_PATCHES); set++) {
		/* tuning needs it */
		patch_set ignored = set & PATCH_BIT(PATCH_PCP_AUTO_TUNE)
					    ? IGNORED & ~PATCH_BIT(PATCH_PCP_HIGH_BY_ZONE)
					    : IGNORED;

		if (set & ignored || (single_pages ? set & OTHER_PAGES : !(set & OTHER_PAGES)))
			continue;
		if (patch_set_check(set, why, sizeof(why)))
			run(set);
	}
}

#define STEPS 120UL

static void random_run(patch_set set)
{
	boot(set, 1 + (int)(set % 4));
	for (unsigned long i = 0; i < STEPS; i++)
		random_step(i < STEPS / 2 ? 80 : 40);
	give_everything_back();
}

static void every_step_keeps_memory_consistent(void **state)
{
	(void)state;
	random_state = 88172645463325252;
	with_patches(random_run, true);
}

/* What is left of the checks where pages are not foretold: no page twice, counts, marks. */
static void unforetold_step(unsigned int appetite)
{
	char why[200];

	cpu = (int)random_below((unsigned int)config.cpus);
	native_run_on(cpu);
	if (!nr_blocks || random_below(100) < appetite) {
		unsigned int order = random_order();
		struct page *page = alloc_pages(order, random_migratetype());

		if (page)
			blocks[nr_blocks++] = (struct block){page_to_pfn(page), order};
	} else {
		unsigned int at = random_below(nr_blocks);
		struct block block = blocks[at];

		blocks[at] = blocks[--nr_blocks];
		free_pfn(block.pfn, block.order);
	}
	if (random_below(20) == 0)
		(void)drain_remote_pages(zone_of(0), (int)random_below((unsigned int)config.cpus));
	step_number++;
	expect(!mm_check_places(places, why, sizeof(why)), "%s", why);
	expect(!native_busy(), "interrupts are off or a lock is held");
	for (unsigned int i = 0; i < nr_blocks; i++)
		for (unsigned int k = 0; k < 1u << blocks[i].order; k++)
			expect(places[blocks[i].pfn + k] == PLACE_ELSEWHERE,
				"page %lu is in use and free", blocks[i].pfn + k);
}

static void order_run(patch_set set)
{
	boot(set, 1 + (int)(set % 2));
	for (unsigned long i = 0; i < STEPS; i++)
		unforetold_step(i < STEPS / 2 ? 80 : 30);
	while (nr_blocks) {
		native_run_on((int)random_below((unsigned int)config.cpus));
		nr_blocks--;
		free_pfn(blocks[nr_blocks].pfn, blocks[nr_blocks].order);
	}
	for (cpu = 0; cpu < config.cpus; cpu++)
		for (int node = 0; node < config.nodes; node++) {
			native_run_on(cpu);
			drain_local_pages(zone_of(node));
		}
	look_consistent();
	for (int node = 0; node < config.nodes; node++)
		for (unsigned int order = 0; order < MAX_ORDER - 1; order++)
			expect(zone_of(node)->free_area[order].nr_free == 0 ||
					set & PATCH_BIT(PATCH_SKIP_MERGE),
				"node %d: blocks of order %u are left", node, order);
}

static void pagesets_of_several_orders_keep_memory_consistent(void **state)
{
	(void)state;
	random_state = 2463534242;
	with_patches(order_run, false);
}

static void a_long_run_keeps_memory_consistent(void **state)
{
	(void)state;
	random_state = 1234567;
	boot(PATCH_BIT(PATCH_INLINE_RMQUEUE), 1);
	for (unsigned long i = 0; i < 1500; i++)
		random_step(i % 500 < 300 ? 70 : 30);
	give_everything_back();
}

/* Single pages, in bursts, so that pagesets overflow and memory runs out; checked per burst. */
static void exhausting_run(patch_set set)
{
	bool left = true;

	boot(set, 1 + (int)(set / 2 % 2));
	while (left) {
		cpu = (int)random_below((unsigned int)config.cpus);
		native_run_on(cpu);
		for (unsigned int i = random_below(8000); i > 0 && left; i--)
			left = allocate(
				random_below(50) ? 0 : random_order(), random_migratetype());
		for (unsigned int i = random_below(1000); i > 0 && left && nr_blocks; i--)
			release(random_below(nr_blocks));
		check_step();
	}
	/* a large block may have been what was missing */
	while (allocate(0, MIGRATE_MOVABLE))
		;
	check_step();
	/* what is left is on other CPUs' pagesets, or on lists of this one's other types */
	for (int node = 0; node < config.nodes; node++)
		for (unsigned int order = 0; order < MAX_ORDER; order++)
			expect(zone_of(node)->free_area[order].nr_free == 0,
				"node %d has blocks of order %u, but gives none", node, order);
	give_everything_back();
}

static void memory_can_be_used_up_and_given_back(void **state)
{
	(void)state;
	random_state = 362436069;
	exhausting_run(0);
	exhausting_run(PATCH_BIT(PATCH_PICK_OUTSIDE_LOCK));
	exhausting_run(PATCH_BIT(PATCH_PICK_OUTSIDE_LOCK) | PATCH_BIT(PATCH_PREFETCH_BUDDY) |
		       PATCH_BIT(PATCH_INLINE_RMQUEUE));
}

/* ---- processes ---- */

#define REGION_PAGES 3000UL

static struct process {
	struct pagevec pvec;
	struct anon_region region;
	struct mmu_gather gather;
	struct mmu_gather_batch arrays[MAX_GATHER_BATCH_COUNT];
	struct page *pte[REGION_PAGES], *pte_pages[REGION_PAGES / PTRS_PER_PTE + 1];
} processes[4];

static void fault_somewhere(struct process *p)
{
	unsigned long index = random_below(REGION_PAGES);

	for (unsigned int i = random_below(40); i > 0; i--, index = (index + 1) % REGION_PAGES)
		if (!p->pte[index])
			expect(!do_anonymous_page(&p->region, index, &p->pvec), "no memory");
}

static void unmap_something(struct process *p, bool everything)
{
	unsigned long start = everything ? 0 : random_below(REGION_PAGES);
	unsigned long end = everything ? REGION_PAGES
				       : start + random_below((unsigned int)(REGION_PAGES - start));

	tlb_gather_init(&p->gather, &p->pvec, p->arrays);
	zap_pte_range(&p->region, start, end, &p->gather);
	if (everything)
		free_pgtables(&p->region, &p->gather);
	tlb_finish_mmu(&p->gather);
}

static void process_step(void)
{
	char why[200];
	struct process *p;

	cpu = (int)random_below(4);
	native_run_on(cpu);
	p = &processes[cpu];
	if (random_below(10) < 8)
		fault_somewhere(p);
	else if (random_below(10) < 8)
		unmap_something(p, random_below(3) == 0);
	else
		lru_add_drain(&p->pvec);
	step_number++;
	expect(!mm_check_places(places, why, sizeof(why)), "%s", why);
	for (int i = 0; i < 4; i++)
		for (unsigned long index = 0; index < REGION_PAGES; index++) {
			const struct page *page = processes[i].pte[index];

			/* what is mapped is on the LRU or, with a reference more, on its way */
			expect(!page || page->_refcount ==
						1 + (places[page_to_pfn(page)] != PLACE_LRU),
				"page %lu has %d references", page_to_pfn(page), page->_refcount);
		}
}

static void process_run(patch_set set)
{
	unsigned long pages = 0;

	batch = 1 + (int)random_below(40);
	high = batch + (int)random_below(100);
	config = (struct native_config){.nodes = 2,
		.cpus = 4,
		.sections_per_node = 1,
		.patches = set,
		.batch = batch,
		.high = high};
	native_boot(&config);
	for (int i = 0; i < 4; i++)
		processes[i] = (struct process){.region = {REGION_PAGES, processes[i].pte,
							processes[i].pte_pages, &processes}};
	for (step_number = 0; step_number < 60;)
		process_step();
	for (int i = 0; i < 4; i++) {
		native_run_on(i);
		unmap_something(&processes[i], true);
		drain_local_pages(zone_of(0));
		drain_local_pages(zone_of(1));
	}
	look_consistent();
	for (int node = 0; node < 2; node++)
		pages += zone_of(node)->free_area[MAX_ORDER - 1].nr_free << (MAX_ORDER - 1);
	expect(pages == 2 * PAGES_PER_SECTION || set & PATCH_BIT(PATCH_SKIP_MERGE),
		"%lu pages are free at the end", pages);
}

static void faults_and_unmaps_keep_memory_consistent(void **state)
{
	(void)state;
	random_state = 521288629;
	with_patches(process_run, true);
	with_patches(process_run, false);
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_step_keeps_memory_consistent),
		cmocka_unit_test(pagesets_of_several_orders_keep_memory_consistent),
		cmocka_unit_test(a_long_run_keeps_memory_consistent),
		cmocka_unit_test(memory_can_be_used_up_and_given_back),
		cmocka_unit_test(faults_and_unmaps_keep_memory_consistent),
	};

	return cmocka_run_group_tests_name("random", tests, NULL, NULL);
}
