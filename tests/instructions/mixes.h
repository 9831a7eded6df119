/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * mixes.h - what the allocator is made to do while its instructions are counted: each of its paths
 * alone, and mixes of them as workloads have them.
 */
#ifndef ZONESIM_MIXES_H
#define ZONESIM_MIXES_H

#include "../../alloc/kernel.h"

struct mix {
	char name[64];
	const char *path; /* what it exercises, for the summary; static */
	patch_set patches;
	int batch;
	void (*run)(const struct mix *mix);
	unsigned long parameter; /* of @run */
};

/*
 * mixes_list - all of them, or the few that a quick check is content with. Allocated once; @count
 * is set.
 */
const struct mix *mixes_list(bool quick, unsigned int *count);

/*
 * Provided by the program: call @body(@argument), counting what code of alloc/ does meanwhile. May
 * be called often in one mix; the counts add up.
 */
void measure_mix(void (*body)(void *), void *argument);

#endif
