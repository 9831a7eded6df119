/* SPDX-License-Identifier: GPL-3.0-or-later */
/* rwsem.c - the lock for readers and writers. */

#include "rwsem.h"

#include "../alloc/mm.h"
#include "memory.h"

int rwsem_init(struct rwsem *sem)
{
	*sem = (struct rwsem){.word = (uintptr_t)arena_alloc(CACHE_LINE, CACHE_LINE)};
	return sem->word ? 0 : -1;
}

/* What others see of it has to happen in the order of simulated time. */
static void change_word(struct rwsem *sem)
{
	if (!charged_cpu)
		return;
	cpu_fence(this_cpu);
	cpu_sync(this_cpu);
	memory_access(sem->word, 8, ACCESS_ATOMIC);
}

bool down_read(struct rwsem *sem)
{
	change_word(sem);
	/* whoever releases it takes it for those who sleep */
	if (sem->writer || sem->waiting_writers.sleepers)
		return wait_sleep(&sem->waiting_readers);
	sem->readers++;
	return true;
}

bool down_write(struct rwsem *sem)
{
	change_word(sem);
	if (sem->writer || sem->readers)
		return wait_sleep(&sem->waiting_writers);
	sem->writer = true;
	return true;
}

static void let_a_writer_in(struct rwsem *sem)
{
	sem->writer = sem->waiting_writers.sleepers;
	(void)wait_wake(&sem->waiting_writers);
}

void up_read(struct rwsem *sem)
{
	change_word(sem);
	if (--sem->readers == 0)
		let_a_writer_in(sem);
}

void up_write(struct rwsem *sem)
{
	change_word(sem);
	sem->writer = false;
	sem->readers = sem->waiting_readers.sleepers;
	if (sem->readers)
		(void)wait_wake_all(&sem->waiting_readers);
	else
		let_a_writer_in(sem);
}
