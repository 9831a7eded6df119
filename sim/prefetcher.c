/* SPDX-License-Identifier: GPL-3.0-or-later */
/* prefetcher.c - the hardware prefetchers of a core's L2. */

#include "prefetcher.h"

#define PAGE_LINES 64

/* The stream moves on to line @at of its page; how many lines it asks for. */
static unsigned int run_ahead(struct prefetch_stream *s, int at, uintptr_t wanted[])
{
	unsigned int nr = 0;

	if ((s->ahead - at) * s->direction < 0)
		s->ahead = at;
	for (int i = 0; i < PREFETCH_STEP; i++) {
		int next = s->ahead + s->direction;

		if (next < 0 || next >= PAGE_LINES || (next - at) * s->direction > PREFETCH_AHEAD)
			break;
		s->ahead = next;
		wanted[nr++] = s->page * PAGE_LINES + (uintptr_t)next;
	}
	return nr;
}

static unsigned int follow_stream(struct prefetcher *p, uintptr_t line, uintptr_t wanted[])
{
	uintptr_t page = line / PAGE_LINES;
	int at = (int)(line % PAGE_LINES);
	struct prefetch_stream *s = &p->streams[page % PREFETCH_STREAMS];

	if (s->page != page) {
		*s = (struct prefetch_stream){.page = page, .last = at, .ahead = at};
		return 0;
	}
	int direction = (at > s->last) - (at < s->last);

	if (!direction)
		return 0;
	bool goes_on = direction == s->direction;

	s->last = at;
	s->direction = direction;
	/* two steps the same way make a stream */
	if (!goes_on) {
		s->ahead = at;
		return 0;
	}
	return run_ahead(s, at, wanted);
}

unsigned int prefetcher_train(
	struct prefetcher *p, uintptr_t line, bool missed, uintptr_t wanted[PREFETCH_MOST])
{
	unsigned int nr = 0;

	if (missed)
		wanted[nr++] = line ^ 1;
	return nr + follow_stream(p, line, wanted + nr);
}
