/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * curves.h - rows as curves: figures against one setting, a curve for each of what else varies.
 */
#ifndef ZONESIM_CURVES_H
#define ZONESIM_CURVES_H

#include <stdbool.h>
#include <stddef.h>

#include "difference.h"
#include "published.h"
#include "rows.h"

struct error;

/* One point of a curve: all its seeds taken together. */
struct curve_point {
	double x, y;		/* y: of maps only */
	struct measured *means; /* of each metric */
	double *published;	/* of each metric; NAN when there is none */
	size_t nr_seeds;
};

struct curve {
	char *name; /* what tells it from the others; "" when it is the only one */
	struct curve_point *points;
	size_t nr;
};

struct curves {
	const char *x; /* key of the horizontal axis */
	struct curve *list;
	size_t nr;
	size_t most_seeds;
	char *sources; /* of the published figures, with "; " between them; NULL: there are none */
	struct published published;
};

/*
 * curves_make - sort @rows into curves along @x and, for maps, @y; both are keys, @y may be NULL.
 * With @x NULL, the axis is the number that varies: tasks, pcp.batch, or the first there is; never
 * the seed. Numbers that follow from the axis, as high does from batch, make no curves of their
 * own. Returns 0, or -1 with @err filled: nothing varies, the axis is no number, too many curves.
 */
int curves_make(
	struct curves *curves, struct rows *rows, const char *x, const char *y, struct error *err);
void curves_free(struct curves *curves);

/* Forget what was published, for a picture that does not show it. */
void curves_drop_published(struct curves *curves);

#endif
