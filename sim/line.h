/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * line.h - the record of a cache line, and the hit in the L1, which is what most accesses are. For
 * memory.c and the hooks only.
 */
#ifndef ZONESIM_LINE_H
#define ZONESIM_LINE_H

#include "memory.h"

#define LINE_SHIFT 6
#define MAX_HOLDERS 3
#define MAX_SOCKETS 8

/* A core that has, or had, the line. Stamps are values of its footprint clocks at its last use. */
struct holder {
	uint16_t core; /* + 1; 0: none */
	uint16_t unused;
	uint32_t l1_stamp, l2_stamp;
};

/* One per line of the arena, at the same offset in the shadow. */
struct line {
	struct holder holder[MAX_HOLDERS]; /* the latest user first */
	bool dirty;			   /* modified by holder[0], which is the only one then */
	bool exclusive;			   /* holder[0] may write without asking */
	uint8_t llc_socket;		   /* + 1; 0: in no LLC */
	uint8_t data_socket;		   /* of the page that a struct page stands for, likewise */
	uint32_t llc_stamp, data_stamp;
	uint32_t writes;     /* that took the line from all other cores */
	sim_time busy_until; /* an atomic by another CPU is at work until then */
};
_Static_assert(sizeof(struct line) == 64, "a record is as large as its line");

struct core_clocks {
	uint32_t l1, l2;    /* lines brought in */
	uint32_t l2_filled; /* lines that the L2 holds by now */
};

extern uintptr_t shadow_offset; /* record = line address + shadow_offset */
extern struct core_clocks *core_clocks;
extern uint32_t llc_clock[MAX_SOCKETS];
extern uint32_t l1_lines, l2_lines; /* capacity */
extern bool llc_inclusive;

static __always_inline struct line *line_of(uintptr_t address)
{
	return (struct line *)((address & ~(uintptr_t)63) + shadow_offset);
}

static __always_inline bool in_l1(const struct holder *h, const struct core_clocks *clocks)
{
	return clocks->l1 - h->l1_stamp < l1_lines;
}

static __always_inline void stamp_llc(struct line *line, unsigned int socket)
{
	line->llc_socket = (uint8_t)(socket + 1);
	line->llc_stamp = llc_clock[socket];
}

/* The line is in the L1 of @cpu's core, which used it last and needs to ask no one. */
static __always_inline bool line_at_hand(const struct cpu *cpu, const struct line *line, bool write)
{
	const struct holder *h = &line->holder[0];

	return h->core == cpu->core_tag && (!write || line->exclusive) &&
	       in_l1(h, cpu->core_clocks);
}

/* Take the access if it is such a hit and nothing is in flight. */
static __always_inline bool line_hit_l1(struct cpu *cpu, struct line *line, bool write)
{
	if (cpu_waits(cpu) || !line_at_hand(cpu, line, write))
		return false;
	line->holder[0].l1_stamp = cpu->core_clocks->l1;
	if (write)
		line->dirty = true;
	memory_served[SERVED_L1][cpu->hold]++;
	return true;
}

/* A hit as fetch in memory.c takes it, which stamps the other caches too. */
static __always_inline bool line_fetch_l1(struct cpu *cpu, struct line *line, bool write)
{
	if (!line_at_hand(cpu, line, write))
		return false;
	if (write) {
		if (line->holder[1].core || line->holder[2].core)
			return false;
		line->writes++;
		line->dirty = true;
	}
	line->holder[0].l1_stamp = cpu->core_clocks->l1;
	line->holder[0].l2_stamp = cpu->core_clocks->l2;
	/* an inclusive LLC ages from its last request, others from when the cores drop the line */
	if (!llc_inclusive)
		stamp_llc(line, cpu->socket);
	memory_served[SERVED_L1][cpu->hold]++;
	return true;
}

#endif
