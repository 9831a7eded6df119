// SPDX-License-Identifier: GPL-3.0-or-later
/*
 * tune.c - a search for the settings that make a goal large.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "../results/must.h"
#include "tune.h"

#define LEADERS 3	/* get further seeds */
#define SMALLEST 0.06	/* doublings; steps below this, 4%, are not worth a run */
#define GRID_SHARE 0.34 /* of the budget, for the grid */

/*
 * Candidates
 */

double candidate_goal(const struct candidate *c)
{
	double sum = 0;

	for (size_t i = 0; i < c->nr_seeds; i++)
		sum += c->goals[i];
	return c->nr_seeds && !c->failed ? sum / (double)c->nr_seeds : NAN;
}

double candidate_score(const struct candidate *c)
{
	double sum = 0;

	for (size_t i = 0; i < c->nr_seeds; i++)
		sum += c->scores[i];
	return c->nr_seeds ? sum / (double)c->nr_seeds : NAN;
}

double candidate_hold(const struct candidate *c)
{
	double worst = 0;

	for (size_t i = 0; i < c->nr_seeds; i++)
		worst = fmax(worst, c->holds[i]);
	return worst;
}

/* A pageset is no smaller than a batch. */
static bool is_possible(const struct tuning *t, const double *at)
{
	double batch = 0, high = INFINITY;

	for (size_t i = 0; i < t->nr_dimensions; i++) {
		if (at[i] < t->dimensions[i].low || at[i] > t->dimensions[i].high)
			return false;
		if (strcmp(t->dimensions[i].path, "pcp.batch") == 0)
			batch = at[i];
		else if (strcmp(t->dimensions[i].path, "pcp.high") == 0)
			high = at[i];
	}
	return high >= batch;
}

static bool is_known(const struct tuning *t, const double *at)
{
	for (size_t i = 0; i < t->nr; i++)
		if (memcmp(t->list[i].at, at, t->nr_dimensions * sizeof(*at)) == 0)
			return true;
	return false;
}

/* Returns whether there is a new candidate. */
static bool add(struct tuning *t, const double *at)
{
	struct candidate c = {0};

	if (!is_possible(t, at) || is_known(t, at))
		return false;
	memcpy(c.at, at, t->nr_dimensions * sizeof(*at));
	t->list = must_realloc(t->list, t->nr + 1, sizeof(*t->list));
	t->list[t->nr++] = c;
	return true;
}

/*
 * The grid
 */

static double doublings(const struct dimension *d)
{
	return log2(d->high / d->low);
}

static double value_at(const struct dimension *d, size_t i, size_t nr)
{
	double share = nr > 1 ? (double)i / (double)(nr - 1) : 0.5;

	return round(d->low * exp2(share * doublings(d)));
}

/* Places per dimension, so that the grid takes its share of the budget; two at least. */
static size_t grid_size(const struct tuning *t)
{
	double share = GRID_SHARE * (double)t->budget;
	size_t nr = (size_t)floor(pow(share, 1.0 / (double)t->nr_dimensions) + 1e-9);

	return nr < 2 ? 2 : nr > 9 ? 9 : nr;
}

static void make_grid(struct tuning *t)
{
	size_t nr = grid_size(t), all = 1;

	for (size_t i = 0; i < t->nr_dimensions; i++) {
		all *= nr;
		t->step = fmax(t->step, doublings(&t->dimensions[i]) / (double)(nr - 1));
	}
	for (size_t k = 0; k < all; k++) {
		double at[TUNE_MAX_DIMENSIONS];
		size_t rest = k;

		for (size_t i = 0; i < t->nr_dimensions; i++) {
			at[i] = value_at(&t->dimensions[i], rest % nr, nr);
			rest /= nr;
		}
		(void)add(t, at);
	}
}

void tune_begin(struct tuning *t, const struct dimension *dimensions, size_t nr, size_t budget)
{
	*t = (struct tuning){.dimensions = dimensions, .nr_dimensions = nr, .budget = budget};
	make_grid(t);
}

void tune_end(struct tuning *t)
{
	free(t->list);
	*t = (struct tuning){0};
}

/*
 * The turns
 */

/* The candidates by their means, best first, as indices. The caller frees them. */
static size_t *order_by_goal(const struct tuning *t)
{
	size_t *order = must_calloc(t->nr, sizeof(*order));

	for (size_t i = 0; i < t->nr; i++) {
		double goal = candidate_goal(&t->list[i]);
		size_t at = i;

		/* NAN comes last: a comparison with it is false. */
		while (at > 0 &&
			(goal > candidate_goal(&t->list[order[at - 1]]) ||
				(!isnan(goal) && isnan(candidate_goal(&t->list[order[at - 1]]))))) {
			order[at] = order[at - 1];
			at--;
		}
		order[at] = i;
	}
	return order;
}

static bool ask(struct tuning *t, struct trial *trials, size_t *nr, size_t max, size_t candidate)
{
	if (*nr == max || t->spent == t->budget)
		return false;
	trials[*nr] = (struct trial){candidate, (unsigned int)t->list[candidate].nr_seeds + 1};
	(*nr)++;
	t->spent++;
	return true;
}

static size_t ask_untried(struct tuning *t, struct trial *trials, size_t max)
{
	size_t nr = 0;

	for (size_t i = 0; i < t->nr; i++)
		if (t->list[i].nr_seeds == 0 && !t->list[i].failed)
			(void)ask(t, trials, &nr, max, i);
	return nr;
}

/* The next seed of each leader that has fewer than @seeds. */
static size_t ask_leaders(struct tuning *t, struct trial *trials, size_t max, size_t seeds)
{
	size_t *order = order_by_goal(t), nr = 0;

	for (size_t i = 0; i < LEADERS && i < t->nr; i++) {
		const struct candidate *c = &t->list[order[i]];

		if (!c->failed && c->nr_seeds < seeds)
			(void)ask(t, trials, &nr, max, order[i]);
	}
	free(order);
	return nr;
}

/* New candidates one step from the best, in each dimension. Returns whether there are any. */
static bool add_neighbours(struct tuning *t)
{
	size_t *order = order_by_goal(t), before = t->nr;
	struct candidate best = t->list[order[0]];

	free(order);
	for (size_t i = 0; i < t->nr_dimensions; i++) {
		for (int side = -1; side <= 1; side += 2) {
			double at[TUNE_MAX_DIMENSIONS];
			const struct dimension *d = &t->dimensions[i];

			memcpy(at, best.at, sizeof(at));
			at[i] = round(at[i] * exp2(side * t->step));
			at[i] = fmin(fmax(at[i], d->low), d->high);
			(void)add(t, at);
		}
	}
	return t->nr > before;
}

size_t tune_ask(struct tuning *t, struct trial *trials, size_t max)
{
	size_t nr = ask_untried(t, trials, max);

	if (nr == 0)
		nr = ask_leaders(t, trials, max, TUNE_SEEDS);
	while (nr == 0 && t->spent < t->budget && t->step >= SMALLEST) {
		t->step /= 2;
		if (add_neighbours(t))
			nr = ask_untried(t, trials, max);
	}
	/* Nothing is left to try: what is left of the budget makes the leaders better known. */
	if (nr == 0)
		nr = ask_leaders(t, trials, max, TUNE_MOST_SEEDS);
	return nr;
}

void tune_tell(struct tuning *t, const struct trial *trial, double goal, double score, double hold)
{
	struct candidate *c = &t->list[trial->candidate];

	c->goals[c->nr_seeds] = goal;
	c->scores[c->nr_seeds] = score;
	c->holds[c->nr_seeds++] = hold;
}

void tune_fail(struct tuning *t, const struct trial *trial)
{
	t->list[trial->candidate].failed = true;
}

/*
 * The end
 */

/* Those that were not run often enough to win come after those that were. */
static int by_rank(const void *a, const void *b)
{
	const struct candidate *x = a, *y = b;
	bool x_knows = x->nr_seeds >= TUNE_SEEDS && !x->failed;
	bool y_knows = y->nr_seeds >= TUNE_SEEDS && !y->failed;
	double goal_x = candidate_goal(x), goal_y = candidate_goal(y);

	if (x_knows != y_knows)
		return x_knows ? -1 : 1;
	if (isnan(goal_x) || isnan(goal_y))
		return isnan(goal_x) - isnan(goal_y);
	return (goal_y > goal_x) - (goal_y < goal_x);
}

static bool is_beaten(const struct tuning *t, const struct candidate *c)
{
	for (size_t i = 0; i < t->nr; i++) {
		const struct candidate *other = &t->list[i];

		if (other->failed || other->nr_seeds == 0 || other == c)
			continue;
		if (candidate_score(other) >= candidate_score(c) &&
			candidate_hold(other) <= candidate_hold(c) &&
			(candidate_score(other) > candidate_score(c) ||
				candidate_hold(other) < candidate_hold(c)))
			return true;
	}
	return false;
}

/* The goals of the first @nr seeds as runs. */
static void fill_set(struct run_set *set, struct measured *values, double *seeds,
	const struct candidate *c, size_t nr)
{
	*set = (struct run_set){seeds, values, nr};
	for (size_t i = 0; i < nr; i++) {
		seeds[i] = (double)i + 1;
		values[i] = (struct measured){c->goals[i], NAN, NAN};
	}
}

/* By the seeds that both have. With fewer than TUNE_SEEDS nothing is known: not even. */
static bool is_even(const struct candidate *best, const struct candidate *c)
{
	size_t nr = best->nr_seeds < c->nr_seeds ? best->nr_seeds : c->nr_seeds;
	struct measured a[TUNE_MOST_SEEDS], b[TUNE_MOST_SEEDS];
	double seeds[TUNE_MOST_SEEDS];
	struct run_set of_best, of_c;

	if (nr < TUNE_SEEDS || c->failed)
		return false;
	fill_set(&of_best, a, seeds, best, nr);
	fill_set(&of_c, b, seeds, c, nr);
	return difference_of(&of_best, &of_c).verdict == DIFFERENCE_NOT_SEEN;
}

void tune_rank(struct tuning *t)
{
	qsort(t->list, t->nr, sizeof(*t->list), by_rank);
	for (size_t i = 0; i < t->nr; i++) {
		struct candidate *c = &t->list[i];

		c->is_front = !c->failed && c->nr_seeds && !is_beaten(t, c);
		c->is_even = i > 0 && is_even(&t->list[0], c);
	}
}
