// SPDX-License-Identifier: GPL-3.0-or-later
/*
 * list_software.c - zonesim list kernels, patches, workloads, scenarios.
 */
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

#include "../alloc/kernel.h"
#include "../models/error.h"
#include "../models/paths.h"
#include "../models/units.h"
#include "../results/wrap.h"
#include "../sim/workload.h"
#include "cmd_list.h"
#include "command.h"
#include "config.h"
#include "scenario.h"

static void print_set(const char *label, patch_set set)
{
	char names[NR_PATCHES * 32] = "";
	size_t used = 0;

	if (!set)
		return;
	for (int i = 0; i < NR_PATCHES; i++) {
		if ((set & PATCH_BIT(i)) && used < sizeof(names))
			used += (size_t)snprintf(
				names + used, sizeof(names) - used, " %s", patches[i].name);
	}
	print_filled(stdout, label, 8, PRINT_WIDTH, names + 1);
}

/* Print @array, to which @failed says something could not be added. */
static int print_array(json_t *array, bool failed, struct error *err)
{
	if (!failed)
		return command_print_json(array);
	json_decref(array);
	error_set(err, "out of memory");
	return EXIT_RUN_FAILED;
}

int list_kernels(const struct list_arguments *a, struct error *err)
{
	json_t *array = a->json ? json_array() : NULL;
	bool failed = false;

	for (size_t i = 0; i < nr_kernels; i++) {
		const struct kernel_info *k = &kernels[i];

		if (a->json) {
			failed |= json_array_append_new(
					  array, json_pack("{s:s, s:s, s:o}", "name", k->name,
							 "summary", k->summary, "patches",
							 patch_set_to_json(k->patches))) < 0;
			continue;
		}
		printf("%-7s %s\n", k->name, k->summary);
		print_set("    patches:", k->patches);
	}
	return a->json ? print_array(array, failed, err) : EXIT_DONE;
}

int list_patches(const struct list_arguments *a, struct error *err)
{
	json_t *array = a->json ? json_array() : NULL;
	bool failed = false;

	for (int i = 0; i < NR_PATCHES; i++) {
		const struct patch_info *p = &patches[i];

		if (a->json) {
			failed |= json_array_append_new(
					  array, json_pack("{s:s, s:s, s:s, s:s, s:o, s:o}", "name",
							 p->name, "release", p->release, "commit",
							 p->commit, "summary", p->summary, "needs",
							 patch_set_to_json(p->needs), "excludes",
							 patch_set_to_json(p->excludes))) < 0;
			continue;
		}
		printf("%-25s %-6s %s\n", p->name, p->release, *p->commit ? p->commit : "-");
		print_filled(stdout, "", 4, PRINT_WIDTH, p->summary);
		print_set("    needs:", p->needs);
		print_set("    excludes:", p->excludes);
	}
	return a->json ? print_array(array, failed, err) : EXIT_DONE;
}

static enum quantity parameter_quantity(enum parameter_unit unit)
{
	if (unit == PARAMETER_BYTES)
		return QUANTITY_BYTES;
	return unit == PARAMETER_SECONDS ? QUANTITY_TIME : QUANTITY_PLAIN;
}

/* The score, and the workload's own. */
static json_t *metrics_to_json(const struct workload *w)
{
	json_t *metrics = json_pack(
		"[{s:s, s:s, s:s}]", "name", "score", "unit", w->rate, "help", w->rate_help);

	for (const struct workload_metric *m = w->metrics; m && m->name; m++)
		(void)json_array_append_new(metrics, json_pack("{s:s, s:s, s:s}", "name", m->name,
							     "unit", m->unit, "help", m->help));
	return metrics;
}

static json_t *workload_to_json(const struct workload *w)
{
	json_t *parameters = json_array();

	for (const struct workload_parameter *p = w->parameters; p->name; p++) {
		if (json_array_append_new(parameters,
			    json_pack("{s:s, s:f, s:f, s:f, s:s}", "name", p->name, "default",
				    p->fallback, "min", p->min, "max", p->max, "help", p->help)) <
			0) {
			json_decref(parameters);
			return NULL;
		}
	}
	return json_pack("{s:s, s:s, s:o, s:o}", "name", w->name, "help", w->help, "parameters",
		parameters, "metrics", metrics_to_json(w));
}

/* What there is of a workload. */
__attribute__((format(printf, 2, 3))) static void print_labelled(
	const char *name, const char *format, ...)
{
	char label[80], text[512];
	va_list args;

	va_start(args, format);
	(void)vsnprintf(text, sizeof(text), format, args);
	va_end(args);
	snprintf(label, sizeof(label), "    %s:", name);
	print_filled(stdout, label, 8, PRINT_WIDTH, text);
}

static void print_metrics(const struct workload *w)
{
	print_labelled("score", "%s (%s)", w->rate_help, w->rate);
	for (const struct workload_metric *m = w->metrics; m && m->name; m++)
		print_labelled(m->name, "%s (%s)", m->help, m->unit);
}

static void print_workload(const struct workload *w)
{
	printf("%s\n", w->name);
	print_filled(stdout, "", 4, PRINT_WIDTH, w->help);
	for (const struct workload_parameter *p = w->parameters; p->name; p++) {
		enum quantity unit = parameter_quantity(p->unit);
		char fallback[32], min[32], max[32];

		print_labelled(p->name, "%s; %s unless set, from %s to %s", p->help,
			quantity_print(fallback, sizeof(fallback), unit, p->fallback),
			quantity_print(min, sizeof(min), unit, p->min),
			quantity_print(max, sizeof(max), unit, p->max));
	}
	print_metrics(w);
}

int list_workloads(const struct list_arguments *a, struct error *err)
{
	json_t *array = a->json ? json_array() : NULL;
	bool failed = false;

	for (size_t i = 0; workloads[i]; i++) {
		if (a->json)
			failed |= json_array_append_new(array, workload_to_json(workloads[i])) < 0;
		else
			print_workload(workloads[i]);
	}
	return a->json ? print_array(array, failed, err) : EXIT_DONE;
}

static void print_scenario(const char *name, const struct scenario *s)
{
	char label[80];

	snprintf(label, sizeof(label), "%-21s %3zu point%s", name, s->nr_points,
		s->nr_points == 1 ? "" : "s");
	print_filled(stdout, label, 34, PRINT_WIDTH, s->name);
}

/* One scenario: to @array if there is one, else to standard output. */
static int list_scenario(const char *name, json_t *array, struct error *err)
{
	char *path = data_path("scenarios", name, ".yaml");
	struct scenario s;
	int status;

	if (!path) {
		error_set(err, "out of memory");
		return EXIT_RUN_FAILED;
	}
	status = scenario_load(&s, path, NULL, err);
	free(path);
	if (status < 0)
		return EXIT_BAD_INPUT;
	if (array)
		status = json_array_append_new(
			array, json_pack("{s:s, s:s, s:I}", "name", name, "title", s.name, "points",
				       (json_int_t)s.nr_points));
	else
		print_scenario(name, &s);
	scenario_free(&s);
	if (status == 0)
		return EXIT_DONE;
	error_set(err, "out of memory");
	return EXIT_RUN_FAILED;
}

int list_scenarios(const struct list_arguments *a, struct error *err)
{
	json_t *array = a->json ? json_array() : NULL;
	char **names;
	int count = data_list("scenarios", ".yaml", &names, err), status = EXIT_DONE;

	if (count < 0)
		status = EXIT_BAD_INPUT;
	for (int i = 0; i < count && status == EXIT_DONE; i++)
		status = list_scenario(names[i], array, err);
	if (count >= 0)
		names_free(names, count);
	if (a->json && status == EXIT_DONE)
		return command_print_json(array);
	json_decref(array);
	return status;
}
