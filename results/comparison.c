/* SPDX-License-Identifier: GPL-3.0-or-later */
/* comparison.c - a document as rows to compare: base beside patched, simulated beside published. */
#include "comparison.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "must.h"

/*
 * Simulated beside published
 */

/* The names in an array, for published_key; ends with NULL. The caller frees the array. */
static const char **names_of(const json_t *array)
{
	size_t nr = 0;
	const char **names = must_calloc(json_array_size(array) + 1, sizeof(*names));

	for (size_t i = 0; i < json_array_size(array); i++) {
		const char *name = json_string_value(json_array_get(array, i));

		if (name)
			names[nr++] = name;
	}
	return names;
}

/* The parameters of a workload that are numbers. Fills @nr; the caller frees the array. */
static struct published_parameter *parameters_of(json_t *object, size_t *nr)
{
	struct published_parameter *list = must_calloc(json_object_size(object), sizeof(*list));
	const char *name;
	json_t *value;

	*nr = 0;
	json_object_foreach(object, name, value)
	{
		struct published_parameter *p = &list[*nr];

		if (!json_is_number(value))
			continue;
		snprintf(p->name, sizeof(p->name), "%s", name);
		p->value = json_number_value(value);
		(*nr)++;
	}
	return list;
}

/* A setting as a number; 0 when it is none. */
static unsigned int setting_number(const struct comparison *c, size_t point, const char *path)
{
	int i = settings_find(&c->settings, path);
	const char *text = i < 0 ? "" : settings_value(&c->settings, point, (size_t)i);
	char *end;
	unsigned long number = strtoul(text, &end, 10);

	return *end || number > UINT32_MAX ? 0 : (unsigned int)number;
}

static const char *setting_text(const struct comparison *c, size_t point, const char *path)
{
	int i = settings_find(&c->settings, path);

	return i < 0 ? "" : settings_value(&c->settings, point, (size_t)i);
}

const struct published_row *comparison_published(
	const struct comparison *c, size_t point, const char *metric)
{
	const json_t *config = json_object_get(document_point(c->document, point), "config");
	const char **patches = names_of(json_object_get(config, "effective_patches"));
	const char **changes = names_of(json_object_get(config, "patches"));
	size_t nr;
	struct published_parameter *parameters =
		parameters_of(json_object_get(config, "parameters"), &nr);
	const struct published_key key = {
		.machine = setting_text(c, point, "machine"),
		.workload = setting_text(c, point, "workload"),
		.kernel = setting_text(c, point, "kernel"),
		.metric = metric,
		.patches = patches,
		.changes = changes,
		.tasks = setting_number(c, point, "tasks"),
		.batch = setting_number(c, point, "pcp.batch"),
		.high = setting_number(c, point, "pcp.high"),
		.parameters = parameters,
		.nr_parameters = nr,
	};
	const struct published_row *row = published_find(&c->published, &key);

	free(patches);
	free(changes);
	free(parameters);
	return row;
}

static bool any_published(const struct comparison *c, const char *metric)
{
	for (size_t i = 0; i < c->settings.nr_points; i++)
		if (comparison_published(c, i, metric))
			return true;
	return false;
}

/* The metric to compare: the score, unless something else was published in its place. */
static const char *choose_metric(struct comparison *c)
{
	static const char *const choices[] = {"score", "per_process_ops", "faults", "page_cost"};

	for (size_t i = 0; i < sizeof(choices) / sizeof(*choices); i++) {
		c->has_published = any_published(c, choices[i]);
		if (c->has_published)
			return choices[i];
	}
	return choices[0];
}

/*
 * Base beside patched
 */

const char *comparison_patches(const struct comparison *c, size_t point)
{
	return c->patches < 0 ? EMPTY_LIST
			      : settings_value(&c->settings, point, (size_t)c->patches);
}

/* Settings that the kernel chooses where the scenario does not: a patch may change its choice. */
static bool may_follow(const struct setting *setting)
{
	return strncmp(setting->path, "pcp.", 4) == 0;
}

/* Do two points differ in nothing but their patches, and, unless @strict, what may follow? */
static bool same_settings(const struct comparison *c, size_t a, size_t b, bool strict)
{
	for (size_t i = 0; i < c->settings.nr; i++) {
		if ((int)i == c->patches || (!strict && may_follow(&c->settings.list[i])))
			continue;
		if (strcmp(settings_value(&c->settings, a, i),
			    settings_value(&c->settings, b, i)) != 0)
			return false;
	}
	return true;
}

/* Is @point the only one of its patches and settings, whatever may follow from them? */
static bool is_only_one(const struct comparison *c, size_t point)
{
	for (size_t i = 0; i < c->settings.nr_points; i++)
		if (i != point && same_settings(c, i, point, false) &&
			strcmp(comparison_patches(c, i), comparison_patches(c, point)) == 0)
			return false;
	return true;
}

bool comparison_partners(const struct comparison *c, size_t a, size_t b)
{
	return same_settings(c, a, b, true) ||
	       (same_settings(c, a, b, false) && is_only_one(c, a) && is_only_one(c, b));
}

static bool is_base(const struct comparison *c, size_t point)
{
	return strcmp(comparison_patches(c, point), comparison_patches(c, 0)) == 0;
}

/* The first base with the same other settings as @point, or NO_POINT. */
static size_t base_of(const struct comparison *c, size_t point)
{
	for (size_t i = 0; i < c->settings.nr_points; i++)
		if (is_base(c, i) && comparison_partners(c, i, point))
			return i;
	return NO_POINT;
}

static bool has_partner(const struct comparison *c, size_t base)
{
	for (size_t i = 0; i < c->settings.nr_points; i++)
		if (!is_base(c, i) && comparison_partners(c, i, base))
			return true;
	return false;
}

static struct side make_side(const struct comparison *c, size_t point)
{
	struct side side = {.point = point, .value = estimate_none()};

	if (point == NO_POINT)
		return side;
	side.result = document_point(c->document, point);
	side.value = point_metric(side.result, c->metric);
	side.published = comparison_published(c, point, c->metric);
	return side;
}

/*
 * The change between two published figures of one table, in percent. Worked out from the figures:
 * the change their author prints is rounded, and may be against another base.
 */
static double published_change(
	const struct published_row *base, const struct published_row *patched)
{
	if (!base || !patched || strcmp(base->table, patched->table) != 0)
		return NAN;
	return 100 * (patched->value / base->value - 1);
}

static void add_row(struct comparison *c, size_t base, size_t patched)
{
	struct comparison_row row = {
		.base = make_side(c, base),
		.patched = make_side(c, patched),
	};

	row.change = relative_change(row.base.value, row.patched.value);
	row.published_change = published_change(row.base.published, row.patched.published);
	c->rows[c->nr_rows++] = row;
}

static void make_rows(struct comparison *c)
{
	c->rows = must_calloc(c->settings.nr_points, sizeof(*c->rows));
	for (size_t i = 0; i < c->settings.nr_points; i++) {
		if (!c->has_patched || (is_base(c, i) && !has_partner(c, i)))
			add_row(c, i, NO_POINT);
		else if (!is_base(c, i))
			add_row(c, base_of(c, i), i);
		else if (base_of(c, i) != i) /* the same point once more */
			add_row(c, i, NO_POINT);
	}
}

const char *row_source(const struct comparison_row *row)
{
	const struct published_row *published =
		row->base.published ? row->base.published : row->patched.published;

	return published ? published->source : NULL;
}

int comparison_make(struct comparison *c, const json_t *document, struct error *err)
{
	*c = (struct comparison){.document = document};
	if (document_check(document, err) != 0 || published_load(&c->published, err) != 0)
		return -1;
	settings_read(&c->settings, document);
	c->patches = settings_find(&c->settings, "patches");
	c->has_patched = c->patches >= 0 && c->settings.list[c->patches].varies;
	c->metric = choose_metric(c);
	make_rows(c);
	return 0;
}

void comparison_free(struct comparison *c)
{
	free(c->rows);
	settings_free(&c->settings);
	published_free(&c->published);
	*c = (struct comparison){0};
}
