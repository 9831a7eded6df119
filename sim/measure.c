/* SPDX-License-Identifier: GPL-3.0-or-later */
/* measure.c - rounds, warm-up, stopping, metrics. */

#include "measure.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "../alloc/mm.h"
#include "lock.h"
#include "memory.h"
#include "statistics.h"
#include "wait.h"
#include "workload.h"

#define LIMIT_PIECES 1000

/* ---- what is measured together ---- */

/*
 * Nodes with equally many tasks do the same work apart from each other, so their rounds are taken
 * together.
 */
struct group {
	unsigned int tasks, nodes; /* tasks of each node */
	double *rounds[NR_SERIES];
	size_t nr_rounds, capacity;
};

struct node {
	unsigned int tasks;
	struct group *group;
	uint64_t work, next;	 /* work done, and at which amount a round ends */
	double since[NR_SERIES]; /* totals when the last round ended */
	double counts[MAX_WORKLOAD_COUNTS];
	size_t nr_rounds;
	bool started;  /* the first round, in this replication */
	bool complete; /* this replication's round, likewise */
};

static struct group groups[MAX_NUMNODES];
static unsigned int nr_groups;
static struct node nodes[MAX_NUMNODES];
static size_t all_rounds, next_look; /* rounds at which the precision is looked at again */
static bool replicated;
static unsigned int replications, replications_begun; /* that are over; the first needs no call */
static const struct point *measured;
static const struct task *measured_tasks;
static uint64_t round_work; /* of one task */
static bool precise;
static double charged_since; /* host time */

/* Which of nodes[] a socket's tasks, locks and events belong to. */
static unsigned int node_of(unsigned int socket)
{
	return measured->workload->coupled ? 0 : socket;
}

static double seconds(sim_time time)
{
	return (double)time / PS_PER_SECOND;
}

/* ---- rounds ---- */

static void add_lock(double total[NR_SERIES], const struct lock *lock)
{
	const struct lock_times *alloc = &lock->hold[HOLD_ZONE_ALLOC];
	const struct lock_times *free = &lock->hold[HOLD_ZONE_FREE];

	if (lock->class == LOCK_ZONE) {
		total[SERIES_ZONE_TAKEN] += (double)lock->acquisitions;
		total[SERIES_HOLD_ALLOC] += seconds(alloc->total);
		total[SERIES_ALLOCS] += (double)alloc->count;
		total[SERIES_HOLD_FREE] += seconds(free->total);
		total[SERIES_FREES] += (double)free->count;
	} else if (lock->class == LOCK_LRU) {
		total[SERIES_LRU_TAKEN] += (double)lock->acquisitions;
		total[SERIES_LRU_HOLD] += seconds(lock->hold[HOLD_LRU].total);
	}
}

static void add_events(double total[NR_SERIES], unsigned int node)
{
	for (unsigned int socket = 0; socket < MAX_NUMNODES; socket++)
		for (int i = 0; i < NR_VM_EVENT_ITEMS && node_of(socket) == node; i++)
			total[SERIES_EVENT + i] += (double)vm_events[socket][i];
}

/* They are counted for the machine as a whole: every node is taken to have its share. */
static void add_cache_lines(double total[NR_SERIES])
{
	uint64_t misses = memory_data_lines[DATA_FAR], hits = memory_data_lines[DATA_NEAR];

	for (int hold = 0; hold < NR_HOLDS; hold++) {
		misses +=
			memory_served[SERVED_DRAM][hold] + memory_served[SERVED_DRAM_REMOTE][hold];
		for (int i = SERVED_LLC; i <= SERVED_LLC_REMOTE; i++)
			hits += memory_served[i][hold];
	}
	total[SERIES_LLC_MISSES] = (double)misses;
	total[SERIES_LLC_REFERENCES] = (double)(misses + hits);
}

static void totals(unsigned int node, sim_time now, double total[NR_SERIES])
{
	const struct node *n = &nodes[node];

	memset(total, 0, NR_SERIES * sizeof(total[0]));
	total[SERIES_TIME] = seconds(now);
	total[SERIES_WORK] = (double)n->work;
	total[SERIES_TASK_TIME] = n->tasks * seconds(now);
	total[SERIES_TASK_CYCLES] = total[SERIES_TASK_TIME] * measured->machine->base_clock;
	for (unsigned int i = 0; i < measured->tasks; i++) {
		const struct cpu *cpu = measured_tasks[i].cpu;

		if (node_of(cpu->socket) != node)
			continue;
		total[SERIES_ZONE_SPIN] += seconds(cpu->spun[LOCK_ZONE]);
		total[SERIES_LRU_SPIN] += seconds(cpu->spun[LOCK_LRU]);
	}
	for (unsigned int i = 0; i < nr_locks; i++)
		if (node_of((unsigned int)locks[i].node) == node)
			add_lock(total, &locks[i]);
	add_cache_lines(total);
	memcpy(&total[SERIES_WORKLOAD], n->counts, sizeof(n->counts));
	add_events(total, node);
}

static int grow(struct group *g)
{
	size_t capacity = g->capacity ? 2 * g->capacity : 64;

	for (int i = 0; i < NR_SERIES; i++) {
		double *rounds = realloc(g->rounds[i], capacity * sizeof(double));

		if (!rounds)
			return -1;
		g->rounds[i] = rounds;
	}
	g->capacity = capacity;
	return 0;
}

/* The first end of a round only starts the clock. */
static void end_round(struct node *n, unsigned int node, sim_time now)
{
	struct group *g = n->group;
	double total[NR_SERIES];
	bool first = !n->started;

	totals(node, now, total);
	if (!first && g->nr_rounds == g->capacity && grow(g)) {
		sim_fail("the host has too little memory");
		return;
	}
	for (int i = 0; i < NR_SERIES; i++) {
		if (!first)
			g->rounds[i][g->nr_rounds] = total[i] - n->since[i];
		n->since[i] = total[i];
	}
	n->started = true;
	n->complete = !first && replicated;
	n->nr_rounds += !first;
	g->nr_rounds += !first;
	all_rounds += !first;
}

/* ---- estimates ---- */

/*
 * Rounds to leave out at the front, judged by their durations. Those of replications have each been
 * warmed up for.
 */
static size_t warm_up(const struct group *g)
{
	return replicated ? 0 : mser_truncation(g->rounds[SERIES_TIME], g->nr_rounds);
}

static struct estimate group_ratio(const struct group *g, enum series top, enum series bottom)
{
	size_t dropped = warm_up(g);

	return ratio_of_means(
		g->rounds[top] + dropped, g->rounds[bottom] + dropped, g->nr_rounds - dropped);
}

/* How much of @series per second, all nodes together. */
static struct estimate rate(enum series series)
{
	struct estimate sum = {0, 0, 0};

	for (unsigned int i = 0; i < nr_groups; i++)
		sum = estimate_add(sum, estimate_scale(group_ratio(&groups[i], series, SERIES_TIME),
						groups[i].nodes));
	return sum;
}

/* @top over @bottom, all together: the groups' ratios, weighed by how much of @bottom each has. */
static struct estimate ratio(enum series top, enum series bottom)
{
	struct estimate sum = {0, 0, 0};
	double all = rate(bottom).mean;

	for (unsigned int i = 0; i < nr_groups && all > 0; i++) {
		const struct group *g = &groups[i];
		double weight = g->nodes * group_ratio(g, bottom, SERIES_TIME).mean / all;

		sum = estimate_add(sum, estimate_scale(group_ratio(g, top, bottom), weight));
	}
	return sum;
}

static struct estimate estimate_metric(const struct workload_metric *m)
{
	return m->bottom == SERIES_TIME ? rate(m->top) : ratio(m->top, m->bottom);
}

/* The fewest rounds, one at least of each node, that are taken for a measurement. */
#define MIN_ROUNDS 4

static bool enough_rounds(void)
{
	for (unsigned int i = 0; i < MAX_NUMNODES; i++)
		if (nodes[i].tasks && !nodes[i].nr_rounds)
			return false;
	for (unsigned int i = 0; i < nr_groups; i++)
		if (groups[i].nr_rounds < MIN_ROUNDS)
			return false;
	return true;
}

static bool is_precise(struct estimate e)
{
	return estimate_ci95(e) <= measured->precision * e.mean;
}

static bool precise_enough(void)
{
	if (!enough_rounds() || !is_precise(rate(SERIES_WORK)))
		return false;
	for (const struct workload_metric *m = measured->workload->metrics; m && m->name; m++)
		if (m->decides && !is_precise(estimate_metric(m)))
			return false;
	return true;
}

/* ---- watching ---- */

/* Rounds are cut while all fault, not where some have begun to unmap. */
static void start_replication(struct node *n)
{
	n->next = n->work + n->tasks * round_work / 4;
	n->started = n->complete = false;
}

static bool all_complete(void)
{
	for (unsigned int i = 0; i < MAX_NUMNODES; i++)
		if (nodes[i].tasks && !nodes[i].complete)
			return false;
	return true;
}

static void look(void)
{
	if (all_rounds < next_look)
		return;
	/* a look goes over all rounds: short ones must not make it dear */
	next_look = all_rounds + all_rounds / 20 + 1;
	precise = precise_enough();
	sim_stopping |= precise;
}

void measure_work(struct task *task, unsigned long units)
{
	unsigned int node = node_of(task->cpu->socket);
	struct node *n = &nodes[node];

	if (task->cpu->fast_forward_left)
		return;
	n->work += units;
	if (n->work < n->next || n->complete || sim_stopping)
		return;
	while (n->work >= n->next)
		n->next += n->tasks * round_work;
	end_round(n, node, task->cpu->clock);
	if (replicated) {
		/* nodes get equally many rounds */
		if (!all_complete())
			return;
		replications++;
	}
	look();
}

unsigned int measure_replications(void)
{
	return replications;
}

void measure_begin_replication(unsigned int replication)
{
	if (replication == replications_begun)
		return;
	replications_begun = replication;
	for (unsigned int i = 0; i < MAX_NUMNODES; i++)
		start_replication(&nodes[i]);
}

void measure_count(const struct task *task, unsigned int count, double amount)
{
	if (!task->cpu->fast_forward_left)
		nodes[node_of(task->cpu->socket)].counts[count] += amount;
}

static void stop_at_limit(void *unused)
{
	(void)unused;
	/* time stands still while fast forward */
	engine_advance(1);
	charged_since = host_seconds();
	/* in pieces, so that a run that is over does not wait for its limit */
	for (int i = 0; i < LIMIT_PIECES && !sim_stopping; i++)
		engine_advance(seconds_to_ps(measured->time_limit / LIMIT_PIECES));
	if (wait_sleepers() == measured->tasks)
		sim_broken("all %u tasks sleep, and no one is left to wake them", measured->tasks);
	sim_stopping = true;
	wait_end();
}

static int join_group(struct node *n)
{
	struct group *g = groups;

	while (g < groups + nr_groups && g->tasks != n->tasks)
		g++;
	n->group = g;
	g->nodes++;
	if (g < groups + nr_groups)
		return 0;
	g->tasks = n->tasks;
	nr_groups++;
	return grow(g);
}

int measure_start(const struct point *point, struct task *tasks)
{
	measured = point;
	measured_tasks = tasks;
	round_work = point->workload->work_per_round(point);
	for (unsigned int i = 0; i < point->tasks; i++)
		nodes[node_of(tasks[i].cpu->socket)].tasks++;
	for (unsigned int i = 0; i < MAX_NUMNODES; i++) {
		if (nodes[i].tasks && join_group(&nodes[i]))
			return -1;
		/* a task alone has no one to be in step with */
		replicated |= nodes[i].tasks > 1 && point->workload->between_rounds;
		start_replication(&nodes[i]);
	}
	return engine_start("limit", 0, stop_at_limit, NULL) ? 0 : -1;
}

/* ---- metrics ---- */

static void add(struct point_result *r, const char *name, const char *unit, struct estimate e,
	double scale, const char *help)
{
	e = estimate_scale(e, scale);
	r->metrics[r->nr_metrics++] =
		(struct metric){name, unit, help, e.mean, estimate_ci95(e), e.degrees};
}

static void add_metrics(struct point_result *r)
{
	const struct workload *w = measured->workload;
	double tasks = measured->tasks;

	add(r, "score", w->rate, rate(SERIES_WORK), 1, w->rate_help);
	add(r, "per_process_ops", w->rate, rate(SERIES_WORK), 1 / tasks,
		"score divided by the number of tasks");
	for (const struct workload_metric *m = w->metrics; m && m->name; m++)
		add(r, m->name, m->unit, estimate_metric(m), m->scale, m->help);
	add(r, "zone_lock_spin_share", "percent", rate(SERIES_ZONE_SPIN), 100 / tasks,
		"time that tasks wait for zone locks, in percent of all task CPU time");
	add(r, "lru_lock_spin_share", "percent", rate(SERIES_LRU_SPIN), 100 / tasks,
		"time that tasks wait for LRU locks, in percent of all task CPU time");
	add(r, "zone_lock_hold_alloc", "ns", ratio(SERIES_HOLD_ALLOC, SERIES_ALLOCS), 1e9,
		"mean time a zone lock is held to refill a pageset, per acquisition");
	add(r, "zone_lock_hold_free", "ns", ratio(SERIES_HOLD_FREE, SERIES_FREES), 1e9,
		"mean time a zone lock is held to drain a pageset, per acquisition");
	add(r, "zone_lock_acquisitions", "1/s", rate(SERIES_ZONE_TAKEN), 1,
		"zone locks taken per second, all nodes together");
	add(r, "lru_lock_hold", "ns", ratio(SERIES_LRU_HOLD, SERIES_LRU_TAKEN), 1e9,
		"mean time an LRU lock is held, per acquisition");
	add(r, "lru_lock_acquisitions", "1/s", rate(SERIES_LRU_TAKEN), 1,
		"LRU locks taken per second, all nodes together");
}

/* A node's time that is not measured, on average: all but that of the rounds that count. */
static double warm_up_seconds(void)
{
	double sum = 0;
	unsigned int busy = 0;

	for (unsigned int i = 0; i < MAX_NUMNODES; i++) {
		sum += nodes[i].since[SERIES_TIME];
		busy += nodes[i].tasks > 0;
	}
	for (unsigned int i = 0; i < nr_groups; i++)
		for (size_t k = warm_up(&groups[i]); k < groups[i].nr_rounds; k++)
			sum -= groups[i].rounds[SERIES_TIME][k];
	return busy ? sum / busy : 0;
}

/* The rounds of a group, neighbours taken together where there are very many. */
static void keep_series(const struct group *g, struct batch_series *s)
{
	size_t each = g->nr_rounds / POINT_MAX_BATCHES + 1;

	s->seconds = calloc(g->nr_rounds / each + 1, sizeof(double));
	s->work = calloc(g->nr_rounds / each + 1, sizeof(double));
	if (!s->seconds || !s->work)
		return;
	s->nodes = g->nodes;
	s->each = (unsigned int)each;
	s->warm_up = warm_up(g) / each;
	s->nr = g->nr_rounds / each;
	for (size_t i = 0; i < s->nr * each; i++) {
		s->seconds[i / each] += g->rounds[SERIES_TIME][i];
		s->work[i / each] += g->rounds[SERIES_WORK][i];
	}
}

void measure_finish(const struct point *point, struct point_result *r)
{
	add_metrics(r);
	precise = precise || precise_enough();
	/* the limit's actor may have slept past the end */
	for (unsigned int i = 0; i < point->tasks; i++)
		if (seconds(measured_tasks[i].cpu->clock) > r->simulated)
			r->simulated = seconds(measured_tasks[i].cpu->clock);
	r->charged_wall = host_seconds() - charged_since;
	r->warm_up = warm_up_seconds();
	for (unsigned int i = 0; i < nr_groups && i < POINT_MAX_SERIES; i++)
		keep_series(&groups[i], &r->series[r->nr_series++]);
	for (unsigned int i = 0; i < nr_groups; i++)
		for (int series = 0; series < NR_SERIES; series++)
			free(groups[i].rounds[series]);
	if (!precise)
		r->status = POINT_IMPRECISE;
}
