// SPDX-License-Identifier: GPL-3.0-or-later
/*
 * test_alloc_lru.c - pagevecs, release_pages and the gather of an unmap, worked out by hand.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "../alloc/memory.h"
#include "../alloc/page_alloc.h"
#include "native/look.h"

/* A process with one mapping. */
static struct process {
	struct pagevec pvec;
	struct anon_region region;
	struct mmu_gather gather;
	struct mmu_gather_batch arrays[MAX_GATHER_BATCH_COUNT];
} process;

static unsigned long lru_locks(void)
{
	return native_lock_count(&node_data[0]->lru_lock);
}

/* A machine whose pagesets never drain, and a mapping of @pages. */
static void boot(patch_set set, unsigned long pages)
{
	native_boot(&(struct native_config){.nodes = 1,
		.cpus = 1,
		.sections_per_node = 1,
		.patches = set,
		.batch = 16,
		.high = 100000});
	process.pvec.nr = 0;
	process.region = (struct anon_region){.pages = pages,
		.pte = calloc(pages, sizeof(struct page *)),
		.pte_pages = calloc(pages / PTRS_PER_PTE + 1, sizeof(struct page *)),
		.anon_vma = &process};
	assert_non_null(process.region.pte);
	assert_non_null(process.region.pte_pages);
}

static void end(void)
{
	look_consistent();
	free(process.region.pte);
	free(process.region.pte_pages);
}

static void fault(unsigned long first, unsigned long last)
{
	for (unsigned long index = first; index <= last; index++)
		assert_int_equal(do_anonymous_page(&process.region, index, &process.pvec), 0);
}

static void a_full_pagevec_goes_to_the_lru(void **state)
{
	static const struct {
		patch_set patches;
		unsigned long size;
	} cases[] = {{0, 14}, {PATCH_BIT(PATCH_PAGEVEC_15), 15},
		{PATCH_BIT(PATCH_NO_SKIP_PAGEVECS), 14},
		{PATCH_BIT(PATCH_NO_SKIP_PAGEVECS) | PATCH_BIT(PATCH_PAGEVEC_15), 15}};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		unsigned long size = cases[i].size;

		boot(cases[i].patches, 100);
		fault(0, size - 2);
		assert_int_equal(lru_locks(), 0);
		assert_int_equal(process.pvec.nr, size - 1);
		fault(size - 1, size - 1);
		assert_int_equal(lru_locks(), 1);
		assert_int_equal(process.pvec.nr, 0);
		assert_int_equal(native_events(LRU_ADD_DRAIN), 1);
		/* the latest page is the first of the list */
		struct look lru = look_list(&node_data[0]->memcg->lruvec.lists[LRU_ACTIVE_ANON]);

		assert_int_equal(lru.length, size);
		assert_int_equal(lru.pfn[0], page_to_pfn(process.region.pte[size - 1]));
		assert_int_equal(process.region.pte[0]->_refcount, 1);
		end();
	}
}

/* Lock the second of three pages in memory and let them go to the LRU. */
static struct lruvec *add_one_locked(patch_set set)
{
	struct lruvec *lruvec;

	boot(set, 100);
	lruvec = &node_data[0]->memcg->lruvec;
	fault(0, 2);
	process.region.pte[1]->flags |= 1UL << PG_mlocked;
	lru_add_drain(&process.pvec);
	return lruvec;
}

static void a_locked_page_is_found_out_on_its_way_to_the_lru(void **state)
{
	const struct page *locked;
	struct look lru;

	(void)state;
	(void)add_one_locked(0);
	assert_int_equal(process.region.pte[1]->flags >> PG_unevictable & 1, 0);
	end();

	struct lruvec *lruvec = add_one_locked(PATCH_BIT(PATCH_NO_SKIP_PAGEVECS));

	locked = process.region.pte[1];
	lru = look_list(&lruvec->lists[LRU_UNEVICTABLE]);
	assert_int_equal(lru.length, 1);
	assert_int_equal(lru.pfn[0], page_to_pfn(locked));
	assert_int_equal(locked->flags >> PG_active & 1, 0);
	assert_int_equal(locked->flags >> PG_unevictable & 1, 1);
	assert_int_equal(look_list(&lruvec->lists[LRU_ACTIVE_ANON]).length, 2);
	/* those that were faulted in are active, and only they count as referenced */
	assert_int_equal(lruvec->reclaim_stat.recent_scanned[0], 2);
	assert_int_equal(lruvec->reclaim_stat.recent_rotated[0], 2);
	end();
}

static void release_pages_retakes_the_lock_after_32_pages(void **state)
{
	static const struct {
		unsigned long pages, holds;
	} cases[] = {{1, 1}, {32, 1}, {33, 2}, {64, 2}, {65, 3}, {510, 16}};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		boot(0, 600);
		fault(0, cases[i].pages - 1);
		lru_add_drain(&process.pvec);
		unsigned long before = lru_locks();

		for (unsigned long page = 0; page < cases[i].pages; page++)
			process.region.pte[page]->_mapcount = -1;
		release_pages(process.region.pte, (int)cases[i].pages);
		assert_int_equal(lru_locks() - before, cases[i].holds);
		end();
	}
}

static void pages_still_in_use_are_not_released(void **state)
{
	(void)state;
	boot(0, 10);
	fault(0, 1);
	lru_add_drain(&process.pvec);
	process.region.pte[0]->_refcount++;
	process.region.pte[0]->_mapcount = process.region.pte[1]->_mapcount = -1;
	release_pages(process.region.pte, 2);
	assert_true(page_flag(process.region.pte[0], PG_lru));
	assert_false(page_flag(process.region.pte[1], PG_lru));
	assert_int_equal(native_events(PGFREE), 1);
	end();
}

/* The pages of an array are freed from its end, so the first is what the next fault gets. */
static void an_array_is_freed_in_reverse(void **state)
{
	struct page *pages[MAX_GATHER_BATCH];

	(void)state;
	boot(0, MAX_GATHER_BATCH);
	fault(0, MAX_GATHER_BATCH - 1);
	lru_add_drain(&process.pvec);
	for (unsigned long i = 0; i < MAX_GATHER_BATCH; i++) {
		pages[i] = process.region.pte[i];
		pages[i]->_mapcount = -1;
	}
	release_pages(pages, MAX_GATHER_BATCH);
	struct look pageset = look_pageset(0, 0, MIGRATE_MOVABLE);

	/* behind them is what the last refill left over: 510 is not a multiple of 16 */
	assert_int_equal(pageset.length, MAX_GATHER_BATCH + 2);
	for (unsigned long i = 0; i < MAX_GATHER_BATCH; i++)
		assert_int_equal(pageset.pfn[i], page_to_pfn(pages[i]));
	end();
}

static void the_gather_flushes_after_8_and_19_times_510_pages(void **state)
{
	const unsigned long room = 8 + 19 * 510;

	(void)state;
	boot(0, room + 20);
	fault(0, room + 9);
	tlb_gather_init(&process.gather, &process.pvec, process.arrays);
	zap_pte_range(&process.region, 0, room - 1, &process.gather);
	assert_int_equal(native_events(TLB_FLUSH), 0);
	assert_int_equal(process.gather.batch_count, 19);
	zap_pte_range(&process.region, room - 1, room, &process.gather);
	assert_int_equal(native_events(TLB_FLUSH), 1);
	assert_int_equal(native_events(PGFREE), room);
	/* the arrays stay for the next pages, and go at the end */
	zap_pte_range(&process.region, room, room + 10, &process.gather);
	assert_int_equal(process.gather.batch_count, 19);
	free_pgtables(&process.region, &process.gather);
	tlb_finish_mmu(&process.gather);
	assert_int_equal(native_events(TLB_FLUSH), 2);
	assert_int_equal(native_events(PGFREE), native_events(PGALLOC));
	/* 19 page-table pages and as many arrays */
	assert_int_equal(native_events(PGALLOC), room + 10 + 19 + 19);
	end();
}

static void a_hole_is_skipped_and_a_page_table_is_shared_by_512(void **state)
{
	(void)state;
	boot(0, 1024);
	fault(3, 3);
	fault(511, 512);
	assert_int_equal(native_events(PGALLOC), 3 + 2);
	tlb_gather_init(&process.gather, &process.pvec, process.arrays);
	zap_pte_range(&process.region, 0, 1024, &process.gather);
	free_pgtables(&process.region, &process.gather);
	tlb_finish_mmu(&process.gather);
	assert_int_equal(native_events(PGFREE), 5);
	assert_null(process.region.pte[511]);
	end();
}

static void pages_of_two_nodes_take_both_locks(void **state)
{
	(void)state;
	native_boot(&(struct native_config){
		.nodes = 2, .cpus = 2, .sections_per_node = 1, .batch = 16, .high = 1000});
	process.pvec.nr = 0;
	for (int i = 0; i < 14; i++) {
		native_run_on(i / 7); /* seven of each node */
		struct page *page = alloc_page(MIGRATE_MOVABLE);

		assert_non_null(page);
		assert_int_equal(page_to_nid(page), i / 7);
		lru_cache_add(&process.pvec, page);
	}
	assert_int_equal(native_lock_count(&node_data[0]->lru_lock), 1);
	assert_int_equal(native_lock_count(&node_data[1]->lru_lock), 1);
	look_consistent();
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_full_pagevec_goes_to_the_lru),
		cmocka_unit_test(a_locked_page_is_found_out_on_its_way_to_the_lru),
		cmocka_unit_test(release_pages_retakes_the_lock_after_32_pages),
		cmocka_unit_test(pages_still_in_use_are_not_released),
		cmocka_unit_test(an_array_is_freed_in_reverse),
		cmocka_unit_test(the_gather_flushes_after_8_and_19_times_510_pages),
		cmocka_unit_test(a_hole_is_skipped_and_a_page_table_is_shared_by_512),
		cmocka_unit_test(pages_of_two_nodes_take_both_locks),
	};

	return cmocka_run_group_tests_name("lru", tests, NULL, NULL);
}
