// SPDX-License-Identifier: GPL-3.0-or-later
/*
 * test_alloc_orders.c - pagesets since v5.14: how much a drain and a refill take, blocks of high
 * order, the pageset's lock. All figures worked out by hand from the rules.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "../alloc/bulk.h"
#include "../alloc/cluster.h"
#include "../alloc/page_alloc.h"
#include "../alloc/pcp.h"
#include "native/look.h"

#define MAX_PAGES 30000

static unsigned long pfns[MAX_PAGES];
static unsigned int nr_pfns;

static patch_set kernel_patches(const char *name)
{
	const struct kernel_info *k = kernel_find(name);

	assert_non_null(k);
	return k->patches;
}

static void boot_with(patch_set set, int batch, int high, unsigned long cache_slice)
{
	char why[200];

	nr_pfns = 0;
	assert_true(patch_set_check(set, why, sizeof(why)));
	native_boot(&(struct native_config){.nodes = 1,
		.cpus = 2,
		.sections_per_node = 1,
		.patches = set,
		.batch = batch,
		.high = high,
		.cache_slice = cache_slice});
}

static void boot(const char *release, int batch, int high)
{
	boot_with(kernel_patches(release), batch, high, 0);
}

static struct per_cpu_order_pages *pcp(int cpu)
{
	return zone_of(0)->per_cpu_pages[cpu];
}

static void take(unsigned int n, unsigned int order)
{
	while (n--)
		pfns[nr_pfns++] = take_pfn_of(order, MIGRATE_MOVABLE);
}

/* Free a block; returns how many pages left the pageset for buddy meanwhile. */
static int give(unsigned int order)
{
	int before = pcp(0)->count;

	free_pfn(pfns[--nr_pfns], order);
	return before + (1 << order) - pcp(0)->count;
}

/* Free single pages until some leave for buddy; returns how many did. */
static int next_drain(void)
{
	int drained = 0;

	while (!drained)
		drained = give(0);
	return drained;
}

/* ---- sizes ---- */

static void high_by_zone(void **state)
{
	/* two nodes of 128 GiB, 112 CPUs each */
	struct boot_parameters b = {.pages_per_node = 128UL << 18,
		.nodes = 2,
		.cpus = 112,
		.patches = kernel_patches("v5.14")};
	int batch, high;

	(void)state;
	/*
	 * min: 64 MiB for 256 GiB, half of it here: 8192 pages. A thousandth of the zone is 33554,
	 * more than a quarter of min. A machine of this size was seen to have 367: firmware keeps
	 * some of its memory.
	 */
	pageset_size(&b, &batch, &high);
	assert_int_equal(batch, 63);
	assert_int_equal(high, (8192 + 33554) / 112);
	assert_int_equal(high, 372);
	/* an eighth of the zone */
	b.percpu_pagelist_high_fraction = 8;
	pageset_size(&b, &batch, &high);
	assert_int_equal(high, 4194304 / 112);
	/* never below four batches */
	b.percpu_pagelist_high_fraction = 1 << 20;
	pageset_size(&b, &batch, &high);
	assert_int_equal(high, 252);
	/* told, it is as told */
	b.high = 100;
	pageset_size(&b, &batch, &high);
	assert_int_equal(high, 100);
}

/* ---- drains of single pages ---- */

static void drains_double(void **state)
{
	static const int want[] = {63, 126, 252, 504, 751, 751};

	(void)state;
	boot("v5.14", 63, 814);
	take(8000, 0);
	for (size_t i = 0; i < sizeof(want) / sizeof(want[0]); i++)
		assert_int_equal(next_drain(), want[i]);
	/* doubled four times; each page that is taken halves that number: by two to 1 */
	take(2, 0);
	assert_int_equal(next_drain(), 126);
	look_consistent();
}

static void drains_stay_a_batch_without_scaling(void **state)
{
	(void)state;
	boot_with(kernel_patches("v5.14") & ~PATCH_BIT(PATCH_FREE_BATCH_SCALE), 63, 814, 0);
	take(4000, 0);
	for (int i = 0; i < 5; i++)
		assert_int_equal(next_drain(), 63);
}

static void a_small_high_drains_page_by_page(void **state)
{
	(void)state;
	boot("v5.18", 63, 10);
	take(100, 0);
	assert_int_equal(next_drain(), 1);
	assert_int_equal(next_drain(), 1);
}

static void one_pass_begins_with_the_list_just_freed_to(void **state)
{
	(void)state;
	boot("v5.18", 4, 9);
	unsigned long unmovable = take_pfn_of(0, MIGRATE_UNMOVABLE);

	take(20, 0);
	assert_int_equal(pcp(0)->count, 3);
	free_pfn(unmovable, 0);
	/* 5, 6, 7, 8, 9: the movable list is drained of its oldest four */
	assert_int_equal(next_drain(), 4);
	assert_false(list_empty(&pcp(0)->lists[MIGRATE_UNMOVABLE]));
	look_consistent();
}

/* ---- blocks of high order ---- */

static void high_orders_stay_on_the_pageset(void **state)
{
	(void)state;
	boot("v5.14", 63, 500);
	take(1, 3);
	/* 63 >> 3 blocks were brought, of 8 pages */
	assert_int_equal(native_events(PCP_REFILL), 1);
	assert_int_equal(pcp(0)->count, 6 * 8);
	assert_int_equal(native_lock_count(&zone_of(0)->lock), 1);
	take(6, 3);
	assert_int_equal(pcp(0)->count, 0);
	for (int i = 0; i < 7; i++)
		assert_int_equal(give(3), 0);
	assert_int_equal(pcp(0)->count, 56);
	assert_int_equal(native_lock_count(&zone_of(0)->lock), 1);
	look_consistent();
	/* order 4 is kept by no pageset */
	take(1, 4);
	assert_int_equal(native_lock_count(&zone_of(0)->lock), 2);
	assert_int_equal(give(4) - 16, 0);
}

/* Single pages are drained once, so that drains are known to follow each other; order 3 is at hand.
 */
static void drain_once(void)
{
	take(20, 3);
	take(700, 0);
	(void)next_drain();
	assert_true(pcp(0)->free_count > 0);
	nr_pfns = 20;
}

static void the_limit_empties_the_pageset(void **state)
{
	(void)state;
	boot("v5.18", 63, 400);
	drain_once();
	int count = pcp(0)->count;

	assert_true(count > 100);
	assert_int_equal(give(3), count + 8);
	assert_int_equal(pcp(0)->count, 0);
	assert_int_equal(native_events(PCP_DRAIN_HIGH), 1);
	look_consistent();
	/* nothing of the sort without the limit */
	boot_with(kernel_patches("v5.18") & ~PATCH_BIT(PATCH_HIGH_ORDER_LIMIT), 63, 400, 0);
	drain_once();
	assert_int_equal(give(3), 0);
	assert_int_equal(native_events(PCP_DRAIN_HIGH), 0);
}

static void an_exit_does_not_empty_the_pageset(void **state)
{
	(void)state;
	boot_with(kernel_patches("v6.6") | PATCH_BIT(PATCH_PCP_NO_DRAIN_ON_EXIT), 63, 400, 0);
	drain_once();
	/* one block among single pages, as when a process ends */
	assert_int_equal(give(3), 0);
	free_pfn(take_pfn_of(0, MIGRATE_MOVABLE), 0);
	assert_int_equal(native_events(PCP_DRAIN_HIGH), 0);
	/* two in a row, while drains follow each other */
	drain_once();
	assert_int_equal(give(3), 0);
	assert_true(give(3) > 100);
	assert_int_equal(native_events(PCP_DRAIN_HIGH), 1);
}

static void a_batch_is_kept_where_the_cache_is_large(void **state)
{
	const patch_set keep = kernel_patches("v6.6") | PATCH_BIT(PATCH_PCP_NO_DRAIN_ON_EXIT) |
			       PATCH_BIT(PATCH_PCP_KEEP_HIGH_ORDER_BATCH);

	(void)state;
	/* 3 x 63 pages are just not enough */
	boot_with(keep, 63, 400, 189 * PAGE_SIZE);
	assert_false(pcp(0)->flags & PCPF_FREE_HIGH_BATCH);
	boot_with(keep, 63, 400, 190 * PAGE_SIZE);
	assert_true(pcp(0)->flags & PCPF_FREE_HIGH_BATCH);
	drain_once();
	drain_local_pages(zone_of(0));
	/* from an empty pageset: 8, 16, ... 56 pages are below a batch, 64 are not */
	for (int i = 0; i < 7; i++)
		assert_int_equal(give(3), 0);
	assert_int_equal(give(3), 64);
	assert_int_equal(native_events(PCP_DRAIN_HIGH), 1);
}

/* ---- tuning ---- */

static void boot_tuned(patch_set more)
{
	/* high is not told: by the watermark it is below four batches, 252; at most an eighth */
	boot_with(kernel_patches("v6.7") | more, 63, 0, 0);
	assert_int_equal(pcp(0)->high_min, 252);
	assert_int_equal(pcp(0)->high_max, 32768 / 8 / 2);
}

static void refills_double(void **state)
{
	/*
	 * 256 MiB: min is 2048 KiB, 512 pages, and low a quarter more; all of it one CPU's. High
	 * rises by all that is brought, and there is room for what it is above a batch.
	 */
	static const int want[] = {63, 126, 252, 504, 1008, 2016};
	int high = 640;

	(void)state;
	native_boot(&(struct native_config){.nodes = 1,
		.cpus = 1,
		.sections_per_node = 2,
		.patches = kernel_patches("v6.7"),
		.batch = 63});
	assert_int_equal(pcp(0)->high_max, 65536 / 8);
	for (size_t i = 0; i < sizeof(want) / sizeof(want[0]); i++) {
		nr_pfns = 0;
		take(1, 0);
		high += want[i];
		assert_int_equal(pcp(0)->count, want[i] - 1);
		assert_int_equal(pcp(0)->high, high);
		take((unsigned int)want[i] - 1, 0);
	}
}

static void tuned_drains_follow_what_was_freed(void **state)
{
	(void)state;
	boot_with(kernel_patches("v6.7"), 63, 252, 0);
	assert_int_equal(pcp(0)->high_max, 252);
	take(2000, 0);
	pcp(0)->free_count = 0;
	int count = pcp(0)->count;

	/* after as many frees in a row as were missing, but at most high less a batch */
	int freed = 252 - count;
	int wanted = freed < 63 ? 63 : freed > 189 ? 189 : freed;

	assert_int_equal(next_drain(), wanted);
	/* then twice as many have been freed in a row */
	assert_int_equal(next_drain(), 189);
}

static void high_decays(void **state)
{
	(void)state;
	boot_tuned(0);
	pcp(0)->high = 1000;
	decay_pcp_high(zone_of(0), 0);
	/* an eighth of 1000 off */
	assert_int_equal(pcp(0)->high, 875);
	take(1, 0);
	pcp(0)->high = pcp(0)->high_min = 20;
	decay_pcp_high(zone_of(0), 0);
	/* 62 are left of the refill, 42 above high */
	assert_int_equal(pcp(0)->count, 20);
	look_consistent();
}

static void chunks_let_go_of_both_locks(void **state)
{
	unsigned long locked, drains;

	(void)state;
	for (int chunked = 0; chunked < 2; chunked++) {
		boot_with(kernel_patches("v6.7") | (chunked ? PATCH_BIT(PATCH_CHUNKED_DRAIN) : 0),
			63, 252, 0);
		take(1000, 0);
		/* until as much is freed in a row as a drain may take */
		while (next_drain() < 189)
			;
		locked = native_lock_count(&zone_of(0)->lock);
		drains = native_lock_count(&pcp(0)->lock);
		/* 189 pages, in one piece or in three; the pageset is taken anew between them */
		assert_int_equal(next_drain(), 189);
		assert_int_equal(native_lock_count(&zone_of(0)->lock) - locked, chunked ? 3 : 1);
		assert_int_equal(
			native_lock_count(&pcp(0)->lock) - drains, 189 + (chunked ? 2 : 0));
		look_consistent();
	}
}

/* ---- the lock ---- */

static void a_taken_pageset_is_gone_around(void **state)
{
	(void)state;
	boot("v6.2", 63, 378);
	take(1, 0);
	unsigned long missed = native_events(PCP_LOCK_MISSED);
	int count = pcp(0)->count;

	assert_true(spin_trylock(&pcp(0)->lock));
	take(1, 0);
	free_pfn(pfns[--nr_pfns], 0);
	spin_unlock(&pcp(0)->lock);
	assert_int_equal(native_events(PCP_LOCK_MISSED) - missed, 2);
	assert_int_equal(pcp(0)->count, count);
	/* a refill, then one page out of buddy and back */
	assert_int_equal(native_lock_count(&zone_of(0)->lock), 3);
	look_consistent();
}

static void interrupts_stay_on_when_the_lock_is_tried(void **state)
{
	(void)state;
	boot("v6.0", 63, 378);
	take(1, 0);
	assert_int_equal(native_lock_count(&pcp(0)->lock), 1);
	assert_int_equal(native_events(PCP_LOCK_MISSED), 0);
	boot("v5.19", 63, 378);
	take(1, 0);
	assert_int_equal(native_lock_count(&pcp(0)->lock), 0);
}

static void pagesets_of_others_can_be_drained_under_a_lock(void **state)
{
	static const struct {
		const char *release;
		bool remote;
	} cases[] = {{"v4.19", false}, {"v5.19", false}, {"v6.0", true}, {"v6.7", true}};

	(void)state;
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		boot(cases[i].release, 63, 378);
		take(1, 0);
		native_run_on(1);
		assert_int_equal(pcp_count(zone_of(0), 0), 62);
		assert_int_equal(drain_remote_pages(zone_of(0), 0), cases[i].remote);
		assert_int_equal(pcp_count(zone_of(0), 0), cases[i].remote ? 0 : 62);
		native_run_on(0);
		assert_true(drain_remote_pages(zone_of(0), 0));
		assert_int_equal(pcp_count(zone_of(0), 0), 0);
		look_consistent();
	}
}

/* ---- many at once ---- */

static void bulk_fills_an_array(void **state)
{
	static const char *const releases[] = {"v5.13", "v5.14", "v6.0", "v6.7"};
	struct page *array[10] = {NULL};

	(void)state;
	for (size_t i = 0; i < sizeof(releases) / sizeof(releases[0]); i++) {
		boot(releases[i], 63, 378);
		struct page *mine = alloc_page(MIGRATE_MOVABLE);

		for (int k = 0; k < 10; k++)
			array[k] = k == 3 ? mine : NULL;
		assert_int_equal(alloc_pages_bulk(MIGRATE_MOVABLE, 10, NULL, array), 10);
		assert_ptr_equal(array[3], mine);
		for (int k = 0; k < 10; k++) {
			assert_int_equal(array[k]->_refcount, 1);
			for (int other = 0; other < k; other++)
				assert_ptr_not_equal(array[k], array[other]);
		}
		assert_int_equal(pcp_count(zone_of(0), 0), 63 - 10);
		assert_int_equal(native_events(PGALLOC), 10);
		/* all there: nothing to do */
		assert_int_equal(alloc_pages_bulk(MIGRATE_MOVABLE, 10, NULL, array), 10);
		assert_int_equal(native_events(PGALLOC), 10);
		for (int k = 0; k < 10; k++)
			free_pages(array[k], 0);
		look_consistent();
	}
}

static void bulk_fills_a_list(void **state)
{
	struct list_head list, *at;
	unsigned int n = 0;

	(void)state;
	boot("v5.13", 31, 186);
	INIT_LIST_HEAD(&list);
	/* more than a refill brings */
	assert_int_equal(alloc_pages_bulk(MIGRATE_MOVABLE, 40, &list, NULL), 40);
	assert_int_equal(native_events(PCP_REFILL), 2);
	list_for_each (at, &list)
		n++;
	assert_int_equal(n, 40);
	/* one alone goes the ordinary way */
	INIT_LIST_HEAD(&list);
	assert_int_equal(alloc_pages_bulk(MIGRATE_MOVABLE, 1, &list, NULL), 1);
	assert_int_equal(alloc_pages_bulk(MIGRATE_MOVABLE, 0, &list, NULL), 0);
}

static void bulk_without_its_lock_gives_one(void **state)
{
	struct page *array[5] = {NULL};

	(void)state;
	boot("v6.2", 63, 378);
	assert_true(spin_trylock(&pcp(0)->lock));
	assert_int_equal(alloc_pages_bulk(MIGRATE_MOVABLE, 5, NULL, array), 1);
	spin_unlock(&pcp(0)->lock);
	assert_non_null(array[0]);
	assert_null(array[1]);
}

/* ---- skip-merge ---- */

static void unmerged_pages_stay_single(void **state)
{
	(void)state;
	boot_with(kernel_patches("v4.15") | PATCH_BIT(PATCH_SKIP_MERGE), 4, 4, 0);
	take(8, 0);
	for (int i = 0; i < 8; i++)
		free_pfn(pfns[--nr_pfns], 0);
	assert_int_equal(native_events(BUDDY_MERGE), 0);
	assert_int_equal(zone_of(0)->free_area[0].nr_free, 8);
	look_consistent();
	take(8, 0);
	assert_int_equal(zone_of(0)->free_area[0].nr_free, 0);
	look_consistent();
}

/* ---- cluster-alloc ---- */

static void boot_clusters(void)
{
	boot_with(kernel_patches("v4.15") | PATCH_BIT(PATCH_SKIP_MERGE) |
			  PATCH_BIT(PATCH_PICK_OUTSIDE_LOCK) | PATCH_BIT(PATCH_CLUSTER_ALLOC),
		4, 8, 0);
}

static const struct cluster *run_of(unsigned long pfn)
{
	return page_cluster(pfn_to_page(pfn));
}

/* Eight pages make high, and the oldest four go back; the second such batch goes in one piece. */
static void a_batch_goes_and_comes_in_one_piece(void **state)
{
	(void)state;
	boot_clusters();
	take(16, 0);
	for (int i = 0; i < 8; i++)
		free_pfn(pfns[--nr_pfns], 0);
	assert_int_equal(zone_of(0)->free_area[0].nr_free, 4);
	look_consistent();
	/* the CPU had no record at hand: each page joined the run of the one before */
	struct look first = look_free(0, 0, MIGRATE_MOVABLE);

	assert_int_equal(first.length, 4);
	assert_int_equal(run_of(first.pfn[0])->length, 4);
	for (int i = 0; i < 4; i++)
		free_pfn(pfns[--nr_pfns], 0);
	look_consistent();
	struct look both = look_free(0, 0, MIGRATE_MOVABLE);

	assert_int_equal(both.length, 8);
	assert_int_equal(run_of(both.pfn[0])->length, 4);
	assert_ptr_not_equal(run_of(both.pfn[0]), run_of(both.pfn[4]));
	/* 4 are left on the pageset; the next refill takes the first run as it is */
	nr_pfns = 0;
	take(4, 0);
	unsigned long locked = native_lock_count(&zone_of(0)->lock);

	take(4, 0);
	assert_int_equal(native_lock_count(&zone_of(0)->lock), locked + 1);
	for (int i = 0; i < 4; i++) {
		assert_int_equal(pfns[4 + i], both.pfn[i]);
		assert_null(pfn_to_page(pfns[4 + i])->mapping);
	}
	assert_int_equal(zone_of(0)->cluster_in_progress, 0);
	look_consistent();
}

/* Pages of two types go back one by one, and what is left of a run is still one. */
static void a_run_can_lose_pages(void **state)
{
	(void)state;
	boot_clusters();
	take(16, 0);
	for (int i = 0; i < 12; i++)
		free_pfn(pfns[--nr_pfns], 0);
	struct page *page = pfn_to_page(look_free(0, 0, MIGRATE_MOVABLE).pfn[3]);
	struct cluster *c = page_cluster(page);

	/* the tail: the one before becomes it */
	assert_ptr_equal(c->tail, page);
	cluster_forget(zone_of(0), page);
	assert_int_equal(c->length, 3);
	look_consistent();
	/* three are no batch: they are taken one by one */
	nr_pfns = 0;
	take(8, 0);
	look_consistent();
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(high_by_zone),
		cmocka_unit_test(drains_double),
		cmocka_unit_test(drains_stay_a_batch_without_scaling),
		cmocka_unit_test(a_small_high_drains_page_by_page),
		cmocka_unit_test(one_pass_begins_with_the_list_just_freed_to),
		cmocka_unit_test(high_orders_stay_on_the_pageset),
		cmocka_unit_test(the_limit_empties_the_pageset),
		cmocka_unit_test(an_exit_does_not_empty_the_pageset),
		cmocka_unit_test(a_batch_is_kept_where_the_cache_is_large),
		cmocka_unit_test(refills_double),
		cmocka_unit_test(tuned_drains_follow_what_was_freed),
		cmocka_unit_test(high_decays),
		cmocka_unit_test(chunks_let_go_of_both_locks),
		cmocka_unit_test(a_taken_pageset_is_gone_around),
		cmocka_unit_test(interrupts_stay_on_when_the_lock_is_tried),
		cmocka_unit_test(pagesets_of_others_can_be_drained_under_a_lock),
		cmocka_unit_test(bulk_fills_an_array),
		cmocka_unit_test(bulk_fills_a_list),
		cmocka_unit_test(bulk_without_its_lock_gives_one),
		cmocka_unit_test(unmerged_pages_stay_single),
		cmocka_unit_test(a_batch_goes_and_comes_in_one_piece),
		cmocka_unit_test(a_run_can_lose_pages),
	};

	return cmocka_run_group_tests_name("orders", tests, NULL, NULL);
}
