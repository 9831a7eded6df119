/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * c2c.h - which cache lines cost most to get, as `perf c2c` asks; only when it is asked for.
 *
 * What is added up are latencies. Where loads overlap, a CPU waits for less; stores wait in their
 * buffer. Lines are counted one by one, but those of struct pages field by field, all pages
 * together.
 */
#ifndef ZONESIM_C2C_H
#define ZONESIM_C2C_H

#include "memory.h"
#include "point.h"
#include "sim.h"

/* Beside enum served: a lock's line that comes with the lock. */
#define C2C_HAND_OVER NR_SERVED
#define NR_C2C_SOURCES (NR_SERVED + 1)

extern bool c2c_on;

/*
 * c2c_start - count from now on, if @watch asks for it. Call when the kernel has booted. Returns 0,
 * or -1 when the host has too little memory.
 */
int c2c_start(const struct watch *watch);

/* A CPU in @hold gets the line of @address from @from in @latency. While c2c_on. */
void c2c_add(enum hold hold, uintptr_t address, unsigned int from, sim_time latency);

/* Fill in the lines of @result, the dearest first; @tasks own some. Nothing unless c2c_on. */
void c2c_report(const struct task *tasks, unsigned int nr_tasks, struct point_result *result);

#endif
