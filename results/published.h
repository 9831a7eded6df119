/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * published.h - measurements that kernel developers published, to hold the simulation against.
 */
#ifndef ZONESIM_PUBLISHED_H
#define ZONESIM_PUBLISHED_H

#include <stddef.h>

struct error;

/* One published figure. All strings are owned; "" stands for not given. */
struct published_row {
	char *table; /* the name of its file, without .csv */
	char *machine, *workload, *kernel;
	unsigned int tasks;
	char *patches;		  /* names in the kernel measured, separated by single spaces */
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
 * published_load - read every .csv file of the published tables' directory, which is
 * results/published where zonesim's data is (see data_path in models/paths.h).
 * Returns 0, or -1 with @err filled (file, line, what is wrong) and nothing to free.
 */
int published_load(struct published *p, struct error *err);

/* published_load_directory - the same from a given directory. */
int published_load_directory(struct published *p, const char *directory, struct error *err);

void published_free(struct published *p);

/* What is looked for. */
struct published_key {
	const char *machine, *workload, *kernel, *metric;
	const char *const *patches; /* in the running kernel, any order; ends with NULL */
	const char *const *changes; /* those the user added, or removed ("-name"); ends with NULL */
	unsigned int tasks;
	unsigned int batch, high;
};

/*
 * published_find - the figure measured in the configuration @key, or NULL.
 *
 * The patches match when the row's set equals the key's. A patch that no row of the row's table
 * mentions does not count, as long as it belongs to the release: a release carries more than its
 * author listed. One that the user changed always counts.
 */
const struct published_row *published_find(
	const struct published *p, const struct published_key *key);

#endif
