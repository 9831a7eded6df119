// SPDX-License-Identifier: GPL-3.0-or-later
/*
 * config.c - the configuration of a point, as results carry it.
 */
#include <stdio.h>
#include <string.h>

#include "../sim/workload.h"
#include "config.h"
#include "options.h"
#include "scenario.h"

json_t *asked_patches_to_json(const struct scenario_point *p)
{
	json_t *array = json_array();

	for (size_t i = 0; i < p->nr_patches; i++) {
		if (json_array_append_new(array, json_string(p->patches[i])) < 0) {
			json_decref(array);
			return NULL;
		}
	}
	return array;
}

json_t *patch_set_to_json(patch_set set)
{
	json_t *array = json_array();

	for (int i = 0; i < NR_PATCHES; i++) {
		if ((set & PATCH_BIT(i)) &&
			json_array_append_new(array, json_string(patches[i].name)) < 0) {
			json_decref(array);
			return NULL;
		}
	}
	return array;
}

static json_t *parameters(const struct point *point)
{
	json_t *object = json_object();

	for (size_t i = 0; point->workload->parameters[i].name; i++) {
		if (json_object_set_new(object, point->workload->parameters[i].name,
			    json_real(point->parameters[i])) < 0) {
			json_decref(object);
			return NULL;
		}
	}
	return object;
}

json_t *config_to_json(const struct scenario_point *p, const struct point_result *result)
{
	const struct point *point = &p->point;

	return json_pack("{s:s, s:s, s:o, s:o, s:s, s:o, s:I, s:{s:I, s:I}, s:I, s:f, s:f, s:I}",
		"machine", point->machine->name, "kernel", point->kernel->name, "patches",
		asked_patches_to_json(p), "effective_patches", patch_set_to_json(point->patches),
		"workload", point->workload->name, "parameters", parameters(point), "tasks",
		(json_int_t)point->tasks, "pcp", "batch", (json_int_t)result->batch, "high",
		(json_int_t)result->high, "percpu_pagelist_fraction",
		(json_int_t)point->percpu_pagelist_fraction, "precision", point->precision,
		"time_limit", point->time_limit, "seed", (json_int_t)point->seed);
}

/* The parameters that the scenario did not leave as they are by themselves. */
static void describe_parameters(FILE *out, const struct point *point)
{
	const struct workload_parameter *list = point->workload->parameters;
	char path[64], text[48];

	for (size_t i = 0; list[i].name; i++) {
		const struct scenario_option *option;

		if (point->parameters[i] == list[i].fallback)
			continue;
		snprintf(path, sizeof(path), "workload.%s", list[i].name);
		option = option_find(path);
		quantity_print(text, sizeof(text), option ? option->unit : QUANTITY_PLAIN,
			point->parameters[i]);
		fprintf(out, ", %s %s", list[i].name, text);
	}
}

char *config_describe(const struct scenario_point *p, char *text, size_t size)
{
	FILE *out = fmemopen(text, size, "w");

	text[0] = '\0';
	if (!out)
		return text;
	fprintf(out, "%s %s", p->point.machine->name, p->point.kernel->name);
	for (size_t i = 0; i < p->nr_patches; i++)
		fprintf(out, " %s%s", p->patches[i][0] == '-' ? "" : "+", p->patches[i]);
	fprintf(out, " %s, %u task%s", p->point.workload->name, p->point.tasks,
		p->point.tasks == 1 ? "" : "s");
	describe_parameters(out, &p->point);
	if (p->point.pcp_batch)
		fprintf(out, ", batch %u", p->point.pcp_batch);
	if (p->point.pcp_high)
		fprintf(out, ", high %u", p->point.pcp_high);
	fclose(out);
	text[size - 1] = '\0';
	return text;
}
