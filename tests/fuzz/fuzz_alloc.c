// SPDX-License-Identifier: GPL-3.0-or-later
/*
 * fuzz_alloc.c - bytes as calls of the allocator: the first ones choose the patches and the
 * machine, up to four zones and 64 CPUs, each two or three that follow are a call.
 *
 * After each call memory is consistent, no page has two owners, and what was in use is. Where the
 * patches do not change which page an allocation gets, it is the one that the reference gives.
 */
#include <string.h>

#include "../../alloc/bulk.h"
#include "../../alloc/check.h"
#include "../../alloc/memory.h"
#include "../../alloc/page_alloc.h"
#include "../../alloc/pcp.h"
#include "../native/look.h"
#include "../native/reference.h"
#include "fuzz.h"

#define MAX_BLOCKS (4 * PAGES_PER_SECTION)
#define MAX_CALLS 100 /* of which each is checked */

static struct block {
	unsigned long pfn;
	unsigned int order;
} blocks[MAX_BLOCKS];
static unsigned int nr_blocks;

static struct native_config config;
static bool foretold; /* the reference knows which page comes next */
static uint8_t places[MAX_BLOCKS];

/* ---- the input ---- */

static struct {
	const uint8_t *at, *end;
} input;

static unsigned int next_byte(void)
{
	return input.at < input.end ? *input.at++ : 0;
}

static bool is_at_end(void)
{
	return input.at >= input.end;
}

/* ---- machines ---- */

/* A set that may be combined: those of the bits that fit what was chosen before. */
static patch_set choose_patches(void)
{
	uint64_t bits = next_byte();
	char why[200];
	patch_set set;

	bits |= next_byte() << 8;
	bits |= next_byte() << 16;
	set = next_byte() % 4 ? kernels[bits % nr_kernels].patches : 0;
	for (int turn = 0; turn < 4; turn++)
		for (int i = 0; i < NR_PATCHES; i++)
			if (bits & PATCH_BIT(i) &&
				patch_set_check(set | PATCH_BIT(i), why, sizeof(why)))
				set |= PATCH_BIT(i);
	return set;
}

static void boot(void)
{
	static const int nodes[] = {1, 1, 1, 1, 1, 2, 3, 4};
	patch_set others = PATCH_BIT(PATCH_SKIP_MERGE) | PATCH_BIT(PATCH_PCP_HIGH_ORDER);
	int batch, high;

	config = (struct native_config){.patches = choose_patches(), .sections_per_node = 1};
	/* mostly few, since to look at a machine takes as long as it is large */
	config.nodes = nodes[next_byte() % 8];
	config.cpus = config.nodes + (int)next_byte() % (65 - config.nodes);
	config.batch = batch = 1 + (int)next_byte() % 80;
	config.high = high = batch + (int)next_byte() * 2;
	config.cache_slice = (unsigned long)next_byte() << 14;
	foretold = !(config.patches & others);
	native_boot(&config);
	if (foretold)
		reference_boot(&config, batch, high);
	nr_blocks = 0;
}

/* ---- what must hold ---- */

static void look_at_zone(const struct zone *zone, int node)
{
	unsigned long end = zone->zone_start_pfn + zone->managed_pages;

	for (int cpu = 0; cpu < config.cpus; cpu++)
		must_hold(pcp_count(zone, cpu) == reference_pageset_count(cpu, node),
			"CPU %d, node %d", cpu, node);
	for (unsigned long pfn = zone->zone_start_pfn; pfn < end; pfn++)
		must_hold(
			(places[pfn] == PLACE_ELSEWHERE) == reference_owned(pfn), "page %lu", pfn);
}

/* Pages that are in no one's hands and on no list are lost. */
static void look(void)
{
	unsigned long owned = 0, elsewhere = 0;
	unsigned long pages = (unsigned long)config.nodes * PAGES_PER_SECTION;
	char why[200];

	must_hold(!mm_check_places(places, why, sizeof(why)), "%s", why);
	must_hold(!native_busy(), "interrupts are off or a lock is held");
	for (unsigned int i = 0; i < nr_blocks; i++) {
		owned += 1UL << blocks[i].order;
		for (unsigned long k = 0; k < 1UL << blocks[i].order; k++)
			must_hold(places[blocks[i].pfn + k] == PLACE_ELSEWHERE,
				"page %lu is in use and free", blocks[i].pfn + k);
	}
	for (unsigned long pfn = 0; pfn < pages; pfn++)
		elsewhere += places[pfn] == PLACE_ELSEWHERE;
	must_hold(
		owned == elsewhere, "%lu pages are in use, but %lu are not free", owned, elsewhere);
	for (int node = 0; foretold && node < config.nodes; node++)
		look_at_zone(zone_of(node), node);
}

/* ---- calls ---- */

static void run_on(unsigned int byte)
{
	native_run_on((int)byte % config.cpus);
}

/* What the reference gives, trying nodes as the watermarks are now. */
static unsigned long expected_pfn(unsigned int order, int migratetype)
{
	bool above[MAX_NUMNODES];

	look_above_watermark(above, order);
	return reference_alloc_any(smp_processor_id(), above, order, migratetype);
}

static bool take(unsigned int order, int migratetype)
{
	unsigned long want = foretold ? expected_pfn(order, migratetype) : 0;
	const struct page *page = alloc_pages(order, migratetype);
	unsigned long pfn = page ? page_to_pfn(page) : NO_PFN;

	must_hold(!foretold || pfn == want, "page %ld, not %ld", (long)pfn, (long)want);
	if (!page)
		return false;
	must_hold(page->_refcount == 1, "%d references", page->_refcount);
	must_hold(pfn % (1UL << order) == 0, "page %lu of order %u", pfn, order);
	blocks[nr_blocks++] = (struct block){pfn, order};
	return true;
}

static void give(unsigned int at)
{
	struct block block = blocks[at];

	blocks[at] = blocks[--nr_blocks];
	if (foretold)
		must_hold(reference_free(smp_processor_id(), block.pfn, block.order), "page %lu",
			block.pfn);
	free_pfn(block.pfn, block.order);
}

/* Up to @most blocks; memory may run out before. */
static void take_many(unsigned int order, int migratetype, unsigned int most)
{
	while (most-- > 0 && take(order, migratetype))
		;
}

static void give_many(unsigned int from, unsigned int most)
{
	while (most-- > 0 && nr_blocks > 0)
		give(from * 7919 % nr_blocks);
}

static void drain(unsigned int node, bool remote)
{
	struct zone *zone = zone_of((int)node % config.nodes);
	int cpu = remote ? (int)next_byte() % config.cpus : smp_processor_id();

	if (!remote)
		drain_local_pages(zone);
	else if (!drain_remote_pages(zone, cpu))
		return;
	if (foretold)
		reference_drain(cpu, (int)node % config.nodes);
}

static void tune(unsigned int node)
{
	if (config.patches & PATCH_BIT(PATCH_PCP_AUTO_TUNE))
		decay_pcp_high(zone_of((int)node % config.nodes), smp_processor_id());
}

/* Which of its pages the reference would give, it can not say: it knows no bulks. */
static void take_bulk(int migratetype, unsigned int most)
{
	struct page *pages[256] = {NULL};
	unsigned long taken;

	if (!(config.patches & PATCH_BIT(PATCH_BULK_ALLOC)))
		return;
	foretold = false;
	taken = alloc_pages_bulk(migratetype, most, NULL, pages);
	must_hold(taken <= most, "%lu pages of %u", taken, most);
	for (unsigned long i = 0; i < taken; i++)
		blocks[nr_blocks++] = (struct block){page_to_pfn(pages[i]), 0};
}

static void call(void)
{
	static const int types[] = {
		MIGRATE_MOVABLE, MIGRATE_UNMOVABLE, MIGRATE_RECLAIMABLE, MIGRATE_MOVABLE};
	unsigned int what = next_byte(), which = next_byte();
	int type = types[which % 4];

	switch (what % 11) {
	case 0:
		run_on(which);
		break;
	case 1:
		(void)take(0, type);
		break;
	case 2:
		(void)take(which / 4 % MAX_ORDER, type);
		break;
	case 3:
		give_many(which, 1);
		break;
	case 4:
		take_many(0, type, which);
		break;
	case 5:
		take_many(which / 4 % MAX_ORDER, type, 16 + next_byte());
		break;
	case 6:
		give_many(which, 1 + next_byte());
		break;
	case 7:
		drain(which, false);
		break;
	case 8:
		drain(which, true);
		break;
	case 9:
		tune(which);
		break;
	default:
		take_bulk(type, which);
	}
}

static void give_all_back(void)
{
	long pages = 0;

	give_many(1, nr_blocks);
	for (int cpu = 0; cpu < config.cpus; cpu++)
		for (int node = 0; node < config.nodes; node++) {
			native_run_on(cpu);
			drain((unsigned int)node, false);
		}
	look();
	for (int node = 0; node < config.nodes; node++)
		pages += zone_page_state_snapshot(zone_of(node), NR_FREE_PAGES);
	must_hold(pages == config.nodes * (long)PAGES_PER_SECTION, "%ld pages", pages);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	input.at = data;
	input.end = data + size;
	boot();
	for (int calls = 0; !is_at_end() && calls < MAX_CALLS; calls++) {
		call();
		look();
	}
	give_all_back();
	return 0;
}
