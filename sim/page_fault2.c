/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * page_fault2.c - will-it-scale's page_fault2: as page_fault1, on a private mapping of a file of
 * the task's own. Each fault copies a page of the page cache to an anonymous one.
 */

#include "mapping.h"

static int init(struct task *task)
{
	return mapping_init_task(task, MAPPING_PRIVATE);
}

/* the region and the file */
static double memory(const struct point *point)
{
	return 2 * mapping_memory(point->tasks, mapping_pages(point));
}

/* More than the first round takes, which brings in twice as many pages. */
static unsigned long turns_per_round(const struct point *point)
{
	return 4 * mapping_locks(mapping_pages(point)) + 1000;
}

static const struct workload_parameter parameters[] = {
	MAPPING_REGION("size of each task's file, all of which it maps, touches and unmaps"),
	{NULL},
};

const struct workload workload_page_fault2 = {
	.name = "page_fault2",
	.help = "will-it-scale page_fault2, processes: the same on a private mapping of a file",
	.parameters = parameters,
	.rate = "pages/s",
	.rate_help = "pages faulted per second, all tasks together",
	.memory = memory,
	.init = init,
	.step = mapping_step_of_file,
	.work_per_round = mapping_pages,
	.turns_per_round = turns_per_round,
	.between_rounds = mapping_between_rounds,
};
