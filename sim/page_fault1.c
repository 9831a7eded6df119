/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * page_fault1.c - will-it-scale's page_fault1 in process mode: map a private anonymous region,
 * write one byte to each page, unmap it, again and again. The score counts pages.
 */

#include <stdlib.h>

#include "measure.h"
#include "sim.h"
#include "workload.h"

enum { PARAMETER_REGION };

#define FAULTS_PER_STEP 64UL

struct state {
	struct anon_region region;
	unsigned long next; /* page to fault or to unmap next */
	bool unmapping;
};

static unsigned long region_pages(const struct point *point)
{
	return (unsigned long)(point->parameters[PARAMETER_REGION] / PAGE_SIZE);
}

static unsigned long page_tables(unsigned long pages)
{
	return (pages + PTRS_PER_PTE - 1) / PTRS_PER_PTE;
}

static int init(struct task *task)
{
	struct state *s = calloc(1, sizeof(*s));
	unsigned long pages = region_pages(task->point);

	if (!s)
		return -1;
	s->region.pages = pages;
	s->region.anon_vma = s;
	s->region.pte = calloc(pages, sizeof(struct page *));
	s->region.pte_pages = calloc(page_tables(pages), sizeof(struct page *));
	task->private = s;
	return s->region.pte && s->region.pte_pages ? 0 : -1;
}

/* Touch the next pages: a trap, the kernel's path to the allocator, and back. */
static void fault_step(struct task *task, struct state *s)
{
	struct cpu *cpu = task->cpu;

	for (unsigned long i = 0; i < FAULTS_PER_STEP && s->next < s->region.pages; i++) {
		cpu_charge_cycles(cpu, fixed_costs.trap_in);
		cpu_charge_instructions(cpu, fixed_costs.fault_path);
		if (do_anonymous_page(&s->region, s->next, task->lru_pvec)) {
			sim_fail("the simulated machine ran out of memory: task %u has %lu of %lu "
				 "pages",
				task->id, s->next, s->region.pages);
			return;
		}
		cpu_charge_cycles(cpu, fixed_costs.trap_out);
		s->next++;
		measure_work(task, 1);
	}
	if (s->next < s->region.pages)
		return;
	s->next = 0;
	s->unmapping = true;
	tlb_gather_init(task->gather, task->lru_pvec, task->gather_arrays);
}

/* Unmap what one page-table page maps; after the last, release everything. */
static void unmap_step(struct task *task, struct state *s)
{
	unsigned long end = s->next + PTRS_PER_PTE;

	if (end > s->region.pages)
		end = s->region.pages;
	cpu_charge_instructions(task->cpu, fixed_costs.unmap_path * (double)(end - s->next));
	zap_pte_range(&s->region, s->next, end, task->gather);
	s->next = end;
	if (end < s->region.pages)
		return;
	free_pgtables(&s->region, task->gather);
	tlb_finish_mmu(task->gather);
	s->next = 0;
	s->unmapping = false;
}

static void step(struct task *task)
{
	struct state *s = task->private;

	if (s->unmapping)
		unmap_step(task, s);
	else
		fault_step(task, s);
}

/* For each page a part of a refill, a drain, a pagevec and a release. */
static unsigned long turns_per_round(const struct point *point)
{
	int batch = node_data[0]->zone.pageset[0]->pcp.batch;

	return (unsigned long)((double)region_pages(point) * (2.0 / batch + 1.0 / 15 + 1.0 / 32));
}

static double memory(const struct point *point)
{
	unsigned long pages = region_pages(point);

	/* the region, its page tables, and the arrays of the gather */
	return (double)point->tasks *
	       (double)(pages + page_tables(pages) + MAX_GATHER_BATCH_COUNT) * PAGE_SIZE;
}

static const struct workload_parameter parameters[] = {
	[PARAMETER_REGION] = {"region", PARAMETER_BYTES, 128 << 20, PAGE_SIZE, 1UL << 40,
		"memory that each task maps, touches and unmaps"},
	{NULL},
};

const struct workload workload_page_fault1 = {
	.name = "page_fault1",
	.help = "will-it-scale page_fault1, processes: map, write a byte to each page, unmap",
	.parameters = parameters,
	.rate = "pages/s",
	.rate_help = "pages faulted per second, all tasks together",
	.memory = memory,
	.init = init,
	.step = step,
	.work_per_round = region_pages,
	.turns_per_round = turns_per_round,
};
