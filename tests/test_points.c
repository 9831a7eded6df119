// SPDX-License-Identifier: GPL-3.0-or-later
/*
 * test_points.c - points that end otherwise than with a precise result, and forms of workloads that
 * no other test runs.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <sys/mman.h>

#include <cmocka.h>

#include "../models/error.h"
#include "../sim/lock.h"
#include "../sim/memory.h"
#include "../sim/sim.h"
#include "simulation/run_point.h"

#define SECTION (128.0 * 1024 * 1024)

/* ---- points that are refused ---- */

static void refused(void)
{
	configure("skylake-1s", "page_fault1", 0);
	expect_refused("tasks", "at least 1 task is needed");
	point.tasks = 8;
	expect_accepted();
	point.tasks = 9;
	expect_refused("tasks", "has 8 logical CPUs");
	point.tasks = 8;
	/* one is of kernels before v5.14, one of those since */
	point.percpu_pagelist_high_fraction = 8;
	expect_refused("pcp.percpu-pagelist-high-fraction", "without pcp-high-by-zone");
	point.percpu_pagelist_high_fraction = 0;
	point.percpu_pagelist_fraction = 8;
	expect_accepted();
	point.patches = kernel_find("v6.7")->patches;
	expect_refused("pcp.percpu-pagelist-fraction", "with pcp-high-by-zone");
	point.percpu_pagelist_fraction = 0;
	point.pcp_batch = 100;
	point.pcp_high = 99;
	expect_refused("pcp.high", "high 99 is below batch 100");
	point.pcp_high = 100;
	expect_accepted();
	point.patches |= PATCH_BIT(PATCH_PREFETCH_BUDDY);
	expect_refused("patches", "prefetch-buddy needs");
}

/* 128 MiB less than all tasks together want, and just what they want. */
static void expect_to_need_memory(const char *workload, unsigned int tasks, double bytes)
{
	configure("skylake-1s", workload, tasks);
	machine.memory = bytes - SECTION;
	expect_refused("workload", "use fewer tasks or a smaller region");
	machine.memory = bytes + 2 * SECTION;
	expect_accepted();
}

static void too_little_memory(void)
{
	configure("skylake-1s", "alloc_free", 8);
	point.parameters[0] = 16384;
	machine.memory = 3 * SECTION; /* 8 x 64 MiB are four */
	expect_refused("workload", "8 tasks need 0.5 GiB, but skylake-1s has 0.375 GiB");
	machine.memory = 4 * SECTION;
	expect_accepted();
	expect_to_need_memory("page_fault1", 8, 8 * SECTION);
	expect_to_need_memory("page_fault1_threads", 8, 8 * SECTION);
}

static void what_can_not_be_simulated_is_refused(void **state)
{
	(void)state;
	simulate(refused);
	simulate(too_little_memory);
}

/* ---- how a point ends ---- */

static void expect_to_run_out(void)
{
	point_run(&point, &result);
	expect_equal(result.status, POINT_FAILED);
	expect_equal(result.exit_status, EXIT_RUN_FAILED);
	expect_true(strstr(result.failure, "the simulated machine ran out of memory: task "));
}

/* 32768 pages, of which tasks want 65536. */
static void too_many_pages(void)
{
	configure("skylake-1s", "alloc_free", 4);
	machine.memory = SECTION;
	point.parameters[0] = 16384;
	expect_to_run_out();
}

static void too_large_regions(void)
{
	configure("skylake-1s", "page_fault1", 2);
	machine.memory = SECTION;
	point.parameters[0] = SECTION;
	expect_to_run_out();
}

static void a_machine_without_memory_fails_the_point(void **state)
{
	(void)state;
	simulate(too_many_pages);
	simulate(too_large_regions);
}

static void stop_at_the_limit(void)
{
	configure("skylake-1s", "page_fault1", 2);
	point.precision = 1e-4;
	point.time_limit = 0.1;
	point_run(&point, &result);
	expect_equal(result.status, POINT_IMPRECISE);
	expect_equal(result.exit_status, EXIT_NOT_TRUSTED);
	/* an unmap that has begun is ended: 32768 pages, of some 50 ns each */
	expect_near(result.simulated, 0.1, 32768 * 50e-9);
	expect_true(result.nr_series > 0 && result.zoneinfo && result.buddyinfo &&
		    result.pagetypeinfo && result.vmstat);
	point_result_free(&result);
	expect_true(result.nr_series == 0 && !result.zoneinfo && !result.buddyinfo &&
		    !result.pagetypeinfo && !result.vmstat);
}

static void a_point_at_its_limit_is_not_trusted(void **state)
{
	(void)state;
	simulate(stop_at_the_limit);
}

/* ---- forms ---- */

/* The pages are the same as with an array: more than the first refill brings. */
static void bulk_to_a_list(void)
{
	configure("broadwell-1s", "page_bench04_bulk", 1);
	point.kernel = kernel_find("v5.13");
	point.patches = point.kernel->patches;
	point.parameters[0] = 64;
	point.parameters[1] = 1;
	run_configured();
	expect_equal(counter("pcp_refill"), 2);
	expect_equal(counter("pcp_drain"), 0);
	expect_equal(counter("pgalloc"), counter("pgfree"));
}

static void bulks_go_to_lists_too(void **state)
{
	(void)state;
	simulate(bulk_to_a_list);
}

static double *seen_far; /* from one child to the next */

/* Lines that a hold to free pages did not find in the core's L1. */
static double fetched(patch_set added)
{
	configure("skylake-1s", "page_fault1_spread", 8);
	point.patches |= PATCH_BIT(PATCH_PICK_OUTSIDE_LOCK) | added;
	point.precision = 0.5;
	run_configured();
	uint64_t far = 0;

	for (int from = SERVED_L2; from < SERVED_UPGRADE; from++)
		far += memory_served[from][HOLD_ZONE_FREE];
	return (double)far / (double)vm_events[0][PCP_DRAIN];
}

static void without_prefetches(void)
{
	*seen_far = fetched(0);
}

static void with_prefetches(void)
{
	expect_true(fetched(PATCH_BIT(PATCH_PREFETCH_BUDDY)) < 0.95 * *seen_far);
}

static void prefetched_buddies_are_there_under_the_lock(void **state)
{
	(void)state;
	simulate(without_prefetches);
	simulate(with_prefetches);
}

static int make_shared(void **state)
{
	(void)state;
	seen_far = mmap(
		NULL, sizeof(*seen_far), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	return seen_far == MAP_FAILED ? -1 : 0;
}

/* ---- metrics, and what they are made of ---- */

static double spin_share(enum lock_class class)
{
	double spun = 0;

	for (unsigned int i = 0; i < point.tasks; i++)
		spun += (double)cpus[i].spun[class] / PS_PER_SECOND;
	return 100 * spun / (point.tasks * result.simulated);
}

static double mean_hold(enum hold hold)
{
	const struct lock *lock = locks;

	while (lock->class != LOCK_ZONE)
		lock++;
	const struct lock_times *t = &lock->hold[hold];

	return (double)t->total / (double)t->count / 1000;
}

/*
 * The metrics leave the warm-up out, the sums do not: they are near each other, no more. And more
 * would be left out of a start that is repeated.
 */
static void compare_with_sums(void)
{
	configure("skylake-1s", "page_fault1_spread", 6);
	point.parameters[0] = SECTION / 8;
	point.precision = 1e-4;
	point.time_limit = 0.05;
	point_run(&point, &result);
	double zone = spin_share(LOCK_ZONE), lru = spin_share(LOCK_LRU);

	/* a lock is hardly waited for: no more than the order can be told */
	expect_near(log2(metric("zone_lock_spin_share") / zone), 0, 1);
	expect_near(log2(metric("lru_lock_spin_share") / lru), 0, 1);
	expect_near(metric("zone_lock_hold_alloc") / mean_hold(HOLD_ZONE_ALLOC), 1, 0.05);
	expect_near(metric("zone_lock_hold_free") / mean_hold(HOLD_ZONE_FREE), 1, 0.05);
	expect_true(fabs(mean_hold(HOLD_ZONE_ALLOC) / mean_hold(HOLD_ZONE_FREE) - 1) > 0.1);
}

static void metrics_are_the_quotients_that_they_say(void **state)
{
	(void)state;
	simulate(compare_with_sums);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(what_can_not_be_simulated_is_refused),
		cmocka_unit_test(a_machine_without_memory_fails_the_point),
		cmocka_unit_test(a_point_at_its_limit_is_not_trusted),
		cmocka_unit_test(bulks_go_to_lists_too),
		cmocka_unit_test(metrics_are_the_quotients_that_they_say),
		cmocka_unit_test(prefetched_buddies_are_there_under_the_lock),
	};

	return cmocka_run_group_tests(tests, make_shared, NULL);
}
