// SPDX-License-Identifier: GPL-3.0-or-later
/*
 * forecast.c - what is known beforehand of the points of a sweep.
 */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "../models/error.h"
#include "../results/must.h"
#include "../results/store.h"
#include "../sim/workload.h"
#include "forecast.h"
#include "scenario.h"

static int forecast_point(struct forecast *f, size_t i, const struct scenario_point *p,
	struct store *store, struct error *err)
{
	const struct point *point = &p->point;
	const struct stored_like like = {
		.machine = point->machine->name,
		.workload = point->workload->name,
		.precision = point->precision,
		.tasks = point->tasks,
	};

	f->seconds[i] = NAN;
	if (!store)
		return 0;
	if (store_status(store, p->fingerprint, f->status[i], err) < 0)
		return -1;
	if (*f->status[i])
		f->seconds[i] = 0;
	else if (store_expect_wall(store, &like, &f->seconds[i], err) < 0)
		return -1;
	return 0;
}

int forecast_make(
	struct forecast *f, const struct scenario *s, struct store *store, struct error *err)
{
	*f = (struct forecast){
		.seconds = must_calloc(s->nr_points, sizeof(*f->seconds)),
		.status = must_calloc(s->nr_points, sizeof(*f->status)),
	};
	for (size_t i = 0; i < s->nr_points; i++) {
		if (forecast_point(f, i, &s->points[i], store, err) < 0) {
			forecast_free(f);
			return -1;
		}
		f->stored += *f->status[i] != '\0';
		f->failed += strcmp(f->status[i], "failed") == 0;
		f->unknown += isnan(f->seconds[i]);
		f->total += isnan(f->seconds[i]) ? 0 : f->seconds[i];
	}
	return 0;
}

void forecast_free(struct forecast *f)
{
	free(f->seconds);
	free(f->status);
	*f = (struct forecast){0};
}
