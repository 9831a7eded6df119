// SPDX-License-Identifier: GPL-3.0-or-later
/*
 * test_creation_order.c - in what order the actors are made decides nothing: made the other way
 * round, points have the same score, but for what differs from seed to seed.
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
#include <gsl/gsl_cdf.h>
#include <gsl/gsl_statistics_double.h>

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

#define SEEDS 5

/* A child leaves its score for its parent. */
static double *score;

static const char *workload;
static unsigned int tasks;
static uint64_t seed;

static void run(void)
{
	configure("skylake-2s", workload, tasks);
	point.precision = 0.01;
	point.seed = seed;
	run_configured();
	expect_true(nr_asked_for > tasks);
	*score = result.metrics[0].mean;
}

static double run_in_order(bool backwards)
{
	reversed = backwards;
	simulate(run);
	assert_true(*score > 0);
	return *score;
}

/* Of runs with the same seed, differences are drawn around 0: Student's t, 1 in 1000 is wrong. */
static void expect_the_same(const char *name, unsigned int nr)
{
	double differences[SEEDS];

	workload = name;
	tasks = nr;
	for (seed = 1; seed <= SEEDS; seed++) {
		double forwards = run_in_order(false), backwards = run_in_order(true);

		differences[seed - 1] = (backwards - forwards) / forwards;
	}
	double mean = gsl_stats_mean(differences, 1, SEEDS);
	double error = gsl_stats_sd(differences, 1, SEEDS) / sqrt(SEEDS);
	double allowed = gsl_cdf_tdist_Pinv(0.9995, SEEDS - 1) * error;

	if (fabs(mean) > allowed)
		fail_msg("%s: %+.3f%% backwards, +-%.3f%%", name, 100 * mean, 100 * allowed);
}

static void actors_may_be_made_in_any_order(void **state)
{
	(void)state;
	expect_the_same("page_fault3", 8);
	expect_the_same("pft", 8);
	expect_the_same("bw_unix", 8);
}

static int make_score(void **state)
{
	(void)state;
	score = mmap(
		NULL, sizeof(*score), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	return score == MAP_FAILED ? -1 : 0;
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(actors_may_be_made_in_any_order),
	};

	return cmocka_run_group_tests(tests, make_score, NULL);
}
