/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * hooks.c - what instrumented code calls, by way of hook_stubs.S.
 *
 * tools/add-hooks.awk puts the calls into the assembly of alloc/ before it is assembled. Many
 * addresses are outside the arena: configuration, or what belongs to a process.
 */

#include "hooks.h"

#include "../alloc/buddy.h"
#include "cpu.h"
#include "line.h"

/*
 * Built with RECORD_ACCESSES, each modelled access is also shown to whoever wants to keep the
 * stream: benchmarks and tests that feed it to something else.
 */
#ifdef RECORD_ACCESSES
#include "record.h"
#else
#define record_access(cpu, address, size, access) ((void)0)
#endif

void hook_access(uintptr_t address, unsigned int size, enum access access)
{
	struct cpu *cpu = charged_cpu;

	if (!cpu || address - arena_base >= arena_size)
		return;
	record_access(cpu, address, size, access);
	if (access == ACCESS_ATOMIC || !line_hit_l1(cpu, line_of(address), access == ACCESS_WRITE))
		memory_access(address, size, access);
}

/*
 * Where a block is, relative to the allocator's code: the program is loaded somewhere else each
 * time, and a result must not depend on that.
 */
static inline uintptr_t block_of(uintptr_t pc)
{
	return pc - (uintptr_t)__rmqueue;
}

void hook_block(uintptr_t pc, uint32_t instructions)
{
	struct cpu *cpu = charged_cpu;

	if (!cpu)
		return;
	/* a branch that was predicted wrongly led here: that comes before what is done here */
	cpu_enter_block(cpu, block_of(pc));
	cpu->uncharged += (uint64_t)instructions * INSTRUCTION_ONE;
}
