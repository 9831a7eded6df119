/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * port.h - all that the allocator needs from the machine it runs on.
 *
 * Whoever builds alloc/ supplies these: a kernel would map them to its own primitives, the native
 * tests map them to pthreads, the simulator to simulated locks and CPUs.
 */
#ifndef ZONESIM_ALLOC_PORT_H
#define ZONESIM_ALLOC_PORT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The allocator found its own structures broken: report @what, and do not come back. */
_Noreturn void bug(const char *what);

/* Four bytes, like the kernel's queued spinlock, so that structures keep their layout. */
typedef struct spinlock {
	uint32_t slot; /* the port's own */
} spinlock_t;

/* @class_name as lock_stat would print it; static. @node tells locks of one class apart. */
void spin_lock_init(spinlock_t *lock, const char *class_name, int node);
void spin_lock(spinlock_t *lock);
void spin_unlock(spinlock_t *lock);
/* Take the lock if it is free; false when it is not. */
bool spin_trylock(spinlock_t *lock);

/* Interrupts of this CPU. The value restored is the one that was saved. */
unsigned long local_irq_save(void);
void local_irq_restore(unsigned long flags);

/* The calling CPU, from 0. */
int smp_processor_id(void);

/* A full memory barrier. */
void smp_mb(void);

/* Bring the line of @address near for one use, without waiting for it. */
void prefetch_nta(const void *address);

struct page;
/* Zero the 4 KiB that @page stands for. */
void clear_page(struct page *page);
/* Copy the 4 KiB that @from stands for to those of @to. */
void copy_page(struct page *to, struct page *from);
/* The page's own memory was written or read by its user, one line of it. */
void touch_page(struct page *page);
/* Drop all translations from this CPU's TLB. */
void flush_tlb(void);

/* Memory from before the allocator works, zeroed and aligned; NULL when there is none. */
void *memblock_alloc(size_t size, size_t align);

/* Events counted per CPU, as /proc/vmstat counts them. */
enum vm_event_item {
	PGALLOC,	 /* pages handed out */
	PGFREE,		 /* pages given back */
	PGFAULT,	 /* faults */
	PCP_REFILL,	 /* calls of rmqueue_bulk */
	PCP_DRAIN,	 /* calls of free_pcppages_bulk */
	BUDDY_SPLIT,	 /* halvings of a block */
	BUDDY_MERGE,	 /* joins of two buddies */
	BUDDY_TAIL,	 /* blocks put at a list's tail by the higher-buddy rule */
	BUDDY_FALLBACK,	 /* blocks taken from another migratetype */
	ALLOC_REMOTE,	 /* pages that came from another node */
	LRU_ADD_DRAIN,	 /* pagevecs moved to the LRU list */
	TLB_FLUSH,	 /* flushes of the gather */
	PCP_DRAIN_HIGH,	 /* drains that emptied the pageset because of high orders (free_high) */
	PCP_LOCK_MISSED, /* pagesets left alone because their lock was taken */
	BAD_PAGE,	 /* pages that failed the sanity check and were leaked */
	NR_VM_EVENT_ITEMS
};

void count_vm_events(enum vm_event_item item, unsigned long delta);

#endif
