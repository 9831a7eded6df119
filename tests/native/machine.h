/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * machine.h - alloc/ on this very machine: threads stand for CPUs, and spinlocks really spin.
 *
 * Implements alloc/port.h, and gives tests what it saw: which locks were taken how often, which
 * events were counted. Misuse of a primitive (a lock taken twice, interrupts left off) aborts.
 */
#ifndef ZONESIM_NATIVE_MACHINE_H
#define ZONESIM_NATIVE_MACHINE_H

#include "../../alloc/boot.h"

/* CPUs and nodes of a machine to boot; the rest as mm_init takes it. */
struct native_config {
	int nodes, cpus; /* CPU i is on node i % nodes */
	unsigned long sections_per_node;
	patch_set patches;
	int batch, high;
	unsigned long cache_slice;
};

/*
 * native_boot - throw the last machine away and bring up a new one. The calling thread becomes CPU
 * 0. Ends the program when there is no memory.
 */
void native_boot(const struct native_config *config);

/* The calling thread is CPU @cpu from now on. */
void native_run_on(int cpu);

/* How often @lock was taken since the boot. */
unsigned long native_lock_count(const spinlock_t *lock);

/* How often all locks together were. */
unsigned long native_lock_total(void);

/* An event, all CPUs together, since the boot. No CPU may be running. */
unsigned long native_events(enum vm_event_item item);

/* Line by line, the last addresses that prefetch_nta was given, oldest first; returns how many. */
#define NATIVE_PREFETCHES 256
unsigned int native_prefetches(const void *addresses[NATIVE_PREFETCHES]);
void native_forget_prefetches(void);

/* True when the calling CPU has interrupts off or holds a lock: between calls it must not. */
bool native_busy(void);

#endif
