/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * holders.h - which cores have a line. For memory.c only.
 *
 * Lines that more cores hold than their records have room for, such as what all CPUs read of a
 * zone, are displaced: each core remembers the last lines of its own that it lost its place in.
 * What it remembers of a line is void once someone has written to it.
 */
#ifndef ZONESIM_HOLDERS_H
#define ZONESIM_HOLDERS_H

#include <stdlib.h>

#include "line.h"

static inline bool in_l2(const struct holder *h, const struct core_clocks *clocks)
{
	return clocks->l2 - h->l2_stamp < l2_lines;
}

static inline bool in_private(const struct holder *h)
{
	const struct core_clocks *clocks = &core_clocks[h->core - 1];

	return in_l2(h, clocks) || in_l1(h, clocks);
}

#define DISPLACED_BITS 8

struct displaced {
	const struct line *line;
	uint32_t writes; /* of the line, then */
	struct holder holder;
};

static struct displaced (*displaced_lines)[1u << DISPLACED_BITS]; /* by core */

static inline int holders_init(unsigned int cores)
{
	displaced_lines = calloc(cores, sizeof(*displaced_lines));
	return displaced_lines ? 0 : -1;
}

static inline struct displaced *displaced_slot(unsigned int core, const struct line *line)
{
	/* where in the arena: where the host has put that must not matter */
	uintptr_t offset = (uintptr_t)line - shadow_offset - arena_base;
	uint32_t hash = (uint32_t)(offset >> LINE_SHIFT) * 2654435761u;

	return &displaced_lines[core][hash >> (32 - DISPLACED_BITS)];
}

/* @h makes room in the record of @line. */
static inline void displaced_add(const struct line *line, const struct holder *h)
{
	*displaced_slot(h->core - 1u, line) = (struct displaced){line, line->writes, *h};
}

/* What is known of @core's use of @line, by its record or by the core; NULL for nothing. */
static inline const struct holder *holder_find(const struct line *line, unsigned int core)
{
	for (unsigned int i = 0; i < MAX_HOLDERS; i++)
		if (line->holder[i].core == core + 1)
			return &line->holder[i];
	const struct displaced *d = displaced_slot(core, line);

	return d->line == line && d->writes == line->writes ? &d->holder : NULL;
}

/* Make @core the first holder, keeping the order of the others. Returns its entry. */
static inline struct holder *make_first(struct line *line, unsigned int core)
{
	unsigned int at = 0;

	while (at < MAX_HOLDERS - 1 && line->holder[at].core != core + 1)
		at++;
	struct holder moved = line->holder[at];

	if (moved.core && moved.core != core + 1 && in_private(&moved))
		displaced_add(line, &moved);
	for (; at > 0; at--)
		line->holder[at] = line->holder[at - 1];
	if (moved.core != core + 1)
		moved = (struct holder){.core = (uint16_t)(core + 1)};
	line->holder[0] = moved;
	return &line->holder[0];
}

static inline void drop_other_holders(struct line *line)
{
	line->writes++;
	for (unsigned int i = 1; i < MAX_HOLDERS; i++)
		line->holder[i].core = 0;
}

/* Another core that still has it; NULL when there is none. */
static inline const struct holder *other_holder(const struct line *line, unsigned int core)
{
	for (unsigned int i = 0; i < MAX_HOLDERS; i++) {
		const struct holder *h = &line->holder[i];

		if (h->core && h->core != core + 1 && in_private(h))
			return h;
	}
	return NULL;
}

#endif
