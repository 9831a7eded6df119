/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * topics.h - what there is to explain beside the subcommands.
 */
#ifndef ZONESIM_TOPICS_H
#define ZONESIM_TOPICS_H

#include <stddef.h>
#include <stdio.h>

#include "../results/suggest.h"

struct topic {
	const char *name, *summary;
	/* Print it, in lines of 80 columns. Errors of @out are left for the caller to find. */
	void (*print)(FILE *out);
};

extern const struct topic topics[];
extern const size_t nr_topics;

/* What a run measures of any workload, beside the score. */
struct common_metric {
	const char *name, *unit, *help;
};

extern const struct common_metric common_metrics[]; /* ends with a NULL name */

/* What to say of a @name that no metric has. */
struct suggestion metric_suggest(const char *name);

#endif
