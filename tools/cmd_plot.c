// SPDX-License-Identifier: GPL-3.0-or-later
/*
 * cmd_plot.c - zonesim plot: a run as a picture.
 */
#include <stdio.h>

#include "../models/error.h"
#include "../results/plot.h"
#include "command.h"

struct arguments {
	const char *document, *output;
};

static const struct argp_option options_of_plot[] = {
	{"output", 'o', "FILE", 0, "The SVG file to write; required", 0},
	{0},
};

static error_t parse_option(int key, char *argument, struct argp_state *state)
{
	struct arguments *a = state->input;

	switch (key) {
	case 'o':
		a->output = argument;
		return 0;
	case ARGP_KEY_ARG:
		if (a->document)
			argp_error(state, "one result at a time");
		a->document = argument;
		return 0;
	case ARGP_KEY_END:
		if (!a->document)
			argp_error(state, "a result of `zonesim run --json` is missing");
		if (!a->output)
			argp_error(state, "-o FILE is missing: where to write the picture");
		return 0;
	default:
		return ARGP_ERR_UNKNOWN;
	}
}

static const struct argp argp = {
	.options = options_of_plot,
	.parser = parse_option,
	.args_doc = "RESULT.json -o FILE.svg",
	.doc = "Draw the points of a run, as `zonesim run -o RESULT.json` wrote it, as SVG.",
};

int cmd_plot(int argc, char **argv)
{
	struct arguments a = {0};
	struct error err;
	json_t *document;
	int status;

	command_parse(&argp, argc, argv, &a);
	document = command_load_document(a.document, &err);
	if (!document) {
		fputs(err.text, stderr);
		return EXIT_BAD_INPUT;
	}
	status = plot_grouped_bars(document, a.output, &err);
	json_decref(document);
	if (status < 0) {
		fputs(err.text, stderr);
		return EXIT_RUN_FAILED;
	}
	return EXIT_DONE;
}
