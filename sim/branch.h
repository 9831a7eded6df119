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
 * alone. They are much larger than the allocator's code needs, so their size decides nothing; it
 * is kept small for the host's own caches.
 */
#define BRANCH_PATHS 1024u
#define BRANCH_BLOCKS 512u
#define BRANCH_HISTORY_SHIFT 6 /* bits by which a block moves the history: five blocks are kept */
#define BRANCH_CONFIDENT 2
#define BRANCH_MOST_CONFIDENT 3

struct branch_entry {
	uint16_t tag;	    /* of the path; unused without history */
	uint16_t successor; /* hash of the block */
	uint16_t confidence;
};

struct branch_predictor {
	uint32_t history;
	uint16_t tag;
	struct branch_entry *by_path, *by_block; /* those that the next block is compared with */
	struct branch_entry path[BRANCH_PATHS], block[BRANCH_BLOCKS];
};

/* Learn that @successor came; an entry changes its mind only when its confidence is used up. */
static __always_inline void branch_learn(struct branch_entry *e, uint16_t successor)
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
static __always_inline bool branch_enter(struct branch_predictor *p, uintptr_t pc)
{
	uint32_t hash = (uint32_t)pc * 2654435761u;
	uint16_t block = (uint16_t)(hash >> 16);
	struct branch_entry *path = p->by_path, *alone = p->by_block;
	bool known = path->tag == p->tag && path->confidence >= BRANCH_CONFIDENT;
	bool wrong = (known ? path : alone)->successor != block;

	if (path->tag != p->tag)
		*path = (struct branch_entry){p->tag, block, 0};
	branch_learn(path, block);
	branch_learn(alone, block);
	p->history = (p->history << BRANCH_HISTORY_SHIFT) ^ (hash >> 8);
	uint32_t mixed = (p->history ^ hash) * 2246822519u;

	p->tag = (uint16_t)mixed;
	p->by_path = &p->path[(mixed >> 16) % BRANCH_PATHS];
	p->by_block = &p->block[block % BRANCH_BLOCKS];
	return wrong;
}

static inline void branch_init(struct branch_predictor *p)
{
	p->by_path = p->path;
	p->by_block = p->block;
}

#endif
