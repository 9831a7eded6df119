/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * timeline_write.c - spans in Chrome's trace event format, which Perfetto and chrome://tracing
 * read.
 *
 * CPUs are the threads of one process and locks those of another. Time stamps are in microseconds
 * with three digits behind the point. Start and end are rounded to nanoseconds each, so spans that
 * contain each other or follow each other still do.
 */

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../alloc/mm.h"
#include "timeline.h"

/* Viewers take threads of one number for one, and the thread of a process's number for its main. */
#define CPUS_PID 1
#define LOCKS_PID 2
#define CPU_TID 101
#define LOCK_TID 10001

static const char *const purposes[NR_HOLDS] = {[HOLD_ZONE_ALLOC] = "refill",
	[HOLD_ZONE_FREE] = "drain",
	[HOLD_LRU] = "lru",
	[HOLD_OTHER] = "other",
	[HOLD_NOTHING] = "other"};

struct writer {
	FILE *out;
	const struct timeline *t;
	bool cpu_named[NR_CPUS], lock_named[MAX_LOCKS];
	unsigned long flows;
	const char *separator;
};

static unsigned int lock_number(const struct lock *lock)
{
	return (unsigned int)(lock - locks);
}

static long long nanoseconds(sim_time time)
{
	return (time + 500) / 1000;
}

/* ---- tracks ---- */

static void begin(struct writer *w, const char *kind, int pid, unsigned int tid)
{
	(void)fprintf(
		w->out, "%s\n{\"ph\":\"%s\",\"pid\":%d,\"tid\":%u", w->separator, kind, pid, tid);
	w->separator = ",";
}

static void name_process(struct writer *w, int pid, const char *name)
{
	begin(w, "M", pid, 0);
	(void)fprintf(w->out, ",\"name\":\"process_name\",\"args\":{\"name\":\"%s\"}}", name);
}

static void sort_track(struct writer *w, int pid, unsigned int tid)
{
	begin(w, "M", pid, tid);
	(void)fprintf(w->out, ",\"name\":\"thread_sort_index\",\"args\":{\"sort_index\":%u}}", tid);
}

static void name_cpu(struct writer *w, unsigned int cpu)
{
	unsigned int tid = CPU_TID + cpu;

	if (w->cpu_named[cpu])
		return;
	w->cpu_named[cpu] = true;
	begin(w, "M", CPUS_PID, tid);
	(void)fprintf(w->out, ",\"name\":\"thread_name\",\"args\":{\"name\":\"CPU %u, node %u\"}}",
		cpu, cpus[cpu].socket);
	sort_track(w, CPUS_PID, tid);
}

/* A node may have many locks of a name, which then have numbers. */
static void print_lock(FILE *out, const struct lock *lock)
{
	unsigned int alike = 0, before = 0;

	for (unsigned int i = 0; i < nr_locks; i++) {
		bool same = locks[i].node == lock->node && !strcmp(locks[i].name, lock->name);

		alike += same;
		before += same && &locks[i] < lock;
	}
	(void)fprintf(out, "%s node %d", lock->name, lock->node);
	if (alike > 1)
		(void)fprintf(out, " #%u", before);
}

static void name_lock(struct writer *w, const struct lock *lock)
{
	unsigned int number = lock_number(lock), tid = LOCK_TID + number;

	if (w->lock_named[number])
		return;
	w->lock_named[number] = true;
	begin(w, "M", LOCKS_PID, tid);
	(void)fprintf(w->out, ",\"name\":\"thread_name\",\"args\":{\"name\":\"");
	print_lock(w->out, lock);
	(void)fprintf(w->out, "\"}}");
	sort_track(w, LOCKS_PID, tid);
}

/* ---- events ---- */

static void print_time(FILE *out, const char *key, long long ns)
{
	(void)fprintf(out, ",\"%s\":%lld.%03lld", key, ns / 1000, ns % 1000);
}

/* Begin a span on a track, as much of it as is in the window; false when that is nothing. */
static bool begin_span(struct writer *w, int pid, unsigned int tid, sim_time start, sim_time end)
{
	if (start < w->t->from)
		start = w->t->from;
	if (end > w->t->to)
		end = w->t->to;
	if (start >= end)
		return false;
	begin(w, "X", pid, tid);
	print_time(w->out, "ts", nanoseconds(start));
	print_time(w->out, "dur", nanoseconds(end) - nanoseconds(start));
	return true;
}

static void write_named(struct writer *w, const struct span *s, const char *category)
{
	const char *name = s->kind == SPAN_SLEEP ? "sleep" : s->name;

	if (begin_span(w, CPUS_PID, CPU_TID + s->cpu, s->start, s->end))
		(void)fprintf(w->out, ",\"cat\":\"%s\",\"name\":\"%s\"}", category, name);
}

static void write_hold(struct writer *w, const struct span *s)
{
	const char *purpose = purposes[s->hold];

	name_lock(w, s->lock);
	if (begin_span(w, CPUS_PID, CPU_TID + s->cpu, s->start, s->end)) {
		(void)fprintf(w->out,
			",\"cat\":\"hold\",\"name\":\"hold %s\",\"args\":{\"lock\":\"",
			s->lock->name);
		print_lock(w->out, s->lock);
		(void)fprintf(w->out, "\",\"for\":\"%s\"}}", purpose);
	}
	if (begin_span(w, LOCKS_PID, LOCK_TID + lock_number(s->lock), s->start, s->end))
		(void)fprintf(w->out,
			",\"cat\":\"owner\",\"name\":\"CPU %u\",\"args\":{\"for\":\"%s\"}}", s->cpu,
			purpose);
}

/* From within the hold that ended to that which begins, where both are in the window. */
static void write_flow(struct writer *w, const struct span *s)
{
	unsigned long id = ++w->flows;

	if (s->released <= w->t->from + 1000 || s->end >= w->t->to)
		return;
	begin(w, "s", CPUS_PID, CPU_TID + (unsigned int)s->from);
	print_time(w->out, "ts", nanoseconds(s->released) - 1);
	(void)fprintf(w->out, ",\"cat\":\"hand-over\",\"name\":\"hand-over\",\"id\":%lu}", id);
	begin(w, "f", CPUS_PID, CPU_TID + s->cpu);
	print_time(w->out, "ts", nanoseconds(s->end));
	(void)fprintf(w->out,
		",\"bp\":\"e\",\"cat\":\"hand-over\",\"name\":\"hand-over\",\"id\":%lu}", id);
}

static void write_wait(struct writer *w, const struct span *s)
{
	unsigned int cpu = CPU_TID + s->cpu, lock = LOCK_TID + lock_number(s->lock);

	name_lock(w, s->lock);
	name_cpu(w, (unsigned int)s->from);
	if (begin_span(w, CPUS_PID, cpu, s->start, s->end)) {
		(void)fprintf(w->out,
			",\"cat\":\"wait\",\"name\":\"wait %s\",\"args\":{\"lock\":\"",
			s->lock->name);
		print_lock(w->out, s->lock);
		(void)fprintf(w->out, "\",\"for\":\"%s\",\"from\":\"CPU %d\"}}", purposes[s->hold],
			s->from);
	}
	if (begin_span(w, CPUS_PID, cpu, s->released, s->end))
		(void)fprintf(w->out, ",\"cat\":\"hand-over\",\"name\":\"hand-over\"}");
	if (begin_span(w, LOCKS_PID, lock, s->released, s->end))
		(void)fprintf(w->out,
			",\"cat\":\"hand-over\",\"name\":\"hand-over\",\"args\":{\"from\":\"CPU "
			"%d\",\"to\":\"CPU %u\"}}",
			s->from, s->cpu);
	write_flow(w, s);
}

static void write_span(struct writer *w, const struct span *s)
{
	name_cpu(w, s->cpu);
	if (s->kind == SPAN_WAIT)
		write_wait(w, s);
	else if (s->kind == SPAN_HOLD)
		write_hold(w, s);
	else
		write_named(w, s, s->kind == SPAN_SLEEP ? "sleep" : "phase");
}

/* By time, and those that contain others, which were told later, before them. */
static int compare(const void *a, const void *b)
{
	const struct span *x = a, *y = b;

	if (x->start != y->start)
		return x->start < y->start ? -1 : 1;
	if (x->end != y->end)
		return x->end > y->end ? -1 : 1;
	return x->order > y->order ? -1 : 1;
}

int timeline_write(FILE *out, struct timeline *t)
{
	struct writer *w = calloc(1, sizeof(*w));

	if (!w)
		return -1;
	if (t->nr)
		qsort(t->spans, t->nr, sizeof(t->spans[0]), compare);
	*w = (struct writer){.out = out, .t = t, .separator = ""};
	(void)fprintf(out, "{\"displayTimeUnit\":\"ns\",\"traceEvents\":[");
	name_process(w, CPUS_PID, "CPUs");
	name_process(w, LOCKS_PID, "locks");
	for (size_t i = 0; i < t->nr; i++)
		write_span(w, &t->spans[i]);
	(void)fprintf(out, "\n]}\n");
	free(w);
	return ferror(out) ? -1 : 0;
}
