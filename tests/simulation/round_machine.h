/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * round_machine.h - a machine whose figures are easy to reckon with, and accesses to its memory.
 * In the child, as all of child.h.
 */
#ifndef ZONESIM_TESTS_ROUND_MACHINE_H
#define ZONESIM_TESTS_ROUND_MACHINE_H

#include <stdbool.h>

#include "../../sim/memory.h"
#include "child.h"

#define NS 1000
#define CYCLE 400 /* ps; an instruction takes one */

/* What its figures come to, ps. */
#define L2 (12 * CYCLE)
#define LLC (20 * NS)
#define DRAM (80 * NS)
#define DRAM_REMOTE (130 * NS)
#define SAME_SOCKET (50 * NS)
#define OTHER_SOCKET (140 * NS)
#define ATOMIC (18 * CYCLE)

/* Of 64 lines each; a page that is zeroed pushes as many through the caches. */
#define L1_PAGES 8
#define L2_PAGES 64
#define LLC_PAGES 1024
#define ALL_L2_PAGES (28 * L2_PAGES)

/* CPU 28 is on the other socket, CPU 56 is CPU 0's sibling. */
#define REMOTE_CPU 28
#define SIBLING 56

/*
 * Two sockets of 28 cores of two threads, a reorder buffer of 100, 10 fill buffers, 16
 * stores that may wait, of which one has its line under way.
 */
void start_round_machine(bool inclusive);

/* @cpu reads or writes the eight bytes at @address; waits for nothing that it need not wait for. */
void issue(unsigned int cpu, uintptr_t address, enum access access);

/* How long @cpu takes to have all that it waits for. */
sim_time rest(unsigned int cpu);

/* Both. */
sim_time time_of(unsigned int cpu, uintptr_t address, enum access access);

/* @cpu zeroes @pages that were not zeroed before, or not since pages_zeroed was set to 0. */
void zero(unsigned int cpu, unsigned int pages);
extern unsigned int pages_zeroed;

/* Of CPUs that hold no lock; an upgrade is not an access but what one may take besides. */
uint64_t accesses_counted(void);

/* An access must take @time and be counted once, as @served. */
#define EXPECT_ACCESS(cpu, address, access, served, time)                                          \
	do {                                                                                       \
		uint64_t before_ = memory_served[served][HOLD_NOTHING];                            \
		uint64_t accesses_ = accesses_counted();                                           \
		expect_equal(time_of(cpu, address, access), time);                                 \
		expect_equal(memory_served[served][HOLD_NOTHING] - before_, 1);                    \
		expect_equal(accesses_counted() - accesses_, 1);                                   \
	} while (0)

#define EXPECT_READ(cpu, address, served, time)                                                    \
	EXPECT_ACCESS(cpu, address, ACCESS_READ, served, time)
#define EXPECT_WRITE(cpu, address, served, time)                                                   \
	EXPECT_ACCESS(cpu, address, ACCESS_WRITE, served, time)

#endif
