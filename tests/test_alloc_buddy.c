// SPDX-License-Identifier: GPL-3.0-or-later
/*
 * test_alloc_buddy.c - splitting, merging, list ends and migratetypes, worked out by hand.
 *
 * Pagesets pass every page straight on, and memory is one section: 32 blocks of order 10.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "../alloc/page_alloc.h"
#include "../alloc/pcp.h"
#include "native/look.h"

#define NOTHING LAST

static int boot(void **state)
{
	(void)state;
	boot_without_pagesets();
	return 0;
}

/* Take pages 0, 1, ... @n - 1, which come in this order. */
static void take_first_pages(unsigned long n)
{
	for (unsigned long pfn = 0; pfn < n; pfn++)
		assert_int_equal(take_pfn_of(0, MIGRATE_MOVABLE), pfn);
}

static void free_range(unsigned long first, unsigned long last)
{
	for (unsigned long pfn = first; pfn <= last; pfn++)
		free_pfn(pfn, 0);
}

static int type_of_pageblock(unsigned long block)
{
	return get_pfnblock_migratetype(zone_of(0), block * PAGEBLOCK_NR_PAGES);
}

static void splitting_keeps_the_lower_half(void **state)
{
	(void)state;
	assert_int_equal(take_pfn_of(7, MIGRATE_MOVABLE), 0);
	look_expect(look_free(0, 7, MIGRATE_MOVABLE), 128UL, LAST);
	look_expect(look_free(0, 8, MIGRATE_MOVABLE), 256UL, LAST);
	look_expect(look_free(0, 9, MIGRATE_MOVABLE), 512UL, LAST);
	look_expect(look_free(0, 6, MIGRATE_MOVABLE), NOTHING);
	assert_int_equal(native_events(BUDDY_SPLIT), 3);
	look_consistent();
}

static void the_smallest_block_that_fits_is_taken_from_its_lists_head(void **state)
{
	(void)state;
	take_first_pages(32);
	/* four single pages, neither merging nor likely to */
	free_pfn(0, 0);
	free_pfn(4, 0);
	free_pfn(8, 0);
	free_pfn(12, 0);
	look_expect(look_free(0, 0, MIGRATE_MOVABLE), 12UL, 8UL, 4UL, 0UL, LAST);
	assert_int_equal(take_pfn_of(0, MIGRATE_MOVABLE), 12);
	assert_int_equal(take_pfn_of(1, MIGRATE_MOVABLE), 32);
	assert_int_equal(take_pfn_of(0, MIGRATE_MOVABLE), 8);
	look_consistent();
}

static void likely_merges_go_to_the_tail(void **state)
{
	(void)state;
	take_first_pages(16);
	free_range(8, 9); /* block 8 of order 1; 12 to 15 are in use, so to the head */
	free_range(2, 3); /* block 2, likewise */
	look_expect(look_free(0, 1, MIGRATE_MOVABLE), 2UL, 8UL, LAST);
	free_pfn(14, 0);
	assert_int_equal(native_events(BUDDY_TAIL), 0);
	free_pfn(0, 0); /* once 1 is free, it merges with block 2: to the tail */
	assert_int_equal(native_events(BUDDY_TAIL), 1);
	free_pfn(12, 0); /* 14 and 15 are not a free block: to the head */
	look_expect(look_free(0, 0, MIGRATE_MOVABLE), 12UL, 14UL, 0UL, LAST);
	look_consistent();
}

static void the_tail_rule_holds_at_order_8(void **state)
{
	(void)state;
	/* quarters of the first two blocks of order 10 */
	for (unsigned long pfn = 0; pfn < 2048; pfn += 256)
		assert_int_equal(take_pfn_of(8, MIGRATE_MOVABLE), pfn);
	free_pfn(1024, 8);
	free_pfn(512, 8);
	free_pfn(768, 8); /* block 512 of order 9 */
	look_expect(look_free(0, 9, MIGRATE_MOVABLE), 512UL, LAST);
	free_pfn(0, 8); /* order 8, and its higher buddy 512 is free: to the tail */
	look_expect(look_free(0, 8, MIGRATE_MOVABLE), 1024UL, 0UL, LAST);
	look_consistent();
}

static void a_half_of_the_largest_block_goes_to_the_head(void **state)
{
	(void)state;
	for (unsigned long pfn = 0; pfn < 3072; pfn += 512)
		assert_int_equal(take_pfn_of(9, MIGRATE_MOVABLE), pfn);
	free_pfn(2048, 9);
	free_pfn(1024, 9);
	free_pfn(1536, 9);
	free_pfn(0, 9); /* would be half of block 0, whose buddy 1024 is free: they never merge */
	look_expect(look_free(0, 9, MIGRATE_MOVABLE), 0UL, 2048UL, LAST);
	look_consistent();
}

static void everything_merges_up_to_order_10(void **state)
{
	(void)state;
	take_first_pages(1024);
	free_range(0, 1023);
	for (unsigned int order = 0; order < MAX_ORDER - 1; order++)
		look_expect(look_free(0, order, MIGRATE_MOVABLE), NOTHING);
	struct look largest = look_free(0, MAX_ORDER - 1, MIGRATE_MOVABLE);

	/* blocks of order 10 stay apart, and the last one freed is the first */
	assert_int_equal(largest.length, 32);
	assert_int_equal(largest.pfn[0], 0);
	assert_int_equal(largest.pfn[1], 1024);
	assert_int_equal(native_events(BUDDY_MERGE), 1023);
	look_consistent();
}

/* ---- isolated pageblocks ---- */

static void label_pageblock(unsigned long block, int migratetype)
{
	unsigned long *word = &zone_of(0)->pageblock_flags[block / 16];
	unsigned int shift = block % 16 * 4;

	*word = (*word & ~(15UL << shift)) | (unsigned long)migratetype << shift;
}

static void an_isolated_pageblock_merges_with_no_other(void **state)
{
	(void)state;
	take_first_pages(1024);
	long free_pages = (long)zone_of(0)->managed_pages - 1024;

	label_pageblock(1, MIGRATE_ISOLATE);
	zone_of(0)->nr_isolate_pageblock = 1;
	free_range(0, 1023);
	look_expect(look_free(0, 9, MIGRATE_MOVABLE), 0UL, LAST);
	look_expect(look_free(0, 9, MIGRATE_ISOLATE), 512UL, LAST);
	/* isolated pages do not count as free */
	assert_int_equal(zone_page_state_snapshot(zone_of(0), NR_FREE_PAGES), free_pages + 512);
	look_consistent();
}

static void a_drain_notices_pageblocks_isolated_meanwhile(void **state)
{
	(void)state;
	native_boot(&(struct native_config){
		.nodes = 1, .cpus = 1, .sections_per_node = 1, .batch = 8, .high = 100});
	take_first_pages(8);
	free_range(0, 3); /* in the pageset, as movable */
	label_pageblock(0, MIGRATE_ISOLATE);
	zone_of(0)->nr_isolate_pageblock = 1;
	drain_local_pages(zone_of(0));
	look_expect(look_free(0, 2, MIGRATE_ISOLATE), 0UL, LAST);
	look_consistent();
}

/* ---- fallback ---- */

static void a_large_block_is_taken_over_with_its_pageblocks(void **state)
{
	(void)state;
	assert_int_equal(take_pfn_of(0, MIGRATE_UNMOVABLE), 0);
	look_expect(look_free(0, 9, MIGRATE_UNMOVABLE), 512UL, LAST);
	look_expect(look_free(0, 0, MIGRATE_UNMOVABLE), 1UL, LAST);
	assert_int_equal(type_of_pageblock(0), MIGRATE_UNMOVABLE);
	assert_int_equal(type_of_pageblock(1), MIGRATE_UNMOVABLE);
	assert_int_equal(type_of_pageblock(2), MIGRATE_MOVABLE);
	assert_int_equal(native_events(BUDDY_FALLBACK), 1);
	/* the largest block counts first, the preferred type only within an order */
	assert_int_equal(take_pfn_of(0, MIGRATE_RECLAIMABLE), 1024);
	assert_int_equal(type_of_pageblock(3), MIGRATE_RECLAIMABLE);
	look_consistent();
}

/* Everything is in use but 1 + 2 + 4 + 8 pages of an unmovable pageblock. */
static void leave_small_unmovable_blocks(void)
{
	assert_int_equal(take_pfn_of(0, MIGRATE_UNMOVABLE), 0);
	for (unsigned int order = 4; order <= 9; order++)
		assert_int_equal(take_pfn_of(order, MIGRATE_UNMOVABLE), 1UL << order);
	for (unsigned long block = 1; block < 32; block++)
		assert_int_equal(take_pfn_of(10, MIGRATE_MOVABLE), block * 1024);
}

static void movable_pages_break_the_smallest_block_of_another_type(void **state)
{
	(void)state;
	leave_small_unmovable_blocks();
	assert_int_equal(take_pfn_of(0, MIGRATE_MOVABLE), 1);
	assert_int_equal(take_pfn_of(0, MIGRATE_MOVABLE), 2);
	/* what was split off stays with the type that it was taken for */
	look_expect(look_free(0, 0, MIGRATE_MOVABLE), 3UL, LAST);
	look_expect(look_free(0, 2, MIGRATE_UNMOVABLE), 4UL, LAST);
	assert_int_equal(type_of_pageblock(0), MIGRATE_UNMOVABLE);
	look_consistent();
}

static void reclaimable_pages_take_the_pageblocks_free_blocks_along(void **state)
{
	(void)state;
	leave_small_unmovable_blocks();
	/* all four blocks change lists, then the smallest serves */
	assert_int_equal(take_pfn_of(0, MIGRATE_RECLAIMABLE), 1);
	look_expect(look_free(0, 1, MIGRATE_RECLAIMABLE), 2UL, LAST);
	look_expect(look_free(0, 2, MIGRATE_RECLAIMABLE), 4UL, LAST);
	look_expect(look_free(0, 3, MIGRATE_RECLAIMABLE), 8UL, LAST);
	/* 15 free pages are less than half of it: the label stays */
	assert_int_equal(type_of_pageblock(0), MIGRATE_UNMOVABLE);
	assert_int_equal(native_events(BUDDY_FALLBACK), 2);
	look_consistent();
}

/*
 * All in use but the blocks 0 and 32 of order 4, in a movable pageblock; @on_lru of the pages in
 * use there are on the LRU.
 */
static void leave_movable_blocks(unsigned long on_lru)
{
	for (unsigned long pfn = 0; pfn < 1024; pfn += 16)
		assert_int_equal(take_pfn_of(4, MIGRATE_MOVABLE), pfn);
	for (unsigned long block = 1; block < 32; block++)
		(void)take_pfn_of(10, MIGRATE_MOVABLE);
	free_pfn(32, 4);
	free_pfn(0, 4);
	for (unsigned long i = 0; i < on_lru; i++)
		mem_map[64 + i].flags |= 1UL << PG_lru;
}

static void a_pageblock_is_relabelled_when_most_of_it_is_compatible(void **state)
{
	(void)state;
	/* 32 free and 224 neither free nor movable are half of 512 */
	leave_movable_blocks(256);
	/* both blocks change lists in the order of their addresses, each to the head */
	assert_int_equal(take_pfn_of(0, MIGRATE_UNMOVABLE), 32);
	assert_int_equal(type_of_pageblock(0), MIGRATE_UNMOVABLE);
	look_expect(look_free(0, 4, MIGRATE_UNMOVABLE), 0UL, LAST);
}

static void a_pageblock_full_of_movable_pages_keeps_its_label(void **state)
{
	(void)state;
	leave_movable_blocks(257);
	assert_int_equal(take_pfn_of(0, MIGRATE_UNMOVABLE), 32);
	assert_int_equal(type_of_pageblock(0), MIGRATE_MOVABLE);
	look_expect(look_free(0, 4, MIGRATE_UNMOVABLE), 0UL, LAST);
}

/* ---- memory brought up late ---- */

static void memory_comes_up_section_by_section(void **state)
{
	struct zone *zone;

	(void)state;
	native_boot(&(struct native_config){
		.nodes = 1, .cpus = 1, .sections_per_node = 2, .batch = 1, .high = 1});
	zone = zone_of(0);
	assert_int_equal(zone->first_deferred_pfn, 0);
	assert_int_equal(zone_page_state_snapshot(zone, NR_FREE_PAGES), 65536);
	for (unsigned long block = 0; block < 32; block++)
		assert_int_equal(take_pfn_of(10, MIGRATE_MOVABLE), block * 1024);
	assert_int_equal(zone->first_deferred_pfn, 32768);
	assert_int_equal(take_pfn_of(10, MIGRATE_MOVABLE), 32768);
	assert_int_equal(zone->first_deferred_pfn, 65536);
	assert_false(deferred_grow_zone(zone));
	assert_int_equal(zone_page_state_snapshot(zone, NR_FREE_PAGES), 31 * 1024);
	look_consistent();
}

static void a_bad_page_leaks_and_is_not_counted_as_free(void **state)
{
	(void)state;
	take_first_pages(2);
	mem_map[2].mapping = &mem_map[2];
	assert_int_equal(take_pfn_of(0, MIGRATE_MOVABLE), 3);
	assert_int_equal(native_events(BAD_PAGE), 1);
	look_consistent();
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup(splitting_keeps_the_lower_half, boot),
		cmocka_unit_test_setup(
			the_smallest_block_that_fits_is_taken_from_its_lists_head, boot),
		cmocka_unit_test_setup(likely_merges_go_to_the_tail, boot),
		cmocka_unit_test_setup(the_tail_rule_holds_at_order_8, boot),
		cmocka_unit_test_setup(a_half_of_the_largest_block_goes_to_the_head, boot),
		cmocka_unit_test_setup(everything_merges_up_to_order_10, boot),
		cmocka_unit_test_setup(an_isolated_pageblock_merges_with_no_other, boot),
		cmocka_unit_test_setup(a_drain_notices_pageblocks_isolated_meanwhile, boot),
		cmocka_unit_test_setup(a_large_block_is_taken_over_with_its_pageblocks, boot),
		cmocka_unit_test_setup(
			movable_pages_break_the_smallest_block_of_another_type, boot),
		cmocka_unit_test_setup(
			reclaimable_pages_take_the_pageblocks_free_blocks_along, boot),
		cmocka_unit_test_setup(
			a_pageblock_is_relabelled_when_most_of_it_is_compatible, boot),
		cmocka_unit_test_setup(a_pageblock_full_of_movable_pages_keeps_its_label, boot),
		cmocka_unit_test_setup(memory_comes_up_section_by_section, boot),
		cmocka_unit_test_setup(a_bad_page_leaks_and_is_not_counted_as_free, boot),
	};

	return cmocka_run_group_tests_name("buddy", tests, NULL, NULL);
}
