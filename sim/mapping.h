/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * mapping.h - memory that a task maps, touches page by page and unmaps, again and again.
 *
 * Each task fills page tables of its own, so no one waits for the lock of a table; taking it is
 * among the instructions of the fault path.
 */
#ifndef ZONESIM_MAPPING_H
#define ZONESIM_MAPPING_H

#include "../alloc/filemap.h"
#include "rwsem.h"
#include "sim.h"
#include "workload.h"

enum mapping_kind {
	MAPPING_ANONYMOUS,
	MAPPING_PRIVATE, /* of a file: each page is copied from the cache */
	MAPPING_SHARED,	 /* of a file: the cache's own pages */
};

struct mapping {
	enum mapping_kind kind;
	struct anon_region region;
	struct page_cache file;	 /* but for MAPPING_ANONYMOUS */
	struct rwsem *mmap_lock; /* of the process, NULL when this task is alone in it */
	unsigned long next;	 /* page to fault or to unmap next */
	unsigned int faults_per_step;
	bool uncounted; /* its faults are no work */
	bool mapped, unmapping;
};

/* A mapping of @pages pages for a task to be. Returns 0, or -1 when memory is short. */
int mapping_init(struct mapping *m, enum mapping_kind kind, unsigned long pages);

/* The init of a task that has one, as its private data. Returns 0, or -1 when memory is short. */
int mapping_init_task(struct task *task, enum mapping_kind kind);

/*
 * mapping_touch - fault some more pages; true when all are there. Each one counts as work. While
 * others use the process's memory, too, each fault holds mmap_lock for reading.
 */
bool mapping_touch(struct task *task, struct mapping *m);

/* Unmap what one page-table page maps; true when all is unmapped and released. */
bool mapping_unmap(struct task *task, struct mapping *m);

/*
 * One step of a task that does nothing else; true at the end of a round. mmap_lock is held for
 * writing while mapping, and from the first page unmapped to the last.
 */
bool mapping_step(struct task *task, struct mapping *m);

/* Whether a task that does nothing else has unmapped all, and not yet mapped it again. */
bool mapping_between_rounds(const struct task *task);

/* mapping_step of a task that maps a file; its first round, which fills the cache, is not charged.
 */
void mapping_step_of_file(struct task *task);

/* ---- for descriptors of such workloads, whose first parameter is the region of a task ---- */

#define MAPPING_REGION(help)                                                                       \
	{                                                                                          \
		"region", PARAMETER_BYTES, 128 << 20, PAGE_SIZE, 1UL << 40, help                   \
	}

unsigned long mapping_pages(const struct point *point);

/* Bytes for @tasks mappings of @pages each: the pages, tables and arrays of the gather. */
double mapping_memory(unsigned int tasks, unsigned long pages);

/* Locks of a round that faults and unmaps @pages anonymous pages. */
unsigned long mapping_locks(unsigned long pages);

/* init, step, memory and turns_per_round of tasks that each map, touch and unmap such a region. */
int mapping_anonymous_init(struct task *task);
void mapping_anonymous_step(struct task *task);
double mapping_anonymous_memory(const struct point *point);
unsigned long mapping_anonymous_turns(const struct point *point);

#endif
