// SPDX-License-Identifier: GPL-3.0-or-later
/*
 * test_lock.c - the simulated spinlock: times worked out by hand from the machine's figures, the
 * order in which it is handed over, and what it does to code that misuses it.
 *
 * SimGrid starts once in a process, so each case is simulated in a child that reports through
 * memory it shares with the test.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "../models/error.h"
#include "../sim/lock.h"
#include "../sim/memory.h"
#include "../sim/sim.h"

/* skylake-2s: 28 cores a socket; CPU 28 is on the other socket, CPU 56 is CPU 0's sibling. */
#define OTHER_SOCKET 28
#define SIBLING 56

#define MAX_TURNS 4096

/* What a child reports. */
static struct report {
	sim_time time[8];
	unsigned int turns, turn[MAX_TURNS];
} * report;

static struct lock *lock;

static void start(unsigned int tasks)
{
	static struct machine m;
	/* instructions cost nothing here: what is left are the lock's own times */
	static const struct instruction_costs free_of_charge;
	struct error err;

	if (machine_load(&m, "skylake-2s", &err) < 0 || engine_init(&m) ||
		cpus_init(&m, &free_of_charge, 1, tasks) || memory_init(&m, 1 << 20))
		_exit(99);
	locks_init(&m);
	lock = &locks[lock_create("zone->lock", 0, (uintptr_t)arena_alloc(64, 64))];
}

/* How a child that does @body ends. */
static int child(void (*body)(void))
{
	int status;
	pid_t pid = fork();

	if (pid == 0) {
		/* what it says of broken code is expected */
		if (!freopen("/dev/null", "w", stderr))
			_exit(98);
		body();
		_exit(0);
	}
	assert_true(pid > 0);
	assert_int_equal(waitpid(pid, &status, 0), pid);
	return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

static struct cpu *begin(void *argument)
{
	struct cpu *cpu = argument;

	cpu->actor = engine_self();
	cpu->state = CPU_RUNNING;
	cpu_resume(cpu);
	return cpu;
}

static void run_on(unsigned int cpu, void (*body)(void *))
{
	if (!engine_start("task", cpu, body, &cpus[cpu]))
		_exit(97);
}

static void run(void)
{
	if (engine_run() != 0)
		_exit(96);
}

static void near(sim_time value, double want_ns)
{
	if (value < (sim_time)(want_ns * 1000) - 2 || value > (sim_time)(want_ns * 1000) + 2)
		fail_msg("%.3f ns instead of %.3f", (double)value / 1000, want_ns);
}

/* ---- hand-over ---- */

static void report_hand_overs(void)
{
	start(112);
	report->time[0] = lock_hand_over(&cpus[0], &cpus[1], 0);
	report->time[1] = lock_hand_over(&cpus[0], &cpus[OTHER_SOCKET], 0);
	report->time[2] = lock_hand_over(&cpus[0], &cpus[SIBLING], 0);
	report->time[3] = lock_hand_over(&cpus[0], &cpus[1], 0.5);
}

static void handing_over_takes_two_and_a_quarter_transfers(void **state)
{
	(void)state;
	assert_int_equal(child(report_hand_overs), 0);
	near(report->time[0], 2.25 * 50);
	near(report->time[1], 2.25 * 138);
	near(report->time[2], 2.25 * 7.5);
	/* and half of a PAUSE of 140 cycles at 2.8 GHz */
	near(report->time[3], 2.25 * 50 + 70 / 2.8);
}

/* CPU 0 holds the lock for a microsecond, CPU 1 comes 100 ns after it. */
static void hold_a_microsecond(void *argument)
{
	struct cpu *cpu = begin(argument);

	lock_acquire(lock);
	cpu->clock = 1000000;
	lock_release(lock);
	report->time[0] = engine_now();
}

static void come_after_100_ns(void *argument)
{
	struct cpu *cpu = begin(argument);

	cpu->clock = 100000;
	lock_acquire(lock);
	report->time[1] = cpu->clock;
	lock_release(lock);
}

static void wait_once(void)
{
	start(112);
	run_on(0, hold_a_microsecond);
	run_on(1, come_after_100_ns);
	run();
	report->time[2] = lock->wait.total;
	report->turns = (unsigned int)lock->contentions;
}

static void a_waiter_gets_the_lock_when_it_is_released(void **state)
{
	(void)state;
	assert_int_equal(child(wait_once), 0);
	near(report->time[0], 1000);
	/* the poll is somewhere in a PAUSE of 50 ns */
	assert_in_range(report->time[1], 1112500, 1162500);
	/* it waited since it had come, and after 7 cycles of its own */
	near(report->time[2], (double)report->time[1] / 1000 - 100 - 7 / 2.8);
	assert_int_equal(report->turns, 1);
}

/* ---- no contention ---- */

static void take_alone(void *argument)
{
	struct cpu *cpu = begin(argument);

	for (int i = 0; i <= 100; i++) {
		if (i == 1)
			report->time[0] = cpu->clock;
		lock_acquire(lock);
		lock_release(lock);
	}
	report->time[1] = cpu->clock;
	report->time[2] = lock->wait.total;
}

static void one_task(void)
{
	start(1);
	run_on(0, take_alone);
	run();
}

static void alone_it_costs_32_cycles(void **state)
{
	(void)state;
	assert_int_equal(child(one_task), 0);
	/* 7 to call it, 18 for the atomic, 7 to release; 3.8 GHz with one core busy */
	double each = (double)(report->time[1] - report->time[0]) / 100 / 1000;

	assert_true(each > 32 / 3.8 * 0.999 && each < 32 / 3.8 * 1.001);
	assert_int_equal(report->time[2], 0);
}

/* ---- order ---- */

#define CONTENDERS 6
#define ROUNDS 50

static void contend(void *argument)
{
	struct cpu *cpu = begin(argument);

	for (int i = 0; i < ROUNDS; i++) {
		lock_acquire(lock);
		report->turn[report->turns++] = cpu->id;
		cpu_charge_time(cpu, 200000);
		lock_release(lock);
	}
	cpu->state = CPU_IDLE;
}

static void many_tasks(void)
{
	/* near and far ones, and siblings */
	static const unsigned int where[CONTENDERS] = {0, 1, 2, OTHER_SOCKET, 30, SIBLING};

	start(112);
	for (int i = 0; i < CONTENDERS; i++)
		run_on(where[i], contend);
	run();
}

static void turns_are_taken_first_come_first_served(void **state)
{
	(void)state;
	assert_int_equal(child(many_tasks), 0);
	assert_int_equal(report->turns, CONTENDERS * ROUNDS);
	/* who released joins at the end: after the first turns the same order repeats for ever */
	for (unsigned int i = 2 * CONTENDERS; i < report->turns; i++)
		assert_int_equal(report->turn[i], report->turn[i - CONTENDERS]);
	/* and no one is in it twice */
	for (unsigned int i = 0; i < CONTENDERS; i++)
		for (unsigned int j = 0; j < i; j++)
			assert_int_not_equal(
				report->turn[CONTENDERS + i], report->turn[CONTENDERS + j]);
}

/* ---- misuse ---- */

static void take_twice(void *argument)
{
	(void)begin(argument);
	lock_acquire(lock);
	lock_acquire(lock);
}

static void taken_twice(void)
{
	start(1);
	run_on(0, take_twice);
	run();
}

static void release_untaken(void *argument)
{
	(void)begin(argument);
	lock_release(lock);
}

static void released_untaken(void)
{
	start(1);
	run_on(0, release_untaken);
	run();
}

static void misuse_ends_the_run_with_status_4(void **state)
{
	(void)state;
	assert_int_equal(child(taken_twice), 4);
	assert_int_equal(child(released_untaken), 4);
}

static int start_report(void **state)
{
	(void)state;
	report = mmap(
		NULL, sizeof(*report), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	return report == MAP_FAILED;
}

static int end_report(void **state)
{
	(void)state;
	return munmap(report, sizeof(*report));
}

int main(void)
{
#define CASE(name) cmocka_unit_test_setup_teardown(name, start_report, end_report)
	static const struct CMUnitTest tests[] = {
		CASE(handing_over_takes_two_and_a_quarter_transfers),
		CASE(a_waiter_gets_the_lock_when_it_is_released),
		CASE(alone_it_costs_32_cycles),
		CASE(turns_are_taken_first_come_first_served),
		CASE(misuse_ends_the_run_with_status_4),
	};

	return cmocka_run_group_tests_name("lock", tests, NULL, NULL);
}
