/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * execute.h - instructions without any code.
 */
#ifndef ZONESIM_TESTS_EXECUTE_H
#define ZONESIM_TESTS_EXECUTE_H

#include "../../sim/cpu.h"

/* @cpu's code enters a block of @instructions, which is charged at once. */
static inline void execute(struct cpu *cpu, uint64_t instructions)
{
	cpu_resume(cpu);
	block_instructions = instructions;
	cpu_settle(cpu);
}

#endif
