// SPDX-License-Identifier: GPL-3.0-or-later
/*
 * axis.c - what a scenario file and the --set arguments ask to vary.
 */
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "../models/error.h"
#include "../results/must.h"
#include "axis.h"
#include "range.h"

/*
 * Building
 */

static struct axis *new_axis(struct axes *axes)
{
	axes->axes = must_realloc(axes->axes, axes->nr_axes + 1, sizeof(struct axis));
	axes->axes[axes->nr_axes] = (struct axis){.twice = axes->twice};
	return &axes->axes[axes->nr_axes++];
}

static struct alternative *new_alternative(struct axis *axis)
{
	size_t n = axis->nr_alternatives++;

	axis->alternatives = must_realloc(axis->alternatives, n + 1, sizeof(struct alternative));
	memset(&axis->alternatives[n], 0, sizeof(struct alternative));
	return &axis->alternatives[n];
}

static void add_setting(struct alternative *alternative, const struct scenario_option *option,
	const struct document *d, const node *n)
{
	size_t i = alternative->nr_settings++;

	alternative->settings = must_realloc(alternative->settings, i + 1, sizeof(struct setting));
	alternative->settings[i] = (struct setting){option, d, n, NULL};
}

static void alternative_free(struct alternative *alternative)
{
	for (size_t i = 0; i < alternative->nr_settings; i++)
		free(alternative->settings[i].value);
	free(alternative->settings);
}

static void axis_free(struct axis *axis)
{
	for (size_t i = 0; i < axis->nr_alternatives; i++)
		alternative_free(&axis->alternatives[i]);
	free(axis->alternatives);
}

void axes_free(struct axes *axes)
{
	for (size_t i = 0; i < axes->nr_axes; i++)
		axis_free(&axes->axes[i]);
	free(axes->axes);
	memset(axes, 0, sizeof(*axes));
}

/*
 * Reading values
 */

const char *setting_text(const struct setting *setting)
{
	return setting->value ? setting->value : node_text(setting->node);
}

/* Options whose values have an order. */
static bool has_ranges(const struct scenario_option *option)
{
	switch (option->type) {
	case OPTION_PARAMETER:
	case OPTION_TASKS:
	case OPTION_UINT:
	case OPTION_UINT64:
	case OPTION_DOUBLE:
		return true;
	default:
		return false;
	}
}

/* An alternative for each value of a range. */
static int add_range(struct axis *axis, const struct scenario_option *option,
	const struct document *d, const node *n, struct error *err)
{
	char **values, why[128];
	int nr = range_expand(node_text(n), option->unit, &values, why, sizeof(why));

	if (nr < 0)
		return node_error(d, n, err, "%s: %s", option->path, why);
	for (int i = 0; i < nr; i++) {
		struct alternative *alternative = new_alternative(axis);

		add_setting(alternative, option, d, n);
		alternative->settings[0].value = values[i];
	}
	free(values);
	return 0;
}

/* A scalar that stands for one value, or for those of a range. */
static int add_scalar(struct axis *axis, const struct scenario_option *option,
	const struct document *d, const node *n, struct error *err)
{
	if (has_ranges(option) && range_is(node_text(n)))
		return add_range(axis, option, d, n, err);
	add_setting(new_alternative(axis), option, d, n);
	return 0;
}

static int check_length(
	const struct document *d, const node *list, const char *path, struct error *err)
{
	if (node_count(list) == 0)
		return node_error(d, list, err, "%s: the list is empty: nothing to run", path);
	if (node_count(list) > AXES_MAX_POINTS)
		return node_error(d, list, err, "%s: more than %d values", path, AXES_MAX_POINTS);
	return 0;
}

/* A value that stands twice in a list would run the same points twice. */
static int check_listed_once(
	const struct document *d, const node *list, size_t i, const char *path, struct error *err)
{
	const node *n = node_item(d, list, i);

	for (size_t j = 0; node_text(n) && j < i; j++) {
		const char *other = node_text(node_item(d, list, j));

		if (other && strcmp(other, node_text(n)) == 0)
			return node_error(d, n, err, "%s: %.64s is listed twice", path, other);
	}
	return 0;
}

/* The value of an alternative, for sorting: by its text, and the same texts as they are listed. */
struct listed {
	const struct setting *setting;
	size_t at;
};

static int by_text(const void *a, const void *b)
{
	const struct listed *x = a, *y = b;
	int order = strcmp(setting_text(x->setting), setting_text(y->setting));

	return order ? order : (x->at > y->at) - (x->at < y->at);
}

/* The first value of a range that is listed twice; NULL when none is. */
static const struct setting *find_listed_twice(const struct axis *axis)
{
	size_t nr = axis->nr_alternatives;
	struct listed *list = must_calloc(nr, sizeof(*list)), first = {NULL, nr};

	for (size_t i = 0; i < nr; i++)
		list[i] = (struct listed){axis->alternatives[i].settings, i};
	qsort(list, nr, sizeof(*list), by_text);
	for (size_t i = 1; i < nr; i++) {
		const struct listed *here = &list[i], *before = here - 1;
		const struct listed *ranged = before->setting->value ? before : here;

		if (strcmp(setting_text(before->setting), setting_text(here->setting)) == 0 &&
			ranged->setting->value && ranged->at < first.at)
			first = *ranged;
	}
	free(list);
	return first.setting;
}

/* Nor may ranges of one list have a value in common, or one that stands beside them. */
static int check_ranges_apart(const struct axis *axis, struct error *err)
{
	const struct setting *s = find_listed_twice(axis);

	return s ? node_error(s->document, s->node, err, "%s: %.64s is listed twice",
			   s->option->path, s->value)
		 : 0;
}

/* "patches": a list of names is one set, a list of lists is a set per point. */
static int read_patches(struct axis *axis, const struct scenario_option *option,
	const struct document *d, const node *n, struct error *err)
{
	size_t lists = 0;

	if (n->type != YAML_SEQUENCE_NODE)
		return node_error(d, n, err,
			"patches: expected a list such as [pick-outside-lock], or a list of lists");
	if (node_count(n) > AXES_MAX_POINTS)
		return node_error(d, n, err, "patches: more than %d values", AXES_MAX_POINTS);
	for (size_t i = 0; i < node_count(n); i++)
		lists += node_item(d, n, i)->type == YAML_SEQUENCE_NODE;
	if (lists == 0) {
		add_setting(new_alternative(axis), option, d, n);
		return 0;
	}
	for (size_t i = 0; i < node_count(n); i++) {
		const node *item = node_item(d, n, i);

		if (item->type != YAML_SEQUENCE_NODE)
			return node_error(d, item, err,
				"patches: names and lists mixed: write every set as a list");
		add_setting(new_alternative(axis), option, d, item);
	}
	return 0;
}

/* A scalar, or a list of them: a point for each. */
static int read_values(struct axis *axis, const struct scenario_option *option,
	const struct document *d, const node *n, struct error *err)
{
	if (option->type == OPTION_PATCHES)
		return read_patches(axis, option, d, n, err);
	if (n->type == YAML_SCALAR_NODE)
		return add_scalar(axis, option, d, n, err);
	if (n->type == YAML_MAPPING_NODE)
		return node_error(d, n, err, "%s: expected a value, not a mapping", option->path);
	if (option->type == OPTION_TITLE)
		return node_error(d, n, err, "%s: expected a text, not a list", option->path);
	if (check_length(d, n, option->path, err) < 0)
		return -1;
	for (size_t i = 0; i < node_count(n); i++) {
		const node *item = node_item(d, n, i);

		if (item->type != YAML_SCALAR_NODE)
			return node_error(d, item, err, "%s: expected a value, not a %s",
				option->path,
				item->type == YAML_SEQUENCE_NODE ? "list" : "mapping");
		if ((!axis->twice && check_listed_once(d, n, i, option->path, err) < 0) ||
			add_scalar(axis, option, d, item, err) < 0)
			return -1;
	}
	return axis->twice ? 0 : check_ranges_apart(axis, err);
}

/* The option that @key names below @group ("" for none); "name" of a workload is the workload. */
static const struct scenario_option *find_below(
	const char *group, const struct document *d, const node *key, struct error *err)
{
	const char *name = node_text(key);
	const struct scenario_option *option;
	char *path;

	if (strcmp(group, "workload") == 0 && strcmp(name, "name") == 0)
		return option_find("workload");
	path = must_format("%s.%s", group, name);
	option = option_find(path);
	free(path);
	if (option)
		return option;
	node_error(d, key, err, "unknown key '%.64s' in %s%s", name, group,
		option_suggest(group, name).text);
	return NULL;
}

/* A mapping in a list: its settings go together in one alternative. */
static int read_together(struct axis *axis, const char *group, const struct document *d,
	const node *mapping, struct error *err)
{
	struct alternative *alternative = new_alternative(axis);

	for (size_t i = 0; i < node_count(mapping); i++) {
		const node *key = node_key(d, mapping, i), *value = node_value(d, mapping, i);
		const struct scenario_option *option = find_below(group, d, key, err);

		if (!option)
			return -1;
		if (value->type != YAML_SCALAR_NODE)
			return node_error(d, value, err,
				"%s: expected a value: a list in a list has no meaning here",
				option->path);
		add_setting(alternative, option, d, value);
	}
	return 0;
}

/* A list for a group: a point for each mapping, or for each name of a workload. */
static int read_group_list(struct axes *axes, const char *group, const struct document *d,
	const node *list, struct error *err)
{
	const struct scenario_option *option = option_find(group);
	struct axis *axis = new_axis(axes);

	if (check_length(d, list, group, err) < 0)
		return -1;
	for (size_t i = 0; i < node_count(list); i++) {
		const node *item = node_item(d, list, i);

		if (item->type == YAML_SCALAR_NODE && option) {
			if (!axis->twice && check_listed_once(d, list, i, group, err) < 0)
				return -1;
			add_setting(new_alternative(axis), option, d, item);
		} else if (item->type != YAML_MAPPING_NODE) {
			return node_error(
				d, item, err, "%s: expected a mapping of keys to values", group);
		} else if (read_together(axis, group, d, item, err) < 0) {
			return -1;
		}
	}
	return 0;
}

static int read_group(struct axes *axes, const char *group, const struct document *d, const node *n,
	struct error *err)
{
	const struct scenario_option *option = option_find(group);

	if (n->type == YAML_SCALAR_NODE && option)
		return read_values(new_axis(axes), option, d, n, err);
	if (n->type == YAML_SCALAR_NODE)
		return node_error(d, n, err, "%s: expected a mapping of keys to values", group);
	if (n->type == YAML_SEQUENCE_NODE)
		return read_group_list(axes, group, d, n, err);
	for (size_t i = 0; i < node_count(n); i++) {
		option = find_below(group, d, node_key(d, n, i), err);
		if (!option || read_values(new_axis(axes), option, d, node_value(d, n, i), err) < 0)
			return -1;
	}
	return 0;
}

/* Returns 1 when there is nothing called @path. */
static int read_path(struct axes *axes, const char *path, const struct document *d, const node *n,
	struct error *err)
{
	const struct scenario_option *option = option_find(path);

	if (*path && option_is_group(path))
		return read_group(axes, path, d, n, err);
	if (option)
		return read_values(new_axis(axes), option, d, n, err);
	return 1;
}

/*
 * Files and arguments
 */

/* "pcp: {batch: 31}" and "pcp.batch: 63" in one file contradict each other. */
static int check_axis(const struct axis *axis, const struct axis **owners,
	const struct scenario_option *all, struct error *err)
{
	for (size_t i = 0; i < axis->nr_alternatives; i++) {
		for (size_t j = 0; j < axis->alternatives[i].nr_settings; j++) {
			const struct setting *s = &axis->alternatives[i].settings[j];
			const struct axis **owner = &owners[s->option - all];

			if (*owner && *owner != axis)
				return node_error(s->document, s->node, err, "%s is given twice",
					s->option->path);
			*owner = axis;
		}
	}
	return 0;
}

static int check_set_once(const struct axes *axes, struct error *err)
{
	size_t count;
	const struct scenario_option *all = options(&count);
	const struct axis **owners = must_calloc(count, sizeof(*owners));
	int status = 0;

	for (size_t i = 0; status == 0 && i < axes->nr_axes; i++)
		status = check_axis(&axes->axes[i], owners, all, err);
	free(owners);
	return status;
}

int axes_add_file(struct axes *axes, const struct document *d, struct error *err)
{
	const node *root = document_root(d);

	if (root->type != YAML_MAPPING_NODE)
		return node_error(
			d, root, err, "expected a scenario: lines such as 'machine: skylake-2s'");
	for (size_t i = 0; i < node_count(root); i++) {
		const node *key = node_key(d, root, i);
		const char *name = node_text(key);
		int status = read_path(axes, name, d, node_value(d, root, i), err);

		if (status < 0)
			return -1;
		if (status == 0)
			continue;
		return node_error(
			d, key, err, "unknown key '%.64s'%s", name, option_suggest("", name).text);
	}
	return check_set_once(axes, err);
}

static bool is_at_or_below(const char *path, const char *group)
{
	size_t length = strlen(group);

	return strncmp(path, group, length) == 0 && (path[length] == '\0' || path[length] == '.');
}

/* Forget what @alternative says about @path. */
static void strip_alternative(struct alternative *alternative, const char *path)
{
	size_t kept = 0;

	for (size_t i = 0; i < alternative->nr_settings; i++) {
		if (!is_at_or_below(alternative->settings[i].option->path, path))
			alternative->settings[kept++] = alternative->settings[i];
		else
			free(alternative->settings[i].value);
	}
	alternative->nr_settings = kept;
}

/* Forget what was said about @path; an axis that has nothing left to say goes. */
static void strip(struct axes *axes, const char *path)
{
	size_t kept = 0;

	for (size_t i = 0; i < axes->nr_axes; i++) {
		struct axis *axis = &axes->axes[i];
		bool empty = true;

		for (size_t j = 0; j < axis->nr_alternatives; j++) {
			strip_alternative(&axis->alternatives[j], path);
			empty = empty && axis->alternatives[j].nr_settings == 0;
		}
		if (empty)
			axis_free(axis);
		else
			axes->axes[kept++] = *axis;
	}
	axes->nr_axes = kept;
}

static bool sets(const struct axis *axis, const char *path)
{
	for (size_t i = 0; i < axis->nr_alternatives; i++) {
		for (size_t j = 0; j < axis->alternatives[i].nr_settings; j++) {
			if (strcmp(axis->alternatives[i].settings[j].option->path, path) == 0)
				return true;
		}
	}
	return false;
}

/* Is there an axis of pairs of batch and high? */
static bool has_pairs(const struct axes *axes)
{
	for (size_t i = 0; i < axes->nr_axes; i++) {
		if (sets(&axes->axes[i], "pcp.batch") && sets(&axes->axes[i], "pcp.high"))
			return true;
	}
	return false;
}

int axes_set(struct axes *axes, const char *path, const struct document *d, struct error *err)
{
	if (strcmp(path, "pcp.batch") == 0 && has_pairs(axes))
		strip(axes, "pcp.high");
	strip(axes, path);
	return read_path(axes, path, d, document_root(d), err);
}

int axes_sweep(struct axes *axes, const char *path, const struct document *d, struct error *err)
{
	int status = axes_set(axes, path, d, err);

	for (size_t i = 0; status == 0 && i < axes->nr_axes; i++) {
		const struct alternative *a = axes->axes[i].alternatives;

		if (a->nr_settings && is_at_or_below(a->settings[0].option->path, path))
			axes->axes[i].swept = true;
	}
	return status;
}

/* Move the settings of @from to those of @to, one alternative to the other. */
static void join_alternatives(struct axis *to, struct axis *from)
{
	for (size_t i = 0; i < to->nr_alternatives; i++) {
		struct alternative *a = &to->alternatives[i], *b = &from->alternatives[i];

		a->settings = must_realloc(
			a->settings, a->nr_settings + b->nr_settings, sizeof(struct setting));
		for (size_t j = 0; j < b->nr_settings; j++)
			a->settings[a->nr_settings++] = b->settings[j];
		b->nr_settings = 0;
	}
	axis_free(from);
}

static struct axis *first_swept(const struct axes *axes)
{
	for (size_t i = 0; i < axes->nr_axes; i++) {
		if (axes->axes[i].swept)
			return &axes->axes[i];
	}
	return NULL;
}

static int check_zip(const struct axes *axes, const struct axis *first, struct error *err)
{
	for (const struct axis *axis = axes->axes; axis < axes->axes + axes->nr_axes; axis++) {
		if (axis->swept && axis->nr_alternatives != first->nr_alternatives)
			return error_set(err,
				"--zip: %s has %zu values and %s has %zu: give as many of both",
				first->alternatives->settings->option->path, first->nr_alternatives,
				axis->alternatives->settings->option->path, axis->nr_alternatives);
	}
	return 0;
}

int axes_zip(struct axes *axes, struct error *err)
{
	struct axis *first = first_swept(axes);
	size_t kept = 0;

	if (!first)
		return 0;
	if (check_zip(axes, first, err) < 0)
		return -1;
	for (size_t i = 0; i < axes->nr_axes; i++) {
		struct axis *axis = &axes->axes[i];

		if (axis->swept && axis != first)
			join_alternatives(first, axis);
		else
			axes->axes[kept++] = *axis;
	}
	axes->nr_axes = kept;
	return 0;
}

/* The first option of an axis in the order of the table. */
static const struct scenario_option *first_option(const struct axis *axis)
{
	const struct scenario_option *first = NULL;

	for (size_t i = 0; i < axis->nr_alternatives; i++) {
		for (size_t j = 0; j < axis->alternatives[i].nr_settings; j++) {
			const struct scenario_option *option =
				axis->alternatives[i].settings[j].option;

			if (!first || option < first)
				first = option;
		}
	}
	return first;
}

static int by_first_option(const void *a, const void *b)
{
	const struct scenario_option *x = first_option(a), *y = first_option(b);

	return (x > y) - (x < y);
}

void axes_sort(struct axes *axes)
{
	if (axes->nr_axes)
		qsort(axes->axes, axes->nr_axes, sizeof(struct axis), by_first_option);
}
