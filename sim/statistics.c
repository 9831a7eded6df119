/* SPDX-License-Identifier: GPL-3.0-or-later */
/* statistics.c - estimates from batches. */

#include "statistics.h"

#include <math.h>
#include <stdlib.h>

#include <gsl/gsl_cdf.h>
#include <gsl/gsl_statistics_double.h>

#define MSER_GROUP 5
#define MSER_GROUPS_FROM 50
#define AUTOCORRELATION_FROM 10

size_t mser_truncation(const double *samples, size_t n)
{
	size_t size = n >= MSER_GROUPS_FROM ? MSER_GROUP : 1, groups = n / size;
	double sum = 0, squares = 0, best = INFINITY;
	size_t cut = 0;

	/* from the end: sums over the groups that a cut would keep */
	for (size_t kept = 1; kept <= groups; kept++) {
		double mean = gsl_stats_mean(samples + (groups - kept) * size, 1, size);

		sum += mean;
		squares += mean * mean;
		if (kept < (groups + 1) / 2 || kept < 2)
			continue;
		double k = (double)kept;
		double error = (squares - sum * sum / k) / (k * k);

		if (error <= best) {
			best = error;
			cut = groups - kept;
		}
	}
	return cut * size;
}

/* Variance of the mean of @n residuals whose mean is 0. */
static double residual_variance(const double *residual, size_t n)
{
	double squares = 0, products = 0;

	for (size_t i = 0; i < n; i++) {
		squares += residual[i] * residual[i];
		products += i ? residual[i] * residual[i - 1] : 0;
	}
	double variance = squares / (double)(n - 1) / (double)n;
	double r = squares > 0 && n >= AUTOCORRELATION_FROM ? products / squares : 0;

	return r > 0 ? variance * (1 + r) / (1 - fmin(r, 0.95)) : variance;
}

struct estimate ratio_of_means(const double *top, const double *bottom, size_t n)
{
	double sum_top = 0, sum_bottom = 0;

	for (size_t i = 0; i < n; i++) {
		sum_top += top[i];
		sum_bottom += bottom[i];
	}
	if (n == 0)
		return (struct estimate){NAN, INFINITY, 0};
	if (sum_bottom == 0)
		return (struct estimate){0, 0, 0};
	double ratio = sum_top / sum_bottom, mean_bottom = sum_bottom / (double)n;
	double *residual = calloc(n, sizeof(double));

	if (n == 1 || !residual) {
		free(residual);
		return (struct estimate){ratio, INFINITY, 0};
	}
	for (size_t i = 0; i < n; i++)
		residual[i] = (top[i] - ratio * bottom[i]) / mean_bottom;
	struct estimate e = {ratio, residual_variance(residual, n), (double)(n - 1)};

	free(residual);
	return e;
}

struct estimate estimate_add(struct estimate a, struct estimate b)
{
	return (struct estimate){a.mean + b.mean, a.variance + b.variance, a.degrees + b.degrees};
}

struct estimate estimate_scale(struct estimate e, double factor)
{
	return (struct estimate){e.mean * factor, e.variance * factor * factor, e.degrees};
}

double estimate_ci95(struct estimate e)
{
	if (e.variance == 0)
		return 0;
	if (e.degrees < 1 || isinf(e.variance))
		return INFINITY;
	return gsl_cdf_tdist_Pinv(0.975, e.degrees) * sqrt(e.variance);
}
