/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * page_fault1_spread.c - page_fault1 as it is after a long time: tasks are out of step, some fault
 * while others unmap, and the free lists are well mixed. page_fault1 itself has all tasks start
 * together. What is in between, a real run goes through.
 */

#include "mapping.h"

static const struct workload_parameter parameters[] = {
	MAPPING_REGION("memory that each task maps, touches and unmaps"),
	{NULL},
};

const struct workload workload_page_fault1_spread = {
	.name = "page_fault1_spread",
	.help = "page_fault1 with tasks out of step from the start, as after a long time",
	.parameters = parameters,
	.rate = "pages/s",
	.rate_help = "pages faulted per second, all tasks together",
	.memory = mapping_anonymous_memory,
	.init = mapping_anonymous_init,
	.step = mapping_anonymous_step,
	.work_per_round = mapping_pages,
	.turns_per_round = mapping_anonymous_turns,
	.spread = true,
};
