/* SPDX-License-Identifier: GPL-3.0-or-later */
/* mixes.c - what the allocator is made to do while its instructions are counted. */

#include "mixes.h"

#include <assert.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include "../../alloc/bulk.h"
#include "../../alloc/kernel_ops.h"
#include "../../alloc/memory.h"
#include "../../alloc/page_alloc.h"
#include "../../alloc/pcp.h"
#include "../native/machine.h"

#define MAX_PAGES 12000

static struct page *pages[MAX_PAGES];
static unsigned long nr_pages;

static uint64_t random_state;

static unsigned long random_below(unsigned long n)
{
	random_state ^= random_state << 13;
	random_state ^= random_state >> 7;
	random_state ^= random_state << 17;
	return (random_state >> 33) % n;
}

static void shuffle_pages(void)
{
	for (unsigned long i = nr_pages; i > 1; i--) {
		unsigned long j = random_below(i);
		struct page *page = pages[j];

		pages[j] = pages[i - 1];
		pages[i - 1] = page;
	}
}

static struct zone *zone(void)
{
	return &node_data[0]->zone;
}

static void boot(const struct mix *mix, int high)
{
	random_state = 88172645463325252;
	nr_pages = 0;
	native_boot(&(struct native_config){.nodes = 1,
		.cpus = 1,
		.sections_per_node = 1,
		.patches = mix->patches,
		.batch = mix->batch,
		.high = high});
	/* memory is brought up outside what is counted */
	(void)deferred_grow_zone(zone());
}

/* ---- pages one by one ---- */

static void take_all(void *argument)
{
	unsigned long n = *(const unsigned long *)argument;

	while (n--)
		pages[nr_pages++] = alloc_page(MIGRATE_MOVABLE);
}

static void free_all(void *argument)
{
	(void)argument;
	for (unsigned long i = 0; i < nr_pages; i++)
		free_pages(pages[i], 0);
	nr_pages = 0;
}

static void free_all_backwards(void *argument)
{
	(void)argument;
	while (nr_pages)
		free_pages(pages[--nr_pages], 0);
}

/* Mixed up free lists, as after long use; every second page stays in use. */
static void scatter(void)
{
	unsigned long n = MAX_PAGES / 2;

	take_all(&n);
	shuffle_pages();
	for (unsigned long i = 0; i < n / 2; i++)
		free_pages(pages[--nr_pages], 0);
	nr_pages = 0;
}

enum order { SEQUENTIAL, LIFO, RANDOM };

static void run_single_pages(const struct mix *mix)
{
	unsigned long n = 3000;

	boot(mix, 6 * mix->batch);
	if (mix->parameter == RANDOM)
		scatter();
	for (int round = 0; round < 2; round++) {
		measure_mix(take_all, &n);
		if (mix->parameter == RANDOM)
			shuffle_pages();
		measure_mix(mix->parameter == LIFO ? free_all_backwards : free_all, NULL);
	}
}

static void interleave(void *argument)
{
	(void)argument;
	for (int i = 0; i < 3000; i++) {
		pages[nr_pages++] = alloc_page(MIGRATE_MOVABLE);
		pages[nr_pages++] = alloc_page(MIGRATE_UNMOVABLE);
		unsigned long at = random_below(nr_pages);

		free_pages(pages[at], 0);
		pages[at] = pages[--nr_pages];
	}
}

static void run_interleaved(const struct mix *mix)
{
	boot(mix, 6 * mix->batch);
	measure_mix(interleave, NULL);
	measure_mix(free_all, NULL);
}

/* The pageset has what is asked of it, and room for what it is given. */
static void run_pageset_takes(const struct mix *mix)
{
	unsigned long n = 2000;

	boot(mix, 1 << 20);
	take_all(&n);
	free_all(NULL);
	measure_mix(take_all, &n);
}

static void run_pageset_gives(const struct mix *mix)
{
	unsigned long n = 2000;

	boot(mix, 1 << 20);
	take_all(&n);
	measure_mix(free_all, NULL);
}

static struct list_head list;

static void free_list(void *argument)
{
	(void)argument;
	free_unref_page_list(&list);
}

static void run_list(const struct mix *mix)
{
	unsigned long n = 2000;

	boot(mix, 1 << 20);
	take_all(&n);
	INIT_LIST_HEAD(&list);
	for (unsigned long i = 0; i < n; i++) {
		pages[i]->_refcount = 0;
		list_add_tail(&pages[i]->lru, &list);
	}
	measure_mix(free_list, NULL);
}

/* ---- between pagesets and buddy ---- */

static struct per_cpu_pages *pageset(void)
{
	return &zone()->pageset[0]->pcp;
}

static void refill(void *argument)
{
	const struct mix *mix = argument;
	unsigned long flags = local_irq_save();

	pageset()->count += kernel.rmqueue_bulk(
		zone(), 0, mix->batch, &pageset()->lists[MIGRATE_MOVABLE], MIGRATE_MOVABLE);
	local_irq_restore(flags);
}

static void drain(void *argument)
{
	const struct mix *mix = argument;
	unsigned long flags = local_irq_save();

	kernel.free_pcppages_bulk(zone(), mix->batch, pageset());
	local_irq_restore(flags);
}

/* From free lists of whole blocks, or, with a parameter, of scattered pages. */
static void run_refills(const struct mix *mix)
{
	boot(mix, 1 << 20);
	if (mix->parameter) {
		scatter();
		drain_local_pages(zone());
	}
	for (int i = 0; i < 2500; i += mix->batch)
		measure_mix(refill, (void *)(uintptr_t)mix);
}

static void run_drains(const struct mix *mix)
{
	unsigned long n = 6000;

	boot(mix, 1 << 20);
	take_all(&n);
	if (mix->parameter)
		shuffle_pages();
	/* with a parameter every second page stays in use, and little merges */
	for (unsigned long i = 0; i < n; i += 1 + mix->parameter)
		free_pages(pages[i], 0);
	for (int i = 0; i < 2500; i += mix->batch)
		measure_mix(drain, (void *)(uintptr_t)mix);
}

/* ---- blocks ---- */

static void take_blocks(void *argument)
{
	const struct mix *mix = argument;

	for (int i = 0; i < 500; i++) {
		pages[nr_pages] = alloc_pages((unsigned int)mix->parameter, MIGRATE_MOVABLE);
		if (!pages[nr_pages])
			return;
		nr_pages++;
	}
}

static void free_blocks(void *argument)
{
	const struct mix *mix = argument;

	for (unsigned long i = 0; i < nr_pages; i++)
		free_pages(pages[i], (unsigned int)mix->parameter);
	nr_pages = 0;
}

static void run_block_takes(const struct mix *mix)
{
	boot(mix, 0);
	measure_mix(take_blocks, (void *)(uintptr_t)mix);
}

static void run_block_frees(const struct mix *mix)
{
	boot(mix, 0);
	take_blocks((void *)(uintptr_t)mix);
	shuffle_pages();
	measure_mix(free_blocks, (void *)(uintptr_t)mix);
}

/* ---- LRU ---- */

static struct pagevec pvec;

static void add_all(void *argument)
{
	(void)argument;
	for (unsigned long i = 0; i < nr_pages; i++)
		lru_cache_add(&pvec, pages[i]);
}

static void release(void *argument)
{
	(void)argument;
	for (unsigned long i = 0; i + MAX_GATHER_BATCH <= nr_pages; i += MAX_GATHER_BATCH)
		release_pages(&pages[i], MAX_GATHER_BATCH);
}

static void take_mapped(unsigned long n)
{
	take_all(&n);
	for (unsigned long i = 0; i < n; i++)
		pages[i]->flags |= 1UL << PG_swapbacked | 1UL << PG_active;
}

static void run_lru_add(const struct mix *mix)
{
	boot(mix, 1 << 20);
	take_mapped(14 * 15 * 10);
	pvec.nr = 0;
	measure_mix(add_all, NULL);
}

static void run_release(const struct mix *mix)
{
	boot(mix, 1 << 20);
	take_mapped(6 * MAX_GATHER_BATCH);
	pvec.nr = 0;
	add_all(NULL);
	lru_add_drain(&pvec);
	measure_mix(release, NULL);
}

/* ---- processes ---- */

#define REGION_PAGES 10000UL

static struct process {
	struct anon_region region;
	struct mmu_gather gather;
	struct mmu_gather_batch arrays[MAX_GATHER_BATCH_COUNT];
	struct page *pte[REGION_PAGES], *pte_pages[REGION_PAGES / PTRS_PER_PTE + 1];
} process;

static void fault(void *argument)
{
	const struct mix *mix = argument;

	for (unsigned long i = 0; i < mix->parameter; i++)
		(void)do_anonymous_page(&process.region, i, &pvec);
}

static void zap(void *argument)
{
	const struct mix *mix = argument;

	zap_pte_range(&process.region, 0, mix->parameter, &process.gather);
}

static void finish(void *argument)
{
	(void)argument;
	free_pgtables(&process.region, &process.gather);
	tlb_finish_mmu(&process.gather);
}

static void start_process(const struct mix *mix, int high)
{
	boot(mix, high);
	pvec.nr = 0;
	process.region =
		(struct anon_region){REGION_PAGES, process.pte, process.pte_pages, &process};
	tlb_gather_init(&process.gather, &pvec, process.arrays);
}

static void run_page_fault1(const struct mix *mix)
{
	start_process(mix, 6 * mix->batch);
	for (int round = 0; round < 2; round++) {
		measure_mix(fault, (void *)(uintptr_t)mix);
		tlb_gather_init(&process.gather, &pvec, process.arrays);
		measure_mix(zap, (void *)(uintptr_t)mix);
		measure_mix(finish, NULL);
	}
}

static void run_faults(const struct mix *mix)
{
	start_process(mix, 6 * mix->batch);
	measure_mix(fault, (void *)(uintptr_t)mix);
	zap((void *)(uintptr_t)mix);
	finish(NULL);
}

static void run_zaps(const struct mix *mix)
{
	start_process(mix, 6 * mix->batch);
	fault((void *)(uintptr_t)mix);
	measure_mix(zap, (void *)(uintptr_t)mix);
	finish(NULL);
}

static void run_flush(const struct mix *mix)
{
	start_process(mix, 6 * mix->batch);
	fault((void *)(uintptr_t)mix);
	zap((void *)(uintptr_t)mix);
	measure_mix(finish, NULL);
}

/* ---- the list ---- */

static struct mix mixes[512];
static unsigned int nr_mixes;

static void __attribute__((format(printf, 6, 7))) add(const char *path, patch_set set, int batch,
	void (*run)(const struct mix *), unsigned long parameter, const char *format, ...)
{
	struct mix *mix = &mixes[nr_mixes++];
	va_list args;

	assert(nr_mixes <= sizeof(mixes) / sizeof(mixes[0]));
	*mix = (struct mix){
		.path = path, .patches = set, .batch = batch, .run = run, .parameter = parameter};
	va_start(args, format);
	(void)vsnprintf(mix->name, sizeof(mix->name), format, args);
	va_end(args);
}

#define INLINE PATCH_BIT(PATCH_INLINE_RMQUEUE)
#define OUTSIDE PATCH_BIT(PATCH_PICK_OUTSIDE_LOCK)
#define PREFETCH PATCH_BIT(PATCH_PREFETCH_BUDDY)
#define PAGEVEC PATCH_BIT(PATCH_PAGEVEC_15)
#define NO_SKIP PATCH_BIT(PATCH_NO_SKIP_PAGEVECS)

/* Patched forms that differ in code. */
static const struct {
	const char *name;
	patch_set set;
} forms[] = {{"v4.14", 0}, {"inline", INLINE}, {"outside", OUTSIDE},
	{"inline+outside", INLINE | OUTSIDE}, {"all", INLINE | OUTSIDE | PREFETCH | PAGEVEC}};

#define NR_FORMS (sizeof(forms) / sizeof(forms[0]))

static void add_mixes(int batch, const char *form, patch_set set)
{
	static const char *const orders[] = {"in order", "last first", "at random"};

	for (unsigned long order = SEQUENTIAL; order <= RANDOM; order++)
		add("mix: single pages", set, batch, run_single_pages, order,
			"pages %s, batch %d, %s", orders[order], batch, form);
	add("mix: interleaved", set, batch, run_interleaved, 0, "interleaved, batch %d, %s", batch,
		form);
	add("mix: page_fault1", set, batch, run_page_fault1, REGION_PAGES,
		"page_fault1, batch %d, %s", batch, form);
}

/* ---- later kernels ---- */

static struct page *bulk_pages[MAX_PAGES];

static void take_in_bulk(void *argument)
{
	const struct mix *mix = argument;

	for (int i = 0; i < 2000; i += (int)mix->parameter)
		(void)alloc_pages_bulk(MIGRATE_MOVABLE, mix->parameter, NULL, &bulk_pages[i]);
}

static void run_bulk_takes(const struct mix *mix)
{
	boot(mix, 6 * mix->batch);
	for (int i = 0; i < MAX_PAGES; i++)
		bulk_pages[i] = NULL;
	measure_mix(take_in_bulk, (void *)(uintptr_t)mix);
}

/* Blocks of order 3 that pagesets keep, a few hundred at a time. */
static void run_pageset_blocks(const struct mix *mix)
{
	boot(mix, 6 * mix->batch);
	for (int round = 0; round < 2; round++) {
		measure_mix(take_blocks, (void *)(uintptr_t)mix);
		measure_mix(free_blocks, (void *)(uintptr_t)mix);
	}
}

static void add_later_kernels(void)
{
	static const char *const releases[] = {"v5.13", "v5.14", "v5.18", "v6.0", "v6.2", "v6.7"};

	for (size_t i = 0; i < sizeof(releases) / sizeof(releases[0]); i++) {
		const char *name = releases[i];
		patch_set set = kernel_find(name)->patches;

		add_mixes(63, name, set);
		add("alloc_pages_bulk", set, 63, run_bulk_takes, 16, "16 at a time, %s", name);
		add("mix: blocks of order 3", set, 63, run_pageset_blocks, 3, "order 3, %s", name);
	}
	add("alloc_pages_bulk", PATCH_BIT(PATCH_BULK_ALLOC), 31, run_bulk_takes, 64,
		"64 at a time, __rmqueue_pcplist called");
}

static void add_bulk(int batch)
{
	for (unsigned long scattered = 0; scattered < 2; scattered++) {
		const char *from = scattered ? "scattered" : "whole";

		add("rmqueue_bulk", 0, batch, run_refills, scattered, "refill %d, %s, calling",
			batch, from);
		add("rmqueue_bulk, inlined", INLINE, batch, run_refills, scattered,
			"refill %d, %s, inlined", batch, from);
		add("free_pcppages_bulk, inside", 0, batch, run_drains, scattered,
			"drain %d, %s, inside", batch, from);
		add("free_pcppages_bulk, outside", OUTSIDE, batch, run_drains, scattered,
			"drain %d, %s, outside", batch, from);
		add("free_pcppages_bulk, prefetching", OUTSIDE | PREFETCH, batch, run_drains,
			scattered, "drain %d, %s, prefetching", batch, from);
	}
}

static void add_paths(void)
{
	add("alloc_pages from the pageset", 0, 31, run_pageset_takes, 0, "pageset hit");
	add("free_pages to the pageset", 0, 31, run_pageset_gives, 0, "pageset free");
	add("free_unref_page_list", 0, 31, run_list, 0, "list of pages");
	for (unsigned long order = 1; order <= 9; order += 2) {
		add("alloc_pages from buddy", 0, 31, run_block_takes, order, "take order %lu",
			order);
		add("free_pages to buddy", 0, 31, run_block_frees, order, "free order %lu", order);
	}
	add("lru_cache_add", 0, 31, run_lru_add, 0, "pagevecs of 14");
	add("lru_cache_add", PAGEVEC, 31, run_lru_add, 0, "pagevecs of 15");
	add("lru_cache_add", PAGEVEC | NO_SKIP, 31, run_lru_add, 0, "pagevecs of 15, none skipped");
	add("release_pages", 0, 31, run_release, 0, "release 510");
	add("do_anonymous_page", 0, 31, run_faults, 6000, "faults, v4.14");
	add("do_anonymous_page", INLINE | PAGEVEC, 63, run_faults, 6000, "faults, batch 63");
	add("zap_pte_range", 0, 31, run_zaps, 8 + 510 * 10, "zaps without a flush");
	add("tlb_finish_mmu", 0, 31, run_flush, 8 + 510 * 10, "flush, v4.14");
	add("tlb_finish_mmu", OUTSIDE, 63, run_flush, 8 + 510 * 10, "flush, outside, batch 63");
}

const struct mix *mixes_list(bool quick, unsigned int *count)
{
	static const int batches[] = {31, 7, 63, 127, 255};
	const unsigned int nr_batches = quick ? 1 : sizeof(batches) / sizeof(batches[0]);

	if (!nr_mixes) {
		add_paths();
		add_later_kernels();
		for (unsigned int b = 0; b < nr_batches; b++) {
			add_bulk(batches[b]);
			for (size_t f = 0; f < NR_FORMS; f += quick ? NR_FORMS - 1 : 1)
				add_mixes(batches[b], forms[f].name, forms[f].set);
		}
	}
	*count = nr_mixes;
	return mixes;
}
