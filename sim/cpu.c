/* SPDX-License-Identifier: GPL-3.0-or-later */
/* cpu.c - clocks of logical CPUs. */

#include "cpu.h"

#include <stdlib.h>

#include "functions.h"
#include "platform.h"

struct cpu_costs cpu_costs;
struct cpu *cpus;
unsigned int nr_cpus;
struct cpu *this_cpu;
struct cpu *charged_cpu;
uint64_t block_instructions;
uint32_t block_branch;
sim_time block_loaded;

/* A spin loop is a PAUSE, a load, a compare and a branch; PAUSE itself issues about four micro-ops.
 */
#define SPIN_MICRO_OPS 7.0
#define SPIN_OTHER_CYCLES 2.0
#define ISSUE_WIDTH 4.0 /* micro-ops per cycle that a core can rename, both threads together */

/*
 * From the wrong branch's execution to the right path's first micro-op: 15 to 20 cycles on Intel
 * cores from Haswell to Ice Lake, as measured in Agner Fog's microarchitecture manual.
 */
#define MISPREDICT_CYCLES 17

/*
 * The clock with @busy cores: turbo falls about linearly from one busy core to all of them.
 * Intel's turbo tables are stepped, but close to a line.
 */
static double turbo_clock(const struct machine *m, unsigned int busy)
{
	unsigned int cores = (unsigned int)m->cores_per_socket;

	if (busy >= cores || cores < 2)
		return m->clock;
	return m->max_clock - (m->max_clock - m->clock) * (busy - 1) / (cores - 1);
}

/*
 * Two busy siblings together do smt_throughput of what one does alone, so each takes
 * 2 / smt_throughput times as long. A sibling that spins takes issue slots in proportion to the
 * micro-ops it issues per cycle: few when PAUSE is long. It takes nothing else, since its loop
 * hits the L1; that it keeps its half of the reorder buffer is cpu_window's business.
 */
static void init_slowdown(const struct machine *m)
{
	double running = 2 / m->smt_throughput - 1;
	double spin_rate = SPIN_MICRO_OPS / (m->pause + SPIN_OTHER_CYCLES);
	double share = spin_rate / ISSUE_WIDTH;

	cpu_costs.slowdown[CPU_IDLE] = 1;
	cpu_costs.slowdown[CPU_RUNNING] = 1 + running;
	cpu_costs.slowdown[CPU_SPINNING] = 1 + running * (share < 1 ? share : 1);
	for (int state = 0; state < NR_CPU_STATES; state++)
		cpu_costs.charge[state] = (uint64_t)(65536 * cpu_costs.ps_per_instruction /
						     INSTRUCTION_ONE * cpu_costs.slowdown[state]);
}

static void init_costs(const struct machine *m, unsigned int tasks)
{
	/* tasks fill one socket after the other, so the first is the busiest */
	cpu_costs.ps_per_cycle = 1e12 / turbo_clock(m, tasks);
	cpu_costs.ps_per_instruction = cpu_costs.ps_per_cycle * m->cpi;
	cpu_costs.mispredict = MISPREDICT_CYCLES;
	cpu_costs.window = (uint64_t)m->reorder_buffer * INSTRUCTION_ONE;
	cpu_costs.line_fill_buffers = (unsigned int)m->line_fill_buffers;
	if (cpu_costs.line_fill_buffers > MAX_IN_FLIGHT)
		cpu_costs.line_fill_buffers = MAX_IN_FLIGHT;
	cpu_costs.store_buffer = (unsigned int)m->store_buffer;
	if (cpu_costs.store_buffer > MAX_STORES)
		cpu_costs.store_buffer = MAX_STORES;
	init_slowdown(m);
}

int cpus_init(const struct machine *machine, uint64_t seed, unsigned int tasks)
{
	unsigned int cores = machine_cores(machine);

	nr_cpus = machine_cpus(machine);
	cpus = calloc(nr_cpus, sizeof(*cpus));
	if (!cpus)
		return -1;
	init_costs(machine, tasks);
	for (unsigned int i = 0; i < nr_cpus; i++) {
		struct cpu *cpu = &cpus[i];

		cpu->id = i;
		cpu->core = machine_core_of(machine, i);
		cpu->socket = machine_socket_of(machine, i);
		if (machine->threads_per_core > 1)
			cpu->sibling = &cpus[i < cores ? i + cores : i - cores];
		cpu->stores.parallel = (unsigned int)machine->store_misses;
		cpu->rng = gsl_rng_alloc(gsl_rng_taus2);
		cpu->predictor.tables = i < cores ? calloc(1, sizeof(struct branch_tables))
						  : cpus[i - cores].predictor.tables;
		if (!cpu->rng || !cpu->predictor.tables)
			return -1;
		gsl_rng_set(cpu->rng, (unsigned long)(seed * 1000003 + i + 1));
	}
	return 0;
}

void cpu_charge_cycles(struct cpu *cpu, double cycles)
{
	if (cpu->fast_forward_left)
		return;
	cpu->clock += (sim_time)(cycles * cpu_costs.ps_per_cycle *
					 cpu_costs.slowdown[cpu_sibling_state(cpu)] +
				 0.5);
}

void cpu_charge_time(struct cpu *cpu, sim_time time)
{
	cpu->clock += time;
}

void cpu_mispredicted(struct cpu *cpu)
{
	cpu_settle(cpu);
	cpu_wait_until(cpu, block_loaded, WAIT_BRANCHES);
	sim_time since = cpu->clock;

	cpu_charge_cycles(cpu, cpu_costs.mispredict);
	cpu->waited[cpu->hold][WAIT_BRANCHES] += cpu->clock - since;
	cpu->mispredicts[cpu->hold]++;
}

void cpu_fence(struct cpu *cpu)
{
	const struct window *w = &cpu->window;

	cpu_settle(cpu);
	for (unsigned int i = 0; i < w->nr; i++)
		if (w->in_flight[i].issued != HOLDS_UP_NOTHING)
			cpu_wait_until(cpu, w->in_flight[i].complete, WAIT_LOADS);
	cpu_wait_until(cpu, cpu->stores.drained, WAIT_STORES);
	stores_forget(&cpu->stores, cpu->clock);
	/* what is left are prefetches that no one has waited for yet */
	window_forget(&cpu->window, cpu->clock);
}

void cpu_resume(struct cpu *cpu)
{
	if (__builtin_expect(functions_on, false))
		functions_forget();
	this_cpu = cpu;
	charged_cpu = cpu->fast_forward_left ? NULL : cpu;
	block_instructions = 0;
	block_branch = 0;
	block_loaded = 0;
}

void cpu_sync(struct cpu *cpu)
{
	uint32_t branch = block_branch;

	cpu_settle(cpu);
	if (__builtin_expect(functions_on, false))
		functions_take(cpu);
	engine_advance(cpu->clock - engine_now());
	cpu_resume(cpu);
	/* an atomic comes here before the branch that it decides */
	block_branch = branch;
}
