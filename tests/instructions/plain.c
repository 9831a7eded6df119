/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * plain.c - runs the mixes on the allocator built plainly, for callgrind to count its instructions.
 * callgrind is told to collect inside measure_mix only, and to dump before each mix_done.
 */

#include <string.h>

#include "../../alloc/list.h"
#include "mixes.h"

noinline void measure_mix(void (*body)(void *), void *argument)
{
	body(argument);
	__asm__ volatile(
		"" ::
			: "memory"); /* or it would be a jump, which callgrind sees no end of */
}

void mix_done(void);
noinline void mix_done(void)
{
	__asm__ volatile("" ::: "memory");
}

int main(int argc, char *argv[])
{
	bool quick = argc > 1 && !strcmp(argv[1], "--quick");
	unsigned int count;
	const struct mix *mixes = mixes_list(quick, &count);

	for (unsigned int i = 0; i < count; i++) {
		mixes[i].run(&mixes[i]);
		mix_done();
	}
	return 0;
}
