// SPDX-License-Identifier: GPL-3.0-or-later
/*
 * test_engine.c - what the simulator takes for granted of its engine: time in picoseconds, parking,
 * routes, and who did not end. test_simgrid.c has the traps of SimGrid itself.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include <cmocka.h>

#include <simgrid/actor.h>
#include <simgrid/engine.h>
#include <simgrid/host.h>

#include "../sim/platform.h"
#include "simulation/child.h"

#define NS 1000

/* Of SimGrid, but not declared in its C headers. */
double sg_cfg_get_double(const char *name);

static void start(void)
{
	load_machine("skylake-2s");
	expect_equal(engine_init(&machine), 0);
}

static struct engine_actor *start_actor(unsigned int cpu, void (*body)(void *))
{
	struct engine_actor *actor = engine_start("test", cpu, body, (void *)(uintptr_t)cpu);

	expect_true(actor);
	return actor;
}

/* ---- time ---- */

static void sleep_shortly(void *unused)
{
	(void)unused;
	engine_advance(1);
	expect_equal(engine_now(), 1);
	engine_advance(0);
	expect_equal(engine_now(), 1);
	for (int i = 0; i < 100; i++)
		engine_advance(7);
	expect_equal(engine_now(), 701);
	/* late in the longest of runs, too */
	engine_advance(10 * PS_PER_SECOND);
	engine_advance(1);
	expect_equal(engine_now(), 10 * PS_PER_SECOND + 702);
}

static void picoseconds(void)
{
	start();
	expect_equal(sg_cfg_get_double("surf/precision"), 1e-12);
	start_actor(0, sleep_shortly);
	run_all();
}

static unsigned int woken;

/*
 * CPU n wakes up 2n picoseconds after a microsecond. Events one picosecond apart would be taken for
 * the same, since that is the precision: the later one comes early by that much.
 */
static void wake_in_turn(void *cpu)
{
	sim_time date = 1000 * NS + 2 * (sim_time)(uintptr_t)cpu;

	engine_advance(date);
	expect_equal(engine_now(), date);
	expect_equal(woken, (uintptr_t)cpu);
	woken++;
}

static void close_together(void)
{
	start();
	for (unsigned int cpu = 50; cpu-- > 0;)
		start_actor(cpu, wake_in_turn);
	run_all();
	expect_equal(woken, 50);
}

static void a_picosecond_is_a_picosecond(void **state)
{
	(void)state;
	simulate(picoseconds);
	simulate(close_together);
}

/* ---- parking ---- */

#define PARKED 4

static struct engine_actor *parked[PARKED];
static unsigned int order[PARKED], nr_unparked;

static void park(void *self)
{
	expect_true(engine_self() == parked[(uintptr_t)self]);
	engine_park();
	expect_true(engine_self() == parked[(uintptr_t)self]);
	expect_equal(engine_now(), 500 * NS);
	order[nr_unparked++] = (unsigned int)(uintptr_t)self;
}

static const unsigned int unpark_order[PARKED] = {2, 0, 3, 1};

static void unpark_all(void *unused)
{
	(void)unused;
	engine_advance(500 * NS);
	expect_equal(nr_unparked, 0);
	for (int i = 0; i < PARKED; i++)
		engine_unpark(parked[unpark_order[i]]);
	/* they run when this actor gives way, and no time passes */
	engine_yield();
	expect_equal(engine_now(), 500 * NS);
	expect_equal(nr_unparked, PARKED);
}

static void park_and_unpark(void)
{
	start();
	for (unsigned int i = 0; i < PARKED; i++)
		parked[i] = start_actor(i, park);
	start_actor(40, unpark_all);
	run_all();
	for (int i = 0; i < PARKED; i++)
		expect_equal(order[i], unpark_order[i]);
}

static void parked_actors_go_on_in_the_order_of_unparking(void **state)
{
	(void)state;
	simulate(park_and_unpark);
}

static unsigned int times_gone_on;

static void park_now(void *unused)
{
	(void)unused;
	parked[0] = engine_self();
	engine_park();
	times_gone_on++;
	engine_park();
	times_gone_on++;
}

/* In the same instant. */
static void unpark_at_once(void *unused)
{
	(void)unused;
	engine_unpark(parked[0]);
	engine_advance(500 * NS);
	/* a second run of what the first park returned to would have gone through the second */
	expect_equal(times_gone_on, 1);
	engine_unpark(parked[0]);
	engine_advance(500 * NS);
	expect_equal(times_gone_on, 2);
}

static void park_and_unpark_at_once(void)
{
	start();
	start_actor(0, park_now);
	start_actor(1, unpark_at_once);
	run_all();
}

static void an_actor_can_be_unparked_in_the_instant_in_which_it_parks(void **state)
{
	(void)state;
	simulate(park_and_unpark_at_once);
}

static void park_for_ever(void *unused)
{
	(void)unused;
	engine_park();
}

static void sleep_a_while(void *unused)
{
	(void)unused;
	engine_advance(1000 * NS);
}

static void deadlock(void)
{
	start();
	start_actor(0, park_for_ever);
	start_actor(1, sleep_a_while);
	start_actor(2, park_for_ever);
	expect_equal(engine_run(), 2);
}

static void who_did_not_end_is_counted(void **state)
{
	(void)state;
	simulate(deadlock);
}

/* ---- ties ---- */

#define TIED 40
#define TIES 20

/* Who woke up when all did at once, in two runs. */
static struct wakes {
	unsigned int run, at[2], cpu[2][TIED * TIES];
} * wakes;

static void tie(void *cpu)
{
	for (int i = 0; i < TIES; i++) {
		engine_advance(100 * NS);
		wakes->cpu[wakes->run][wakes->at[wakes->run]++] = (unsigned int)(uintptr_t)cpu;
	}
}

static void ties(void)
{
	start();
	for (unsigned int cpu = 0; cpu < TIED; cpu++)
		start_actor(cpu, tie);
	run_all();
	expect_equal(wakes->at[wakes->run], TIED * TIES);
	wakes->run++;
}

static void who_comes_first_in_a_tie_is_the_same_in_each_run(void **state)
{
	(void)state;
	wakes = mmap(
		NULL, sizeof(*wakes), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	assert_true(wakes != MAP_FAILED);
	simulate(ties);
	simulate(ties);
	assert_memory_equal(wakes->cpu[0], wakes->cpu[1], sizeof(wakes->cpu[0]));
	assert_int_equal(munmap(wakes, sizeof(*wakes)), 0);
}

/* ---- routes ---- */

static void routes_of(const char *name)
{
	load_machine(name);
	expect_equal(engine_init(&machine), 0);
	unsigned int cores = machine_cores(&machine),
		     socket = (unsigned int)machine.cores_per_socket;

	expect_near(engine_route_latency(0, cores), machine.dirty_sibling * 1e12, 1);
	expect_near(
		engine_route_latency(cores - 1, 2 * cores - 1), machine.dirty_sibling * 1e12, 1);
	expect_near(engine_route_latency(0, 1), machine.dirty_same_socket * 1e12, 1);
	expect_near(engine_route_latency(0, cores + 1), machine.dirty_same_socket * 1e12, 1);
	/* each pair of sockets, one way and the other */
	for (unsigned int a = 0; a < cores; a += socket)
		for (unsigned int b = 0; b < cores; b += socket)
			if (a != b)
				expect_near(engine_route_latency(a + 1, b + 2),
					machine.dirty_other_socket * 1e12, 1);
	expect_equal(sg_host_count(), machine_cpus(&machine));
}

static void routes_of_two_sockets(void)
{
	routes_of("broadwell-2s");
}

static void routes_of_four_sockets(void)
{
	routes_of("skylake-4s");
}

static void routes_take_what_the_machine_says(void **state)
{
	(void)state;
	simulate(routes_of_two_sockets);
	simulate(routes_of_four_sockets);
}

static void engine_twice(void)
{
	start();
	start();
}

static void one_engine_per_process(void **state)
{
	(void)state;
	simulate_failing(engine_twice, 134, "");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_picosecond_is_a_picosecond),
		cmocka_unit_test(parked_actors_go_on_in_the_order_of_unparking),
		cmocka_unit_test(an_actor_can_be_unparked_in_the_instant_in_which_it_parks),
		cmocka_unit_test(who_did_not_end_is_counted),
		cmocka_unit_test(who_comes_first_in_a_tie_is_the_same_in_each_run),
		cmocka_unit_test(routes_take_what_the_machine_says),
		cmocka_unit_test(one_engine_per_process),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
