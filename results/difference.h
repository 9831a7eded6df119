/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * difference.h - is one configuration better than another, or is that only what seeds do?
 */
#ifndef ZONESIM_DIFFERENCE_H
#define ZONESIM_DIFFERENCE_H

#include <stddef.h>

#include "rows.h"

/* One metric of one configuration, by seed. */
struct run_set {
	double *seeds;
	struct measured *values;
	size_t nr;
};

/* What an interval rests on. */
enum basis {
	BY_PAIRS,  /* seeds that both have, at least MIN_SEEDS: differences seed by seed */
	BY_SEEDS,  /* at least MIN_SEEDS of either: their spread */
	BY_ROUNDS, /* the confidence intervals of the runs themselves, made wider */
	BY_NOTHING,
};

#define MIN_SEEDS 3

/*
 * Runs of different seeds were found 0.6 to 1.6 times as far apart as their intervals say, and up
 * to three times where few rounds followed each other, of which most are too short for any verdict
 * (docs/COMPARE.md).
 */
#define ROUNDS_WIDEN 2

/* With fewer degrees of freedom than this, a run is too short to say anything against another. */
#define ROUNDS_MIN_DEGREES 5

enum verdict_of_difference {
	DIFFERENCE_SEEN,
	DIFFERENCE_NOT_SEEN, /* the interval has 0 in it */
	DIFFERENCE_UNKNOWN,  /* too few rounds, or no interval at all */
};

struct difference {
	double base, patched;		    /* means over seeds */
	double base_spread, patched_spread; /* standard deviation between seeds over the mean, in
					     * percent; of one seed, that of its own interval */
	double change, half;		    /* patched less base, with its 95% interval */
	double percent, percent_half;	    /* the same over base; NAN when that is 0 */
	enum basis basis;
	enum verdict_of_difference verdict;
};

/*
 * difference_of - compare two sets of runs. Values that are NAN do not count. With runs on one side
 * only, what can not be known is NAN.
 */
struct difference difference_of(const struct run_set *base, const struct run_set *patched);

/*
 * run_set_mean - the mean over seeds with its 95% interval: by the spread between seeds where there
 * are MIN_SEEDS, else by the runs' own intervals.
 */
struct measured run_set_mean(const struct run_set *set);

/* "no difference seen", and so on; and what an interval rests on, in a few words. */
const char *difference_verdict_text(const struct difference *d);
const char *difference_basis_text(enum basis basis);

#endif
