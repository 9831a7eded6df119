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

static inline uint64_t window_bit(uintptr_t line)
{
	return UINT64_C(1) << line % 64;
}

/* Nothing in flight has been waited for by @now, when the reorder buffer begins after @oldest. */
static inline bool window_rests(
	const struct window *w, sim_time now, uint64_t executed, uint64_t size)
{
	return w->first_complete > now && w->first_issued + size > executed;
}

void window_add(struct window *w, const struct in_flight *f);

/* Keep what is still in flight at @now. */
void window_forget(struct window *w, sim_time now);

#endif
