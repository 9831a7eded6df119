/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * goal.h - what is to be made large, as an expression of a point's figures.
 *
 * Numbers, names, + - * / and parentheses. A name is a metric; or worst_hold, the longest hold of a
 * zone or LRU lock in microseconds; or penalty, the share of the score by which worst_hold is above
 * a limit.
 */
#ifndef ZONESIM_GOAL_H
#define ZONESIM_GOAL_H

#include <jansson.h>

struct error;

/*
 * goal_check - is @goal an expression? Returns 0, or -1 with @err filled. Names are looked up only
 * when there are figures.
 */
int goal_check(const char *goal, struct error *err);

/*
 * goal_value - the goal of a point as a document has it. @hold_limit: seconds. Returns 0, or -1
 * with
 * @err filled: the point has no such figure.
 */
int goal_value(
	const char *goal, const json_t *point, double hold_limit, double *value, struct error *err);

/* The longest hold of a zone or LRU lock of a point, seconds; 0 when none was held. */
double goal_worst_hold(const json_t *point);

#endif
