// SPDX-License-Identifier: GPL-3.0-or-later
/*
 * cmd_new.c - zonesim new: a scenario to start from.
 */
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "../alloc/kernel.h"
#include "../models/error.h"
#include "../models/machine.h"
#include "../results/must.h"
#include "../results/wrap.h"
#include "../sim/workload.h"
#include "command.h"
#include "options.h"
#include "resolve.h"
#include "scenario.h"

#define DEFAULT_FILE "scenario.yaml"
#define DEFAULT_MACHINE "skylake-1s" /* the one that is simulated soonest */
#define DEFAULT_WORKLOAD "page_fault1"

struct arguments {
	const char *file, *machine;
	const struct kernel_info *kernel;
	const struct workload *workload;
};

/* clang-format off */
static const struct argp_option options_of_new[] = {
	{"machine", 'm', "NAME", 0, "The machine (default: " DEFAULT_MACHINE ")", 0},
	{"kernel", 'k', "NAME", 0, "The release (default: the newest)", 0},
	{"workload", 'w', "NAME", 0, "The workload (default: " DEFAULT_WORKLOAD ")", 0},
	{0},
};
/* clang-format on */

static const struct kernel_info *find_kernel(const char *name, struct argp_state *state)
{
	const struct kernel_info *kernel = kernel_find(name);

	if (!kernel)
		argp_error(state, "unknown kernel '%.64s'%s", name, kernel_suggest(name).text);
	return kernel;
}

static const struct workload *find_workload(const char *name, struct argp_state *state)
{
	const struct workload *workload = workload_find(name);

	if (!workload)
		argp_error(state, "unknown workload '%.64s'%s", name, workload_suggest(name).text);
	return workload;
}

static error_t parse_option(int key, char *argument, struct argp_state *state)
{
	struct arguments *a = state->input;

	switch (key) {
	case 'm':
		a->machine = argument;
		return 0;
	case 'k':
		a->kernel = find_kernel(argument, state);
		return 0;
	case 'w':
		a->workload = find_workload(argument, state);
		return 0;
	case ARGP_KEY_ARG:
		if (a->file)
			argp_error(state, "one file at a time");
		a->file = argument;
		return 0;
	default:
		return ARGP_ERR_UNKNOWN;
	}
}

static const struct argp argp = {
	.options = options_of_new,
	.parser = parse_option,
	.args_doc = "[FILE]",
	.doc = "Write a scenario to start from, with a comment on all that it may set. It compares "
	       "the release with a patch that can be put on top of it, and runs as it is."
	       "\vFILE is " DEFAULT_FILE
	       " unless given; - is standard output. A file that is there "
	       "is left as it is.",
};

/* @text as comments. */
static void print_comment(FILE *out, const char *text)
{
	char *lines = NULL, *at, *line;
	size_t size = 0;
	FILE *memory = open_memstream(&lines, &size);

	if (!memory)
		return;
	print_filled(memory, "", 0, PRINT_WIDTH - 2, text);
	fclose(memory);
	at = lines;
	while ((line = strsep(&at, "\n")) && *line)
		fprintf(out, "# %s\n", line);
	free(lines);
}

static void print_help(FILE *out, const struct scenario_option *option)
{
	char low[48], high[48], *text;

	if (option->max == 0) {
		print_comment(out, option->help);
		return;
	}
	text = must_format("%s; from %s to %s%s%s", option->help,
		quantity_print(low, sizeof(low), option->unit, option->min),
		quantity_print(high, sizeof(high), option->unit, option->max),
		option->left_out ? "; left out: " : "", option->left_out ? option->left_out : "");
	print_comment(out, text);
	free(text);
}

/* The last patch that goes on top of the release, or NULL. */
static const char *patch_for(const struct kernel_info *kernel)
{
	char unused[256];

	for (int i = NR_PATCHES - 1; i >= 0; i--) {
		if (!(kernel->patches & PATCH_BIT(i)) &&
			patch_set_check(kernel->patches | PATCH_BIT(i), unused, sizeof(unused)))
			return patches[i].name;
	}
	return NULL;
}

/* What the scenario sets an option to; NULL: it is left out. The caller frees it. */
static char *value_of(const struct arguments *a, const struct scenario_option *option)
{
	const char *patch = patch_for(a->kernel);

	switch (option->type) {
	case OPTION_TITLE:
		return must_format("My experiment");
	case OPTION_MACHINE:
		return must_format("%s", a->machine);
	case OPTION_KERNEL:
		return must_format("%s", a->kernel->name);
	case OPTION_WORKLOAD:
		return must_format("%s", a->workload->name);
	case OPTION_PATCHES:
		return patch ? must_format("[[], [%s]]", patch) : NULL;
	default:
		return NULL;
	}
}

/* Parameters of other workloads are of no use. */
static bool is_of_use(const struct arguments *a, const struct scenario_option *option)
{
	if (option->type != OPTION_PARAMETER)
		return true;
	for (const struct workload_parameter *p = a->workload->parameters; p->name; p++) {
		if (strcmp(option->path + strlen("workload."), p->name) == 0)
			return true;
	}
	return false;
}

static void print_option(FILE *out, const struct arguments *a, const struct scenario_option *option)
{
	char *value = value_of(a, option);

	fputc('\n', out);
	print_help(out, option);
	if (value)
		fprintf(out, "%s: %s\n", option->path, value);
	else
		fprintf(out, "#%s: %s\n", option->path,
			option->fallback ? option->fallback : option->example);
	free(value);
}

/* The scenario. The caller frees it. */
static char *make_text(const struct arguments *a)
{
	char *text = NULL;
	size_t size = 0, count;
	const struct scenario_option *all = options(&count);
	FILE *out = open_memstream(&text, &size);

	if (!out)
		return must_format("%s", "");
	print_comment(out,
		"A scenario: `zonesim run FILE` simulates it. A list where one value is "
		"expected makes a point for each. What follows a # without a blank may be "
		"left out, and is as shown unless it says otherwise.");
	for (size_t i = 0; i < count; i++) {
		if (is_of_use(a, &all[i]))
			print_option(out, a, &all[i]);
	}
	fclose(out);
	return text;
}

/* Returns 0, or -1 with @err filled: @text is no scenario that can be run. */
static int check(const struct arguments *a, const char *text, size_t *nr_points, struct error *err)
{
	struct scenario s = {0};
	struct machine machine;
	int status;

	/* a better message than that of a file which is not there yet */
	if (machine_load(&machine, a->machine, err) < 0)
		return -1;
	machine_free(&machine);
	status = scenario_add(&s, a->file, text, err);
	*nr_points = s.nr_points;
	scenario_free(&s);
	return status;
}

static int write_new(const char *path, const char *text, struct error *err)
{
	int fd = open(path, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
	FILE *file = fd < 0 ? NULL : fdopen(fd, "w");
	int failed;

	if (!file && errno == EEXIST)
		return error_set(err, "%s is there already, and stays as it is", path);
	if (!file)
		return error_set(err, "can not write %s: %s", path, strerror(errno));
	failed = fputs(text, file) == EOF;
	if (fclose(file) == EOF || failed) {
		unlink(path);
		return error_set(err, "can not write %s: %s", path, strerror(errno));
	}
	return 0;
}

static int run(int argc, char **argv)
{
	struct arguments a = {
		.machine = DEFAULT_MACHINE,
		.kernel = &kernels[nr_kernels - 1],
		.workload = workload_find(DEFAULT_WORKLOAD),
	};
	struct error err = {""};
	size_t nr_points;
	char *text;
	int status = EXIT_BAD_INPUT;

	command_parse(&command_new, argc, argv, NULL, &a);
	a.file = a.file ? a.file : DEFAULT_FILE;
	text = make_text(&a);
	if (check(&a, text, &nr_points, &err) == 0) {
		if (strcmp(a.file, "-") == 0) {
			fputs(text, stdout);
			status = EXIT_DONE;
		} else if (write_new(a.file, text, &err) == 0) {
			printf("%s has %zu points: zonesim run %s\n", a.file, nr_points, a.file);
			status = EXIT_DONE;
		}
	}
	fputs(err.text, stderr);
	free(text);
	return status;
}

const struct command command_new = {
	.name = "new",
	.summary = "write a scenario to start from",
	.argp = &argp,
	.run = run,
};
