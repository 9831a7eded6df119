// SPDX-License-Identifier: GPL-3.0-or-later
/*
 * progress.c - how far a run is.
 */
#include <stdio.h>
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

void progress_start(struct progress *p, size_t total, bool quiet)
{
	*p = (struct progress){
		.total = total,
		.start = progress_clock(),
		.quiet = quiet,
		.terminal = isatty(STDERR_FILENO),
	};
	progress_tick(p);
}

/* "75 s", or "3 min 05 s" once that reads better. */
static const char *duration(double seconds, char *text, size_t size)
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
	char spent[32], left[32];

	if (p->quiet || !p->terminal)
		return;
	fprintf(stderr, "\r\033[K%zu of %zu points, %s", p->done, p->total,
		duration(elapsed, spent, sizeof(spent)));
	if (p->done && p->done < p->total)
		fprintf(stderr, ", about %s left",
			duration(elapsed / (double)p->done * (double)(p->total - p->done), left,
				sizeof(left)));
	fflush(stderr);
}

void progress_clear(const struct progress *p)
{
	if (!p->quiet && p->terminal)
		fputs("\r\033[K", stderr);
}

void progress_point(struct progress *p, const struct scenario_point *point, const json_t *result)
{
	const char *status = json_string_value(json_object_get(result, "status"));
	const json_t *score = json_object_get(json_object_get(result, "metrics"), "score");
	double mean = json_number_value(json_object_get(score, "mean"));
	double ci95 = json_number_value(json_object_get(score, "ci95"));
	const char *unit = json_string_value(json_object_get(score, "unit"));
	double wall = json_number_value(json_object_get(json_object_get(result, "host"), "wall_s"));
	char what[256];

	p->done++;
	if (p->quiet)
		return;
	progress_clear(p);
	fprintf(stderr, "%zu/%zu %s: ", p->done, p->total,
		config_describe(point, what, sizeof(what)));
	if (score && mean > 0)
		fprintf(stderr, "%.4g %s +- %.2g%%", mean, unit ? unit : "", 100 * ci95 / mean);
	if (!score || (status && strcmp(status, "ok") != 0))
		fprintf(stderr, "%s%s", score ? ", " : "", status ? status : "failed");
	fprintf(stderr, " (%.1f s)\n", wall);
	progress_tick(p);
}
