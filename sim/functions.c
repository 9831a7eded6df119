/* SPDX-License-Identifier: GPL-3.0-or-later */
/* functions.c - instructions by function and hold. */

#include "functions.h"

#include <stdio.h>
#include <stdlib.h>

#include "report.h"

#define MAX_FUNCTIONS 512

/* From the linker; not there where nothing is counted. */
extern struct function_count __start_alloc_functions[] __attribute__((weak));
extern struct function_count __stop_alloc_functions[] __attribute__((weak));

bool functions_on;

static struct {
	uint64_t instructions;
	sim_time time;
} taken[NR_HOLDS][MAX_FUNCTIONS];

bool functions_built_in(void)
{
	return __start_alloc_functions;
}

static size_t nr_functions(void)
{
	size_t nr = (size_t)(__stop_alloc_functions - __start_alloc_functions);

	return nr < MAX_FUNCTIONS ? nr : MAX_FUNCTIONS;
}

void functions_start(const struct watch *watch)
{
	functions_on = watch && watch->functions && functions_built_in();
	if (functions_on)
		functions_forget();
}

void functions_take(const struct cpu *cpu)
{
	uint64_t charge = cpu_costs.charge[cpu_sibling_state(cpu)];

	if (cpu != charged_cpu) {
		functions_forget();
		return;
	}
	for (size_t i = 0; i < nr_functions(); i++) {
		uint64_t count = __start_alloc_functions[i].count;

		if (!count)
			continue;
		taken[cpu->hold][i].instructions += count;
		taken[cpu->hold][i].time += (sim_time)(count * INSTRUCTION_ONE * charge >> 16);
		__start_alloc_functions[i].count = 0;
	}
}

void functions_forget(void)
{
	for (size_t i = 0; i < nr_functions(); i++)
		__start_alloc_functions[i].count = 0;
}

/* ---- the list ---- */

static int dearest_first(const void *a, const void *b)
{
	const struct function_report *x = a, *y = b;

	return x->seconds > y->seconds ? -1 : x->seconds < y->seconds;
}

static void report_hold(enum hold hold, size_t purpose, struct point_result *result)
{
	size_t first = result->nr_functions;

	for (size_t i = 0; i < nr_functions(); i++) {
		if (!taken[hold][i].instructions || result->nr_functions == POINT_MAX_FUNCTIONS)
			continue;
		result->functions[result->nr_functions++] = (struct function_report){
			__start_alloc_functions[i].name, purpose, taken[hold][i].instructions,
			(double)taken[hold][i].time / PS_PER_SECOND};
	}
	qsort(&result->functions[first], result->nr_functions - first, sizeof(result->functions[0]),
		dearest_first);
}

void functions_report(struct point_result *result)
{
	if (!functions_on)
		return;
	functions_on = false;
	result->functions_asked = true;
	for (size_t i = 0; i < result->nr_holds; i++)
		report_hold(report_purpose(i), i, result);
}
