// SPDX-License-Identifier: GPL-3.0-or-later
/*
 * cmd_run.c - zonesim run: from a scenario to results.
 */
#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "../models/error.h"
#include "../results/must.h"
#include "../results/result.h"
#include "../results/store.h"
#include "command.h"
#include "runner.h"
#include "scenario.h"

struct arguments {
	const char *scenario, *output, *db;
	struct scenario_arguments set;
	bool json, csv;
	struct runner_options runner;
};

/* clang-format off */
static const struct argp_option options_of_run[] = {
	{"set", 's', "PATH=VALUE", 0, "Set an option of the scenario, in place of what its file says; a list makes a point per value", 0},
	{"json", 'J', NULL, 0, "Print the whole result as one JSON document", 0},
	{"csv", 'c', NULL, 0, "Print the rows of the table as CSV", 0},
	{"output", 'o', "FILE", 0, "Also write the JSON document to FILE", 0},
	{"db", 'd', "FILE", 0, "Keep each point in the store FILE, and take from it those it has", 0},
	{"jobs", 'j', "N", 0, "Simulate N points at once (default: as many as CPUs)", 0},
	{"quiet", 'q', NULL, 0, "No progress on standard error", 0},
	{0},
};
/* clang-format on */

static error_t check_arguments(const struct arguments *a, struct argp_state *state)
{
	if (!a->scenario)
		argp_error(state, "a scenario is missing: a file, or one of `zonesim list "
				  "scenarios`");
	if (a->json && a->csv)
		argp_error(state, "--json and --csv exclude each other");
	return 0;
}

static error_t parse_option(int key, char *argument, struct argp_state *state)
{
	struct arguments *a = state->input;

	switch (key) {
	case 's':
		command_add(&a->set.sets, argument);
		return 0;
	case 'J':
		a->json = true;
		return 0;
	case 'c':
		a->csv = true;
		return 0;
	case 'o':
		a->output = argument;
		return 0;
	case 'd':
		a->db = argument;
		return 0;
	case 'j':
		a->runner.jobs = command_parse_jobs(argument, state);
		return 0;
	case 'q':
		a->runner.quiet = true;
		return 0;
	case ARGP_KEY_ARG:
		if (a->scenario)
			argp_error(state, "one scenario at a time");
		a->scenario = argument;
		return 0;
	case ARGP_KEY_END:
		return check_arguments(a, state);
	default:
		return ARGP_ERR_UNKNOWN;
	}
}

static const struct argp argp = {
	.options = options_of_run,
	.parser = parse_option,
	.args_doc = "SCENARIO",
	.doc = "Simulate the points of a scenario and print their results, as a table unless told "
	       "otherwise."
	       "\vSCENARIO is a file, or a name of `zonesim list scenarios`. What a scenario may "
	       "set: `zonesim help scenario`. The exit status: `zonesim help exit-status`.",
};

/* Write @text to @path in one step: a reader sees the old file or the new one. */
static int write_file(const char *path, const char *text, struct error *err)
{
	char *temporary = must_format("%s.XXXXXX", path);
	int fd = mkstemp(temporary), problem = 0;
	FILE *file = fd < 0 ? NULL : fdopen(fd, "w");
	mode_t mask;

	if (!file) {
		error_set(err, "can not write %s: %s", path, strerror(errno));
		if (fd >= 0) {
			close(fd);
			unlink(temporary);
		}
		free(temporary);
		return -1;
	}
	mask = umask(0);
	umask(mask);
	if (fputs(text, file) == EOF || fputc('\n', file) == EOF || fflush(file) == EOF ||
		fchmod(fd, 0666 & ~mask) < 0 || fsync(fd) < 0)
		problem = errno;
	if (fclose(file) == EOF && !problem)
		problem = errno;
	if (!problem && rename(temporary, path) < 0)
		problem = errno;
	if (problem) {
		error_set(err, "can not write %s: %s", path, strerror(problem));
		unlink(temporary);
	}
	free(temporary);
	return problem ? -1 : 0;
}

/* Better to hear now than after an hour that the results have nowhere to go. */
static int check_output(const char *path, struct error *err)
{
	const char *slash = strrchr(path, '/');
	char *directory = slash ? strndup(path, (size_t)(slash - path) + 1) : strdup(".");
	struct stat st;
	int status = 0;

	if (!directory)
		return error_set(err, "out of memory");
	if (access(directory, W_OK | X_OK) < 0)
		status = error_set(err, "can not write %s: %s", path, strerror(errno));
	else if (stat(path, &st) == 0 && !S_ISREG(st.st_mode))
		status = error_set(err, "can not write %s: it is not a regular file", path);
	free(directory);
	return status;
}

static int print_document(const struct arguments *a, json_t *document, struct error *err)
{
	char *text = json_dumps(document, JSON_INDENT(2));
	int status = 0;

	if (!text)
		return error_set(err, "out of memory");
	if (a->output)
		status = write_file(a->output, text, err);
	/* Whether standard output took it is found when it is closed. */
	if (a->json)
		puts(text);
	free(text);
	if (status < 0)
		return -1;
	if (a->json)
		return 0;
	if (a->csv)
		return result_print_csv(stdout, document, err);
	return result_print_table(stdout, document, err);
}

static int run_scenario(const struct arguments *a, const struct scenario *s)
{
	json_t *document = document_new(s->name);
	struct error err;
	int status;

	if (!document) {
		fputs("zonesim: out of memory\n", stderr);
		return EXIT_RUN_FAILED;
	}
	status = runner_run(s, &a->runner, document, NULL);
	if (status != EXIT_INTERRUPTED && print_document(a, document, &err) < 0) {
		fputs(err.text, stderr);
		status = EXIT_RUN_FAILED;
	}
	json_decref(document);
	return status;
}

/* The same with the store open, if there is to be one. */
static int run_with_store(struct arguments *a, const struct scenario *s)
{
	struct error err;
	int status;

	a->runner.retry_failed = true;
	if (a->db) {
		a->runner.store = store_open(a->db, STORE_WRITE, STORE_PATIENCE_MS, &status, &err);
		if (!a->runner.store ||
			command_keep_scenario(a->runner.store, s, &status, &err) < 0) {
			store_close(a->runner.store);
			fputs(err.text, stderr);
			return status;
		}
	}
	status = run_scenario(a, s);
	store_close(a->runner.store);
	return status;
}

int cmd_run(int argc, char **argv)
{
	struct arguments a = {0};
	struct scenario s;
	struct error err;
	int status;

	command_parse(&argp, argc, argv, &a);
	if ((a.output && check_output(a.output, &err) < 0) ||
		scenario_load(&s, a.scenario, &a.set, &err) < 0) {
		fputs(err.text, stderr);
		free(a.set.sets.list);
		return EXIT_BAD_INPUT;
	}
	status = run_with_store(&a, &s);
	scenario_free(&s);
	free(a.set.sets.list);
	return status;
}
