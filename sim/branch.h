/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * branch.h - a core's branch predictor, seen through the basic blocks that its code enters.
 *
 * Where a block was not the predicted successor, the core has run down a wrong path: it waits until
 * the branch's operand is there, and refills its pipeline. This is what exposes the latency of a
 * load that an unpredictable branch depends on, such as whether a buddy is free.
 */
#ifndef ZONESIM_BRANCH_H
#define ZONESIM_BRANCH_H

#include <stdbool.h>
#include <stdint.h>

/*
 * Two tables, as in predictors of the TAGE family cut down to one history length: the successor of
 * a block by the path that led to it, if that path has been seen to decide it, else by the block
 * alone. 4096 entries are about what Intel's cores are found to hold.
 */
#define BRANCH_ENTRIES 4096u
#define BRANCH_HISTORY_SHIFT 6 /* bits by which a block moves the history: five blocks are kept */
#define BRANCH_CONFIDENT 2
#define BRANCH_MOST_CONFIDENT 3

struct branch_entry {
	uint32_t tag;	    /* of the path; unused without history */
	uint32_t successor; /* low half of the block's address */
	uint32_t confidence;
};

struct branch_predictor {
	uint32_t history;
	struct branch_entry *by_path, *by_block; /* those that the next block is compared with */
	uint32_t tag;
	struct branch_entry path[BRANCH_ENTRIES], block[BRANCH_ENTRIES];
};

/* Learn that @successor came; an entry changes its mind only when its confidence is used up. */
static inline void branch_learn(struct branch_entry *e, uint32_t successor)
{
	if (e->successor == successor) {
		if (e->confidence < BRANCH_MOST_CONFIDENT)
			e->confidence++;
	} else if (e->confidence > 0) {
		e->confidence--;
	} else {
		e->successor = successor;
		e->confidence = 1;
	}
}

/* Enter the block at @pc; true when the predictor had expected another one. */
static inline bool branch_enter(struct branch_predictor *p, uintptr_t pc)
{
	uint32_t block = (uint32_t)pc, hash = block * 2654435761u;
	struct branch_entry *path = p->by_path, *alone = p->by_block;
	bool known = path->tag == p->tag && path->confidence >= BRANCH_CONFIDENT;
	bool wrong = (known ? path : alone)->successor != block;

	if (path->tag != p->tag)
		*path = (struct branch_entry){p->tag, block, 0};
	branch_learn(path, block);
	branch_learn(alone, block);
	p->history = (p->history << BRANCH_HISTORY_SHIFT) ^ (hash >> 8);
	p->tag = p->history ^ hash;
	p->by_path = &p->path[(p->tag ^ p->tag >> 13) % BRANCH_ENTRIES];
	p->by_block = &p->block[(hash >> 16) % BRANCH_ENTRIES];
	return wrong;
}

static inline void branch_init(struct branch_predictor *p)
{
	p->by_path = p->path;
	p->by_block = p->block;
}

#endif
