/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * alloc_free.c - a kernel micro-benchmark: each task allocates so many order-0 pages one by one,
 * then frees them one by one in the same order, and again. Nothing is done with the pages.
 */

#include <stdlib.h>

#include "../alloc/page_alloc.h"
#include "measure.h"
#include "sim.h"
#include "workload.h"

enum { PARAMETER_SIZE };

#define PAGES_PER_STEP 64UL
#define MIN_ROUND 4096UL /* pages; some 200 microseconds */

struct state {
	struct page **pages;
	unsigned long size, next; /* page to allocate or to free next */
	bool freeing;
};

static unsigned long size_of(const struct point *point)
{
	return (unsigned long)point->parameters[PARAMETER_SIZE];
}

static int init(struct task *task)
{
	struct state *s = task->private = calloc(1, sizeof(*s));

	if (!s)
		return -1;
	s->size = size_of(task->point);
	s->pages = calloc(s->size, sizeof(struct page *));
	return s->pages ? 0 : -1;
}

static void alloc_until(struct task *task, struct state *s, unsigned long end)
{
	for (; s->next < end; s->next++) {
		s->pages[s->next] = alloc_page(MIGRATE_MOVABLE);
		if (!s->pages[s->next]) {
			sim_fail("the simulated machine ran out of memory: task %u has %lu of %lu "
				 "pages",
				task->id, s->next, s->size);
			return;
		}
	}
}

static void free_until(struct task *task, struct state *s, unsigned long end)
{
	unsigned long first = s->next;

	for (; s->next < end; s->next++)
		free_pages(s->pages[s->next], 0);
	cpu_settle(task->cpu);
	measure_work(task, end - first);
}

static void step(struct task *task)
{
	struct state *s = task->private;
	unsigned long end = s->next + PAGES_PER_STEP;

	if (end > s->size)
		end = s->size;
	if (s->freeing)
		free_until(task, s, end);
	else
		alloc_until(task, s, end);
	if (s->next < s->size)
		return;
	s->next = 0;
	s->freeing = !s->freeing;
}

static double memory(const struct point *point)
{
	return (double)point->tasks * (double)size_of(point) * PAGE_SIZE;
}

/* A whole number of repetitions. */
static unsigned long work_per_round(const struct point *point)
{
	unsigned long size = size_of(point);

	return (MIN_ROUND + size - 1) / size * size;
}

static const struct workload_parameter parameters[] = {
	[PARAMETER_SIZE] = {"size", PARAMETER_NUMBER, 64, 1, 16384,
		"pages that each task allocates before it frees them"},
	{NULL},
};

static const struct workload_metric metrics[] = {
	{"page_cost", "cycles",
		"time-stamp cycles of a task per page, allocating and freeing together",
		SERIES_TASK_CYCLES, SERIES_WORK, 1, true},
	{"page_time", "ns", "the same as time", SERIES_TASK_TIME, SERIES_WORK, 1e9},
	{NULL},
};

const struct workload workload_alloc_free = {
	.name = "alloc_free",
	.help = "micro-benchmark: allocate order-0 pages one by one, free them one by one",
	.parameters = parameters,
	.rate = "pages/s",
	.rate_help = "pages allocated and freed per second, all tasks together",
	.metrics = metrics,
	.memory = memory,
	.init = init,
	.step = step,
	.work_per_round = work_per_round,
	.turns_per_round =
		NULL, /* small sizes take no lock, and no one else has disturbed the free lists */
};
