/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * comparison.h - a document as rows to compare: base beside patched, simulated beside published.
 */
#ifndef ZONESIM_COMPARISON_H
#define ZONESIM_COMPARISON_H

#include <stdint.h>

#include "points.h"
#include "published.h"

struct error;

#define NO_POINT SIZE_MAX

/* What was simulated in one configuration, and what was published for it. */
struct side {
	size_t point;	       /* index in the document; NO_POINT when it was not run */
	const json_t *result;  /* of that point, or NULL */
	struct estimate value; /* of the comparison's metric */
	const struct published_row *published; /* or NULL */
};

/*
 * One row: a configuration without and with patches that are compared. Where the patches do not
 * vary there is only the base.
 */
struct comparison_row {
	struct side base, patched;
	struct estimate change;	 /* percent */
	double published_change; /* percent; NAN when there is none */
};

struct comparison {
	const json_t *document; /* not owned */
	struct settings settings;
	struct published published;
	const char *metric; /* the score, or what was published in its place */
	int patches;	    /* the setting that tells base from patched; -1: there are no patches */
	bool has_patched;   /* the patches vary: rows have two sides */
	bool has_published; /* of the metric, for any row */
	struct comparison_row *rows;
	size_t nr_rows;
};

/*
 * comparison_make - compare the points of @document, which must outlive the comparison.
 *
 * The base is the first set of patches of the document. Every point is in at least one row: a
 * patched one beside the base with the same other settings, a base without partner alone.
 * Returns 0, or -1 with @err filled and nothing to free. End with comparison_free.
 */
int comparison_make(struct comparison *c, const json_t *document, struct error *err);
void comparison_free(struct comparison *c);

/* The published figure of @metric for a point, or NULL. */
const struct published_row *comparison_published(
	const struct comparison *c, size_t point, const char *metric);

/* The patches of a point in print, as the scenario has them; "none" when there are none. */
const char *comparison_patches(const struct comparison *c, size_t point);

/*
 * comparison_partners - do two points differ in nothing but their patches? A batch or high that the
 * kernel chose may differ with them: the scenario then asked for no particular one.
 */
bool comparison_partners(const struct comparison *c, size_t a, size_t b);

/* The publication that a row's published figures come from, or NULL. */
const char *row_source(const struct comparison_row *row);

#endif
