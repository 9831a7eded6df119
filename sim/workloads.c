/* SPDX-License-Identifier: GPL-3.0-or-later */
/* workloads.c - the list of workloads, which is that of the build: ZONESIM_WORKLOADS(W). */

#include <string.h>

#include "workload.h"

#define DECLARE(name) extern const struct workload workload_##name;
#define ADDRESS(name) &workload_##name,

ZONESIM_WORKLOADS(DECLARE)

const struct workload *const workloads[] = {ZONESIM_WORKLOADS(ADDRESS) NULL};

const struct workload *workload_find(const char *name)
{
	for (size_t i = 0; workloads[i]; i++)
		if (!strcmp(workloads[i]->name, name))
			return workloads[i];
	return NULL;
}
