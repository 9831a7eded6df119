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

#include "../alloc/lru.h"
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

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_movable_page_takes_all_of_a_pageblock_or_one_block),
		cmocka_unit_test(a_pageblock_becomes_movable_with_half_of_its_pages),
		cmocka_unit_test(drains_take_the_oldest),
		cmocka_unit_test(drains_double_until_the_largest),
		cmocka_unit_test(a_block_of_high_order_alone_empties_nothing),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
