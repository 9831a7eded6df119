/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * wait.h - tasks that sleep until another wakes them: queues, barriers, times.
 *
 * A sleeper's CPU is idle, so that its sibling has the core to itself. Going to sleep and coming
 * back each cost a pass through the scheduler, waking the way to the other CPU's run queue, and an
 * idle CPU takes a while to wake. While fast forward all that is free, but turns are taken.
 *
 * Whoever sleeps looks at its condition and calls this with nothing between at which another task
 * could run. When the run ends, all sleepers are woken; a sleep that returns false has not got what
 * it waited for.
 */
#ifndef ZONESIM_WAIT_H
#define ZONESIM_WAIT_H

#include "cpu.h"

/* Sleepers in the order in which they came. All zero: none. */
struct wait_queue {
	struct cpu_queue cpus;
	unsigned int sleepers;
};

/* Let @this_cpu's task sleep in @queue until it is woken; false when the run is over. */
bool wait_sleep(struct wait_queue *queue);

/* Wake the first sleeper, or all that sleep now. Returns how many were taken off the queue. */
unsigned int wait_wake(struct wait_queue *queue);
unsigned int wait_wake_all(struct wait_queue *queue);

/* Sleep until @time has passed on a timer. Free of cost but for the time; false as above. */
bool wait_time(sim_time time);

/* Tasks that go on when all of them have come. All zero: no one has come. */
struct barrier {
	unsigned int arrived;
	struct wait_queue queue;
};

/* The last of @tasks to come wakes the others, and tells so by @last. False as above. */
bool barrier_wait(struct barrier *barrier, unsigned int tasks, bool *last);

/* The run is over, by sim_stopping: wake whoever sleeps, anywhere. */
void wait_end(void);

/* How many sleep. When all tasks do, no one is left to wake them. */
unsigned int wait_sleepers(void);

#endif
