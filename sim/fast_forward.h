/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * fast_forward.h - a warm start. Memory as it comes from boot is in perfect order, so tasks first
 * run with nothing charged: the allocator executes, locks are free, and simulated time stands
 * still.
 *
 * Tasks take turns at every lock, as they would for real; thus batches of different CPUs
 * interleave.
 */
#ifndef ZONESIM_FAST_FORWARD_H
#define ZONESIM_FAST_FORWARD_H

#include "sim.h"

/*
 * fast_forward_begin - called by each task's actor at a start: run uncharged for about @rounds
 * rounds.
 */
void fast_forward_begin(struct task *task, double rounds);

/* The code of @cpu, which runs, is not charged until fast_forward_begin or fast_forward_end. */
void fast_forward_on(struct cpu *cpu);

/* @cpu, whose code is running, has done all that it has to before it is charged. */
void fast_forward_end(struct cpu *cpu);

/* Take a turn at a lock; true while @this_cpu is still fast forward. */
bool fast_forward_turn(void);

#endif
