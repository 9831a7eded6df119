/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * vary.h - points on machines whose figures are other than their files say.
 */
#ifndef ZONESIM_VARY_H
#define ZONESIM_VARY_H

#include <stdbool.h>
#include <stddef.h>

#include "../models/figures.h"
#include "scenario.h"

/* What a figure is, and between what it may be, base units; the same where its file has no bounds.
 */
struct knob_range {
	double value, low, high;
};

/* A figure that something is charged by: of a machine, or a coefficient of all machines. */
struct knob {
	const struct figure_info *info;
	bool of_machine;
	struct knob_range range; /* of a coefficient; that of a machine is its own */
};

/*
 * knobs_of - all knobs that each machine of @s has. Returns a new array of @nr, which the caller
 * frees, or NULL with @err filled.
 */
struct knob *knobs_of(const struct scenario *s, size_t *nr, struct error *err);

/*
 * knob_find - the knob of that key. NULL with @err filled when there is none; @option is what was
 * to name one.
 */
const struct knob *knob_find(const struct knob *knobs, size_t nr, const char *option,
	const char *key, struct error *err);

/* The range of @knob for a point. */
struct knob_range knob_range(const struct knob *knob, const struct scenario_point *p);

/* What becomes of a knob. */
struct turn {
	const struct knob *knob;
	const char *machine; /* only of that one; NULL: of all */
	bool within; /* its bounds: @by 0 is the low one, 1 the high one; else @by is a factor */
	double by;
};

/*
 * scenario_vary - append copies of the first @nr_points points of @s, on machines with each of
 * @turns made. A figure is kept within what its kind may be, and pairs of which one may not exceed
 * the other (a clock and its turbo) in order.
 */
void scenario_vary(struct scenario *s, size_t nr_points, const struct turn *turns, size_t nr_turns);

#endif
