/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * counted.c - runs the mixes on the allocator as the simulator has it, with hooks, and prints what
 * the hooks counted: a line per mix, accesses, calls, blocks that are not empty and calls of the
 * port, then its path and name.
 *
 * The hooks are those of sim/hooks.c, with the same names and arguments, which are the compiler's;
 * here they count.
 */

#include <stdio.h>
#include <string.h>

#include "../../alloc/boot.h"
#include "../native/machine.h"
#include "mixes.h"

#pragma GCC diagnostic ignored "-Wmissing-prototypes"

static bool counting;
static unsigned long accesses, calls, blocks, port_calls;

/* ---- hooks ---- */

#define PLAIN(name)                                                                                \
	void __tsan_##name(void *address)                                                          \
	{                                                                                          \
		(void)address;                                                                     \
		accesses += counting;                                                              \
	}
#define PLAIN_SIZES(name)                                                                          \
	PLAIN(name##1)                                                                             \
	PLAIN(name##2)                                                                             \
	PLAIN(name##4)                                                                             \
	PLAIN(name##8)                                                                             \
	PLAIN(name##16)

PLAIN_SIZES(read)
PLAIN_SIZES(write)
PLAIN_SIZES(unaligned_read)
PLAIN_SIZES(unaligned_write)
PLAIN_SIZES(volatile_read)
PLAIN_SIZES(volatile_write)

static void count_range(unsigned long size)
{
	if (counting)
		accesses += (size + 7) / 8;
}

void __tsan_read_range(void *address, unsigned long size)
{
	(void)address;
	count_range(size);
}

void __tsan_write_range(void *address, unsigned long size)
{
	(void)address;
	count_range(size);
}

void *__tsan_memcpy(void *to, const void *from, unsigned long size)
{
	count_range(size);
	count_range(size);
	return memcpy(to, from, size);
}

void *__tsan_memset(void *to, int value, unsigned long size)
{
	count_range(size);
	return memset(to, value, size);
}

void __tsan_func_entry(void *caller)
{
	(void)caller;
	calls += counting;
}

void __tsan_func_exit(void)
{
}

void __tsan_init(void)
{
}

void __sanitizer_cov_trace_pc(void)
{
	static uintptr_t last;
	uintptr_t pc = (uintptr_t)__builtin_return_address(0);

	/* an empty block is five bytes before the next, see sim/hooks.c */
	blocks += counting && pc - last != 5;
	last = pc;
}

#define ATOMIC_FETCH(bits, name)                                                                   \
	uint##bits##_t __tsan_atomic##bits##_fetch_##name(                                         \
		volatile uint##bits##_t *a, uint##bits##_t value, int order)                       \
	{                                                                                          \
		(void)order;                                                                       \
		accesses += counting;                                                              \
		return __atomic_fetch_##name(a, value, __ATOMIC_SEQ_CST);                          \
	}

#define ATOMICS(bits)                                                                              \
	uint##bits##_t __tsan_atomic##bits##_load(const volatile uint##bits##_t *a, int order)     \
	{                                                                                          \
		(void)order;                                                                       \
		accesses += counting;                                                              \
		return *a;                                                                         \
	}                                                                                          \
	void __tsan_atomic##bits##_store(                                                          \
		volatile uint##bits##_t *a, uint##bits##_t value, int order)                       \
	{                                                                                          \
		(void)order;                                                                       \
		accesses += counting;                                                              \
		*a = value;                                                                        \
	}                                                                                          \
	ATOMIC_FETCH(bits, add)                                                                    \
	ATOMIC_FETCH(bits, sub)                                                                    \
	ATOMIC_FETCH(bits, and)                                                                    \
	ATOMIC_FETCH(bits, or)

ATOMICS(32)
ATOMICS(64)

/* ---- the run ---- */

void fit_measure(void (*body)(void *), void *argument)
{
	unsigned long before = native_port_calls();

	counting = true;
	body(argument);
	counting = false;
	port_calls += native_port_calls() - before;
}

int main(int argc, char *argv[])
{
	bool quick = argc > 1 && !strcmp(argv[1], "--quick");
	unsigned int count;
	const struct mix *mixes = mixes_list(quick, &count);

	for (unsigned int i = 0; i < count; i++) {
		accesses = calls = blocks = port_calls = 0;
		mixes[i].run(&mixes[i]);
		(void)printf("%lu\t%lu\t%lu\t%lu\t%s\t%s\n", accesses, calls, blocks, port_calls,
			mixes[i].path, mixes[i].name);
	}
	return 0;
}
