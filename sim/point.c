/* SPDX-License-Identifier: GPL-3.0-or-later */
/* point.c - one point from configuration to result. */

#include "point.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>

#include "../alloc/boot.h"
#include "../alloc/check.h"
#include "../alloc/cluster.h"
#include "../alloc/pcp.h"
#include "../alloc/vmstat.h"
#include "../models/error.h"
#include "c2c.h"
#include "lock.h"
#include "measure.h"
#include "memory.h"
#include "platform.h"
#include "replication.h"
#include "functions.h"
#include "report.h"
#include "sim.h"
#include "timeline.h"
#include "wait.h"
#include "workload.h"

struct fixed_costs fixed_costs;

/* ---- set-up ---- */

static unsigned long pages_per_node(const struct machine *m)
{
	unsigned long pages = (unsigned long)(m->memory / m->sockets) >> PAGE_SHIFT;

	return pages - pages % PAGES_PER_SECTION;
}

/* Everything the simulated kernel keeps in memory, with room for alignment. */
static size_t arena_bytes(const struct point *point)
{
	const struct machine *m = point->machine;
	size_t pages = pages_per_node(m) * (size_t)m->sockets;
	size_t per_task = MAX_GATHER_BATCH_COUNT * sizeof(struct mmu_gather_batch) +
			  sizeof(struct mmu_gather) + sizeof(struct pagevec) + PAGE_SIZE +
			  4 * CACHE_LINE;
	size_t per_cpu = (size_t)m->sockets *
			 (sizeof(struct per_cpu_pageset) + sizeof(struct per_cpu_order_pages) +
				 sizeof(struct per_cpu_nodestat));
	size_t per_node = sizeof(struct pglist_data) + sizeof(struct mem_cgroup_per_node);

	/* runs of single pages have a record for each batch of at least one page */
	size_t clusters = point->patches & PATCH_BIT(PATCH_CLUSTER_ALLOC)
				  ? pages * sizeof(struct cluster)
				  : 0;

	return clusters + pages * sizeof(struct page) + pages / 1024 + point->tasks * per_task +
	       machine_cpus(m) * per_cpu + (size_t)m->sockets * per_node + (1 << 20);
}

static int boot(const struct point *point)
{
	static int nodes[NR_CPUS];
	const struct machine *m = point->machine;
	struct boot_parameters parameters = {
		.patches = point->patches,
		.nodes = (int)m->sockets,
		.cpus = (int)nr_cpus,
		.cpu_node = nodes,
		.pages_per_node = pages_per_node(m),
		.batch = (int)point->pcp_batch,
		.high = (int)point->pcp_high,
		.percpu_pagelist_fraction = (int)point->percpu_pagelist_fraction,
		.percpu_pagelist_high_fraction = (int)point->percpu_pagelist_high_fraction,
		.cache_slice =
			(unsigned long)(m->llc_size / (m->cores_per_socket * m->threads_per_core)),
	};

	for (unsigned int cpu = 0; cpu < nr_cpus; cpu++)
		nodes[cpu] = (int)cpus[cpu].socket;
	if (mm_init(&parameters))
		return -1;
	for (unsigned int node = 0; node < (unsigned int)m->sockets; node++)
		memory_set_home((uintptr_t)&mem_map[node * parameters.pages_per_node], node);
	/* each node's own structures follow, one node after the other */
	for (unsigned int node = 0; node < (unsigned int)m->sockets; node++)
		memory_set_home((uintptr_t)node_data[node], node);
	return 0;
}

static void set_fixed_costs(const struct point *point)
{
	const struct machine *m = point->machine;

	fixed_costs = (struct fixed_costs){
		.trap_in = m->trap_in,
		.trap_out = m->trap_out,
		.irq_save_restore = m->irq_save_restore,
		.flush_tlb = m->invalidate_page,
		.fault_path = point->coefficients.fault_path,
		.unmap_path = point->coefficients.unmap_path,
		.switch_path = point->coefficients.switch_path,
		.wake_path = point->coefficients.wake_path,
		.syscall_path = point->coefficients.syscall_path,
		.socket_path = point->coefficients.socket_path,
		.idle_exit = seconds_to_ps(m->idle_exit),
	};
}

static unsigned int cpu_of_task(const struct point *point, unsigned int id)
{
	return point->workload->cpu_of_task ? point->workload->cpu_of_task(point, id) : id;
}

static int init_task(struct task *task, const struct point *point, unsigned int id)
{
	static bool taken[NR_CPUS];
	unsigned int cpu = cpu_of_task(point, id);

	if (taken[cpu])
		sim_broken("%s puts two tasks on CPU %u", point->workload->name, cpu);
	taken[cpu] = true;
	task->id = id;
	task->cpu = &cpus[cpu];
	task->point = point;
	task->lru_pvec = arena_alloc(sizeof(*task->lru_pvec), CACHE_LINE);
	task->gather = arena_alloc(sizeof(*task->gather), CACHE_LINE);
	task->gather_arrays =
		arena_alloc(MAX_GATHER_BATCH_COUNT * sizeof(*task->gather_arrays), PAGE_SIZE);
	if (!task->lru_pvec || !task->gather || !task->gather_arrays)
		return -1;
	return point->workload->init(task);
}

/* Tasks socket by socket, so that what they own is in their node's memory. */
static struct task *init_tasks(const struct point *point)
{
	struct task *tasks = calloc(point->tasks, sizeof(*tasks));

	for (unsigned int node = 0; tasks && node < (unsigned int)point->machine->sockets; node++) {
		memory_set_home((uintptr_t)arena_alloc(CACHE_LINE, CACHE_LINE), node);
		for (unsigned int i = 0; i < point->tasks; i++)
			if (cpus[cpu_of_task(point, i)].socket == node &&
				init_task(&tasks[i], point, i))
				return NULL;
	}
	return tasks;
}

/* ---- the run ---- */

/*
 * The worker that folds a CPU's counters runs once a second; with pcp-auto-tune it lets the high of
 * the pagesets decay. It finds the CPU between two steps of its task.
 */
#define STAT_INTERVAL PS_PER_SECOND

static void vmstat_update(const struct task *task, sim_time *next)
{
	struct cpu *cpu = task->cpu;

	if (cpu->clock < *next)
		return;
	*next = cpu->clock + STAT_INTERVAL;
	if (!(task->point->patches & PATCH_BIT(PATCH_PCP_AUTO_TUNE)))
		return;
	for (int node = 0; node < nr_online_nodes; node++)
		decay_pcp_high(&node_data[node]->zone, (int)cpu->id);
}

static void task_main(void *argument)
{
	struct task *task = argument;
	struct cpu *cpu = task->cpu;
	/* not all CPUs at once */
	sim_time next_update = (sim_time)(gsl_rng_uniform(cpu->rng) * STAT_INTERVAL);

	cpu->actor = engine_self();
	cpu->state = CPU_RUNNING;
	cpu_resume(cpu);
	replication_start(task);
	while (!sim_stopping) {
		task->point->workload->step(task);
		vmstat_update(task, &next_update);
		cpu_sync(cpu);
		replication_next(task);
	}
	cpu->state = CPU_IDLE;
	wait_end();
}

static int start_tasks(const struct point *point, struct task *tasks)
{
	char name[32];

	for (unsigned int i = 0; i < point->tasks; i++) {
		(void)snprintf(name, sizeof(name), "task%u", i);
		if (!engine_start(name, tasks[i].cpu->id, task_main, &tasks[i]))
			return -1;
	}
	return 0;
}

/* Returns NULL, or why there is no run. */
static const char *simulate(const struct point *point, struct point_result *result)
{
	struct task *tasks;
	char why[256];

	if (engine_init(point->machine))
		return "SimGrid did not take the platform";
	if (cpus_init(point->machine, point->seed, point->tasks) ||
		memory_init(point->machine, arena_bytes(point)))
		return "the host has too little memory";
	locks_init(point->machine, &point->coefficients);
	set_fixed_costs(point);
	timeline_start(point->watch);
	functions_start(point->watch);
	if (boot(point))
		return "the arena is too small for the kernel's structures";
	tasks = init_tasks(point);
	if (!tasks)
		return "the host has too little memory";
	if (start_tasks(point, tasks) || measure_start(point, tasks) || c2c_start(point->watch))
		return "the host has too little memory";
	unsigned int stuck = engine_run();

	if (stuck)
		sim_broken("the simulation deadlocked: %u of %u tasks did not end", stuck,
			point->tasks + 1);
	if (mm_check(why, sizeof(why)))
		sim_broken("an invariant of the allocator broke: %s", why);
	measure_finish(point, result);
	report_fill(point, result);
	functions_report(result);
	c2c_report(tasks, point->tasks, result);
	timeline_finish(result);
	return sim_failure();
}

void point_run(const struct point *point, struct point_result *result)
{
	double start = host_seconds();
	struct rusage usage;

	*result = (struct point_result){.status = POINT_OK};
	const char *why = simulate(point, result);

	if (why) {
		result->status = POINT_FAILED;
		result->exit_status = EXIT_RUN_FAILED;
		(void)snprintf(result->failure, sizeof(result->failure), "%s", why);
	} else if (result->status == POINT_IMPRECISE && !result->exit_status) {
		result->exit_status = EXIT_NOT_TRUSTED;
	}
	result->wall = host_seconds() - start;
	if (!getrusage(RUSAGE_SELF, &usage))
		result->max_rss = (uint64_t)usage.ru_maxrss * 1024;
}

void point_result_free(struct point_result *result)
{
	for (size_t i = 0; i < result->nr_series; i++) {
		free(result->series[i].seconds);
		free(result->series[i].work);
	}
	result->nr_series = 0;
	free(result->zoneinfo);
	free(result->buddyinfo);
	free(result->pagetypeinfo);
	free(result->vmstat);
	result->zoneinfo = result->buddyinfo = result->pagetypeinfo = result->vmstat = NULL;
}
