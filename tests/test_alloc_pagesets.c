// SPDX-License-Identifier: GPL-3.0-or-later
/*
 * test_alloc_pagesets.c - sizes of pagesets, refills and drains, worked out by hand.
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

/* ---- sizes ---- */

static void batch_follows_the_zones_size(void **state)
{
	static const struct {
		unsigned long managed_pages;
		int batch, doubled;
	} cases[] = {
		{64UL << 18, 31, 63}, /* 64 GiB */
		{300000, 31, 63},     /* more than 1 GiB */
		{262144, 31, 63}, /* 1 GiB: a thousandth is 256, a quarter of the cap 32 or 64 */
		{131072, 31, 31}, /* 512 MiB: 128 / 4 = 32, and half 48, down to 32, less 1 */
		{60000, 15, 15},  /* 58 / 4 = 14, and half 21, down to 16 */
		{32768, 7, 7},	  /* 32 / 4 = 8, and half 12, down to 8 */
		{16384, 3, 3},	  /* 16 / 4 = 4, and half 6, down to 4 */
		{12288, 3, 3},	  /* 12 / 4 = 3, and half 4 */
		{4096, 0, 0},	  /* 4 / 4 = 1, and half 1 */
		{100, 0, 0},
	};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		assert_int_equal(zone_batchsize(cases[i].managed_pages, false), cases[i].batch);
		assert_int_equal(zone_batchsize(cases[i].managed_pages, true), cases[i].doubled);
	}
}

static void expect_size(struct boot_parameters boot, int want_batch, int want_high)
{
	int batch, high;

	pageset_size(&boot, &batch, &high);
	assert_int_equal(batch, want_batch);
	assert_int_equal(high, want_high);
}

static void high_is_six_batches_unless_told_otherwise(void **state)
{
	const unsigned long gib4 = 4UL << 18;
	const patch_set doubled = PATCH_BIT(PATCH_DOUBLE_BATCH);

	(void)state;
	expect_size((struct boot_parameters){.pages_per_node = gib4}, 31, 186);
	expect_size((struct boot_parameters){.pages_per_node = gib4, .patches = doubled}, 63, 378);
	expect_size((struct boot_parameters){.pages_per_node = 4096}, 1, 0);
	expect_size((struct boot_parameters){.pages_per_node = gib4, .batch = 10}, 10, 60);
	expect_size((struct boot_parameters){.pages_per_node = gib4, .high = 500}, 31, 500);
	expect_size(
		(struct boot_parameters){.pages_per_node = gib4, .batch = 9, .high = 10}, 9, 10);
}

static void a_fraction_sets_both(void **state)
{
	(void)state;
	/* 1048576 / 8; a quarter is capped at 96 */
	expect_size((struct boot_parameters){.pages_per_node = 4UL << 18,
			    .percpu_pagelist_fraction = 8},
		96, 131072);
	expect_size(
		(struct boot_parameters){.pages_per_node = 32768, .percpu_pagelist_fraction = 1000},
		8, 32);
	expect_size((struct boot_parameters){.pages_per_node = 32768,
			    .percpu_pagelist_fraction = 32768},
		1, 1);
	expect_size(
		(struct boot_parameters){
			.pages_per_node = 32768, .percpu_pagelist_fraction = 8, .batch = 50},
		50, 4096);
}

static void each_pageset_is_told_its_size(void **state)
{
	(void)state;
	native_boot(&(struct native_config){
		.nodes = 2, .cpus = 3, .sections_per_node = 1, .batch = 5, .high = 17});
	for (int node = 0; node < 2; node++)
		for (int cpu = 0; cpu < 3; cpu++) {
			assert_int_equal(zone_of(node)->pageset[cpu]->pcp.batch, 5);
			assert_int_equal(zone_of(node)->pageset[cpu]->pcp.high, 17);
		}
}

/* ---- refills ---- */

static void boot(patch_set set, int batch, int high)
{
	native_boot(&(struct native_config){.nodes = 1,
		.cpus = 2,
		.sections_per_node = 1,
		.patches = set,
		.batch = batch,
		.high = high});
}

static void a_refill_brings_ascending_addresses(void **state)
{
	(void)state;
	boot(0, 6, 100);
	assert_int_equal(take_pfn_of(0, MIGRATE_MOVABLE), 0);
	look_expect(look_pageset(0, 0, MIGRATE_MOVABLE), 1UL, 2UL, 3UL, 4UL, 5UL, LAST);
	assert_int_equal(native_events(PCP_REFILL), 1);
	assert_int_equal(native_lock_count(&zone_of(0)->lock), 1);
	for (unsigned long pfn = 1; pfn < 6; pfn++)
		assert_int_equal(take_pfn_of(0, MIGRATE_MOVABLE), pfn);
	/* only an empty list is refilled */
	assert_int_equal(native_events(PCP_REFILL), 1);
	assert_int_equal(take_pfn_of(0, MIGRATE_MOVABLE), 6);
	assert_int_equal(native_events(PCP_REFILL), 2);
	look_consistent();
}

static void a_refill_and_a_drain_take_the_lock_once(void **state)
{
	static const patch_set forms[] = {0, PATCH_BIT(PATCH_PICK_OUTSIDE_LOCK),
		PATCH_BIT(PATCH_PICK_OUTSIDE_LOCK) | PATCH_BIT(PATCH_PREFETCH_BUDDY)};

	(void)state;
	for (size_t i = 0; i < sizeof(forms) / sizeof(forms[0]); i++) {
		boot(forms[i], 16, 16);
		for (unsigned long pfn = 0; pfn < 16; pfn++)
			assert_int_equal(take_pfn_of(0, MIGRATE_MOVABLE), pfn);
		assert_int_equal(native_lock_count(&zone_of(0)->lock), 1);
		for (unsigned long pfn = 0; pfn < 16; pfn++)
			free_pfn(pfn, 0);
		assert_int_equal(native_lock_count(&zone_of(0)->lock), 2);
		assert_int_equal(native_lock_total(), 2);
	}
}

static void each_cpu_has_its_own(void **state)
{
	(void)state;
	boot(0, 4, 100);
	assert_int_equal(take_pfn_of(0, MIGRATE_MOVABLE), 0);
	native_run_on(1);
	assert_int_equal(take_pfn_of(0, MIGRATE_MOVABLE), 4);
	free_pfn(0, 0);
	look_expect(look_pageset(1, 0, MIGRATE_MOVABLE), 0UL, 5UL, 6UL, 7UL, LAST);
	look_expect(look_pageset(0, 0, MIGRATE_MOVABLE), 1UL, 2UL, 3UL, LAST);
	look_consistent();
}

static void the_last_freed_page_is_the_first_taken(void **state)
{
	(void)state;
	boot(0, 4, 100);
	for (unsigned long pfn = 0; pfn < 4; pfn++)
		assert_int_equal(take_pfn_of(0, MIGRATE_MOVABLE), pfn);
	free_pfn(2, 0);
	free_pfn(0, 0);
	assert_int_equal(take_pfn_of(0, MIGRATE_MOVABLE), 0);
	assert_int_equal(take_pfn_of(0, MIGRATE_MOVABLE), 2);
	look_consistent();
}

/* ---- drains ---- */

static void a_drain_takes_a_batch_from_the_tail_at_high(void **state)
{
	(void)state;
	boot(0, 3, 5);
	for (unsigned long pfn = 0; pfn < 6; pfn++)
		assert_int_equal(take_pfn_of(0, MIGRATE_MOVABLE), pfn);
	for (unsigned long pfn = 0; pfn < 4; pfn++)
		free_pfn(pfn, 0);
	assert_int_equal(native_events(PCP_DRAIN), 0);
	free_pfn(4, 0); /* the fifth */
	assert_int_equal(native_events(PCP_DRAIN), 1);
	look_expect(look_pageset(0, 0, MIGRATE_MOVABLE), 4UL, 3UL, LAST);
	/* 0 and 1 have merged, 2 stands alone */
	look_expect(look_free(0, 1, MIGRATE_MOVABLE), 0UL, 6UL, LAST);
	look_expect(look_free(0, 0, MIGRATE_MOVABLE), 2UL, LAST);
	look_consistent();
}

/*
 * Fill the pageset of CPU 0 with pages of each type; the last one has @batch of them drained. Which
 * are picked, and when, is seen from the buddies that are prefetched: page i of a type is at frame
 * 2 * i of a block of that type. Returns 10 * type + i for each.
 */
static struct look picked(int unmovable, int movable, int reclaimable, int batch)
{
	const int counts[] = {unmovable, movable, reclaimable};
	const void *addresses[NATIVE_PREFETCHES];
	unsigned long block[MIGRATE_PCPTYPES];
	struct look look;

	boot(PATCH_BIT(PATCH_PICK_OUTSIDE_LOCK) | PATCH_BIT(PATCH_PREFETCH_BUDDY), batch,
		unmovable + movable + reclaimable);
	for (int type = 0; type < MIGRATE_PCPTYPES; type++)
		block[type] = take_pfn_of(10, type);
	for (int type = 0; type < MIGRATE_PCPTYPES; type++)
		for (unsigned long i = 0; i < (unsigned long)counts[type]; i++) {
			pfn_to_page(block[type] + 2 * i)->_refcount = 1;
			free_pfn(block[type] + 2 * i, 0);
		}
	look.length = native_prefetches(addresses);
	for (unsigned int i = 0; i < look.length; i++) {
		unsigned long pfn = page_to_pfn(addresses[i]) ^ 1, type = 0;

		while (pfn - block[type] >= 1024)
			type++;
		look.pfn[i] = 10 * type + (pfn - block[type]) / 2;
	}
	return look;
}

static void one_type_gives_one_then_all_the_rest(void **state)
{
	(void)state;
	look_expect(picked(0, 9, 0, 5), 10UL, 11UL, 12UL, 13UL, 14UL, LAST);
	look_expect(picked(0, 9, 0, 1), 10UL, LAST);
}

static void types_give_in_turns(void **state)
{
	(void)state;
	/* from the one after unmovable, one each */
	look_expect(picked(3, 3, 3, 6), 10UL, 20UL, 0UL, 11UL, 21UL, 1UL, LAST);
	/* an empty list on the way lets the next give one more */
	look_expect(picked(6, 6, 0, 8), 10UL, 0UL, 1UL, 11UL, 2UL, 3UL, 12UL, 4UL, LAST);
	/* a list that runs dry ends its turn, and the only one left gives all */
	look_expect(picked(2, 9, 0, 7), 10UL, 0UL, 1UL, 11UL, 12UL, 13UL, 14UL, LAST);
	/* two lists run dry, and the third gives the rest */
	look_expect(picked(1, 2, 4, 7), 10UL, 20UL, 0UL, 11UL, 21UL, 22UL, 23UL, LAST);
}

static void only_a_batch_is_prefetched(void **state)
{
	const void *addresses[NATIVE_PREFETCHES];

	(void)state;
	boot(PATCH_BIT(PATCH_PICK_OUTSIDE_LOCK) | PATCH_BIT(PATCH_PREFETCH_BUDDY), 4, 100);
	for (unsigned long pfn = 0; pfn < 12; pfn++)
		assert_int_equal(take_pfn_of(0, MIGRATE_MOVABLE), pfn);
	for (unsigned long pfn = 0; pfn < 12; pfn++)
		free_pfn(pfn, 0);
	drain_local_pages(zone_of(0)); /* all 12 at once */
	assert_int_equal(native_prefetches(addresses), 4);
	for (unsigned long i = 0; i < 4; i++)
		assert_ptr_equal(addresses[i], pfn_to_page(i ^ 1));
	look_expect(look_pageset(0, 0, MIGRATE_MOVABLE), NOTHING);
	look_consistent();
}

static void a_bad_page_is_left_out_of_a_drain(void **state)
{
	static const patch_set forms[] = {0, PATCH_BIT(PATCH_PICK_OUTSIDE_LOCK)};

	(void)state;
	for (size_t i = 0; i < sizeof(forms) / sizeof(forms[0]); i++) {
		boot(forms[i], 4, 100);
		for (unsigned long pfn = 0; pfn < 4; pfn++)
			assert_int_equal(take_pfn_of(0, MIGRATE_MOVABLE), pfn);
		for (unsigned long pfn = 0; pfn < 4; pfn++)
			free_pfn(pfn, 0);
		mem_map[1].mem_cgroup = &mem_map[1];
		drain_local_pages(zone_of(0));
		assert_int_equal(native_events(BAD_PAGE), 1);
		look_expect(look_free(0, 0, MIGRATE_MOVABLE), 0UL, LAST);
		look_consistent();
	}
}

/* ---- lists of pages ---- */

static void a_list_is_freed_from_its_head(void **state)
{
	struct list_head list;

	(void)state;
	boot(0, 4, 100);
	INIT_LIST_HEAD(&list);
	for (unsigned long pfn = 0; pfn < 4; pfn++) {
		struct page *page = pfn_to_page(take_pfn_of(0, MIGRATE_MOVABLE));

		page->_refcount = 0;
		list_add_tail(&page->lru, &list);
	}
	free_unref_page_list(&list);
	look_expect(look_pageset(0, 0, MIGRATE_MOVABLE), 3UL, 2UL, 1UL, 0UL, LAST);
	look_consistent();
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(batch_follows_the_zones_size),
		cmocka_unit_test(high_is_six_batches_unless_told_otherwise),
		cmocka_unit_test(a_fraction_sets_both),
		cmocka_unit_test(each_pageset_is_told_its_size),
		cmocka_unit_test(a_refill_brings_ascending_addresses),
		cmocka_unit_test(a_refill_and_a_drain_take_the_lock_once),
		cmocka_unit_test(each_cpu_has_its_own),
		cmocka_unit_test(the_last_freed_page_is_the_first_taken),
		cmocka_unit_test(a_drain_takes_a_batch_from_the_tail_at_high),
		cmocka_unit_test(one_type_gives_one_then_all_the_rest),
		cmocka_unit_test(types_give_in_turns),
		cmocka_unit_test(only_a_batch_is_prefetched),
		cmocka_unit_test(a_bad_page_is_left_out_of_a_drain),
		cmocka_unit_test(a_list_is_freed_from_its_head),
	};

	return cmocka_run_group_tests_name("pagesets", tests, NULL, NULL);
}
