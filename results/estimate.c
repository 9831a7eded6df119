/* SPDX-License-Identifier: GPL-3.0-or-later */
/* estimate.c - estimates, and what can be said about two of them. */
#include "estimate.h"

#include <math.h>

struct estimate estimate_none(void)
{
	return (struct estimate){.mean = NAN, .ci95 = NAN};
}

struct estimate relative_change(struct estimate from, struct estimate to)
{
	double ratio;

	/* Also true for NAN. */
	if (!(from.mean > 0))
		return estimate_none();
	ratio = to.mean / from.mean;
	/*
	 * First order: var(b/a) = (b/a)^2 (var(a)/a^2 + var(b)/b^2), written so that b may be 0.
	 * Half widths stand for standard errors here: both carry the same quantile.
	 */
	return (struct estimate){
		.mean = 100 * (ratio - 1),
		.ci95 = 100 * hypot(to.ci95 / from.mean, ratio * from.ci95 / from.mean),
	};
}
