/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * measure.h - watching a run until the score is precise enough.
 *
 * Tasks of a node, which share its locks, fall into step: they fault together and unmap together,
 * so the rate of work swings from nothing to twice its mean. The natural batch is therefore a
 * round: the time in which the node's tasks together do one round of the workload each.
 */
#ifndef ZONESIM_MEASURE_H
#define ZONESIM_MEASURE_H

#include "sim.h"

/*
 * measure_start - prepare to watch @tasks, and start the actor that ends the run at the time limit.
 * Returns 0, or -1 when memory is short.
 */
int measure_start(const struct point *point, struct task *tasks);

/*
 * measure_work - @task has done one more unit of work, at its CPU's clock. Ends the run, by
 * sim_stopping, when the score is as precise as the point asks.
 */
void measure_work(struct task *task);

/* Fill in the metrics, the warm-up and the status after the run. */
void measure_finish(const struct point *point, struct point_result *result);

#endif
