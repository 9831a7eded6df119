/* SPDX-License-Identifier: GPL-3.0-or-later */
/* lock.c - the queued spinlock. */

#include "lock.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "c2c.h"
#include "memory.h"
#include "sim.h"
#include "timeline.h"

/*
 * Cycles of an uncontended pair beyond the atomic itself: the call, the preemption count, the
 * return. A published micro-benchmark has 33 for lock and unlock, of which the atomic is 18 to 20.
 */
#define LOCK_CYCLES 7
#define UNLOCK_CYCLES 7

struct lock locks[MAX_LOCKS];
unsigned int nr_locks;
static double hand_over_transfers, pause_cycles;

void locks_init(const struct machine *machine, const struct coefficients *coefficients)
{
	hand_over_transfers = coefficients->hand_over;
	pause_cycles = machine->pause;
	nr_locks = 0;
}

static enum lock_class class_of(const char *name)
{
	if (!strcmp(name, "zone->lock"))
		return LOCK_ZONE;
	if (!strcmp(name, "pcp->lock"))
		return LOCK_PCP;
	return strcmp(name, "lru_lock") ? LOCK_OTHER : LOCK_LRU;
}

unsigned int lock_create(const char *name, int node, uintptr_t word)
{
	if (nr_locks == MAX_LOCKS)
		sim_broken("more than %d locks", MAX_LOCKS);
	locks[nr_locks] = (struct lock){.name = name,
		.node = node,
		.class = class_of(name),
		.word = word,
		.last_owner = -1};
	return nr_locks++;
}

/* ---- statistics ---- */

static unsigned int bucket_of(sim_time time)
{
	uint64_t ns = (uint64_t)time / 1000;
	unsigned int bucket = ns ? 63u - (unsigned int)__builtin_clzll(ns) : 0;

	return bucket < LOCK_HISTOGRAM_BUCKETS ? bucket : LOCK_HISTOGRAM_BUCKETS - 1;
}

static void times_add(struct lock_times *t, sim_time time)
{
	if (!t->count || time < t->min)
		t->min = time;
	if (time > t->max)
		t->max = time;
	t->count++;
	t->total += time;
	t->buckets[bucket_of(time)]++;
}

/* ---- hand-over ---- */

sim_time lock_hand_over(const struct cpu *from, const struct cpu *to, double pause_phase)
{
	return (sim_time)(hand_over_transfers * (double)memory_transfer(from, to) +
			  pause_phase * pause_cycles * cpu_costs.ps_per_cycle);
}

enum hold lock_hold_of(const struct lock *lock, const struct cpu *cpu)
{
	if (lock->class == LOCK_ZONE)
		return cpu->next_zone_hold;
	return lock->class == LOCK_LRU ? HOLD_LRU : HOLD_OTHER;
}

/* Wait in the queue until the lock is handed over. */
static void wait_for(struct lock *lock, struct cpu *cpu)
{
	sim_time since = cpu->clock;
	const struct cpu *from = lock->owner;

	lock->contentions++;
	lock->contention_bounces += from->id != cpu->id;
	cpu_queue_add(&lock->waiters, cpu);
	cpu->state = CPU_SPINNING;
	do {
		engine_park();
		cpu_resume(cpu);
	} while (lock->owner != cpu);
	cpu->state = CPU_RUNNING;
	sim_time hand_over =
		lock_hand_over(&cpus[lock->last_owner], cpu, gsl_rng_uniform(cpu->rng));

	cpu->clock = engine_now() + hand_over;
	lock->handed_over[lock_hold_of(lock, cpu)] += hand_over;
	if (__builtin_expect(c2c_on, false))
		c2c_add(lock_hold_of(lock, cpu), lock->word, C2C_HAND_OVER, hand_over);
	memory_take_line(cpu, lock->word);
	times_add(&lock->wait, cpu->clock - since);
	cpu->spun[lock->class] += cpu->clock - since;
	if (__builtin_expect(timeline_on, false))
		timeline_waited(lock, cpu, since);
}

/*
 * The lock of a pageset, which is its CPU's but for rare visitors, is like its line: as long as no
 * one else has come, taking it is seen by no one, and simulated time need not have come this far.
 */
static bool is_private(const struct lock *lock, const struct cpu *cpu)
{
	return lock->class == LOCK_PCP && lock->last_owner == (int)cpu->id && !lock->owner;
}

static void begin_hold(struct lock *lock, struct cpu *cpu)
{
	lock->acquisitions++;
	lock->acquisition_bounces += lock->last_owner != (int)cpu->id;
	lock->held_since = cpu->clock;
	/* a pageset's is held around those of zones, which are told apart */
	if (lock->class != LOCK_PCP)
		cpu->hold = lock_hold_of(lock, cpu);
}

/* No one has the lock: it is @cpu's. */
static void take_free(struct lock *lock, struct cpu *cpu)
{
	lock->owner = cpu;
	/* by a clock that runs ahead of simulated time it may not be free yet */
	if (lock->released > cpu->clock)
		cpu->clock = lock->released;
	memory_access(lock->word, 4, ACCESS_ATOMIC);
	begin_hold(lock, cpu);
}

void lock_acquire(struct lock *lock)
{
	struct cpu *cpu = this_cpu;

	cpu_charge_cycles(cpu, LOCK_CYCLES);
	cpu_fence(cpu);
	if (!is_private(lock, cpu))
		cpu_sync(cpu);
	if (lock->owner == cpu)
		sim_broken("CPU %u takes %s of node %d, which it has already", cpu->id, lock->name,
			lock->node);
	if (!lock->owner) {
		take_free(lock, cpu);
		return;
	}
	wait_for(lock, cpu);
	begin_hold(lock, cpu);
}

bool lock_try_acquire(struct lock *lock)
{
	struct cpu *cpu = this_cpu;

	cpu_charge_cycles(cpu, LOCK_CYCLES);
	cpu_fence(cpu);
	if (!is_private(lock, cpu))
		cpu_sync(cpu);
	if (lock->owner) {
		memory_access(lock->word, 4, ACCESS_READ);
		return false;
	}
	take_free(lock, cpu);
	return true;
}

void lock_release(struct lock *lock)
{
	struct cpu *cpu = this_cpu;
	enum hold hold = lock->class == LOCK_PCP ? HOLD_OTHER : cpu->hold;

	if (lock->owner != cpu)
		sim_broken("CPU %u releases %s of node %d, which it has not", cpu->id, lock->name,
			lock->node);
	if (lock->class != LOCK_PCP || lock->waiters.first) {
		cpu_fence(cpu);
		cpu_sync(cpu);
	} else {
		cpu_settle(cpu);
	}
	times_add(&lock->hold[hold], cpu->clock - lock->held_since);
	if (__builtin_expect(timeline_on, false))
		timeline_held(lock, cpu, hold);
	if (lock->class != LOCK_PCP)
		cpu->hold = HOLD_NOTHING;
	lock->last_owner = (int)cpu->id;
	lock->released = cpu->clock;
	lock->owner = cpu_queue_take(&lock->waiters);
	if (lock->owner)
		engine_unpark(lock->owner->actor);
	cpu_resume(cpu);
	cpu_charge_cycles(cpu, UNLOCK_CYCLES);
}

/* ---- uncharged ---- */

void lock_acquire_uncharged(struct lock *lock)
{
	struct cpu *cpu = this_cpu;

	while (!lock_try_acquire_uncharged(lock)) {
		engine_yield();
		cpu_resume(cpu);
	}
}

bool lock_try_acquire_uncharged(struct lock *lock)
{
	if (lock->owner)
		return false;
	lock->owner = this_cpu;
	lock->held_since = this_cpu->clock;
	return true;
}

void lock_release_uncharged(struct lock *lock)
{
	lock->last_owner = (int)this_cpu->id;
	lock->owner = NULL;
}
