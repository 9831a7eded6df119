/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * watch.h - what the command line asks to be looked at in a run, and what came of it.
 */
#ifndef ZONESIM_TOOLS_WATCH_H
#define ZONESIM_TOOLS_WATCH_H

#include <argp.h>
#include <jansson.h>

#include "../sim/point.h"
#include "scenario.h"

struct error;

/* Read FILE or FILE:START..END into @watch; @text is cut there. Ends with argp_error if it is bad.
 */
void watch_parse_timeline(struct watch *watch, char *text, struct argp_state *state);

/*
 * watch_points - let all points of @s be watched by @watch, which must live as long. Returns 0, or
 * -1 with @err filled: a timeline is of one point.
 */
int watch_points(struct scenario *s, const struct watch *watch, struct error *err);

/* Say on stderr what is wrong with the timeline of the point in @document: cut, or empty. */
void watch_tell(const struct watch *watch, const json_t *document);

#endif
