/* SPDX-License-Identifier: GPL-3.0-or-later */
/* timeline.c - gathering spans. */

#include "timeline.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../alloc/mm.h"
#include "../models/error.h"
#include "../models/replace.h"
#include "sim.h"

bool timeline_on;

static struct timeline timeline;
static struct {
	const char *name;
	sim_time since;
} phases[NR_CPUS];

void timeline_start(const struct watch *watch)
{
	if (!watch || !watch->timeline)
		return;
	timeline = (struct timeline){.file = watch->timeline,
		.from = seconds_to_ps(watch->from),
		.to = isfinite(watch->to) ? seconds_to_ps(watch->to) : INT64_MAX};
	timeline_on = true;
}

static int grow(void)
{
	size_t capacity = timeline.capacity ? 2 * timeline.capacity : 4096;
	struct span *spans = realloc(timeline.spans, capacity * sizeof(*spans));

	if (!spans)
		return -1;
	timeline.spans = spans;
	timeline.capacity = capacity;
	return 0;
}

/*
 * Keep @span unless it is outside. When there are too many, the window ends at the present: what is
 * over by now has been told, and what is under way will be, up to there.
 */
static void add(struct span span)
{
	if (span.end <= timeline.from || span.start >= timeline.to)
		return;
	if (timeline.nr == timeline.capacity && grow()) {
		sim_fail("the host has too little memory");
		return;
	}
	span.order = (unsigned int)timeline.nr;
	timeline.spans[timeline.nr++] = span;
	if (timeline.nr >= TIMELINE_MOST && !timeline.cut) {
		timeline.cut = true;
		timeline.to = engine_now();
	}
}

void timeline_waited(const struct lock *lock, const struct cpu *cpu, sim_time since)
{
	add((struct span){.kind = SPAN_WAIT,
		.hold = lock_hold_of(lock, cpu),
		.cpu = cpu->id,
		.from = lock->last_owner,
		.lock = lock,
		.start = since,
		.end = cpu->clock,
		.released = lock->released});
}

void timeline_held(const struct lock *lock, const struct cpu *cpu, enum hold hold)
{
	add((struct span){.kind = SPAN_HOLD,
		.hold = hold,
		.cpu = cpu->id,
		.lock = lock,
		.start = lock->held_since,
		.end = cpu->clock});
}

void timeline_slept(const struct cpu *cpu, sim_time since)
{
	add((struct span){.kind = SPAN_SLEEP, .cpu = cpu->id, .start = since, .end = cpu->clock});
}

void timeline_enter(const struct cpu *cpu, const char *name)
{
	unsigned int i = cpu->id;

	if (phases[i].name == name)
		return;
	if (phases[i].name)
		add((struct span){.kind = SPAN_PHASE,
			.cpu = i,
			.name = phases[i].name,
			.start = phases[i].since,
			.end = cpu->clock});
	phases[i].name = name;
	phases[i].since = cpu->clock;
}

/* ---- the file ---- */

static int write_spans(FILE *out, void *what)
{
	(void)what;
	return timeline_write(out, &timeline);
}

void timeline_finish(struct point_result *result)
{
	if (!timeline_on)
		return;
	for (unsigned int i = 0; i < nr_cpus; i++)
		timeline_enter(&cpus[i], NULL);
	timeline_on = false;
	int problem = replace_file(timeline.file, write_spans, NULL);

	if (problem) {
		(void)fprintf(stderr, "can not write %s: %s\n", timeline.file, strerror(problem));
		result->exit_status = EXIT_RUN_FAILED;
	}
	result->timeline = (struct timeline_report){true, timeline.nr, timeline.cut,
		(double)timeline.from / PS_PER_SECOND, (double)timeline.to / PS_PER_SECOND};
	if (timeline.to == INT64_MAX)
		result->timeline.to = result->simulated;
	free(timeline.spans);
	timeline.spans = NULL;
}
