/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * statistics.h - from a series of samples to an estimate: warm-up, batch means, confidence.
 */
#ifndef ZONESIM_STATISTICS_H
#define ZONESIM_STATISTICS_H

#include <stddef.h>

struct estimate {
	double mean;
	double ci95; /* half width; infinite when there are too few samples */
};

/*
 * mser_truncation - how many of the first @n samples to drop as warm-up: the cut that minimises
 * the standard error of what is left, over groups of five (MSER-5; White, 1997). At most half.
 */
size_t mser_truncation(const double *samples, size_t n);

/*
 * batch_means - mean of @n samples of a steady process with a 95% confidence interval from the
 * means of 20 equal batches and Student's t. Where neighbouring batches still correlate (lag-1
 * autocorrelation r > 0), the interval is widened by sqrt((1 + r) / (1 - r)).
 * Samples beyond a multiple of 20 are left out at the front.
 */
struct estimate batch_means(const double *samples, size_t n);

/*
 * batch_ratio - the same for the ratio of two sums, as of nanoseconds held over acquisitions:
 * batch by batch, weighing batches by their denominator. 0 when the denominators are.
 */
struct estimate batch_ratio(const double *numerator, const double *denominator, size_t n);

#endif
