/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * axis.h - what a scenario file and the --set arguments ask to vary.
 *
 * An axis is a list of alternatives, of which each point takes one; an alternative sets one option,
 * or several that go together ({batch: 31, high: 186}). The points are the product of the axes.
 */
#ifndef ZONESIM_AXIS_H
#define ZONESIM_AXIS_H

#include <stdbool.h>
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
	char *value; /* in place of the node's text, where that is a range; owned by the axis */
};

struct alternative {
	struct setting *settings;
	size_t nr_settings;
};

struct axis {
	struct alternative *alternatives;
	size_t nr_alternatives;
	bool swept; /* asked for with --over */
	bool twice; /* a value may stand twice in a list */
};

struct axes {
	struct axis *axes;
	size_t nr_axes;
	bool twice; /* of axes to come: with --zip, others beside a value tell it from the same */
};

/*
 * axes_add_file - the axes of a scenario file. Returns 0, or -1 with @err filled. The document must
 * live as long as the axes.
 */
int axes_add_file(struct axes *axes, const struct document *d, struct error *err);

/*
 * axes_set - the axis of a --set argument, whose document holds the value only; takes the place of
 * what was said before about @path and the options below it. Where pcp.batch is set and pcp.high
 * went with it, high goes, too, and follows as the kernel has it. Returns 0, or -1 with @err
 * filled, or 1 when there is nothing called @path.
 */
int axes_set(struct axes *axes, const char *path, const struct document *d, struct error *err);

/* axes_sweep - the same for --over. */
int axes_sweep(struct axes *axes, const char *path, const struct document *d, struct error *err);

/*
 * axes_zip - go through all axes of --over side by side, as one axis. Returns 0, or -1 with @err
 * filled when they are not equally long.
 */
int axes_zip(struct axes *axes, struct error *err);

/* What a setting says, when that is a scalar; else NULL. */
const char *setting_text(const struct setting *setting);

/* Put the axes in the order in which they vary, the slowest first. */
void axes_sort(struct axes *axes);

void axes_free(struct axes *axes);

#endif
