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

/* Entries of argp's tables. */
#define WATCH_LINES 'C'
#define WATCH_FUNCTIONS 'F'
/* clang-format off */
#define WATCH_OPTIONS \
	{"c2c", WATCH_LINES, NULL, 0, "Also show which cache lines took most time to get, and who paid", 0}, \
	{"functions", WATCH_FUNCTIONS, NULL, 0, "Also show whose the instructions under the locks are", 0}
/* clang-format on */

/* Take one of them. False when @key is another option. */
bool watch_parse(struct watch *watch, int key);

/* Read FILE or FILE:START..END into @watch; @text is cut there. Ends with argp_error if it is bad.
 */
void watch_parse_timeline(struct watch *watch, char *text, struct argp_state *state);

/* For the end of help texts that tell of them. */
#define WATCH_HELP                                                                                 \
	"With --c2c lines are listed as perf c2c would: whose they are, how often they came from " \
	"another core, with a write that others' copies had to go for (upgrade), from an LLC, "    \
	"DRAM, the core's own L2, or handed over with a lock; how long that takes, and how much "  \
	"of it is under zone->lock to refill (alloc) or drain (free), under lru_lock, or else. "   \
	"Latencies are added up: where loads overlap, less is waited for. Structures that each "   \
	"CPU or task has are one entry, and struct pages one for each field that is first asked "  \
	"for. --json has more lines, and every source apart.\n\n"                                  \
	"With --functions instructions are counted for each function of the allocator, in a "      \
	"program beside this one, zonesim-functions, that was compiled so; results are the same. " \
	"Functions are those that the compiler left: what it inlined, such as expand, is part of " \
	"who calls it. Misses are not theirs: see what holds are made of in `zonesim show`."

/* What the program was called with, for the next; call before anything changes it. */
void watch_keep_arguments(char **argv);

/*
 * watch_use_program - go on in the program that can do what is asked for, if this one can not.
 * Returns 0 when it is this one, or -1 with @err filled.
 */
int watch_use_program(const struct watch *watch, struct error *err);

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
