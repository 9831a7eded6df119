// SPDX-License-Identifier: GPL-3.0-or-later
/* round_machine.c - a machine whose figures are easy to reckon with. */

#include "round_machine.h"

void start_round_machine(bool inclusive)
{
	load_machine("skylake-2s");
	machine.clock = machine.max_clock = 1e12 / CYCLE;
	machine.cpi = 1;
	machine.smt_throughput = 2; /* siblings do not slow each other down */
	machine.reorder_buffer = 100;
	machine.line_fill_buffers = 10;
	machine.store_buffer = 16;
	machine.store_misses = 1;
	machine.atomic = 18;
	machine.l1d_size = L1_PAGES * 4096;
	machine.l2_size = L2_PAGES * 4096;
	machine.llc_size = LLC_PAGES * 4096;
	machine.llc_inclusive = inclusive;
	machine.l2_latency = 12;
	machine.llc_latency = 20e-9;
	machine.dram_local = 80e-9;
	machine.dram_remote = 130e-9;
	machine.dirty_sibling = 8e-9;
	machine.dirty_same_socket = 50e-9;
	machine.dirty_other_socket = 140e-9;
	machine.clear_page_hot = 30e-9;
	machine.clear_page_cold = 400e-9;
	machine.mixed_bandwidth = 75e9;
	start_machine(112);
}

void issue(unsigned int cpu, uintptr_t address, enum access access)
{
	this_cpu = &cpus[cpu];
	memory_access(address, 8, access);
}

sim_time rest(unsigned int cpu)
{
	sim_time since = cpus[cpu].clock;

	cpu_fence(&cpus[cpu]);
	return cpus[cpu].clock - since;
}

unsigned int pages_zeroed;

void zero(unsigned int cpu, unsigned int pages)
{
	this_cpu = &cpus[cpu];
	for (unsigned int i = 0; i < pages; i++)
		memory_clear_page(line_on_node(0, 100 + pages_zeroed++));
}

uint64_t accesses_counted(void)
{
	uint64_t accesses = 0;

	for (unsigned int served = 0; served < NR_SERVED; served++)
		if (served != SERVED_UPGRADE)
			accesses += memory_served[served][HOLD_NOTHING];
	return accesses;
}

sim_time time_of(unsigned int cpu, uintptr_t address, enum access access)
{
	sim_time since = cpus[cpu].clock;

	issue(cpu, address, access);
	(void)rest(cpu);
	return cpus[cpu].clock - since;
}
