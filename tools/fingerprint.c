// SPDX-License-Identifier: GPL-3.0-or-later
/*
 * fingerprint.c - a name for everything that decides a result.
 */
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#define XXH_INLINE_ALL
#include <xxhash.h>

#include "../models/figures.h"
#include "../sim/point.h"
#include "../sim/workload.h"
#include "fingerprint.h"
#include "options.h"
#include "source_hash.h"

/* Key and value go in as text with their ends marked, so that no two lists read the same. */
static void add_text(XXH3_state_t *state, const char *key, const char *value)
{
	XXH3_128bits_update(state, key, strlen(key) + 1);
	XXH3_128bits_update(state, value, strlen(value) + 1);
}

static void add_number(XXH3_state_t *state, const char *key, double value)
{
	char text[40];

	snprintf(text, sizeof(text), "%.17g", value);
	add_text(state, key, text);
}

static void add_machine(XXH3_state_t *state, const struct machine *machine)
{
	add_text(state, "machine", machine->name);
	for (size_t i = 0; i < nr_machine_figures; i++)
		add_number(
			state, machine_figures[i].key, figure_value(machine, &machine_figures[i]));
}

static void add_patches(XXH3_state_t *state, patch_set set)
{
	for (int i = 0; i < NR_PATCHES; i++) {
		if (set & PATCH_BIT(i))
			add_text(state, "patch", patches[i].name);
	}
}

static void add_workload(XXH3_state_t *state, const struct point *point)
{
	const struct workload *workload = point->workload;

	add_text(state, "workload", workload->name);
	for (size_t i = 0; workload->parameters[i].name; i++)
		add_number(state, workload->parameters[i].name, point->parameters[i]);
}

/* A struct of figures that are all doubles, whichever they are. */
static void add_coefficients(XXH3_state_t *state, const struct coefficients *c)
{
	const double *figures = (const double *)c;

	for (size_t i = 0; i < sizeof(*c) / sizeof(double); i++)
		add_number(state, "coefficients", figures[i]);
}

/* The options that are plain numbers of the point, so that none is forgotten. */
static void add_settings(XXH3_state_t *state, const struct point *point)
{
	size_t count;
	const struct scenario_option *all = options(&count);

	for (size_t i = 0; i < count; i++) {
		const char *field = (const char *)point + all[i].offset;

		if (all[i].type == OPTION_UINT)
			add_number(state, all[i].path, *(const unsigned int *)field);
		else if (all[i].type == OPTION_UINT64)
			add_number(state, all[i].path, (double)*(const uint64_t *)field);
		else if (all[i].type == OPTION_DOUBLE)
			add_number(state, all[i].path, *(const double *)field);
	}
}

static void finish_short(XXH3_state_t *state, char text[DIGEST_SIZE])
{
	snprintf(text, DIGEST_SIZE, "%016llx",
		(unsigned long long)XXH3_128bits_digest(state).high64);
}

const char *fingerprint_sources(void)
{
	return ZONESIM_SOURCES;
}

void digest_of_machine(const struct machine *machine, char text[DIGEST_SIZE])
{
	XXH3_state_t state;

	XXH3_INITSTATE(&state);
	XXH3_128bits_reset(&state);
	add_machine(&state, machine);
	finish_short(&state, text);
}

void digest_of_coefficients(const struct point *point, char text[DIGEST_SIZE])
{
	XXH3_state_t state;

	XXH3_INITSTATE(&state);
	XXH3_128bits_reset(&state);
	add_coefficients(&state, &point->coefficients);
	finish_short(&state, text);
}

void digest_of_model(const struct point *point, char text[DIGEST_SIZE])
{
	XXH3_state_t state;

	XXH3_INITSTATE(&state);
	XXH3_128bits_reset(&state);
	add_text(&state, "zonesim", ZONESIM_VERSION);
	add_text(&state, "sources", ZONESIM_SOURCES);
	add_coefficients(&state, &point->coefficients);
	finish_short(&state, text);
}

void fingerprint_of_point(const struct point *point, char text[FINGERPRINT_SIZE])
{
	XXH3_state_t state;
	XXH128_hash_t hash;

	XXH3_INITSTATE(&state);
	XXH3_128bits_reset(&state);
	add_text(&state, "zonesim", ZONESIM_VERSION);
	add_text(&state, "sources", ZONESIM_SOURCES);
	add_machine(&state, point->machine);
	add_coefficients(&state, &point->coefficients);
	add_text(&state, "kernel", point->kernel->name);
	add_patches(&state, point->patches);
	add_workload(&state, point);
	add_number(&state, "tasks", point->tasks);
	add_settings(&state, point);
	hash = XXH3_128bits_digest(&state);
	snprintf(text, FINGERPRINT_SIZE, "%016llx%016llx", (unsigned long long)hash.high64,
		(unsigned long long)hash.low64);
}
