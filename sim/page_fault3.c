/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * page_fault3.c - will-it-scale's page_fault3: as page_fault1, on a shared mapping of a file of the
 * task's own. Once the file is in the page cache a fault allocates nothing: a control, on which a
 * change to the allocator shows next to nothing. Page tables still come and go.
 */

#include "mapping.h"

static int init(struct task *task)
{
	return mapping_init_task(task, MAPPING_SHARED);
}

static double memory(const struct point *point)
{
	return mapping_memory(point->tasks, mapping_pages(point));
}

/* More than the first round takes. */
static unsigned long turns_per_round(const struct point *point)
{
	return 2 * mapping_locks(mapping_pages(point)) + 1000;
}

static const struct workload_parameter parameters[] = {
	MAPPING_REGION("size of each task's file, all of which it maps, touches and unmaps"),
	{NULL},
};

const struct workload workload_page_fault3 = {
	.name = "page_fault3",
	.help = "will-it-scale page_fault3, processes: the same on a shared mapping of a file",
	.parameters = parameters,
	.rate = "pages/s",
	.rate_help = "pages faulted per second, all tasks together",
	.memory = memory,
	.init = init,
	.step = mapping_step_of_file,
	.work_per_round = mapping_pages,
	.turns_per_round = turns_per_round,
};
