/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * tune.h - a search for the settings that make a goal large, which does not take noise for gain.
 *
 * The settings to vary are numbers, looked at on a logarithmic scale. The search begins with a grid
 * over their ranges, one seed each. Then it goes on in turns: the leaders get further seeds until
 * each has TUNE_SEEDS; the best of these gets neighbours, at steps that halve when none is new. A
 * candidate of one lucky seed can so lead for a turn, but not win.
 */
#ifndef ZONESIM_TUNE_H
#define ZONESIM_TUNE_H

#include <stdbool.h>
#include <stddef.h>

#include "../results/difference.h"

#define TUNE_MAX_DIMENSIONS 4
#define TUNE_SEEDS 3	   /* before a candidate may win */
#define TUNE_MOST_SEEDS 10 /* of one candidate */

/* A setting to vary: whole numbers from @low to @high. */
struct dimension {
	const char *path;
	double low, high;
};

/* Values for all dimensions, and what was found of them, seed by seed from 1 on. */
struct candidate {
	double at[TUNE_MAX_DIMENSIONS];
	double goals[TUNE_MOST_SEEDS], scores[TUNE_MOST_SEEDS], holds[TUNE_MOST_SEEDS];
	size_t nr_seeds;
	bool failed;   /* a run of it did */
	bool is_front; /* no other has a higher score and a shorter worst hold */
	bool is_even;  /* no difference to the best is seen */
};

/* A run that the search asks for: the next seed of a candidate. */
struct trial {
	size_t candidate;
	unsigned int seed;
};

struct tuning {
	const struct dimension *dimensions;
	size_t nr_dimensions;
	size_t budget, spent; /* runs */
	struct candidate *list;
	size_t nr;
	double step; /* of the grid, in doublings */
};

/*
 * tune_begin - an empty search. @dimensions must outlive it. tune_end frees it.
 */
void tune_begin(struct tuning *t, const struct dimension *dimensions, size_t nr, size_t budget);
void tune_end(struct tuning *t);

/*
 * tune_ask - the runs to do next, at most @max, into @trials; their seeds count as spent. Returns
 * how many; 0 when the search is over.
 */
size_t tune_ask(struct tuning *t, struct trial *trials, size_t max);

/* What a trial gave. tune_fail: it gave nothing. */
void tune_tell(struct tuning *t, const struct trial *trial, double goal, double score, double hold);
void tune_fail(struct tuning *t, const struct trial *trial);

/* Sort the candidates, the best first, and mark the front and those that are even with the best. */
void tune_rank(struct tuning *t);

/* The mean goal of a candidate, NAN when it failed. */
double candidate_goal(const struct candidate *c);
double candidate_score(const struct candidate *c);
double candidate_hold(const struct candidate *c); /* the worst of its seeds */

#endif
