/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * estimate.h - estimates, and what can be said about two of them.
 */
#ifndef ZONESIM_ESTIMATE_H
#define ZONESIM_ESTIMATE_H

/* A mean with the half width of its 95% confidence interval; NAN stands for not known. */
struct estimate {
	double mean, ci95;
};

/* An estimate of nothing. */
struct estimate estimate_none(void);

/*
 * relative_change - by how many percent @to is above @from, two independent means.
 *
 * The interval is that of the ratio: the relative half widths add in quadrature, scaled by the
 * ratio. NAN when @from is not above zero or a mean is not known; the interval is NAN when one of
 * the intervals is not known.
 */
struct estimate relative_change(struct estimate from, struct estimate to);

#endif
