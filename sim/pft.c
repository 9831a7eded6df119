/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * pft.c - the page fault test: an anonymous region is carved among the threads of a process. They
 * start together, each touches its part once, and when all are done the process ends, which one
 * thread's CPU does: it unmaps the region. Then the next process starts.
 *
 * Each part has page tables of its own. Starting a process and its threads takes no time here.
 */

#include <stdlib.h>

#include "mapping.h"
#include "measure.h"

enum { COUNT_TOUCHING };

enum phase { TOUCH, EXIT };

struct state {
	struct mapping part;
	enum phase phase;
};

/* The process. */
static struct rwsem mmap_lock;
static struct barrier done, started;
static struct mapping *parts[NR_CPUS];
static sim_time since; /* when the threads started */

/* Of task @id's part; the parts follow each other. */
static unsigned long first_page(const struct point *point, unsigned int id)
{
	return mapping_pages(point) * id / point->tasks;
}

static int init(struct task *task)
{
	struct state *s = task->private = calloc(1, sizeof(*s));
	unsigned long pages =
		first_page(task->point, task->id + 1) - first_page(task->point, task->id);

	if (!s || mapping_init(&s->part, MAPPING_ANONYMOUS, pages))
		return -1;
	parts[task->id] = &s->part;
	s->part.mmap_lock = &mmap_lock;
	return mmap_lock.word ? 0 : rwsem_init(&mmap_lock);
}

static void touch_step(struct task *task, struct state *s)
{
	bool last;

	if (!mapping_touch(task, &s->part) || !barrier_wait(&done, task->point->tasks, &last))
		return;
	if (last)
		measure_count(
			task, COUNT_TOUCHING, (double)(task->cpu->clock - since) / PS_PER_SECOND);
	s->phase = EXIT;
}

/* The region goes in one unmap, on one CPU. */
static void exit_step(struct task *task, struct state *s)
{
	bool last;

	for (unsigned int i = 0; task->id == 0 && i < task->point->tasks; i++)
		while (!mapping_unmap(task, parts[i]))
			cpu_sync(task->cpu);
	if (!barrier_wait(&started, task->point->tasks, &last))
		return;
	if (last)
		since = task->cpu->clock;
	s->phase = TOUCH;
}

static void step(struct task *task)
{
	struct state *s = task->private;

	if (s->phase == TOUCH)
		touch_step(task, s);
	else
		exit_step(task, s);
}

static double memory(const struct point *point)
{
	return mapping_memory(1, mapping_pages(point)) +
	       (double)point->tasks * (MAX_GATHER_BATCH_COUNT + 1) * PAGE_SIZE;
}

/* The tasks' parts, of which some are a page larger than others: their average. */
static unsigned long work_per_round(const struct point *point)
{
	unsigned long pages = mapping_pages(point) / point->tasks;

	return pages ? pages : 1;
}

static unsigned long turns_per_round(const struct point *point)
{
	return mapping_locks(work_per_round(point));
}

static const struct workload_parameter parameters[] = {
	MAPPING_REGION("memory that all workers together touch once in each repetition"),
	{NULL},
};

static const struct workload_metric metrics[] = {
	{"faults", "faults/s", "pages faulted by all workers per second in which they touch pages",
		SERIES_EVENT + PGFAULT, SERIES_WORKLOAD + COUNT_TOUCHING, 1, true},
	{NULL},
};

const struct workload workload_pft = {
	.name = "pft",
	.help = "page fault test: threads touch their parts of one region, which is then unmapped",
	.parameters = parameters,
	.rate = "pages/s",
	.rate_help = "pages faulted per second, the time of unmapping included",
	.metrics = metrics,
	.coupled = true,
	.memory = memory,
	.init = init,
	.step = step,
	.work_per_round = work_per_round,
	.turns_per_round = turns_per_round,
};
