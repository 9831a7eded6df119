/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * workload.h - what runs on the simulated machine. One file per workload, ending in one descriptor.
 */
#ifndef ZONESIM_WORKLOAD_H
#define ZONESIM_WORKLOAD_H

#include <stddef.h>

struct point;
struct task;

enum parameter_unit { PARAMETER_NUMBER, PARAMETER_BYTES, PARAMETER_SECONDS };

/* A parameter a scenario may set: {name: page_fault1, region: 128MiB}. */
struct workload_parameter {
	const char *name;
	enum parameter_unit unit;
	double fallback, min, max; /* base units */
	const char *help;
};

struct workload {
	const char *name, *help;
	const struct workload_parameter *parameters; /* ends with a NULL name; at most 8 */
	/* Bytes of memory that @tasks tasks need at once; point_check compares it with the machine. */
	double (*memory)(const struct point *point);
	/* Body of one task: loops until the measurement is over. */
	void (*task)(struct task *task);
};

extern const struct workload *const workloads[]; /* ends with NULL */
const struct workload *workload_find(const char *name);

#endif
