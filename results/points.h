/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * points.h - reading a document: its points, their settings, and which settings vary.
 */
#ifndef ZONESIM_POINTS_H
#define ZONESIM_POINTS_H

#include <stdbool.h>
#include <stddef.h>

#include <jansson.h>

#include "estimate.h"

struct error;

/*
 * document_check - is this a document with at least one point, whose points have what the functions
 * below rely on? Returns 0, or -1 with @err filled.
 */
int document_check(const json_t *document, struct error *err);

/* Of a checked document; the strings belong to it. */
const char *document_scenario(const json_t *document);
const char *document_version(const json_t *document);
size_t document_size(const json_t *document);
const json_t *document_point(const json_t *document, size_t i);

/*
 * document_part - @nr points of a document, from @first on, as a document of its own. Returns a new
 * reference, or NULL when memory is short.
 */
json_t *document_part(const json_t *document, size_t first, size_t nr);

const char *point_status(const json_t *point);	/* "ok", "imprecise" or "failed" */
const char *point_failure(const json_t *point); /* "" when it did not fail */
const char *point_fingerprint(const json_t *point);

/* A metric of a point; NAN when it has none. A failed point has no metrics. */
struct estimate point_metric(const json_t *point, const char *name);

/* The unit or the help text of a metric, from the first point that has it; "" when none has. */
const char *metric_text(const json_t *document, const char *metric, const char *key);

/* A setting of the configuration: its whole path in the JSON, such as "pcp.batch". */
struct setting {
	char *path;
	bool varies;
	bool numeric; /* in every point that has it */
};

/* The settings of all points of a document, in the order in which they first occur. */
struct settings {
	struct setting *list;
	size_t nr, nr_points;
	char **values; /* [point * nr + setting], in print; "-" where a point has no such setting */
};

/*
 * settings_read - collect the settings of a checked document. "effective_patches" is left out,
 * since it follows from kernel and patches. End with settings_free.
 */
void settings_read(struct settings *settings, const json_t *document);
void settings_free(struct settings *settings);

/* The index of the setting @path, or -1. */
int settings_find(const struct settings *settings, const char *path);

/* The value of setting @setting of point @point in print. */
const char *settings_value(const struct settings *settings, size_t point, size_t setting);

/* The last part of a setting's path: the word to put above a column. */
const char *setting_heading(const struct setting *setting);

/*
 * settings_common - the settings that all points share, as a list in print: "v4.15, page_fault1,
 * batch 31". The caller frees it.
 */
char *settings_common(const struct settings *settings);

/* An empty list in print; one with items has ", " between them. */
#define EMPTY_LIST "none"

#endif
