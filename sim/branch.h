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
 * Three tables, as in a predictor of the TAGE family with two history lengths: the successor of a
 * block by the long path that led to it, if that has been seen to decide it, else by the short
 * path, else by the block alone. Two lengths of history: a few branches, as for a correlated pair,
 * and about a hundred, which Intel cores since Haswell are known to keep and which makes a counting
 * pattern, such as how often each page of a run merges, predictable. The tables are larger than the
 * allocator's code needs, so their size decides nothing.
 */
#define BRANCH_LONG_PATHS 2048u
#define BRANCH_PATHS 1024u
#define BRANCH_BLOCKS 512u
#define BRANCH_HISTORY_SHIFT 6 /* bits by which a block moves the short history: five are kept */
#define BRANCH_CONFIDENT 2
#define BRANCH_MOST_CONFIDENT 3

struct branch_entry {
	uint16_t tag;	    /* of the path; unused without history */
	uint16_t successor; /* hash of the block */
	uint16_t confidence;
};

struct branch_predictor {
	uint64_t long_history[2]; /* moves by one bit: 128 blocks */
	uint32_t history;
	uint16_t tag, long_tag;
	/* those that the next block is compared with */
	struct branch_entry *by_long_path, *by_path, *by_block;
	struct branch_entry long_path[BRANCH_LONG_PATHS], path[BRANCH_PATHS], block[BRANCH_BLOCKS];
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

static __always_inline bool branch_knows(const struct branch_entry *e, uint16_t tag)
{
	return e->tag == tag && e->confidence >= BRANCH_CONFIDENT;
}

/* Where the next block will be looked for. */
static __always_inline void branch_look_ahead(
	struct branch_predictor *p, uint32_t hash, uint16_t block)
{
	p->history = (p->history << BRANCH_HISTORY_SHIFT) ^ (hash >> 8);
	p->long_history[1] = p->long_history[1] << 1 | p->long_history[0] >> 63;
	p->long_history[0] = p->long_history[0] << 1 ^ hash >> 16;

	uint32_t mixed = (p->history ^ hash) * 2246822519u;
	uint64_t folded = (p->long_history[0] ^ p->long_history[1] * 0x9e3779b97f4a7c15u ^ hash) *
			  0xff51afd7ed558ccdu;

	p->tag = (uint16_t)mixed;
	p->by_path = &p->path[(mixed >> 16) % BRANCH_PATHS];
	p->long_tag = (uint16_t)(folded >> 32);
	p->by_long_path = &p->long_path[(folded >> 48) % BRANCH_LONG_PATHS];
	p->by_block = &p->block[block % BRANCH_BLOCKS];
}

/* Enter the block at @pc; true when the predictor had expected another one. */
static __always_inline bool branch_enter(struct branch_predictor *p, uintptr_t pc)
{
	uint32_t hash = (uint32_t)pc * 2654435761u;
	uint16_t block = (uint16_t)(hash >> 16);
	struct branch_entry *far = p->by_long_path, *path = p->by_path, *alone = p->by_block;
	bool far_known = branch_knows(far, p->long_tag);
	const struct branch_entry *near = branch_knows(path, p->tag) ? path : alone;
	bool wrong = (far_known ? far : near)->successor != block;

	/* a long path is worth an entry only where the short one does not decide */
	if (far->tag == p->long_tag)
		branch_learn(far, block);
	else if (near->successor != block)
		*far = (struct branch_entry){p->long_tag, block, 1};
	if (path->tag != p->tag)
		*path = (struct branch_entry){p->tag, block, 0};
	branch_learn(path, block);
	branch_learn(alone, block);
	branch_look_ahead(p, hash, block);
	return wrong;
}

static inline void branch_init(struct branch_predictor *p)
{
	p->by_long_path = p->long_path;
	p->by_path = p->path;
	p->by_block = p->block;
}

#endif
