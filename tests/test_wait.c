// SPDX-License-Identifier: GPL-3.0-or-later
/*
 * test_wait.c - tasks that sleep until another wakes them: what it costs, in which order they go
 * on, and the lock for readers and writers. Worked out by hand for a machine of round figures.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "../sim/rwsem.h"
#include "../sim/sim.h"
#include "../sim/wait.h"
#include "simulation/execute.h"
#include "simulation/round_machine.h"

#define US (1000 * NS)
#define SWITCH 1000 /* cycles, 400 ps each */
#define WAKE 500
#define IDLE_EXIT (2 * US)

static struct wait_queue queue;
static struct rwsem sem;

static void start(void)
{
	start_round_machine(false);
	fixed_costs.switch_path = SWITCH;
	fixed_costs.wake_path = WAKE;
	fixed_costs.idle_exit = IDLE_EXIT;
}

/* The CPU's time, everything charged. */
static sim_time time_on(struct cpu *cpu)
{
	cpu_settle(cpu);
	return cpu->clock;
}

static void at(struct cpu *cpu, sim_time time)
{
	cpu_charge_time(cpu, time - time_on(cpu));
	cpu_sync(cpu);
}

/* ---- one sleeper ---- */

static void sleep_once(struct cpu *cpu)
{
	expect_true(wait_sleep(&queue));
	expect_equal(cpu->state, CPU_RUNNING);
	expect_true(this_cpu == cpu && charged_cpu == cpu);
}

static void wake_at_10_us(struct cpu *cpu)
{
	at(cpu, 10 * US);
	expect_equal(cpus[0].state, CPU_IDLE);
	expect_equal(queue.sleepers, 1);
	expect_equal(wait_wake(&queue), 1);
	expect_true(this_cpu == cpu);
	expect_equal(time_on(cpu), 10 * US + WAKE * CYCLE);
	expect_equal(queue.sleepers, 0);
	expect_equal(wait_wake(&queue), 0);
	expect_equal(time_on(cpu), 10 * US + WAKE * CYCLE);
}

static void sleep_and_wake(void)
{
	start();
	start_on(0, sleep_once);
	start_on(1, wake_at_10_us);
	run_all();
	/* when the waker has told it; then the CPU wakes, and the scheduler takes the task up */
	expect_equal(time_on(&cpus[0]), 10 * US + WAKE * CYCLE + IDLE_EXIT + SWITCH * CYCLE);
	expect_equal(cpus[0].slept, time_on(&cpus[0]));
}

static void wake_before_it_sleeps(struct cpu *cpu)
{
	at(cpu, 100 * NS);
	expect_equal(cpus[0].state, CPU_RUNNING);
	expect_equal(wait_wake(&queue), 1);
}

/* 400 ns to the idle loop, and told after 300. */
static void wake_on_the_way(void)
{
	start();
	start_on(0, sleep_once);
	start_on(1, wake_before_it_sleeps);
	run_all();
	expect_equal(time_on(&cpus[0]), SWITCH * CYCLE);
}

static void sleeping_costs_both_sides(void **state)
{
	(void)state;
	simulate(sleep_and_wake);
	simulate(wake_on_the_way);
}

static void slow_down_no_one(struct cpu *cpu)
{
	at(cpu, 1 * US);
	/* the whole reorder buffer, and full speed */
	expect_equal(cpu_window(cpu), cpu_costs.window);
	sim_time since = time_on(cpu);

	execute(cpu, 1000);
	expect_equal(time_on(cpu) - since, 1000 * CYCLE);
	(void)wait_wake(&queue);
}

static void sleep_on_a_timer(struct cpu *cpu)
{
	expect_true(wait_time(5 * US));
	expect_equal(cpu->state, CPU_RUNNING);
	expect_equal(time_on(cpu), 5 * US);
}

static void start_beside(void (*sleep)(struct cpu *))
{
	load_machine("skylake-2s");
	machine.clock = machine.max_clock = 1e12 / CYCLE;
	machine.cpi = 1;
	start_machine(112);
	start_on(0, sleep);
	start_on(SIBLING, slow_down_no_one);
	run_all();
}

static void beside_a_sleeper(void)
{
	start_beside(sleep_once);
}

static void beside_a_timer(void)
{
	start_beside(sleep_on_a_timer);
}

static void a_sleeper_leaves_the_core_to_its_sibling(void **state)
{
	(void)state;
	simulate(beside_a_sleeper);
	simulate(beside_a_timer);
}

/* ---- several ---- */

#define SLEEPERS 4

static unsigned int gone_on[2 * SLEEPERS], nr_gone_on;

/* The higher the CPU, the sooner it sleeps; twice. */
static void sleep_twice(struct cpu *cpu)
{
	at(cpu, (SLEEPERS - (sim_time)cpu->id) * US);
	for (int i = 0; i < 2; i++) {
		expect_true(wait_sleep(&queue));
		gone_on[nr_gone_on++] = cpu->id;
	}
}

static void wake_all_twice(struct cpu *cpu)
{
	at(cpu, 10 * US);
	expect_equal(wait_wake_all(&queue), SLEEPERS);
	/* each is paid for */
	expect_equal(time_on(cpu), 10 * US + SLEEPERS * WAKE * CYCLE);
	at(cpu, 20 * US);
	expect_equal(nr_gone_on, SLEEPERS);
	expect_equal(queue.sleepers, SLEEPERS);
	expect_equal(wait_wake_all(&queue), SLEEPERS);
}

static void in_turn(void)
{
	start();
	for (unsigned int i = 0; i < SLEEPERS; i++)
		start_on(i, sleep_twice);
	start_on(10, wake_all_twice);
	run_all();
	expect_equal(nr_gone_on, 2 * SLEEPERS);
	for (unsigned int i = 0; i < 2 * SLEEPERS; i++)
		expect_equal(gone_on[i], SLEEPERS - 1 - i % SLEEPERS);
}

static void sleepers_go_on_in_the_order_in_which_they_came(void **state)
{
	(void)state;
	simulate(in_turn);
}

/* ---- times, barriers ---- */

static void sleep_5_us(struct cpu *cpu)
{
	execute(cpu, 1000);
	expect_true(wait_time(5 * US));
	expect_equal(time_on(cpu), 5 * US + 1000 * CYCLE);
	expect_equal(engine_now(), 5 * US + 1000 * CYCLE);
}

static void on_a_timer(void)
{
	start();
	start_on(0, sleep_5_us);
	run_all();
}

static void a_timer_takes_its_time(void **state)
{
	(void)state;
	simulate(on_a_timer);
}

static struct barrier barrier;

/* CPU n at n + 1 microseconds, and again after two. */
static void meet(struct cpu *cpu)
{
	bool last;

	at(cpu, (1 + (sim_time)cpu->id) * US);
	expect_true(barrier_wait(&barrier, 3, &last));
	expect_equal(last, cpu->id == 2);
	expect_true(time_on(cpu) >= 3 * US);
	at(cpu, time_on(cpu) + (cpu->id == 0 ? 20 : 2) * US);
	expect_true(barrier_wait(&barrier, 3, &last));
	expect_equal(last, cpu->id == 0);
	expect_true(time_on(cpu) >= 25 * US);
}

static void three_meet_twice(void)
{
	start();
	for (unsigned int i = 0; i < 3; i++)
		start_on(i, meet);
	run_all();
	expect_equal(barrier.arrived, 0);
}

static void no_one_passes_a_barrier_before_the_last(void **state)
{
	(void)state;
	simulate(three_meet_twice);
}

/* ---- fast forward, the end ---- */

static void sleep_uncharged(struct cpu *cpu)
{
	cpu->fast_forward_left = 100;
	cpu_resume(cpu);
	for (int i = 0; i < 10; i++)
		expect_true(wait_sleep(&queue));
	expect_equal(time_on(cpu), 0);
	/* each sleep is a turn of one or two */
	expect_true(cpu->fast_forward_left <= 90 && cpu->fast_forward_left >= 80);
	expect_true(!charged_cpu);
}

static void wake_uncharged(struct cpu *cpu)
{
	cpu->fast_forward_left = 100;
	cpu_resume(cpu);
	for (unsigned int woken = 0; woken < 10;) {
		woken += wait_wake(&queue);
		engine_yield();
		cpu_resume(cpu);
	}
	expect_equal(time_on(cpu), 0);
	expect_equal(engine_now(), 0);
}

static void while_fast_forward(void)
{
	start();
	start_on(0, sleep_uncharged);
	start_on(1, wake_uncharged);
	run_all();
	expect_equal(engine_now(), 0);
}

static void time_stands_still_while_fast_forward(void **state)
{
	(void)state;
	simulate(while_fast_forward);
}

static void sleep_to_the_end(struct cpu *cpu)
{
	(void)cpu;
	expect_true(!wait_sleep(&queue));
	expect_true(!wait_sleep(&queue));
	expect_true(!wait_time(US));
}

static void end(struct cpu *cpu)
{
	at(cpu, 10 * US);
	sim_stopping = true;
	wait_end();
}

static void the_run_ends(void)
{
	start();
	start_on(0, sleep_to_the_end);
	start_on(1, sleep_to_the_end);
	start_on(2, end);
	run_all();
}

static void no_one_sleeps_past_the_end(void **state)
{
	(void)state;
	simulate(the_run_ends);
}

/* ---- readers and writers ---- */

static void start_sem(void)
{
	start();
	expect_equal(rwsem_init(&sem), 0);
}

static void read_alone(struct cpu *cpu)
{
	expect_true(down_read(&sem));
	up_read(&sem);
	sim_time since = time_on(cpu);

	expect_true(down_read(&sem));
	up_read(&sem);
	expect_true(down_write(&sem));
	up_write(&sem);
	expect_equal(time_on(cpu) - since, 4 * ATOMIC);
}

static void read_after_another(struct cpu *cpu)
{
	at(cpu, 10 * US);
	expect_true(down_read(&sem));
	expect_equal(time_on(cpu), 10 * US + SAME_SOCKET + ATOMIC);
	up_read(&sem);
}

static void uncontended(void)
{
	start_sem();
	start_on(0, read_alone);
	start_on(1, read_after_another);
	run_all();
}

static void an_rwsem_costs_its_atomics_and_its_line(void **state)
{
	(void)state;
	simulate(uncontended);
}

static sim_time read_from[3], read_to[3], wrote_from, wrote_to;

/* CPU n from 2n microseconds on, for ten and ten times n: the first is gone long before the second.
 */
static void read_for_a_while(struct cpu *cpu)
{
	at(cpu, 2 * cpu->id * US);
	expect_true(down_read(&sem));
	read_from[cpu->id] = time_on(cpu);
	at(cpu, time_on(cpu) + 10 * (cpu->id + 1) * US);
	read_to[cpu->id] = time_on(cpu);
	up_read(&sem);
}

/* From 3 microseconds on, for five. */
static void write_for_5_us(struct cpu *cpu)
{
	at(cpu, 3 * US);
	expect_true(down_write(&sem));
	wrote_from = time_on(cpu);
	at(cpu, time_on(cpu) + 5 * US);
	wrote_to = time_on(cpu);
	up_write(&sem);
}

static void readers_and_a_writer(void)
{
	start_sem();
	for (unsigned int i = 0; i < 3; i++)
		start_on(i, read_for_a_while);
	start_on(5, write_for_5_us);
	run_all();
	/* the second reader does not wait for the first */
	expect_true(read_from[1] < 3 * US);
	/* the writer waits for both, and has it alone */
	expect_true(wrote_from >= read_to[1]);
	expect_true(wrote_from < read_to[1] + 5 * US);
	/* the third reader came after the writer */
	expect_true(read_from[2] >= wrote_to);
	expect_true(sem.readers == 0 && !sem.writer);
}

static void a_writer_has_it_alone_and_readers_come_after(void **state)
{
	(void)state;
	simulate(readers_and_a_writer);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(sleeping_costs_both_sides),
		cmocka_unit_test(a_sleeper_leaves_the_core_to_its_sibling),
		cmocka_unit_test(sleepers_go_on_in_the_order_in_which_they_came),
		cmocka_unit_test(a_timer_takes_its_time),
		cmocka_unit_test(no_one_passes_a_barrier_before_the_last),
		cmocka_unit_test(time_stands_still_while_fast_forward),
		cmocka_unit_test(no_one_sleeps_past_the_end),
		cmocka_unit_test(an_rwsem_costs_its_atomics_and_its_line),
		cmocka_unit_test(a_writer_has_it_alone_and_readers_come_after),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
