/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * point.h - one complete configuration, and what simulating it gave.
 */
#ifndef ZONESIM_POINT_H
#define ZONESIM_POINT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "../alloc/kernel.h"
#include "../models/coefficients.h"
#include "../models/machine.h"

struct error;
struct workload;

/* What to look at in a run beside its results, which it changes by nothing. */
struct watch {
	const char *timeline; /* a file for what CPUs and locks did; NULL: none */
	double from, to;      /* the window of simulated time that it has, seconds */
	bool lines;	      /* which cache lines cost most */
	bool functions;	      /* whose the instructions under locks are */
};

/* Everything that decides a result. Plain data; @machine and @workload are not owned. */
struct point {
	const struct machine *machine;
	struct coefficients coefficients;
	const struct kernel_info *kernel;
	patch_set patches; /* effective: the release's own, with the scenario's added and removed */
	const struct workload *workload;
	double parameters[8]; /* the workload's, in the order of its option table, base units */
	unsigned int tasks;
	unsigned int pcp_batch, pcp_high;	    /* 0: what the kernel chooses */
	unsigned int percpu_pagelist_fraction;	    /* 0: off; before pcp-high-by-zone */
	unsigned int percpu_pagelist_high_fraction; /* 0: off; since */
	double precision; /* half width of the 95% confidence interval over the score; 0.005 is 0.5%
			   */
	double time_limit; /* simulated seconds */
	uint64_t seed;
	const struct watch *watch; /* decides nothing; NULL: look at nothing more */
};

/* A measured quantity. The strings are static. */
struct metric {
	const char *name, *unit, *help;
	double mean;
	double ci95;	/* half width of the 95% confidence interval, same unit */
	double degrees; /* of freedom, that the interval rests on */
};

#define LOCK_REPORT_BUCKETS 32

/* One lock class in the columns of /proc/lock_stat; times in seconds. */
struct lock_report {
	char name[40]; /* "zone->lock node 0" */
	uint64_t con_bounces, contentions;
	double wait_min, wait_max, wait_total;
	uint64_t acq_bounces, acquisitions;
	double hold_min, hold_max, hold_total;
	/* how many took [2^i, 2^(i+1)) nanoseconds */
	uint64_t wait_buckets[LOCK_REPORT_BUCKETS], hold_buckets[LOCK_REPORT_BUCKETS];
};

#define POINT_WAITS 4
#define POINT_SOURCES 16

/* What the holds of all locks for one purpose were made of; times in seconds, all together. */
struct hold_report {
	const char *name, *help; /* static */
	uint64_t count;
	double total;	    /* held */
	double handed_over; /* before, from another CPU's release on */
	struct {
		const char *name; /* static */
		double seconds;
	} waits[POINT_WAITS];		/* of the total */
	uint64_t served[POINT_SOURCES]; /* accesses, by where they were served from */
};

/* The score over time: what the tasks of a node did, and in how long, batch by batch. */
struct batch_series {
	unsigned int nodes; /* that work alike, and whose batches these are */
	unsigned int each;  /* rounds of the workload in a batch */
	size_t warm_up, nr; /* how many were dropped at the front, and how many there are */
	double *seconds, *work;
};

/* What a timeline has. */
struct timeline_report {
	bool asked;
	uint64_t spans;
	bool cut;	 /* there would have been too many */
	double from, to; /* its window, seconds */
};

#define POINT_PAYERS 5

/* A cache line, or some that are alike: what it took to get it to a core; times are added up. */
struct line_report {
	char name[80];
	uint64_t lines; /* 0: not counted */
	struct {
		const char *name; /* static */
		uint64_t count;
		double seconds;
	} sources[POINT_SOURCES]; /* without a name: none */
	struct {
		const char *name; /* static */
		double seconds;
	} payers[POINT_PAYERS]; /* by what they held meanwhile */
};

/* What a function of the allocator executes under locks, all holds together. */
struct function_report {
	const char *name; /* static */
	size_t hold;	  /* which of the result's holds */
	uint64_t instructions;
	double seconds;
};

struct counter {
	const char *name, *help; /* static */
	uint64_t value;
};

#define POINT_MAX_METRICS 32
#define POINT_MAX_COUNTERS 48
#define POINT_MAX_LOCKS 64
#define POINT_MAX_LINES 64
#define POINT_MAX_FUNCTIONS 96
#define POINT_MAX_SERIES 8
#define POINT_MAX_BATCHES 256

enum point_status {
	POINT_OK,
	POINT_IMPRECISE, /* stopped at the time limit before the precision was reached */
	POINT_FAILED,	 /* @failure says why: out of memory, a deadlock, a broken invariant */
};

struct point_result {
	enum point_status status;
	int exit_status; /* what the command should end with for this point */
	char failure[256];
	unsigned int batch, high; /* as used */
	struct metric metrics[POINT_MAX_METRICS];
	size_t nr_metrics;
	struct lock_report locks[POINT_MAX_LOCKS];
	size_t nr_locks;
	struct hold_report holds[3];
	size_t nr_holds;
	struct counter served[POINT_MAX_COUNTERS]; /* where accesses were served from */
	size_t nr_served;
	struct counter counters[POINT_MAX_COUNTERS]; /* vmstat-like: refills, drains, merges, ... */
	size_t nr_counters;
	struct batch_series series[POINT_MAX_SERIES]; /* their arrays are owned */
	size_t nr_series;
	struct timeline_report timeline;
	bool lines_asked, functions_asked;
	struct line_report lines[POINT_MAX_LINES]; /* the dearest first */
	size_t nr_lines;
	struct function_report functions[POINT_MAX_FUNCTIONS]; /* the same, hold by hold */
	size_t nr_functions;
	char *zoneinfo, *buddyinfo, *pagetypeinfo,
		*vmstat;     /* text at the end of the run; owned, may be NULL */
	double simulated;    /* seconds, warm-up included */
	double warm_up;	     /* seconds dropped */
	double wall;	     /* seconds of host time */
	double charged_wall; /* of them, those after the fast forward */
	uint64_t max_rss;    /* bytes of host memory */
	uint64_t accesses;   /* modelled memory accesses */
};

/*
 * point_run - simulate a point. May be called once per process (SimGrid can not start twice).
 * Fills @result always; point_result_free releases what it owns.
 */
void point_run(const struct point *point, struct point_result *result);
void point_result_free(struct point_result *result);

/*
 * point_check - refuse what can not be simulated: more tasks than CPUs, high below batch, patches
 * that exclude each other, a region larger than the machine's memory.
 * Returns 0, or -1 with a one-line reason in @why and the scenario key it belongs to in @key
 * (static string such as "pcp.high").
 */
int point_check(const struct point *point, const char **key, char *why, size_t size);

#endif
