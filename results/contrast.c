/* SPDX-License-Identifier: GPL-3.0-or-later */
/* contrast.c - two selections of points, matched. */
#include "contrast.h"

#include <stdlib.h>
#include <string.h>

#include "../models/error.h"
#include "must.h"

static bool is_seed(const struct rows *rows, size_t i)
{
	return strcmp(rows->keys[i], "measure.seed") == 0;
}

/*
 * What is compared
 */

/* One row for each value of setting @i. The caller frees the array. */
static const struct row **values_of(const struct rows *rows, size_t i, size_t *nr)
{
	const struct row **values = NULL;

	*nr = 0;
	for (size_t k = 0; k < rows->nr; k++) {
		bool known = false;

		for (size_t v = *nr; v-- > 0 && !known;)
			known = rows_same(values[v], &rows->list[k], i);
		if (known)
			continue;
		values = must_realloc(values, *nr + 1, sizeof(*values));
		values[(*nr)++] = &rows->list[k];
	}
	return values;
}

static bool have_value_in_common(const struct rows *a, const struct rows *b, size_t i)
{
	size_t nr_a, nr_b;
	const struct row **in_a = values_of(a, i, &nr_a), **in_b = values_of(b, i, &nr_b);
	bool found = false;

	for (size_t k = 0; k < nr_a && !found; k++)
		for (size_t v = 0; v < nr_b && !found; v++)
			found = rows_same(in_a[k], in_b[v], i);
	free(in_a);
	free(in_b);
	return found;
}

static void find_compared(struct contrast *c)
{
	for (size_t i = 0; i < c->base->nr_settings; i++)
		c->compared[i] =
			!is_seed(c->base, i) && !have_value_in_common(c->base, c->patched, i);
}

/*
 * Matching
 */

/* The order of two rows by all that is neither compared nor a seed. */
static int order_of(const struct contrast *c, const struct row *a, const struct row *b)
{
	for (size_t i = 0; i < c->base->nr_settings; i++) {
		int order = 0;

		if (c->compared[i] || is_seed(c->base, i))
			continue;
		if (a->text[i] && b->text[i])
			order = strcmp(a->text[i], b->text[i]);
		else
			order = (a->number[i] > b->number[i]) - (a->number[i] < b->number[i]);
		if (order)
			return order;
	}
	return 0;
}

static int by_group(const void *a, const void *b, void *contrast)
{
	const struct contrast *c = contrast;
	const struct row *x = a, *y = b;
	int order = order_of(c, x, y);

	return order ? order : (x->id > y->id) - (x->id < y->id);
}

/* The end of the group that starts at @from. */
static size_t group_end(const struct contrast *c, const struct rows *rows, size_t from)
{
	size_t end = from + 1;

	while (end < rows->nr && order_of(c, &rows->list[from], &rows->list[end]) == 0)
		end++;
	return end;
}

/* Within a group only the seed may differ. */
static int check_group(const struct contrast *c, const struct rows *rows, size_t from, size_t nr,
	const char *side, struct error *err)
{
	for (size_t k = from + 1; k < from + nr; k++) {
		bool same_seed = false;

		for (size_t i = 0; i < rows->nr_settings; i++) {
			if (c->compared[i] && !rows_same(&rows->list[from], &rows->list[k], i))
				return error_set(err,
					"the %s has points that differ in %s, and the other side "
					"has none of its values: say which is meant, as in %s=...",
					side, rows->keys[i], rows->keys[i]);
			if (is_seed(rows, i))
				same_seed = rows_same(&rows->list[k - 1], &rows->list[k], i);
		}
		if (same_seed)
			return error_set(err,
				"the %s has points %.8s and %.8s, alike in all settings: they are "
				"of different models, so say model=...",
				side, rows->list[k - 1].fingerprint, rows->list[k].fingerprint);
	}
	return 0;
}

static void fill_set(struct run_set *set, const struct rows *rows, size_t from, size_t nr)
{
	set->nr = nr;
	set->seeds = must_calloc(nr, sizeof(*set->seeds));
	set->values = must_calloc(nr, sizeof(*set->values));
	for (size_t k = 0; k < nr; k++)
		set->seeds[k] = rows_number(rows, &rows->list[from + k], "measure.seed");
}

/* The metric of the base's number @metric, which may have another number on the other side. */
static void fill_values(
	struct run_set *set, const struct rows *rows, size_t from, const char *metric)
{
	int i = rows_metric(rows, metric);

	for (size_t k = 0; k < set->nr; k++)
		set->values[k] = rows_measured(&rows->list[from + k], i);
}

static void free_set(struct run_set *set)
{
	free(set->seeds);
	free(set->values);
}

static void compare_group(const struct contrast *c, struct contrast_group *g)
{
	struct run_set base, patched;

	fill_set(&base, c->base, g->base, g->nr_base);
	fill_set(&patched, c->patched, g->patched, g->nr_patched);
	g->metrics = must_calloc(c->base->nr_metrics, sizeof(*g->metrics));
	for (size_t i = 0; i < c->base->nr_metrics; i++) {
		fill_values(&base, c->base, g->base, c->base->metrics[i]);
		fill_values(&patched, c->patched, g->patched, c->base->metrics[i]);
		g->metrics[i] = difference_of(&base, &patched);
	}
	free_set(&base);
	free_set(&patched);
}

static int add_group(struct contrast *c, size_t base, size_t nr_base, size_t patched,
	size_t nr_patched, struct error *err)
{
	struct contrast_group *g;

	if (check_group(c, c->base, base, nr_base, "base", err) < 0 ||
		check_group(c, c->patched, patched, nr_patched, "patched side", err) < 0)
		return -1;
	if ((c->nr_groups & (c->nr_groups - 1)) == 0)
		c->groups = must_realloc(
			c->groups, c->nr_groups ? 2 * c->nr_groups : 1, sizeof(*c->groups));
	g = &c->groups[c->nr_groups++];
	*g = (struct contrast_group){base, nr_base, patched, nr_patched, NULL};
	compare_group(c, g);
	return 0;
}

/* Both sides are sorted: go through them side by side. */
static int match(struct contrast *c, struct error *err)
{
	size_t a = 0, b = 0;

	while (a < c->base->nr && b < c->patched->nr) {
		int order = order_of(c, &c->base->list[a], &c->patched->list[b]);
		size_t end_a = group_end(c, c->base, a), end_b = group_end(c, c->patched, b);

		if (order < 0) {
			c->base_alone += end_a - a;
			a = end_a;
		} else if (order > 0) {
			c->patched_alone += end_b - b;
			b = end_b;
		} else if (add_group(c, a, end_a - a, b, end_b - b, err) < 0) {
			return -1;
		} else {
			a = end_a;
			b = end_b;
		}
	}
	c->base_alone += c->base->nr - a;
	c->patched_alone += c->patched->nr - b;
	return 0;
}

/* Failed points have no figures. Those that are left keep their order. */
static size_t drop_failed(struct rows *rows)
{
	size_t kept = 0, before = rows->nr;

	for (size_t i = 0; i < rows->nr; i++) {
		if (strcmp(rows->list[i].status, "failed") == 0)
			free(rows->list[i].metrics);
		else
			rows->list[kept++] = rows->list[i];
	}
	rows->nr = kept;
	return before - kept;
}

static size_t count_imprecise(const struct rows *rows)
{
	size_t nr = 0;

	for (size_t i = 0; i < rows->nr; i++)
		nr += strcmp(rows->list[i].status, "imprecise") == 0;
	return nr;
}

/* Is any point on both sides? */
static bool overlap(const struct rows *a, const struct rows *b)
{
	size_t k = 0;

	/* Both are in the order of the store's numbers here. */
	for (size_t i = 0; i < a->nr; i++) {
		while (k < b->nr && b->list[k].id < a->list[i].id)
			k++;
		if (k < b->nr && b->list[k].id == a->list[i].id)
			return true;
	}
	return false;
}

static int by_id(const void *a, const void *b)
{
	const struct row *x = a, *y = b;

	return (x->id > y->id) - (x->id < y->id);
}

static int check_sides(const struct contrast *c, struct error *err)
{
	qsort(c->base->list, c->base->nr, sizeof(*c->base->list), by_id);
	qsort(c->patched->list, c->patched->nr, sizeof(*c->patched->list), by_id);
	if (c->base->nr == 0 || c->patched->nr == 0)
		return error_set(err, "nothing to compare: all points of the %s failed",
			c->base->nr == 0 ? "base" : "patched side");
	if (overlap(c->base, c->patched))
		return error_set(err, "nothing to compare: the same points are on both sides; "
				      "narrow one of them, as in patches=none");
	return 0;
}

int contrast_make(struct contrast *c, struct rows *base, struct rows *patched, struct error *err)
{
	*c = (struct contrast){.base = base, .patched = patched};
	c->failed = drop_failed(base) + drop_failed(patched);
	c->imprecise = count_imprecise(base) + count_imprecise(patched);
	if (check_sides(c, err) < 0)
		return -1;
	find_compared(c);
	qsort_r(base->list, base->nr, sizeof(*base->list), by_group, c);
	qsort_r(patched->list, patched->nr, sizeof(*patched->list), by_group, c);
	if (match(c, err) == 0) {
		if (c->nr_groups)
			return 0;
		error_set(err, "nothing to compare: no point has a partner that differs only in "
			       "what all points of one side differ in from the other");
	}
	contrast_free(c);
	return -1;
}

void contrast_free(struct contrast *c)
{
	for (size_t i = 0; i < c->nr_groups; i++)
		free(c->groups[i].metrics);
	free(c->groups);
	*c = (struct contrast){0};
}
