// SPDX-License-Identifier: GPL-3.0-or-later
/*
 * cmd_list.c - zonesim list: what there is to choose from.
 */
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "../models/error.h"
#include "../results/suggest.h"
#include "cmd_list.h"
#include "command.h"

static const struct kind {
	const char *name;
	int (*print)(const struct list_arguments *a, struct error *err);
} kinds[] = {
	{"machines", list_machines},
	{"kernels", list_kernels},
	{"patches", list_patches},
	{"workloads", list_workloads},
	{"scenarios", list_scenarios},
};

#define NR_KINDS (sizeof(kinds) / sizeof(kinds[0]))

const char *list_kind(size_t i)
{
	return i < NR_KINDS ? kinds[i].name : NULL;
}

struct arguments {
	struct shared_arguments shared;
	const struct kind *kind;
	struct list_arguments list;
};

static const struct argp_option options_of_list[] = {
	{"figures", 'f', NULL, 0, "Every figure of each machine, with its mark and source", 0},
	{0},
};

static void find_kind(struct arguments *a, const char *name, struct argp_state *state)
{
	const char *names[NR_KINDS + 1] = {NULL};

	for (size_t i = 0; i < NR_KINDS; i++) {
		names[i] = kinds[i].name;
		if (strcmp(kinds[i].name, name) == 0)
			a->kind = &kinds[i];
	}
	if (!a->kind)
		argp_error(state, "there is no list of '%.64s'%s", name,
			suggest(name, names, NULL).text);
}

static void check_arguments(struct arguments *a, struct argp_state *state)
{
	bool machines;

	if (!a->kind)
		argp_error(state, "list what? machines, kernels, patches, workloads or scenarios");
	machines = a->kind->print == list_machines;
	if (a->list.name && !machines)
		argp_error(state, "only machines are listed by name");
	if (a->list.figures && !machines)
		argp_error(state, "only machines have figures");
}

static error_t parse_option(int key, char *argument, struct argp_state *state)
{
	struct arguments *a = state->input;

	switch (key) {
	case 'f':
		a->list.figures = true;
		return 0;
	case ARGP_KEY_ARG:
		if (!a->kind)
			find_kind(a, argument, state);
		else if (!a->list.name)
			a->list.name = argument;
		else
			argp_error(state, "one name at a time");
		return 0;
	case ARGP_KEY_END:
		check_arguments(a, state);
		return 0;
	default:
		return ARGP_ERR_UNKNOWN;
	}
}

static const struct argp argp = {
	.options = options_of_list,
	.parser = parse_option,
	.args_doc = "machines [NAME]\nkernels\npatches\nworkloads\nscenarios",
	.doc = "List what a scenario can name. With the NAME of a machine, or the path of a "
	       "machine file, show its figures.",
};

static int run(int argc, char **argv)
{
	struct arguments a = {0};
	struct error err = {""};
	int status;

	command_parse(&command_list, argc, argv, &a.shared, &a);
	a.list.json = a.shared.json;
	status = a.kind->print(&a.list, &err);
	fputs(err.text, stderr);
	return status;
}

const struct command command_list = {
	.name = "list",
	.summary = "list machines, kernels, patches, workloads or scenarios",
	.takes = TAKES_JSON,
	.argp = &argp,
	.run = run,
};
