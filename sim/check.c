/* SPDX-License-Identifier: GPL-3.0-or-later */
/* check.c - what can not be simulated is refused before anything runs. */

#include <math.h>
#include <stdio.h>

#include "../alloc/boot.h"
#include "platform.h"
#include "point.h"
#include "workload.h"

static int check_workload_tasks(const struct point *p, const char **key, char *why, size_t size)
{
	const struct workload *w = p->workload;

	*key = "tasks";
	if (p->tasks < w->min_tasks) {
		(void)snprintf(why, size, "%s needs at least %u tasks", w->name, w->min_tasks);
		return -1;
	}
	if (w->task_group && p->tasks % w->task_group) {
		(void)snprintf(
			why, size, "%s needs a multiple of %u tasks", w->name, w->task_group);
		return -1;
	}
	return 0;
}

static int check_tasks(const struct point *p, const char **key, char *why, size_t size)
{
	*key = "tasks";
	if (p->tasks == 0) {
		(void)snprintf(why, size, "at least 1 task is needed");
		return -1;
	}
	if (p->tasks > machine_cpus(p->machine)) {
		(void)snprintf(why, size,
			"%u tasks, but %s has %u logical CPUs; use at most that many, or 'all'",
			p->tasks, p->machine->name, machine_cpus(p->machine));
		return -1;
	}
	if (machine_cpus(p->machine) > NR_CPUS || p->machine->sockets > MAX_NUMNODES) {
		*key = "machine";
		(void)snprintf(why, size, "more than %d logical CPUs or %d sockets", NR_CPUS,
			MAX_NUMNODES);
		return -1;
	}
	return 0;
}

static int check_pageset(const struct point *p, const char **key, char *why, size_t size)
{
	struct boot_parameters boot = {
		.patches = p->patches,
		.pages_per_node =
			(unsigned long)(p->machine->memory / p->machine->sockets) >> PAGE_SHIFT,
		.batch = (int)p->pcp_batch,
		.high = (int)p->pcp_high,
		.percpu_pagelist_fraction = (int)p->percpu_pagelist_fraction,
		.percpu_pagelist_high_fraction = (int)p->percpu_pagelist_high_fraction,
		.nodes = (int)p->machine->sockets,
		.cpus = (int)(p->machine->cores_per_socket * p->machine->threads_per_core),
	};
	int batch, high;
	bool by_zone = p->patches & PATCH_BIT(PATCH_PCP_HIGH_BY_ZONE);

	if (by_zone ? p->percpu_pagelist_fraction : p->percpu_pagelist_high_fraction) {
		*key = by_zone ? "pcp.percpu-pagelist-fraction"
			       : "pcp.percpu-pagelist-high-fraction";
		(void)snprintf(why, size, "no effect on a kernel %s pcp-high-by-zone (v5.14)",
			by_zone ? "with" : "without");
		return -1;
	}
	pageset_size(&boot, &batch, &high);
	if (high >= batch)
		return 0;
	*key = p->pcp_high ? "pcp.high" : "pcp.batch";
	(void)snprintf(why, size,
		"high %d is below batch %d: a drain would take more than there is; raise pcp.high "
		"or lower pcp.batch",
		high, batch);
	return -1;
}

static int check_memory(const struct point *p, const char **key, char *why, size_t size)
{
	double needed = p->workload->memory(p);
	/* nodes are brought up in whole sections */
	double section = PAGES_PER_SECTION * PAGE_SIZE;
	double usable = floor(p->machine->memory / p->machine->sockets / section) * section *
			p->machine->sockets;

	if (needed <= usable)
		return 0;
	*key = "workload";
	(void)snprintf(why, size,
		"%u tasks need %.4g GiB, but %s has %.4g GiB; use fewer tasks or a smaller region",
		p->tasks, needed / (1 << 30), p->machine->name, usable / (1 << 30));
	return -1;
}

static int check_needs(const struct point *p, const char **key, char *why, size_t size)
{
	patch_set missing = p->workload->needs ? p->workload->needs(p) & ~p->patches : 0;

	*key = "workload";
	if (!missing)
		return 0;
	(void)snprintf(why, size, "%s needs patch %s, which this kernel has not", p->workload->name,
		patches[__builtin_ctzll(missing)].name);
	return -1;
}

int point_check(const struct point *p, const char **key, char *why, size_t size)
{
	*key = "patches";
	if (!patch_set_check(p->patches, why, size))
		return -1;
	if (check_needs(p, key, why, size))
		return -1;
	if (check_tasks(p, key, why, size) || check_workload_tasks(p, key, why, size) ||
		check_pageset(p, key, why, size))
		return -1;
	return check_memory(p, key, why, size);
}
