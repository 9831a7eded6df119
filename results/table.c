/* SPDX-License-Identifier: GPL-3.0-or-later */
/* table.c - the rows of a comparison as a grid of figures, for print and for CSV. */
#include "table.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "must.h"

/* The spin shares stand beside the score: they say which lock the time goes to. */
static const struct {
	const char *metric, *group;
} shares[] = {
	{"zone_lock_spin_share", "zone lock spin"},
	{"lru_lock_spin_share", "LRU lock spin"},
};
#define NR_SHARES (sizeof(shares) / sizeof(*shares))

/* Where the cells of a column come from. */
enum source {
	FROM_SETTING,
	FROM_LETTER,
	FROM_PATCHES,
	FROM_STATUS,
	FROM_FAILURE,
	FROM_FINGERPRINT,
	FROM_METRIC,
	FROM_CHANGE,
	FROM_PUBLISHED,
	FROM_PUBLISHED_CHANGE,
	FROM_PUBLISHED_SOURCE,
	FROM_DIFFERENCE,
	FROM_CHANGE_DIFFERENCE,
};

struct field {
	enum source from;
	bool patched; /* the side it is about */
	size_t setting;
	const char *metric;
};

/* A table in the making: the fields run beside the columns of the grid. */
struct layout {
	struct table *table;
	const struct comparison *c;
	struct field *fields;
};

static const char *keep(struct table *t, char *name)
{
	t->names = must_realloc(t->names, t->nr_names + 1, sizeof(*t->names));
	t->names[t->nr_names] = name;
	return t->names[t->nr_names++];
}

/*
 * Scales and letters
 */

double metric_scale(const struct comparison *c, const char *metric, const char **prefix)
{
	double largest = 0;

	for (size_t i = 0; i < document_size(c->document); i++) {
		const struct published_row *published = comparison_published(c, i, metric);

		/* fmax passes over NAN. */
		largest = fmax(largest, point_metric(document_point(c->document, i), metric).mean);
		largest = fmax(largest, published ? published->value : 0);
	}
	*prefix = largest >= 1e6 ? "M" : largest >= 1e4 ? "k" : "";
	return largest >= 1e6 ? 1e6 : largest >= 1e4 ? 1e3 : 1;
}

char patches_letter(const struct comparison *c, const char *patches)
{
	const char *base = comparison_patches(c, 0);
	int nr = 0, letter = 0;

	for (size_t i = 1; i < c->settings.nr_points; i++) {
		const char *other = comparison_patches(c, i);
		bool seen = strcmp(other, base) == 0;

		for (size_t k = 0; k < i && !seen; k++)
			seen = strcmp(comparison_patches(c, k), other) == 0;
		if (seen)
			continue;
		if (strcmp(other, patches) == 0)
			letter = nr;
		nr++;
	}
	if (nr < 2)
		return '\0';
	return letter < 26 ? (char)('A' + letter) : '?';
}

/*
 * Columns
 */

static void add(struct layout *l, struct field field, struct grid_column column)
{
	size_t i;

	if (column.scale == 0)
		column.scale = 1;
	if (!column.group)
		column.group = "";
	if (!column.unit)
		column.unit = "";
	i = grid_add_column(&l->table->grid, &column);
	l->fields = must_realloc(l->fields, i + 1, sizeof(*l->fields));
	l->fields[i] = field;
}

/* The name of a CSV column about one side of a row. */
static const char *side_name(struct layout *l, bool patched, const char *name)
{
	const char *prefix = !l->c->has_patched ? "" : patched ? "patched_" : "base_";

	return keep(l->table, must_format("%s%s", prefix, name));
}

/* Does a setting differ between base and patched in some row? */
static bool differs_in_row(const struct comparison *c, size_t setting)
{
	for (size_t i = 0; i < c->nr_rows; i++) {
		size_t base = c->rows[i].base.point, patched = c->rows[i].patched.point;

		if (base != NO_POINT && patched != NO_POINT &&
			strcmp(settings_value(&c->settings, base, setting),
				settings_value(&c->settings, patched, setting)) != 0)
			return true;
	}
	return false;
}

static void add_setting(struct layout *l, size_t i)
{
	const struct setting *setting = &l->c->settings.list[i];
	bool differs = differs_in_row(l->c, i);

	for (int patched = 0; patched <= differs; patched++)
		add(l, (struct field){.from = FROM_SETTING, .patched = patched, .setting = i},
			(struct grid_column){.csv = differs ? side_name(l, patched, setting->path)
							    : setting->path,
				.group = !differs  ? ""
					 : patched ? "patched"
						   : "base",
				.heading = setting->varies ? setting_heading(setting) : NULL,
				.label = true,
				.left = !setting->numeric});
}

/* Settings that vary are labels of the table; CSV has all of them. */
static void add_settings(struct layout *l)
{
	const struct settings *s = &l->c->settings;

	for (size_t i = 0; i < s->nr; i++)
		if ((int)i != l->c->patches)
			add_setting(l, i);
	if (l->c->has_patched && patches_letter(l->c, ""))
		add(l, (struct field){.from = FROM_LETTER},
			(struct grid_column){.heading = "patches", .label = true, .left = true});
}

static void add_identity(struct layout *l)
{
	static const struct {
		enum source from;
		const char *name;
	} columns[] = {
		{FROM_PATCHES, "patches"},
		{FROM_STATUS, "status"},
		{FROM_FAILURE, "failure"},
		{FROM_FINGERPRINT, "fingerprint"},
	};

	for (size_t i = 0; i < sizeof(columns) / sizeof(*columns); i++)
		for (int patched = 0; patched <= l->c->has_patched; patched++)
			add(l, (struct field){.from = columns[i].from, .patched = patched},
				(struct grid_column){
					.csv = side_name(l, patched, columns[i].name)});
}

/* What stands above the only figures of a kind. */
static const char *metric_heading(const struct comparison *c)
{
	return strcmp(c->metric, "per_process_ops") == 0 ? "score" : c->metric;
}

/* The compared metric: simulated, published, and how far apart they are. */
static void add_compared(struct layout *l)
{
	const struct comparison *c = l->c;
	const char *prefix, *unit, *plain;
	double scale = metric_scale(c, c->metric, &prefix);

	/* "pages/s per task" is too long for a column: the line above the table says it. */
	unit = metric_text(c->document, c->metric, "unit");
	plain = keep(l->table, must_format("%.*s", (int)strcspn(unit, " "), unit));
	unit = keep(l->table, must_format("%s%s", prefix, plain));
	for (int patched = 0; patched <= c->has_patched; patched++)
		add(l, (struct field){FROM_METRIC, patched, .metric = c->metric},
			(struct grid_column){.csv = side_name(l, patched, c->metric),
				.group = "simulated",
				.heading = patched	    ? "patched"
					   : c->has_patched ? "base"
							    : metric_heading(c),
				.unit = unit,
				.interval = true,
				.scale = scale,
				.decimals = 3});
	if (c->has_patched)
		add(l, (struct field){.from = FROM_CHANGE},
			(struct grid_column){.csv = "change_pct",
				.group = "simulated",
				.heading = "change",
				.unit = "%",
				.interval = true,
				.sign = true,
				.decimals = 1});
	else if (strcmp(c->metric, "score") == 0)
		add(l, (struct field){FROM_METRIC, .metric = "per_process_ops"},
			(struct grid_column){.group = "simulated",
				.heading = "per task",
				.unit = plain,
				.interval = true});
}

static void add_published(struct layout *l)
{
	const struct comparison *c = l->c;
	const char *prefix;
	double scale = metric_scale(c, c->metric, &prefix);

	for (int patched = 0; patched <= c->has_patched; patched++)
		add(l, (struct field){FROM_PUBLISHED, patched, .metric = c->metric},
			(struct grid_column){.csv = side_name(l, patched, "published"),
				.group = "published",
				.heading = patched	    ? "patched"
					   : c->has_patched ? "base"
							    : metric_heading(c),
				.unit = prefix,
				.scale = scale,
				.decimals = 3});
	if (c->has_patched)
		add(l, (struct field){.from = FROM_PUBLISHED_CHANGE},
			(struct grid_column){.csv = "published_change_pct",
				.group = "published",
				.heading = "change",
				.unit = "%",
				.sign = true,
				.decimals = 1});
}

/* Simulated against published. */
static void add_differences(struct layout *l)
{
	const struct comparison *c = l->c;

	add(l, (struct field){.from = FROM_DIFFERENCE},
		(struct grid_column){.csv = side_name(l, false, "difference_pct"),
			.group = "difference",
			.heading = c->has_patched ? "base" : metric_heading(c),
			.unit = "%",
			.sign = true,
			.decimals = 1});
	if (c->has_patched)
		add(l, (struct field){.from = FROM_CHANGE_DIFFERENCE},
			(struct grid_column){.csv = "change_difference_points",
				.group = "difference",
				.heading = "change",
				.unit = "points",
				.sign = true,
				.decimals = 1});
	add(l, (struct field){.from = FROM_PUBLISHED_SOURCE},
		(struct grid_column){.csv = "published_source"});
}

static bool any_has(const struct comparison *c, const char *metric)
{
	for (size_t i = 0; i < document_size(c->document); i++)
		if (!isnan(point_metric(document_point(c->document, i), metric).mean))
			return true;
	return false;
}

static bool any_published(const struct comparison *c, const char *metric)
{
	for (size_t i = 0; i < document_size(c->document); i++)
		if (comparison_published(c, i, metric))
			return true;
	return false;
}

static void add_share(struct layout *l, const char *metric, const char *group)
{
	const struct comparison *c = l->c;

	for (int patched = 0; patched <= c->has_patched; patched++)
		add(l, (struct field){FROM_METRIC, patched, .metric = metric},
			(struct grid_column){.group = group,
				.heading = patched	    ? "patched"
					   : c->has_patched ? "base"
							    : "sim.",
				.unit = "%",
				.decimals = 1});
	if (any_published(c, metric))
		add(l, (struct field){FROM_PUBLISHED, .metric = metric},
			(struct grid_column){
				.csv = keep(l->table, must_format("published_%s", metric)),
				.group = group,
				.heading = "publ.",
				.unit = "%",
				.decimals = 1});
}

/* Is @name a metric of an earlier point? */
static bool seen_before(const struct comparison *c, size_t point, const char *name)
{
	for (size_t i = 0; i < point; i++)
		if (json_object_get(
			    json_object_get(document_point(c->document, i), "metrics"), name))
			return true;
	return false;
}

/* All other metrics, for CSV only. */
static void add_metrics(struct layout *l)
{
	const char *name;
	json_t *metric;

	for (size_t i = 0; i < document_size(l->c->document); i++) {
		json_t *metrics = json_object_get(document_point(l->c->document, i), "metrics");

		json_object_foreach(metrics, name, metric)
		{
			if (strcmp(name, l->c->metric) == 0 || seen_before(l->c, i, name))
				continue;
			for (int patched = 0; patched <= l->c->has_patched; patched++)
				add(l, (struct field){FROM_METRIC, patched, .metric = name},
					(struct grid_column){.csv = side_name(l, patched, name),
						.interval = true});
		}
	}
}

/*
 * Cells
 */

static const struct side *side_of(const struct comparison_row *row, const struct field *field)
{
	return field->patched ? &row->patched : &row->base;
}

/*
 * The point whose setting a column shows: that of the base where there is one. What differs within
 * a row, such as the batch that a kernel chose, has a column for either side.
 */
static size_t point_of(const struct comparison_row *row, const struct field *field)
{
	if (field->patched || row->base.point == NO_POINT)
		return row->patched.point;
	return row->base.point;
}

static const char *text_for(
	const struct comparison *c, const struct comparison_row *row, const struct field *f)
{
	const struct side *side = side_of(row, f);

	if (f->from == FROM_SETTING)
		return settings_value(&c->settings, point_of(row, f), f->setting);
	if (f->from == FROM_PUBLISHED_SOURCE)
		return row_source(row);
	if (!side->result)
		return NULL;
	switch (f->from) {
	case FROM_PATCHES:
		return comparison_patches(c, side->point);
	case FROM_STATUS:
		return point_status(side->result);
	case FROM_FAILURE:
		return point_failure(side->result);
	case FROM_FINGERPRINT:
		return point_fingerprint(side->result);
	case FROM_METRIC: /* instead of a figure */
		return strcmp(point_status(side->result), "failed") == 0 ? "failed" : NULL;
	default:
		return NULL;
	}
}

static double published_value(
	const struct comparison *c, const struct side *side, const char *metric)
{
	const struct published_row *row =
		side->point == NO_POINT ? NULL : comparison_published(c, side->point, metric);

	return row ? row->value : NAN;
}

static struct estimate value_for(
	const struct comparison *c, const struct comparison_row *row, const struct field *f)
{
	const struct side *side = side_of(row, f);
	struct estimate value = estimate_none();

	switch (f->from) {
	case FROM_METRIC:
		return side->result ? point_metric(side->result, f->metric) : value;
	case FROM_CHANGE:
		return row->change;
	case FROM_PUBLISHED:
		value.mean = published_value(c, side, f->metric);
		return value;
	case FROM_PUBLISHED_CHANGE:
		value.mean = row->published_change;
		return value;
	case FROM_DIFFERENCE:
		value.mean = published_value(c, &row->base, c->metric);
		value.mean = 100 * (row->base.value.mean / value.mean - 1);
		return value;
	case FROM_CHANGE_DIFFERENCE:
		value.mean = row->change.mean - row->published_change;
		return value;
	default:
		return value;
	}
}

static void fill_row(struct layout *l, const struct comparison_row *row)
{
	struct grid *grid = &l->table->grid;
	size_t at = grid_add_row(grid);

	for (size_t i = 0; i < grid->nr_columns; i++) {
		const struct field *f = &l->fields[i];
		const char *text = text_for(l->c, row, f);

		if (f->from == FROM_LETTER && row->patched.result) {
			char letter[2] = {
				patches_letter(l->c, comparison_patches(l->c, row->patched.point))};

			grid_set_text(grid, at, i, letter);
		} else if (text) {
			grid_set_text(grid, at, i, text);
		}
		grid_set_value(grid, at, i, value_for(l->c, row, f));
	}
}

void table_make(struct table *table, const struct comparison *c)
{
	struct layout l = {.table = table, .c = c};

	*table = (struct table){0};
	grid_init(&table->grid);
	add_settings(&l);
	add_identity(&l);
	add_compared(&l);
	if (c->has_published) {
		add_published(&l);
		add_differences(&l);
	}
	for (size_t i = 0; i < NR_SHARES; i++)
		if (any_has(c, shares[i].metric))
			add_share(&l, shares[i].metric, shares[i].group);
	add_metrics(&l);
	for (size_t i = 0; i < c->nr_rows; i++)
		fill_row(&l, &c->rows[i]);
	free(l.fields);
}

void table_free(struct table *table)
{
	grid_free(&table->grid);
	for (size_t i = 0; i < table->nr_names; i++)
		free(table->names[i]);
	free(table->names);
	*table = (struct table){0};
}
