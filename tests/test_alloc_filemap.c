// SPDX-License-Identifier: GPL-3.0-or-later
/*
 * test_alloc_filemap.c - faults on mapped files: who has a reference to which page, and what an
 * unmap leaves in the page cache.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "../alloc/filemap.h"
#include "../alloc/page_alloc.h"
#include "native/look.h"

#define PAGES 40

/* A process with one mapping of a file. */
static struct page *pte[PAGES], *pte_pages[1], *cached[PAGES];
static struct page_cache file = {PAGES, cached};
static struct anon_region region = {PAGES, pte, pte_pages, &region};
static struct pagevec pvec;
static struct mmu_gather gather;
static struct mmu_gather_batch arrays[MAX_GATHER_BATCH_COUNT];

static void boot(void)
{
	native_boot(&(struct native_config){
		.nodes = 1, .cpus = 1, .sections_per_node = 1, .batch = 16, .high = 100000});
	pvec.nr = 0;
	memset(pte, 0, sizeof(pte));
	memset(pte_pages, 0, sizeof(pte_pages));
	memset(cached, 0, sizeof(cached));
}

static void expect_cached(unsigned long index, int references, int mappings)
{
	const struct page *page = cached[index];

	assert_non_null(page);
	assert_int_equal(page->_refcount, references);
	assert_int_equal(page->_mapcount, mappings - 1);
	assert_ptr_equal(page->mapping, &file);
	assert_int_equal(page->index, index);
	assert_false(page_flag(page, PG_locked));
	assert_true(page_flag(page, PG_uptodate));
}

static void fault_private(void)
{
	for (unsigned long i = 0; i < PAGES; i++)
		assert_int_equal(do_cow_fault(&region, i, &file, &pvec), 0);
}

static void fault_shared(void)
{
	for (unsigned long i = 0; i < PAGES; i++)
		assert_int_equal(do_shared_fault(&region, i, &file, &pvec), 0);
}

static void unmap(
	void (*zap)(struct anon_region *, unsigned long, unsigned long, struct mmu_gather *))
{
	tlb_gather_init(&gather, &pvec, arrays);
	zap(&region, 0, PAGES, &gather);
	free_pgtables(&region, &gather);
	tlb_finish_mmu(&gather);
}

static long node_state(enum node_stat_item item)
{
	return node_data[0]->vm_stat[item] +
	       node_data[0]->per_cpu_nodestats[0]->vm_node_stat_diff[item];
}

static unsigned long length(enum lru_list lru)
{
	return look_list(&node_data[0]->memcg->lruvec.lists[lru]).length;
}

/* Each page twice, in the cache and as the process's own; the second time only the latter. */
static void private_pages_are_copies(void **state)
{
	(void)state;
	boot();
	fault_private();
	lru_add_drain(&pvec);
	assert_int_equal(native_events(PGFAULT), PAGES);
	assert_int_equal(native_events(PGALLOC), 2 * PAGES + 1);
	for (unsigned long i = 0; i < PAGES; i++) {
		expect_cached(i, 1, 0);
		assert_ptr_not_equal(pte[i], cached[i]);
		assert_int_equal(pte[i]->_refcount, 1);
		assert_int_equal(pte[i]->_mapcount, 0);
	}
	assert_int_equal(node_state(NR_ANON_MAPPED), PAGES);
	assert_int_equal(node_state(NR_FILE_MAPPED), 0);
	assert_int_equal(length(LRU_ACTIVE_ANON), PAGES);
	assert_int_equal(length(LRU_INACTIVE_FILE), PAGES);
	unmap(zap_pte_range);
	/* the copies, the table and an array of the gather */
	assert_int_equal(native_events(PGFREE), PAGES + 2);
	assert_int_equal(node_state(NR_ANON_MAPPED), 0);
	unsigned long before = native_events(PGALLOC);

	fault_private();
	assert_int_equal(native_events(PGALLOC) - before, PAGES + 1);
	unmap(zap_pte_range);
	look_consistent();
}

static void shared_pages_are_the_cache_s(void **state)
{
	(void)state;
	boot();
	fault_shared();
	lru_add_drain(&pvec);
	assert_int_equal(native_events(PGALLOC), PAGES + 1);
	for (unsigned long i = 0; i < PAGES; i++) {
		expect_cached(i, 2, 1);
		assert_ptr_equal(pte[i], cached[i]);
	}
	assert_int_equal(node_state(NR_FILE_MAPPED), PAGES);
	assert_int_equal(node_state(NR_ANON_MAPPED), 0);
	unmap(zap_shared_range);
	for (unsigned long i = 0; i < PAGES; i++)
		expect_cached(i, 1, 0);
	assert_int_equal(node_state(NR_FILE_MAPPED), 0);
	assert_int_equal(length(LRU_INACTIVE_FILE), PAGES);
	/* the table and an array of the gather, both times */
	assert_int_equal(native_events(PGFREE), 2);
	fault_shared();
	unmap(zap_shared_range);
	assert_int_equal(native_events(PGALLOC), PAGES + 1 + 1 + 2);
	assert_int_equal(native_events(PGFREE), 4);
	look_consistent();
}

static void no_memory_is_told(void **state)
{
	(void)state;
	boot();
	while (alloc_pages(0, MIGRATE_MOVABLE))
		;
	assert_int_equal(do_cow_fault(&region, 0, &file, &pvec), -1);
	assert_int_equal(do_shared_fault(&region, 0, &file, &pvec), -1);
	assert_null(cached[0]);
	assert_null(pte[0]);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(private_pages_are_copies),
		cmocka_unit_test(shared_pages_are_the_cache_s),
		cmocka_unit_test(no_memory_is_told),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
