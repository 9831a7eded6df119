/* SPDX-License-Identifier: GPL-3.0-or-later */
/* prepare.c - the warm start. */

#include "prepare.h"

#include <stdlib.h>

#include <gsl/gsl_randist.h>

#include "memory.h"
#include "workload.h"

/* What the preparation left in a CPU that time would have taken out. */
static void settle_cpu(struct cpu *cpu)
{
	cpu->clock = 0;
	cpu->uncharged = 0;
	cpu->executed = 0;
	cpu->stores_drained = 0;
	cpu->nr_in_flight = 0;
}

static void step_once(struct task *task)
{
	this_cpu = task->cpu;
	task->point->workload->step(task);
	settle_cpu(task->cpu);
}

void prepare_tasks(const struct point *point, struct task *tasks)
{
	unsigned long round = point->workload->steps_per_round(point);
	unsigned int *order = calloc(point->tasks, sizeof(*order));
	unsigned long *steps = calloc(point->tasks, sizeof(*steps));
	gsl_rng *rng = gsl_rng_alloc(gsl_rng_taus2);

	if (!order || !steps || !rng) {
		sim_fail("the host is out of memory");
		goto out;
	}
	gsl_rng_set(rng, (unsigned long)point->seed);
	for (unsigned int i = 0; i < point->tasks; i++)
		order[i] = i;
	gsl_ran_shuffle(rng, order, point->tasks, sizeof(*order));
	for (unsigned int i = 0; i < point->tasks; i++)
		steps[order[i]] = (unsigned long)(((double)i + gsl_rng_uniform(rng)) /
						  point->tasks * (double)round);
	sim_preparing = true;
	/* those with more to do start sooner, so that in the end all are at work together */
	for (unsigned long left = round; left > 0 && !sim_stopping; left--) {
		gsl_ran_shuffle(rng, order, point->tasks, sizeof(*order));
		for (unsigned int i = 0; i < point->tasks; i++)
			if (steps[order[i]] >= left)
				step_once(&tasks[order[i]]);
	}
	sim_preparing = false;
	this_cpu = NULL;
	for (unsigned int i = 0; i < point->tasks; i++)
		tasks[i].work = tasks[i].rounds = 0;
out:
	gsl_rng_free(rng);
	free(steps);
	free(order);
}
