// SPDX-License-Identifier: GPL-3.0-or-later
/*
 * config.c - the configuration of a point, as results carry it.
 */
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "../results/result.h"
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

/* Everything that was set, with the batch and high that @result says were used. */
static json_t *config_to_json(const struct scenario_point *p, const struct point_result *result)
{
	const struct point *point = &p->point;
	json_t *config = json_pack(
		"{s:s, s:s, s:o, s:o, s:s, s:o, s:I, s:{s:I, s:I}, s:I, s:f, s:f, s:I}", "machine",
		point->machine->name, "kernel", point->kernel->name, "patches",
		asked_patches_to_json(p), "effective_patches", patch_set_to_json(point->patches),
		"workload", point->workload->name, "parameters", parameters(point), "tasks",
		(json_int_t)point->tasks, "pcp", "batch", (json_int_t)result->batch, "high",
		(json_int_t)result->high, "percpu_pagelist_fraction",
		(json_int_t)point->percpu_pagelist_fraction, "precision", point->precision,
		"time_limit", point->time_limit, "seed", (json_int_t)point->seed);

	/* Rarely set; a column of zeros would tell no one anything. */
	if (config && point->percpu_pagelist_high_fraction &&
		json_object_set_new(config, "percpu_pagelist_high_fraction",
			json_integer(point->percpu_pagelist_high_fraction)) < 0) {
		json_decref(config);
		return NULL;
	}
	return config;
}

/* What decides a result beside its configuration. */
static json_t *model_to_json(const struct point *point)
{
	char model[DIGEST_SIZE], coefficients[DIGEST_SIZE], machine[DIGEST_SIZE];

	digest_of_model(point, model);
	digest_of_coefficients(point, coefficients);
	digest_of_machine(point->machine, machine);
	return json_pack("{s:s, s:s, s:s, s:s}", "digest", model, "sources", fingerprint_sources(),
		"coefficients", coefficients, "machine", machine);
}

/* Add who simulated it and when to what the host did. Returns 0, or -1. */
static int add_host(json_t *host, time_t started)
{
	char name[65] = "", text[24] = "";
	struct tm utc;

	if (gethostname(name, sizeof(name) - 1) < 0)
		name[0] = '\0';
	if (gmtime_r(&started, &utc))
		(void)strftime(text, sizeof(text), "%Y-%m-%dT%H:%M:%SZ", &utc);
	if (json_object_set_new(host, "name", json_string(name)) < 0)
		return -1;
	return json_object_set_new(host, "started", json_string(text));
}

json_t *point_to_json(
	const struct scenario_point *p, const struct point_result *result, time_t started)
{
	json_t *json = result_to_json(result, config_to_json(p, result), p->fingerprint);

	if (json && json_object_set_new(json, "model", model_to_json(&p->point)) == 0 &&
		add_host(json_object_get(json, "host"), started) == 0)
		return json;
	json_decref(json);
	return NULL;
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
