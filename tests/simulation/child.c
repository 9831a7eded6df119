// SPDX-License-Identifier: GPL-3.0-or-later
/* child.c - simulations in processes of their own. */

#include "child.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "../../models/error.h"
#include "../../sim/lock.h"
#include "../../sim/memory.h"

#define ARENA (1u << 27)

/* Into the next page and not to where the last one was: no prefetcher sees a pattern. */
#define APART (66 * 64)

struct machine machine;

/* Of a build that measures coverage: keep what this process has run, before it ends like that. */
extern void __gcov_dump(void) __attribute__((weak));

/* ---- in the parent ---- */

/* Run @body with its standard error going to @fd; returns how it ended. */
static int run_child(void (*body)(void), int fd)
{
	int status;
	pid_t child = fork();

	assert_true(child >= 0);
	if (!child) {
		(void)dup2(fd, STDERR_FILENO);
		body();
		if (__gcov_dump)
			__gcov_dump();
		_Exit(0);
	}
	assert_int_equal(waitpid(child, &status, 0), child);
	return WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
}

void simulate_failing(void (*body)(void), int expected, const char *message)
{
	char text[4096] = "";
	int fd = memfd_create("errors", 0);

	assert_true(fd >= 0);
	int status = run_child(body, fd);
	ssize_t length = pread(fd, text, sizeof(text) - 1, 0);

	(void)close(fd);
	text[length > 0 ? length : 0] = '\0';
	if (status != expected || !strstr(text, message))
		fail_msg("ended with %d, not %d, and said: %s", status, expected, text);
}

void simulate(void (*body)(void))
{
	simulate_failing(body, 0, "");
}

/* ---- in the child ---- */

void unexpected(const char *file, int line, const char *what, double value, double expected)
{
	(void)fprintf(stderr, "%s:%d: %s is %.15g, not %.15g\n", file, line, what, value, expected);
	_Exit(CHILD_UNEXPECTED);
}

void load_machine(const char *name)
{
	struct error err;

	if (machine_load(&machine, name, &err)) {
		(void)fputs(err.text, stderr);
		_Exit(CHILD_UNEXPECTED);
	}
}

void start_machine(unsigned int tasks)
{
	expect_equal(engine_init(&machine), 0);
	expect_equal(cpus_init(&machine, 1, tasks), 0);
	expect_equal(memory_init(&machine, ARENA), 0);
	memory_set_home(arena_base, 0);
	memory_set_home(arena_base + ARENA / 2, 1);
	locks_init(&machine, &(struct coefficients){.hand_over = HAND_OVER});
}

uintptr_t line_on_node(unsigned int node, unsigned int number)
{
	return arena_base + node * (ARENA / 2) + (uintptr_t)number * APART;
}

struct start {
	struct cpu *cpu;
	void (*body)(struct cpu *);
};

static void actor(void *argument)
{
	const struct start *start = argument;
	struct cpu *cpu = start->cpu;

	cpu->actor = engine_self();
	cpu->state = CPU_RUNNING;
	cpu_resume(cpu);
	start->body(cpu);
	cpu_sync(cpu);
	cpu->state = CPU_IDLE;
}

void start_on(unsigned int cpu, void (*body)(struct cpu *))
{
	struct start *start = calloc(1, sizeof(*start));

	expect_true(start);
	*start = (struct start){&cpus[cpu], body};
	expect_true(engine_start("test", cpu, actor, start));
}

void run_all(void)
{
	expect_equal(engine_run(), 0);
}
