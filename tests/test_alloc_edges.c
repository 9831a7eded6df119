// SPDX-License-Identifier: GPL-3.0-or-later
/*
 * test_alloc_edges.c - what is rare: memory that ends in the middle of a fault, pages of two nodes
 * given back together, and calls for many pages where there are few.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "../alloc/bulk.h"
#include "../alloc/filemap.h"
#include "../alloc/lru.h"
#include "../alloc/memory.h"
#include "../alloc/page_alloc.h"
#include "native/look.h"

static void boot(int nodes, patch_set set)
{
	native_boot(&(struct native_config){.nodes = nodes,
		.cpus = 2,
		.sections_per_node = 1,
		.patches = set,
		.batch = 1,
		.high = 1});
}

/* ---- no memory ---- */

/* A chain of pages through their own list entries. */
static struct list_head hoard;

static void take_all(void)
{
	struct page *page;

	INIT_LIST_HEAD(&hoard);
	while ((page = alloc_pages(0, MIGRATE_MOVABLE)))
		list_add(&page->lru, &hoard);
}

static void give_back_one(void)
{
	struct page *page = list_first_entry(&hoard, struct page, lru);

	list_del(&page->lru);
	free_pages(page, 0);
}

static struct page *pte[2], *tables[1], *cached[2];
static struct page_cache file = {2, cached};
static struct anon_region region = {2, pte, tables, &file};
static struct pagevec pvec;

static int fault_anonymous(void)
{
	return do_anonymous_page(&region, 0, &pvec);
}

static int fault_copy(void)
{
	return do_cow_fault(&region, 0, &file, &pvec);
}

static int fault_shared(void)
{
	return do_shared_fault(&region, 0, &file, &pvec);
}

/* Pages in anyone's hands. */
static unsigned long in_use(void)
{
	const struct zone *zone = zone_of(0);
	unsigned long pages = 0;

	for (unsigned long pfn = 0; pfn < zone->managed_pages; pfn++)
		pages += pfn_to_page(pfn)->_refcount > 0;
	return pages;
}

/* With @enough pages it can be done; with fewer, each is kept where it is of use, or given back. */
static void expect_to_need(unsigned long enough, int (*fault)(void))
{
	for (unsigned long pages = 0; pages <= enough; pages++) {
		boot(1, 0);
		memset(pte, 0, sizeof(pte));
		memset(tables, 0, sizeof(tables));
		memset(cached, 0, sizeof(cached));
		memset(&pvec, 0, sizeof(pvec));
		take_all();
		for (unsigned long i = 0; i < pages; i++)
			give_back_one();
		unsigned long before = in_use();

		assert_int_equal(fault(), pages < enough ? -1 : 0);
		assert_int_equal(pte[0] != NULL, pages == enough);
		assert_int_equal(in_use() - before, (tables[0] != NULL) +
							    (pte[0] && pte[0] != cached[0]) +
							    (cached[0] != NULL));
		look_consistent();
	}
}

static void a_fault_without_memory_fails_and_loses_nothing(void **state)
{
	(void)state;
	expect_to_need(2, fault_anonymous); /* a page table, the page */
	expect_to_need(3, fault_copy);	    /* and that of the file */
	expect_to_need(2, fault_shared);
}

/* ---- pages of two nodes ---- */

static unsigned long lru_locks(int node)
{
	return native_lock_count(&node_data[node]->lru_lock);
}

/* The lock of a node is held for as long as pages are of that node. */
static void the_lock_changes_with_the_node(void **state)
{
	struct page *pages[6];
	unsigned long before[2];

	(void)state;
	boot(2, 0);
	memset(&pvec, 0, sizeof(pvec));
	for (int i = 0; i < 6; i++) {
		/* of nodes 0, 0, 1, 0, 1, 1 */
		native_run_on(i == 2 || i > 3);
		pages[i] = alloc_pages(0, MIGRATE_MOVABLE);
		assert_int_equal(page_to_nid(pages[i]), i == 2 || i > 3);
		lru_cache_add(&pvec, pages[i]);
	}
	lru_add_drain(&pvec);
	look_consistent();
	for (int node = 0; node < 2; node++)
		before[node] = lru_locks(node);
	release_pages(pages, 6);
	assert_int_equal(lru_locks(0) - before[0], 2);
	assert_int_equal(lru_locks(1) - before[1], 2);
	assert_int_equal(in_use(), 0);
	look_consistent();
}

/* ---- many pages where there are few ---- */

static unsigned long length_of(const struct list_head *list)
{
	const struct list_head *at;
	unsigned long length = 0;

	list_for_each (at, list)
		length++;
	return length;
}

static void expect_what_is_there(patch_set set)
{
	struct list_head list;
	struct page *array[8] = {NULL};

	boot(1, set);
	INIT_LIST_HEAD(&list);
	assert_int_equal(alloc_pages_bulk(MIGRATE_MOVABLE, 20, &list, NULL), 20);
	assert_int_equal(length_of(&list), 20);
	/* what the array has is not asked for */
	array[0] = array[2] = list_first_entry(&list, struct page, lru);
	assert_int_equal(alloc_pages_bulk(MIGRATE_MOVABLE, 8, NULL, array), 8);
	assert_int_equal(in_use(), 26);
	take_all();
	INIT_LIST_HEAD(&list);
	assert_int_equal(alloc_pages_bulk(MIGRATE_MOVABLE, 20, &list, NULL), 0);
	give_back_one();
	give_back_one();
	/* below the watermark there are no bulks, and one page at most */
	assert_int_equal(alloc_pages_bulk(MIGRATE_MOVABLE, 20, &list, NULL), 1);
	assert_int_equal(length_of(&list), 1);
	look_consistent();
}

static void a_bulk_gets_what_is_there(void **state)
{
	(void)state;
	expect_what_is_there(PATCH_BIT(PATCH_BULK_ALLOC));
	expect_what_is_there(kernel_find("v5.13")->patches);
	expect_what_is_there(kernel_find("v6.2")->patches);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_fault_without_memory_fails_and_loses_nothing),
		cmocka_unit_test(the_lock_changes_with_the_node),
		cmocka_unit_test(a_bulk_gets_what_is_there),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
