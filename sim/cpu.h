/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * cpu.h - a logical CPU: its clock, which runs ahead of simulated time by the cost of the code it
 * has executed, and the out-of-order window in which cache misses overlap.
 */
#ifndef ZONESIM_CPU_H
#define ZONESIM_CPU_H

#include <stdbool.h>
#include <stdint.h>

#include <gsl/gsl_rng.h>

#include "../models/machine.h"
#include "branch.h"
#include "engine.h"
#include "store_buffer.h"
#include "window.h"

/* What a CPU holds a lock for, if any. */
enum hold { HOLD_NOTHING, HOLD_ZONE_ALLOC, HOLD_ZONE_FREE, HOLD_LRU, HOLD_OTHER, NR_HOLDS };

/*
 * What code waits for beside its instructions; what is left of a hold are these, and fixed cycles
 * such as those of taking the lock.
 */
enum wait_for {
	WAIT_BRANCHES, /* mispredicted: for the operand, and for the pipeline to fill again */
	WAIT_LOADS,  /* that the reorder buffer can not run ahead of, or that find no fill buffer */
	WAIT_STORES, /* to be visible, at a fence */
	WAIT_ATOMICS,
	NR_WAITS
};

enum cpu_state { CPU_IDLE, CPU_RUNNING, CPU_SPINNING, NR_CPU_STATES };

/* Instructions are counted in fixed point: 1/256 of an instruction. */
#define INSTRUCTION_ONE 256u

/* What each access and each block looks at comes first: it fits the host's cache lines. */
struct cpu {
	sim_time clock;	   /* local time, at or ahead of engine_now() */
	uint64_t executed; /* instructions in the clock, fixed point */
	struct branch_predictor predictor;
	struct core_clocks *core_clocks; /* footprint clocks of the core, see line.h */
	struct cpu *sibling;		 /* NULL without SMT */

	unsigned int id, core, socket;
	unsigned int core_tag; /* core + 1, as in struct holder */
	enum cpu_state state;
	enum hold hold;		  /* of a lock, now */
	enum hold next_zone_hold; /* what the next hold of a zone lock is for */
	struct window window;
	struct store_buffer stores;

	uint64_t mispredicts[NR_HOLDS];
	sim_time waited[NR_HOLDS][NR_WAITS];
	struct engine_actor *actor;
	gsl_rng *rng;			 /* its own stream: results must not depend on wake order */
	unsigned long fast_forward_left; /* turns, see fast_forward.h; 0: code is charged */
	struct cpu *next_waiter;	 /* in the queue of a lock or of sleepers */
	bool sleeping;			 /* among the latter, see wait.h */
	sim_time spun[4];		 /* time spent waiting, by lock class */
	sim_time slept;			 /* until woken */
};

/* CPUs that wait for a lock or to be woken, in the order in which they came. All zero: none. */
struct cpu_queue {
	struct cpu *first, *last;
};

static inline void cpu_queue_add(struct cpu_queue *queue, struct cpu *cpu)
{
	cpu->next_waiter = NULL;
	if (queue->last)
		queue->last->next_waiter = cpu;
	else
		queue->first = cpu;
	queue->last = cpu;
}

/* Take the first off; NULL when there is none. */
static inline struct cpu *cpu_queue_take(struct cpu_queue *queue)
{
	struct cpu *cpu = queue->first;

	if (!cpu)
		return NULL;
	queue->first = cpu->next_waiter;
	if (!queue->first)
		queue->last = NULL;
	return cpu;
}

/* What the machine makes of cycles; set once by cpus_init. */
extern struct cpu_costs {
	double ps_per_cycle;
	double ps_per_instruction; /* alone on the core; per whole instruction */
	/* the same per unit of executed, in 1/65536 ps, by what the sibling does */
	uint64_t charge[NR_CPU_STATES];
	double slowdown[NR_CPU_STATES]; /* by what the sibling does */
	double mispredict;		/* cycles to refill the pipeline */
	uint64_t window; /* reorder buffer, fixed point instructions; of a core with one thread */
	unsigned int line_fill_buffers;
	unsigned int store_buffer; /* entries; of a core with one thread */
} cpu_costs;

extern struct cpu *cpus;
extern unsigned int nr_cpus;

/* The CPU whose code is running. */
extern struct cpu *this_cpu;

/* The same while its code is charged; NULL while fast forward. What the hooks look at. */
extern struct cpu *charged_cpu;

/*
 * What instrumented code keeps count of by itself (tools/add-hooks.awk), of the CPU whose code is
 * running: instructions of the blocks entered and not yet in its clock; the block whose conditional
 * branch is under way, 0 for none; when the values loaded in the current block are there.
 */
extern uint64_t block_instructions;
extern uint32_t block_branch;
extern sim_time block_loaded;

/*
 * cpus_init - all CPUs of @machine. @tasks decides the clock: one busy core turbos higher than
 * all. Returns 0, or -1 when memory is short.
 */
int cpus_init(const struct machine *machine, uint64_t seed, unsigned int tasks);

/* Charge what has been executed since the last charge. */
static inline void cpu_settle(struct cpu *cpu);

/*
 * Charge @cycles of code that is not executed, or @time that passes on this CPU. Of the former none
 * while fast forward.
 */
void cpu_charge_cycles(struct cpu *cpu, double cycles);
void cpu_charge_time(struct cpu *cpu, sim_time time);

/* A branch went another way than predicted: wait for its operand and refill the pipeline. */
void cpu_mispredicted(struct cpu *cpu);

/* Wait until all loads have their values and all stores are visible: a full fence. */
void cpu_fence(struct cpu *cpu);

/* @cpu's code goes on after other actors may have run. */
void cpu_resume(struct cpu *cpu);

/* Let simulated time catch up with the CPU's clock. */
void cpu_sync(struct cpu *cpu);

/*
 * The reorder buffer and the store buffer are split in halves while both threads of a core are
 * active, and a thread that spins is (Intel Optimization Manual).
 */
static inline bool cpu_is_split(const struct cpu *cpu)
{
	return cpu->sibling && cpu->sibling->state != CPU_IDLE;
}

/* Instructions that may run past a load that misses. */
static inline uint64_t cpu_window(const struct cpu *cpu)
{
	return cpu_is_split(cpu) ? cpu_costs.window / 2 : cpu_costs.window;
}

/* Stores that may wait to become visible. */
static inline unsigned int cpu_store_buffer(const struct cpu *cpu)
{
	return cpu_is_split(cpu) ? cpu_costs.store_buffer / 2 : cpu_costs.store_buffer;
}

/* Whether anything is on its way that an access may have to wait for. */
static inline bool cpu_waits(const struct cpu *cpu)
{
	return cpu->window.nr || cpu->stores.nr;
}

static inline sim_time seconds_to_ps(double seconds)
{
	return (sim_time)(seconds * 1e12 + 0.5);
}

static inline enum cpu_state cpu_sibling_state(const struct cpu *cpu)
{
	return cpu->sibling ? cpu->sibling->state : CPU_IDLE;
}

/* The CPU's code waits until @time, unless it is there already. */
static inline void cpu_wait_until(struct cpu *cpu, sim_time time, enum wait_for what)
{
	if (time <= cpu->clock)
		return;
	cpu->waited[cpu->hold][what] += time - cpu->clock;
	cpu->clock = time;
}

static inline void cpu_settle(struct cpu *cpu)
{
	if (cpu != charged_cpu || !block_instructions)
		return;
	uint64_t instructions = block_instructions * INSTRUCTION_ONE;

	block_instructions = 0;
	/* that was in another block */
	block_loaded = 0;
	cpu->clock += (sim_time)(instructions * cpu_costs.charge[cpu_sibling_state(cpu)] >> 16);
	cpu->executed += instructions;
}

#endif
