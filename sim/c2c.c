/* SPDX-License-Identifier: GPL-3.0-or-later */
/* c2c.c - what lines cost, by whose they are. */

#include "c2c.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "../alloc/cluster.h"
#include "../alloc/mmu_gather.h"
#include "lock.h"
#include "report.h"

#define LINE ((uintptr_t)CACHE_LINE)

/* Of a line, or of some that are alike. */
struct cost {
	uint64_t count[NR_C2C_SOURCES];
	sim_time time[NR_C2C_SOURCES];
	sim_time paid[NR_HOLDS];
};

bool c2c_on;

static struct cost *costs;			    /* by line, those of struct pages left out */
static struct cost page_costs[sizeof(struct page)]; /* by offset */
static uintptr_t pages_start, pages_end;
static size_t nr_lines; /* that have an entry in costs */

/* ---- counting ---- */

int c2c_start(const struct watch *watch)
{
	unsigned long pages = (unsigned long)nr_online_nodes * node_data[0]->zone.managed_pages;

	if (!watch || !watch->lines)
		return 0;
	pages_start = (uintptr_t)mem_map;
	pages_end = (uintptr_t)(mem_map + pages);
	nr_lines = (arena_size - (pages_end - pages_start)) / LINE;
	/* few of them are ever used */
	costs = mmap(NULL, nr_lines * sizeof(*costs), PROT_READ | PROT_WRITE,
		MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
	if (costs == MAP_FAILED)
		return -1;
	c2c_on = true;
	return 0;
}

static struct cost *cost_of(uintptr_t address)
{
	if (address >= pages_end)
		return &costs[(address - arena_base - (pages_end - pages_start)) / LINE];
	if (address >= pages_start)
		return &page_costs[address % sizeof(struct page)];
	return &costs[(address - arena_base) / LINE];
}

/* Where the line of entry @i is. */
static uintptr_t address_of(size_t i)
{
	uintptr_t address = arena_base + i * LINE;

	return address < pages_start ? address : address + (pages_end - pages_start);
}

void c2c_add(enum hold hold, uintptr_t address, unsigned int from, sim_time latency)
{
	struct cost *c = cost_of(address);

	if (from == SERVED_L1)
		return;
	c->count[from]++;
	c->time[from] += latency;
	c->paid[hold] += latency;
}

static sim_time time_of(const struct cost *c)
{
	sim_time sum = 0;

	for (int i = 0; i < NR_C2C_SOURCES; i++)
		sum += c->time[i];
	return sum;
}

static bool is_unused(const struct cost *c)
{
	uint64_t sum = 0;

	for (int i = 0; i < NR_C2C_SOURCES; i++)
		sum += c->count[i];
	return sum == 0;
}

static void add_cost(struct cost *to, const struct cost *from)
{
	for (int i = 0; i < NR_C2C_SOURCES; i++) {
		to->count[i] += from->count[i];
		to->time[i] += from->time[i];
	}
	for (int i = 0; i < NR_HOLDS; i++)
		to->paid[i] += from->paid[i];
}

/* ---- fields of the kernel's structures ---- */

struct field {
	const char *name;
	size_t offset, size;
};

#define FIELD(type, member)                                                                        \
	{                                                                                          \
#member, offsetof(struct type, member), sizeof(((struct type *)0)->member)         \
	}

static const struct field page_fields[] = {FIELD(page, flags), FIELD(page, lru),
	FIELD(page, mapping), FIELD(page, index), FIELD(page, private), FIELD(page, _mapcount),
	FIELD(page, _refcount), FIELD(page, mem_cgroup), {NULL}};

static const struct field node_fields[] = {FIELD(pglist_data, node_id), FIELD(pglist_data, memcg),
	FIELD(pglist_data, per_cpu_nodestats), FIELD(pglist_data, zonelist),
	FIELD(pglist_data, lru_lock), FIELD(pglist_data, vm_stat), {NULL}};

static const struct field zone_fields[] = {FIELD(zone, watermark), FIELD(zone, zone_pgdat),
	FIELD(zone, pageset), FIELD(zone, per_cpu_pages), FIELD(zone, pageblock_flags),
	FIELD(zone, zone_start_pfn), FIELD(zone, managed_pages), FIELD(zone, nr_isolate_pageblock),
	FIELD(zone, first_deferred_pfn), FIELD(zone, free_area[0]), FIELD(zone, free_area[1]),
	FIELD(zone, free_area[2]), FIELD(zone, free_area[3]), FIELD(zone, free_area[4]),
	FIELD(zone, free_area[5]), FIELD(zone, free_area[6]), FIELD(zone, free_area[7]),
	FIELD(zone, free_area[8]), FIELD(zone, free_area[9]), FIELD(zone, free_area[10]),
	FIELD(zone, flags), FIELD(zone, lock), FIELD(zone, vm_stat), FIELD(zone, unused_clusters),
	FIELD(zone, fresh_clusters), FIELD(zone, end_of_clusters), FIELD(zone, cluster_length),
	FIELD(zone, cluster_in_progress), {NULL}};
_Static_assert(MAX_ORDER == 11, "all of free_area");

static const struct field memcg_fields[] = {FIELD(mem_cgroup_per_node, lruvec.lists),
	FIELD(mem_cgroup_per_node, lruvec.reclaim_stat), FIELD(mem_cgroup_per_node, lruvec.pgdat),
	FIELD(mem_cgroup_per_node, lru_size), {NULL}};

static const struct field pageset_fields[] = {FIELD(per_cpu_pageset, pcp.count),
	FIELD(per_cpu_pageset, pcp.high), FIELD(per_cpu_pageset, pcp.batch),
	FIELD(per_cpu_pageset, pcp.lists), FIELD(per_cpu_pageset, stat_threshold),
	FIELD(per_cpu_pageset, vm_stat_diff), FIELD(per_cpu_pageset, spare_cluster), {NULL}};

static const struct field order_fields[] = {FIELD(per_cpu_order_pages, lock),
	FIELD(per_cpu_order_pages, count), FIELD(per_cpu_order_pages, high),
	FIELD(per_cpu_order_pages, batch), FIELD(per_cpu_order_pages, flags),
	FIELD(per_cpu_order_pages, free_count), FIELD(per_cpu_order_pages, lists), {NULL}};

static const struct field nodestat_fields[] = {FIELD(per_cpu_nodestat, stat_threshold),
	FIELD(per_cpu_nodestat, vm_node_stat_diff), {NULL}};

static const struct field global_fields[] = {
	FIELD(vm_global_stat, zone), FIELD(vm_global_stat, node), {NULL}};

static const struct field no_fields[] = {{NULL}};

/* ---- what lies where ---- */

/* A part of a structure. */
struct region {
	uintptr_t start, end, base; /* the structure begins at @base */
	const char *name;
	int node; /* -1: all of the kind are taken together */
	const struct field *fields;
};

static struct region *regions;
static size_t nr_regions, max_regions;

static void add_region(const void *base, size_t start, size_t end, const char *name, int node,
	const struct field *fields)
{
	if (base && nr_regions < max_regions)
		regions[nr_regions++] = (struct region){(uintptr_t)base + start,
			(uintptr_t)base + end, (uintptr_t)base, name, node, fields};
}

static void add_pagesets(const struct pglist_data *node)
{
	for (int cpu = 0; cpu < nr_cpu_ids; cpu++) {
		add_region(node->zone.pageset[cpu], 0, sizeof(struct per_cpu_pageset), "pageset",
			-1, pageset_fields);
		add_region(node->zone.per_cpu_pages[cpu], 0, sizeof(struct per_cpu_order_pages),
			"per_cpu_pages", -1, order_fields);
		add_region(node->per_cpu_nodestats[cpu], 0, sizeof(struct per_cpu_nodestat),
			"per_cpu_nodestat", -1, nodestat_fields);
	}
}

static void add_node(const struct pglist_data *node)
{
	size_t zone = offsetof(struct pglist_data, zone);
	const struct zone *z = &node->zone;
	int id = node->node_id;

	add_region(node, 0, zone, "pglist_data", id, node_fields);
	add_region(z, 0, sizeof(*z), "zone", id, zone_fields);
	add_region(node, zone + sizeof(*z), sizeof(*node), "pglist_data", id, node_fields);
	add_region(node->memcg, 0, sizeof(*node->memcg), "mem_cgroup", id, memcg_fields);
	add_region(z->pageblock_flags, 0, z->managed_pages / PAGEBLOCK_NR_PAGES / 2,
		"pageblock_flags", id, no_fields);
	if (z->end_of_clusters)
		add_region(z->end_of_clusters - z->managed_pages / (size_t)z->cluster_length, 0,
			z->managed_pages / (size_t)z->cluster_length * sizeof(struct cluster),
			"clusters", id, no_fields);
	add_pagesets(node);
}

static void add_task(const struct task *task)
{
	add_region(task->lru_pvec, 0, sizeof(*task->lru_pvec), "pagevec", -1, no_fields);
	add_region(task->gather, 0, sizeof(*task->gather), "mmu_gather", -1, no_fields);
	add_region(task->gather_arrays, 0, MAX_GATHER_BATCH_COUNT * sizeof(*task->gather_arrays),
		"mmu_gather pages", -1, no_fields);
}

/* Locks of a workload; those of the kernel's structures are fields of them. */
static void add_lock(const struct lock *lock)
{
	if (lock->class == LOCK_OTHER)
		add_region(
			(const void *)lock->word, 0, sizeof(spinlock_t), lock->name, -1, no_fields);
}

static int by_start(const void *a, const void *b)
{
	const struct region *x = a, *y = b;

	return x->start < y->start ? -1 : x->start > y->start;
}

static int add_regions(const struct task *tasks, unsigned int nr_tasks)
{
	max_regions = (size_t)nr_online_nodes * (5 + 3 * (size_t)nr_cpu_ids) +
		      3 * (size_t)nr_tasks + nr_locks + 1;
	regions = calloc(max_regions, sizeof(*regions));
	if (!regions)
		return -1;
	add_region(vm_global, 0, sizeof(*vm_global), "vm_global", -1, global_fields);
	for (int node = 0; node < nr_online_nodes; node++)
		add_node(node_data[node]);
	for (unsigned int i = 0; i < nr_tasks; i++)
		add_task(&tasks[i]);
	for (unsigned int i = 0; i < nr_locks; i++)
		add_lock(&locks[i]);
	qsort(regions, nr_regions, sizeof(*regions), by_start);
	return 0;
}

/* The last one that begins before the line's end, if it reaches the line. */
static const struct region *region_of(uintptr_t line)
{
	size_t low = 0, high = nr_regions;

	while (low < high) {
		size_t middle = (low + high) / 2;

		if (regions[middle].start < line + LINE)
			low = middle + 1;
		else
			high = middle;
	}
	return low > 0 && regions[low - 1].end > line ? &regions[low - 1] : NULL;
}

/* ---- names ---- */

/* "zone free_area[10], flags, lock", or where there are more fields, "zone watermark..pageset". */
static void print_fields(FILE *out, const struct region *r, uintptr_t line)
{
	const struct field *first = NULL, *last = NULL;

	for (const struct field *f = r->fields; f->name; f++) {
		uintptr_t start = r->base + f->offset, end = start + f->size;

		if (start >= line + LINE || end <= line || start >= r->end || end <= r->start)
			continue;
		first = first ? first : f;
		last = f;
	}
	if (!first)
		return;
	if (last - first > 2) {
		(void)fprintf(out, " %s..%s", first->name, last->name);
		return;
	}
	for (const struct field *f = first; f <= last; f++)
		(void)fprintf(out, "%s %s", f > first ? "," : "", f->name);
}

static void name_line(char *text, size_t size, uintptr_t line)
{
	const struct region *r = region_of(line);
	FILE *out = fmemopen(text, size, "w");

	text[0] = '\0';
	if (!out)
		return;
	if (!r) {
		(void)fprintf(out, "the workload's own");
	} else {
		(void)fprintf(out, "%s", r->name);
		print_fields(out, r, line);
		if (r->node >= 0)
			(void)fprintf(out, " node %d", r->node);
	}
	(void)fclose(out);
	text[size - 1] = '\0';
}

static void name_page_field(char *text, size_t size, size_t offset)
{
	const struct field *f = page_fields;

	while (f[1].name && offset >= f[1].offset)
		f++;
	(void)snprintf(text, size, "struct page %s", f->name);
}

/* ---- the list ---- */

struct group {
	char name[sizeof(((struct line_report *)0)->name)];
	uint64_t lines;
	struct cost cost;
};

static struct group *groups;
static size_t nr_groups, max_groups;

static int add_to_group(const char *name, uint64_t lines, const struct cost *cost)
{
	size_t i = 0;

	while (i < nr_groups && strcmp(groups[i].name, name) != 0)
		i++;
	if (i == nr_groups) {
		if (nr_groups == max_groups) {
			max_groups = max_groups ? 2 * max_groups : 256;
			struct group *more = realloc(groups, max_groups * sizeof(*more));

			if (!more)
				return -1;
			groups = more;
		}
		groups[nr_groups] = (struct group){.lines = 0};
		(void)snprintf(groups[nr_groups++].name, sizeof(groups[i].name), "%s", name);
	}
	groups[i].lines += lines;
	add_cost(&groups[i].cost, cost);
	return 0;
}

static int make_groups(void)
{
	char name[sizeof(groups[0].name)];

	for (size_t i = 0; i < nr_lines; i++) {
		if (is_unused(&costs[i]))
			continue;
		name_line(name, sizeof(name), address_of(i));
		if (add_to_group(name, 1, &costs[i]))
			return -1;
	}
	for (size_t i = 0; i < sizeof(struct page); i++) {
		if (is_unused(&page_costs[i]))
			continue;
		name_page_field(name, sizeof(name), i);
		/* of how many pages is not known */
		if (add_to_group(name, 0, &page_costs[i]))
			return -1;
	}
	return 0;
}

static int dearest_first(const void *a, const void *b)
{
	const struct group *x = a, *y = b;
	sim_time s = time_of(&x->cost), t = time_of(&y->cost);

	if (s != t)
		return s > t ? -1 : 1;
	return strcmp(x->name, y->name);
}

static void report_group(const struct group *g, struct line_report *r)
{
	_Static_assert(NR_C2C_SOURCES <= POINT_SOURCES, "room for all sources");
	_Static_assert(NR_HOLDS == POINT_PAYERS, "room for all that pay");
	(void)snprintf(r->name, sizeof(r->name), "%s", g->name);
	r->lines = g->lines;
	for (int i = 0; i < NR_C2C_SOURCES; i++) {
		r->sources[i].name = i == C2C_HAND_OVER ? "hand-over" : served_names[i];
		r->sources[i].count = g->cost.count[i];
		r->sources[i].seconds = (double)g->cost.time[i] / PS_PER_SECOND;
	}
	for (int i = 0; i < NR_HOLDS; i++) {
		r->payers[i].name = hold_names[i];
		r->payers[i].seconds = (double)g->cost.paid[i] / PS_PER_SECOND;
	}
}

/* What there is no room for goes into the last one. */
static void report_groups(struct point_result *result)
{
	const size_t most = POINT_MAX_LINES;

	if (nr_groups > most) {
		struct group *rest = &groups[most - 1];

		for (size_t i = most; i < nr_groups; i++) {
			add_cost(&rest->cost, &groups[i].cost);
			rest->lines += groups[i].lines;
		}
		(void)snprintf(rest->name, sizeof(rest->name), "all others");
		nr_groups = most;
	}
	for (size_t i = 0; i < nr_groups; i++)
		report_group(&groups[i], &result->lines[result->nr_lines++]);
}

void c2c_report(const struct task *tasks, unsigned int nr_tasks, struct point_result *result)
{
	if (!c2c_on)
		return;
	c2c_on = false;
	result->lines_asked = true;
	if (add_regions(tasks, nr_tasks) || make_groups()) {
		sim_fail("the host has too little memory");
	} else {
		if (nr_groups)
			qsort(groups, nr_groups, sizeof(groups[0]), dearest_first);
		report_groups(result);
	}
	free(regions);
	free(groups);
	(void)munmap(costs, nr_lines * sizeof(*costs));
}
