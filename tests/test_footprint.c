// SPDX-License-Identifier: GPL-3.0-or-later
/*
 * test_footprint.c - footprint clocks against exact caches that are fed the same accesses, of
 * page_fault1 on all CPUs. Hit rates must agree within two points at each level.
 *
 * Linked with hooks that show each access, and with what else goes through the caches wrapped: page
 * data, prefetches by code and by hardware, and lock words.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include <cmocka.h>

#include "../models/error.h"
#include "../sim/lock.h"
#include "../sim/memory.h"
#include "../sim/point.h"
#include "../sim/prefetcher.h"
#include "../sim/record.h"
#include "../sim/workload.h"
#include "exact_caches.h"
#include "simulation/child.h"

#define POINTS 2.0
#define TOUCHED_LINE 17 /* of a page, by its user: any will do */

/* ---- the stream ---- */

bool recording = true;

void record_access(const struct cpu *cpu, uintptr_t address, unsigned int size, enum access access)
{
	(void)size;
	exact_access(cpu->core, address - arena_base, access != ACCESS_READ);
}

#define WRAPPED(type, name, ...)                                                                   \
	type __real_##name(__VA_ARGS__);                                                           \
	type __wrap_##name(__VA_ARGS__);                                                           \
	type __wrap_##name(__VA_ARGS__)

WRAPPED(int, memory_init, const struct machine *m, size_t size)
{
	return __real_memory_init(m, size) || exact_init(m, arena_size);
}

/* Accesses by the hooks have been seen already: what is left are lock words. */
WRAPPED(void, memory_access, uintptr_t address, unsigned int size, enum access access)
{
	if (access == ACCESS_ATOMIC)
		for (unsigned int i = 0; i < nr_locks; i++)
			if (locks[i].word == address)
				exact_access(this_cpu->core, address - arena_base, true);
	__real_memory_access(address, size, access);
}

WRAPPED(void, memory_take_line, struct cpu *cpu, uintptr_t address)
{
	exact_take(cpu->core, address - arena_base);
	__real_memory_take_line(cpu, address);
}

WRAPPED(void, memory_prefetch, uintptr_t address)
{
	exact_access(this_cpu->core, address - arena_base, false);
	__real_memory_prefetch(address);
}

/* What the clocks' prefetchers want the exact caches are given too. */
WRAPPED(unsigned int, prefetcher_train, struct prefetcher *p, uintptr_t line, bool missed,
	uintptr_t wanted[PREFETCH_MOST])
{
	unsigned int nr = __real_prefetcher_train(p, line, missed, wanted);

	for (unsigned int i = 0; i < nr; i++)
		exact_prefetch(this_cpu->core, (wanted[i] << 6) - arena_base);
	return nr;
}

WRAPPED(void, memory_clear_page, uintptr_t record)
{
	for (unsigned int line = 0; line < 64; line++)
		exact_data_write(this_cpu->core, record - arena_base, line);
	__real_memory_clear_page(record);
}

WRAPPED(void, memory_touch_page, uintptr_t record)
{
	exact_data_write(this_cpu->core, record - arena_base, TOUCHED_LINE);
	__real_memory_touch_page(record);
}

/* ---- comparing ---- */

/* How many accesses footprint clocks let each level serve. */
static double by_footprint(enum exact_served level)
{
	static const struct {
		enum served from, to;
	} ranges[NR_EXACT_SERVED] = {
		[EXACT_L1] = {SERVED_L1, SERVED_IN_FLIGHT},
		[EXACT_L2] = {SERVED_L2, SERVED_L2},
		[EXACT_SOCKET] = {SERVED_LLC, SERVED_DIRTY_SOCKET},
		[EXACT_REMOTE] = {SERVED_DIRTY_REMOTE, SERVED_LLC_REMOTE},
		[EXACT_DRAM] = {SERVED_DRAM, SERVED_DRAM_REMOTE},
	};
	uint64_t sum = 0;

	for (int hold = 0; hold < NR_HOLDS; hold++)
		for (enum served s = ranges[level].from; s <= ranges[level].to; s++)
			sum += memory_served[s][hold];
	return (double)sum;
}

/*
 * For each level: of the accesses that came to it, how many percent it served, by the clocks and
 * exactly. Printed as comments of the Test Anything Protocol. Returns the largest difference.
 */
static double compare_levels(const char *name)
{
	double footprint_left = 0, exact_left = 0, worst = 0;

	for (enum exact_served l = 0; l < NR_EXACT_SERVED; l++) {
		footprint_left += by_footprint(l);
		exact_left += (double)exact_served[l];
	}
	double footprint_all = footprint_left, exact_all = exact_left;

	(void)dprintf(STDOUT_FILENO, "# %s, %.0f accesses\n", name, exact_all);
	(void)dprintf(STDOUT_FILENO,
		"# level      share: clocks   exact    hit rate: clocks   exact    difference\n");
	for (enum exact_served l = 0; l < NR_EXACT_SERVED; l++) {
		double f = by_footprint(l), e = (double)exact_served[l];
		double difference = 100 * (f / footprint_left - e / exact_left);

		(void)dprintf(STDOUT_FILENO, "# %-10s %13.3f %7.3f %19.3f %7.3f %13.3f\n",
			exact_names[l], 100 * f / footprint_all, 100 * e / exact_all,
			100 * f / footprint_left, 100 * e / exact_left, difference);
		worst = fmax(worst, fabs(difference));
		footprint_left -= f;
		exact_left -= e;
	}
	expect_equal(footprint_all, exact_all);
	return worst;
}

static void run(const char *name, double region, double time)
{
	static struct point_result result;
	struct error err;
	struct point p = {.machine = &machine,
		.kernel = kernel_find("v4.15"),
		.workload = workload_find("page_fault1"),
		.parameters = {region},
		.precision = 1e-9,
		.time_limit = time,
		.seed = 1};

	load_machine(name);
	p.patches = p.kernel->patches;
	p.tasks = machine_cpus(&machine);
	expect_equal(coefficients_load(&p.coefficients, &err), 0);
	point_run(&p, &result);
	expect_equal(result.status, POINT_IMPRECISE);
	expect_near(compare_levels(name), 0, POINTS);
}

static void run_skylake(void)
{
	run("skylake-2s", 8 << 20, 0.03);
}

static void run_broadwell(void)
{
	run("broadwell-2s", 8 << 20, 0.03);
}

static void a_victim_llc_and_large_l2s(void **state)
{
	(void)state;
	simulate(run_skylake);
}

static void an_inclusive_llc_and_small_l2s(void **state)
{
	(void)state;
	simulate(run_broadwell);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_victim_llc_and_large_l2s),
		cmocka_unit_test(an_inclusive_llc_and_small_l2s),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
