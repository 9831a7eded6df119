/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * window.h - what a CPU has in flight: loads whose values are still to come, and lines on their way
 * to the core. Code runs on past them until it needs one of them or the reorder buffer is full.
 */
#ifndef ZONESIM_WINDOW_H
#define ZONESIM_WINDOW_H

#include <stdbool.h>
#include <stdint.h>

#include "engine.h"

#define MAX_IN_FLIGHT 16
#define HOLDS_UP_NOTHING (UINT64_MAX / 2) /* issued by a store or a prefetch */

struct in_flight {
	uintptr_t line;	   /* address / 64 */
	uintptr_t pointer; /* line that the loaded value points to: accesses to it depend on it */
	sim_time complete;
	uint64_t issued; /* instruction count at issue, or HOLDS_UP_NOTHING */
};

struct window {
	unsigned int nr;
	/* of all of them together, so that few accesses have to look at each */
	sim_time first_complete;
	uint64_t first_issued;
	uint64_t lines; /* window_bit of those that are on their way or pointed to */
	struct in_flight in_flight[MAX_IN_FLIGHT];
};

/* None for 0, which is no line. */
static inline uint64_t window_bit(uintptr_t line)
{
	return (uint64_t)(line != 0) << line % 64;
}

/* At @now, with so much @executed, none has come or holds up a reorder buffer of @size. */
static inline bool window_rests(
	const struct window *w, sim_time now, uint64_t executed, uint64_t size)
{
	return w->first_complete > now && w->first_issued + size > executed;
}

static inline void window_add(struct window *w, const struct in_flight *f)
{
	bool first = w->nr == 0;

	if (first || f->complete < w->first_complete)
		w->first_complete = f->complete;
	if (first || f->issued < w->first_issued)
		w->first_issued = f->issued;
	w->lines |= window_bit(f->line) | window_bit(f->pointer);
	w->in_flight[w->nr++] = *f;
}

/* Keep what is still in flight at @now. */
static inline void window_forget(struct window *w, sim_time now)
{
	unsigned int nr = w->nr;

	w->nr = 0;
	w->lines = 0;
	for (unsigned int i = 0; i < nr; i++)
		if (w->in_flight[i].complete > now)
			window_add(w, &w->in_flight[i]);
}

#endif
