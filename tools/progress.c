// SPDX-License-Identifier: GPL-3.0-or-later
/*
 * progress.c - how far a run is.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "config.h"
#include "progress.h"
#include "scenario.h"

double progress_clock(void)
{
	struct timespec now;

	if (clock_gettime(CLOCK_MONOTONIC, &now) < 0)
		return 0;
	return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

/* Is it a terminal that can take a line away again? */
static bool can_redraw(int fd)
{
	const char *term = getenv("TERM");

	return isatty(fd) && term && *term && strcmp(term, "dumb") != 0;
}

void progress_start(struct progress *p, size_t total, bool quiet)
{
	*p = (struct progress){
		.total = total,
		.start = progress_clock(),
		.quiet = quiet,
		.terminal = can_redraw(STDERR_FILENO),
	};
	progress_tick(p);
}

const char *progress_duration(double seconds, char *text, size_t size)
{
	int whole = (int)(seconds + 0.5);

	if (whole < 100)
		snprintf(text, size, "%d s", whole);
	else
		snprintf(text, size, "%d min %02d s", whole / 60, whole % 60);
	return text;
}

void progress_tick(const struct progress *p)
{
	double elapsed = progress_clock() - p->start;
	size_t simulated = p->done - p->reused;
	char spent[32], left[32];

	if (p->quiet || !p->terminal)
		return;
	fprintf(stderr, "\r\033[K%zu of %zu points", p->done, p->total);
	if (p->reused)
		fprintf(stderr, ", %zu reused", p->reused);
	if (p->failed)
		fprintf(stderr, ", %zu failed", p->failed);
	fprintf(stderr, ", %s", progress_duration(elapsed, spent, sizeof(spent)));
	if (simulated && p->done < p->total)
		fprintf(stderr, ", about %s left",
			progress_duration(
				elapsed / (double)simulated * (double)(p->total - p->done), left,
				sizeof(left)));
	fflush(stderr);
}

void progress_clear(const struct progress *p)
{
	if (!p->quiet && p->terminal)
		fputs("\r\033[K", stderr);
}

/* The score, if there is one, and what else there is to say. */
static void print_score(const json_t *result)
{
	const char *status = json_string_value(json_object_get(result, "status"));
	const json_t *score = json_object_get(json_object_get(result, "metrics"), "score");
	const char *unit = json_string_value(json_object_get(score, "unit"));
	double mean = json_number_value(json_object_get(score, "mean"));
	double ci95 = json_number_value(json_object_get(score, "ci95"));
	double percent = mean > 0 ? 100 * ci95 / mean : 0;

	/* What rounding makes of no spread at all is not worth its digits. */
	if (score && mean > 0)
		fprintf(stderr, "%.4g %s +- %.2g%%", mean, unit ? unit : "",
			percent < 1e-6 ? 0 : percent);
	if (!score || (status && strcmp(status, "ok") != 0))
		fprintf(stderr, "%s%s", score ? ", " : "", status ? status : "failed");
}

void progress_point(
	struct progress *p, const struct scenario_point *point, const json_t *result, bool reused)
{
	double wall = json_number_value(json_object_get(json_object_get(result, "host"), "wall_s"));
	const char *status = json_string_value(json_object_get(result, "status"));
	char what[256];

	p->done++;
	p->reused += reused;
	p->failed += !status || strcmp(status, "failed") == 0;
	if (p->quiet || (p->brief && reused))
		return;
	progress_clear(p);
	fprintf(stderr, "%zu/%zu %s", p->done, p->total,
		config_describe(point, what, sizeof(what)));
	if (point->point.seed != 1)
		fprintf(stderr, ", seed %llu", (unsigned long long)point->point.seed);
	fputs(": ", stderr);
	print_score(result);
	if (reused)
		fputs(" (reused)\n", stderr);
	else
		fprintf(stderr, " (%.1f s)\n", wall);
	progress_tick(p);
}
