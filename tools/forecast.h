/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * forecast.h - what is known beforehand of the points of a sweep: which the store has, and how long
 * the others will take.
 */
#ifndef ZONESIM_FORECAST_H
#define ZONESIM_FORECAST_H

#include <stddef.h>

struct error;
struct scenario;
struct store;

struct forecast {
	double *seconds;    /* of each point; 0: it is stored; NAN: not known */
	char (*status)[16]; /* of each stored point, else "" */
	size_t stored, failed, unknown;
	double total; /* seconds of one worker, without the unknown points */
};

/*
 * forecast_make - look up the points of @s in @store, which may be NULL: nothing is known then.
 * The time of a point is that of the stored points of the same machine, workload and precision
 * with the nearest number of tasks, in proportion to it. Returns 0, or -1 with @err filled. End
 * with forecast_free.
 */
int forecast_make(
	struct forecast *f, const struct scenario *s, struct store *store, struct error *err);
void forecast_free(struct forecast *f);

#endif
