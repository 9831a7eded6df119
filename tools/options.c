// SPDX-License-Identifier: GPL-3.0-or-later
/*
 * options.c - everything a scenario may set, in one table.
 */
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "../models/error.h"
#include "../results/must.h"
#include "../results/wrap.h"
#include "../sim/point.h"
#include "../sim/workload.h"
#include "options.h"

#define FIELD(field) offsetof(struct point, field)

/* Parameters of workloads are put in after "workload". */
/* clang-format off */
static const struct scenario_option fixed_options[] = {
	{.path = "name", .type = OPTION_TITLE, .left_out = "the file's name",
		.help = "what the experiment is about, one line"},
	{.path = "machine", .type = OPTION_MACHINE, .required = true,
		.help = "a name of `zonesim list machines`, or the path of a machine file (with a /)"},
	{.path = "kernel", .type = OPTION_KERNEL, .required = true,
		.help = "a release of `zonesim list kernels`"},
	{.path = "workload", .type = OPTION_WORKLOAD, .required = true,
		.help = "a name of `zonesim list workloads`, or {name: ..., PARAMETER: ...}"},
	{.path = "tasks", .type = OPTION_TASKS, .unit = QUANTITY_COUNT, .min = 1, .max = 65536,
		.fallback = "all",
		.help = "tasks of the workload, one per logical CPU, cores first; all: as many as CPUs"},
	{.path = "pcp.batch", .type = OPTION_UINT, .unit = QUANTITY_COUNT, .min = 1, .max = 1 << 20,
		.offset = FIELD(pcp_batch), .left_out = "what the kernel would choose", .example = "63",
		.help = "pages a per-CPU pageset takes from or gives to its zone at once"},
	{.path = "pcp.high", .type = OPTION_UINT, .unit = QUANTITY_COUNT, .min = 1, .max = 1 << 24,
		.offset = FIELD(pcp_high), .left_out = "what the kernel would choose", .example = "378",
		.help = "pages in a per-CPU pageset at which it gives some back"},
	{.path = "pcp.percpu-pagelist-fraction", .type = OPTION_UINT, .unit = QUANTITY_COUNT,
		.min = 8, .max = 1 << 24, .offset = FIELD(percpu_pagelist_fraction), .left_out = "off",
		.example = "1024",
		.help = "the sysctl: high becomes this fraction of the zone, batch a quarter of high"},
	{.path = "pcp.percpu-pagelist-high-fraction", .type = OPTION_UINT, .unit = QUANTITY_COUNT,
		.min = 8, .max = 1 << 24, .offset = FIELD(percpu_pagelist_high_fraction),
		.left_out = "off", .example = "8",
		.help = "the sysctl since v5.14: high becomes this fraction of the zone, shared by the "
			"node's CPUs"},
	{.path = "measure.precision", .type = OPTION_DOUBLE, .unit = QUANTITY_SHARE, .min = 1e-4,
		.max = 0.5, .offset = FIELD(precision), .fallback = "0.5%",
		.help = "stop when the 95% confidence interval of the score is within this, either side"},
	{.path = "measure.time-limit", .type = OPTION_DOUBLE, .unit = QUANTITY_TIME, .min = 1e-6,
		.max = 3600, .offset = FIELD(time_limit), .fallback = "2s",
		.help = "stop after this much simulated time, whatever the precision"},
	{.path = "measure.seed", .type = OPTION_UINT64, .unit = QUANTITY_COUNT, .min = 0,
		.max = 0x1p53, .offset = FIELD(seed), .fallback = "1",
		.help = "of the random numbers; the same seed gives the same result, bit for bit"},
	{.path = "patches", .type = OPTION_PATCHES, .fallback = "[]",
		.help = "names of `zonesim list patches` added to the release; -NAME removes one"},
};
/* clang-format on */

#define NR_FIXED (sizeof(fixed_options) / sizeof(fixed_options[0]))

static struct scenario_option *table;
static size_t nr_options;

static void add_option(const struct scenario_option *option)
{
	table = must_realloc(table, nr_options + 1, sizeof(*table));
	table[nr_options++] = *option;
}

static enum quantity parameter_quantity(enum parameter_unit unit)
{
	switch (unit) {
	case PARAMETER_BYTES:
		return QUANTITY_BYTES;
	case PARAMETER_SECONDS:
		return QUANTITY_TIME;
	case PARAMETER_NUMBER:
		break;
	}
	return QUANTITY_PLAIN;
}

/* Is there a parameter of that path already, from another workload? */
static bool is_known(const char *path)
{
	for (size_t i = 0; i < nr_options; i++) {
		if (strcmp(table[i].path, path) == 0)
			return true;
	}
	return false;
}

static void add_parameter(const struct workload_parameter *parameter)
{
	enum quantity unit = parameter_quantity(parameter->unit);
	char text[48];
	struct scenario_option option = {
		.type = OPTION_PARAMETER,
		.unit = unit,
		.min = parameter->min,
		.max = parameter->max,
		.help = parameter->help,
	};
	char *path = must_format("workload.%s", parameter->name);

	if (is_known(path)) {
		free(path);
		return;
	}
	quantity_print(text, sizeof(text), unit, parameter->fallback);
	option.path = path;
	option.fallback = must_format("%s", text);
	add_option(&option);
}

static void build_table(void)
{
	for (size_t i = 0; i < NR_FIXED; i++) {
		add_option(&fixed_options[i]);
		if (fixed_options[i].type != OPTION_WORKLOAD)
			continue;
		for (size_t w = 0; workloads[w]; w++) {
			for (size_t p = 0; workloads[w]->parameters[p].name; p++)
				add_parameter(&workloads[w]->parameters[p]);
		}
	}
}

const struct scenario_option *options(size_t *count)
{
	if (!table)
		build_table();
	*count = nr_options;
	return table;
}

const struct scenario_option *option_find(const char *path)
{
	size_t count;
	const struct scenario_option *all = options(&count);

	for (size_t i = 0; i < count; i++) {
		if (strcmp(all[i].path, path) == 0)
			return &all[i];
	}
	return NULL;
}

bool option_is_number(const struct scenario_option *option)
{
	return option->unit == QUANTITY_COUNT && strcmp(option->path, "measure.seed") != 0;
}

/* What of @path is below @group ("" for all); NULL when it is not below it. */
static const char *below(const char *path, const char *group)
{
	size_t length = strlen(group);

	if (length == 0)
		return path;
	if (strncmp(path, group, length) != 0 || path[length] != '.')
		return NULL;
	return path + length + 1;
}

bool option_is_group(const char *path)
{
	size_t count;
	const struct scenario_option *all = options(&count);

	for (size_t i = 0; i < count; i++) {
		if (below(all[i].path, path))
			return true;
	}
	return false;
}

struct suggestion option_suggest(const char *group, const char *key)
{
	struct suggestion s;
	const char **names;
	size_t count, n = 0;
	const struct scenario_option *all = options(&count);

	/* Room for each path, the groups "pcp" and "measure", "name" of a workload, and the end. */
	names = must_calloc(count + 4, sizeof(*names));
	for (size_t i = 0; i < count; i++) {
		const char *name = below(all[i].path, group);

		if (name)
			names[n++] = name;
	}
	if (!*group) {
		names[n++] = "pcp";
		names[n++] = "measure";
	} else if (strcmp(group, "workload") == 0) {
		names[n++] = "name";
	}
	s = suggest(key, names, "see `zonesim help scenario`");
	free(names);
	return s;
}

static void print_bounds(FILE *out, const struct scenario_option *option)
{
	char low[48], high[48];

	if (option->max == 0)
		return;
	quantity_print(low, sizeof(low), option->unit, option->min);
	quantity_print(high, sizeof(high), option->unit, option->max);
	print_below(out, "%s; from %s to %s", quantity_describe(option->unit), low, high);
}

void options_print(FILE *out)
{
	size_t count;
	const struct scenario_option *all = options(&count);

	for (size_t i = 0; i < count; i++) {
		fprintf(out, "%s\n", all[i].path);
		print_below(out, "%s", all[i].help);
		print_bounds(out, &all[i]);
		if (all[i].required)
			print_below(out, "required");
		else if (all[i].fallback)
			print_below(out, "default: %s", all[i].fallback);
		else
			print_below(out, "left out: %s", all[i].left_out);
	}
}
