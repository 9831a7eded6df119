/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * lock.h - the queued spinlock: first come, first served, with the cost of handing over.
 *
 * Waiters are parked actors whose CPUs count as spinning. Interrupts and migration do not exist
 * here, so a holder is never taken off its CPU.
 */
#ifndef ZONESIM_LOCK_H
#define ZONESIM_LOCK_H

#include "../alloc/mm.h"
#include "../models/coefficients.h"
#include "cpu.h"

/* Classes whose waiting is told apart in the scores. */
enum lock_class { LOCK_ZONE, LOCK_LRU, LOCK_PCP, LOCK_OTHER, NR_LOCK_CLASSES };

/* Times of one kind: how many, how long. Buckets double: [2^i, 2^(i+1)) nanoseconds. */
#define LOCK_HISTOGRAM_BUCKETS 32
struct lock_times {
	uint64_t count;
	sim_time total, min, max;
	uint64_t buckets[LOCK_HISTOGRAM_BUCKETS];
};

struct lock {
	const char *name; /* of the class, static */
	int node;
	enum lock_class class;
	uintptr_t word; /* address of the lock word */
	struct cpu *owner;
	struct cpu_queue waiters;
	int last_owner; /* CPU, -1: none yet */
	sim_time held_since;
	sim_time released; /* when it was last, by the clock of the CPU that did */

	/* as lock_stat counts them: a bounce is an event on another CPU than the one before */
	uint64_t acquisitions, acquisition_bounces, contentions, contention_bounces;
	struct lock_times wait; /* per waiter */
	struct lock_times hold[NR_HOLDS];
	sim_time handed_over[NR_HOLDS]; /* time it took to get there, after another's release */
};

/* Those of zones, LRU lists and pagesets, and one for each of a workload's tasks. */
#define MAX_LOCKS (MAX_NUMNODES * (2 + NR_CPUS) + NR_CPUS)
extern struct lock locks[MAX_LOCKS];
extern unsigned int nr_locks;

/*
 * Forget all locks and learn the machine's PAUSE. Call before any lock is created.
 */
void locks_init(const struct machine *machine, const struct coefficients *coefficients);

/* A new lock with its word at @word. Returns its number; more than MAX_LOCKS are a fault of the
 * caller. */
unsigned int lock_create(const char *name, int node, uintptr_t word);

/*
 * @this_cpu takes or releases a lock. Taking one that the CPU has already, or releasing one that
 * it has not, ends the simulation: the code under test is broken.
 */
void lock_acquire(struct lock *lock);
void lock_release(struct lock *lock);

/* What @cpu holds or would hold @lock for. */
enum hold lock_hold_of(const struct lock *lock, const struct cpu *cpu);

/* Take the lock if no one has it; false when someone has. */
bool lock_try_acquire(struct lock *lock);

/*
 * The same without any charge, for code that is not charged. Only locks of pagesets have owners
 * then: all others are let go before another CPU's code runs.
 */
void lock_acquire_uncharged(struct lock *lock);
bool lock_try_acquire_uncharged(struct lock *lock);
void lock_release_uncharged(struct lock *lock);

/*
 * Time from the unlock to the first instruction of the next owner: six transfers between the two
 * CPUs, and on average half a PAUSE until the waiter looks. See HAND_OVER_TRANSFERS in lock.c.
 */
sim_time lock_hand_over(const struct cpu *from, const struct cpu *to, double pause_phase);

#endif
