/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * replication.h - the same start again and again.
 *
 * Tasks that start together fall out of step, and while they do their rate drifts by one to
 * three percent a round. Two variants are comparable only if the same rounds of both are measured,
 * and rounds that follow each other do not repeat one experiment. So each round that is measured is
 * the first after a start: when all nodes have done it, tasks finish what they are at, uncharged,
 * and are started together as at first. That makes rounds independent replications of one another;
 * how many there are decides how precise the mean is, not what it is the mean of.
 */
#ifndef ZONESIM_REPLICATION_H
#define ZONESIM_REPLICATION_H

#include "sim.h"

/* replication_start - called by each task's actor as its first act: a warm start, fast_forward.h.
 */
void replication_start(struct task *task);

/* replication_next - called between two steps of @task: start again if the replication is over. */
void replication_next(struct task *task);

#endif
