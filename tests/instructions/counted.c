/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * counted.c - runs the mixes on the allocator as the simulator has it, with hooks, and prints how
 * many instructions the hooks counted: a line per mix, then its path and name.
 */

/* what keeps every register must not use those of floating point */
#pragma GCC target("general-regs-only")

#include <stdio.h>
#include <string.h>

#include "../../alloc/boot.h"
#include "../../sim/hooks.h"
#include "mixes.h"

/* No one is charged: code counts by itself. */
struct cpu *charged_cpu;
uint64_t block_instructions;
uint32_t block_branch;
sim_time block_loaded;

static unsigned long instructions;

HOOK void hook_read(uintptr_t address, unsigned int what)
{
	(void)address;
	(void)what;
}

HOOK void hook_write(uintptr_t address, unsigned int what)
{
	(void)address;
	(void)what;
}

HOOK void hook_atomic(uintptr_t address, unsigned int what)
{
	(void)address;
	(void)what;
}

void hook_access_slow(uintptr_t address, unsigned int what)
{
	(void)address;
	(void)what;
}

void hook_mispredicted(void)
{
}

HOOK void hook_branch(uint32_t block)
{
	(void)block;
}

void measure_mix(void (*body)(void *), void *argument)
{
	uint64_t before = block_instructions;

	body(argument);
	instructions += block_instructions - before;
}

int main(int argc, char *argv[])
{
	bool quick = argc > 1 && !strcmp(argv[1], "--quick");
	unsigned int count;
	const struct mix *mixes = mixes_list(quick, &count);

	for (unsigned int i = 0; i < count; i++) {
		instructions = 0;
		mixes[i].run(&mixes[i]);
		(void)printf("%lu\t%s\t%s\n", instructions, mixes[i].path, mixes[i].name);
	}
	return 0;
}
