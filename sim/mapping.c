/* SPDX-License-Identifier: GPL-3.0-or-later */
/* mapping.c - touching and unmapping. */

#include "mapping.h"

#include <stdlib.h>

#include "../alloc/pcp.h"
#include "fast_forward.h"
#include "measure.h"
#include "timeline.h"

#define FAULTS_PER_STEP 64

static unsigned long page_tables(unsigned long pages)
{
	return (pages + PTRS_PER_PTE - 1) / PTRS_PER_PTE;
}

int mapping_init(struct mapping *m, enum mapping_kind kind, unsigned long pages)
{
	bool file = kind != MAPPING_ANONYMOUS;

	*m = (struct mapping){.kind = kind, .faults_per_step = FAULTS_PER_STEP};
	m->region.pages = pages;
	m->region.anon_vma = m;
	m->region.pte = calloc(pages, sizeof(struct page *));
	m->region.pte_pages = calloc(page_tables(pages), sizeof(struct page *));
	m->file.pages = pages;
	m->file.page = file ? calloc(pages, sizeof(struct page *)) : NULL;
	return m->region.pte && m->region.pte_pages && (m->file.page || !file) ? 0 : -1;
}

int mapping_init_task(struct task *task, enum mapping_kind kind)
{
	struct mapping *m = task->private = calloc(1, sizeof(*m));

	return m ? mapping_init(m, kind, mapping_pages(task->point)) : -1;
}

/* ---- faults ---- */

static int map_page(struct task *task, struct mapping *m)
{
	if (m->kind == MAPPING_ANONYMOUS)
		return do_anonymous_page(&m->region, m->next, task->lru_pvec);
	if (m->kind == MAPPING_PRIVATE)
		return do_cow_fault(&m->region, m->next, &m->file, task->lru_pvec);
	return do_shared_fault(&m->region, m->next, &m->file, task->lru_pvec);
}

/* A trap, the kernel's path to the allocator, and back. False when the run is over. */
static bool fault(struct task *task, struct mapping *m)
{
	struct cpu *cpu = task->cpu;

	cpu_charge_cycles(cpu, fixed_costs.trap_in);
	if (m->mmap_lock && !down_read(m->mmap_lock))
		return false;
	cpu_charge_cycles(cpu, fixed_costs.fault_path);
	if (map_page(task, m)) {
		sim_fail("the simulated machine ran out of memory: task %u has %lu of %lu pages",
			task->id, m->next, m->region.pages);
		return false;
	}
	if (m->mmap_lock)
		up_read(m->mmap_lock);
	cpu_charge_cycles(cpu, fixed_costs.trap_out);
	m->next++;
	if (!m->uncounted)
		measure_work(task, 1);
	return true;
}

bool mapping_touch(struct task *task, struct mapping *m)
{
	timeline_phase(task->cpu, "fault");
	for (unsigned int i = 0; i < m->faults_per_step && m->next < m->region.pages; i++)
		if (!fault(task, m))
			return false;
	if (m->next < m->region.pages)
		return false;
	timeline_phase(task->cpu, NULL);
	m->next = 0;
	return true;
}

/* ---- unmapping ---- */

bool mapping_unmap(struct task *task, struct mapping *m)
{
	unsigned long end = m->next + PTRS_PER_PTE;

	timeline_phase(task->cpu, "unmap");
	if (m->next == 0)
		tlb_gather_init(task->gather, task->lru_pvec, task->gather_arrays);
	if (end > m->region.pages)
		end = m->region.pages;
	cpu_charge_cycles(task->cpu, fixed_costs.unmap_path * (double)(end - m->next));
	if (m->kind == MAPPING_SHARED)
		zap_shared_range(&m->region, m->next, end, task->gather);
	else
		zap_pte_range(&m->region, m->next, end, task->gather);
	m->next = end;
	if (end < m->region.pages)
		return false;
	free_pgtables(&m->region, task->gather);
	tlb_finish_mmu(task->gather);
	timeline_phase(task->cpu, NULL);
	m->next = 0;
	return true;
}

/* ---- both ---- */

static bool write_lock(const struct mapping *m)
{
	return !m->mmap_lock || down_write(m->mmap_lock);
}

static void write_unlock(const struct mapping *m)
{
	if (m->mmap_lock)
		up_write(m->mmap_lock);
}

bool mapping_step(struct task *task, struct mapping *m)
{
	if (!m->mapped) {
		m->mapped = write_lock(m);
		if (m->mapped)
			write_unlock(m);
		return false;
	}
	if (!m->unmapping) {
		m->unmapping = mapping_touch(task, m) && write_lock(m);
		return false;
	}
	if (!mapping_unmap(task, m))
		return false;
	write_unlock(m);
	m->mapped = m->unmapping = false;
	return true;
}

bool mapping_between_rounds(const struct task *task)
{
	const struct mapping *m = task->private;

	return !m->mapped;
}

void mapping_step_of_file(struct task *task)
{
	if (mapping_step(task, task->private) && task->cpu->fast_forward_left)
		fast_forward_end(task->cpu);
}

/* ---- for descriptors ---- */

unsigned long mapping_pages(const struct point *point)
{
	return (unsigned long)(point->parameters[0] / PAGE_SIZE);
}

double mapping_memory(unsigned int tasks, unsigned long pages)
{
	return (double)tasks * (double)(pages + page_tables(pages) + MAX_GATHER_BATCH_COUNT) *
	       PAGE_SIZE;
}

/* For each page a part of a refill, a drain, a pagevec and a release. */
unsigned long mapping_locks(unsigned long pages)
{
	int batch = pcp_batch(&node_data[0]->zone, 0);

	return (unsigned long)((double)pages * (2.0 / batch + 1.0 / 15 + 1.0 / 32));
}

int mapping_anonymous_init(struct task *task)
{
	return mapping_init_task(task, MAPPING_ANONYMOUS);
}

void mapping_anonymous_step(struct task *task)
{
	(void)mapping_step(task, task->private);
}

double mapping_anonymous_memory(const struct point *point)
{
	return mapping_memory(point->tasks, mapping_pages(point));
}

unsigned long mapping_anonymous_turns(const struct point *point)
{
	return mapping_locks(mapping_pages(point));
}
