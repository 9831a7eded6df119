/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * workload.h - what runs on the simulated machine. One file per workload, ending in one descriptor.
 */
#ifndef ZONESIM_WORKLOAD_H
#define ZONESIM_WORKLOAD_H

#include <stdbool.h>
#include <stddef.h>

#include "../alloc/kernel.h"
#include "series.h"

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
 * A metric of the workload's own: how much of @top there is to one of @bottom; by SERIES_TIME, how
 * much a second, everywhere together.
 */
struct workload_metric {
	const char *name, *unit, *help;
	enum series top, bottom;
	double scale; /* from base units to @unit */
	bool decides; /* the run goes on until this, too, is as precise as the point asks */
};

/*
 * A task's work is cut into rounds, which repeat, and a round into steps of some microseconds. The
 * cut has no effect on a result: it is where a task looks whether the run is over.
 */
struct workload {
	const char *name, *help;
	const struct workload_parameter *parameters; /* ends with a NULL name; at most 8 */
	const char *rate, *rate_help;		     /* the score's unit, "pages/s", and meaning */
	const struct workload_metric *metrics;	     /* ends with a NULL name; may be NULL */
	unsigned int min_tasks;			     /* 0: one will do */
	unsigned int task_group; /* tasks come in groups of so many, pairs say; 0: any number */
	/*
	 * Tasks of different nodes wait for each other, so that all are measured as one. Without
	 * it, nodes are measured apart, and those with equally many tasks are taken as repetitions
	 * of one experiment.
	 */
	bool coupled;
	/* Bytes of memory that all tasks need at once; point_check compares it with the machine. */
	double (*memory)(const struct point *point);
	/* Patches without which it can not run; NULL: none. */
	patch_set (*needs)(const struct point *point);
	/*
	 * The CPU of task @id, for each another; NULL: CPU @id. The clock is what so many busy
	 * cores have when they fill one socket after the other.
	 */
	unsigned int (*cpu_of_task)(const struct point *point, unsigned int id);
	/*
	 * Set @task up; task->private is the workload's. Called node by node. Returns 0, or -1 when
	 * memory is short.
	 */
	int (*init)(struct task *task);
	/* Do the next step, telling measure_work of the work that it achieves. */
	void (*step)(struct task *task);
	/* Units of work that a round counts, on average over the tasks that are measured together.
	 */
	unsigned long (*work_per_round)(const struct point *point);
	/*
	 * About how many turns a round takes, at locks and in waiting: the length of the fast
	 * forward, which fast_forward_end can cut short. NULL: none, free lists are left as at
	 * boot.
	 */
	unsigned long (*turns_per_round)(const struct point *point);
	/*
	 * Whether @task is between two rounds. Set where tasks that start together fall out of
	 * step: then the start is repeated for each round that is measured, see replication.h.
	 * NULL: one start, and rounds that follow each other.
	 */
	bool (*between_rounds)(const struct task *task);
	/* Tasks start anywhere in their rounds, on free lists that many rounds have mixed. */
	bool spread;
};

extern const struct workload *const workloads[]; /* ends with NULL */
const struct workload *workload_find(const char *name);

#endif
