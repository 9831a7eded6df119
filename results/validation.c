/* SPDX-License-Identifier: GPL-3.0-or-later */
/* validation.c - the published tables, row by row, beside what is simulated for each. */
#include "validation.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "../models/error.h"
#include "must.h"
#include "points.h"
#include "suggest.h"

/*
 * Choosing rows
 */

enum choice { BY_TABLE, BY_MACHINE };

static const char *name_of(const struct published_row *row, enum choice choice)
{
	return choice == BY_TABLE ? row->table : row->machine;
}

/* Is there a row of that name? If not, say which was probably meant. */
static int check_name(
	const struct published *p, enum choice choice, const char *name, struct error *err)
{
	const char **names = must_calloc(p->nr_rows + 1, sizeof(*names));
	const char *what = choice == BY_TABLE ? "table" : "machine";
	int status = -1;

	for (size_t i = 0; i < p->nr_rows; i++) {
		names[i] = name_of(&p->rows[i], choice);
		if (strcmp(names[i], name) == 0)
			status = 0;
	}
	if (status < 0)
		error_set(err, "no published %s '%.64s'%s", what, name,
			suggest(name, names, "see results/published").text);
	free(names);
	return status;
}

static bool is_chosen(const struct published_row *row, const char *table, const char *machine)
{
	return (!table || strcmp(row->table, table) == 0) &&
	       (!machine || strcmp(row->machine, machine) == 0);
}

static int choose_rows(
	struct validation *v, const char *table, const char *machine, struct error *err)
{
	const struct published *p = &v->published;

	if ((table && check_name(p, BY_TABLE, table, err) < 0) ||
		(machine && check_name(p, BY_MACHINE, machine, err) < 0))
		return -1;
	v->rows = must_calloc(p->nr_rows, sizeof(*v->rows));
	for (size_t i = 0; i < p->nr_rows; i++) {
		const struct published_row *row = &p->rows[i], *base = published_base(p, row);
		bool relative = strcmp(row->unit, "relative") == 0;
		bool stands_alone = base == row || (isnan(row->change_pct) && !relative);

		if (is_chosen(row, table, machine))
			v->rows[v->nr_rows++] = (struct validation_row){
				.published = row, .base = stands_alone ? NULL : base};
	}
	if (v->nr_rows == 0)
		return error_set(err, "no published row: table %s has nothing of %s",
			table ? table : "", machine ? machine : "");
	return 0;
}

int validation_load(struct validation *v, const char *table, const char *machine, struct error *err)
{
	*v = (struct validation){0};
	if (published_load(&v->published, err) < 0)
		return -1;
	if (choose_rows(v, table, machine, err) == 0)
		return 0;
	validation_free(v);
	return -1;
}

void validation_free(struct validation *v)
{
	for (size_t i = 0; i < v->nr_rows; i++) {
		json_decref(v->rows[i].point);
		free(v->rows[i].missing);
	}
	free(v->rows);
	published_free(&v->published);
	*v = (struct validation){0};
}

/*
 * Judging
 */

#define ALL_LOCKS "lock_spin_share" /* of all locks together */
#define ONE_LOCK "_spin_share"	    /* how the share of one ends */

/*
 * The spin shares of all locks. Their errors are not independent, so the half widths are added up,
 * which is never too narrow.
 */
static struct estimate sum_spin_shares(const json_t *point)
{
	json_t *metrics = json_object_get(point, "metrics"), *metric;
	struct estimate sum = {0};
	const char *name;
	size_t nr = 0;

	json_object_foreach(metrics, name, metric)
	{
		size_t length = strlen(name), end = strlen(ONE_LOCK);
		struct estimate share;

		if (length < end || strcmp(name + length - end, ONE_LOCK) != 0)
			continue;
		share = point_metric(point, name);
		sum.mean += share.mean;
		sum.ci95 += share.ci95;
		nr++;
	}
	return nr ? sum : estimate_none();
}

/* NAN when the point has no such metric, or there is no point. */
static struct estimate metric_of(const json_t *point, const char *name)
{
	struct estimate value = point ? point_metric(point, name) : estimate_none();

	if (point && isnan(value.mean) && strcmp(name, ALL_LOCKS) == 0)
		return sum_spin_shares(point);
	return value;
}

/* Why @row has no figure of its own; NULL when it has one. The caller frees it. */
static char *reason_of(const struct validation_row *row)
{
	if (row->missing)
		return must_format("%s", row->missing);
	if (!row->point)
		return must_format("it was not simulated");
	if (strcmp(point_status(row->point), "failed") == 0)
		return must_format("the simulation failed: %s", point_failure(row->point));
	if (isnan(metric_of(row->point, row->published->metric).mean))
		return must_format("what was simulated has no metric %s", row->published->metric);
	return NULL;
}

static const struct validation_row *row_of(
	const struct validation *v, const struct published_row *published)
{
	for (size_t i = 0; i < v->nr_rows; i++)
		if (v->rows[i].published == published)
			return &v->rows[i];
	return NULL;
}

/* Why @row can not be compared; NULL when it can. The caller frees it. */
static char *why_missing(const struct validation *v, const struct validation_row *row)
{
	char *reason = reason_of(row), *of_base;
	const struct validation_row *base;

	if (reason || !row->base)
		return reason;
	base = row_of(v, row->base);
	reason = base ? reason_of(base) : must_format("it was not asked for");
	if (!reason)
		return NULL;
	of_base = must_format("its base: %s", reason);
	free(reason);
	return of_base;
}

static enum compared kind_of(const struct published_row *row, bool has_base)
{
	if (has_base && !isnan(row->change_pct))
		return COMPARED_CHANGE;
	return strcmp(row->unit, "percent") == 0 ? COMPARED_SHARE : COMPARED_VALUE;
}

/* Fill in what was simulated. */
static void measure(const struct validation *v, struct validation_row *row)
{
	const struct published_row *published = row->published;
	bool relative = strcmp(published->unit, "relative") == 0;
	struct estimate base = estimate_none();

	row->simulated = metric_of(row->point, published->metric);
	if (row->base) {
		base = metric_of(row_of(v, row->base)->point, published->metric);
		row->change = relative_change(base, row->simulated);
	} else if (published->change_pct == 0) {
		row->change = (struct estimate){0}; /* it is the base */
	}
	row->by_definition = relative && !row->base;
	if (row->by_definition)
		row->simulated = (struct estimate){1, 0};
	else if (relative)
		row->simulated =
			(struct estimate){1 + row->change.mean / 100, row->change.ci95 / 100};
}

/* Nothing can be compared when the base is 0. */
static void compare(struct validation_row *row)
{
	const struct published_row *p = row->published;
	bool change = row->compared == COMPARED_CHANGE;
	double published = change ? p->change_pct : p->value;
	double simulated = change ? row->change.mean : row->simulated.mean;

	if (isnan(simulated)) {
		row->missing = must_format("its base is 0: there is no change against it");
		row->verdict = VERDICT_MISSING;
		return;
	}
	row->difference = verdict_difference(row->compared, published, simulated);
	row->verdict = verdict_judge(p->table, p->metric, row->compared, published, simulated);
}

static void judge(const struct validation *v, struct validation_row *row)
{
	char *missing;

	row->compared = kind_of(row->published, row->base);
	row->simulated = row->change = estimate_none();
	row->difference = NAN;
	if (row->left_out) {
		row->verdict = VERDICT_LEFT_OUT;
		return;
	}
	missing = why_missing(v, row);
	if (missing) {
		free(row->missing);
		row->missing = missing;
		row->verdict = VERDICT_MISSING;
		return;
	}
	measure(v, row);
	compare(row);
}

void validation_judge(struct validation *v)
{
	for (size_t i = 0; i < v->nr_rows; i++)
		judge(v, &v->rows[i]);
}

bool validation_failed(const struct validation *v)
{
	for (size_t i = 0; i < v->nr_rows; i++)
		if (v->rows[i].verdict > VERDICT_LEFT_OUT && !v->rows[i].only_base)
			return true;
	return false;
}

/*
 * Summing up
 */

struct validation_summary validation_summarize(const struct validation *v, const char *table)
{
	struct validation_summary s = {0};
	size_t nr[NR_COMPARED] = {0};

	for (size_t i = 0; i < v->nr_rows; i++) {
		const struct validation_row *row = &v->rows[i];

		if (table && strcmp(row->published->table, table) != 0)
			continue;
		s.rows++;
		s.verdicts[row->verdict]++;
		if (isnan(row->difference) || row->by_definition)
			continue;
		s.mean_error[row->compared] += fabs(row->difference);
		nr[row->compared]++;
	}
	for (int i = 0; i < NR_COMPARED; i++)
		s.mean_error[i] = nr[i] ? s.mean_error[i] / (double)nr[i] : NAN;
	return s;
}

char *validation_parameters(const struct published_row *row)
{
	char *batch = row->batch ? must_format("batch=%u ", row->batch) : must_format("%s", "");
	char *high = row->high ? must_format("high=%u ", row->high) : must_format("%s", "");
	char *text = must_format("%s%s%s", batch, high, row->parameters);
	size_t length = strlen(text);

	if (length > 0 && text[length - 1] == ' ')
		text[length - 1] = '\0';
	free(batch);
	free(high);
	return text;
}
