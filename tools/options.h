/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * options.h - everything a scenario may set, in one table.
 *
 * The table feeds the scenario parser, --set, the bounds and the help text.
 */
#ifndef ZONESIM_OPTIONS_H
#define ZONESIM_OPTIONS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "../models/units.h"
#include "../results/suggest.h"

enum option_type {
	OPTION_TITLE,	  /* of the scenario as a whole: no list */
	OPTION_MACHINE,	  /* name or path of a machine */
	OPTION_KERNEL,	  /* name of a release */
	OPTION_WORKLOAD,  /* name of a workload */
	OPTION_PARAMETER, /* of the workload, which knows its unit and bounds */
	OPTION_TASKS,	  /* a number, or "all" */
	OPTION_UINT,	  /* an unsigned int of struct point */
	OPTION_UINT64,	  /* a uint64_t of struct point */
	OPTION_DOUBLE,	  /* a double of struct point */
	OPTION_PATCHES,	  /* a list of patches; lists make lists of lists */
};

struct scenario_option {
	const char *path; /* "pcp.batch" */
	enum option_type type;
	bool required;
	enum quantity unit;   /* of the numeric types */
	size_t offset;	      /* in struct point, for OPTION_UINT, _UINT64 and _DOUBLE */
	double min, max;      /* base units */
	const char *fallback; /* as a scenario would write it; NULL when required or none */
	const char *left_out; /* what it means to leave it out, when no value says it */
	const char *example;  /* of a value, where there is no fallback and it is not required */
	const char *help;
};

/*
 * options - all options, the workloads' parameters among them, in the order in which lists are
 * combined: the first varies slowest. Fills @count.
 */
const struct scenario_option *options(size_t *count);

/* The option called @path, or NULL. */
const struct scenario_option *option_find(const char *path);

/* Is it a whole number that makes a difference to what is simulated? */
bool option_is_number(const struct scenario_option *option);

/* Is there an option below @path, as "pcp.batch" is below "pcp"? */
bool option_is_group(const char *path);

/*
 * option_suggest - what to say of a @key that is not there below @group ("" for the top level).
 */
struct suggestion option_suggest(const char *group, const char *key);

/* Print the whole table for people. Errors of @out are left for the caller to find with ferror. */
void options_print(FILE *out);

#endif
