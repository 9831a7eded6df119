/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * functions.h - which functions of the allocator the instructions under each lock belong to.
 *
 * Only in a program whose alloc/ was compiled with a counter for each function (tools/add-hooks
 * --functions), and only when it is asked for. The counters charge nothing. Functions are those
 * that the compiler left: what it inlined belongs to who called it.
 */
#ifndef ZONESIM_FUNCTIONS_H
#define ZONESIM_FUNCTIONS_H

#include "cpu.h"
#include "point.h"

/* As tools/add-hooks.awk writes it: instructions since the last look. */
struct function_count {
	const char *name;
	uint64_t count;
};

extern bool functions_on;

/* Is this such a program? */
bool functions_built_in(void);

/* Count from now on, if @watch asks for it. */
void functions_start(const struct watch *watch);

/*
 * functions_take - what has been counted is @cpu's, under what it holds. Called while functions_on
 * before other CPUs run: whoever takes or releases a lock of a node lets them.
 */
void functions_take(const struct cpu *cpu);

/* What has been counted belongs to code that is not charged. While functions_on. */
void functions_forget(void);

/* Fill in the functions of @result, those of each purpose together. Nothing unless functions_on. */
void functions_report(struct point_result *result);

#endif
