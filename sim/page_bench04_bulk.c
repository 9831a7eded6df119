/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * page_bench04_bulk.c - a kernel micro-benchmark: allocate some order-0 pages in one call of the
 * bulk interface, free them one by one at once, and again. With a step of 0, alloc_page instead.
 */

#include <stdlib.h>

#include "../alloc/bulk.h"
#include "../alloc/page_alloc.h"
#include "measure.h"
#include "sim.h"
#include "workload.h"

enum { PARAMETER_STEP, PARAMETER_LIST };

#define PAGES_PER_STEP 256UL
#define PAGES_PER_ROUND 8192UL /* some 200 microseconds */
#define MAX_STEP 1024

struct state {
	unsigned long step;
	bool list;
	struct page *array[MAX_STEP];
};

static int init(struct task *task)
{
	struct state *s = task->private = calloc(1, sizeof(*s));

	if (!s)
		return -1;
	s->step = (unsigned long)task->point->parameters[PARAMETER_STEP];
	s->list = task->point->parameters[PARAMETER_LIST] != 0;
	return 0;
}

static void out_of_memory(const struct task *task)
{
	sim_fail("the simulated machine ran out of memory: task %u got no page", task->id);
}

/* Returns the pages that were there; so do the others. */
static unsigned long with_single_page(void)
{
	struct page *page = alloc_page(MIGRATE_MOVABLE);

	if (!page)
		return 0;
	free_pages(page, 0);
	return 1;
}

static unsigned long with_array(struct state *s)
{
	unsigned long n = alloc_pages_bulk(MIGRATE_MOVABLE, s->step, NULL, s->array);

	for (unsigned long i = 0; i < n; i++) {
		free_pages(s->array[i], 0);
		s->array[i] = NULL;
	}
	return n;
}

static unsigned long with_list(const struct state *s)
{
	struct list_head list, *next;

	INIT_LIST_HEAD(&list);
	unsigned long n = alloc_pages_bulk(MIGRATE_MOVABLE, s->step, &list, NULL);

	for (struct list_head *at = list.next; at != &list; at = next) {
		next = at->next;
		free_pages(container_of(at, struct page, lru), 0);
	}
	return n;
}

static void step(struct task *task)
{
	struct state *s = task->private;
	unsigned long pages = 0;

	while (pages < PAGES_PER_STEP) {
		unsigned long n = !s->step  ? with_single_page()
				  : s->list ? with_list(s)
					    : with_array(s);

		if (!n) {
			out_of_memory(task);
			return;
		}
		pages += n;
	}
	cpu_settle(task->cpu);
	measure_work(task, pages);
}

static double memory(const struct point *point)
{
	return (double)point->tasks * (point->parameters[PARAMETER_STEP] + 1) * PAGE_SIZE;
}

static patch_set needs(const struct point *point)
{
	return point->parameters[PARAMETER_STEP] > 0 ? PATCH_BIT(PATCH_BULK_ALLOC) : 0;
}

static unsigned long work_per_round(const struct point *point)
{
	(void)point;
	return PAGES_PER_ROUND;
}

static const struct workload_parameter parameters[] = {
	[PARAMETER_STEP] = {"step", PARAMETER_NUMBER, 64, 0, MAX_STEP,
		"pages that a call allocates; 0 for the interface for single pages"},
	[PARAMETER_LIST] = {"list", PARAMETER_NUMBER, 0, 0, 1,
		"1 for the list form of the call instead of the array form"},
	{NULL},
};

static const struct workload_metric metrics[] = {
	{"page_cost", "cycles",
		"time-stamp cycles of a task per page, allocating and freeing together",
		SERIES_TASK_CYCLES, SERIES_WORK, 1, true},
	{"page_time", "ns", "the same as time", SERIES_TASK_TIME, SERIES_WORK, 1e9},
	{NULL},
};

const struct workload workload_page_bench04_bulk = {
	.name = "page_bench04_bulk",
	.help = "micro-benchmark: allocate pages in bulk, free them one by one at once",
	.parameters = parameters,
	.rate = "pages/s",
	.rate_help = "pages allocated and freed per second, all tasks together",
	.metrics = metrics,
	.memory = memory,
	.needs = needs,
	.init = init,
	.step = step,
	.work_per_round = work_per_round,
	.turns_per_round = NULL, /* no lock is taken but at the very first, and no one else has
				    disturbed the free lists */
};
