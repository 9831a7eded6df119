/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * store_buffer.h - stores that have been executed and wait to be written to the L1.
 *
 * They become visible in the order of the program, as x86 promises. The line of one that misses is
 * fetched ahead of its turn only while fewer than @parallel of those before it are under way: on
 * some cores one alone, so that stores, unlike loads, wait for each other's lines.
 */
#ifndef ZONESIM_STORE_BUFFER_H
#define ZONESIM_STORE_BUFFER_H

#include <stdbool.h>
#include <stdint.h>

#include "engine.h"

#define MAX_STORES 128 /* a power of two */

struct store {
	uintptr_t address;
	sim_time ready;	  /* executed, its address known */
	sim_time latency; /* of its line; 0: the core has it */
	sim_time done;	  /* visible */
};

/* A ring; the oldest store is at @first. All zero but @parallel: empty. */
struct store_buffer {
	unsigned int nr, first;
	unsigned int parallel; /* misses under way at once, at least 1 */
	sim_time drained;      /* when the last store becomes visible; may be past */
	struct store store[MAX_STORES];
};

static inline struct store *store_at(struct store_buffer *buffer, unsigned int i)
{
	return &buffer->store[(buffer->first + i) % MAX_STORES];
}

/* Forget what is visible at @now. */
static inline void stores_forget(struct store_buffer *buffer, sim_time now)
{
	while (buffer->nr && buffer->store[buffer->first].done <= now) {
		buffer->first = (buffer->first + 1) % MAX_STORES;
		buffer->nr--;
	}
}

/* When the fetch of a line can start whose store is at @i: once a fetch before it makes room. */
static inline sim_time store_start(struct store_buffer *buffer, unsigned int i)
{
	unsigned int missing = 0;
	sim_time ready = store_at(buffer, i)->ready;

	while (i-- > 0 && missing < buffer->parallel) {
		const struct store *s = store_at(buffer, i);

		missing += s->latency != 0;
		if (missing == buffer->parallel && s->done > ready)
			return s->done;
	}
	return ready;
}

/* Work out when the stores from @i on are done. */
static inline void stores_schedule(struct store_buffer *buffer, unsigned int i)
{
	sim_time before = i ? store_at(buffer, i - 1)->done : 0;

	for (; i < buffer->nr; i++) {
		struct store *s = store_at(buffer, i);
		sim_time arrival = s->latency ? store_start(buffer, i) + s->latency : s->ready;

		s->done = arrival > before ? arrival : before;
		before = s->done;
	}
	buffer->drained = before;
}

/* A store that is @ready and whose line takes @latency to get. There has to be room. */
static inline void stores_add(
	struct store_buffer *buffer, uintptr_t address, sim_time ready, sim_time latency)
{
	buffer->nr++;
	*store_at(buffer, buffer->nr - 1) = (struct store){address, ready, latency, 0};
	stores_schedule(buffer, buffer->nr - 1);
}

/*
 * A load of @address at @now, whose line the core has or has asked for: when the value is there.
 * That of a store to the very address is at hand. A line that a store has yet to ask for is fetched
 * for the load at once; that store and those behind it are done the sooner.
 */
static inline sim_time stores_load(struct store_buffer *buffer, uintptr_t address, sim_time now)
{
	unsigned int i = buffer->nr;

	while (i-- > 0) {
		struct store *s = store_at(buffer, i);

		if (s->address == address)
			return now;
		if (s->address >> 6 != address >> 6 || !s->latency)
			continue;
		sim_time start = store_start(buffer, i);

		if (start <= now)
			return start + s->latency;
		sim_time arrival = now + s->latency;

		s->ready = arrival;
		s->latency = 0;
		stores_schedule(buffer, i);
		return arrival;
	}
	return now;
}

#endif
