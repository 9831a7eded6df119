/* SPDX-License-Identifier: GPL-3.0-or-later */
/* statistics.c - estimates from samples. */

#include "statistics.h"

#include <math.h>

#include <gsl/gsl_cdf.h>
#include <gsl/gsl_statistics_double.h>

#define BATCHES 20
#define MSER_GROUP 5

size_t mser_truncation(const double *samples, size_t n)
{
	size_t groups = n / MSER_GROUP;
	double sum = 0, squares = 0, best = INFINITY;
	size_t cut = 0;

	/* from the end: sums over the groups that a cut would keep */
	for (size_t kept = 1; kept <= groups; kept++) {
		double mean =
			gsl_stats_mean(samples + (groups - kept) * MSER_GROUP, 1, MSER_GROUP);

		sum += mean;
		squares += mean * mean;
		if (kept < (groups + 1) / 2)
			continue;
		double k = (double)kept;
		double error = (squares - sum * sum / k) / (k * k);

		if (error <= best) {
			best = error;
			cut = groups - kept;
		}
	}
	return cut * MSER_GROUP;
}

/* Half width of the 95% interval of the mean of @n values of which neighbours may correlate. */
static double half_width(const double *values, size_t n)
{
	double deviation = gsl_stats_sd(values, 1, n);
	double r = deviation > 0 ? gsl_stats_lag1_autocorrelation(values, 1, n) : 0;
	double widen = r > 0 ? sqrt((1 + r) / (1 - fmin(r, 0.95))) : 1;

	return gsl_cdf_tdist_Pinv(0.975, (double)(n - 1)) * deviation / sqrt((double)n) * widen;
}

struct estimate batch_means(const double *samples, size_t n)
{
	size_t size = n / BATCHES;
	double means[BATCHES];

	if (!size)
		return (struct estimate){n ? gsl_stats_mean(samples, 1, n) : 0, INFINITY};
	samples += n - size * BATCHES;
	for (size_t i = 0; i < BATCHES; i++)
		means[i] = gsl_stats_mean(samples + i * size, 1, size);
	return (struct estimate){gsl_stats_mean(means, 1, BATCHES), half_width(means, BATCHES)};
}

struct estimate batch_ratio(const double *numerator, const double *denominator, size_t n)
{
	size_t size = n / BATCHES;
	double residual[BATCHES];
	struct estimate top = batch_means(numerator, n), bottom = batch_means(denominator, n);

	if (bottom.mean == 0)
		return (struct estimate){0, 0};
	double ratio = top.mean / bottom.mean;

	if (!size)
		return (struct estimate){ratio, INFINITY};
	numerator += n - size * BATCHES;
	denominator += n - size * BATCHES;
	/* the classical ratio estimator: its error is that of numerator - ratio * denominator */
	for (size_t i = 0; i < BATCHES; i++)
		residual[i] = gsl_stats_mean(numerator + i * size, 1, size) -
			      ratio * gsl_stats_mean(denominator + i * size, 1, size);
	return (struct estimate){ratio, half_width(residual, BATCHES) / bottom.mean};
}
