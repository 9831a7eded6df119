/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * exact_caches.h - the caches of a whole machine, way by way: what footprint clocks stand for.
 *
 * Each core has an L1 and an L2, each socket an LLC. All are set-associative and replace the least
 * recently used line. An inclusive LLC takes what it drops out of its cores too; one that is not
 * gets the lines that its L2s drop, and gives a line up to the core that asks for it. A write takes
 * the line from everyone else.
 */
#ifndef ZONESIM_TESTS_EXACT_CACHES_H
#define ZONESIM_TESTS_EXACT_CACHES_H

#include <stdbool.h>
#include <stdint.h>

#include "../models/machine.h"

/* Where an access was served from. */
enum exact_served { EXACT_L1, EXACT_L2, EXACT_SOCKET, EXACT_REMOTE, EXACT_DRAM, NR_EXACT_SERVED };

extern const char *const exact_names[NR_EXACT_SERVED];

/* Of shared lines, and of lines of page data. */
extern uint64_t exact_served[NR_EXACT_SERVED], exact_data_served[NR_EXACT_SERVED];

/* For an arena of @size bytes. Returns 0, or -1 when memory is short. */
int exact_init(const struct machine *machine, uint64_t size);

/* A core reads or writes, by an address within the arena, a line that others may use too. */
void exact_access(unsigned int core, uint64_t offset, bool write);

/* A core's L2 gets a line that it has not been asked for. Not counted. */
void exact_prefetch(unsigned int core, uint64_t offset);

/* A core writes a line, without being counted. */
void exact_take(unsigned int core, uint64_t offset);

/*
 * A core writes one of the 64 lines of the page whose struct page is at @offset; only the core that
 * wrote it last can have it.
 */
void exact_data_write(unsigned int core, uint64_t offset, unsigned int line);

#endif
