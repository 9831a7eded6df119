/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * axis.h - what a scenario file and the --set arguments ask to vary.
 *
 * An axis is a list of alternatives, of which each point takes one; an alternative sets one option,
 * or several that go together ({batch: 31, high: 186}). The points are the product of the axes.
 */
#ifndef ZONESIM_AXIS_H
#define ZONESIM_AXIS_H

#include <stddef.h>

#include "../models/document.h"
#include "options.h"

struct error;

#define AXES_MAX_POINTS 10000

/* An option set to what a node says. */
struct setting {
	const struct scenario_option *option;
	const struct document *document;
	const node *node;
};

struct alternative {
	struct setting *settings;
	size_t nr_settings;
};

struct axis {
	struct alternative *alternatives;
	size_t nr_alternatives;
};

struct axes {
	struct axis *axes;
	size_t nr_axes;
};

/*
 * axes_add_file - the axes of a scenario file. Returns 0, or -1 with @err filled. The document must
 * live as long as the axes.
 */
int axes_add_file(struct axes *axes, const struct document *d, struct error *err);

/*
 * axes_set - the axis of a --set argument, whose document holds the value only; takes the place of
 * what was said before about @path and the options below it. Returns 0, or -1 with @err filled.
 */
int axes_set(struct axes *axes, const char *path, const struct document *d, struct error *err);

/* Put the axes in the order in which they vary, the slowest first. */
void axes_sort(struct axes *axes);

void axes_free(struct axes *axes);

#endif
