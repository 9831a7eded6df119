/* SPDX-License-Identifier: GPL-3.0-or-later */
/* port.c - what alloc/port.h asks for, on the simulated machine. */

#include "../alloc/port.h"

#include "fast_forward.h"
#include "lock.h"
#include "memory.h"
#include "sim.h"

uint64_t vm_events[MAX_NUMNODES][NR_VM_EVENT_ITEMS];

const char *const vm_event_names[NR_VM_EVENT_ITEMS] = {"pgalloc", "pgfree", "pgfault", "pcp_refill",
	"pcp_drain", "buddy_split", "buddy_merge", "buddy_tail", "buddy_fallback", "alloc_remote",
	"lru_add_drain", "tlb_flush", "pcp_drain_high", "pcp_lock_missed", "bad_page"};
const char *const vm_event_help[NR_VM_EVENT_ITEMS] = {"pages handed out", "pages given back",
	"page faults", "refills of a pageset (rmqueue_bulk)",
	"drains of a pageset (free_pcppages_bulk)", "blocks halved", "pairs of buddies joined",
	"free blocks put at a list's tail because they are likely to merge",
	"blocks taken from another migratetype", "pages that came from another node",
	"pagevecs moved to the LRU list", "flushes of the TLB while unmapping",
	"drains that emptied a pageset because of blocks of order 1 to 3 (free_high)",
	"tries of a pageset's lock that found it taken", "pages that failed the sanity check"};

void spin_lock_init(spinlock_t *lock, const char *class_name, int node)
{
	lock->slot = lock_create(class_name, node, (uintptr_t)lock);
}

/*
 * While fast forward, CPUs give way to each other where they would wait, at the locks of nodes, and
 * those need no owner. A pageset's lock is held around them.
 */
void spin_lock(spinlock_t *word)
{
	struct lock *lock = &locks[word->slot];

	if (lock->class == LOCK_PCP && !charged_cpu)
		lock_acquire_uncharged(lock);
	else if (!fast_forward_turn())
		lock_acquire(lock);
}

bool spin_trylock(spinlock_t *word)
{
	struct lock *lock = &locks[word->slot];

	return charged_cpu ? lock_try_acquire(lock) : lock_try_acquire_uncharged(lock);
}

void spin_unlock(spinlock_t *word)
{
	struct lock *lock = &locks[word->slot];

	if (charged_cpu)
		lock_release(lock);
	else if (lock->class == LOCK_PCP)
		lock_release_uncharged(lock);
	if (lock->class != LOCK_PCP)
		this_cpu->next_zone_hold = HOLD_OTHER;
}

void bug(const char *what)
{
	sim_broken("CPU %u: %s", this_cpu->id, what);
}

unsigned long local_irq_save(void)
{
	cpu_charge_cycles(this_cpu, fixed_costs.irq_save_restore / 2);
	return 0;
}

void local_irq_restore(unsigned long flags)
{
	(void)flags;
	cpu_charge_cycles(this_cpu, fixed_costs.irq_save_restore / 2);
}

int smp_processor_id(void)
{
	return (int)this_cpu->id;
}

void smp_mb(void)
{
	if (charged_cpu)
		memory_barrier();
}

void prefetch_nta(const void *address)
{
	if (!charged_cpu)
		return;
	if ((uintptr_t)address - arena_base < arena_size)
		memory_prefetch((uintptr_t)address);
}

void clear_page(struct page *page)
{
	if (charged_cpu)
		memory_clear_page((uintptr_t)page);
}

void copy_page(struct page *to, struct page *from)
{
	if (charged_cpu)
		memory_copy_page((uintptr_t)to, (uintptr_t)from);
}

void touch_page(struct page *page)
{
	if (charged_cpu)
		memory_touch_page((uintptr_t)page);
}

void flush_tlb(void)
{
	cpu_charge_cycles(this_cpu, fixed_costs.flush_tlb);
}

void *memblock_alloc(size_t size, size_t align)
{
	return arena_alloc(size, align);
}

void count_vm_events(enum vm_event_item item, unsigned long delta)
{
	if (charged_cpu)
		vm_events[this_cpu->socket][item] += delta;
	/* what the lock that is taken next will be held for */
	if (item == PCP_REFILL)
		this_cpu->next_zone_hold = HOLD_ZONE_ALLOC;
	else if (item == PCP_DRAIN)
		this_cpu->next_zone_hold = HOLD_ZONE_FREE;
}
