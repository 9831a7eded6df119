// SPDX-License-Identifier: GPL-3.0-or-later
/*
 * test_window.c - what of an access is waited for: prefetches, the reorder buffer, fill buffers,
 * stores, atomics. Worked out by hand for a machine of round figures.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "simulation/round_machine.h"

static void start(void)
{
	start_round_machine(false);
}

static void execute(unsigned int cpu, unsigned int instructions)
{
	cpu_charge_instructions(&cpus[cpu], instructions);
}

/* ---- prefetches ---- */

static void prefetched(void)
{
	uintptr_t line;

	start();
	line = line_on_node(0, 1);
	this_cpu = &cpus[0];
	memory_prefetch(line);
	/* no one waits for it */
	expect_equal(rest(0), 0);
	cpu_charge_time(&cpus[0], 30 * NS);
	EXPECT_READ(0, line, SERVED_IN_FLIGHT, DRAM - 30 * NS);
	EXPECT_READ(0, line, SERVED_L1, 0);
	memory_prefetch(line_on_node(0, 2));
	cpu_charge_time(&cpus[0], DRAM);
	EXPECT_READ(0, line_on_node(0, 2), SERVED_L1, 0);
}

static void of_a_prefetch_the_rest_is_waited_for(void **state)
{
	(void)state;
	simulate(prefetched);
}

/* ---- loads and stores ---- */

static void dependent_loads(void)
{
	uintptr_t first, second, third;

	start();
	first = line_on_node(0, 1);
	second = line_on_node(0, 2);
	third = line_on_node(0, 3);
	*(uintptr_t *)first = second + 8;
	*(uintptr_t *)(second + 8) = third + 24;
	issue(0, first, ACCESS_READ);
	issue(0, second + 8, ACCESS_READ);
	issue(0, third + 24, ACCESS_READ);
	expect_equal(rest(0), 3 * DRAM);
}

static void independent_loads(void)
{
	start();
	for (unsigned int i = 1; i <= 3; i++)
		issue(0, line_on_node(0, i), ACCESS_READ);
	expect_equal(cpus[0].clock, 0);
	expect_equal(rest(0), DRAM);
}

static void pointers_are_waited_for(void **state)
{
	(void)state;
	simulate(dependent_loads);
	simulate(independent_loads);
}

/* Two loads with @instructions between them; how long until both values are there. */
static sim_time loads_apart(unsigned int cpu, unsigned int instructions)
{
	static unsigned int line;
	sim_time since = cpus[cpu].clock;

	issue(cpu, line_on_node(0, ++line), ACCESS_READ);
	execute(cpu, instructions);
	issue(cpu, line_on_node(0, ++line), ACCESS_READ);
	cpu_fence(&cpus[cpu]);
	return cpus[cpu].clock - since;
}

static void windows(void)
{
	start();
	/* 100 entries: 99 instructions fit behind the load, 100 do not */
	expect_near(loads_apart(0, 99), 99 * CYCLE + DRAM, 2);
	expect_near(loads_apart(0, 100), 2 * DRAM, 2);
	expect_near(loads_apart(0, 60), 60 * CYCLE + DRAM, 2);
	/* 50 beside a sibling */
	cpus[SIBLING].state = CPU_SPINNING;
	expect_near(loads_apart(0, 49), 49 * CYCLE + DRAM, 2);
	expect_near(loads_apart(0, 60), 2 * DRAM, 2);
	/* when the load is long done, nothing is waited for */
	expect_near(loads_apart(0, 400), 400 * CYCLE + DRAM, 2);
}

static void loads_overlap_within_the_reorder_buffer(void **state)
{
	(void)state;
	simulate(windows);
}

static void fill_buffers(void)
{
	start();
	for (unsigned int i = 1; i <= 10; i++)
		issue(0, line_on_node(0, i), ACCESS_READ);
	expect_equal(cpus[0].clock, 0);
	issue(0, line_on_node(0, 11), ACCESS_READ);
	expect_equal(cpus[0].clock, DRAM);
}

/* The one that comes from the near node is free first, whenever it was asked for. */
static void first_fill_buffer(void)
{
	start();
	for (unsigned int i = 1; i <= 10; i++)
		issue(0, line_on_node(i != 4, i), ACCESS_READ);
	expect_equal(cpus[0].clock, 0);
	issue(0, line_on_node(0, 11), ACCESS_READ);
	expect_equal(cpus[0].clock, DRAM);
	expect_equal(rest(0), DRAM);
}

static void as_many_misses_as_fill_buffers(void **state)
{
	(void)state;
	simulate(fill_buffers);
	simulate(first_fill_buffer);
}

static void stores(void)
{
	start();
	cpus[0].stores.parallel = 2;
	issue(0, line_on_node(0, 1), ACCESS_WRITE);
	execute(0, 150);
	issue(0, line_on_node(0, 2), ACCESS_WRITE);
	/* far beyond the reorder buffer, and not waited for */
	expect_near(cpus[0].clock, 150 * CYCLE, 1);
	expect_near(rest(0), DRAM, 1);
	expect_equal(rest(0), 0);
}

static void stores_do_not_stall_but_a_fence_does(void **state)
{
	(void)state;
	simulate(stores);
}

static void stores_in_turn(void)
{
	start();
	for (unsigned int i = 1; i <= 3; i++)
		issue(0, line_on_node(0, i), ACCESS_WRITE);
	expect_equal(cpus[0].clock, 0);
	expect_equal(rest(0), 3 * DRAM);
	/* one that is at hand is seen after those before it, and costs nothing else */
	issue(0, line_on_node(0, 4), ACCESS_WRITE);
	issue(0, line_on_node(0, 1), ACCESS_WRITE);
	expect_equal(rest(0), DRAM);
}

static void stores_two_at_a_time(void)
{
	start();
	cpus[0].stores.parallel = 2;
	for (unsigned int i = 1; i <= 5; i++)
		issue(0, line_on_node(0, i), ACCESS_WRITE);
	expect_equal(rest(0), 3 * DRAM);
}

static void lines_of_stores_are_fetched_in_turn(void **state)
{
	(void)state;
	simulate(stores_in_turn);
	simulate(stores_two_at_a_time);
}

static void full_store_buffer(void)
{
	start();
	for (unsigned int i = 1; i <= 16; i++)
		issue(0, line_on_node(0, i), ACCESS_WRITE);
	expect_equal(cpus[0].clock, 0);
	issue(0, line_on_node(0, 17), ACCESS_WRITE);
	expect_equal(cpus[0].clock, DRAM);
	expect_equal(rest(0), 16 * DRAM);
	/* half of it beside a sibling; what hits takes room too */
	cpus[SIBLING].state = CPU_SPINNING;
	issue(0, line_on_node(0, 18), ACCESS_WRITE);
	for (unsigned int i = 1; i <= 7; i++)
		issue(0, line_on_node(0, i), ACCESS_WRITE);
	expect_equal(rest(0), DRAM);
	issue(0, line_on_node(0, 19), ACCESS_WRITE);
	for (unsigned int i = 1; i <= 8; i++)
		issue(0, line_on_node(0, i), ACCESS_WRITE);
	/* the eighth has waited for the first to be visible, and all the others with it */
	expect_equal(rest(0), 0);
}

static void a_full_store_buffer_is_waited_for(void **state)
{
	(void)state;
	simulate(full_store_buffer);
}

/* Three stores miss; the second line is then loaded. */
static void loaded_before_its_turn(void)
{
	start();
	for (unsigned int i = 1; i <= 3; i++)
		issue(0, line_on_node(0, i), ACCESS_WRITE);
	issue(0, line_on_node(0, 2) + 8, ACCESS_READ);
	/* beside the first; the third comes after both */
	expect_equal(rest(0), 2 * DRAM);
}

static void loaded_in_its_turn(void)
{
	start();
	issue(0, line_on_node(0, 1), ACCESS_WRITE);
	cpu_charge_time(&cpus[0], 30 * NS);
	issue(0, line_on_node(0, 1) + 8, ACCESS_READ);
	execute(0, 100);
	/* the reorder buffer is full: the rest of the way is waited for */
	issue(0, line_on_node(0, 2), ACCESS_READ);
	expect_near(cpus[0].clock, DRAM, 1);
}

static void forwarded(void)
{
	start();
	issue(0, line_on_node(0, 1), ACCESS_WRITE);
	issue(0, line_on_node(0, 1), ACCESS_READ);
	expect_equal(cpus[0].window.nr, 0);
	expect_equal(rest(0), DRAM);
}

static void loads_see_stores_that_wait(void **state)
{
	(void)state;
	simulate(loaded_before_its_turn);
	simulate(loaded_in_its_turn);
	simulate(forwarded);
}

/* ---- atomics ---- */

static void atomic_first(struct cpu *cpu)
{
	memory_access(line_on_node(0, 1), 4, ACCESS_ATOMIC);
	expect_equal(cpu->clock, DRAM + ATOMIC);
	/* the line is its own now, and at hand */
	memory_access(line_on_node(0, 2), 4, ACCESS_ATOMIC);
	memory_access(line_on_node(0, 2), 4, ACCESS_ATOMIC);
	expect_equal(cpu->clock, 2 * DRAM + 3 * ATOMIC);
}

/* Comes while the other is at it. */
static void atomic_second(struct cpu *cpu)
{
	cpu_charge_time(cpu, 10 * NS);
	memory_access(line_on_node(0, 1), 4, ACCESS_ATOMIC);
	expect_equal(cpu->clock, DRAM + ATOMIC + SAME_SOCKET + ATOMIC);
}

static void atomics(void)
{
	start();
	start_on(0, atomic_first);
	start_on(1, atomic_second);
	run_all();
}

static void an_atomic_waits_for_the_one_before(void **state)
{
	(void)state;
	simulate(atomics);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(of_a_prefetch_the_rest_is_waited_for),
		cmocka_unit_test(pointers_are_waited_for),
		cmocka_unit_test(loads_overlap_within_the_reorder_buffer),
		cmocka_unit_test(as_many_misses_as_fill_buffers),
		cmocka_unit_test(stores_do_not_stall_but_a_fence_does),
		cmocka_unit_test(lines_of_stores_are_fetched_in_turn),
		cmocka_unit_test(a_full_store_buffer_is_waited_for),
		cmocka_unit_test(loads_see_stores_that_wait),
		cmocka_unit_test(an_atomic_waits_for_the_one_before),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
