/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * record.h - the stream of modelled accesses, for benchmarks and tests.
 *
 * Only in a build of hooks.c with RECORD_ACCESSES; whoever links that build defines these two.
 */
#ifndef ZONESIM_RECORD_H
#define ZONESIM_RECORD_H

#include "memory.h"

/* While it is false accesses go the usual way, at the usual speed. */
extern bool recording;

/* Called for each access to the arena, before it is charged. */
void record_access(const struct cpu *cpu, uintptr_t address, unsigned int size, enum access access);

#endif
