/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * explanation.h - what a result rests on: how much it moves with each figure of the machine, and
 * how far all of them together, as uncertain as they are, may have moved it.
 */
#ifndef ZONESIM_EXPLANATION_H
#define ZONESIM_EXPLANATION_H

#include <stdio.h>

#include <jansson.h>

#include "estimate.h"

struct error;

/* One figure that was varied alone. */
struct varied_figure {
	const char *key;  /* not owned */
	const char *help; /* likewise */
	double percent;	  /* by how much it was raised */
};

/* A configuration, without or with patches; as often as blocks, the first with figures as they are.
 */
struct explained_row {
	char *label;			    /* machine and patches; owned */
	char *patches;			    /* that it is compared with; NULL when there are none */
	json_t *base_point, *patched_point; /* with figures as they are; own references, or NULL */
	struct estimate *score;		    /* [block] */
	struct estimate *change;	    /* [block], percent */
};

/*
 * A document in blocks of the same points: first with the figures as they are, then a block for
 * each varied figure, then one for each sample of all figures within their bounds.
 */
struct explanation {
	struct explained_row *rows;
	size_t nr_rows;
	const struct varied_figure *figures; /* not owned */
	size_t nr_figures, nr_samples;
	char *metric, *unit;
};

/*
 * explanation_make - from @document of (1 + @nr_figures + @nr_samples) blocks of @nr_points points.
 * Returns 0, or -1 with @err filled and nothing to free. End with explanation_free.
 */
int explanation_make(struct explanation *e, const json_t *document, size_t nr_points,
	const struct varied_figure *figures, size_t nr_figures, size_t nr_samples,
	struct error *err);
void explanation_free(struct explanation *e);

/* What one percent more of figure @figure does to a row's score, in percent of it. */
struct estimate explanation_score_effect(
	const struct explanation *e, const struct explained_row *row, size_t figure);

/* The same to what the patches bring, in percentage points. */
struct estimate explanation_change_effect(
	const struct explanation *e, const struct explained_row *row, size_t figure);

/* Over the samples: mean, standard deviation, and between what 95% of them are. */
struct spread {
	double mean, sd, low, high;
};

/* Of the score, or of what the patches bring. NAN with less than two samples. */
struct spread explanation_score_spread(
	const struct explanation *e, const struct explained_row *row);
struct spread explanation_change_spread(
	const struct explanation *e, const struct explained_row *row);

void explanation_print(FILE *out, const struct explanation *e);

/* Returns a new reference, or NULL when memory is short. */
json_t *explanation_to_json(const struct explanation *e);

#endif
