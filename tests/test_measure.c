// SPDX-License-Identifier: GPL-3.0-or-later
/*
 * test_measure.c - what a workload may ask for, and what is made of what it counts, by one whose
 * figures are known.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "../models/error.h"
#include "../sim/lock.h"
#include "../sim/measure.h"
#include "../sim/wait.h"
#include "simulation/run_point.h"

/*
 * A workload of this test's own: a step takes a microsecond and does two units of work, of which
 * three are counted. It says that it has waited for a lock of a zone for a fifth of that, and for
 * one of the LRU for three tenths.
 */
#define US 1000000 /* ps */
enum { COUNT_THREES };

static unsigned int cpu_of[2], inits;

static double no_memory(const struct point *p)
{
	(void)p;
	return 0;
}

static unsigned int first_and_last_cpu(const struct point *p, unsigned int id)
{
	return id ? machine_cpus(p->machine) - 1 : 0;
}

static int note_cpu(struct task *task)
{
	cpu_of[task->id] = task->cpu->id;
	inits++;
	return 0;
}

static void work_for_a_microsecond(struct task *task)
{
	cpu_charge_time(task->cpu, US);
	task->cpu->spun[LOCK_ZONE] += US / 5;
	task->cpu->spun[LOCK_LRU] += US * 3 / 10;
	measure_count(task, COUNT_THREES, 3);
	measure_work(task, 2);
}

static unsigned long hundred(const struct point *p)
{
	(void)p;
	return 100;
}

static unsigned long none(const struct point *p)
{
	(void)p;
	return 0;
}

static const struct workload_parameter no_parameters[] = {{NULL}};

static const struct workload_metric made_up_metrics[] = {
	{"threes", "1", "counts per unit of work", SERIES_WORKLOAD + COUNT_THREES, SERIES_WORK, 1},
	{"three_rate", "k/s", "thousands of counts per second", SERIES_WORKLOAD + COUNT_THREES,
		SERIES_TIME, 1e-3},
	{"unit_time", "ns", "of a task", SERIES_TASK_TIME, SERIES_WORK, 1e9},
	{"unit_cost", "cycles", "of a task", SERIES_TASK_CYCLES, SERIES_WORK, 1},
	{"pages", "1/s", "handed out", SERIES_EVENT + PGALLOC, SERIES_TIME, 1},
	{NULL},
};

static struct workload made_up = {
	.name = "made_up",
	.parameters = no_parameters,
	.rate = "units/s",
	.metrics = made_up_metrics,
	.memory = no_memory,
	.cpu_of_task = first_and_last_cpu,
	.init = note_cpu,
	.step = work_for_a_microsecond,
	.work_per_round = hundred,
	.turns_per_round = none,
};

static void run_made_up(void)
{
	configure("skylake-2s", "page_fault1", 2);
	point.workload = &made_up;
	run_configured();
	expect_equal(inits, 2);
	expect_equal(cpu_of[0], 0);
	expect_equal(cpu_of[1], 111);
	expect_near(metric("score"), 4e6, 1);
	expect_near(metric("per_process_ops"), 2e6, 1);
	expect_near(metric("threes"), 1.5, 1e-9);
	expect_near(metric("three_rate"), 6e3, 1e-3);
	expect_near(metric("unit_time"), 500, 1e-6);
	/* half a microsecond of 2.5 GHz */
	expect_near(metric("unit_cost"), 1250, 1e-6);
	expect_equal(metric("pages"), 0);
	expect_near(metric("zone_lock_spin_share"), 20, 1e-6);
	expect_near(metric("lru_lock_spin_share"), 30, 1e-6);
}

static unsigned int cpu_3(const struct point *p, unsigned int id)
{
	(void)p;
	(void)id;
	return 3;
}

static void run_on_one_cpu(void)
{
	made_up.cpu_of_task = cpu_3;
	run_made_up();
}

static void run_coupled(void)
{
	made_up.coupled = true;
	run_made_up();
}

/* Node 1 does nothing that counts. */
static void only_the_first_works(struct task *task)
{
	cpu_charge_time(task->cpu, US);
	if (task->id == 0)
		measure_work(task, 2);
}

static void run_with_an_onlooker(void)
{
	made_up.coupled = true;
	made_up.step = only_the_first_works;
	configure("skylake-2s", "page_fault1", 2);
	point.workload = &made_up;
	run_configured();
	expect_near(metric("score"), 2e6, 1);
	/* of both */
	expect_near(metric("unit_time"), 1000, 1e-6);
}

static void coupled_tasks_are_measured_as_one(void **state)
{
	(void)state;
	simulate(run_with_an_onlooker);
}

static void sleep_for_ever(struct task *task)
{
	static struct wait_queue queue;

	(void)task;
	(void)wait_sleep(&queue);
}

static void run_asleep(void)
{
	made_up.step = sleep_for_ever;
	configure("skylake-2s", "page_fault1", 2);
	point.workload = &made_up;
	point.time_limit = 1e-3;
	point_run(&point, &result);
}

static void when_all_sleep_that_is_told(void **state)
{
	(void)state;
	simulate_failing(run_asleep, EXIT_BROKEN, "all 2 tasks sleep");
}

static void a_workload_names_its_metrics(void **state)
{
	(void)state;
	simulate(run_made_up);
	simulate(run_coupled);
	simulate_failing(run_on_one_cpu, EXIT_BROKEN, "made_up puts two tasks on CPU 3");
}

static void too_few(void)
{
	configure("skylake-2s", "page_fault1", 2);
	point.workload = &made_up;
	made_up.min_tasks = 2;
	made_up.task_group = 2;
	expect_accepted();
	point.tasks = 7;
	expect_refused("tasks", "made_up needs a multiple of 2 tasks");
	point.tasks = 1;
	expect_refused("tasks", "made_up needs at least 2 tasks");
}

static void other_numbers_of_tasks_are_refused(void **state)
{
	(void)state;
	simulate(too_few);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_workload_names_its_metrics),
		cmocka_unit_test(coupled_tasks_are_measured_as_one),
		cmocka_unit_test(when_all_sleep_that_is_told),
		cmocka_unit_test(other_numbers_of_tasks_are_refused),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
