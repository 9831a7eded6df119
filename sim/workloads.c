/* SPDX-License-Identifier: GPL-3.0-or-later */
/* workloads.c - the list of workloads. */

#include <string.h>

#include "workload.h"

extern const struct workload workload_page_fault1;

const struct workload *const workloads[] = {&workload_page_fault1, NULL};

const struct workload *workload_find(const char *name)
{
	for (size_t i = 0; workloads[i]; i++)
		if (!strcmp(workloads[i]->name, name))
			return workloads[i];
	return NULL;
}
