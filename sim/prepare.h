/* SPDX-License-Identifier: GPL-3.0-or-later */
/* prepare.h - a warm start: tasks at spread phases, caches and free lists in use. */
#ifndef ZONESIM_PREPARE_H
#define ZONESIM_PREPARE_H

#include "sim.h"

/*
 * prepare_tasks - run each task to a phase of its round, phases spread evenly and the tasks
 * interleaved at random, without time or waiting. Caches are kept as the code uses them.
 */
void prepare_tasks(const struct point *point, struct task *tasks);

#endif
