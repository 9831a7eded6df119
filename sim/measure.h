/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * measure.h - watching a run until the score is precise enough, and what else decides.
 *
 * Tasks of a node, which share its locks, fault together and unmap together while they are in step,
 * so that the rate of work swings from nothing to twice its mean. The natural batch is therefore a
 * round: the time in which the node's tasks together do one round of the workload each. A coupled
 * workload is measured as if all its tasks were of one node.
 *
 * Tasks that only the kernel's locks couple fall out of step as they go, and their rate drifts.
 * Their rounds are replications, see replication.h: one of each node is measured after each start.
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
 * measure_work - @task has done @units more of work, at its CPU's clock. Ends the run, by
 * sim_stopping, when the score is as precise as the point asks. While fast forward nothing counts.
 */
void measure_work(struct task *task, unsigned long units);

/* How many replications are over, all nodes having done their round. 0 where there are none. */
unsigned int measure_replications(void);

/*
 * Replication @replication, of which the first is 0, begins: what is done in a quarter of a round
 * is not measured. Each task may call it, the first one counts.
 */
void measure_begin_replication(unsigned int replication);

/* Add @amount to the workload's own series SERIES_WORKLOAD + @count. Likewise. */
void measure_count(const struct task *task, unsigned int count, double amount);

/* Fill in the metrics, the warm-up and the status after the run. */
void measure_finish(const struct point *point, struct point_result *result);

#endif
