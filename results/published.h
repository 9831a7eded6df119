/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * published.h - measurements that kernel developers published, to hold the simulation against.
 */
#ifndef ZONESIM_PUBLISHED_H
#define ZONESIM_PUBLISHED_H

#include <stddef.h>

struct error;

/* One published figure. All strings are owned by the table it is in; "" stands for not given. */
struct published_row {
	char *table, *machine, *workload, *tasks, *kernel;
	char *patches; /* names in the kernel measured, sorted, separated by single spaces */
	unsigned int batch, high; /* 0: not given */
	char *parameters;	  /* of the workload, when it has any */
	char *metric, *unit;	  /* in zonesim's own words where it has the metric */
	double value;
	double change_pct; /* against the table's base, as published; NAN when not given */
	char *source;
};

struct published {
	struct published_row *rows;
	size_t nr_rows;
};

/*
 * published_load - read every .csv file of the published tables' directory.
 * Returns 0, or -1 with @err filled (file, line, what is wrong). End with published_free.
 */
int published_load(struct published *p, struct error *err);
void published_free(struct published *p);

/* What is looked for. */
struct published_key {
	const char *machine, *workload, *metric;
	const char *const *patches; /* of the running kernel, any order; ends with NULL */
	const char *tasks;	    /* "all" or a number in decimal */
	unsigned int batch, high;
};

/*
 * published_find - the figure measured in the configuration @key, or NULL.
 *
 * Patches match when the row's set equals the key's, leaving out of the key those patches that the
 * row's table never mentions: a release may carry more than its author listed.
 */
const struct published_row *published_find(
	const struct published *p, const struct published_key *key);

#endif
