/* SPDX-License-Identifier: GPL-3.0-or-later */
/* report.h - what a run leaves besides its metrics: locks, counters, the state of memory. */
#ifndef ZONESIM_REPORT_H
#define ZONESIM_REPORT_H

#include "point.h"

/* Fill in everything of @result that the measurement does not. */
void report_fill(const struct point *point, struct point_result *result);

#endif
