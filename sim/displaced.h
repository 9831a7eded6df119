/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * displaced.h - lines that more cores hold than their records have room for, such as what all CPUs
 * read of a zone. For memory.c only.
 *
 * Each core remembers the last lines of its own that it lost its place in. What it remembers of a
 * line is void once someone has written to it.
 */
#ifndef ZONESIM_DISPLACED_H
#define ZONESIM_DISPLACED_H

#include <stdlib.h>

#include "line.h"

#define DISPLACED_BITS 8

struct displaced {
	const struct line *line;
	uint32_t writes; /* of the line, then */
	struct holder holder;
};

static struct displaced (*displaced_lines)[1u << DISPLACED_BITS]; /* by core */

static inline int displaced_init(unsigned int cores)
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

#endif
