/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * remote_drain.c - one CPU has the pagesets of all others emptied, as memory hotplug or a large
 * contiguous allocation does, while those run page_fault1.
 *
 * The way of kernels before the pagesets' own spinlock: task 0 queues a work item for each CPU and
 * sleeps until all are done. A work item interrupts its CPU's task, which gives way at the next
 * return to user mode, or between page tables while it unmaps. With the spinlock (pcp-spinlock)
 * task 0 empties the pagesets itself, and no one is interrupted.
 */

#include "../alloc/pcp.h"
#include "fast_forward.h"
#include "mapping.h"
#include "measure.h"
#include "timeline.h"

enum { PARAMETER_REGION, PARAMETER_INTERVAL };

enum { COUNT_DRAINS, COUNT_DRAINING };

/* A round of drains must be long against the rounds of those who are drained. */
#define DRAINS_PER_ROUND 32

static bool requested[NR_CPUS]; /* by task */
static unsigned int pending;	/* work items that are not done */
static struct wait_queue drainer;

static bool is_drainer(const struct task *task)
{
	return task->id == 0;
}

static int init(struct task *task)
{
	if (is_drainer(task))
		return 0;
	if (mapping_init_task(task, MAPPING_ANONYMOUS))
		return -1;
	struct mapping *m = task->private;

	m->faults_per_step = 1;
	m->uncounted = true;
	return 0;
}

/* ---- the one that drains ---- */

static void queue_work(struct cpu *cpu, unsigned int id)
{
	cpu_charge_cycles(cpu, fixed_costs.wake_path);
	cpu_fence(cpu);
	cpu_sync(cpu);
	requested[id] = true;
	pending++;
}

static void drain_by_work(struct task *task, unsigned int others)
{
	for (unsigned int id = 1; id <= others; id++)
		queue_work(task->cpu, id);
	while (pending)
		if (!wait_sleep(&drainer))
			return;
}

/* Task @id is on CPU @id. */
static void drain_under_lock(unsigned int others)
{
	for (int cpu = 1; cpu <= (int)others; cpu++)
		for (int node = 0; node < nr_online_nodes; node++)
			(void)drain_remote_pages(&node_data[node]->zone, cpu);
}

/* A tenth more or less, lest drains keep step with the others' rounds. */
static sim_time interval(const struct task *task)
{
	double mean = task->point->parameters[PARAMETER_INTERVAL];

	return seconds_to_ps(mean * (0.9 + 0.2 * gsl_rng_uniform(task->cpu->rng)));
}

static void drain_step(struct task *task)
{
	struct cpu *cpu = task->cpu;
	unsigned int others = task->point->tasks - 1;

	fast_forward_end(cpu);
	if (!wait_time(interval(task)))
		return;
	sim_time since = cpu->clock;

	timeline_phase(cpu, "drain pagesets");
	if (task->point->patches & PATCH_BIT(PATCH_PCP_SPINLOCK))
		drain_under_lock(others);
	else
		drain_by_work(task, others);
	timeline_phase(cpu, NULL);
	if (sim_stopping)
		return;
	cpu_settle(cpu);
	measure_count(task, COUNT_DRAINING, (double)(cpu->clock - since) / PS_PER_SECOND);
	measure_count(task, COUNT_DRAINS, 1);
	measure_work(task, others);
}

/* ---- the others ---- */

/* An interrupt, the worker, and back. */
static void do_work(struct task *task)
{
	struct cpu *cpu = task->cpu;

	requested[task->id] = false;
	cpu_charge_cycles(cpu, fixed_costs.trap_in + fixed_costs.trap_out);
	cpu_charge_cycles(cpu, fixed_costs.switch_path);
	for (int node = 0; node < nr_online_nodes; node++)
		drain_local_pages(&node_data[node]->zone);
	cpu_fence(cpu);
	cpu_sync(cpu);
	if (--pending == 0)
		(void)wait_wake(&drainer);
	cpu_charge_cycles(cpu, fixed_costs.switch_path);
}

static void step(struct task *task)
{
	if (is_drainer(task)) {
		drain_step(task);
		return;
	}
	if (requested[task->id])
		do_work(task);
	(void)mapping_step(task, task->private);
}

/* ---- descriptor ---- */

static double memory(const struct point *point)
{
	return mapping_memory(point->tasks - 1, mapping_pages(point));
}

static unsigned long work_per_round(const struct point *point)
{
	(void)point;
	return DRAINS_PER_ROUND;
}

static unsigned long turns_per_round(const struct point *point)
{
	return mapping_locks(mapping_pages(point));
}

static const struct workload_parameter parameters[] = {
	[PARAMETER_REGION] = {"region", PARAMETER_BYTES, 8 << 20, PAGE_SIZE, 1UL << 40,
		"memory that each of the others maps, touches and unmaps"},
	[PARAMETER_INTERVAL] = {"interval", PARAMETER_SECONDS, 1e-3, 1e-6, 1,
		"mean time from the end of a drain to the next"},
	{NULL},
};

static const struct workload_metric metrics[] = {
	{"faults", "faults/s", "pages that the others fault per second, all together",
		SERIES_EVENT + PGFAULT, SERIES_TIME, 1, true},
	{"drain_time", "us", "time from the beginning of a drain of all pagesets to its end",
		SERIES_WORKLOAD + COUNT_DRAINING, SERIES_WORKLOAD + COUNT_DRAINS, 1e6},
	{NULL},
};

const struct workload workload_remote_drain = {
	.name = "remote_drain",
	.help = "one task has the pagesets of the others' CPUs drained while those fault",
	.parameters = parameters,
	.rate = "drains/s",
	.rate_help = "pagesets drained per second",
	.metrics = metrics,
	.min_tasks = 2,
	.coupled = true,
	.memory = memory,
	.init = init,
	.step = step,
	.work_per_round = work_per_round,
	.turns_per_round = turns_per_round,
};
