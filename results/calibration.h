/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * calibration.h - fit figures to what was published, each held back by what is known of it.
 *
 * Near where it is, a row's deviation is taken to be linear in the logarithms of the figures:
 *
 *     r_i(d) = r_i + sum over k of J_ik d_k,   d_k = ln(figure k / its value now)
 *
 * The fit minimises  sum w_i rho(r_i(d)) + sum (d_k / s_k)^2  within low_k <= d_k <= high_k, where
 * rho is Huber's: a square up to 3, linear beyond, so that a row that the model can not reach does
 * not pull the others along. s_k is the prior: the bounds are taken for two standard deviations.
 */
#ifndef ZONESIM_CALIBRATION_H
#define ZONESIM_CALIBRATION_H

#include <stdbool.h>
#include <stddef.h>

/* A row: how far off it is, in units of its target, and how that moves. */
struct calibration_row {
	double deviation;
	double *slope; /* [figure] per unit of its logarithm */
	double weight; /* 0: left out */
};

struct calibration_figure {
	double low, high; /* bounds of d: low <= 0 <= high; both 0 for a figure that is certain */
	double d;	  /* fitted */
	double sd; /* standard deviation of d, by the rows and the prior together; 0 at a bound */
	bool at_bound;
};

/*
 * calibration_fit - fill d, sd and at_bound of @figures. @correlation: room for
 * @nr_figures * @nr_figures figures from -1 to 1, how much the data alone, without the prior, mix
 * two of them up; or NULL. Returns 0, or -1 when memory is short.
 */
int calibration_fit(const struct calibration_row *rows, size_t nr_rows,
	struct calibration_figure *figures, size_t nr_figures, double *correlation);

/* The deviation of a row with the figures fitted, by the linear model. */
double calibration_predict(const struct calibration_row *row,
	const struct calibration_figure *figures, size_t nr_figures);

#endif
