/* SPDX-License-Identifier: GPL-3.0-or-later */
/* curves.c - rows as curves. */
#include "curves.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include <jansson.h>

#include "../models/error.h"
#include "must.h"

#define MAX_CURVES 12

/* What is sorted by what. */
struct sorting {
	struct rows *rows;
	const char *x, *y;
	bool apart[ROW_MAX_SETTINGS]; /* settings that make curves */
};

static bool is(const struct rows *rows, size_t i, const char *key)
{
	return rows_setting(rows, key) == (int)i;
}

/*
 * The axis
 */

static bool can_be_axis(const struct rows *rows, size_t i)
{
	return !selection_keys[i].text && !is(rows, i, "measure.seed") && rows_varies(rows, i);
}

/* Does it differ between points of one machine? Tasks may, only because machines have more CPUs. */
static bool varies_on_a_machine(const struct rows *rows, size_t i)
{
	size_t machine = (size_t)rows_setting(rows, "machine");

	for (size_t k = 1; k < rows->nr; k++)
		if (rows_same(&rows->list[k - 1], &rows->list[k], machine) &&
			!rows_same(&rows->list[k - 1], &rows->list[k], i))
			return true;
	return false;
}

static const char *find_axis(const struct rows *rows, struct error *err)
{
	static const char *const preferred[] = {"tasks", "pcp.batch"};
	const size_t nr = sizeof(preferred) / sizeof(*preferred);

	for (size_t i = 0; i < 2 * nr; i++) {
		size_t key = (size_t)rows_setting(rows, preferred[i % nr]);

		if (can_be_axis(rows, key) && (i >= nr || varies_on_a_machine(rows, key)))
			return preferred[i % nr];
	}
	for (size_t i = 0; i < rows->nr_settings; i++)
		if (can_be_axis(rows, i))
			return rows->keys[i];
	error_set(err, "nothing to plot against: no number differs between the points; sweep one, "
		       "or give --x");
	return NULL;
}

static int check_axis(const struct rows *rows, const char *key, struct error *err)
{
	for (size_t i = 0; i < rows->nr; i++)
		if (!isnan(rows_number(rows, &rows->list[i], key)))
			return 0;
	return error_set(err, "nothing to plot: no point has a number '%.64s'%s", key,
		selection_suggest(key).text);
}

/*
 * Sorting
 */

static int compare_numbers(double a, double b)
{
	return (a > b) - (a < b);
}

static int compare_setting(const struct row *a, const struct row *b, size_t i)
{
	return a->text[i] && b->text[i] ? strcmp(a->text[i], b->text[i])
					: compare_numbers(a->number[i], b->number[i]);
}

/* By what makes curves. */
static int compare_curves(const struct sorting *s, const struct row *a, const struct row *b)
{
	for (size_t i = 0; i < s->rows->nr_settings; i++) {
		int order = s->apart[i] ? compare_setting(a, b, i) : 0;

		if (order)
			return order;
	}
	return 0;
}

static int compare_places(const struct sorting *s, const struct row *a, const struct row *b)
{
	int order = compare_numbers(rows_number(s->rows, a, s->x), rows_number(s->rows, b, s->x));

	if (order || !s->y)
		return order;
	return compare_numbers(rows_number(s->rows, a, s->y), rows_number(s->rows, b, s->y));
}

static int compare_rows(const void *a, const void *b, void *sorting)
{
	int order = compare_curves(sorting, a, b);

	return order ? order : compare_places(sorting, a, b);
}

static void sort(struct sorting *s)
{
	qsort_r(s->rows->list, s->rows->nr, sizeof(*s->rows->list), compare_rows, s);
}

/* With rows sorted by all texts and the axis: has number @i one value at each place? */
static bool follows(const struct sorting *s, size_t i)
{
	for (size_t k = 1; k < s->rows->nr; k++) {
		const struct row *a = &s->rows->list[k - 1], *b = &s->rows->list[k];

		if (compare_curves(s, a, b) == 0 && compare_places(s, a, b) == 0 &&
			!rows_same(a, b, i))
			return false;
	}
	return true;
}

/* Parameters differ between curves, unless they are the axis: then the axis tells. */
static bool is_on_axis(const struct sorting *s, size_t i)
{
	bool parameter =
		strncmp(s->x, "workload.", 9) == 0 || (s->y && strncmp(s->y, "workload.", 9) == 0);

	return is(s->rows, i, s->x) || (s->y && is(s->rows, i, s->y)) ||
	       (parameter && is(s->rows, i, "parameters")) || is(s->rows, i, "measure.seed");
}

/* First the texts tell curves apart; then numbers that do not follow from these and the axis. */
static void find_apart(struct sorting *s)
{
	bool number[ROW_MAX_SETTINGS] = {false};

	for (size_t i = 0; i < s->rows->nr_settings; i++)
		if (selection_keys[i].text)
			s->apart[i] = !is_on_axis(s, i) && rows_varies(s->rows, i);
	sort(s);
	for (size_t i = 0; i < s->rows->nr_settings; i++)
		if (!selection_keys[i].text && !is_on_axis(s, i))
			number[i] = !follows(s, i);
	for (size_t i = 0; i < s->rows->nr_settings; i++)
		s->apart[i] = s->apart[i] || number[i];
	sort(s);
}

/*
 * Published figures
 */

/* The words of @text, which is copied; ends with NULL. Free with free_words. */
static const char **words_of(const char *text)
{
	char *copy = must_format("%s", text), *rest = NULL;
	const char **words = must_calloc(strlen(text) / 2 + 3, sizeof(*words));
	size_t nr = 1;

	words[0] = copy;
	for (char *word = strtok_r(copy, " ", &rest); word; word = strtok_r(NULL, " ", &rest))
		words[nr++] = word;
	return words;
}

static void free_words(const char **words)
{
	free((char *)words[0]);
	free(words);
}

static struct published_parameter *parameters_of(const char *json, size_t *nr)
{
	json_t *object = json_loads(json, 0, NULL), *value;
	struct published_parameter *list = must_calloc(json_object_size(object), sizeof(*list));
	const char *name;

	*nr = 0;
	json_object_foreach(object, name, value)
	{
		snprintf(list[*nr].name, sizeof(list[*nr].name), "%s", name);
		list[(*nr)++].value = json_number_value(value);
	}
	json_decref(object);
	return list;
}

/* Name each publication once. */
static void add_source(struct curves *c, const char *source)
{
	char *longer;

	if (c->sources && strstr(c->sources, source))
		return;
	longer =
		must_format("%s%s%s", c->sources ? c->sources : "", c->sources ? "; " : "", source);
	free(c->sources);
	c->sources = longer;
}

static double published_of(
	struct curves *c, const struct rows *rows, const struct row *row, size_t metric)
{
	const char **patches = words_of(row->effective);
	const char **changes = words_of(row->text[rows_setting(rows, "patches")]);
	size_t nr;
	struct published_parameter *parameters =
		parameters_of(row->text[rows_setting(rows, "parameters")], &nr);
	const struct published_key key = {
		.machine = row->text[rows_setting(rows, "machine")],
		.workload = row->text[rows_setting(rows, "workload")],
		.kernel = row->text[rows_setting(rows, "kernel")],
		.metric = rows->metrics[metric],
		.patches = patches + 1,
		.changes = changes + 1,
		.tasks = (unsigned int)rows_number(rows, row, "tasks"),
		.batch = (unsigned int)rows_number(rows, row, "pcp.batch"),
		.high = (unsigned int)rows_number(rows, row, "pcp.high"),
		.parameters = parameters,
		.nr_parameters = nr,
	};
	const struct published_row *found = published_find(&c->published, &key);

	if (found)
		add_source(c, found->source);
	free(parameters);
	free_words(changes);
	free_words(patches);
	return found ? found->value : NAN;
}

/*
 * Curves
 */

/* Take rows @from to @end, which differ in their seeds, together. */
static void fill_point(
	struct curves *c, struct curve_point *p, const struct sorting *s, size_t from, size_t end)
{
	const struct rows *rows = s->rows;
	struct run_set set = {.nr = end - from};

	set.values = must_calloc(set.nr, sizeof(*set.values));
	p->x = rows_number(rows, &rows->list[from], s->x);
	p->y = s->y ? rows_number(rows, &rows->list[from], s->y) : NAN;
	p->nr_seeds = set.nr;
	p->means = must_calloc(rows->nr_metrics, sizeof(*p->means));
	p->published = must_calloc(rows->nr_metrics, sizeof(*p->published));
	for (size_t m = 0; m < rows->nr_metrics; m++) {
		for (size_t i = from; i < end; i++)
			set.values[i - from] = rows_measured(&rows->list[i], (int)m);
		p->means[m] = run_set_mean(&set);
		p->published[m] = published_of(c, rows, &rows->list[from], m);
	}
	if (set.nr > c->most_seeds)
		c->most_seeds = set.nr;
	free(set.values);
}

static void add_point(struct curves *c, const struct sorting *s, size_t from, size_t end)
{
	struct curve *curve;

	if (from == 0 || compare_curves(s, &s->rows->list[from - 1], &s->rows->list[from]) != 0) {
		c->list = must_realloc(c->list, c->nr + 1, sizeof(*c->list));
		c->list[c->nr++] =
			(struct curve){.name = rows_label(s->rows, &s->rows->list[from], s->apart)};
	}
	curve = &c->list[c->nr - 1];
	curve->points = must_realloc(curve->points, curve->nr + 1, sizeof(*curve->points));
	memset(&curve->points[curve->nr], 0, sizeof(*curve->points));
	fill_point(c, &curve->points[curve->nr++], s, from, end);
}

static void fill_curves(struct curves *c, const struct sorting *s)
{
	size_t end;

	for (size_t from = 0; from < s->rows->nr; from = end) {
		const struct row *first = &s->rows->list[from];

		for (end = from + 1; end < s->rows->nr; end++)
			if (compare_curves(s, first, &s->rows->list[end]) != 0 ||
				compare_places(s, first, &s->rows->list[end]) != 0)
				break;
		if (!isnan(rows_number(s->rows, first, s->x)))
			add_point(c, s, from, end);
	}
}

int curves_make(
	struct curves *c, struct rows *rows, const char *x, const char *y, struct error *err)
{
	struct sorting s = {.rows = rows, .x = x, .y = y};

	*c = (struct curves){0};
	if (!s.x)
		s.x = find_axis(rows, err);
	if (!s.x || check_axis(rows, s.x, err) < 0 || (y && check_axis(rows, y, err) < 0) ||
		published_load(&c->published, err) < 0)
		return -1;
	c->x = s.x;
	find_apart(&s);
	fill_curves(c, &s);
	if (c->nr <= MAX_CURVES)
		return 0;
	error_set(err,
		"%zu lines are too many to tell apart: select fewer points; the first two "
		"are '%s' and '%s'",
		c->nr, c->list[0].name, c->list[1].name);
	curves_free(c);
	return -1;
}

void curves_drop_published(struct curves *c)
{
	for (size_t i = 0; i < c->nr; i++)
		for (size_t k = 0; k < c->list[i].nr; k++)
			c->list[i].points[k].published[0] = NAN;
	free(c->sources);
	c->sources = NULL;
}

void curves_free(struct curves *c)
{
	for (size_t i = 0; i < c->nr; i++) {
		for (size_t k = 0; k < c->list[i].nr; k++) {
			free(c->list[i].points[k].means);
			free(c->list[i].points[k].published);
		}
		free(c->list[i].points);
		free(c->list[i].name);
	}
	free(c->list);
	free(c->sources);
	published_free(&c->published);
	*c = (struct curves){0};
}
