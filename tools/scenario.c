// SPDX-License-Identifier: GPL-3.0-or-later
/*
 * scenario.c - from a scenario file and --set arguments to points.
 */
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "../models/document.h"
#include "../models/error.h"
#include "../models/paths.h"
#include "../results/must.h"
#include "axis.h"
#include "resolve.h"
#include "scenario.h"

/* What is read before the points are made. */
struct reading {
	struct document file;
	struct document *sets;
	size_t nr_sets;
	struct axes axes;
};

static void reading_free(struct reading *r)
{
	axes_free(&r->axes);
	for (size_t i = 0; i < r->nr_sets; i++)
		document_free(&r->sets[i]);
	free(r->sets);
	document_free(&r->file);
}

/* No such file: say which scenario may have been meant. */
static int unknown_scenario(const char *name, struct error *err)
{
	char **names;
	int count = data_list("scenarios", ".yaml", &names, err);
	const char *near;

	if (count < 0)
		return -1;
	names = must_realloc(names, (size_t)count + 1, sizeof(*names));
	names[count] = NULL;
	near = nearest_name(name, (const char *const *)names);
	if (near)
		error_set(err, "no scenario '%.128s': did you mean '%s'?", name, near);
	else
		error_set(err,
			"no scenario '%.128s': neither a file nor one of `zonesim list scenarios`",
			name);
	names_free(names, count);
	return -1;
}

/* A file in the way of a name wins, as it does for the commands of a shell. */
static int load_file(struct document *d, const char *name, struct error *err)
{
	char *path;
	int status;

	if (strchr(name, '/') || access(name, F_OK) == 0)
		return document_load(d, name, err);
	path = data_path("scenarios", name, ".yaml");
	if (!path)
		return error_set(err, "out of memory");
	if (*name && access(path, F_OK) == 0)
		status = document_load(d, path, err);
	else
		status = unknown_scenario(name, err);
	free(path);
	return status;
}

static int unknown_path(const char *set, const char *path, struct error *err)
{
	const char *near = option_nearest("", path);

	if (near)
		return error_set_at(err, "--set", 1, 1, set,
			"unknown option '%.64s': did you mean '%s'?", path, near);
	return error_set_at(err, "--set", 1, 1, set,
		"unknown option '%.64s': see `zonesim help scenario`", path);
}

/* One --set argument, path=value. */
static int read_set(struct reading *r, const char *set, struct error *err)
{
	struct document *d = &r->sets[r->nr_sets];
	const char *equals = strchr(set, '=');
	char *path;
	int status;

	if (!equals)
		return error_set(err, "--set %.128s: expected path=value, as in pcp.batch=63", set);
	path = strndup(set, (size_t)(equals - set));
	if (!path)
		return error_set(err, "out of memory");
	if (equals[1] == '\0') {
		status = error_set(err, "--set %.128s: a value is missing after the '='", set);
	} else {
		status = document_parse(d, "--set", set, (size_t)(equals + 1 - set), err);
		if (status == 0) {
			r->nr_sets++;
			status = axes_set(&r->axes, path, d, err);
		}
		if (status > 0)
			status = unknown_path(set, path, err);
	}
	free(path);
	return status;
}

static int read_sets(struct reading *r, char *const *sets, size_t nr_sets, struct error *err)
{
	r->sets = must_calloc(nr_sets, sizeof(*r->sets));
	for (size_t i = 0; i < nr_sets; i++) {
		if (read_set(r, sets[i], err) < 0)
			return -1;
	}
	return 0;
}

/* The number of points the axes ask for, or 0 with @err filled when that is too many. */
static size_t count_points(const struct axes *axes, struct error *err)
{
	size_t count = 1;

	for (size_t i = 0; i < axes->nr_axes; i++) {
		count *= axes->axes[i].nr_alternatives;
		if (count > AXES_MAX_POINTS) {
			error_set(err, "the lists combine to more than %d points", AXES_MAX_POINTS);
			return 0;
		}
	}
	return count;
}

/* The settings of point @index: the last axis varies fastest. */
static void choose(const struct axes *axes, size_t index, const struct setting **chosen,
	const struct scenario_option *all)
{
	for (size_t i = axes->nr_axes; i-- > 0;) {
		const struct axis *axis = &axes->axes[i];
		const struct alternative *alternative =
			&axis->alternatives[index % axis->nr_alternatives];

		index /= axis->nr_alternatives;
		for (size_t j = 0; j < alternative->nr_settings; j++) {
			const struct setting *setting = &alternative->settings[j];

			chosen[setting->option - all] = setting;
		}
	}
}

/* Add the points that were read; when one is not right, those before it are added as well. */
static int make_points(struct scenario *s, const struct reading *r, struct error *err)
{
	struct coefficients costs;
	size_t nr_options, count = count_points(&r->axes, err);
	const struct scenario_option *all = options(&nr_options);
	int status = 0;

	if (count == 0 || coefficients_load(&costs, err) < 0)
		return -1;
	s->points = must_realloc(s->points, s->nr_points + count, sizeof(*s->points));
	memset(&s->points[s->nr_points], 0, count * sizeof(*s->points));
	for (size_t i = 0; status == 0 && i < count; i++) {
		const struct setting **chosen = must_calloc(nr_options, sizeof(*chosen));
		struct scenario_point *point = &s->points[s->nr_points++];

		choose(&r->axes, i, chosen, all);
		point->point.coefficients = costs;
		status = resolve_point(s, point, chosen, &r->file, err);
		if (status == 0)
			fingerprint_of_point(&point->point, point->fingerprint);
		free(chosen);
	}
	return status;
}

/* Without a name, the file's. */
static void name_scenario(struct scenario *s, const char *file)
{
	const char *base = strrchr(file, '/');

	if (!s->name)
		s->name = must_format("%s", base ? base + 1 : file);
}

int scenario_load(
	struct scenario *s, const char *name, char *const *sets, size_t nr_sets, struct error *err)
{
	struct reading r = {0};
	int status;

	memset(s, 0, sizeof(*s));
	if (load_file(&r.file, name, err) < 0)
		return -1;
	status = axes_add_file(&r.axes, &r.file, err);
	if (status == 0)
		status = read_sets(&r, sets, nr_sets, err);
	if (status == 0) {
		axes_sort(&r.axes);
		status = make_points(s, &r, err);
	}
	if (status == 0)
		name_scenario(s, name);
	else
		scenario_free(s);
	reading_free(&r);
	return status;
}

int scenario_add(struct scenario *s, const char *file, const char *text, struct error *err)
{
	struct reading r = {0};
	size_t before = s->nr_points;
	int status;

	if (document_parse(&r.file, file, text, 0, err) < 0)
		return -1;
	status = axes_add_file(&r.axes, &r.file, err);
	if (status == 0) {
		axes_sort(&r.axes);
		status = make_points(s, &r, err);
	}
	while (status < 0 && s->nr_points > before)
		scenario_drop_last(s);
	reading_free(&r);
	return status;
}

void scenario_drop_last(struct scenario *s)
{
	struct scenario_point *point = &s->points[--s->nr_points];

	for (size_t i = 0; i < point->nr_patches; i++)
		free(point->patches[i]);
	free(point->patches);
}

void scenario_free(struct scenario *s)
{
	while (s->nr_points > 0)
		scenario_drop_last(s);
	for (size_t i = 0; i < s->nr_machines; i++) {
		machine_free(s->machines[i]);
		free(s->machines[i]);
		free(s->machine_files[i]);
	}
	free(s->points);
	free(s->machines);
	free(s->machine_files);
	free(s->name);
	memset(s, 0, sizeof(*s));
}
