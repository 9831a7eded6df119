/* SPDX-License-Identifier: GPL-3.0-or-later */
/* goal.c - what is to be made large, as an expression of a point's figures. */
#include "goal.h"

#include <ctype.h>
#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "../models/error.h"
#include "must.h"
#include "suggest.h"

struct reader {
	const char *text, *at;
	const json_t *point; /* NULL: only see whether it is an expression */
	double hold_limit;
	struct error *err;
	bool failed;
	int depth;
};

#define MAX_DEPTH 50

static double read_sum(struct reader *r);

static double fail(struct reader *r, const char *what)
{
	if (!r->failed)
		error_set(r->err, "the goal '%.80s': %s at '%.20s'", r->text, what,
			*r->at ? r->at : "the end");
	r->failed = true;
	return NAN;
}

static void skip_blanks(struct reader *r)
{
	r->at += strspn(r->at, " \t");
}

double goal_worst_hold(const json_t *point)
{
	const json_t *locks = json_object_get(point, "locks");
	double worst = 0;

	for (size_t i = 0; i < json_array_size(locks); i++) {
		const json_t *lock = json_array_get(locks, i);
		const char *name = json_string_value(json_object_get(lock, "name"));
		double hold = json_number_value(json_object_get(lock, "holdtime_max_us"));

		if (name &&
			(strncmp(name, "zone->lock", 10) == 0 || strncmp(name, "lru_lock", 8) == 0))
			worst = fmax(worst, hold * 1e-6);
	}
	return worst;
}

static void unknown_metric(struct reader *r, const char *name)
{
	json_t *metrics = json_object_get(r->point, "metrics"), *unused;
	const char **names = must_calloc(json_object_size(metrics) + 3, sizeof(*names)), *metric;
	size_t nr = 0;

	json_object_foreach(metrics, metric, unused) names[nr++] = metric;
	names[nr++] = "worst_hold";
	names[nr++] = "penalty";
	error_set(r->err, "the goal '%.80s': the points have no metric '%.40s'%s", r->text, name,
		suggest(name, names, "see `zonesim help metrics`").text);
	free(names);
}

static double look_up(struct reader *r, const char *name)
{
	const json_t *metrics = json_object_get(r->point, "metrics");
	const json_t *mean = json_object_get(json_object_get(metrics, name), "mean");
	double hold = goal_worst_hold(r->point);

	if (!r->point)
		return 1;
	if (strcmp(name, "worst_hold") == 0)
		return hold * 1e6;
	if (strcmp(name, "penalty") == 0)
		return fmax(0, hold / r->hold_limit - 1) *
		       json_number_value(
			       json_object_get(json_object_get(metrics, "score"), "mean"));
	if (json_is_number(mean))
		return json_number_value(mean);
	if (!r->failed)
		unknown_metric(r, name);
	r->failed = true;
	return NAN;
}

static double read_name(struct reader *r)
{
	size_t length = strspn(r->at, "abcdefghijklmnopqrstuvwxyz0123456789_");
	char *name = must_format("%.*s", (int)length, r->at);
	double value = look_up(r, name);

	r->at += length;
	free(name);
	return value;
}

static double read_factor(struct reader *r)
{
	double value;
	char *end;

	skip_blanks(r);
	if (++r->depth > MAX_DEPTH)
		return fail(r, "too many levels");
	if (*r->at == '-') {
		r->at++;
		value = -read_factor(r);
	} else if (*r->at == '(') {
		r->at++;
		value = read_sum(r);
		skip_blanks(r);
		if (*r->at != ')')
			return fail(r, "a ) is missing");
		r->at++;
	} else if (islower((unsigned char)*r->at)) {
		value = read_name(r);
	} else if (isdigit((unsigned char)*r->at) || *r->at == '.') {
		value = strtod(r->at, &end);
		r->at = end;
	} else {
		return fail(r, "expected a number, a name or a (");
	}
	r->depth--;
	return value;
}

static double read_product(struct reader *r)
{
	double value = read_factor(r);

	for (skip_blanks(r); (*r->at == '*' || *r->at == '/') && !r->failed; skip_blanks(r)) {
		bool times = *r->at++ == '*';
		double other = read_factor(r);

		value = times ? value * other : value / other;
	}
	return value;
}

static double read_sum(struct reader *r)
{
	double value = read_product(r);

	for (skip_blanks(r); (*r->at == '+' || *r->at == '-') && !r->failed; skip_blanks(r)) {
		bool plus = *r->at++ == '+';
		double other = read_product(r);

		value = plus ? value + other : value - other;
	}
	return value;
}

static double read_all(struct reader *r)
{
	double value = read_sum(r);

	skip_blanks(r);
	if (*r->at && !r->failed)
		return fail(r, "expected + - * or /");
	return value;
}

int goal_check(const char *goal, struct error *err)
{
	struct reader r = {.text = goal, .at = goal, .err = err};

	(void)read_all(&r);
	return r.failed ? -1 : 0;
}

int goal_value(
	const char *goal, const json_t *point, double hold_limit, double *value, struct error *err)
{
	struct reader r = {
		.text = goal, .at = goal, .point = point, .hold_limit = hold_limit, .err = err};

	*value = read_all(&r);
	return r.failed ? -1 : 0;
}
