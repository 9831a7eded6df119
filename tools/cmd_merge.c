// SPDX-License-Identifier: GPL-3.0-or-later
/*
 * cmd_merge.c - zonesim merge: several stores into one.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "../models/error.h"
#include "../results/store.h"
#include "command.h"

struct arguments {
	const char *out;
	struct words in;
};

static error_t parse_option(int key, char *argument, struct argp_state *state)
{
	struct arguments *a = state->input;

	switch (key) {
	case ARGP_KEY_ARG:
		if (a->out)
			words_add(&a->in, argument);
		else
			a->out = argument;
		return 0;
	case ARGP_KEY_END:
		if (!a->in.nr)
			argp_error(state, "a store to write and one or more to read are needed");
		return 0;
	default:
		return ARGP_ERR_UNKNOWN;
	}
}

static const struct argp argp = {
	.parser = parse_option,
	.args_doc = "OUT IN...",
	.doc = "Add the points and scenarios of the stores IN to the store OUT, which is made when "
	       "it is not there. What OUT has stays; a point that failed there is replaced by one "
	       "that did not."
	       "\vStores of different models, or with different figures of one machine, are "
	       "refused, and so are two scores of one fingerprint. OUT is then as it was before "
	       "that IN.\n\n"
	       "  zonesim sweep batch --shard 1/2     # on one computer\n"
	       "  zonesim sweep batch --shard 2/2     # on another\n"
	       "  zonesim merge zonesim.db zonesim-1-of-2.db zonesim-2-of-2.db",
};

static int is_same_file(const char *a, const char *b)
{
	struct stat x, y;

	return stat(a, &x) == 0 && stat(b, &y) == 0 && x.st_dev == y.st_dev && x.st_ino == y.st_ino;
}

static int merge(const struct arguments *a, struct store *out, struct error *err)
{
	for (size_t i = 0; i < a->in.nr; i++) {
		const char *in = a->in.list[i];
		size_t added;

		if (is_same_file(in, a->out)) {
			error_set(err, "%s can not be merged into itself", in);
			return EXIT_BAD_INPUT;
		}
		if (store_merge(out, in, &added, err) < 0)
			return store_problem(out);
		printf("%s: %zu new point%s\n", in, added, added == 1 ? "" : "s");
	}
	return EXIT_DONE;
}

static int run(int argc, char **argv)
{
	struct arguments a = {0};
	struct error err = {""};
	struct store *out;
	int status;

	command_parse(&command_merge, argc, argv, NULL, &a);
	out = command_open_store(a.out, STORE_WRITE, &status);
	if (out)
		status = merge(&a, out, &err);
	fputs(err.text, stderr);
	store_close(out);
	free(a.in.list);
	return status;
}

const struct command command_merge = {
	.name = "merge",
	.summary = "join stores, such as those of the shards of a sweep",
	.argp = &argp,
	.run = run,
};
