/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * published.h - measurements that kernel developers published, to hold the simulation against.
 */
#ifndef ZONESIM_PUBLISHED_H
#define ZONESIM_PUBLISHED_H

#include <stdbool.h>
#include <stddef.h>

struct error;

/* One published figure. All strings are owned; "" stands for not given. */
struct published_row {
	char *table; /* the name of its file, without .csv */
	char *machine, *workload, *kernel;
	unsigned int tasks;
	char *patches;		  /* names in the kernel measured, separated by single spaces */
	unsigned int batch, high; /* 0: not given */
	char *parameters;	  /* of the workload, when it has any: "name=value ..." */
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

/* A parameter of a workload, base units. */
struct published_parameter {
	char name[32];
	double value;
};

/*
 * published_parameter - the first of the parameters at *@at, which moves on to the next one. The
 * value "single" is 0. Returns 0, 1 when there is none left, or -1 when it is not "name=number".
 */
int published_parameter(const char **at, struct published_parameter *parameter);

/* Is @name one of the names of @list, which stand between spaces? */
bool published_has_word(const char *list, const char *name);

/*
 * published_mentions - does a row of some table name @patch, for this release? Those rows say which
 * kernels had it and which had not; of other patches of a release they say nothing: a release
 * carries more than the authors listed.
 */
bool published_mentions(const struct published *p, const char *kernel, const char *patch);

/*
 * published_base - the row of the same table that @row is compared with: the first that differs in
 * nothing but patches, batch and high, and is no change itself. @row itself when it is that one.
 * NULL when there is none.
 */
const struct published_row *published_base(
	const struct published *p, const struct published_row *row);

/* What is looked for. */
struct published_key {
	const char *machine, *workload, *kernel, *metric;
	const char *const *patches; /* in the running kernel, any order; ends with NULL */
	const char *const *changes; /* those the user added, or removed ("-name"); ends with NULL */
	unsigned int tasks;
	unsigned int batch, high;
	const struct published_parameter *parameters; /* all that the workload has */
	size_t nr_parameters;
};

/*
 * published_find - the figure measured in the configuration @key, or NULL.
 *
 * The patches match when the row's set equals the key's. A patch that is not mentioned (see
 * published_mentions) does not count, as long as it belongs to the release. One that the user
 * changed always counts. Parameters that the row does not give may have any value.
 */
const struct published_row *published_find(
	const struct published *p, const struct published_key *key);

#endif
