// SPDX-License-Identifier: GPL-3.0-or-later
/*
 * zonesim.c - the command: finds the subcommand and hands over to it.
 */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "../models/error.h"
#include "command.h"

const char *argp_program_version = "zonesim " ZONESIM_VERSION;

const struct command commands[] = {
	{"run", "simulate the points of a scenario", cmd_run},
	{"sweep", "simulate a grid of points into a store", cmd_sweep},
	{"query", "list the points of a store", cmd_query},
	{"compare", "compare two sets of points of a store", cmd_compare},
	{"merge", "join stores, such as those of the shards of a sweep", cmd_merge},
	{"report", "put points of a store into one page of HTML", cmd_report},
	{"tune", "look for the settings that make a goal large", cmd_tune},
	{"show", "show locks, zones and counters of a run", cmd_show},
	{"explain", "say which figures of the machine a result rests on", cmd_explain},
	{"plot", "draw a run as SVG", cmd_plot},
	{"validate", "hold the simulation against published measurements", cmd_validate},
	{"calibrate", "fit figures to published measurements", cmd_calibrate},
	{"list", "list machines, kernels, patches, workloads or scenarios", cmd_list},
	{"platform", "print a machine as a SimGrid platform", cmd_platform},
	{"help", "explain a subcommand or a topic", cmd_help},
	{NULL, NULL, NULL},
};

/* What was written may only fail to reach its file when it is closed: no silent half output. */
static void close_stdout(void)
{
	int failed = ferror(stdout);

	if (fclose(stdout) == 0 && !failed)
		return;
	fprintf(stderr, "zonesim: can not write to standard output: %s\n",
		errno ? strerror(errno) : "write error");
	_exit(EXIT_RUN_FAILED);
}

static int usage(FILE *out)
{
	fputs("Usage: zonesim SUBCOMMAND [OPTION...]\n"
	      "What a change to the Linux page allocator does to throughput on a server.\n\n",
		out);
	for (const struct command *c = commands; c->name; c++)
		fprintf(out, "  %-10s %s\n", c->name, c->summary);
	fputs("\nTry `zonesim run pick-outside-lock`, or `zonesim help run`.\n", out);
	return out == stdout ? EXIT_DONE : EXIT_BAD_INPUT;
}

static const struct command *find_command(const char *name)
{
	for (const struct command *c = commands; c->name; c++) {
		if (strcmp(c->name, name) == 0)
			return c;
	}
	return NULL;
}

static int unknown_command(const char *name)
{
	const char *names[sizeof(commands) / sizeof(commands[0])];
	const char *near;
	size_t n = 0;

	for (const struct command *c = commands; c->name; c++)
		names[n++] = c->name;
	names[n] = NULL;
	near = nearest_name(name, names);
	fprintf(stderr, "zonesim: unknown subcommand '%.64s'", name);
	if (near)
		fprintf(stderr, ": did you mean '%s'?", near);
	fputs("\nTry 'zonesim --help'.\n", stderr);
	return EXIT_BAD_INPUT;
}

int main(int argc, char **argv)
{
	const struct command *command;
	char program[80];

	if (atexit(close_stdout) != 0)
		return EXIT_RUN_FAILED;
	if (argc < 2)
		return usage(stderr);
	if (strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-h") == 0 ||
		strcmp(argv[1], "-?") == 0)
		return usage(stdout);
	if (strcmp(argv[1], "--version") == 0 || strcmp(argv[1], "-V") == 0) {
		puts(argp_program_version);
		return EXIT_DONE;
	}
	command = find_command(argv[1]);
	if (!command)
		return unknown_command(argv[1]);
	snprintf(program, sizeof(program), "zonesim %s", command->name);
	argv[1] = program;
	return command->run(argc - 1, argv + 1);
}
