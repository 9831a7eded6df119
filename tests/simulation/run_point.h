/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * run_point.h - a point to simulate, and what its result says. In the child, as all of child.h.
 */
#ifndef ZONESIM_TESTS_RUN_POINT_H
#define ZONESIM_TESTS_RUN_POINT_H

#include "../../sim/point.h"
#include "../../sim/workload.h"
#include "child.h"

extern struct point point;
extern struct point_result result;

/* Set the point up: kernel v4.15, every parameter as it is unless set, 2% in a second. */
void configure(const char *machine_name, const char *workload, unsigned int tasks);

/* Simulate it, which must end with a precise result. */
void run_configured(void);

/* Of the result, by name. */
double metric(const char *name);
double counter(const char *name);

/* The point must be refused for the key and with a reason that contains @why. */
void expect_refused(const char *key, const char *why);
void expect_accepted(void);

#endif
