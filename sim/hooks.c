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

#include "../alloc/buddy.h"
#include "cpu.h"
#include "in_flight.h"

/*
 * Built with RECORD_ACCESSES, each modelled access is also shown to whoever wants to keep the
 * stream: benchmarks and tests that feed it to something else.
 */
#ifdef RECORD_ACCESSES
#include "record.h"
#define RECORDING true
#else
#define record_access(cpu, address, size, access) ((void)0)
#define RECORDING false
#endif

/* Apart, so that most accesses need not keep the registers for it. */
static HOOK noinline bool hit_others_in_flight(uintptr_t address, unsigned int what)
{
	return hit_in_flight(
		charged_cpu, address, HOOK_SIZE(what), HOOK_ACCESS(what) == ACCESS_WRITE);
}

HOOK void hook_access(uintptr_t address, unsigned int what)
{
	struct cpu *cpu = charged_cpu;

	if (!cpu || address - arena_base >= arena_size)
		return;
	if (!RECORDING && HOOK_ACCESS(what) != ACCESS_ATOMIC &&
		(cpu->window.nr ? hit_others_in_flight(address, what)
				: line_hit_l1(cpu, line_of(address),
					  HOOK_ACCESS(what) == ACCESS_WRITE)))
		return;
	hook_access_keeping(address, what);
}

void hook_access_slow(uintptr_t address, unsigned int what)
{
	record_access(charged_cpu, address, HOOK_SIZE(what), HOOK_ACCESS(what));
	memory_access(address, HOOK_SIZE(what), HOOK_ACCESS(what));
}

/*
 * Where a block is, relative to the allocator's code: the program is loaded somewhere else each
 * time, and a result must not depend on that.
 */
static __always_inline uintptr_t block_of(uintptr_t pc)
{
	return pc - (uintptr_t)__rmqueue;
}

HOOK void hook_block(uintptr_t pc, uint32_t instructions)
{
	struct cpu *cpu = charged_cpu;

	if (!cpu)
		return;
	/* a branch that was predicted wrongly led here: that comes before what is done here */
	if (__builtin_expect(branch_enter(cpu->predictor, block_of(pc)), 0))
		hook_mispredicted_keeping();
	cpu->block_loaded = 0;
	cpu->uncharged += (uint64_t)instructions * INSTRUCTION_ONE;
}

void hook_mispredicted(void)
{
	cpu_mispredicted(charged_cpu);
}
