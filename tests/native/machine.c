/* SPDX-License-Identifier: GPL-3.0-or-later */
/* machine.c - the port of alloc/ to threads of this machine. */

#include "machine.h"

#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "../../alloc/port.h"

/* ---- what can go wrong ---- */

static _Noreturn void broken(const char *what)
{
	(void)fprintf(stderr, "native machine: %s\n", what);
	abort();
}

void bug(const char *what)
{
	broken(what);
}

/* ---- memory ---- */

static char *memory;
static size_t memory_size, memory_used;

/* @size is address space; only what is touched costs memory. */
static void memory_reset(size_t size)
{
	if (memory && munmap(memory, memory_size))
		broken("munmap failed");
	memory = mmap(NULL, size, PROT_READ | PROT_WRITE,
		MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
	if (memory == MAP_FAILED)
		broken("no address space");
	memory_size = size;
	memory_used = 0;
}

void *memblock_alloc(size_t size, size_t align)
{
	size_t start = (memory_used + align - 1) & ~(align - 1);

	if (start > memory_size || size > memory_size - start)
		return NULL;
	memory_used = start + size;
	return memory + start;
}

/* ---- CPUs ---- */

static __thread int current_cpu;
static __thread bool irqs_off;
static __thread int locks_held; /* but for those that were only tried */
static __thread int tried_held;

void native_run_on(int cpu)
{
	current_cpu = cpu;
}

int smp_processor_id(void)
{
	return current_cpu;
}

unsigned long local_irq_save(void)
{
	bool were_off = irqs_off;

	irqs_off = true;
	return were_off;
}

void local_irq_restore(unsigned long flags)
{
	if (!irqs_off)
		broken("interrupts restored that were not saved");
	if (!flags && locks_held)
		broken("interrupts on while a lock is held");
	irqs_off = flags;
}

bool native_busy(void)
{
	return irqs_off || locks_held || tried_held;
}

/* ---- locks ---- */

/*
 * A test-and-set lock on the word's lowest bit; the bits above are its number here. Not fair, but
 * nothing that is tested with it depends on fairness.
 */
#define MAX_LOCKS (MAX_NUMNODES * (2 + NR_CPUS)) /* of zones, LRU lists and pagesets */
#define LOCKED 1u

static struct {
	int owner; /* CPU + 1; 0: free */
	bool tried;
	unsigned long taken;
} __cacheline_aligned locks[MAX_LOCKS];
static unsigned int nr_locks;

void spin_lock_init(spinlock_t *lock, const char *class_name, int node)
{
	(void)class_name;
	(void)node;
	if (nr_locks == MAX_LOCKS)
		broken("too many locks");
	lock->slot = nr_locks++ << 1;
}

void spin_lock(spinlock_t *lock)
{
	uint32_t was = __atomic_fetch_or(&lock->slot, LOCKED, __ATOMIC_ACQUIRE);
	unsigned int number = was >> 1;

	if (!irqs_off)
		broken("a lock taken with interrupts on");
	if (__atomic_load_n(&locks[number].owner, __ATOMIC_RELAXED) == current_cpu + 1)
		broken("a lock taken by the CPU that has it");
	while (was & LOCKED) {
		(void)sched_yield(); /* there may be fewer real CPUs than threads */
		was = __atomic_fetch_or(&lock->slot, LOCKED, __ATOMIC_ACQUIRE);
	}
	__atomic_store_n(&locks[number].owner, current_cpu + 1, __ATOMIC_RELAXED);
	locks[number].taken++;
	locks_held++;
}

/* With interrupts on, too: whoever interrupts would find it taken, and only try. */
bool spin_trylock(spinlock_t *lock)
{
	uint32_t was = __atomic_fetch_or(&lock->slot, LOCKED, __ATOMIC_ACQUIRE);
	unsigned int number = was >> 1;

	if (was & LOCKED)
		return false;
	__atomic_store_n(&locks[number].owner, current_cpu + 1, __ATOMIC_RELAXED);
	locks[number].taken++;
	locks[number].tried = true;
	tried_held++;
	return true;
}

void spin_unlock(spinlock_t *lock)
{
	unsigned int number = __atomic_load_n(&lock->slot, __ATOMIC_RELAXED) >> 1;

	if (__atomic_load_n(&locks[number].owner, __ATOMIC_RELAXED) != current_cpu + 1)
		broken("a lock released by a CPU that has it not");
	__atomic_store_n(&locks[number].owner, 0, __ATOMIC_RELAXED);
	*(locks[number].tried ? &tried_held : &locks_held) -= 1;
	locks[number].tried = false;
	(void)__atomic_fetch_and(&lock->slot, ~LOCKED, __ATOMIC_RELEASE);
}

unsigned long native_lock_count(const spinlock_t *lock)
{
	return locks[lock->slot >> 1].taken;
}

unsigned long native_lock_total(void)
{
	unsigned long total = 0;

	for (unsigned int i = 0; i < nr_locks; i++)
		total += locks[i].taken;
	return total;
}

/* ---- events ---- */

static struct {
	unsigned long count[NR_VM_EVENT_ITEMS];
} __cacheline_aligned events[NR_CPUS];

void count_vm_events(enum vm_event_item item, unsigned long delta)
{
	events[current_cpu].count[item] += delta;
}

unsigned long native_events(enum vm_event_item item)
{
	unsigned long sum = 0;

	for (int cpu = 0; cpu < nr_cpu_ids; cpu++)
		sum += events[cpu].count[item];
	return sum;
}

/* ---- pages and caches ---- */

void smp_mb(void)
{
	static __thread int own;

	/* what x86 does; thread sanitizer knows atomics, but no fences */
	__atomic_fetch_add(&own, 0, __ATOMIC_SEQ_CST);
}

static __thread const void *prefetched[NATIVE_PREFETCHES];
static __thread unsigned int nr_prefetched;

void prefetch_nta(const void *address)
{
	__builtin_prefetch(address, 0, 0);
	if (nr_prefetched < NATIVE_PREFETCHES)
		prefetched[nr_prefetched++] = address;
}

unsigned int native_prefetches(const void *addresses[NATIVE_PREFETCHES])
{
	memcpy(addresses, prefetched, sizeof(prefetched));
	return nr_prefetched;
}

void native_forget_prefetches(void)
{
	nr_prefetched = 0;
}

/* Page frames have no memory behind them here, and the real TLB has nothing to forget. */
void clear_page(struct page *page)
{
	(void)page;
}

void copy_page(struct page *to, struct page *from)
{
	(void)to;
	(void)from;
}

void touch_page(struct page *page)
{
	(void)page;
}

void flush_tlb(void)
{
}

/* ---- boot ---- */

void native_boot(const struct native_config *config)
{
	static int nodes[NR_CPUS];
	struct boot_parameters boot = {
		.patches = config->patches,
		.nodes = config->nodes,
		.cpus = config->cpus,
		.cpu_node = nodes,
		.pages_per_node = config->sections_per_node * PAGES_PER_SECTION,
		.batch = config->batch,
		.high = config->high,
		.cache_slice = config->cache_slice,
	};
	size_t pages = boot.pages_per_node * (size_t)boot.nodes;

	for (int cpu = 0; cpu < config->cpus; cpu++)
		nodes[cpu] = cpu % config->nodes;
	memory_reset(pages * sizeof(struct page) + (64 << 20));
	memset(locks, 0, sizeof(locks));
	memset(events, 0, sizeof(events));
	nr_locks = 0;
	nr_prefetched = 0;
	native_run_on(0);
	if (mm_init(&boot))
		broken("no memory to boot with");
}
