// SPDX-License-Identifier: GPL-3.0-or-later
/*
 * test_laws.c - what must hold of time and of queues whatever things cost: nothing is lost,
 * Little's law, and the throughput of a lock between tasks that think, which has a closed form.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <gsl/gsl_randist.h>

#include "../alloc/memory.h"
#include "../alloc/pcp.h"
#include "../alloc/vmstat.h"
#include "../sim/lock.h"
#include "../sim/memory.h"
#include "../sim/sim.h"
#include "../sim/wait.h"
#include "simulation/run_point.h"

#define NS 1000
#define US 1000000
#define CYCLE 400.0 /* ps */
#define TASKS 8	    /* two of them siblings, two on the other socket */

/* What a pair costs beyond its atomic, cycles. */
#define CALL 7
#define RELEASE 7

static const unsigned int task_cpus[TASKS] = {0, 1, 2, 28, 29, 56, 3, 4};
static struct lock *lock;

/* ---- nothing is lost ---- */

#define PAIRS 500

/* By task: what it was told to do, and what it saw. */
static struct account {
	sim_time work, held, idle;
	unsigned long pairs, handed_on;
} accounts[TASKS];

static struct account *account_of(const struct cpu *cpu)
{
	unsigned int task = 0;

	while (task_cpus[task] != cpu->id)
		task++;
	return &accounts[task];
}

static sim_time random_time(struct cpu *cpu, double mean)
{
	return (sim_time)gsl_ran_exponential(cpu->rng, mean);
}

static void work_hold_and_sleep(struct cpu *cpu)
{
	struct account *account = account_of(cpu);

	for (int i = 0; i < PAIRS; i++) {
		sim_time work = random_time(cpu, 2000 * NS), hold = random_time(cpu, 500 * NS);
		sim_time sleep = i % 4 == 0 ? random_time(cpu, 1000 * NS) : 0;

		cpu->next_zone_hold = HOLD_ZONE_FREE;
		memory_access(line_on_node(1, 5), 8, ACCESS_WRITE);
		cpu_charge_time(cpu, work);
		(void)wait_time(sleep);
		lock_acquire(lock);
		memory_access(line_on_node(0, 5), 8, ACCESS_READ);
		memory_access(line_on_node(0, 6), 8, ACCESS_WRITE);
		cpu_charge_time(cpu, hold);
		lock_release(lock);
		/* who waited has it by now */
		account->handed_on += lock->owner != NULL;
		account->work += work;
		account->held += hold;
		account->idle += sleep;
		account->pairs++;
	}
}

/* What @cpu waited for memory, under the lock or not. */
static sim_time waited(const struct cpu *cpu, enum hold hold)
{
	sim_time sum = 0;

	for (int what = 0; what < NR_WAITS; what++)
		sum += cpu->waited[hold][what];
	return sum;
}

/* Siblings do not slow each other down: what a pair takes is then the same at any time. */
static void start(void)
{
	load_machine("skylake-2s");
	machine.clock = machine.max_clock = 1e12 / CYCLE;
	machine.smt_throughput = 2;
	machine.pause = 100;
	start_machine(112);
	lock = &locks[lock_create("zone->lock", 0, line_on_node(0, 1))];
}

static void run_tasks(void)
{
	start();
	for (int i = 0; i < TASKS; i++)
		start_on(task_cpus[i], work_hold_and_sleep);
	run_all();
}

static void check_times(void)
{
	for (int i = 0; i < TASKS; i++) {
		const struct cpu *cpu = &cpus[task_cpus[i]];
		const struct account *a = &accounts[i];
		sim_time pairs = (sim_time)((double)a->pairs * (CALL + RELEASE) * CYCLE);
		sim_time running = a->work + pairs + waited(cpu, HOLD_NOTHING);
		sim_time spinning = cpu->spun[LOCK_ZONE];
		sim_time holding = a->held + waited(cpu, HOLD_ZONE_FREE);

		expect_true(spinning > 0);
		expect_true(waited(cpu, HOLD_ZONE_FREE) > 0);
		expect_equal(running + spinning + holding + a->idle, cpu->clock);
		expect_true(cpu->clock <= engine_now());
	}
}

static void all_time_is_accounted_for(void)
{
	run_tasks();
	check_times();
}

static void running_spinning_holding_and_idle_make_up_the_time(void **state)
{
	(void)state;
	simulate(all_time_is_accounted_for);
}

static void count_turns(void)
{
	unsigned long pairs = 0, handed_on = 0;
	sim_time held = 0, longest = 0;

	run_tasks();
	for (int i = 0; i < TASKS; i++) {
		pairs += accounts[i].pairs;
		handed_on += accounts[i].handed_on;
		held += accounts[i].held + waited(&cpus[task_cpus[i]], HOLD_ZONE_FREE);
		if (cpus[task_cpus[i]].clock > longest)
			longest = cpus[task_cpus[i]].clock;
	}
	expect_equal(pairs, TASKS * PAIRS);
	expect_true(handed_on > 100 && handed_on < pairs);
	expect_equal(lock->acquisitions, pairs);
	expect_equal(lock->hold[HOLD_ZONE_FREE].count, pairs);
	expect_equal(lock->hold[HOLD_ZONE_FREE].total, held);
	expect_equal(lock->contentions, handed_on);
	expect_equal(lock->wait.count, handed_on);
	expect_true(!lock->owner && !lock->waiters.first);
	/* one at a time */
	expect_true(held + lock->handed_over[HOLD_ZONE_FREE] <= longest);
}

static void each_turn_is_released_and_was_free_or_handed_over(void **state)
{
	(void)state;
	simulate(count_turns);
}

/* ---- Little's law ---- */

#define TICK (300.0 * NS)

static double waiters_seen, looks;

/* At times that depend on nothing else, so that what it sees is what there is on average. */
static void look_at_the_queue(struct cpu *cpu)
{
	bool last = false;

	while (!last) {
		(void)wait_time(random_time(cpu, TICK));
		for (const struct cpu *at = lock->waiters.first; at; at = at->next_waiter)
			waiters_seen++;
		looks++;
		last = lock->acquisitions == (unsigned long)TASKS * PAIRS;
	}
}

static void compare_queue_and_waits(void)
{
	start();
	for (int i = 0; i < TASKS; i++)
		start_on(task_cpus[i], work_hold_and_sleep);
	start_on(10, look_at_the_queue);
	run_all();
	/* who is handed the lock has left the queue, but still waits */
	double queued = (double)(lock->wait.total - lock->handed_over[HOLD_ZONE_FREE]);
	double rate = (double)lock->wait.count / (double)engine_now();
	double mean_wait = queued / (double)lock->wait.count;

	expect_true(looks > 5000);
	expect_near(waiters_seen / looks / (rate * mean_wait), 1, 0.03);
}

static void as_many_wait_as_come_in_the_time_that_they_wait(void **state)
{
	(void)state;
	simulate(compare_queue_and_waits);
}

/* ---- tasks that think, and one lock ---- */

#define VISITS 20000
#define THINK (40.0 * US)
#define HOLD (10.0 * US)

static void think_and_hold(struct cpu *cpu)
{
	for (int i = 0; i < VISITS; i++) {
		cpu_charge_time(cpu, random_time(cpu, THINK));
		lock_acquire(lock);
		cpu_charge_time(cpu, random_time(cpu, HOLD));
		lock_release(lock);
	}
}

/* Machines that fail and one who repairs them: the share of time in which no one is at work. */
static double idle_share(unsigned int machines, double ratio)
{
	double term = 1, sum = 1;

	for (unsigned int k = 0; k < machines; k++) {
		term *= (machines - k) * ratio;
		sum += term;
	}
	return 1 / sum;
}

/* Nothing but thinking and holding takes time; the calls are a thousandth of it. */
static void start_for_free(void)
{
	load_machine("skylake-2s");
	machine.clock = machine.max_clock = 1e12 / CYCLE;
	machine.smt_throughput = 2;
	machine.pause = machine.atomic = 0;
	machine.dirty_sibling = machine.dirty_same_socket = machine.dirty_other_socket = 0;
	machine.dram_local = machine.dram_remote = machine.llc_latency = machine.l2_latency = 0;
	start_machine(112);
	locks_init(&machine, &(struct coefficients){.hand_over = 0});
	lock = &locks[lock_create("zone->lock", 0, line_on_node(0, 1))];
}

static void repair(void)
{
	start_for_free();
	for (int i = 0; i < TASKS; i++)
		start_on(task_cpus[i], think_and_hold);
	run_all();
	double think = THINK + (CALL + RELEASE) * CYCLE;
	/* turns per picosecond; of a turn, what is neither thinking nor holding is waiting */
	double rate = (1 - idle_share(TASKS, HOLD / think)) / HOLD;
	double wait = TASKS / rate - think - HOLD;

	expect_equal(lock->acquisitions, TASKS * VISITS);
	/* the last tasks to end have the lock to themselves: a few visits of many */
	expect_near((double)lock->acquisitions / (double)engine_now() / rate, 1, 0.01);
	expect_near((double)lock->wait.total / (double)lock->acquisitions / wait, 1, 0.01);
}

static void tasks_that_think_get_the_lock_as_the_closed_form_says(void **state)
{
	(void)state;
	simulate(repair);
}

/* ---- pages ---- */

/* Every page is in use by someone who has a reference, or on one list of one kind. */
static void count_pages(void)
{
	configure("skylake-2s", "page_fault3", 4);
	run_configured();
	for (int node = 0; node < nr_online_nodes; node++) {
		const struct zone *zone = &node_data[node]->zone;
		long in_use = 0, kept = 0;

		for (unsigned long i = 0; i < zone->managed_pages; i++)
			in_use += pfn_to_page(zone->zone_start_pfn + i)->_refcount > 0;
		for (int cpu = 0; cpu < nr_cpu_ids; cpu++)
			kept += pcp_count(zone, cpu);
		/* tasks are on the first node */
		expect_true(node > 0 || (in_use > 0 && kept > 0));
		expect_equal(zone_page_state_snapshot(zone, NR_FREE_PAGES) + kept + in_use,
			zone->managed_pages);
	}
}

static void no_page_is_lost_or_made(void **state)
{
	(void)state;
	simulate(count_pages);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(running_spinning_holding_and_idle_make_up_the_time),
		cmocka_unit_test(each_turn_is_released_and_was_free_or_handed_over),
		cmocka_unit_test(as_many_wait_as_come_in_the_time_that_they_wait),
		cmocka_unit_test(tasks_that_think_get_the_lock_as_the_closed_form_says),
		cmocka_unit_test(no_page_is_lost_or_made),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
