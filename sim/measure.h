/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * measure.h - watching a run: samples at equal times, until the score is precise enough.
 */
#ifndef ZONESIM_MEASURE_H
#define ZONESIM_MEASURE_H

#include "sim.h"

/*
 * measure_start - an actor that samples @tasks and ends the run, by sim_stopping, when the score is
 * as precise as the point asks or at its time limit. Returns 0, or -1 when memory is short.
 */
int measure_start(const struct point *point, struct task *tasks);

/* Fill in the metrics, the warm-up and the status after the run. */
void measure_finish(const struct point *point, struct point_result *result);

#endif
