/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * branch.h - a core's branch predictor, seen through the basic blocks that conditional branches
 * lead to.
 *
 * Where a block was not the predicted one, the core has run down a wrong path: it waits until the
 * branch's operand is there, and refills its pipeline. This is what exposes the latency of a load
 * that an unpredictable branch depends on, such as whether a buddy is free.
 */
#ifndef ZONESIM_BRANCH_H
#define ZONESIM_BRANCH_H

#include <stdbool.h>
#include <stdint.h>

/*
 * Three tables, as in a predictor of the TAGE family with two history lengths: where a branch goes
 * by the long path that led to it, if that has been seen to decide it, else by the short path, else
 * by the branch alone. Two lengths of history: a few branches, as for a correlated pair, and about
 * a hundred, which Intel cores since Haswell are known to keep and which makes a counting pattern,
 * such as how often each page of a run merges, predictable. Each thread of a core has its own
 * history.
 */
#define BRANCH_LONG_PATHS 2048u
#define BRANCH_PATHS 1024u
#define BRANCH_ALONE 512u
#define BRANCH_HISTORY_SHIFT 6 /* bits by which a branch moves the short history: five are kept */
#define BRANCH_CONFIDENT 2
#define BRANCH_MOST_CONFIDENT 3

struct branch_entry {
	uint16_t tag;		 /* of the path; unused without history */
	uint16_t target : 14;	 /* hash of the block */
	uint16_t confidence : 2; /* up to BRANCH_MOST_CONFIDENT */
};

/* Of a core. */
struct branch_tables {
	struct branch_entry long_path[BRANCH_LONG_PATHS], path[BRANCH_PATHS], alone[BRANCH_ALONE];
};

/* Of a thread. The long history moves by one bit: 96 branches. */
struct branch_predictor {
	struct branch_tables *tables;
	uint64_t long_history;
	uint32_t older_history;
	uint32_t history;
};

/* Learn that @target came; an entry changes its mind only when its confidence is used up. */
static __always_inline void branch_learn(struct branch_entry *e, uint16_t target)
{
	if (e->target == target) {
		if (e->confidence < BRANCH_MOST_CONFIDENT)
			e->confidence++;
	} else if (e->confidence > 0) {
		e->confidence--;
	} else {
		e->target = target;
		e->confidence = 1;
	}
}

static __always_inline void branch_remember(struct branch_predictor *p, uint32_t block)
{
	p->history = (p->history << BRANCH_HISTORY_SHIFT) ^ (block >> 8);
	p->older_history = p->older_history << 1 | (uint32_t)(p->long_history >> 63);
	p->long_history = p->long_history << 1 ^ block >> 16;
}

/*
 * Learn by the short path, or by the branch alone where that is not sure. True when neither had
 * expected @target.
 */
static __always_inline bool branch_learn_near(
	struct branch_entry *by_path, struct branch_entry *alone, uint16_t tag, uint16_t target)
{
	bool wrong = alone->target != target;

	if (by_path->tag == tag) {
		bool known = by_path->confidence >= BRANCH_CONFIDENT;
		bool right = by_path->target == target;

		branch_learn(by_path, target);
		if (known && right)
			return false;
		wrong |= known;
	} else {
		*by_path = (struct branch_entry){tag, target, 1};
	}
	branch_learn(alone, target);
	return wrong;
}

/*
 * @branch, the block that it ends, led to @block; both are numbers that are random in all bits.
 * True when the core had expected another one.
 */
static __always_inline bool branch_went(struct branch_predictor *p, uint32_t branch, uint32_t block)
{
	uint32_t near = (p->history ^ branch) * 2246822519u;
	uint64_t far = (p->long_history ^ p->older_history * 0x9e3779b97f4a7c15u ^ branch) *
		       0xff51afd7ed558ccdu;
	uint16_t target = (uint16_t)(block >> 18), tag = (uint16_t)near,
		 long_tag = (uint16_t)(far >> 32);
	struct branch_entry *by_long_path = &p->tables->long_path[(far >> 48) % BRANCH_LONG_PATHS];
	struct branch_entry *by_path = &p->tables->path[(near >> 16) % BRANCH_PATHS];
	struct branch_entry *alone = &p->tables->alone[(branch >> 16) % BRANCH_ALONE];

	branch_remember(p, block);
	if (by_long_path->tag == long_tag) {
		bool known = by_long_path->confidence >= BRANCH_CONFIDENT;
		bool right = by_long_path->target == target;

		branch_learn(by_long_path, target);
		if (known && right)
			return false;
		return branch_learn_near(by_path, alone, tag, target) || known;
	}
	if (!branch_learn_near(by_path, alone, tag, target))
		return false;
	/* a long path is worth an entry only where the short one does not decide */
	*by_long_path = (struct branch_entry){long_tag, target, 1};
	return true;
}

#endif
