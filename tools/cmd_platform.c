// SPDX-License-Identifier: GPL-3.0-or-later
/*
 * cmd_platform.c - zonesim platform: a machine as SimGrid sees it.
 */
#include <stdio.h>
#include <stdlib.h>

#include "../models/error.h"
#include "../models/machine.h"
#include "../sim/platform.h"
#include "command.h"

static error_t parse_option(int key, char *argument, struct argp_state *state)
{
	const char **machine = state->input;

	switch (key) {
	case ARGP_KEY_ARG:
		if (*machine)
			argp_error(state, "one machine at a time");
		*machine = argument;
		return 0;
	case ARGP_KEY_END:
		if (!*machine)
			argp_error(state, "a machine is missing: see `zonesim list machines`");
		return 0;
	default:
		return ARGP_ERR_UNKNOWN;
	}
}

static const struct argp argp = {
	.parser = parse_option,
	.args_doc = "MACHINE",
	.doc = "Print a machine as an ordinary SimGrid platform in XML."
	       "\vMACHINE is a name of `zonesim list machines`, or the path of a machine file.",
};

static int run(int argc, char **argv)
{
	const char *name = NULL;
	struct machine machine;
	struct error err;
	char *xml;

	command_parse(&command_platform, argc, argv, NULL, &name);
	if (machine_load(&machine, name, &err) < 0) {
		fputs(err.text, stderr);
		return EXIT_BAD_INPUT;
	}
	xml = platform_xml(&machine);
	machine_free(&machine);
	if (!xml) {
		fputs("zonesim: out of memory\n", stderr);
		return EXIT_RUN_FAILED;
	}
	fputs(xml, stdout);
	free(xml);
	return EXIT_DONE;
}

const struct command command_platform = {
	.name = "platform",
	.summary = "print a machine as a SimGrid platform",
	.argp = &argp,
	.run = run,
};
