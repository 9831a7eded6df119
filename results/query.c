/* SPDX-License-Identifier: GPL-3.0-or-later */
/* query.c - what a store holds, for people and for programs. */
#include "query.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "../models/error.h"
#include "grid.h"
#include "must.h"
#include "rows.h"
#include "store_internal.h"
#include "wrap.h"

/* Names made for columns live as long as the grid. */
struct listing {
	struct grid grid;
	char *names[128];
	size_t nr_names;
	int column_of[ROW_MAX_SETTINGS];	  /* -1: not shown */
	int status, model, failure, first_metric; /* columns; -1: not shown */
};

static void listing_free(struct listing *l)
{
	grid_free(&l->grid);
	for (size_t i = 0; i < l->nr_names; i++)
		free(l->names[i]);
}

static int add_column(struct listing *l, const struct grid_column *column)
{
	struct grid_column c = *column;

	c.group = c.group ? c.group : "";
	c.unit = c.unit ? c.unit : "";
	c.scale = c.scale > 0 ? c.scale : 1;
	return (int)grid_add_column(&l->grid, &c);
}

static bool same_status(const struct rows *rows)
{
	for (size_t i = 0; i < rows->nr; i++)
		if (strcmp(rows->list[i].status, "ok") != 0)
			return false;
	return true;
}

static bool any_failed(const struct rows *rows)
{
	for (size_t i = 0; i < rows->nr; i++)
		if (*rows->list[i].failure)
			return true;
	return false;
}

static bool same_model(const struct rows *rows)
{
	for (size_t i = 1; i < rows->nr; i++)
		if (rows->list[i].model != rows->list[0].model)
			return false;
	return true;
}

static void add_settings(struct listing *l, const struct rows *rows)
{
	for (size_t i = 0; i < rows->nr_settings; i++) {
		const char *alias = selection_keys[i].alias;

		l->column_of[i] = -1;
		if (rows_varies(rows, i))
			l->column_of[i] = add_column(
				l, &(struct grid_column){.heading = alias ? alias : rows->keys[i],
					   .label = true,
					   .left = selection_keys[i].text});
	}
}

static double largest(const struct rows *rows, int metric)
{
	double value = 0;

	for (size_t i = 0; i < rows->nr; i++)
		value = fmax(value, fabs(rows_measured(&rows->list[i], metric).mean));
	return value;
}

static void add_metrics(struct listing *l, const struct rows *rows)
{
	l->first_metric = (int)l->grid.nr_columns;
	for (size_t i = 0; i < rows->nr_metrics; i++) {
		double value = largest(rows, (int)i);
		double scale = value >= 1e6 ? 1e6 : value >= 1e4 ? 1e3 : 1;

		const char *prefix = scale == 1e6 ? "M" : scale == 1e3 ? "k" : "";
		const char *unit = rows->metric_units[i];

		/* thousands of 1/s are k/s */
		if (*prefix && strncmp(unit, "1/", 2) == 0)
			unit++;
		l->names[l->nr_names] = must_format("%s%s", prefix, unit);
		add_column(l, &(struct grid_column){.heading = rows->metrics[i],
				      .unit = l->names[l->nr_names++],
				      .interval = true,
				      .scale = scale,
				      .decimals = 3});
	}
}

static void fill(struct listing *l, const struct rows *rows, const struct row *row)
{
	size_t at = grid_add_row(&l->grid);
	char *text = must_format("%.8s", row->fingerprint);

	grid_set_text(&l->grid, at, 0, text);
	free(text);
	if (l->model >= 0) {
		text = must_format("%.8s", row->model);
		grid_set_text(&l->grid, at, (size_t)l->model, text);
		free(text);
	}
	if (l->status >= 0)
		grid_set_text(&l->grid, at, (size_t)l->status, row->status);
	if (l->failure >= 0)
		grid_set_text(&l->grid, at, (size_t)l->failure, row->failure);
	for (size_t i = 0; i < rows->nr_settings; i++) {
		if (l->column_of[i] < 0)
			continue;
		text = rows_text(rows, row, rows->keys[i]);
		grid_set_text(&l->grid, at, (size_t)l->column_of[i], text);
		free(text);
	}
	for (size_t i = 0; i < rows->nr_metrics; i++) {
		struct measured m = rows_measured(row, (int)i);

		grid_set_value(&l->grid, at, (size_t)l->first_metric + i,
			(struct estimate){m.mean, m.ci95});
	}
}

static void listing_make(struct listing *l, const struct rows *rows)
{
	*l = (struct listing){.status = -1, .model = -1, .failure = -1};
	grid_init(&l->grid);
	add_column(l, &(struct grid_column){.heading = "point", .label = true, .left = true});
	if (!same_model(rows))
		l->model = add_column(
			l, &(struct grid_column){.heading = "model", .label = true, .left = true});
	add_settings(l, rows);
	if (!same_status(rows))
		l->status = add_column(
			l, &(struct grid_column){.heading = "status", .label = true, .left = true});
	add_metrics(l, rows);
	if (any_failed(rows))
		l->failure =
			add_column(l, &(struct grid_column){.heading = "failure", .left = true});
	for (size_t i = 0; i < rows->nr; i++)
		fill(l, rows, &rows->list[i]);
}

void query_print(FILE *out, const struct rows *rows, const char *source)
{
	char *label = must_format("%zu point%s of %s:", rows->nr, rows->nr == 1 ? "" : "s", source);
	char *common = rows_common(rows);
	struct listing l;

	listing_make(&l, rows);
	print_wrapped(out, label, common);
	fputc('\n', out);
	grid_print(&l.grid, out, PRINT_WIDTH);
	free(common);
	free(label);
	listing_free(&l);
}

void query_print_html(FILE *out, const struct rows *rows)
{
	struct listing l;

	listing_make(&l, rows);
	grid_print_html(&l.grid, out);
	listing_free(&l);
}

/*
 * For programs
 */

static const char *const identity[] = {
	"fingerprint", "status", "failure", "log", "model", "version", "host", "started"};
#define NR_IDENTITY (sizeof(identity) / sizeof(*identity))

static void identify(const struct row *row, const char *values[NR_IDENTITY])
{
	const char *const list[NR_IDENTITY] = {row->fingerprint, row->status, row->failure,
		row->log, row->model, row->version, row->host, row->started};

	memcpy(values, list, sizeof(list));
}

static void fill_csv(struct grid *grid, const struct rows *rows, const struct row *row)
{
	const char *values[NR_IDENTITY];
	size_t at = grid_add_row(grid), column = 0;

	identify(row, values);
	for (size_t i = 0; i < NR_IDENTITY; i++)
		grid_set_text(grid, at, column++, values[i]);
	grid_set_number(grid, at, column++, row->wall);
	for (size_t i = 0; i < rows->nr_settings; i++) {
		if (row->text[i] && strcmp(rows->keys[i], "parameters") != 0) {
			char *text = rows_text(rows, row, rows->keys[i]);

			grid_set_text(grid, at, column++, text);
			free(text);
		} else if (row->text[i])
			grid_set_text(grid, at, column++, row->text[i]);
		else
			grid_set_number(grid, at, column++, row->number[i]);
	}
	for (size_t i = 0; i < rows->nr_metrics; i++) {
		struct measured m = rows_measured(row, (int)i);

		grid_set_value(grid, at, column++, (struct estimate){m.mean, m.ci95});
	}
}

void query_print_csv(FILE *out, const struct rows *rows)
{
	struct grid grid;

	grid_init(&grid);
	for (size_t i = 0; i < NR_IDENTITY; i++)
		grid_add_column(&grid, &(struct grid_column){.csv = identity[i], .scale = 1});
	grid_add_column(&grid, &(struct grid_column){.csv = "wall_s", .scale = 1});
	for (size_t i = 0; i < rows->nr_settings; i++)
		grid_add_column(&grid, &(struct grid_column){.csv = rows->keys[i], .scale = 1});
	for (size_t i = 0; i < rows->nr_metrics; i++)
		grid_add_column(
			&grid, &(struct grid_column){
				       .csv = rows->metrics[i], .interval = true, .scale = 1});
	for (size_t i = 0; i < rows->nr; i++)
		fill_csv(&grid, rows, &rows->list[i]);
	grid_print_csv(&grid, out);
	grid_free(&grid);
}

static json_t *number_to_json(double value)
{
	return isfinite(value) ? json_real(value) : json_null();
}

/* The words of a text as an array. */
static json_t *words_to_json(const char *text)
{
	json_t *array = json_array();

	while (*text) {
		size_t length = strcspn(text, " ");

		(void)json_array_append_new(array, json_stringn(text, length));
		text += length + strspn(text + length, " ");
	}
	return array;
}

static json_t *row_settings_to_json(const struct rows *rows, const struct row *row)
{
	json_t *object = json_object();

	for (size_t i = 0; i < rows->nr_settings; i++) {
		json_t *value;

		if (strcmp(rows->keys[i], "parameters") == 0)
			value = json_loads(row->text[i], 0, NULL);
		else if (strcmp(rows->keys[i], "patches") == 0)
			value = words_to_json(row->text[i]);
		else if (row->text[i])
			value = json_string(row->text[i]);
		else if (row->number[i] == floor(row->number[i]))
			value = json_integer((json_int_t)row->number[i]);
		else
			value = json_real(row->number[i]);
		(void)json_object_set_new(object, rows->keys[i], value);
	}
	return object;
}

static json_t *row_metrics_to_json(const struct rows *rows, const struct row *row)
{
	json_t *object = json_object();

	for (size_t i = 0; i < rows->nr_metrics; i++) {
		struct measured m = rows_measured(row, (int)i);

		(void)json_object_set_new(object, rows->metrics[i],
			json_pack("{s:o, s:o, s:o, s:s}", "mean", number_to_json(m.mean), "ci95",
				number_to_json(m.ci95), "degrees", number_to_json(m.degrees),
				"unit", rows->metric_units[i]));
	}
	return object;
}

json_t *query_to_json(const struct rows *rows)
{
	json_t *array = json_array();

	for (size_t i = 0; i < rows->nr; i++) {
		const struct row *row = &rows->list[i];
		const char *values[NR_IDENTITY];
		json_t *object = json_object();

		identify(row, values);
		for (size_t k = 0; k < NR_IDENTITY; k++)
			(void)json_object_set_new(object, identity[k], json_string(values[k]));
		(void)json_object_set_new(object, "wall_s", number_to_json(row->wall));
		(void)json_object_set_new(object, "settings", row_settings_to_json(rows, row));
		(void)json_object_set_new(object, "metrics", row_metrics_to_json(rows, row));
		if (json_array_append_new(array, object) < 0) {
			json_decref(array);
			return NULL;
		}
	}
	return array;
}

/* The rows of @sql as objects with the columns' names. */
static json_t *ask(struct store *store, const char *sql, struct error *err)
{
	sqlite3_stmt *statement = store_prepare(store, sql, err);
	json_t *array = json_array();
	int answer = SQLITE_ERROR;

	while (statement && (answer = sqlite3_step(statement)) == SQLITE_ROW) {
		json_t *object = json_object();

		for (int i = 0; i < sqlite3_column_count(statement); i++)
			(void)json_object_set_new(object, sqlite3_column_name(statement, i),
				sqlite3_column_type(statement, i) == SQLITE_INTEGER
					? json_integer(sqlite3_column_int64(statement, i))
					: json_string(
						  (const char *)sqlite3_column_text(statement, i)));
		(void)json_array_append_new(array, object);
	}
	if (statement && answer != SQLITE_DONE)
		store_failed(store, err);
	sqlite3_finalize(statement);
	if (answer == SQLITE_DONE)
		return array;
	json_decref(array);
	return NULL;
}

json_t *query_scenarios(struct store *store, struct error *err)
{
	return ask(store,
		"SELECT name, title, count(*) AS points, count(points.id) AS stored,"
		" coalesce(sum(status = 'failed'), 0) AS failed, added FROM scenarios"
		" JOIN scenario_points ON scenario = scenarios.id"
		" LEFT JOIN points USING (fingerprint) GROUP BY scenarios.id ORDER BY name",
		err);
}

json_t *query_models(struct store *store, struct error *err)
{
	return ask(store,
		"SELECT digest, version, sources, coefficients, count(points.id) AS points,"
		" coalesce(max(started), '') AS last FROM models LEFT JOIN points"
		" ON model = models.id GROUP BY models.id ORDER BY last",
		err);
}
