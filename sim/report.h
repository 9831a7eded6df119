/* SPDX-License-Identifier: GPL-3.0-or-later */
/* report.h - what a run leaves besides its metrics: locks, counters, the state of memory. */
#ifndef ZONESIM_REPORT_H
#define ZONESIM_REPORT_H

#include "cpu.h"
#include "point.h"

/* What a hold is called in results. */
extern const char *const hold_names[NR_HOLDS];

/* What entry @i of a result's holds is of. */
enum hold report_purpose(size_t i);

/* Fill in everything of @result that the measurement does not. */
void report_fill(const struct point *point, struct point_result *result);

#endif
