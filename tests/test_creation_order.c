// SPDX-License-Identifier: GPL-3.0-or-later
/*
 * test_creation_order.c - in what order the actors are made decides nothing: made the other way
 * round, a point has the same score, as far as its interval tells.
 *
 * The linker puts the functions below in the place of the engine's (--wrap): actors are noted down
 * when they are asked for, and made when the run begins.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/mman.h>

#include <cmocka.h>

#include "simulation/run_point.h"

struct engine_actor *__real_engine_start(
	const char *name, unsigned int cpu, void (*body)(void *), void *argument);
unsigned int __real_engine_run(void);
struct engine_actor *__wrap_engine_start(
	const char *name, unsigned int cpu, void (*body)(void *), void *argument);
unsigned int __wrap_engine_run(void);

#define MAX_ACTORS 256

static struct {
	char name[32];
	unsigned int cpu;
	void (*body)(void *);
	void *argument;
} asked_for[MAX_ACTORS];
static unsigned int nr_asked_for;
static bool reversed;

struct engine_actor *__wrap_engine_start(
	const char *name, unsigned int cpu, void (*body)(void *), void *argument)
{
	static char actor;

	expect_true(nr_asked_for < MAX_ACTORS);
	(void)snprintf(asked_for[nr_asked_for].name, sizeof(asked_for[0].name), "%s", name);
	asked_for[nr_asked_for].cpu = cpu;
	asked_for[nr_asked_for].body = body;
	asked_for[nr_asked_for++].argument = argument;
	/* whoever asks only looks whether it is NULL */
	return (struct engine_actor *)&actor;
}

unsigned int __wrap_engine_run(void)
{
	for (unsigned int i = 0; i < nr_asked_for; i++) {
		unsigned int at = reversed ? nr_asked_for - 1 - i : i;

		expect_true(__real_engine_start(asked_for[at].name, asked_for[at].cpu,
			asked_for[at].body, asked_for[at].argument));
	}
	return __real_engine_run();
}

/* ---- points ---- */

#define PRECISION 0.01

/* What a child leaves for its parent. */
static struct outcome {
	double score, ci95;
} * outcome;

static const char *workload;
static unsigned int tasks;

static void run(void)
{
	configure("skylake-2s", workload, tasks);
	point.precision = PRECISION;
	run_configured();
	expect_true(nr_asked_for > tasks);
	outcome->score = result.metrics[0].mean;
	outcome->ci95 = result.metrics[0].ci95;
}

static struct outcome run_in_order(bool backwards)
{
	reversed = backwards;
	simulate(run);
	return *outcome;
}

static void expect_the_same(const char *name, unsigned int nr)
{
	workload = name;
	tasks = nr;
	struct outcome forwards = run_in_order(false), backwards = run_in_order(true);

	assert_true(forwards.score > 0);
	/* rounds of one run are more alike than two runs: what was asked for counts, where it is
	 * more */
	double allowed = fmax(forwards.ci95 + backwards.ci95, 0.5 * PRECISION * forwards.score);

	if (fabs(forwards.score - backwards.score) > allowed)
		fail_msg("%s: %g +-%g, and %g +-%g backwards", name, forwards.score, forwards.ci95,
			backwards.score, backwards.ci95);
}

static void actors_may_be_made_in_any_order(void **state)
{
	(void)state;
	expect_the_same("page_fault3", 8);
	expect_the_same("pft", 8);
	expect_the_same("bw_unix", 8);
}

static int make_outcome(void **state)
{
	(void)state;
	outcome = mmap(
		NULL, sizeof(*outcome), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	return outcome == MAP_FAILED ? -1 : 0;
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(actors_may_be_made_in_any_order),
	};

	return cmocka_run_group_tests(tests, make_outcome, NULL);
}
