/* SPDX-License-Identifier: GPL-3.0-or-later */
/* replication.c - starting again. */

#include "replication.h"

#include "fast_forward.h"
#include "measure.h"
#include "wait.h"
#include "workload.h"

/* Rounds that run uncharged first: enough to take the free lists out of their pristine order. */
#define FAST_FORWARD_ROUNDS 1

/*
 * The same for tasks that start out of step. Free lists and the LRU list go on changing slowly, and
 * where lines are cached has yet to settle in rounds that are charged.
 */
#define SPREAD_ROUNDS 16

static struct barrier all_tasks;

/*
 * All come here before the first goes on: code that is not charged takes no locks, and must not
 * meet a task that is in the middle of a hold.
 */
static bool come_together(struct task *task)
{
	bool last;

	cpu_fence(task->cpu);
	cpu_sync(task->cpu);
	fast_forward_on(task->cpu);
	return barrier_wait(&all_tasks, task->point->tasks, &last);
}

void replication_start(struct task *task)
{
	double rounds = FAST_FORWARD_ROUNDS;

	if (task->point->workload->spread)
		rounds = SPREAD_ROUNDS + gsl_rng_uniform(task->cpu->rng);
	fast_forward_begin(task, rounds);
}

void replication_next(struct task *task)
{
	const struct workload *w = task->point->workload;

	if (task->replications == measure_replications() || !come_together(task))
		return;
	task->replications++;
	measure_begin_replication(task->replications);
	while (!w->between_rounds(task) && !sim_stopping)
		w->step(task);
	fast_forward_begin(task, FAST_FORWARD_ROUNDS);
}
