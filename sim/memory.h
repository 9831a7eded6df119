/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * memory.h - caches, coherence and DRAM, one record per cache line of the arena.
 *
 * Residence is decided by footprint clocks: each core counts the lines brought into its L1 and its
 * L2, each socket those brought in from DRAM. A line is resident while the clock has advanced by
 * less than the capacity since the line was last used.
 */
#ifndef ZONESIM_MEMORY_H
#define ZONESIM_MEMORY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "cpu.h"

/* Where an access was served from. */
enum served {
	SERVED_L1,
	SERVED_IN_FLIGHT, /* a line that was on its way already */
	SERVED_L2,
	SERVED_LLC,
	SERVED_DIRTY_SOCKET, /* another core of the socket had it modified */
	SERVED_DIRTY_REMOTE, /* a core of another socket had it modified */
	SERVED_LLC_REMOTE,
	SERVED_DRAM,
	SERVED_DRAM_REMOTE,
	SERVED_UPGRADE, /* a write to a line that others hold too */
	NR_SERVED
};

/* By what the CPU was doing (see cpu.h) and where the line was. */
extern uint64_t memory_served[NR_SERVED][NR_HOLDS];
extern const char *const served_names[NR_SERVED];
extern const char *const served_help[NR_SERVED];

/* Lines of page data that were zeroed, copied or read, by whether the LLC had them. */
enum data_source { DATA_NEAR, DATA_FAR, NR_DATA_SOURCES };
extern uint64_t memory_data_lines[NR_DATA_SOURCES];

/* The arena: all memory of the simulated kernel. Addresses outside cost instructions only. */
extern uintptr_t arena_base;
extern size_t arena_size;

/*
 * memory_init - reserve an arena of @size bytes (and as much for the records; both are backed by
 * host memory only where touched). Returns 0, or -1 when the host refuses.
 */
int memory_init(const struct machine *machine, size_t size);

/* Cut @size bytes, aligned to @align (a power of two), off the arena; NULL when it is used up. */
void *arena_alloc(size_t size, size_t align);

/* The node whose DRAM holds addresses from @start on, until the next call's @start. */
void memory_set_home(uintptr_t start, unsigned int node);

enum access { ACCESS_READ, ACCESS_WRITE, ACCESS_ATOMIC };

/*
 * memory_access - @this_cpu reads or writes @size bytes at @address, within one line; takes what it
 * costs into the CPU's clock. Instructions are charged by the caller.
 */
void memory_access(uintptr_t address, unsigned int size, enum access access);

/* Start bringing the line of @address into @this_cpu's core. */
void memory_prefetch(uintptr_t address);

/* A full fence, which takes as long as an atomic on a line in the L1. */
void memory_barrier(void);

/*
 * The lock word at @address has gone to @cpu: it alone has the line, modified. The time is part of
 * the hand-over and not charged here.
 */
void memory_take_line(struct cpu *cpu, uintptr_t address);

/*
 * memory_clear_page - @this_cpu zeroes the 4 KiB that @record stands for (an address in the arena
 * that is unique to the page, its struct page). Charges the time and pushes 64 lines through the
 * caches.
 */
void memory_clear_page(uintptr_t record);

/*
 * memory_copy_page - @this_cpu writes the page that @to stands for as memory_clear_page does, and
 * reads that of @from besides: from the socket's LLC or from DRAM, as many lines at a time as there
 * are fill buffers.
 */
void memory_copy_page(uintptr_t to, uintptr_t from);

/* One line of that page is used, at a place no one else shares. */
void memory_touch_page(uintptr_t record);

/* Latency of a dirty line between two CPUs, from the platform's routes. */
sim_time memory_transfer(const struct cpu *from, const struct cpu *to);

#endif
