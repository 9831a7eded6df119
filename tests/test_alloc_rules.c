// SPDX-License-Identifier: GPL-3.0-or-later
/*
 * test_alloc_rules.c - rules of the kernel whose two sides random calls hardly ever meet, each side
 * worked out by hand.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "../alloc/cluster.h"
#include "../alloc/filemap.h"
#include "../alloc/lru.h"
#include "../alloc/memory.h"
#include "../alloc/page_alloc.h"
#include "../alloc/pcp.h"
#include "native/look.h"

/* ---- taking over what belongs to another type ---- */

#define BLOCK 1024UL /* pages of the largest order: two pageblocks */

/* Pages 0 to 1023 are unmovable, all others movable, and none is free. */
static void use_all_memory(void)
{
	boot_without_pagesets();
	for (unsigned long pfn = 0; pfn < BLOCK; pfn++)
		assert_int_equal(take_pfn_of(0, MIGRATE_UNMOVABLE), pfn);
	for (unsigned long pfn = BLOCK; pfn < PAGES_PER_SECTION; pfn += BLOCK)
		assert_int_equal(take_pfn_of(MAX_ORDER - 1, MIGRATE_MOVABLE), pfn);
	assert_null(alloc_pages(0, MIGRATE_MOVABLE));
}

static void free_pages_from(unsigned long pfn, unsigned long pages)
{
	for (unsigned long i = 0; i < pages; i++)
		free_pfn(pfn + i, 0);
}

/* From order 4 on, half of a pageblock's order, the whole pageblock changes lists. */
static void a_movable_page_takes_all_of_a_pageblock_or_one_block(void **state)
{
	(void)state;
	use_all_memory();
	free_pages_from(64, 16);
	free_pfn(300, 0);
	look_expect(look_free(0, 4, MIGRATE_UNMOVABLE), 64UL, LAST);
	assert_int_equal(take_pfn_of(0, MIGRATE_MOVABLE), 300);
	look_expect(look_free(0, 4, MIGRATE_MOVABLE), 64UL, LAST);
	look_expect(look_free(0, 4, MIGRATE_UNMOVABLE), LAST);

	use_all_memory();
	free_pages_from(64, 8);
	free_pfn(300, 0);
	assert_int_equal(take_pfn_of(0, MIGRATE_MOVABLE), 300);
	look_expect(look_free(0, 3, MIGRATE_UNMOVABLE), 64UL, LAST);
	look_expect(look_free(0, 3, MIGRATE_MOVABLE), LAST);
}

/* Of 512 pages, 16 are free and @movable on the LRU. What type is the pageblock then? */
static int label_with(unsigned long movable)
{
	struct pagevec pvec;

	use_all_memory();
	memset(&pvec, 0, sizeof(pvec));
	for (unsigned long i = 0; i < movable; i++)
		lru_cache_add(&pvec, pfn_to_page(100 + i));
	lru_add_drain(&pvec);
	free_pages_from(64, 16);
	assert_int_equal(take_pfn_of(0, MIGRATE_MOVABLE), 64);
	look_consistent();
	return get_pfnblock_migratetype(zone_of(0), 0);
}

/* Half of the pages have to be free or to look movable. */
static void a_pageblock_becomes_movable_with_half_of_its_pages(void **state)
{
	(void)state;
	assert_int_equal(label_with(239), MIGRATE_UNMOVABLE);
	assert_int_equal(label_with(240), MIGRATE_MOVABLE);
}

/* ---- pagesets since v5.14 ---- */

static void boot(const char *release, int batch, int high)
{
	native_boot(&(struct native_config){.nodes = 1,
		.cpus = 1,
		.sections_per_node = 1,
		.patches = kernel_find(release)->patches,
		.batch = batch,
		.high = high});
}

/* The coldest: those that were freed first. */
static void drains_take_the_oldest(void **state)
{
	static const char *const releases[] = {"v5.14", "v5.18"};
	unsigned long pfns[20];

	(void)state;
	for (int r = 0; r < 2; r++) {
		boot(releases[r], 4, 9);
		for (int i = 0; i < 20; i++)
			pfns[i] = take_pfn_of(0, MIGRATE_MOVABLE);
		/* five refills of four: the pageset is empty, and the ninth page drains it */
		for (int i = 0; i < 9; i++)
			free_pfn(pfns[i], 0);
		look_expect(look_list(&zone_of(0)->per_cpu_pages[0]->lists[MIGRATE_MOVABLE]),
			pfns[8], pfns[7], pfns[6], pfns[5], pfns[4], LAST);
		look_consistent();
	}
}

/* A batch of eight pages would be one block of order 3; of order 0 it is eight. */
static void a_refill_brings_two_blocks_at_least(void **state)
{
	(void)state;
	boot("v5.14", 8, 100);
	(void)take_pfn_of(3, MIGRATE_MOVABLE);
	assert_int_equal(pcp_count(zone_of(0), 0), 8);
	boot("v5.14", 8, 100);
	(void)take_pfn_of(0, MIGRATE_MOVABLE);
	assert_int_equal(pcp_count(zone_of(0), 0), 7);
}

/* High rises with each refill, up to its bound. */
static void high_rises_to_its_bound(void **state)
{
	(void)state;
	boot("v6.7", 63, 0);
	struct per_cpu_order_pages *pcp = zone_of(0)->per_cpu_pages[0];

	pcp->high_min = 200;
	pcp->high_max = 300;
	pcp->high = 200;
	(void)take_pfn_of(0, MIGRATE_MOVABLE);
	assert_int_equal(pcp->high, 263);
	for (int i = 0; i < 63; i++)
		(void)take_pfn_of(0, MIGRATE_MOVABLE);
	assert_int_equal(pcp->high, 300);
}

/* Only after a drain is a block of high order a sign that no one takes any. */
static void a_block_of_high_order_alone_empties_nothing(void **state)
{
	(void)state;
	boot("v5.18", 63, 400);
	unsigned long block = take_pfn_of(3, MIGRATE_MOVABLE);

	for (int i = 0; i < 100; i++)
		(void)take_pfn_of(0, MIGRATE_MOVABLE);
	int count = pcp_count(zone_of(0), 0);

	free_pfn(block, 3);
	assert_int_equal(pcp_count(zone_of(0), 0), count + 8);
	assert_int_equal(native_events(PCP_DRAIN_HIGH), 0);
}

/* Frees single pages until some leave for buddy; returns how many did. */
static int next_drain(void)
{
	static unsigned long pfn;
	int before;

	/* pages are in use from 0 on; in order, as they were taken */
	if (native_events(PGFREE) == 0)
		pfn = 0;
	do {
		before = pcp_count(zone_of(0), 0);
		free_pfn(pfn++, 0);
	} while (pcp_count(zone_of(0), 0) == before + 1);
	return before + 1 - pcp_count(zone_of(0), 0);
}

/* Each drain doubles the next, but not once it is as large as drains can be: a batch stays. */
static void drains_double_until_the_largest(void **state)
{
	(void)state;
	boot("v5.14", 63, 3 * 63);
	for (unsigned long pfn = 0; pfn < 2000; pfn++)
		assert_int_equal(take_pfn_of(0, MIGRATE_MOVABLE), pfn);
	assert_int_equal(next_drain(), 63);
	assert_int_equal(next_drain(), 2 * 63);
	assert_int_equal(next_drain(), 2 * 63);
	/* it was doubled once: one page that is taken takes that back */
	(void)take_pfn_of(0, MIGRATE_MOVABLE);
	assert_int_equal(next_drain(), 63);
}

/* ---- runs of pages ---- */

/* Drains of two types go page by page, each to the run before it, which has a batch at most. */
static void runs_are_no_longer_than_a_batch(void **state)
{
	unsigned long movable[60], unmovable[12];
	int longest = 0;
	const struct list_head *at;

	(void)state;
	native_boot(&(struct native_config){.nodes = 1,
		.cpus = 1,
		.sections_per_node = 1,
		.patches = PATCH_BIT(PATCH_CLUSTER_ALLOC) | PATCH_BIT(PATCH_SKIP_MERGE) |
			   PATCH_BIT(PATCH_PICK_OUTSIDE_LOCK),
		.batch = 8,
		.high = 9});
	for (int i = 0; i < 60; i++)
		movable[i] = take_pfn_of(0, MIGRATE_MOVABLE);
	for (int i = 0; i < 12; i++)
		unmovable[i] = take_pfn_of(0, MIGRATE_UNMOVABLE);
	for (int i = 0; i < 60; i++) {
		free_pfn(movable[i], 0);
		if (i % 5 == 0)
			free_pfn(unmovable[i / 5], 0);
	}
	list_for_each (at, &zone_of(0)->free_area[0].free_list[MIGRATE_MOVABLE]) {
		const struct page *page =
			container_of((struct list_head *)(uintptr_t)at, struct page, lru);

		if (page_cluster(page) && page_cluster(page)->length > longest)
			longest = page_cluster(page)->length;
	}
	assert_int_equal(longest, 8);
	look_consistent();
}

/* ---- what is counted of pages ---- */

#define PAGES 3

static struct page *pte[2][PAGES], *tables[2][1], *cached[PAGES];
static struct page_cache file = {PAGES, cached};
static struct anon_region regions[2] = {
	{PAGES, pte[0], tables[0], &file}, {PAGES, pte[1], tables[1], &file}};

static long node_counter(enum node_stat_item item)
{
	return node_data[0]->vm_stat[item] +
	       node_data[0]->per_cpu_nodestats[0]->vm_node_stat_diff[item];
}

static void unmap(struct anon_region *region, struct pagevec *pvec,
	void (*zap)(struct anon_region *, unsigned long, unsigned long, struct mmu_gather *))
{
	static struct mmu_gather_batch arrays[MAX_GATHER_BATCH_COUNT];
	static struct mmu_gather gather;

	tlb_gather_init(&gather, pvec, arrays);
	zap(region, 0, PAGES, &gather);
	tlb_finish_mmu(&gather);
}

/* A page of a file counts as mapped until the last who maps it is gone. */
static void a_shared_page_is_mapped_until_the_last_unmaps_it(void **state)
{
	struct pagevec pvec = {0};

	(void)state;
	boot_without_pagesets();
	for (int r = 0; r < 2; r++)
		for (unsigned long i = 0; i < PAGES; i++)
			assert_int_equal(do_shared_fault(&regions[r], i, &file, &pvec), 0);
	assert_int_equal(node_counter(NR_FILE_MAPPED), PAGES);
	unmap(&regions[0], &pvec, zap_shared_range);
	assert_int_equal(node_counter(NR_FILE_MAPPED), PAGES);
	unmap(&regions[1], &pvec, zap_shared_range);
	assert_int_equal(node_counter(NR_FILE_MAPPED), 0);
}

/* Active pages count as rotated, those that were just read in do not. */
static void pages_that_go_on_the_lru_are_scanned(void **state)
{
	const struct zone_reclaim_stat *stat;
	struct pagevec pvec = {0};

	(void)state;
	boot_without_pagesets();
	memset(pte, 0, sizeof(pte));
	memset(tables, 0, sizeof(tables));
	memset(cached, 0, sizeof(cached));
	for (unsigned long i = 0; i < PAGES; i++)
		assert_int_equal(do_shared_fault(&regions[0], i, &file, &pvec), 0);
	for (unsigned long i = 0; i < PAGES - 1; i++)
		assert_int_equal(do_anonymous_page(&regions[1], i, &pvec), 0);
	lru_add_drain(&pvec);
	stat = &node_data[0]->memcg->lruvec.reclaim_stat;
	assert_int_equal(stat->recent_scanned[0], PAGES - 1);
	assert_int_equal(stat->recent_rotated[0], PAGES - 1);
	assert_int_equal(stat->recent_scanned[1], PAGES);
	assert_int_equal(stat->recent_rotated[1], 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_movable_page_takes_all_of_a_pageblock_or_one_block),
		cmocka_unit_test(a_pageblock_becomes_movable_with_half_of_its_pages),
		cmocka_unit_test(drains_take_the_oldest),
		cmocka_unit_test(drains_double_until_the_largest),
		cmocka_unit_test(a_refill_brings_two_blocks_at_least),
		cmocka_unit_test(high_rises_to_its_bound),
		cmocka_unit_test(a_block_of_high_order_alone_empties_nothing),
		cmocka_unit_test(runs_are_no_longer_than_a_batch),
		cmocka_unit_test(a_shared_page_is_mapped_until_the_last_unmaps_it),
		cmocka_unit_test(pages_that_go_on_the_lru_are_scanned),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
