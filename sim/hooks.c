/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * hooks.c - what instrumented code calls, by way of hook_stubs.S.
 *
 * tools/add-hooks.awk puts the calls into the assembly of alloc/ before it is assembled. Many
 * addresses are outside the arena: configuration, or what belongs to a process. Most of those
 * inside hit the L1, and that is decided here, with few registers to keep.
 */

/* what keeps every register must not use those of floating point */
#pragma GCC target("general-regs-only")

#include "hooks.h"

#include "cpu.h"
#include "in_flight.h"

/*
 * Built with RECORD_ACCESSES, each modelled access is also shown to whoever wants to keep the
 * stream: benchmarks and tests that feed it to something else.
 */
#ifdef RECORD_ACCESSES
#include "record.h"
#define RECORDING recording
#else
#define record_access(cpu, address, size, access) ((void)0)
#define RECORDING false
#endif

/* Apart, so that other accesses need not keep the registers for it. */
__attribute__((noinline)) static HOOK void read_in_flight(uintptr_t address, unsigned int what)
{
	if (RECORDING || !hit_in_flight(charged_cpu, address, HOOK_SIZE(what), false))
		hook_access_keeping(address, what);
}

__attribute__((noinline)) static HOOK void write_in_flight(uintptr_t address, unsigned int what)
{
	if (RECORDING || !hit_in_flight(charged_cpu, address, HOOK_SIZE(what), true))
		hook_access_keeping(address, what);
}

HOOK void hook_read(uintptr_t address, unsigned int what)
{
	struct cpu *cpu = charged_cpu;

	if (address - arena_base >= arena_size)
		return;
	if (cpu_waits(cpu))
		read_in_flight(address, what);
	else if (RECORDING || !line_hit_l1(cpu, line_of(address), false))
		hook_access_keeping(address, what);
}

HOOK void hook_write(uintptr_t address, unsigned int what)
{
	struct cpu *cpu = charged_cpu;

	if (address - arena_base >= arena_size)
		return;
	if (cpu_waits(cpu))
		write_in_flight(address, what);
	else if (RECORDING || !line_hit_l1(cpu, line_of(address), true))
		hook_access_keeping(address, what);
}

HOOK void hook_atomic(uintptr_t address, unsigned int what)
{
	if (address - arena_base < arena_size)
		hook_access_keeping(address, what);
}

void hook_access_slow(uintptr_t address, unsigned int what)
{
	if (RECORDING)
		record_access(charged_cpu, address, HOOK_SIZE(what), HOOK_ACCESS(what));
	memory_access(address, HOOK_SIZE(what), HOOK_ACCESS(what));
}

HOOK void hook_branch(uint32_t block)
{
	uint32_t branch = block_branch;

	if (!branch)
		return;
	block_branch = 0;
	if (branch_went(&charged_cpu->predictor, branch, block))
		hook_mispredicted_keeping();
}

void hook_mispredicted(void)
{
	cpu_mispredicted(charged_cpu);
}
