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

#include "../models/instructions.h"
#include "../models/machine.h"
#include "engine.h"

enum cpu_state { CPU_IDLE, CPU_RUNNING, CPU_SPINNING };

/* Instructions are counted in fixed point: 1/256 of an instruction. */
#define INSTRUCTION_ONE 256u

/* A line on its way to the core, or a load whose value is still to come. */
struct in_flight {
	uintptr_t line;	   /* address / 64 */
	uintptr_t pointer; /* line that the loaded value points to: accesses to it depend on it */
	sim_time complete;
	uint64_t issued; /* instruction count at issue; UINT64_MAX: holds up nothing */
};

#define MAX_IN_FLIGHT 16

struct cpu {
	unsigned int id, core, socket;
	struct cpu *sibling; /* NULL without SMT */
	enum cpu_state state;
	struct engine_actor *actor;
	gsl_rng *rng; /* its own stream: results must not depend on wake order */

	sim_time clock;		 /* local time, at or ahead of engine_now() */
	uint64_t uncharged;	 /* instructions executed and not yet in the clock, fixed point */
	uint64_t executed;	 /* instructions in the clock, fixed point */
	sim_time stores_drained; /* when the store buffer will be empty */
	struct in_flight in_flight[MAX_IN_FLIGHT];
	unsigned int nr_in_flight;

	struct cpu *next_waiter; /* in a lock's queue */
	int lock_purpose;	 /* what the next hold of a zone lock is for, see lock.h */
	sim_time spun[4];	 /* time spent waiting, by lock class */
};

/* What the machine makes of cycles; set once by cpus_init. */
extern struct cpu_costs {
	double ps_per_cycle;
	double ps_per_instruction; /* alone on the core; per whole instruction */
	uint32_t access, call, block; /* fixed point instructions per hook */
	double slowdown_running, slowdown_spinning; /* by what the sibling does */
	uint64_t window; /* reorder buffer, fixed point instructions */
	unsigned int line_fill_buffers;
} cpu_costs;

extern struct cpu *cpus;
extern unsigned int nr_cpus;

/* The CPU whose code is running; NULL while the allocator runs unmeasured. */
extern struct cpu *this_cpu;

/*
 * cpus_init - all CPUs of @machine. @active_cores decides the clock: one busy core turbos higher
 * than all. Returns 0, or -1 when memory is short.
 */
int cpus_init(const struct machine *machine, const struct instruction_costs *costs, uint64_t seed,
	unsigned int tasks);

/* Charge what has been executed since the last charge. */
void cpu_settle(struct cpu *cpu);

/* Charge @instructions that are not executed, @cycles, or @time that passes on this CPU. */
void cpu_charge_instructions(struct cpu *cpu, double instructions);
void cpu_charge_cycles(struct cpu *cpu, double cycles);
void cpu_charge_time(struct cpu *cpu, sim_time time);

/* Wait until all loads have their values and all stores are visible: a full fence. */
void cpu_fence(struct cpu *cpu);

/* Let simulated time catch up with the CPU's clock. */
void cpu_sync(struct cpu *cpu);

static inline sim_time seconds_to_ps(double seconds)
{
	return (sim_time)(seconds * 1e12 + 0.5);
}

#endif
