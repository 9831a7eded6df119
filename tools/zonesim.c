// SPDX-License-Identifier: GPL-3.0-or-later
/*
 * zonesim.c - the command: finds the subcommand and hands over to it.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "../models/error.h"
#include "command.h"
#include "watch.h"

const char *argp_program_version = "zonesim " ZONESIM_VERSION;

const struct command *const commands[] = {
	&command_new,
	&command_run,
	&command_sweep,
	&command_query,
	&command_compare,
	&command_merge,
	&command_report,
	&command_tune,
	&command_show,
	&command_explain,
	&command_plot,
	&command_validate,
	&command_calibrate,
	&command_list,
	&command_platform,
	&command_doctor,
	&command_completion,
	&command_help,
	NULL,
};

/*
 * A file or a pipe that is opened must not get the number of a standard stream that is closed: it
 * would get what is printed. What stands in for one can not be read or written, either.
 */
static int fill_streams(void)
{
	for (int fd = STDIN_FILENO; fd <= STDERR_FILENO; fd++) {
		int mode = fd == STDIN_FILENO ? O_WRONLY : O_RDONLY;

		if (fcntl(fd, F_GETFD) < 0 && open("/dev/null", mode) != fd)
			return -1;
	}
	return 0;
}

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
	for (size_t i = 0; commands[i]; i++)
		fprintf(out, "  %-10s %s\n", commands[i]->name, commands[i]->summary);
	fputs("\nTry `zonesim run pick-outside-lock`, or `zonesim help run`.\n", out);
	return out == stdout ? EXIT_DONE : EXIT_BAD_INPUT;
}

static int unknown_command(const char *name)
{
	fprintf(stderr, "zonesim: unknown subcommand '%.64s'%s\nTry 'zonesim --help'.\n", name,
		command_suggest(name, NULL).text);
	return EXIT_BAD_INPUT;
}

int main(int argc, char **argv)
{
	const struct command *command;
	char program[80];

	if (fill_streams() < 0 || atexit(close_stdout) != 0)
		return EXIT_RUN_FAILED;
	if (argc < 2)
		return usage(stderr);
	watch_keep_arguments(argv);
	if (strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-h") == 0 ||
		strcmp(argv[1], "-?") == 0)
		return usage(stdout);
	if (strcmp(argv[1], "--version") == 0 || strcmp(argv[1], "-V") == 0) {
		puts(argp_program_version);
		return EXIT_DONE;
	}
	command = command_find(argv[1]);
	if (!command)
		return unknown_command(argv[1]);
	snprintf(program, sizeof(program), "zonesim %s", command->name);
	argv[1] = program;
	return command->run(argc - 1, argv + 1);
}
