/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * sim.h - one simulation: its tasks, its counters, how it ends.
 */
#ifndef ZONESIM_SIM_H
#define ZONESIM_SIM_H

#include <stdbool.h>
#include <stdint.h>

#include "cpu.h"
#include "point.h"

#include "../alloc/lru.h"
#include "../alloc/memory.h"

/* A thread of execution, pinned to its CPU for the whole run. */
struct task {
	unsigned int id;
	struct cpu *cpu;
	const struct point *point;
	struct pagevec *lru_pvec;		/* of the CPU; in the arena */
	struct mmu_gather *gather;		/* in the arena */
	struct mmu_gather_batch *gather_arrays; /* in the arena */
	void *private;				/* the workload's */
	unsigned int replications;		/* that it has left behind, see replication.h */
};

/* Tell tasks to end at their next look. */
extern bool sim_stopping;

/* The run can not go on, through no fault of the simulator: out of memory, say. Ends all tasks. */
void sim_fail(const char *format, ...) __attribute__((format(printf, 1, 2)));

/* An invariant broke. Prints the reason and ends the process with EXIT_BROKEN. */
void sim_broken(const char *format, ...) __attribute__((format(printf, 1, 2), noreturn));

/* Host time in seconds, from some point in the past. */
double host_seconds(void);

/* The reason given to sim_fail, NULL when there was none. */
const char *sim_failure(void);

/* Costs of kernel paths that are not executed; set by point_run. */
extern struct fixed_costs {
	double trap_in, trap_out, irq_save_restore, flush_tlb; /* cycles */
	double fault_path, unmap_path, switch_path, wake_path; /* cycles */
	double syscall_path, socket_path;		       /* likewise */
	sim_time idle_exit;
} fixed_costs;

/* Events by socket of the CPU and vm_event_item, since the start of the run. */
extern uint64_t vm_events[MAX_NUMNODES][NR_VM_EVENT_ITEMS];
extern const char *const vm_event_names[NR_VM_EVENT_ITEMS];
extern const char *const vm_event_help[NR_VM_EVENT_ITEMS];

#endif
