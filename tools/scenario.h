/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * scenario.h - an experiment: the points that a scenario file and --set arguments ask for.
 */
#ifndef ZONESIM_SCENARIO_H
#define ZONESIM_SCENARIO_H

#include <stdbool.h>
#include <stddef.h>

#include "../sim/point.h"
#include "fingerprint.h"
#include "words.h"

struct error;

/* A point, and what of it is for people and files rather than for the simulator. */
struct scenario_point {
	struct point point;
	char **patches; /* as asked: added, or "-name" removed; owned */
	size_t nr_patches;
	char fingerprint[FINGERPRINT_SIZE];
};

struct scenario {
	char *name;	  /* its title */
	char *short_name; /* of its file, without .yaml; NULL when it has none */
	char *definition; /* the text of its file, and the arguments, as comments; likewise */
	struct scenario_point *points;
	size_t nr_points;
	struct machine **machines; /* those the points use, each read once */
	char **machine_files;	   /* the name or path each was asked for by */
	size_t nr_machines;
};

/* What the command line says of a scenario: arguments of the form path=value. */
struct scenario_arguments {
	struct words sets;  /* value in YAML; they take the file's place */
	struct words overs; /* values to go through: see range_list */
	bool zip;	    /* overs go side by side */
};

/*
 * scenario_load - read a scenario, and check every point of it.
 * @name: the path of a file, the name of a scenario that comes with zonesim, or "-" for standard
 *        input
 * Returns 0, or -1 with @err filled. On success the caller ends it with scenario_free.
 */
int scenario_load(struct scenario *s, const char *name, const struct scenario_arguments *a,
	struct error *err);
void scenario_free(struct scenario *s);

/*
 * scenario_add - add the points that a scenario in memory asks for to @s, which is zeroed or
 * loaded.
 * @file: the name of @text in messages
 * Returns 0, or -1 with @err filled and no point added.
 */
int scenario_add(struct scenario *s, const char *file, const char *text, struct error *err);

/* Take the last point away again; there must be one. */
void scenario_drop_last(struct scenario *s);

#endif
