// SPDX-License-Identifier: GPL-3.0-or-later
/*
 * test_alloc_check.c - the check of memory finds each kind of damage, and says which it is. All
 * other tests of the allocator, and each run of the simulator, rest on it.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "../alloc/check.h"
#include "../alloc/cluster.h"
#include "../alloc/lru.h"
#include "../alloc/memory.h"
#include "../alloc/page_alloc.h"
#include "native/look.h"

/* ---- a machine with something on every kind of list ---- */

static struct pagevec pvec;
static struct page *mapped[4], *page_tables[1], *taken;

static void boot(patch_set set)
{
	struct anon_region region = {4, mapped, page_tables, &pvec};

	native_boot(&(struct native_config){.nodes = 2,
		.cpus = 2,
		.sections_per_node = 1,
		.patches = set,
		.batch = 8,
		.high = 48});
	memset(&pvec, 0, sizeof(pvec));
	memset(mapped, 0, sizeof(mapped));
	memset(page_tables, 0, sizeof(page_tables));
	for (unsigned long i = 0; i < 4; i++)
		assert_int_equal(do_anonymous_page(&region, i, &pvec), 0);
	lru_add_drain(&pvec);
	taken = alloc_pages(0, MIGRATE_MOVABLE);
	assert_non_null(taken);
	look_consistent();
}

static struct page *first_of(struct list_head *list)
{
	assert_false(list_empty(list));
	return list_first_entry(list, struct page, lru);
}

static struct page *free_block(unsigned int order)
{
	return first_of(&zone_of(0)->free_area[order].free_list[MIGRATE_MOVABLE]);
}

static unsigned int some_order(void)
{
	unsigned int order = 1;

	while (list_empty(&zone_of(0)->free_area[order].free_list[MIGRATE_MOVABLE]))
		order++;
	return order;
}

static struct page *kept_page(void)
{
	return first_of(&zone_of(0)->pageset[0]->pcp.lists[MIGRATE_MOVABLE]);
}

/* ---- damage ---- */

static void link_to_nowhere(void)
{
	free_block(some_order())->lru.next = (struct list_head *)&pvec;
}

static void list_leads_elsewhere(void)
{
	zone_of(0)->free_area[5].free_list[MIGRATE_RECLAIMABLE].next = (struct list_head *)&pvec;
}

static void neighbour_does_not_point_back(void)
{
	struct page *page = free_block(MAX_ORDER - 1);

	page->lru.next->prev = &page->lru;
	page->lru.next->prev = page->lru.next;
}

static void on_two_lists(void)
{
	struct page *page = free_block(some_order());
	struct list_head *list = &node_data[0]->memcg->lruvec.lists[LRU_INACTIVE_FILE];

	/* the list's only page, which is the free block's second */
	page[1].flags |= 1UL << PG_lru;
	page[1]._refcount = 0;
	list_add(&page[1].lru, list);
}

static void no_mark_of_a_free_block(void)
{
	free_block(some_order())->_mapcount = -1;
}

static void free_block_of_another_order(void)
{
	free_block(some_order())->private += 1;
}

static void not_aligned(void)
{
	unsigned int order = some_order();
	struct page *page = free_block(order) + 1;

	page->_mapcount = PAGE_BUDDY_MAPCOUNT_VALUE;
	page->private = order;
	list_add(&page->lru, &zone_of(0)->free_area[order].free_list[MIGRATE_MOVABLE]);
}

static void of_another_node(void)
{
	free_block(some_order())->flags ^= 1UL << NODES_PGSHIFT;
}

static void users_of_a_free_page(void)
{
	free_block(some_order())[1]._refcount = 1;
}

static void count_of_blocks(void)
{
	zone_of(1)->free_area[MAX_ORDER - 1].nr_free--;
}

static void count_of_free_pages(void)
{
	zone_of(1)->vm_stat[NR_FREE_PAGES]++;
}

static void mark_without_a_list(void)
{
	taken->_mapcount = PAGE_BUDDY_MAPCOUNT_VALUE;
}

/* The upper of two halves that were one: both free, and not joined. */
static void free_beside_a_free_buddy(void)
{
	struct zone *zone = zone_of(0);
	struct page *page = free_block(MAX_ORDER - 1);

	list_del(&page->lru);
	zone->free_area[MAX_ORDER - 1].nr_free--;
	for (int half = 0; half < 2; half++, page += 1UL << (MAX_ORDER - 2)) {
		page->private = MAX_ORDER - 2;
		page->_mapcount = PAGE_BUDDY_MAPCOUNT_VALUE;
		list_add(&page->lru, &zone->free_area[MAX_ORDER - 2].free_list[MIGRATE_MOVABLE]);
		zone->free_area[MAX_ORDER - 2].nr_free++;
	}
}

static void users_of_a_kept_page(void)
{
	kept_page()->_refcount = 1;
}

static void count_of_a_pageset(void)
{
	zone_of(0)->pageset[0]->pcp.count++;
}

static void difference_beyond_its_threshold(void)
{
	zone_of(0)->pageset[1]->vm_stat_diff[NR_FREE_PAGES] = 127;
	zone_of(0)->vm_stat[NR_FREE_PAGES] -= 127;
}

static void kept_page_of_no_list(void)
{
	kept_page()->lru.prev = (struct list_head *)&pvec;
}

static void counters_of_the_lru(void)
{
	node_data[0]->memcg->lru_size[LRU_ACTIVE_ANON]++;
}

static void page_of_another_lru_list(void)
{
	mapped[0]->flags ^= 1UL << PG_active;
}

static void sum_of_zones(void)
{
	vm_global->zone[NR_FREE_PAGES]++;
}

static void sum_of_nodes(void)
{
	vm_global->node[NR_ANON_MAPPED]++;
}

/* ---- what is said of it ---- */

static const struct damage {
	void (*make)(void);
	const char *said;
} damages[] = {
	{list_leads_elsewhere, "which is no page of the node"},
	{link_to_nowhere, "do not point back"},
	{neighbour_does_not_point_back, "do not point back"},
	{on_two_lists, "is on a free list and on an LRU list"},
	{no_mark_of_a_free_block, "is not marked as such"},
	{free_block_of_another_order, "is not marked as such"},
	{not_aligned, "is not aligned to its order"},
	{of_another_node, "of node 1 is on a list of node 0"},
	{users_of_a_free_page, "in a free block has users"},
	{count_of_blocks, "node 1 order 10: nr_free is"},
	{count_of_free_pages, "node 1: nr_free_pages is"},
	{mark_without_a_list, "is marked free and on no list"},
	{free_beside_a_free_buddy, "of order 9 are buddies, both free"},
	{users_of_a_kept_page, "on a pageset has users"},
	{count_of_a_pageset, "node 0 CPU 0: the pageset counts"},
	{difference_beyond_its_threshold, "node 0 CPU 1: counter 0 is held back too far"},
	{kept_page_of_no_list, "do not point back"},
	{counters_of_the_lru, "node 0: LRU list 1 has 4 pages, but is counted as 5"},
	{page_of_another_lru_list, "does not belong on LRU list 1"},
	{sum_of_zones, "zone counter 0: the machine's is"},
	{sum_of_nodes, "node counter 5: the machine's is"},
};

static void expect_found(const char *said)
{
	char why[200] = "";

	assert_int_equal(mm_check(why, sizeof(why)), -1);
	if (!strstr(why, said))
		fail_msg("it says '%s', not '%s'", why, said);
}

static void each_kind_of_damage_is_found_and_named(void **state)
{
	(void)state;
	for (size_t i = 0; i < sizeof(damages) / sizeof(damages[0]); i++) {
		boot(0);
		damages[i].make();
		expect_found(damages[i].said);
	}
}

static void a_block_on_a_pageset_that_is_not_aligned_is_found(void **state)
{
	(void)state;
	boot(kernel_find("v6.7")->patches);
	free_pages(alloc_pages(2, MIGRATE_MOVABLE), 2);
	struct per_cpu_order_pages *pcp = zone_of(0)->per_cpu_pages[0];
	struct list_head *list = &pcp->lists[2 * MIGRATE_PCPTYPES + MIGRATE_MOVABLE];
	struct page *page = first_of(list);

	list_del(&page->lru);
	list_add(&page[1].lru, list);
	expect_found("on a pageset is not aligned to order 2");
}

static void a_run_that_is_shorter_than_its_record_is_found(void **state)
{
	(void)state;
	boot(PATCH_BIT(PATCH_CLUSTER_ALLOC) | PATCH_BIT(PATCH_SKIP_MERGE) |
		PATCH_BIT(PATCH_PICK_OUTSIDE_LOCK));
	struct page *pages[64];

	for (int i = 0; i < 64; i++)
		pages[i] = alloc_pages(0, MIGRATE_MOVABLE);
	for (int i = 0; i < 64; i++)
		free_pages(pages[i], 0);
	look_consistent();
	struct cluster *c = page_cluster(free_block(0));

	assert_non_null(c);
	c->length++;
	expect_found("pages together, but");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(each_kind_of_damage_is_found_and_named),
		cmocka_unit_test(a_block_on_a_pageset_that_is_not_aligned_is_found),
		cmocka_unit_test(a_run_that_is_shorter_than_its_record_is_found),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
