// SPDX-License-Identifier: GPL-3.0-or-later
/*
 * test_lock.c - the queued spinlock: what it costs, whose turn it is, what it counts, and what it
 * does to code that misuses it. Times are worked out by hand from the machine's figures.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#include <cmocka.h>

#include "../sim/lock.h"
#include "../sim/memory.h"
#include "../sim/sim.h"
#include "simulation/child.h"

/* skylake-2s: 28 cores a socket; CPU 28 is on the other socket, CPU 56 is CPU 0's sibling. */
#define OTHER_SOCKET 28
#define SIBLING 56

#define NS 1000
#define CYCLE 400.0 /* ps */

/* What a lock costs beyond its atomic, cycles: to call it and to return. */
#define CALL 7
#define RELEASE 7

static struct lock *lock;

static void start_with(double pause)
{
	load_machine("skylake-2s");
	machine.clock = machine.max_clock = 1e12 / CYCLE;
	machine.pause = pause;
	machine.atomic = 18;
	machine.dirty_sibling = 8e-9;
	machine.dirty_same_socket = 50e-9;
	machine.dirty_other_socket = 140e-9;
	machine.dram_local = 80e-9;
	start_machine(112);
	lock = &locks[lock_create("zone->lock", 0, line_on_node(0, 1))];
}

static void start(void)
{
	start_with(100);
}

static void hold_for(struct cpu *cpu, sim_time time)
{
	lock_acquire(lock);
	cpu_charge_time(cpu, time);
	lock_release(lock);
}

/* ---- handing over ---- */

static void hand_overs(void)
{
	start();
	expect_equal(lock_hand_over(&cpus[0], &cpus[SIBLING], 0), 6 * 8 * NS);
	expect_equal(lock_hand_over(&cpus[0], &cpus[1], 0), 6 * 50 * NS);
	expect_equal(lock_hand_over(&cpus[0], &cpus[OTHER_SOCKET], 0), 6 * 140 * NS);
	expect_equal(lock_hand_over(&cpus[OTHER_SOCKET], &cpus[0], 0), 6 * 140 * NS);
	/* a quarter of a PAUSE of 100 cycles, 400 ps each */
	expect_equal(lock_hand_over(&cpus[0], &cpus[1], 0.25), (6 * 50 + 10) * NS);
}

static void six_transfers_and_part_of_a_pause(void **state)
{
	(void)state;
	simulate(hand_overs);
}

static void hold_a_microsecond(struct cpu *cpu)
{
	hold_for(cpu, 1000 * NS);
}

/* Comes while the lock is held, and keeps it for 300 ns. */
static void come_at_200_ns(struct cpu *cpu)
{
	cpu_charge_time(cpu, 200 * NS);
	hold_for(cpu, 300 * NS);
}

static void wait_once(void)
{
	gsl_rng *rng;
	double phase, taken, released, wait;

	start();
	rng = gsl_rng_clone(cpus[1].rng);
	phase = gsl_rng_uniform(rng);
	start_on(0, hold_a_microsecond);
	start_on(1, come_at_200_ns);
	run_all();
	/* the lock word comes from DRAM; then the atomic; then it is held */
	taken = CALL * CYCLE + 80 * NS + 18 * CYCLE;
	released = taken + 1000 * NS;
	wait = released + 6 * 50 * NS + phase * 100 * CYCLE - (200 * NS + CALL * CYCLE);
	expect_equal(lock->wait.count, 1);
	expect_near(lock->wait.total, wait, 2);
	expect_equal(lock->wait.min, lock->wait.total);
	expect_equal(lock->wait.max, lock->wait.total);
	expect_near(cpus[1].spun[LOCK_ZONE], wait, 2);
	expect_equal(cpus[0].spun[LOCK_ZONE], 0);
	expect_equal(cpus[1].spun[LOCK_LRU], 0);
	/* 1012 ns or more, up to 1052 */
	expect_equal(lock->wait.buckets[wait < 1024 * NS ? 9 : 10], 1);
	expect_near(cpus[1].clock,
		released + 6 * 50 * NS + phase * 100 * CYCLE + 300 * NS + RELEASE * CYCLE, 2);
}

static void a_waiter_goes_on_when_the_lock_is_handed_over(void **state)
{
	(void)state;
	simulate(wait_once);
}

/* ---- alone ---- */

static void take_alone(struct cpu *cpu)
{
	hold_for(cpu, 0);
	sim_time since = cpu->clock;

	for (int i = 0; i < 100; i++)
		hold_for(cpu, 0);
	/* the word is in the L1, and this core's own */
	expect_near(cpu->clock - since, 100 * (CALL + 18 + RELEASE) * CYCLE, 1);
	expect_equal(lock->wait.count, 0);
	expect_equal(lock->contentions, 0);
}

static void one_task(void)
{
	start();
	start_on(0, take_alone);
	run_all();
}

static void take_from_the_cpu_before(struct cpu *cpu)
{
	cpu_charge_time(cpu, 5000 * NS);
	sim_time since = cpu->clock;

	hold_for(cpu, 0);
	/* free, but the word is in another core, modified */
	expect_near(cpu->clock - since, (CALL + 18 + RELEASE) * CYCLE + 50 * NS, 2);
}

static void one_after_another(void)
{
	start();
	start_on(0, take_alone);
	start_on(1, take_from_the_cpu_before);
	run_all();
}

/* A pair of lock and unlock, in a published micro-benchmark: 33 cycles. */
static void without_contention_a_pair_takes_32_cycles(void **state)
{
	(void)state;
	simulate(one_task);
	simulate(one_after_another);
}

static void take_what_was_handed_over(struct cpu *cpu)
{
	cpu_charge_time(cpu, 200 * NS);
	hold_for(cpu, 300 * NS);
	sim_time since = cpu->clock;

	hold_for(cpu, 0);
	expect_near(cpu->clock - since, (CALL + 18 + RELEASE) * CYCLE, 2);
}

static void take_again(void)
{
	start();
	start_on(0, hold_a_microsecond);
	start_on(1, take_what_was_handed_over);
	run_all();
	expect_equal(lock->wait.count, 1);
}

/* Handing over brings the word along: who takes the lock again has it in the L1. */
static void the_word_comes_with_the_lock(void **state)
{
	(void)state;
	simulate(take_again);
}

static void hold_from_100_ns(struct cpu *cpu)
{
	cpu_charge_time(cpu, 100 * NS);
	hold_for(cpu, 1000 * NS);
}

static void visit_a_pageset(void)
{
	start();
	lock = &locks[lock_create("pcp->lock", 0, line_on_node(0, 2))];
	start_on(0, come_at_200_ns);
	start_on(1, hold_from_100_ns);
	run_all();
	expect_true(cpus[0].clock > (1100 + 300) * NS);
	/* its lock's word from DRAM, and the cycles of a pair: nothing of CPU 0's hold */
	expect_true(cpus[1].clock < (1100 + 80 + 20) * NS);
}

/* A CPU whose clock runs ahead must not take the lock before another one that comes earlier. */
static void a_pageset_is_private_only_to_who_had_it_last(void **state)
{
	(void)state;
	simulate(visit_a_pageset);
}

/* ---- turns ---- */

#define CONTENDERS 6
#define ROUNDS 50

/* Near and far, and siblings; in the order in which they come. */
static const unsigned int order[CONTENDERS] = {3, OTHER_SOCKET, 0, SIBLING, 30, 1};
static unsigned int turns[CONTENDERS * ROUNDS], nr_turns;

static void contend(struct cpu *cpu)
{
	unsigned int place = 0;

	while (order[place] != cpu->id)
		place++;
	cpu_charge_time(cpu, place * 10 * NS);
	for (int i = 0; i < ROUNDS; i++) {
		lock_acquire(lock);
		turns[nr_turns++] = cpu->id;
		cpu_charge_time(cpu, 200 * NS);
		lock_release(lock);
	}
}

static void many_tasks(void)
{
	start();
	/* started in another order than that in which they come */
	for (int i = CONTENDERS - 1; i >= 0; i--)
		start_on(order[i], contend);
	run_all();
	expect_equal(nr_turns, CONTENDERS * ROUNDS);
	/* who has released joins at the end: the order repeats for ever */
	for (unsigned int i = 0; i < nr_turns; i++)
		expect_equal(turns[i], order[i % CONTENDERS]);
	expect_equal(lock->wait.count, lock->contentions);
}

static void first_come_first_served(void **state)
{
	(void)state;
	simulate(many_tasks);
}

#define SATURATED_ROUNDS 400

static void saturate(struct cpu *cpu)
{
	for (int i = 0; i < SATURATED_ROUNDS; i++)
		hold_for(cpu, 300 * NS);
}

static void saturated(void)
{
	const unsigned int tasks = 8;

	start();
	for (unsigned int i = 0; i < tasks; i++)
		start_on(i, saturate);
	run_all();
	/* 300 ns, six transfers and on average half of 40 ns */
	double each = 300 * NS + 6 * 50 * NS + 20 * NS;
	double all = tasks * SATURATED_ROUNDS * each;

	expect_near((double)engine_now() / all, 1, 0.01);
	/* who does not hold it, waits */
	expect_near((double)lock->wait.total / (all * (tasks - 300 * NS / each)), 1, 0.01);
	expect_near(
		(double)lock->hold[HOLD_NOTHING].total, tasks * SATURATED_ROUNDS * 300.0 * NS, 0);
}

static void a_saturated_lock_is_taken_once_per_hold_and_hand_over(void **state)
{
	(void)state;
	simulate(saturated);
}

/* ---- what is counted ---- */

static void hold_twice(struct cpu *cpu)
{
	cpu->next_zone_hold = HOLD_ZONE_ALLOC;
	hold_for(cpu, 1000 * NS);
	cpu_charge_time(cpu, 5000 * NS);
	cpu->next_zone_hold = HOLD_ZONE_FREE;
	hold_for(cpu, 100 * NS);
	hold_for(cpu, 700 * NS);
}

static void hold_once(struct cpu *cpu)
{
	cpu->next_zone_hold = HOLD_ZONE_ALLOC;
	cpu_charge_time(cpu, 300 * NS);
	hold_for(cpu, 400 * NS);
}

static void counted(void)
{
	start();
	start_on(0, hold_twice);
	start_on(1, hold_once);
	run_all();
	expect_equal(lock->acquisitions, 4);
	/* CPU 0, CPU 1, CPU 0, and CPU 0 again, which is none */
	expect_equal(lock->acquisition_bounces, 3);
	expect_equal(lock->contentions, 1);
	expect_equal(lock->contention_bounces, 1);
	expect_equal(lock->hold[HOLD_ZONE_ALLOC].count, 2);
	expect_equal(lock->hold[HOLD_ZONE_ALLOC].total, 1400 * NS);
	expect_equal(lock->hold[HOLD_ZONE_ALLOC].min, 400 * NS);
	expect_equal(lock->hold[HOLD_ZONE_ALLOC].max, 1000 * NS);
	expect_equal(lock->hold[HOLD_ZONE_FREE].count, 2);
	expect_equal(lock->hold[HOLD_ZONE_FREE].total, 800 * NS);
	/* [64, 128), [256, 512), [512, 1024) twice */
	expect_equal(lock->hold[HOLD_ZONE_FREE].buckets[6], 1);
	expect_equal(lock->hold[HOLD_ZONE_ALLOC].buckets[8], 1);
	expect_equal(lock->hold[HOLD_ZONE_FREE].buckets[9], 1);
	expect_equal(lock->hold[HOLD_ZONE_ALLOC].buckets[9], 1);
}

static void turns_holds_and_waits_are_counted(void **state)
{
	(void)state;
	simulate(counted);
}

/* ---- spinning ---- */

static void look_at_the_spinner(struct cpu *cpu)
{
	lock_acquire(lock);
	expect_equal(cpus[SIBLING].state, CPU_RUNNING);
	cpu_charge_time(cpu, 500 * NS);
	cpu_sync(cpu);
	expect_equal(cpus[SIBLING].state, CPU_SPINNING);
	lock_release(lock);
}

static void spin(struct cpu *cpu)
{
	cpu_charge_time(cpu, 200 * NS);
	lock_acquire(lock);
	expect_equal(cpu->state, CPU_RUNNING);
	lock_release(lock);
}

static void spinning(void)
{
	start();
	start_on(0, look_at_the_spinner);
	start_on(SIBLING, spin);
	run_all();
}

static void a_waiter_counts_as_spinning(void **state)
{
	(void)state;
	simulate(spinning);
}

/* ---- misuse ---- */

static void take_twice(struct cpu *cpu)
{
	(void)cpu;
	lock_acquire(lock);
	lock_acquire(lock);
}

static void taken_twice(void)
{
	start();
	start_on(0, take_twice);
	run_all();
}

static void release_free_lock(struct cpu *cpu)
{
	(void)cpu;
	lock_release(lock);
}

static void released_free(void)
{
	start();
	start_on(5, release_free_lock);
	run_all();
}

static void release_anothers(struct cpu *cpu)
{
	cpu_charge_time(cpu, 500 * NS);
	cpu_sync(cpu);
	lock_release(lock);
}

static void released_anothers(void)
{
	start();
	start_on(0, hold_a_microsecond);
	start_on(7, release_anothers);
	run_all();
}

/* ---- what a hold is made of ---- */

/* A load from DRAM that nothing overlaps with, an atomic on a line of the core's own, 100 ns of
 * work. */
static void hold_with_a_load_and_an_atomic(struct cpu *cpu)
{
	memory_access(line_on_node(0, 9), 8, ACCESS_WRITE);
	cpu_fence(cpu);
	cpu->next_zone_hold = HOLD_ZONE_FREE;
	lock_acquire(lock);
	memory_access(line_on_node(0, 5), 8, ACCESS_READ);
	memory_access(line_on_node(0, 9), 8, ACCESS_ATOMIC);
	cpu_charge_time(cpu, 100 * NS);
	lock_release(lock);
}

static void wait_under_a_lock(void)
{
	start();
	start_on(0, hold_with_a_load_and_an_atomic);
	run_all();
	/* the atomic is a fence: it waits for the load first */
	expect_near(cpus[0].waited[HOLD_ZONE_FREE][WAIT_LOADS], 80 * NS, 1);
	expect_near(cpus[0].waited[HOLD_ZONE_FREE][WAIT_ATOMICS], 18 * CYCLE, 1);
	expect_equal(cpus[0].waited[HOLD_ZONE_FREE][WAIT_STORES], 0);
	expect_equal(cpus[0].waited[HOLD_ZONE_FREE][WAIT_BRANCHES], 0);
	expect_near(lock->hold[HOLD_ZONE_FREE].total, 80 * NS + 18 * CYCLE + 100 * NS, 2);
	/* before the lock: the store to DRAM, and the lock's own atomic on a line from there */
	expect_near(cpus[0].waited[HOLD_NOTHING][WAIT_STORES], 80 * NS, 1);
	expect_near(cpus[0].waited[HOLD_NOTHING][WAIT_ATOMICS], 80 * NS + 18 * CYCLE, 1);
}

static void what_a_hold_waits_for_is_told_apart(void **state)
{
	(void)state;
	simulate(wait_under_a_lock);
}

static void hand_over_once(void)
{
	start();
	double phase = gsl_rng_uniform(gsl_rng_clone(cpus[1].rng));

	cpus[1].next_zone_hold = HOLD_ZONE_ALLOC;
	start_on(0, hold_a_microsecond);
	start_on(1, come_at_200_ns);
	run_all();
	expect_near(lock->handed_over[HOLD_ZONE_ALLOC], 6 * 50 * NS + phase * 100 * CYCLE, 2);
	expect_equal(lock->handed_over[HOLD_NOTHING], 0);
}

static void handing_over_counts_for_the_hold_that_follows(void **state)
{
	(void)state;
	simulate(hand_over_once);
}

static void misuse_ends_the_run_with_status_4(void **state)
{
	(void)state;
	simulate_failing(taken_twice, 4, "CPU 0 takes zone->lock of node 0, which it has already");
	simulate_failing(released_free, 4, "CPU 5 releases zone->lock of node 0, which it has not");
	simulate_failing(released_anothers, 4, "CPU 7 releases zone->lock of node 0");
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(six_transfers_and_part_of_a_pause),
		cmocka_unit_test(a_waiter_goes_on_when_the_lock_is_handed_over),
		cmocka_unit_test(without_contention_a_pair_takes_32_cycles),
		cmocka_unit_test(the_word_comes_with_the_lock),
		cmocka_unit_test(a_pageset_is_private_only_to_who_had_it_last),
		cmocka_unit_test(first_come_first_served),
		cmocka_unit_test(a_saturated_lock_is_taken_once_per_hold_and_hand_over),
		cmocka_unit_test(turns_holds_and_waits_are_counted),
		cmocka_unit_test(a_waiter_counts_as_spinning),
		cmocka_unit_test(what_a_hold_waits_for_is_told_apart),
		cmocka_unit_test(handing_over_counts_for_the_hold_that_follows),
		cmocka_unit_test(misuse_ends_the_run_with_status_4),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
