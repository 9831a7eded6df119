/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * statistics.h - from the rounds of a run to estimates: warm-up, batch means, confidence.
 */
#ifndef ZONESIM_STATISTICS_H
#define ZONESIM_STATISTICS_H

#include <stddef.h>

/* An estimated quantity: the variance is that of the mean itself, not of single observations. */
struct estimate {
	double mean, variance;
	double degrees; /* of freedom */
};

/*
 * mser_truncation - how many of the first @n samples to drop as warm-up: the cut that minimises the
 * standard error of the mean of what is left (MSER; White, 1997). From 50 samples on it works on
 * means of five (MSER-5), which steadies it. At most half of the samples are dropped.
 */
size_t mser_truncation(const double *samples, size_t n);

/*
 * ratio_of_means - the classical ratio estimator from @n batches: sum of @top over sum of @bottom.
 * Its variance is that of the residuals top - ratio * bottom. From 10 batches on, a lag-1
 * autocorrelation r > 0 of the residuals widens it by (1 + r) / (1 - r), as for an AR(1) process.
 * One batch gives an infinite variance, none no mean (NaN), a zero denominator a mean of 0.
 */
struct estimate ratio_of_means(const double *top, const double *bottom, size_t n);

/* Of independent estimates: the sum, and a multiple. Degrees of freedom add up. */
struct estimate estimate_add(struct estimate a, struct estimate b);
struct estimate estimate_scale(struct estimate e, double factor);

/* Half width of the 95% confidence interval, by Student's t; infinite without degrees of freedom.
 */
double estimate_ci95(struct estimate e);

#endif
