/* SPDX-License-Identifier: GPL-3.0-or-later */
/* rows_values.c - rows of one model, and what their settings and metrics are. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <jansson.h>

#include "must.h"
#include "rows.h"

/*
 * One model
 */

static void drop(struct rows *rows, size_t i)
{
	free(rows->list[i].metrics);
	rows->list[i].metrics = NULL;
	rows->list[i].id = -1;
}

/* Close the gaps that drop left. Returns how many there were. */
static size_t close_gaps(struct rows *rows)
{
	size_t kept = 0, before = rows->nr;

	for (size_t i = 0; i < rows->nr; i++)
		if (rows->list[i].id >= 0)
			rows->list[kept++] = rows->list[i];
	rows->nr = kept;
	return before - kept;
}

/* The row that was simulated last, of those of @machine if that is not NULL. */
static const struct row *newest(const struct rows *rows, const char *machine)
{
	const struct row *best = NULL;
	int setting = rows_setting(rows, "machine");

	for (size_t i = 0; i < rows->nr; i++) {
		const struct row *row = &rows->list[i];

		if (machine && strcmp(row->text[setting], machine) != 0)
			continue;
		if (!best || strcmp(row->started, best->started) > 0)
			best = row;
	}
	return best;
}

static const struct row *newer(const struct row *a, const struct row *b)
{
	return !a || (b && strcmp(b->started, a->started) > 0) ? b : a;
}

/* Leave out what is of another model than @model. */
static void keep_model(struct rows *rows, const char *model, FILE *note)
{
	size_t left_out;

	if (rows->model_named)
		return;
	for (size_t i = 0; i < rows->nr; i++)
		if (strcmp(rows->list[i].model, model) != 0)
			drop(rows, i);
	left_out = close_gaps(rows);
	if (left_out)
		fprintf(note,
			"zonesim: left out %zu point%s of other models than %.8s, the newest; "
			"model=all takes all\n",
			left_out, left_out == 1 ? "" : "s", model);
}

/* Leave out what has other figures of a machine than its newest point in either set. */
static void keep_figures(struct rows *rows, const struct rows *other, FILE *note)
{
	int setting = rows_setting(rows, "machine");
	const char *machine = NULL, *digest = "";
	size_t left_out;

	if (rows->model_named)
		return;
	for (size_t i = 0; i < rows->nr; i++) {
		const struct row *row = &rows->list[i];

		/* Texts of one pool are equal when their addresses are. */
		if (row->text[setting] != machine) {
			machine = row->text[setting];
			digest = newer(newest(rows, machine), other ? newest(other, machine) : NULL)
					 ->machine_digest;
		}
		if (strcmp(row->machine_digest, digest) != 0)
			drop(rows, i);
	}
	left_out = close_gaps(rows);
	if (left_out)
		fprintf(note,
			"zonesim: left out %zu point%s with older figures of their machine; "
			"model=all takes all\n",
			left_out, left_out == 1 ? "" : "s");
}

static bool has_one_digest(const struct rows *rows)
{
	for (size_t i = 1; i < rows->nr; i++)
		if (rows->list[i].machine_digest != rows->list[0].machine_digest)
			return false;
	return true;
}

void rows_keep_one_model(struct rows *rows, struct rows *other, FILE *note)
{
	const struct row *last = newer(newest(rows, NULL), other ? newest(other, NULL) : NULL);
	const char *model = last->model;

	keep_model(rows, model, note);
	if (other)
		keep_model(other, model, note);
	if (!other && has_one_digest(rows))
		return;
	keep_figures(rows, other, note);
	if (other)
		keep_figures(other, rows, note);
}

/*
 * Values
 */

int rows_setting(const struct rows *rows, const char *key)
{
	for (size_t i = 0; i < rows->nr_settings; i++) {
		const char *alias = selection_keys[i].alias;

		if (strcmp(rows->keys[i], key) == 0 || (alias && strcmp(alias, key) == 0))
			return (int)i;
	}
	return -1;
}

/* A parameter of the workload, from the row's JSON. */
static double parameter(const struct rows *rows, const struct row *row, const char *key)
{
	int i = rows_setting(rows, "parameters");
	json_t *object = json_loads(row->text[i], 0, NULL);
	const json_t *value = json_object_get(object, key + strlen("workload."));
	double number = json_is_number(value) ? json_number_value(value) : NAN;

	json_decref(object);
	return number;
}

double rows_number(const struct rows *rows, const struct row *row, const char *key)
{
	int i = rows_setting(rows, key);

	if (i < 0 && strncmp(key, "workload.", strlen("workload.")) == 0)
		return parameter(rows, row, key);
	return i < 0 || row->text[i] ? NAN : row->number[i];
}

/* "region=2MiB step=0": a number that can only be an amount of memory reads better in MiB. */
static char *parameters_text(const char *json)
{
	const long long mib = 1 << 20;
	json_t *object = json_loads(json, 0, NULL), *value;
	char *text = must_format("%s", "");
	const char *name;

	json_object_foreach(object, name, value)
	{
		double number = json_number_value(value);
		bool memory = number >= (double)mib && fmod(number, (double)mib) == 0;
		char *longer = must_format("%s%s%s=%.15g%s", text, *text ? " " : "", name,
			memory ? number / (double)mib : number, memory ? "MiB" : "");

		free(text);
		text = longer;
	}
	json_decref(object);
	return text;
}

/* As a selection has them: "none", "a+b". */
static char *patches_text(const char *names)
{
	char *text = must_format("%s", *names ? names : "none");

	for (char *c = text; *c; c++)
		if (*c == ' ')
			*c = '+';
	return text;
}

char *rows_text(const struct rows *rows, const struct row *row, const char *key)
{
	int i = rows_setting(rows, key);
	char text[64];

	if (i < 0)
		return must_format("%.15g", rows_number(rows, row, key));
	if (!row->text[i])
		return must_format(
			"%s", quantity_print(text, sizeof(text), rows->units[i], row->number[i]));
	if (strcmp(rows->keys[i], "patches") == 0)
		return patches_text(row->text[i]);
	if (strcmp(rows->keys[i], "parameters") == 0)
		return parameters_text(row->text[i]);
	return must_format("%s", row->text[i]);
}

bool rows_same(const struct row *a, const struct row *b, size_t i)
{
	if (a->text[i] && b->text[i])
		return a->text[i] == b->text[i] || strcmp(a->text[i], b->text[i]) == 0;
	return a->number[i] == b->number[i];
}

bool rows_varies(const struct rows *rows, size_t i)
{
	for (size_t k = 1; k < rows->nr; k++)
		if (!rows_same(&rows->list[0], &rows->list[k], i))
			return true;
	return false;
}

/* Settings that say nothing while they are 0, and those that need no name. */
static bool is_off(const struct rows *rows, size_t i)
{
	return strstr(rows->keys[i], "fraction") && rows->list[0].number[i] == 0;
}

char *rows_label(const struct rows *rows, const struct row *row, const bool *which)
{
	char *label = must_format("%s", "");

	for (size_t i = 0; i < rows->nr_settings; i++) {
		const char *alias = selection_keys[i].alias, *heading;
		char *value, *longer;

		if (!which[i])
			continue;
		heading = alias ? alias : rows->keys[i];
		value = rows_text(rows, row, rows->keys[i]);
		if (strcmp(value, "none") == 0 && strcmp(heading, "patches") == 0)
			strcpy(value, "base"); /* as long as "none" */
		longer = must_format("%s%s%s%s%s", label, *label ? ", " : "",
			row->text[i] ? "" : heading, row->text[i] ? "" : " ", value);
		free(value);
		free(label);
		label = longer;
	}
	return label;
}

char *rows_common(const struct rows *rows)
{
	char *text = must_format("%s", "");

	for (size_t i = 0; i < rows->nr_settings; i++) {
		const char *name =
			selection_keys[i].alias ? selection_keys[i].alias : rows->keys[i];
		bool named = strcmp(name, "machine") != 0 && strcmp(name, "kernel") != 0 &&
			     strcmp(name, "workload") != 0 && strcmp(name, "parameters") != 0;
		char *value, *longer;

		if (rows_varies(rows, i) || is_off(rows, i))
			continue;
		value = rows_text(rows, &rows->list[0], rows->keys[i]);
		longer = must_format("%s%s%s%s%s", text, *text ? ", " : "", named ? name : "",
			named ? " " : "", value);
		free(value);
		free(text);
		text = longer;
	}
	return text;
}

int rows_metric(const struct rows *rows, const char *name)
{
	for (size_t i = 0; i < rows->nr_metrics; i++)
		if (strcmp(rows->metrics[i], name) == 0)
			return (int)i;
	return -1;
}

struct measured rows_measured(const struct row *row, int metric)
{
	if (metric < 0 || !row->metrics)
		return (struct measured){NAN, NAN, NAN};
	return row->metrics[metric];
}
