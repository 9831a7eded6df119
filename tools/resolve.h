/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * resolve.h - from the settings chosen for a point to the point.
 */
#ifndef ZONESIM_RESOLVE_H
#define ZONESIM_RESOLVE_H

#include "../results/suggest.h"

struct document;
struct error;
struct scenario;
struct scenario_point;
struct setting;

/*
 * resolve_point - fill @point from @chosen, which holds a setting or NULL for each option of the
 * table, and check that it can be simulated. Machines are read into @s, each once. @file is where a
 * missing option is reported. Returns 0, or -1 with @err filled.
 */
int resolve_point(struct scenario *s, struct scenario_point *point,
	const struct setting *const *chosen, const struct document *file, struct error *err);

/* What to say of a name that no release, or no workload, has. */
struct suggestion kernel_suggest(const char *name);
struct suggestion workload_suggest(const char *name);

#endif
