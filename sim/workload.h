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

/*
 * A task's work is cut into rounds, which repeat, and a round into steps of some microseconds. The
 * cut has no effect on a result: it is where a task looks whether the run is over.
 */
struct workload {
	const char *name, *help;
	const struct workload_parameter *parameters; /* ends with a NULL name; at most 8 */
	/* Bytes of memory that all tasks need at once; point_check compares it with the machine. */
	double (*memory)(const struct point *point);
	/* Set @task up; task->private is the workload's. Returns 0, or -1 when memory is short. */
	int (*init)(struct task *task);
	/* Do the next step, telling measure_work of each unit that it achieves. */
	void (*step)(struct task *task);
	/* Units of work that a round counts, and about how many locks it takes. */
	unsigned long (*work_per_round)(const struct point *point);
	unsigned long (*locks_per_round)(const struct point *point);
};

extern const struct workload *const workloads[]; /* ends with NULL */
const struct workload *workload_find(const char *name);

#endif
