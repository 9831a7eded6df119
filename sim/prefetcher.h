/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * prefetcher.h - what the hardware prefetchers of a core's L2 ask for ahead of the code.
 *
 * Two are modelled, as the Intel Optimization Manual describes them: the spatial one completes each
 * line that misses the L2 to an aligned pair of lines; the streamer follows ascending or descending
 * requests within a 4 KiB page, fetches two lines ahead at each and runs up to 20 lines ahead.
 */
#ifndef ZONESIM_PREFETCHER_H
#define ZONESIM_PREFETCHER_H

#include <stdbool.h>
#include <stdint.h>

#include "engine.h"

#define PREFETCH_STREAMS 32 /* pages that the streamer remembers */
#define PREFETCH_AHEAD 20   /* lines, at most */
#define PREFETCH_STEP 2	    /* lines, for each request */
#define PREFETCH_MOST (1 + PREFETCH_STEP)
#define PREFETCH_PENDING 32 /* lines on their way to the L2 */

/* Requests in one page: at which line the last was, how far has been fetched. */
struct prefetch_stream {
	uintptr_t page;
	int last, ahead;
	int direction; /* +1 or -1; 0: not known yet */
};

/* All zero: knows nothing. */
struct prefetcher {
	struct prefetch_stream streams[PREFETCH_STREAMS];
	struct {
		uintptr_t line;
		sim_time arrival;
	} pending[PREFETCH_PENDING];
};

/*
 * prefetcher_train - the core's L2 is asked for @line (address / 64), which it has or has @missed.
 * Puts the lines that the prefetchers would like to have into @wanted, in the order of their
 * requests. Returns how many.
 */
unsigned int prefetcher_train(
	struct prefetcher *p, uintptr_t line, bool missed, uintptr_t wanted[PREFETCH_MOST]);

/* @line will be in the L2 at @arrival. False when too many are on their way at @now: forget it. */
static inline bool prefetcher_request(
	struct prefetcher *p, uintptr_t line, sim_time now, sim_time arrival)
{
	unsigned int i = line % PREFETCH_PENDING;

	if (p->pending[i].arrival > now)
		return false;
	p->pending[i].line = line;
	p->pending[i].arrival = arrival;
	return true;
}

/* When @line, which the L2 has or waits for, is there: past or 0 when it is. */
static inline sim_time prefetcher_arrival(const struct prefetcher *p, uintptr_t line)
{
	unsigned int i = line % PREFETCH_PENDING;

	return p->pending[i].line == line ? p->pending[i].arrival : 0;
}

#endif
