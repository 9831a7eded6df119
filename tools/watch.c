// SPDX-License-Identifier: GPL-3.0-or-later
/*
 * watch.c - timelines: their windows, and whether they hold what was asked for.
 */
#include <errno.h>
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "../models/error.h"
#include "../models/units.h"
#include "../results/must.h"
#include "../sim/functions.h"
#include "watch.h"

/* One end of the window, in seconds; @open when nothing stands there. */
static double parse_end(const char *text, double open, struct argp_state *state)
{
	char why[192];
	double seconds;

	if (!*text)
		return open;
	if (quantity_parse(text, QUANTITY_TIME, &seconds, why, sizeof(why)) < 0)
		argp_error(state, "--timeline: %s", why);
	if (!(seconds >= 0 && seconds <= 1e6))
		argp_error(state, "--timeline: %s is no time within a run", text);
	return seconds;
}

void watch_parse_timeline(struct watch *watch, char *text, struct argp_state *state)
{
	char *window = strrchr(text, ':'), *dots = window ? strstr(window, "..") : NULL;

	watch->timeline = text;
	watch->from = 0;
	watch->to = INFINITY;
	/* a colon with no range behind it is part of the name */
	if (dots) {
		*window = *dots = '\0';
		watch->from = parse_end(window + 1, 0, state);
		watch->to = parse_end(dots + 2, INFINITY, state);
	}
	if (!*text)
		argp_error(state, "--timeline: the name of a file is missing");
	if (watch->from >= watch->to)
		argp_error(state, "--timeline: %s is not before %s", window + 1, dots + 2);
}

bool watch_parse(struct watch *watch, int key)
{
	watch->lines |= key == WATCH_LINES;
	watch->functions |= key == WATCH_FUNCTIONS;
	return key == WATCH_LINES || key == WATCH_FUNCTIONS;
}

/* ---- the program ---- */

static char **arguments;

void watch_keep_arguments(char **argv)
{
	size_t nr = 0;

	while (argv[nr])
		nr++;
	arguments = must_calloc(nr + 1, sizeof(*arguments));
	for (size_t i = 0; i < nr; i++)
		arguments[i] = must_format("%s", argv[i]);
}

int watch_use_program(const struct watch *watch, struct error *err)
{
	char path[PATH_MAX + sizeof("-functions")];
	ssize_t length;

	if (!watch->functions || functions_built_in())
		return 0;
	length = readlink("/proc/self/exe", path, PATH_MAX);
	if (length < 0)
		return error_set(
			err, "--functions: can not find this program: %s", strerror(errno));
	memcpy(path + length, "-functions", sizeof("-functions"));
	execv(path, arguments);
	return error_set(err, "--functions: can not run %s: %s", path, strerror(errno));
}

/* ---- what may be asked for ---- */

int watch_check(const struct watch *watch, const struct scenario *s, struct error *err)
{
	if (watch->timeline && s->nr_points > 1)
		return error_set(err,
			"--timeline is of one point, but there are %zu: choose with --set",
			s->nr_points);
	return 0;
}

int watch_check_result(
	const struct watch *watch, const char *file, const json_t *document, struct error *err)
{
	const json_t *points = json_object_get(document, "points"), *point;
	size_t i;

	json_array_foreach(points, i, point)
	{
		if (watch->lines && !json_object_get(point, "c2c"))
			return error_set(
				err, "%s has no cache lines: it was run without --c2c", file);
		if (watch->functions && !json_object_get(point, "functions"))
			return error_set(
				err, "%s has no functions: it was run without --functions", file);
	}
	return 0;
}

void watch_points(struct scenario *s, const struct watch *watch)
{
	for (size_t i = 0; i < s->nr_points; i++)
		s->points[i].point.watch = watch;
}

void watch_tell(const struct watch *watch, const json_t *document)
{
	const json_t *point = json_array_get(json_object_get(document, "points"), 0);
	const json_t *timeline = json_object_get(point, "timeline");
	double spans = json_number_value(json_object_get(timeline, "spans"));
	double end = json_number_value(json_object_get(timeline, "to_s"));
	char text[48];

	if (!timeline)
		return;
	if (json_is_true(json_object_get(timeline, "cut")))
		fprintf(stderr,
			"zonesim: %s is cut at %s, where it has %.0f spans: choose a window, as in "
			"%s:2ms..3ms\n",
			watch->timeline, quantity_print(text, sizeof(text), QUANTITY_TIME, end),
			spans, watch->timeline);
	else if (spans == 0)
		fprintf(stderr, "zonesim: %s is empty: the run ended after %s\n", watch->timeline,
			quantity_print(text, sizeof(text), QUANTITY_TIME,
				json_number_value(json_object_get(point, "simulated_s"))));
}
