/* SPDX-License-Identifier: GPL-3.0-or-later */
/* validation_json.c - a validation for other programs. */
#include "validation.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "points.h"

static const char *const compared_names[NR_COMPARED] = {
	[COMPARED_CHANGE] = "change",
	[COMPARED_SHARE] = "share",
	[COMPARED_VALUE] = "value",
};

/* In what the mean error of each is given. */
static const char *const error_names[NR_COMPARED] = {
	[COMPARED_CHANGE] = "change_points",
	[COMPARED_SHARE] = "share_points",
	[COMPARED_VALUE] = "value_percent",
};

/* What is not known is null. */
static json_t *number(double value)
{
	return isfinite(value) ? json_real(value) : json_null();
}

/* What was measured, and how. */
static json_t *configuration(const struct published_row *row)
{
	char *parameters = validation_parameters(row);
	json_t *json = json_pack("{s:s, s:s, s:s, s:s, s:I, s:s, s:s, s:s, s:s, s:s}", "table",
		row->table, "machine", row->machine, "workload", row->workload, "kernel",
		row->kernel, "tasks", (json_int_t)row->tasks, "parameters", parameters, "patches",
		row->patches, "metric", row->metric, "unit", row->unit, "source", row->source);

	free(parameters);
	return json;
}

static json_t *figures(const struct validation_row *row)
{
	const struct published_row *p = row->published;

	return json_pack("{s:o, s:o, s:o, s:o, s:o, s:o, s:s, s:o, s:f, s:s}", "published",
		number(p->value), "published_change_pct", number(p->change_pct), "simulated",
		number(row->simulated.mean), "simulated_ci95", number(row->simulated.ci95),
		"simulated_change_pct", number(row->change.mean), "simulated_change_ci95",
		number(row->change.ci95), "compared", compared_names[row->compared], "difference",
		number(row->difference), "target",
		verdict_target(p->table, p->metric, row->compared), "verdict",
		verdict_name(row->verdict));
}

static json_t *row_to_json(const struct validation_row *row)
{
	json_t *json = configuration(row->published), *more = figures(row);
	int failed = !json || json_object_update(json, more) < 0;

	json_decref(more);
	if (row->missing)
		failed |= json_object_set_new(json, "reason", json_string(row->missing));
	if (row->point) {
		failed |= json_object_set_new(
			json, "fingerprint", json_string(point_fingerprint(row->point)));
		failed |=
			json_object_set_new(json, "status", json_string(point_status(row->point)));
	}
	if (!failed)
		return json;
	json_decref(json);
	return NULL;
}

static json_t *summary_to_json(const struct validation *v, const char *table)
{
	struct validation_summary s = validation_summarize(v, table);
	json_t *json = json_pack("{s:I}", "rows", (json_int_t)s.rows), *errors = json_object();
	int failed = 0;

	if (table)
		failed |= json_object_set_new(json, "table", json_string(table));
	for (int i = 0; i < NR_VERDICTS; i++)
		failed |= json_object_set_new(
			json, verdict_name(i), json_integer((json_int_t)s.verdicts[i]));
	for (int i = 0; i < NR_COMPARED; i++)
		failed |= json_object_set_new(errors, error_names[i], number(s.mean_error[i]));
	failed |= json_object_set_new(json, "mean_absolute_error", errors);
	if (!failed)
		return json;
	json_decref(json);
	return NULL;
}

json_t *validation_to_json(const struct validation *v)
{
	json_t *rows = json_array(), *tables = json_array();
	json_t *summary = summary_to_json(v, NULL), *json;
	const char *last = "";
	int failed = 0;

	for (size_t i = 0; i < v->nr_rows; i++) {
		const char *table = v->rows[i].published->table;

		failed |= json_array_append_new(rows, row_to_json(&v->rows[i]));
		if (strcmp(table, last) != 0)
			failed |= json_array_append_new(tables, summary_to_json(v, table));
		last = table;
	}
	failed |= json_object_set_new(summary, "tables", tables);
	json = json_pack(
		"{s:s, s:o, s:o}", "zonesim", ZONESIM_VERSION, "rows", rows, "summary", summary);
	if (!failed)
		return json;
	json_decref(json);
	return NULL;
}
