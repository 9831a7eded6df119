/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * instructions.h - how many instructions the allocator's code stands for, from what its
 * instrumentation counts; and the instructions of kernel paths that zonesim does not execute.
 */
#ifndef ZONESIM_INSTRUCTIONS_H
#define ZONESIM_INSTRUCTIONS_H

struct error;

/*
 * instructions = per_access * accesses + per_call * function entries + per_block * basic blocks
 * that are not empty + per_port_call * calls of what alloc/port.h declares (events left out),
 * fitted by tools/fit-instructions against callgrind counts of the same source built plainly
 * (models/instructions.yaml says when, how and with what error).
 */
struct instruction_costs {
	double per_access, per_call, per_block, per_port_call;
	double fault_path; /* instructions of one anonymous fault outside the code in alloc/ */
	double unmap_path; /* instructions to unmap one page outside the code in alloc/ */
};

/* Reads models/instructions.yaml. Returns 0, or -1 with @err filled. */
int instruction_costs_load(struct instruction_costs *c, struct error *err);

#endif
