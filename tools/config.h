/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * config.h - the configuration of a point, as results carry it.
 */
#ifndef ZONESIM_CONFIG_H
#define ZONESIM_CONFIG_H

#include <time.h>

#include <jansson.h>

#include "../alloc/kernel.h"

struct point_result;
struct scenario_point;

/* The names of @set's patches as an array: a new reference, or NULL when memory is short. */
json_t *patch_set_to_json(patch_set set);

/*
 * asked_patches_to_json - what the scenario said of patches; another one may say the same
 * otherwise. Returns a new reference, or NULL when memory is short.
 */
json_t *asked_patches_to_json(const struct scenario_point *p);

/*
 * point_to_json - a point of a document (see results/result.h): result, configuration, and where
 * both come from. @started: Unix time. Returns a new reference, or NULL when memory is short.
 */
json_t *point_to_json(
	const struct scenario_point *p, const struct point_result *result, time_t started);

/*
 * config_describe - a point in a few words: "skylake-2s v4.15 +pick-outside-lock page_fault1, 112
 * tasks". Returns @text.
 */
char *config_describe(const struct scenario_point *p, char *text, size_t size);

#endif
