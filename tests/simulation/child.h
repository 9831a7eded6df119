/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * child.h - simulations for tests, each in a process of its own, since SimGrid starts once.
 *
 * What the child expects, it says by the macros below: cmocka's would leave an actor's stack by a
 * jump. The first that fails ends the child, and with it the test.
 */
#ifndef ZONESIM_TESTS_CHILD_H
#define ZONESIM_TESTS_CHILD_H

#include <math.h>
#include <stdint.h>

#include "../../sim/cpu.h"

/* What a child ends with: 128 + the signal that ended it; CHILD_UNEXPECTED after expect_*. */
#define CHILD_UNEXPECTED 99

#define HAND_OVER 6 /* transfers of a line, of the machine under test */

/* Run @body in a child, and fail the test unless it returns. */
void simulate(void (*body)(void));

/* The same, unless it ends with @status and a message that contains @message. */
void simulate_failing(void (*body)(void), int status, const char *message);

/* ---- in the child ---- */

/* The machine of the simulation, to be changed before start_machine where a test wants to. */
extern struct machine machine;
void load_machine(const char *name);

/*
 * Start the engine, the CPUs for @tasks tasks, the memory and the locks. The first half of the
 * arena is at home on node 0, the second on node 1.
 */
void start_machine(unsigned int tasks);

/* An address in the arena at home on @node; so far apart that prefetchers do not matter. */
uintptr_t line_on_node(unsigned int node, unsigned int number);

/* Run @body on @cpu as a task would: CPU_RUNNING, and its clock paid at the end. */
void start_on(unsigned int cpu, void (*body)(struct cpu *));

/* Run all actors; each must end. */
void run_all(void);

void unexpected(const char *file, int line, const char *what, double value, double expected)
	__attribute__((noreturn));

#define expect_equal(value, expected) expect_near(value, expected, 0)

#define expect_near(value, expected, tolerance)                                                    \
	do {                                                                                       \
		double value_ = (double)(value), expected_ = (double)(expected);                   \
		if (!(fabs(value_ - expected_) <= (tolerance)))                                    \
			unexpected(__FILE__, __LINE__, #value, value_, expected_);                 \
	} while (0)

#define expect_true(condition) expect_near(!!(condition), 1, 0)

#endif
