/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * hooks.c - what instrumented code calls.
 *
 * alloc/ is compiled with -fsanitize=thread and -fsanitize-coverage=trace-pc only to get these
 * calls; no sanitizer's runtime is linked. The names and arguments are the compiler's.
 */

#include <stdint.h>

#include "../alloc/buddy.h"
#include "cpu.h"
#include "line.h"

#pragma GCC diagnostic ignored "-Wmissing-prototypes"

/*
 * Built with RECORD_ACCESSES, each modelled access is also shown to whoever wants to keep the
 * stream: benchmarks and tests that feed it to something else.
 */
#ifdef RECORD_ACCESSES
#include "record.h"
#else
#define record_access(cpu, address, size, access) ((void)0)
#endif

static inline void charge_access(uintptr_t address, unsigned int size, enum access access)
{
	struct cpu *cpu = charged_cpu;

	if (!cpu)
		return;
	cpu->uncharged += cpu_costs.access;
	if (address - arena_base >= arena_size)
		return;
	record_access(cpu, address, size, access);
	if (access == ACCESS_ATOMIC || !line_hit_l1(cpu, line_of(address), access == ACCESS_WRITE))
		memory_access(address, size, access);
}

#define PLAIN(size)                                                                                \
	void __tsan_read##size(void *address)                                                      \
	{                                                                                          \
		charge_access((uintptr_t)address, size, ACCESS_READ);                              \
	}                                                                                          \
	void __tsan_write##size(void *address)                                                     \
	{                                                                                          \
		charge_access((uintptr_t)address, size, ACCESS_WRITE);                             \
	}                                                                                          \
	void __tsan_unaligned_read##size(void *address)                                            \
	{                                                                                          \
		charge_access((uintptr_t)address, size, ACCESS_READ);                              \
	}                                                                                          \
	void __tsan_unaligned_write##size(void *address)                                           \
	{                                                                                          \
		charge_access((uintptr_t)address, size, ACCESS_WRITE);                             \
	}                                                                                          \
	void __tsan_volatile_read##size(void *address)                                             \
	{                                                                                          \
		charge_access((uintptr_t)address, size, ACCESS_READ);                              \
	}                                                                                          \
	void __tsan_volatile_write##size(void *address)                                            \
	{                                                                                          \
		charge_access((uintptr_t)address, size, ACCESS_WRITE);                             \
	}

PLAIN(1)
PLAIN(2)
PLAIN(4)
PLAIN(8)
PLAIN(16)

/* A structure copied or cleared: one access per eight bytes, as the code would do. */
static void charge_range(uintptr_t address, unsigned long size, enum access access)
{
	for (unsigned long at = 0; at < size; at += 8)
		charge_access(address + at, size - at < 8 ? (unsigned int)(size - at) : 8, access);
}

void __tsan_read_range(void *address, unsigned long size)
{
	charge_range((uintptr_t)address, size, ACCESS_READ);
}

void __tsan_write_range(void *address, unsigned long size)
{
	charge_range((uintptr_t)address, size, ACCESS_WRITE);
}

void *__tsan_memcpy(void *to, const void *from, unsigned long size)
{
	charge_range((uintptr_t)from, size, ACCESS_READ);
	charge_range((uintptr_t)to, size, ACCESS_WRITE);
	return __builtin_memcpy(to, from, size);
}

void *__tsan_memset(void *to, int value, unsigned long size)
{
	charge_range((uintptr_t)to, size, ACCESS_WRITE);
	return __builtin_memset(to, value, size);
}

void __tsan_func_entry(void *caller)
{
	(void)caller;
	if (charged_cpu)
		charged_cpu->uncharged += cpu_costs.call;
}

void __tsan_func_exit(void)
{
}

void __tsan_init(void)
{
}

/*
 * Where a block is, relative to the allocator's code: the program is loaded somewhere else each
 * time, and a result must not depend on that.
 */
static inline uintptr_t block_of(uintptr_t pc)
{
	return pc - (uintptr_t)__rmqueue;
}

/*
 * Some blocks are nothing but the call of this hook, right before the next block's: they are gone
 * in plain code.
 */
#define CALL_BYTES 5

void __sanitizer_cov_trace_pc(void)
{
	static uintptr_t last;
	uintptr_t pc = (uintptr_t)__builtin_return_address(0);
	bool after_nothing = pc - last == CALL_BYTES;

	last = pc;
	if (charged_cpu && !after_nothing)
		cpu_enter_block(charged_cpu, block_of(pc));
}

/* ---- atomics: the compiler leaves the operation itself to the hook ---- */

/* Loads and stores that only must not tear are plain accesses to the machine. */
#define ATOMIC(bits, type)                                                                         \
	type __tsan_atomic##bits##_load(const volatile type *a, int order)                         \
	{                                                                                          \
		(void)order;                                                                       \
		charge_access((uintptr_t)a, sizeof(*a), ACCESS_READ);                              \
		return *a;                                                                         \
	}                                                                                          \
	void __tsan_atomic##bits##_store(volatile type *a, type value, int order)                  \
	{                                                                                          \
		(void)order;                                                                       \
		charge_access((uintptr_t)a, sizeof(*a), ACCESS_WRITE);                             \
		*a = value;                                                                        \
	}                                                                                          \
	type __tsan_atomic##bits##_exchange(volatile type *a, type value, int order)               \
	{                                                                                          \
		(void)order;                                                                       \
		charge_access((uintptr_t)a, sizeof(*a), ACCESS_ATOMIC);                            \
		type old = *a;                                                                     \
		*a = value;                                                                        \
		return old;                                                                        \
	}                                                                                          \
	int __tsan_atomic##bits##_compare_exchange_strong(                                         \
		volatile type *a, type *expected, type value, int order, int fail_order)           \
	{                                                                                          \
		(void)order;                                                                       \
		(void)fail_order;                                                                  \
		charge_access((uintptr_t)a, sizeof(*a), ACCESS_ATOMIC);                            \
		if (*a != *expected) {                                                             \
			*expected = *a;                                                            \
			return 0;                                                                  \
		}                                                                                  \
		*a = value;                                                                        \
		return 1;                                                                          \
	}

#define ATOMIC_FETCH(bits, type, name, operator)                                                   \
	type __tsan_atomic##bits##_fetch_##name(volatile type *a, type value, int order)           \
	{                                                                                          \
		(void)order;                                                                       \
		charge_access((uintptr_t)a, sizeof(*a), ACCESS_ATOMIC);                            \
		type old = *a;                                                                     \
		*a = (type)(old operator value);                                                   \
		return old;                                                                        \
	}

#define ATOMICS(bits, type)                                                                        \
	ATOMIC(bits, type)                                                                         \
	ATOMIC_FETCH(bits, type, add, +)                                                           \
	ATOMIC_FETCH(bits, type, sub, -)                                                           \
	ATOMIC_FETCH(bits, type, and, &)                                                           \
	ATOMIC_FETCH(bits, type, or, |)                                                            \
	ATOMIC_FETCH(bits, type, xor, ^)

ATOMICS(8, uint8_t)
ATOMICS(16, uint16_t)
ATOMICS(32, uint32_t)
ATOMICS(64, uint64_t)

void __tsan_atomic_thread_fence(int order)
{
	(void)order;
	if (charged_cpu)
		cpu_fence(charged_cpu);
}
