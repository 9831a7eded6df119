/* SPDX-License-Identifier: GPL-3.0-or-later */
/* measure.c - samples, warm-up, stopping, metrics. */

#include "measure.h"

#include <math.h>
#include <stdlib.h>

#include "lock.h"
#include "statistics.h"
#include "workload.h"

#define SAMPLES_PER_LIMIT 4000 /* at the time limit there are this many */
#define CHECK_EVERY 50	       /* samples between looks at the precision */
#define MIN_SAMPLES 200

/* What a sample counts, each as the amount in its interval. */
enum series {
	SERIES_WORK,	   /* units of the score */
	SERIES_ZONE_SPIN,  /* CPU seconds waited for zone locks */
	SERIES_LRU_SPIN,   /* for LRU locks */
	SERIES_ZONE_TAKEN, /* acquisitions of zone locks */
	SERIES_HOLD_ALLOC, /* seconds of zone-lock holds that refilled a pageset, */
	SERIES_ALLOCS,	   /* and how many */
	SERIES_HOLD_FREE,  /* seconds of holds that drained one, */
	SERIES_FREES,	   /* and how many */
	SERIES_LRU_HOLD,   /* seconds of LRU-lock holds, */
	SERIES_LRU_TAKEN,  /* and how many */
	NR_SERIES
};

static struct measurement {
	const struct point *point;
	struct task *tasks;
	struct cpu *cpus_of_tasks;
	sim_time interval, limit;
	size_t nr_samples, capacity;
	double *samples[NR_SERIES];
	double total[NR_SERIES]; /* at the last sample */
	bool precise;
} m;

static double seconds(sim_time time)
{
	return (double)time / PS_PER_SECOND;
}

/* ---- sampling ---- */

static void add_lock(double total[NR_SERIES], const struct lock *lock)
{
	const struct lock_times *alloc = &lock->hold[HOLD_ZONE_ALLOC], *free = &lock->hold[HOLD_ZONE_FREE];

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

static void totals(double total[NR_SERIES])
{
	for (int i = 0; i < NR_SERIES; i++)
		total[i] = 0;
	for (unsigned int i = 0; i < m.point->tasks; i++) {
		const struct task *task = &m.tasks[i];

		total[SERIES_WORK] += (double)task->work;
		total[SERIES_ZONE_SPIN] += seconds(task->cpu->spun[LOCK_ZONE]);
		total[SERIES_LRU_SPIN] += seconds(task->cpu->spun[LOCK_LRU]);
	}
	for (unsigned int i = 0; i < nr_locks; i++)
		add_lock(total, &locks[i]);
}

static void sample(void)
{
	double total[NR_SERIES];

	totals(total);
	for (int i = 0; i < NR_SERIES; i++) {
		m.samples[i][m.nr_samples] = total[i] - m.total[i];
		m.total[i] = total[i];
	}
	m.nr_samples++;
}

/* ---- stopping ---- */

static size_t warm_up(void)
{
	return mser_truncation(m.samples[SERIES_WORK], m.nr_samples);
}

/*
 * Enough is measured when the interval is narrow, and when after the warm-up every task has done a
 * whole round on average: a shorter stretch sees only a part of what rounds do.
 */
static bool precise_enough(void)
{
	size_t dropped = warm_up(), kept = m.nr_samples - dropped;
	struct estimate e = batch_means(m.samples[SERIES_WORK] + dropped, kept);
	double round = (double)m.point->workload->work_per_round(m.point) * m.point->tasks;

	return e.mean * (double)kept >= round && e.ci95 <= m.point->precision * e.mean;
}

static void watch(void *unused)
{
	(void)unused;
	/* tasks start at time 0 with what they did while fast forward */
	engine_advance(m.interval);
	totals(m.total);
	while (!sim_stopping && m.nr_samples < m.capacity) {
		engine_advance(m.interval);
		sample();
		if (m.nr_samples % CHECK_EVERY || m.nr_samples < MIN_SAMPLES)
			continue;
		m.precise = precise_enough();
		if (m.precise)
			break;
	}
	sim_stopping = true;
}

int measure_start(const struct point *point, struct task *tasks)
{
	m.point = point;
	m.tasks = tasks;
	m.capacity = SAMPLES_PER_LIMIT;
	m.interval = seconds_to_ps(point->time_limit / SAMPLES_PER_LIMIT);
	for (int i = 0; i < NR_SERIES; i++) {
		m.samples[i] = calloc(m.capacity, sizeof(double));
		if (!m.samples[i])
			return -1;
	}
	return engine_start("measure", 0, watch, NULL) ? 0 : -1;
}

/* ---- metrics ---- */

static void add(struct point_result *r, const char *name, const char *unit, struct estimate e,
	double scale, const char *help)
{
	r->metrics[r->nr_metrics++] =
		(struct metric){name, unit, help, e.mean * scale, e.ci95 * scale};
}

static void add_ratio(struct point_result *r, const char *name, const char *unit,
	enum series top, enum series bottom, size_t dropped, const char *help)
{
	struct estimate e = batch_ratio(
		m.samples[top] + dropped, m.samples[bottom] + dropped, m.nr_samples - dropped);

	add(r, name, unit, e, 1e9, help);
}

void measure_finish(const struct point *point, struct point_result *r)
{
	size_t dropped = warm_up(), n = m.nr_samples - dropped;
	double interval = seconds(m.interval), tasks = point->tasks;
	double share = 100 / (tasks * interval);
	struct estimate e[NR_SERIES];

	for (int i = 0; i < NR_SERIES; i++)
		e[i] = batch_means(m.samples[i] + dropped, n);
	add(r, "score", "pages/s", e[SERIES_WORK], 1 / interval,
		"pages faulted per second, all tasks together");
	add(r, "per_process_ops", "pages/s", e[SERIES_WORK], 1 / (interval * tasks),
		"score divided by the number of tasks");
	add(r, "zone_lock_spin_share", "percent", e[SERIES_ZONE_SPIN], share,
		"time that tasks wait for zone locks, in percent of all task CPU time");
	add(r, "lru_lock_spin_share", "percent", e[SERIES_LRU_SPIN], share,
		"time that tasks wait for LRU locks, in percent of all task CPU time");
	add_ratio(r, "zone_lock_hold_alloc", "ns", SERIES_HOLD_ALLOC, SERIES_ALLOCS, dropped,
		"mean time a zone lock is held to refill a pageset, per acquisition");
	add_ratio(r, "zone_lock_hold_free", "ns", SERIES_HOLD_FREE, SERIES_FREES, dropped,
		"mean time a zone lock is held to drain a pageset, per acquisition");
	add(r, "zone_lock_acquisitions", "1/s", e[SERIES_ZONE_TAKEN], 1 / interval,
		"zone locks taken per second, all nodes together");
	add_ratio(r, "lru_lock_hold", "ns", SERIES_LRU_HOLD, SERIES_LRU_TAKEN, dropped,
		"mean time an LRU lock is held, per acquisition");
	add(r, "lru_lock_acquisitions", "1/s", e[SERIES_LRU_TAKEN], 1 / interval,
		"LRU locks taken per second, all nodes together");
	r->warm_up = (double)dropped * interval;
	r->simulated = (double)m.nr_samples * interval;
	if (r->status == POINT_OK && !m.precise)
		r->status = POINT_IMPRECISE;
}
