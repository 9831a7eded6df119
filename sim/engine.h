/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * engine.h - the one module that knows SimGrid: actors on CPUs, simulated time, parking.
 *
 * Outside it, time is an integer number of picoseconds. One simulation per process: SimGrid can
 * not be started twice.
 */
#ifndef ZONESIM_ENGINE_H
#define ZONESIM_ENGINE_H

#include <stdint.h>

#include "../models/machine.h"

typedef int64_t sim_time; /* picoseconds */
#define PS_PER_SECOND 1000000000000LL

struct engine_actor; /* opaque */

/*
 * engine_init - start SimGrid on the platform of @machine.
 * Returns 0, or -1 when the platform could not be passed to SimGrid (no memory file).
 */
int engine_init(const struct machine *machine);

/*
 * engine_start - an actor on CPU @cpu that runs @body(@argument) when the simulation does.
 * The handle lives as long as the process. NULL when memory is short.
 */
struct engine_actor *engine_start(
	const char *name, unsigned int cpu, void (*body)(void *), void *argument);

/* Let all actors run until they end. Returns how many did not: 0, or a deadlock. */
unsigned int engine_run(void);

/* ---- from inside an actor ---- */

sim_time engine_now(void);

/* Let @delta, at least 0, pass for the calling actor. */
void engine_advance(sim_time delta);

/* Let the other actors that can run at this time run first. */
void engine_yield(void);

/* Stop the calling actor until another unparks it. Others may run during either call. */
void engine_park(void);
void engine_unpark(struct engine_actor *actor);

/* The calling actor's handle. */
struct engine_actor *engine_self(void);

/* ---- topology ---- */

/* Latency of the route between two CPUs: what a dirty line takes from one to the other. */
sim_time engine_route_latency(unsigned int from_cpu, unsigned int to_cpu);

#endif
