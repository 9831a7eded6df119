/* SPDX-License-Identifier: GPL-3.0-or-later */
/* fast_forward.c - the warm start. */

#include "fast_forward.h"

#include <limits.h>

#include "workload.h"

/* A turn is one or two yields, at random, so that the order of tasks is not always the same. */
#define YIELDS_PER_TURN 1.5

static void yield(struct cpu *cpu)
{
	engine_yield();
	cpu_resume(cpu);
}

void fast_forward_begin(struct task *task, double rounds)
{
	const struct workload *w = task->point->workload;
	double turns = w->turns_per_round ? (double)w->turns_per_round(task->point) : 0;
	struct cpu *cpu = task->cpu;

	cpu->fast_forward_left = (unsigned long)(rounds * turns * YIELDS_PER_TURN);
	cpu_resume(cpu);
}

void fast_forward_on(struct cpu *cpu)
{
	cpu->fast_forward_left = ULONG_MAX;
	cpu_resume(cpu);
}

void fast_forward_end(struct cpu *cpu)
{
	cpu->fast_forward_left = 0;
	cpu_resume(cpu);
}

bool fast_forward_turn(void)
{
	struct cpu *cpu = this_cpu;

	if (!cpu->fast_forward_left)
		return false;
	for (unsigned long yields = 1 + gsl_rng_uniform_int(cpu->rng, 2);
		yields > 0 && cpu->fast_forward_left > 0; yields--) {
		cpu->fast_forward_left--;
		yield(cpu);
	}
	return cpu->fast_forward_left > 0;
}
