/* SPDX-License-Identifier: GPL-3.0-or-later */
/* difference.c - is one configuration better than another, or is that only what seeds do? */
#include "difference.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>

#include <gsl/gsl_cdf.h>
#include <gsl/gsl_statistics_double.h>

#include "must.h"

/* The quantile of Student's t that makes 95% intervals. */
static double t95(double degrees)
{
	return gsl_cdf_tdist_Pinv(0.975, degrees);
}

/* The means of the runs that have one. The caller frees them. */
static double *means_of(const struct run_set *set, size_t *nr)
{
	double *means = must_calloc(set->nr, sizeof(*means));

	*nr = 0;
	for (size_t i = 0; i < set->nr; i++)
		if (!isnan(set->values[i].mean))
			means[(*nr)++] = set->values[i].mean;
	return means;
}

/* Standard error that a run's own interval stands for; NAN when it is not known. */
static double error_of(const struct measured *m)
{
	if (m->ci95 == 0)
		return 0;
	if (isnan(m->degrees) || m->degrees < 1)
		return m->ci95 / t95(100);
	return m->ci95 / t95(m->degrees);
}

static void describe_side(const struct run_set *set, double *mean, double *spread)
{
	size_t nr;
	double *means = means_of(set, &nr);

	*mean = nr ? gsl_stats_mean(means, 1, nr) : NAN;
	*spread = NAN;
	if (nr > 1)
		*spread = 100 * gsl_stats_sd(means, 1, nr) / *mean;
	else if (nr == 1)
		*spread = 100 * error_of(&set->values[0]) / *mean;
	if (*mean == 0)
		*spread = nr ? 0 : NAN;
	free(means);
}

/*
 * The three ways to an interval. Each fills @d->half and returns true, or false when it can not.
 */

/* Differences between runs of the same seed: what a seed does to both falls out. */
static bool by_pairs(
	struct difference *d, const struct run_set *base, const struct run_set *patched)
{
	double *differences = must_calloc(base->nr, sizeof(*differences));
	size_t nr = 0;

	for (size_t i = 0; i < base->nr; i++)
		for (size_t k = 0; k < patched->nr; k++)
			if (base->seeds[i] == patched->seeds[k] && !isnan(base->values[i].mean) &&
				!isnan(patched->values[k].mean))
				differences[nr++] = patched->values[k].mean - base->values[i].mean;
	/* Runs without a partner count in the means, so all must have one. */
	if (nr >= MIN_SEEDS && nr == base->nr && nr == patched->nr) {
		d->basis = BY_PAIRS;
		d->half = t95((double)nr - 1) * gsl_stats_sd(differences, 1, nr) / sqrt((double)nr);
	}
	free(differences);
	return d->basis == BY_PAIRS;
}

/* Welch's interval for two means, from the variances of these. */
static double welch(double variance_a, double degrees_a, double variance_b, double degrees_b)
{
	double sum = variance_a + variance_b;
	double degrees = variance_a * variance_a / degrees_a + variance_b * variance_b / degrees_b;

	return sum > 0 ? t95(sum * sum / degrees) * sqrt(sum) : 0;
}

static bool by_seeds(
	struct difference *d, const struct run_set *base, const struct run_set *patched)
{
	size_t nr_base, nr_patched;
	double *a = means_of(base, &nr_base), *b = means_of(patched, &nr_patched);

	if (nr_base >= MIN_SEEDS && nr_patched >= MIN_SEEDS) {
		d->basis = BY_SEEDS;
		d->half = welch(gsl_stats_variance(a, 1, nr_base) / (double)nr_base,
			(double)nr_base - 1,
			gsl_stats_variance(b, 1, nr_patched) / (double)nr_patched,
			(double)nr_patched - 1);
	}
	free(a);
	free(b);
	return d->basis == BY_SEEDS;
}

/* The variance of the mean of a set, by the runs' own intervals, and its degrees of freedom. */
static double variance_by_rounds(const struct run_set *set, double *degrees)
{
	double sum = 0, weight = 0;
	size_t nr = 0;

	for (size_t i = 0; i < set->nr; i++) {
		double error = error_of(&set->values[i]);
		double of_run = isnan(set->values[i].degrees) ? 100 : set->values[i].degrees;

		if (isnan(set->values[i].mean))
			continue;
		sum += error * error;
		weight += pow(error, 4) / fmax(of_run, 1);
		nr++;
	}
	*degrees = weight > 0 ? sum * sum / weight : INFINITY;
	return sum / (double)(nr * nr);
}

static bool by_rounds(
	struct difference *d, const struct run_set *base, const struct run_set *patched)
{
	double degrees_base, degrees_patched;
	double a = variance_by_rounds(base, &degrees_base);
	double b = variance_by_rounds(patched, &degrees_patched);

	if (!isfinite(a) || !isfinite(b))
		return false;
	d->basis = BY_ROUNDS;
	if (isinf(degrees_base) && isinf(degrees_patched)) {
		d->half = 0;
		return true;
	}
	d->half = ROUNDS_WIDEN * welch(a, fmin(degrees_base, 1e6), b, fmin(degrees_patched, 1e6));
	if (degrees_base < ROUNDS_MIN_DEGREES || degrees_patched < ROUNDS_MIN_DEGREES)
		d->verdict = DIFFERENCE_UNKNOWN;
	return true;
}

struct difference difference_of(const struct run_set *base, const struct run_set *patched)
{
	struct difference d = {.basis = BY_NOTHING, .half = NAN};

	describe_side(base, &d.base, &d.base_spread);
	describe_side(patched, &d.patched, &d.patched_spread);
	d.change = d.patched - d.base;
	d.verdict = DIFFERENCE_SEEN;
	if (isnan(d.change) || (!by_pairs(&d, base, patched) && !by_seeds(&d, base, patched) &&
				       !by_rounds(&d, base, patched)))
		d.verdict = DIFFERENCE_UNKNOWN;
	else if (fabs(d.change) <= d.half)
		d.verdict = DIFFERENCE_NOT_SEEN;
	d.percent = d.base != 0 ? 100 * d.change / fabs(d.base) : NAN;
	d.percent_half = d.base != 0 ? 100 * d.half / fabs(d.base) : NAN;
	return d;
}

struct measured run_set_mean(const struct run_set *set)
{
	size_t nr;
	double *means = means_of(set, &nr), degrees, variance;
	struct measured m = {NAN, NAN, NAN};

	if (nr > 0)
		m.mean = gsl_stats_mean(means, 1, nr);
	if (nr >= MIN_SEEDS) {
		m.degrees = (double)nr - 1;
		m.ci95 = t95(m.degrees) * gsl_stats_sd(means, 1, nr) / sqrt((double)nr);
	} else if (nr > 0) {
		variance = variance_by_rounds(set, &degrees);
		m.degrees = degrees;
		m.ci95 = variance > 0 ? t95(fmin(degrees, 1e6)) * sqrt(variance) : variance;
	}
	free(means);
	return m;
}

const char *difference_verdict_text(const struct difference *d)
{
	switch (d->verdict) {
	case DIFFERENCE_SEEN:
		return "";
	case DIFFERENCE_NOT_SEEN:
		return "no difference seen";
	default:
		return isnan(d->change) ? "not in both" : "too few rounds to tell";
	}
}

const char *difference_basis_text(enum basis basis)
{
	switch (basis) {
	case BY_PAIRS:
		return "pairs of runs with the same seed";
	case BY_SEEDS:
		return "the spread between seeds";
	case BY_ROUNDS:
		return "the rounds of single runs";
	default:
		return "nothing";
	}
}
