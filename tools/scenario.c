// SPDX-License-Identifier: GPL-3.0-or-later
/*
 * scenario.c - from a scenario file and --set arguments to points.
 */
#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "../models/document.h"
#include "../models/error.h"
#include "../models/paths.h"
#include "../results/must.h"
#include "../results/suggest.h"
#include "axis.h"
#include "range.h"
#include "resolve.h"
#include "scenario.h"

#define STANDARD_INPUT "stdin" /* its name in messages, and in a store */

/* What is read before the points are made. */
struct reading {
	struct document file;
	struct document *sets; /* of --set, then of --over */
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

	if (count < 0)
		return -1;
	names = must_realloc(names, (size_t)count + 1, sizeof(*names));
	names[count] = NULL;
	error_set(err, "no scenario '%.128s'%s", name,
		suggest(name, (const char *const *)names,
			"neither a file nor one of `zonesim list scenarios`")
			.text);
	names_free(names, count);
	return -1;
}

/*
 * Standard input, which can be read only once: whoever asks again gets the same. Returns NULL with
 * @err filled.
 */
static const char *standard_input(struct error *err)
{
	static char *text;
	size_t size = 0;

	if (text)
		return text;
	text = must_calloc(DOCUMENT_MAX_SIZE + 2, 1);
	size = fread(text, 1, DOCUMENT_MAX_SIZE + 1, stdin);
	if (ferror(stdin))
		error_set(err, "can not read standard input: %s", strerror(errno));
	else if (size > DOCUMENT_MAX_SIZE)
		error_set(err, "standard input is larger than 1 MiB: not a scenario");
	else if (strlen(text) != size)
		error_set(err, "standard input has a NUL byte: this is not text");
	else
		return text;
	free(text);
	text = NULL;
	return NULL;
}

/* A file in the way of a name wins, as it does for the commands of a shell. */
static int load_file(struct document *d, const char *name, struct error *err)
{
	const char *text;
	char *path;
	int status;

	if (strcmp(name, "-") == 0) {
		text = standard_input(err);
		return text ? document_parse(d, STANDARD_INPUT, text, 0, err) : -1;
	}
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

static int unknown_path(const char *option, const char *set, const char *path, struct error *err)
{
	return error_set_at(err, option, 1, 1, set, "unknown option '%.64s'%s", path,
		option_suggest("", path).text);
}

/* What axes_set and axes_sweep have in common. */
typedef int setter(
	struct axes *axes, const char *path, const struct document *d, struct error *err);

/* One argument of @option, path=value, where value is YAML. */
static int apply(struct reading *r, const char *option, setter *set_axis, const char *set,
	const char *path, struct error *err)
{
	struct document *d = &r->sets[r->nr_sets];
	int status;

	if (document_parse(d, option, set, strlen(path) + 1, err) < 0)
		return -1;
	r->nr_sets++;
	status = set_axis(&r->axes, path, d, err);
	return status > 0 ? unknown_path(option, set, path, err) : status;
}

/* Split "path=value". Returns the path, which the caller frees, or NULL with @err filled. */
static char *split(const char *option, const char *set, const char *example, struct error *err)
{
	const char *equals = strchr(set, '=');

	if (!equals)
		error_set(err, "%s %.128s: expected path=value, as in %s", option, set, example);
	else if (equals[1] == '\0')
		error_set(err, "%s %.128s: a value is missing after the '='", option, set);
	else
		return must_format("%.*s", (int)(equals - set), set);
	return NULL;
}

static int read_set(struct reading *r, const char *set, struct error *err)
{
	char *path = split("--set", set, "pcp.batch=63", err);
	int status = path ? apply(r, "--set", axes_set, set, path, err) : -1;

	free(path);
	return status;
}

static int read_over(struct reading *r, const char *over, struct error *err)
{
	char *path = split("--over", over, "pcp.batch=31,63", err), *list, *yaml;
	int status;

	if (!path)
		return -1;
	list = range_list(strchr(over, '=') + 1, strcmp(path, "patches") == 0);
	yaml = must_format("%s=%s", path, list);
	status = apply(r, "--over", axes_sweep, yaml, path, err);
	free(yaml);
	free(list);
	free(path);
	return status;
}

static int read_arguments(struct reading *r, const struct scenario_arguments *a, struct error *err)
{
	r->sets = must_calloc(a->sets.nr + a->overs.nr, sizeof(*r->sets));
	for (size_t i = 0; i < a->sets.nr; i++) {
		if (read_set(r, a->sets.list[i], err) < 0)
			return -1;
	}
	r->axes.twice = a->zip;
	for (size_t i = 0; i < a->overs.nr; i++) {
		if (read_over(r, a->overs.list[i], err) < 0)
			return -1;
	}
	return a->zip ? axes_zip(&r->axes, err) : 0;
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

/* Add "# --set pcp.batch=63" to the definition. */
static void add_to_definition(struct scenario *s, const char *option, const char *text)
{
	char *longer = must_format("%s# %s %s\n", s->definition, option, text);

	free(s->definition);
	s->definition = longer;
}

/* Without a title, the file's name; and what the store keeps of it. */
static void name_scenario(struct scenario *s, const char *file, const struct document *d,
	const struct scenario_arguments *a)
{
	const char *slash = strrchr(file, '/'), *base = slash ? slash + 1 : file;
	size_t length = strlen(base);

	if (!s->name)
		s->name = must_format("%s", base);
	if (length > 5 && strcmp(base + length - 5, ".yaml") == 0)
		length -= 5;
	s->short_name = must_format("%.*s", (int)length, base);
	s->definition =
		must_format("%s%s", d->text, d->size && d->text[d->size - 1] != '\n' ? "\n" : "");
	for (size_t i = 0; i < a->sets.nr; i++)
		add_to_definition(s, "--set", a->sets.list[i]);
	for (size_t i = 0; i < a->overs.nr; i++)
		add_to_definition(s, "--over", a->overs.list[i]);
	if (a->zip)
		add_to_definition(s, "--zip", "");
}

int scenario_load(
	struct scenario *s, const char *name, const struct scenario_arguments *a, struct error *err)
{
	static const struct scenario_arguments none;
	struct reading r = {0};
	int status;

	a = a ? a : &none;
	memset(s, 0, sizeof(*s));
	if (load_file(&r.file, name, err) < 0)
		return -1;
	status = axes_add_file(&r.axes, &r.file, err);
	if (status == 0)
		status = read_arguments(&r, a, err);
	if (status == 0) {
		axes_sort(&r.axes);
		status = make_points(s, &r, err);
	}
	if (status == 0)
		name_scenario(s, r.file.file, &r.file, a);
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
	free(s->short_name);
	free(s->definition);
	memset(s, 0, sizeof(*s));
}
