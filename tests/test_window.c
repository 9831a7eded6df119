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

#include "simulation/execute.h"
#include "simulation/round_machine.h"

static void start(void)
{
	start_round_machine(false);
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

/* The pointer comes sooner than the line, which is on its way from the other node. */
static void pointer_to_prefetched(void)
{
	uintptr_t pointer, line;

	start();
	pointer = line_on_node(0, 1);
	line = line_on_node(1, 1);
	*(uintptr_t *)pointer = line;
	this_cpu = &cpus[0];
	memory_prefetch(line);
	issue(0, pointer, ACCESS_READ);
	EXPECT_READ(0, line, SERVED_IN_FLIGHT, DRAM_REMOTE);
}

/* A pointer is loaded and stored at @second, which is at hand; then it is loaded from there. */
static void pointer_stored(void)
{
	uintptr_t first, second;

	start();
	first = line_on_node(0, 1);
	second = line_on_node(0, 2);
	*(uintptr_t *)first = *(uintptr_t *)second = line_on_node(0, 3);
	(void)time_of(0, second, ACCESS_WRITE);
	issue(0, first, ACCESS_READ);
	issue(0, second, ACCESS_WRITE);
	EXPECT_READ(0, second, SERVED_IN_FLIGHT, DRAM);
}

static void stores_by_pointer(void)
{
	uintptr_t pointer, line;

	start();
	pointer = line_on_node(0, 1);
	line = line_on_node(0, 2);
	*(uintptr_t *)pointer = line;
	issue(0, pointer, ACCESS_READ);
	issue(0, line, ACCESS_WRITE);
	expect_equal(rest(0), 2 * DRAM);
	/* at hand, but where to store is not known yet: the store buffer fills up */
	pointer = line_on_node(0, 3);
	*(uintptr_t *)pointer = line;
	issue(0, pointer, ACCESS_READ);
	for (int i = 0; i < 16; i++)
		issue(0, line, ACCESS_WRITE);
	expect_equal(cpus[0].clock, 2 * DRAM);
	issue(0, line, ACCESS_WRITE);
	expect_equal(cpus[0].clock, 3 * DRAM);
}

static void pointers_are_waited_for(void **state)
{
	(void)state;
	simulate(dependent_loads);
	simulate(independent_loads);
	simulate(pointer_to_prefetched);
	simulate(pointer_stored);
	simulate(stores_by_pointer);
}

static void loads_before_a_branch(void)
{
	start();
	issue(0, line_on_node(1, 1), ACCESS_READ);
	issue(0, line_on_node(0, 1), ACCESS_READ);
	cpu_mispredicted(&cpus[0]);
	/* after the slower one, 17 cycles to fill the pipeline again */
	expect_equal(cpus[0].clock, DRAM_REMOTE + 17 * CYCLE);
}

static void a_branch_is_decided_by_all_its_loads(void **state)
{
	(void)state;
	simulate(loads_before_a_branch);
}

/* Two loads with @instructions between them; how long until both values are there. */
static sim_time loads_apart(unsigned int cpu, unsigned int instructions)
{
	static unsigned int line;
	sim_time since = cpus[cpu].clock;

	issue(cpu, line_on_node(0, ++line), ACCESS_READ);
	execute(&cpus[cpu], instructions);
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

/* More than there is room for in the model. */
static void many_fill_buffers(void)
{
	load_machine("skylake-2s");
	machine.line_fill_buffers = 20;
	start_machine(112);
	for (unsigned int i = 1; i <= MAX_IN_FLIGHT; i++)
		issue(0, line_on_node(0, i), ACCESS_READ);
	expect_equal(cpus[0].clock, 0);
	issue(0, line_on_node(0, MAX_IN_FLIGHT + 1), ACCESS_READ);
	expect_near(cpus[0].clock, machine.dram_local * 1e12, 1);
}

static void as_many_misses_as_fill_buffers(void **state)
{
	(void)state;
	simulate(fill_buffers);
	simulate(first_fill_buffer);
	simulate(many_fill_buffers);
}

static void stores(void)
{
	start();
	cpus[0].stores.parallel = 2;
	issue(0, line_on_node(0, 1), ACCESS_WRITE);
	execute(&cpus[0], 150);
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

static void stores_beside_hits(void)
{
	uintptr_t at_hand;

	start();
	at_hand = line_on_node(0, 1);
	(void)time_of(0, at_hand, ACCESS_WRITE);
	cpus[0].stores.parallel = 2;
	issue(0, line_on_node(0, 2), ACCESS_WRITE);
	issue(0, at_hand, ACCESS_WRITE);
	issue(0, at_hand + 8, ACCESS_WRITE);
	issue(0, line_on_node(0, 3), ACCESS_WRITE);
	/* two lines are on their way: only those count */
	expect_equal(rest(0), DRAM);
}

/* As many at a time as the machine's file says. */
static void stores_of_the_machine(void)
{
	load_machine("skylake-2s");
	machine.store_misses = 3;
	start_machine(112);
	for (unsigned int i = 1; i <= 6; i++)
		issue(0, line_on_node(0, i), ACCESS_WRITE);
	expect_near(rest(0), 2 * machine.dram_local * 1e12, 2);
}

static void lines_of_stores_are_fetched_in_turn(void **state)
{
	(void)state;
	simulate(stores_in_turn);
	simulate(stores_two_at_a_time);
	simulate(stores_beside_hits);
	simulate(stores_of_the_machine);
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

/* Of 12 stores that wait, five have to be visible before half of the buffer has room again. */
static void sibling_wakes(void)
{
	start();
	for (unsigned int i = 1; i <= 12; i++)
		issue(0, line_on_node(0, i), ACCESS_WRITE);
	cpus[SIBLING].state = CPU_RUNNING;
	expect_equal(cpus[0].clock, 0);
	issue(0, line_on_node(0, 13), ACCESS_WRITE);
	expect_equal(cpus[0].clock, 5 * DRAM);
}

/* Those before have gone nearly once round the ring, which these do. */
static void round_the_ring(void)
{
	start();
	for (unsigned int i = 1; i <= MAX_STORES - 8; i++)
		(void)time_of(0, line_on_node(0, i), ACCESS_WRITE);
	sim_time since = cpus[0].clock;

	for (unsigned int i = 1; i <= 40; i++)
		issue(0, line_on_node(1, i), ACCESS_WRITE);
	expect_equal(cpus[0].clock - since, (40 - 16) * DRAM_REMOTE);
	expect_equal(rest(0), 16 * DRAM_REMOTE);
}

/* More than there is room for in the model. */
static void many_stores(void)
{
	load_machine("skylake-2s");
	machine.store_buffer = 200;
	machine.store_misses = 1;
	start_machine(112);
	for (unsigned int i = 1; i <= MAX_STORES; i++)
		issue(0, line_on_node(0, i), ACCESS_WRITE);
	expect_equal(cpus[0].clock, 0);
	issue(0, line_on_node(0, MAX_STORES + 1), ACCESS_WRITE);
	expect_near(cpus[0].clock, machine.dram_local * 1e12, 1);
}

static void a_full_store_buffer_is_waited_for(void **state)
{
	(void)state;
	simulate(full_store_buffer);
	simulate(sibling_wakes);
	simulate(round_the_ring);
	simulate(many_stores);
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
	execute(&cpus[0], 100);
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

/* Whoever's code runs first: what counts is when the access is. */
static void atomics_the_other_way(void)
{
	start();
	start_on(1, atomic_second);
	start_on(0, atomic_first);
	run_all();
}

static void an_atomic_waits_for_the_one_before(void **state)
{
	(void)state;
	simulate(atomics);
	simulate(atomics_the_other_way);
}

/* Its line is its own and at hand. */
static void atomic_behind_a_store(struct cpu *cpu)
{
	memory_access(line_on_node(0, 1), 4, ACCESS_ATOMIC);
	expect_equal(cpu->clock, DRAM + ATOMIC);
	issue(cpu->id, line_on_node(0, 2), ACCESS_WRITE);
	memory_access(line_on_node(0, 1), 4, ACCESS_ATOMIC);
	expect_equal(cpu->clock, 2 * (DRAM + ATOMIC));
	/* as smp_mb() is an atomic on the stack */
	issue(cpu->id, line_on_node(0, 3), ACCESS_WRITE);
	memory_barrier();
	expect_equal(cpu->clock, 3 * (DRAM + ATOMIC));
}

static void atomic_and_store(void)
{
	start();
	start_on(0, atomic_behind_a_store);
	run_all();
}

static void an_atomic_is_a_fence(void **state)
{
	(void)state;
	simulate(atomic_and_store);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(of_a_prefetch_the_rest_is_waited_for),
		cmocka_unit_test(pointers_are_waited_for),
		cmocka_unit_test(a_branch_is_decided_by_all_its_loads),
		cmocka_unit_test(loads_overlap_within_the_reorder_buffer),
		cmocka_unit_test(as_many_misses_as_fill_buffers),
		cmocka_unit_test(stores_do_not_stall_but_a_fence_does),
		cmocka_unit_test(lines_of_stores_are_fetched_in_turn),
		cmocka_unit_test(a_full_store_buffer_is_waited_for),
		cmocka_unit_test(loads_see_stores_that_wait),
		cmocka_unit_test(an_atomic_waits_for_the_one_before),
		cmocka_unit_test(an_atomic_is_a_fence),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
