/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * shared_options.h - what more than one subcommand takes from the command line, in one table.
 */
#ifndef ZONESIM_SHARED_OPTIONS_H
#define ZONESIM_SHARED_OPTIONS_H

#include <argp.h>
#include <stdbool.h>

#include "runner.h"
#include "scenario.h"
#include "words.h"

/* Which of it a subcommand takes. */
enum takes {
	TAKES_SCENARIO = 1 << 0,  /* one argument, a scenario, which must be given */
	TAKES_SELECTION = 1 << 1, /* arguments that select points of a store */
	TAKES_SET = 1 << 2,
	TAKES_STORE = 1 << 3, /* --db: STORE_DEFAULT unless it is given */
	TAKES_KEEP = 1 << 4,  /* --db: no store unless it is given */
	TAKES_METRIC = 1 << 5,
	TAKES_CSV = 1 << 6,
	TAKES_JSON = 1 << 7,
	TAKES_JOBS = 1 << 8,
	TAKES_QUIET = 1 << 9,
};

/* What was given. */
struct shared_arguments {
	const char *scenario, *db;
	struct scenario_arguments set;
	struct words select, metrics;
	bool csv, json;
	struct runner_options runner; /* its store is for the subcommand to open */
};

/* Free the lists of @a; the words are not owned. */
void shared_arguments_free(struct shared_arguments *a);

/* The options of @takes, an array that ends with zeros. The caller frees it. */
struct argp_option *shared_options(unsigned int takes);

/* What shared_parse works on, as state->input. */
struct shared_input {
	unsigned int takes;
	struct shared_arguments *arguments;
	void *own; /* goes on to the only child, the parser of what is the subcommand's own */
};

/* A parser for argp of what is shared. At the end, the child had its turn before. */
error_t shared_parse(int key, char *argument, struct argp_state *state);

#endif
