// SPDX-License-Identifier: GPL-3.0-or-later
/*
 * shared_options.c - what more than one subcommand takes from the command line, in one table.
 */
#include <stdlib.h>

#include "../results/must.h"
#include "../results/store.h"
#include "shared_options.h"

#define MAX_JOBS 256

/* clang-format off */
static const struct {
	enum takes takes;
	struct argp_option option;
} table[] = {
	{TAKES_SET, {"set", 's', "PATH=VALUE", 0, "Set an option of the scenario, in place of what its file says; a list makes a point per value", 0}},
	{TAKES_STORE, {"db", 'd', "FILE", 0, "The store (default: " STORE_DEFAULT ")", 0}},
	{TAKES_KEEP, {"db", 'd', "FILE", 0, "Keep each point in the store FILE, and take from it those it has", 0}},
	{TAKES_METRIC, {"metric", 'm', "NAME", 0, "This metric (default: score); may be given several times; all: all there are", 0}},
	{TAKES_CSV, {"csv", 'c', NULL, 0, "Print as CSV, in base units", 0}},
	{TAKES_JSON, {"json", 'J', NULL, 0, "Print as JSON", 0}},
	{TAKES_JOBS, {"jobs", 'j', "N", 0, "Simulate N points at once (default: as many as CPUs)", 0}},
	{TAKES_QUIET, {"quiet", 'q', NULL, 0, "No progress on standard error", 0}},
};
/* clang-format on */

#define NR_SHARED (sizeof(table) / sizeof(table[0]))

struct argp_option *shared_options(unsigned int takes)
{
	struct argp_option *options = must_calloc(NR_SHARED + 1, sizeof(*options));
	size_t nr = 0;

	for (size_t i = 0; i < NR_SHARED; i++) {
		if (takes & table[i].takes)
			options[nr++] = table[i].option;
	}
	return options;
}

void shared_arguments_free(struct shared_arguments *a)
{
	free(a->set.sets.list);
	free(a->select.list);
	free(a->metrics.list);
}

static int parse_jobs(const char *text, struct argp_state *state)
{
	char *end;
	long jobs = strtol(text, &end, 10);

	if (end == text || *end || jobs < 1 || jobs > MAX_JOBS)
		argp_error(state, "-j %s: expected a number from 1 to %d", text, MAX_JOBS);
	return (int)jobs;
}

static error_t parse_argument(
	const struct shared_input *input, char *argument, struct argp_state *state)
{
	struct shared_arguments *a = input->arguments;

	if (input->takes & TAKES_SELECTION)
		words_add(&a->select, argument);
	else if (!(input->takes & TAKES_SCENARIO))
		return ARGP_ERR_UNKNOWN;
	else if (a->scenario)
		argp_error(state, "one scenario at a time");
	else
		a->scenario = argument;
	return 0;
}

static error_t check_arguments(const struct shared_input *input, struct argp_state *state)
{
	struct shared_arguments *a = input->arguments;

	if ((input->takes & TAKES_SCENARIO) && !a->scenario)
		argp_error(state, "a scenario is missing: a file, or one of `zonesim list "
				  "scenarios`");
	if (a->json && a->csv)
		argp_error(state, "--json and --csv exclude each other");
	if ((input->takes & TAKES_STORE) && !a->db)
		a->db = STORE_DEFAULT;
	return 0;
}

error_t shared_parse(int key, char *argument, struct argp_state *state)
{
	const struct shared_input *input = state->input;
	struct shared_arguments *a = input->arguments;

	switch (key) {
	case ARGP_KEY_INIT:
		state->child_inputs[0] = input->own;
		return 0;
	case 's':
		words_add(&a->set.sets, argument);
		return 0;
	case 'd':
		a->db = argument;
		return 0;
	case 'm':
		words_add(&a->metrics, argument);
		return 0;
	case 'c':
		a->csv = true;
		return 0;
	case 'J':
		a->json = true;
		return 0;
	case 'j':
		a->runner.jobs = parse_jobs(argument, state);
		return 0;
	case 'q':
		a->runner.quiet = true;
		return 0;
	case ARGP_KEY_ARG:
		return parse_argument(input, argument, state);
	case ARGP_KEY_END:
		return check_arguments(input, state);
	default:
		return ARGP_ERR_UNKNOWN;
	}
}
