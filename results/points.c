/* SPDX-License-Identifier: GPL-3.0-or-later */
/* points.c - reading a document: its points, their settings, and which settings vary. */
#include "points.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "../models/error.h"
#include "must.h"

/*
 * The document
 */

/* What every point must have, with its JSON type. */
static const struct {
	const char *key;
	json_type type;
} wanted[] = {
	{"fingerprint", JSON_STRING},
	{"status", JSON_STRING},
	{"config", JSON_OBJECT},
	{"metrics", JSON_OBJECT},
};

static int check_point(const json_t *point, size_t i, struct error *err)
{
	for (size_t k = 0; k < sizeof(wanted) / sizeof(*wanted); k++) {
		const json_t *value = json_object_get(point, wanted[k].key);

		if (!value || json_typeof(value) != wanted[k].type)
			return error_set(err, "not a zonesim document: point %zu has no \"%s\"",
				i + 1, wanted[k].key);
	}
	return 0;
}

int document_check(const json_t *document, struct error *err)
{
	const json_t *points = json_object_get(document, "points");

	if (!json_is_string(json_object_get(document, "zonesim")) ||
		!json_is_string(json_object_get(document, "scenario")) || !json_is_array(points))
		return error_set(err, "not a zonesim document: \"zonesim\", \"scenario\" or "
				      "\"points\" is missing");
	if (json_array_size(points) == 0)
		return error_set(err, "the document has no points: nothing was run");
	for (size_t i = 0; i < json_array_size(points); i++)
		if (check_point(json_array_get(points, i), i, err) != 0)
			return -1;
	return 0;
}

/* The string @key of @object, or "". */
static const char *text_of(const json_t *object, const char *key)
{
	const char *text = json_string_value(json_object_get(object, key));

	return text ? text : "";
}

const char *document_scenario(const json_t *document)
{
	return text_of(document, "scenario");
}

const char *document_version(const json_t *document)
{
	return text_of(document, "zonesim");
}

size_t document_size(const json_t *document)
{
	return json_array_size(json_object_get(document, "points"));
}

const json_t *document_point(const json_t *document, size_t i)
{
	return json_array_get(json_object_get(document, "points"), i);
}

json_t *document_part(const json_t *document, size_t first, size_t nr)
{
	json_t *points = json_array(), *part = json_copy((json_t *)document);

	for (size_t i = 0; i < nr && points; i++)
		json_array_append(points, (json_t *)document_point(document, first + i));
	if (!part || !points || json_object_set_new(part, "points", points) < 0) {
		json_decref(part);
		return NULL;
	}
	return part;
}

const char *point_status(const json_t *point)
{
	return text_of(point, "status");
}

const char *point_failure(const json_t *point)
{
	return text_of(point, "failure");
}

const char *point_fingerprint(const json_t *point)
{
	return text_of(point, "fingerprint");
}

static double number_of(const json_t *object, const char *key)
{
	const json_t *number = json_object_get(object, key);

	return json_is_number(number) ? json_number_value(number) : NAN;
}

struct estimate point_metric(const json_t *point, const char *name)
{
	const json_t *metric = json_object_get(json_object_get(point, "metrics"), name);

	if (strcmp(point_status(point), "failed") == 0)
		return estimate_none();
	return (struct estimate){
		.mean = number_of(metric, "mean"),
		.ci95 = number_of(metric, "ci95"),
	};
}

const char *metric_text(const json_t *document, const char *metric, const char *key)
{
	for (size_t i = 0; i < document_size(document); i++) {
		const json_t *metrics = json_object_get(document_point(document, i), "metrics");
		const json_t *found = json_object_get(metrics, metric);

		if (found)
			return text_of(found, key);
	}
	return "";
}

/*
 * Settings
 */

/* The items of an array in print. */
static char *list_in_print(const json_t *list)
{
	char *text = must_format("%s", json_array_size(list) ? "" : EMPTY_LIST);

	for (size_t i = 0; i < json_array_size(list); i++) {
		const char *item = json_string_value(json_array_get(list, i));
		char *longer = must_format("%s%s%s", text, i ? ", " : "", item ? item : "?");

		free(text);
		text = longer;
	}
	return text;
}

static char *value_in_print(const json_t *value)
{
	char *text, *copy;

	if (json_is_string(value))
		return must_format("%s", json_string_value(value));
	if (json_is_integer(value))
		return must_format("%lld", (long long)json_integer_value(value));
	if (json_is_real(value))
		return must_format("%.15g", json_real_value(value));
	if (json_is_array(value))
		return list_in_print(value);
	text = json_dumps(value, JSON_ENCODE_ANY | JSON_COMPACT);
	copy = must_format("%s", text ? text : "?");
	free(text);
	return copy;
}

/* The setting @path, added when it is new. The table of values is not grown. */
static size_t setting_index(struct settings *settings, const char *path)
{
	int found = settings_find(settings, path);

	if (found >= 0)
		return (size_t)found;
	settings->list = must_realloc(settings->list, settings->nr + 1, sizeof(*settings->list));
	settings->list[settings->nr] = (struct setting){.path = must_format("%s", path)};
	return settings->nr++;
}

/* What is done with each setting of a point: collected first, then filled in. */
typedef void visitor(
	struct settings *settings, size_t point, const char *path, const json_t *value);

static void collect(struct settings *settings, size_t point, const char *path, const json_t *value)
{
	(void)point;
	(void)value;
	(void)setting_index(settings, path);
}

static void fill_in(struct settings *settings, size_t point, const char *path, const json_t *value)
{
	size_t i = setting_index(settings, path);
	char **place = &settings->values[point * settings->nr + i];

	free(*place);
	*place = value_in_print(value);
	if (!json_is_number(value))
		settings->list[i].numeric = false;
}

/* Visit the settings in @object; an object inside it is a group of settings with its name before.
 */
static void walk(struct settings *settings, size_t point, const char *prefix, const json_t *object,
	visitor *visit)
{
	/* The iteration macros of jansson want it writable; nothing is changed. */
	json_t *group = (json_t *)object;
	const char *key;
	json_t *value;

	json_object_foreach(group, key, value)
	{
		bool is_name = *prefix && strcmp(key, "name") == 0;
		char *path = must_format(
			"%s%s%s", prefix, *prefix && !is_name ? "." : "", is_name ? "" : key);

		if (json_is_object(value))
			walk(settings, point, path, value, visit);
		else if (strcmp(path, "effective_patches") != 0)
			visit(settings, point, path, value);
		free(path);
	}
}

static bool varies(const struct settings *settings, size_t setting)
{
	for (size_t i = 1; i < settings->nr_points; i++)
		if (strcmp(settings_value(settings, 0, setting),
			    settings_value(settings, i, setting)) != 0)
			return true;
	return false;
}

void settings_read(struct settings *settings, const json_t *document)
{
	size_t nr_points = document_size(document);

	*settings = (struct settings){.nr_points = nr_points};
	for (size_t i = 0; i < nr_points; i++)
		walk(settings, i, "", json_object_get(document_point(document, i), "config"),
			collect);
	for (size_t i = 0; i < settings->nr; i++)
		settings->list[i].numeric = true;
	settings->values = must_calloc(nr_points * settings->nr, sizeof(*settings->values));
	for (size_t i = 0; i < nr_points; i++)
		walk(settings, i, "", json_object_get(document_point(document, i), "config"),
			fill_in);
	for (size_t i = 0; i < settings->nr; i++)
		settings->list[i].varies = varies(settings, i);
}

void settings_free(struct settings *settings)
{
	for (size_t i = 0; i < settings->nr_points * settings->nr; i++)
		free(settings->values[i]);
	for (size_t i = 0; i < settings->nr; i++)
		free(settings->list[i].path);
	free(settings->values);
	free(settings->list);
	*settings = (struct settings){0};
}

int settings_find(const struct settings *settings, const char *path)
{
	for (size_t i = 0; i < settings->nr; i++)
		if (strcmp(settings->list[i].path, path) == 0)
			return (int)i;
	return -1;
}

const char *settings_value(const struct settings *settings, size_t point, size_t setting)
{
	const char *value = settings->values[point * settings->nr + setting];

	return value ? value : "-";
}

const char *setting_heading(const struct setting *setting)
{
	const char *dot = strrchr(setting->path, '.');

	return dot ? dot + 1 : setting->path;
}

/* Settings whose value needs no name beside it. */
static bool speaks_for_itself(const char *path)
{
	return strcmp(path, "machine") == 0 || strcmp(path, "kernel") == 0 ||
	       strcmp(path, "workload") == 0;
}

/* A number that can only be an amount of memory reads better in MiB. */
static char *readable(const struct setting *setting, const char *value)
{
	const unsigned long long mib = 1 << 20;
	char *end;
	unsigned long long number = strtoull(value, &end, 10);

	if (setting->numeric && !*end && number >= mib && number % mib == 0)
		return must_format("%lluMiB", number / mib);
	return must_format("%s", value);
}

char *settings_common(const struct settings *settings)
{
	char *text = must_format("%s", "");

	for (size_t i = 0; i < settings->nr; i++) {
		const struct setting *setting = &settings->list[i];
		bool named = !speaks_for_itself(setting->path);
		char *value, *longer;

		if (setting->varies)
			continue;
		value = readable(setting, settings_value(settings, 0, i));
		longer = must_format("%s%s%s%s%s", text, *text ? ", " : "",
			named ? setting_heading(setting) : "", named ? " " : "", value);
		free(value);
		free(text);
		text = longer;
	}
	return text;
}
