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

/* An entry of argp's tables, for c2c. */
#define WATCH_LINES 0x100
#define WATCH_LINES_OPTION                                                                         \
	{                                                                                          \
		"c2c", WATCH_LINES, NULL, 0,                                                       \
			"Also show which cache lines took most time to get, and who paid", 0       \
	}

/* Read FILE or FILE:START..END into @watch; @text is cut there. Ends with argp_error if it is bad.
 */
void watch_parse_timeline(struct watch *watch, char *text, struct argp_state *state);

#define WATCH_LINES_HELP                                                                           \
	"With --c2c lines are listed as perf c2c would: whose they are, how often they came from " \
	"another core, with a write that others' copies had to go for (upgrade), from an LLC, "    \
	"DRAM, the core's own L2, or handed over with a lock; how long that takes, and how much "  \
	"of it is under zone->lock to refill (alloc) or drain (free), under lru_lock, or else. "   \
	"Latencies are added up: where loads overlap, less is waited for. Structures that each "   \
	"CPU or task has are one entry, and struct pages one for each field that is first asked "  \
	"for. --json has more lines, and every source apart."

/* A timeline is of one point. Returns 0, or -1 with @err filled. */
int watch_check(const struct watch *watch, const struct scenario *s, struct error *err);

/* The same for a result read from @file, which has to have what is asked for. */
int watch_check_result(
	const struct watch *watch, const char *file, const json_t *document, struct error *err);

/* Let all points of @s be watched by @watch, which must live as long. */
void watch_points(struct scenario *s, const struct watch *watch);

/* Say on stderr what is wrong with the timeline of the point in @document: cut, or empty. */
void watch_tell(const struct watch *watch, const json_t *document);

#endif
