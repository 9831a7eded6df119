/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * rwsem.h - a lock that many may hold for reading, or one for writing; who has to wait sleeps.
 *
 * Its word is a line of the arena on which every taking and releasing is an atomic, so that readers
 * on many CPUs pay for passing it around. Readers that come while a writer holds it or waits sleep;
 * a writer that releases it lets all sleeping readers in, or else the next writer. No one spins
 * first, and no one steals it from those who sleep.
 */
#ifndef ZONESIM_RWSEM_H
#define ZONESIM_RWSEM_H

#include "wait.h"

struct rwsem {
	uintptr_t word; /* address of the line */
	unsigned int readers;
	bool writer;
	struct wait_queue waiting_readers, waiting_writers;
};

/* Take a line of the arena for @sem. Returns 0, or -1 when there is none. */
int rwsem_init(struct rwsem *sem);

/* False, and not taken, when the run has ended meanwhile. */
bool down_read(struct rwsem *sem);
bool down_write(struct rwsem *sem);

void up_read(struct rwsem *sem);
void up_write(struct rwsem *sem);

#endif
