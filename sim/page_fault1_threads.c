/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * page_fault1_threads.c - will-it-scale's page_fault1 in thread mode: as with processes, but the
 * tasks share one mm, and with it mmap_lock. Every fault holds it for reading, so that its line
 * goes from CPU to CPU; mmap and munmap hold it for writing, munmap to its end, as kernels before
 * v4.20 do.
 */

#include "mapping.h"
#include "measure.h"

enum { COUNT_WAITED };

static struct rwsem mmap_lock; /* of the process */

static int init(struct task *task)
{
	if (mapping_anonymous_init(task))
		return -1;
	((struct mapping *)task->private)->mmap_lock = &mmap_lock;
	return mmap_lock.word ? 0 : rwsem_init(&mmap_lock);
}

static void step(struct task *task)
{
	sim_time slept = task->cpu->slept;

	(void)mapping_step(task, task->private);
	measure_count(task, COUNT_WAITED, (double)(task->cpu->slept - slept) / PS_PER_SECOND);
}

static const struct workload_parameter parameters[] = {
	MAPPING_REGION("memory that each thread maps, touches and unmaps"),
	{NULL},
};

static const struct workload_metric metrics[] = {
	{"mmap_lock_sleep_share", "percent",
		"time that threads sleep for mmap_lock, in percent of all thread time",
		SERIES_WORKLOAD + COUNT_WAITED, SERIES_TASK_TIME, 100},
	{NULL},
};

const struct workload workload_page_fault1_threads = {
	.name = "page_fault1_threads",
	.help = "will-it-scale page_fault1, threads: the same with one mm for all",
	.parameters = parameters,
	.rate = "pages/s",
	.rate_help = "pages faulted per second, all threads together",
	.metrics = metrics,
	.coupled = true,
	.memory = mapping_anonymous_memory,
	.init = init,
	.step = step,
	.work_per_round = mapping_pages,
	.turns_per_round = mapping_anonymous_turns,
};
