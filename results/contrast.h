/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * contrast.h - two selections of points, matched: base beside patched, for each metric.
 */
#ifndef ZONESIM_CONTRAST_H
#define ZONESIM_CONTRAST_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include <jansson.h>

#include "difference.h"

struct error;

/* One configuration on both sides, which differs in nothing but what is compared, and the seed. */
struct contrast_group {
	size_t base, nr_base;	    /* rows of the base, from here on */
	size_t patched, nr_patched; /* likewise */
	struct difference *metrics; /* of each metric */
};

struct contrast {
	struct rows *base, *patched; /* not owned; sorted by contrast_make */
	const char *base_text, *patched_text;
	bool compared[ROW_MAX_SETTINGS]; /* settings that have no value in common on both sides */
	struct contrast_group *groups;
	size_t nr_groups;
	size_t base_alone, patched_alone; /* points without a partner */
	size_t failed;			  /* points that failed, and do not count */
	size_t imprecise;
};

/*
 * contrast_make - match the points of two selections, which must have been loaded with the same
 * metrics and outlive the contrast. @base_text and @patched_text are the selections in words.
 * Returns 0, or -1 with @err filled and nothing to free: there is nothing to compare, or one side
 * has several points where the other has one.
 */
int contrast_make(struct contrast *c, struct rows *base, struct rows *patched, struct error *err);
void contrast_free(struct contrast *c);

/*
 * As tables in the form of LKP reports: base, %change, patched, metric; or as Markdown for mail; or
 * as HTML.
 * Errors of @out are left for the caller to find with ferror.
 */
void contrast_print(FILE *out, const struct contrast *c, bool markdown);
void contrast_print_html(FILE *out, const struct contrast *c);

/* A new reference, or NULL when memory is short. */
json_t *contrast_to_json(const struct contrast *c);

#endif
