/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * machine.h - a server as data: what its caches, memory, interconnect and cores cost.
 *
 * One YAML file per machine in models/. Each figure carries a mark (how sure it is) and its source,
 * so that a user can see what a result rests on.
 */
#ifndef ZONESIM_MACHINE_H
#define ZONESIM_MACHINE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct error;
struct figure_info;

/* How sure a figure is; the marks of the machine files. */
enum figure_mark {
	FIGURE_VERIFIED,   /* V:  read in a published source for this very part */
	FIGURE_SIBLING,	   /* V~: read in a published source for a sibling part */
	FIGURE_DERIVED,	   /* D:  derived from verified figures */
	FIGURE_REMEMBERED, /* M:  recalled, unchecked */
};

/*
 * struct machine - every figure in one flat record, in base units: bytes, seconds, hertz, cycles of
 * the core clock, or a plain ratio. What each one means stands in the figure table of machine.c,
 * which also feeds the file parser, the bounds and `zonesim list machines`. On a machine of one
 * socket the figures between sockets are 0.
 */
struct machine {
	char name[64];
	char cpu[96];

	/* topology */
	double sockets, cores_per_socket, threads_per_core;
	double memory; /* bytes, all sockets together */

	/* core */
	double clock;		  /* Hz, all cores busy */
	double max_clock;	  /* Hz, one core busy */
	double base_clock;	  /* Hz, of the time-stamp counter */
	double cpi;		  /* cycles per instruction of kernel code that hits the L1 */
	double smt_throughput;	  /* of two busy siblings, against one alone */
	double reorder_buffer;	  /* entries; instructions that may run past a load miss */
	double line_fill_buffers; /* outstanding L1 misses of a core */
	double store_buffer;	  /* entries */
	double store_misses;	  /* of which lines are fetched at once */
	double pause;		  /* cycles of one PAUSE */
	double atomic;		  /* cycles of a LOCK-prefixed read-modify-write that hits the L1 */
	double irq_save_restore;  /* cycles of a pair */

	/* caches: bytes, ways, load-to-use cycles (LLC: seconds) */
	double l1d_size, l1d_ways, l1d_latency;
	double l2_size, l2_ways, l2_latency;
	double llc_size, llc_ways, llc_latency;
	bool llc_inclusive;

	/* memory and coherence: seconds, bytes per second */
	double dram_local, dram_remote;
	double dirty_sibling, dirty_same_socket, dirty_other_socket;
	double read_bandwidth, mixed_bandwidth; /* per socket: reads only, half reads half writes */
	double socket_bandwidth;		/* one link between two sockets */

	/* fixed costs: cycles, seconds */
	double trap_in, trap_out; /* cycles of entering and leaving a page fault */
	double invalidate_page;	  /* cycles of one INVLPG */
	double idle_exit;	  /* seconds from an interrupt to an idle CPU's first instruction */
	double clear_page_hot,
		clear_page_cold; /* seconds to zero 4 KiB, resident in L1 / in DRAM */

	struct figure *figures; /* one per figure in the file, for display; owned */
	size_t nr_figures;
};

/* A figure as the file gives it. All strings are owned by the machine. */
struct figure {
	const struct figure_info *info;
	const char *key;  /* as in the file, e.g. "dirty-same-socket" */
	const char *text; /* the value as written, e.g. "50 ns" */
	enum figure_mark mark;
	const char *source;
	double low, high; /* bounds of the stated uncertainty, base units */
};

/*
 * machine_load - read and check a machine file.
 * @name: of a machine in the models directory ("skylake-2s"), or a path that contains a '/'
 * Returns 0, or -1 with @err filled (file, line, column, remedy). On success the caller ends the
 * machine with machine_free.
 */
int machine_load(struct machine *m, const char *name, struct error *err);
void machine_free(struct machine *m);

/*
 * machine_keep_order - lower the figures that may not exceed another, as a clock its turbo, to that
 * other, for a machine whose figures were changed by a program.
 */
void machine_keep_order(struct machine *m);

/* Number of logical CPUs. */
static inline unsigned int machine_cpus(const struct machine *m)
{
	return (unsigned int)(m->sockets * m->cores_per_socket * m->threads_per_core);
}

/*
 * machine_list - names of all machines in the models directory, sorted.
 * Returns their number, or -1 with @err filled. The caller frees each name and the array.
 */
int machine_list(char ***names, struct error *err);

#endif
