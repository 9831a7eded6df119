// SPDX-License-Identifier: GPL-3.0-or-later
/*
 * claims.c - from the rows of the published tables to the points that are to bear them out.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../models/error.h"
#include "../results/must.h"
#include "../results/points.h"
#include "../results/validation.h"
#include "claims.h"
#include "scenario.h"

#define PLACE "published" /* the name of what is resolved, in messages that are cut from it */

/*
 * Quick
 */

#define QUICK_SOCKETS 2
#define QUICK_PRECISION "2%"
#define QUICK_REGION "32 MiB"

const char claims_quick_help[] =
	"--quick leaves out machines of more than two sockets and, but for single tasks, batches "
	"other than 31, 63 and 127. It simulates with a precision of " QUICK_PRECISION
	", and page_fault1 with regions of " QUICK_REGION
	" instead of 128 MiB, which changes scores by some percent. It takes two or three minutes "
	"on two cores.";

static bool is_quick(const struct published_row *row, const struct scenario_point *point)
{
	static const unsigned int batches[] = {0, 31, 63, 127};
	bool short_enough = row->tasks == 1;

	for (size_t i = 0; i < sizeof(batches) / sizeof(batches[0]); i++)
		short_enough = short_enough || batches[i] == row->batch;
	return short_enough && point->point.machine->sockets <= QUICK_SOCKETS;
}

/*
 * From a row to a scenario
 */

/* Print the patches that make the release's set that of the row, where tables speak of them. */
static void put_patches(FILE *out, const struct validation *v, const struct published_row *row)
{
	const struct kernel_info *kernel = kernel_find(row->kernel);
	const char *comma = "";

	fputs("patches: [", out);
	for (const char *at = row->patches + strspn(row->patches, " "); *at;) {
		size_t length = strcspn(at, " ");
		char *name = must_format("%.*s", (int)length, at);
		int patch = patch_find(name);

		if (!kernel || patch < 0 || !(kernel->patches & PATCH_BIT(patch))) {
			fprintf(out, "%s%s", comma, name);
			comma = ", ";
		}
		free(name);
		at += length + strspn(at + length, " ");
	}
	for (int i = 0; kernel && i < NR_PATCHES; i++) {
		const char *name = patches[i].name;

		if (!(kernel->patches & PATCH_BIT(i)) ||
			!published_mentions(&v->published, row->kernel, name) ||
			published_has_word(row->patches, name))
			continue;
		fprintf(out, "%s-%s", comma, name);
		comma = ", ";
	}
	fputs("]\n", out);
}

static void put_workload(FILE *out, const struct published_row *row, bool quick)
{
	const char *at = row->parameters;
	struct published_parameter parameter;
	bool region = false;

	fprintf(out, "workload: {name: %s", row->workload);
	while (published_parameter(&at, &parameter) == 0) {
		fprintf(out, ", %s: %.17g", parameter.name, parameter.value);
		region = region || strcmp(parameter.name, "region") == 0;
	}
	if (quick && !region && strcmp(row->workload, "page_fault1") == 0)
		fputs(", region: " QUICK_REGION, out);
	fputs("}\n", out);
}

/* The scenario of one point that a row asks for. The caller frees it. */
static char *write_scenario(const struct validation *v, const struct published_row *row, bool quick)
{
	char *text = NULL;
	size_t size;
	FILE *out = open_memstream(&text, &size);

	if (!out)
		return must_format("%s", "");
	fprintf(out, "machine: %s\nkernel: %s\ntasks: %u\n", row->machine, row->kernel, row->tasks);
	put_workload(out, row, quick);
	put_patches(out, v, row);
	if (row->batch)
		fprintf(out, "pcp.batch: %u\n", row->batch);
	if (row->high)
		fprintf(out, "pcp.high: %u\n", row->high);
	if (quick)
		fputs("measure: {precision: " QUICK_PRECISION "}\n", out);
	fclose(out);
	return text;
}

/* What is wrong, without its place, which means nothing to a user. The caller frees it. */
static char *only_reason(const struct error *err)
{
	const char *text = err->text, *start;

	start = strncmp(text, PLACE ":", strlen(PLACE ":")) == 0 ||
				strncmp(text, "zonesim:", strlen("zonesim:")) == 0
			? strstr(text, ": ") + 2
			: text;
	return must_format("%.*s", (int)strcspn(start, "\n"), start);
}

/*
 * Points
 */

/* Forget the last point if there is one like it. Returns its number, or that of the other. */
static size_t merge_last(struct scenario *s)
{
	size_t last = s->nr_points - 1;

	for (size_t i = 0; i < last; i++) {
		if (strcmp(s->points[i].fingerprint, s->points[last].fingerprint) == 0) {
			scenario_drop_last(s);
			return i;
		}
	}
	return last;
}

static size_t plan_row(
	const struct validation *v, struct validation_row *row, struct scenario *s, bool quick)
{
	char *text = write_scenario(v, row->published, quick);
	struct error err;
	size_t point = NO_CLAIM;

	if (scenario_add(s, PLACE, text, &err) < 0) {
		row->missing = only_reason(&err);
	} else if (quick && !is_quick(row->published, &s->points[s->nr_points - 1])) {
		row->left_out = true;
		scenario_drop_last(s);
	} else {
		point = merge_last(s);
	}
	free(text);
	return point;
}

size_t *claims_plan(struct validation *v, struct scenario *s, bool quick)
{
	size_t *plan = must_calloc(v->nr_rows, sizeof(*plan));

	for (size_t i = 0; i < v->nr_rows; i++)
		plan[i] = plan_row(v, &v->rows[i], s, quick);
	return plan;
}

void claims_settle(struct validation *v, const size_t *plan, const json_t *document)
{
	for (size_t i = 0; i < v->nr_rows; i++)
		if (plan[i] != NO_CLAIM)
			v->rows[i].point = json_incref(
				json_array_get(json_object_get(document, "points"), plan[i]));
}
