/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * progress.h - how far a run is, on stderr: one line that moves on a terminal, else a line per
 * finished point.
 */
#ifndef ZONESIM_PROGRESS_H
#define ZONESIM_PROGRESS_H

#include <stdbool.h>
#include <stddef.h>

#include <jansson.h>

struct scenario_point;

struct progress {
	size_t done, reused, failed, total;
	double start; /* seconds, of progress_clock */
	bool quiet, terminal;
	bool brief; /* no line for a point that is reused */
};

/* Seconds that only go forward. */
double progress_clock(void);

/* "75 s", or "3 min 05 s" once that reads better. Returns @text. */
const char *progress_duration(double seconds, char *text, size_t size);

void progress_start(struct progress *p, size_t total, bool quiet);
/* Redraw the line on a terminal; to be called about once per second. */
void progress_tick(const struct progress *p);
/* A point is finished, or was @reused; @result is its JSON object. */
void progress_point(
	struct progress *p, const struct scenario_point *point, const json_t *result, bool reused);
/* Take the line away from a terminal, before something else is printed. */
void progress_clear(const struct progress *p);

#endif
