/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * speed.c - how fast zonesim is, against its parts alone, side by side in one run.
 *
 *   whole    one point at full load, as the command runs it
 *   memory   the bare memory model, fed the addresses that the point accessed
 *   simgrid  SimGrid alone: as many sleeps, parks and unparks as the point had
 *
 * Each runs in a process of its own, several times in turn; what is printed are medians and their
 * ratios, since a busy host changes absolute times.
 */

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "../models/error.h"
#include "../sim/lock.h"
#include "../sim/memory.h"
#include "../sim/point.h"
#include "../sim/record.h"
#include "../sim/workload.h"

#define ROUNDS 5
#define MAX_RECORDED (64UL << 20)

/* An access in 16 bytes. */
struct recorded {
	uint64_t offset : 48; /* in the arena */
	uint64_t size : 8, access : 8;
	uint64_t cpu;
};

/* Shared by all processes of the benchmark. */
static struct shared {
	double whole, memory, simgrid; /* seconds of the last run of each */
	uint64_t accesses, pages, locks, waits;
	uint64_t nr_recorded;
	size_t arena;
	struct recorded recorded[MAX_RECORDED];
} * shared;

bool recording;
static const char *machine_name = "skylake-2s";

void record_access(const struct cpu *cpu, uintptr_t address, unsigned int size, enum access access)
{
	if (shared->nr_recorded < MAX_RECORDED)
		shared->recorded[shared->nr_recorded++] =
			(struct recorded){address - arena_base, size, access, cpu->id};
}

static double now(void)
{
	struct timespec t;

	(void)clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

static void die(const char *why)
{
	(void)fputs(why, stderr);
	_Exit(1);
}

static void load(struct machine *m, struct point *p)
{
	struct error err;

	if (machine_load(m, machine_name, &err) || coefficients_load(&p->coefficients, &err))
		die(err.text);
	p->machine = m;
	p->kernel = kernel_find("v4.15");
	p->patches = p->kernel->patches;
	p->workload = workload_find("page_fault1");
	p->parameters[0] = 128 << 20;
	p->tasks = machine_cpus(m);
	p->pcp_batch = 31;
	p->pcp_high = 186;
	p->precision = 1e-9;
	p->time_limit = 0.03;
	p->seed = 1;
}

/* ---- the three ---- */

static uint64_t counter(const struct point_result *r, const char *name)
{
	for (size_t i = 0; i < r->nr_counters; i++)
		if (!strcmp(r->counters[i].name, name))
			return r->counters[i].value;
	return 0;
}

static void run_whole(void)
{
	struct machine m;
	struct point p = {0};
	struct point_result r;

	load(&m, &p);
	point_run(&p, &r);
	if (r.status == POINT_FAILED)
		die(r.failure);
	shared->whole = r.charged_wall;
	shared->accesses = r.accesses;
	shared->pages = counter(&r, "pgfault");
	shared->arena = arena_size;
	shared->locks = shared->waits = 0;
	for (size_t i = 0; i < r.nr_locks; i++) {
		shared->locks += r.locks[i].acquisitions;
		shared->waits += r.locks[i].contentions;
	}
}

static void run_recording(void)
{
	recording = true;
	run_whole();
}

/* The record is fed whole, and the time scaled to the number of accesses of the point. */
static void run_memory(void)
{
	struct machine m;
	struct point p = {0};

	load(&m, &p);
	if (engine_init(&m) || cpus_init(&m, 1, p.tasks) || memory_init(&m, shared->arena))
		die("the host has too little memory\n");
	double start = now();

	for (uint64_t i = 0; i < shared->nr_recorded; i++) {
		const struct recorded *a = &shared->recorded[i];

		this_cpu = charged_cpu = &cpus[a->cpu];
		/* an atomic would let simulated time pass, which only an actor can */
		memory_access(arena_base + a->offset, (unsigned int)a->size,
			a->access == ACCESS_READ ? ACCESS_READ : ACCESS_WRITE);
	}
	shared->memory = (now() - start) * (double)shared->accesses / (double)shared->nr_recorded;
}

static struct engine_actor **actors;
static unsigned int nr_actors;
static uint64_t turns_left, waits_left;

/* Two sleeps for a lock; and where it was waited for, parked by one and unparked by another. */
static void lock_events(void *argument)
{
	unsigned int self = (unsigned int)(uintptr_t)argument;
	static unsigned int parked = ~0u;

	while (turns_left > 0) {
		turns_left--;
		engine_advance(1000 + self);
		if (parked != ~0u) {
			unsigned int other = parked;

			parked = ~0u;
			engine_unpark(actors[other]);
		} else if (waits_left > 0 && turns_left > nr_actors) {
			waits_left--;
			parked = self;
			engine_park();
		}
		engine_advance(2000 + self);
	}
	if (parked != ~0u && parked != self) {
		unsigned int other = parked;

		parked = ~0u;
		engine_unpark(actors[other]);
	}
}

static void run_simgrid(void)
{
	struct machine m;
	struct point p = {0};

	load(&m, &p);
	if (engine_init(&m))
		die("SimGrid did not take the platform\n");
	nr_actors = p.tasks;
	turns_left = shared->locks;
	waits_left = shared->waits;
	actors = calloc(nr_actors, sizeof(*actors));
	for (unsigned int i = 0; actors && i < nr_actors; i++)
		actors[i] = engine_start("task", i, lock_events, (void *)(uintptr_t)i);
	double start = now();

	(void)engine_run();
	shared->simgrid = now() - start;
}

/* ---- the table ---- */

static void in_child(void (*run)(void))
{
	int status;
	pid_t child = fork();

	if (child < 0)
		die("can not fork\n");
	if (!child) {
		run();
		_Exit(0);
	}
	if (waitpid(child, &status, 0) < 0 || status)
		die("a part of the benchmark failed\n");
}

static int compare(const void *a, const void *b)
{
	double x = *(const double *)a, y = *(const double *)b;

	return (x > y) - (x < y);
}

static double median(double *values)
{
	qsort(values, ROUNDS, sizeof(*values), compare);
	return values[ROUNDS / 2];
}

int main(int argc, char *argv[])
{
	double whole[ROUNDS], memory[ROUNDS], simgrid[ROUNDS], overhead[ROUNDS];

	if (argc > 1)
		machine_name = argv[1];
	shared = mmap(NULL, sizeof(*shared), PROT_READ | PROT_WRITE,
		MAP_SHARED | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
	if (shared == MAP_FAILED)
		die("the host has too little memory\n");
	in_child(run_recording);
	for (int i = 0; i < ROUNDS; i++) {
		in_child(run_whole);
		in_child(run_memory);
		in_child(run_simgrid);
		whole[i] = shared->whole;
		memory[i] = shared->memory;
		simgrid[i] = shared->simgrid;
		overhead[i] = whole[i] / (memory[i] + simgrid[i]);
	}
	double accesses = (double)shared->accesses, pages = (double)shared->pages;

	printf("page_fault1 at full load on %s, v4.15; medians of %d runs in turn\n", machine_name,
		ROUNDS);
	printf("modelled accesses               %12.0f  (%.0f per page)\n", accesses,
		accesses / pages);
	printf("lock acquisitions, waited for   %12lu  %lu\n", (unsigned long)shared->locks,
		(unsigned long)shared->waits);
	printf("whole point                     %12.3f s  %6.1f M accesses/s\n", median(whole),
		accesses / median(whole) / 1e6);
	printf("bare memory model               %12.3f s  %6.1f M accesses/s\n", median(memory),
		accesses / median(memory) / 1e6);
	printf("SimGrid alone                   %12.3f s  %6.2f us per lock\n", median(simgrid),
		median(simgrid) / (double)shared->locks * 1e6);
	printf("whole / (memory + SimGrid)      %12.2f    (target: at most 2)\n", median(overhead));
	return 0;
}
