// SPDX-License-Identifier: GPL-3.0-or-later
/*
 * test_alloc_threads.c - the allocator run by real threads at once, on one zone and its locks.
 *
 * Built twice: with ThreadSanitizer, which reports a lock that is not held where it should be, and
 * with AddressSanitizer and UBSan.
 */
#include <pthread.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "../alloc/memory.h"
#include "../alloc/page_alloc.h"
#include "../alloc/pcp.h"
#include "native/look.h"

#define THREADS 4
#define REGION_PAGES 1500UL
#define ROUNDS 6

const char *__tsan_default_suppressions(void);
const char *__tsan_default_options(void);

/* What is read, here as in the kernel, without asking who may be writing. */
const char *__tsan_default_suppressions(void)
{
	/* of a page's flags only the node, which never changes */
	return "race:^page_to_nid$\n"
	       /* whether a page in use could be moved is a guess; the function does nothing else */
	       "race:^page_looks_movable$\n";
}

/* Remember all of each thread's past, to tell the functions of both accesses. */
const char *__tsan_default_options(void)
{
	return "history_size=7";
}

struct worker {
	pthread_t thread;
	int cpu;
	bool failed;
	struct pagevec pvec;
	struct anon_region region;
	struct mmu_gather gather;
	struct mmu_gather_batch arrays[MAX_GATHER_BATCH_COUNT];
	struct page *pte[REGION_PAGES], *pte_pages[REGION_PAGES / PTRS_PER_PTE + 1];
};

/* Map a region page by page and unmap it, as page_fault1 does. */
static void fault_and_unmap(struct worker *w)
{
	for (unsigned long i = 0; i < REGION_PAGES; i++)
		if (do_anonymous_page(&w->region, i, &w->pvec))
			w->failed = true;
	tlb_gather_init(&w->gather, &w->pvec, w->arrays);
	zap_pte_range(&w->region, 0, REGION_PAGES, &w->gather);
	free_pgtables(&w->region, &w->gather);
	tlb_finish_mmu(&w->gather);
}

/* Blocks straight from buddy, of all orders and types. */
static void take_and_free_blocks(struct worker *w)
{
	struct page *blocks[MAX_ORDER];

	for (unsigned int order = 0; order < MAX_ORDER; order++) {
		blocks[order] = alloc_pages(order, (int)order % MIGRATE_PCPTYPES);
		if (!blocks[order])
			w->failed = true;
	}
	for (unsigned int order = 0; order < MAX_ORDER; order++)
		if (blocks[order])
			free_pages(blocks[order], order);
}

static void *work(void *argument)
{
	struct worker *w = argument;

	native_run_on(w->cpu);
	for (int round = 0; round < ROUNDS; round++) {
		fault_and_unmap(w);
		take_and_free_blocks(w);
		/* refused without a lock for pagesets */
		(void)drain_remote_pages(zone_of(0), (w->cpu + 1) % THREADS);
	}
	drain_local_pages(zone_of(0));
	w->failed |= native_busy();
	return NULL;
}

static struct worker workers[THREADS];

static void run(patch_set set)
{
	native_boot(&(struct native_config){.nodes = 1,
		.cpus = THREADS,
		.sections_per_node = 2,
		.patches = set,
		.batch = 7,
		.high = 42});
	for (int i = 0; i < THREADS; i++) {
		struct worker *w = &workers[i];

		w->cpu = i;
		w->pvec.nr = 0;
		w->region = (struct anon_region){REGION_PAGES, w->pte, w->pte_pages, w};
		assert_int_equal(pthread_create(&w->thread, NULL, work, w), 0);
	}
	for (int i = 0; i < THREADS; i++) {
		assert_int_equal(pthread_join(workers[i].thread, NULL), 0);
		assert_false(workers[i].failed);
	}
	look_consistent();
	assert_int_equal(native_events(PGFAULT), THREADS * ROUNDS * REGION_PAGES);
	assert_int_equal(native_events(PGALLOC), native_events(PGFREE));
	/* all is given back and merged */
	unsigned long up = zone_of(0)->first_deferred_pfn;

	if (!(set & PATCH_BIT(PATCH_SKIP_MERGE)))
		assert_int_equal(
			zone_of(0)->free_area[MAX_ORDER - 1].nr_free, up >> (MAX_ORDER - 1));
}

static void threads_share_a_zone(void **state)
{
	(void)state;
	run(0);
}

/* Those that differ in what is done without a lock, or with one more. */
static void threads_share_a_zone_in_later_kernels(void **state)
{
	static const char *const releases[] = {"v4.18", "v5.13", "v5.14", "v5.18", "v6.0", "v6.7"};

	(void)state;
	for (size_t i = 0; i < sizeof(releases) / sizeof(releases[0]); i++)
		run(kernel_find(releases[i])->patches);
	run(kernel_find("v6.7")->patches | PATCH_BIT(PATCH_CHUNKED_DRAIN));
	run(kernel_find("v4.15")->patches | PATCH_BIT(PATCH_PICK_OUTSIDE_LOCK) |
		PATCH_BIT(PATCH_SKIP_MERGE) | PATCH_BIT(PATCH_CLUSTER_ALLOC));
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test(threads_share_a_zone),
		cmocka_unit_test(threads_share_a_zone_in_later_kernels),
	};

	return cmocka_run_group_tests_name("threads", tests, NULL, NULL);
}
