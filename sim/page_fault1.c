/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * page_fault1.c - will-it-scale's page_fault1 in process mode: map a private anonymous region,
 * write one byte to each page, unmap it, again and again. The score counts pages.
 */

#include "mapping.h"

static const struct workload_parameter parameters[] = {
	MAPPING_REGION("memory that each task maps, touches and unmaps"),
	{NULL},
};

const struct workload workload_page_fault1 = {
	.name = "page_fault1",
	.help = "will-it-scale page_fault1, processes: map, write a byte to each page, unmap",
	.parameters = parameters,
	.rate = "pages/s",
	.rate_help = "pages faulted per second, all tasks together",
	.memory = mapping_anonymous_memory,
	.init = mapping_anonymous_init,
	.step = mapping_anonymous_step,
	.work_per_round = mapping_pages,
	.turns_per_round = mapping_anonymous_turns,
	.between_rounds = mapping_between_rounds,
};
