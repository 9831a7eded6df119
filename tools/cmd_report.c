// SPDX-License-Identifier: GPL-3.0-or-later
/*
 * cmd_report.c - zonesim report: points of a store as one page of HTML.
 */
#include <stdio.h>
#include <stdlib.h>

#include "../models/error.h"
#include "../results/must.h"
#include "../results/report.h"
#include "../results/store.h"
#include "command.h"

struct arguments {
	struct shared_arguments shared;
	const char *output, *title;
};

static const struct argp_option options_of_report[] = {
	{"output", 'o', "FILE", 0, "The HTML file to write; required", 0},
	{"title", 't', "TEXT", 0, "The heading (default: the selection)", 0},
	{0},
};

static error_t parse_option(int key, char *argument, struct argp_state *state)
{
	struct arguments *a = state->input;

	switch (key) {
	case 'o':
		a->output = argument;
		return 0;
	case 't':
		a->title = argument;
		return 0;
	case ARGP_KEY_END:
		if (!a->output)
			argp_error(state, "-o FILE is missing: where to write the page");
		return 0;
	default:
		return ARGP_ERR_UNKNOWN;
	}
}

static const struct argp argp = {
	.options = options_of_report,
	.parser = parse_option,
	.help_filter = command_selection_help,
	.args_doc = "[SELECTION...] -o FILE.html",
	.doc = "Put points of a store into one page of HTML, which needs no other file and no "
	       "network: patches compared, pictures, all points, configuration, provenance."
	       "\v",
};

/* The words of the selection with blanks between them. The caller frees it. */
static char *words_of(const struct words *select)
{
	char *text = must_format("%s", select->nr ? "" : "all points");

	for (size_t i = 0; i < select->nr; i++) {
		char *longer = must_format("%s%s%s", text, i ? " " : "", select->list[i]);

		free(text);
		text = longer;
	}
	return text;
}

static int run(int argc, char **argv)
{
	struct arguments a = {0};
	struct report_request request = {0};
	struct error err = {""};
	char *words;
	int status;

	command_parse(&command_report, argc, argv, &a.shared, &a);
	words = words_of(&a.shared.select);
	request = (struct report_request){
		.title = a.title,
		.words = words,
		.select = a.shared.select.list,
		.nr_select = a.shared.select.nr,
	};
	request.store = command_open_store(a.shared.db, STORE_READ, &status);
	if (request.store && report_write(a.output, &request, &status, &err) == 0)
		status = EXIT_DONE;
	fputs(err.text, stderr);
	store_close(request.store);
	free(words);
	shared_arguments_free(&a.shared);
	return status;
}

const struct command command_report = {
	.name = "report",
	.summary = "put points of a store into one page of HTML",
	.takes = TAKES_SELECTION | TAKES_STORE,
	.argp = &argp,
	.run = run,
};
