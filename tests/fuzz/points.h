/* SPDX-License-Identifier: GPL-3.0-or-later */
/* points.h - what holds for every point of a scenario that was accepted. */
#ifndef ZONESIM_TESTS_FUZZ_POINTS_H
#define ZONESIM_TESTS_FUZZ_POINTS_H

#include <math.h>
#include <string.h>

#include "../../sim/workload.h"
#include "../../tools/scenario.h"
#include "fuzz.h"

static inline void look_at_parameters(const struct point *p)
{
	for (int i = 0; p->workload->parameters[i].name; i++) {
		const struct workload_parameter *info = &p->workload->parameters[i];

		must_hold(p->parameters[i] >= info->min && p->parameters[i] <= info->max,
			"%s is %g", info->name, p->parameters[i]);
	}
}

static inline void look_at_points(const struct scenario *s)
{
	must_hold(s->nr_points > 0 && s->nr_points <= 10000, "%zu points", s->nr_points);
	for (size_t i = 0; i < s->nr_points; i++) {
		const struct point *p = &s->points[i].point;
		const char *key;
		char why[256];

		must_hold(point_check(p, &key, why, sizeof(why)) == 0, "%s: %s", key, why);
		must_hold(p->tasks >= 1, "no task");
		must_hold(p->precision > 0 && isfinite(p->time_limit) && p->time_limit > 0,
			"precision %g, time limit %g", p->precision, p->time_limit);
		look_at_parameters(p);
		must_hold(strlen(s->points[i].fingerprint) == FINGERPRINT_SIZE - 1,
			"the fingerprint is %s", s->points[i].fingerprint);
	}
}

#endif
