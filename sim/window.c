/* SPDX-License-Identifier: GPL-3.0-or-later */
/* window.c - what is in flight. */

#include "window.h"

void window_add(struct window *w, const struct in_flight *f)
{
	bool first = w->nr == 0;

	if (first || f->complete < w->first_complete)
		w->first_complete = f->complete;
	if (first || f->issued < w->first_issued)
		w->first_issued = f->issued;
	if (first)
		w->lines = 0;
	w->lines |= window_bit(f->line);
	if (f->pointer)
		w->lines |= window_bit(f->pointer);
	w->in_flight[w->nr++] = *f;
}

void window_forget(struct window *w, sim_time now)
{
	unsigned int nr = w->nr;

	w->nr = 0;
	for (unsigned int i = 0; i < nr; i++)
		if (w->in_flight[i].complete > now)
			window_add(w, &w->in_flight[i]);
}
