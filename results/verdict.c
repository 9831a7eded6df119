/* SPDX-License-Identifier: GPL-3.0-or-later */
/* verdict.c - how near a simulated figure must be to a published one. */
#include "verdict.h"

#include <math.h>
#include <stdbool.h>
#include <stddef.h>
#include <string.h>

#include "wrap.h"

#define NEAR_TARGETS 3 /* a value within so many targets is near */
#define NO_CHANGE 1    /* percent: changes up to here have no sign to be right about */

/*
 * The targets. Of the first line that fits a row; "" fits every table or metric, and a metric
 * that ends in '*' every one that starts with the rest.
 */
static const struct target {
	const char *table, *metric;
	enum compared compared;
	double target;	  /* percent, or percentage points */
	double low, high; /* a simulated change from low to high will do as well */
} targets[] = {
	/* The effects of patches, which all of this is about. */
	{"pcp-keep-high-order-batch", "", COMPARED_CHANGE, 15, NAN, NAN},
	/* The control: its patch is to change next to nothing. */
	{"pcp-spinlock", "", COMPARED_CHANGE, 1, -2, 1},
	{"", "", COMPARED_CHANGE, 1, NAN, NAN},

	/* A rate of misses that is near nothing: neither none at all, nor twice as many. */
	{"", "cache_miss_rate", COMPARED_SHARE, 0.3, NAN, NAN},
	{"", "", COMPARED_SHARE, 8, NAN, NAN},

	/* What the same kernel does by itself on the machine. */
	{"batch-sweep", "score", COMPARED_VALUE, 3, NAN, NAN},
	{"pcp-spinlock", "", COMPARED_VALUE, 10, NAN, NAN},
	{"", "zone_lock_hold*", COMPARED_VALUE, 15, NAN, NAN},
	{"", "", COMPARED_VALUE, 5, NAN, NAN},
};

#define NR_TARGETS (sizeof(targets) / sizeof(targets[0]))

static const struct {
	const char *name, *help;
} verdicts[NR_VERDICTS] = {
	[VERDICT_WITHIN] = {"within", "within the target"},
	[VERDICT_NEAR] = {"near", "a value or share within three times the target"},
	[VERDICT_SIGN] = {"sign", "a change in the right direction, or both up to 1%"},
	[VERDICT_LEFT_OUT] = {"left-out", "not simulated: --quick leaves it out"},
	[VERDICT_WRONG] = {"wrong", "none of these"},
	[VERDICT_MISSING] = {"missing", "can not be simulated; counts as wrong"},
};

const char *verdict_name(enum verdict verdict)
{
	return verdicts[verdict].name;
}

static bool fits(const char *pattern, const char *name)
{
	size_t length = strlen(pattern);

	if (length == 0)
		return true;
	if (pattern[length - 1] == '*')
		return strncmp(pattern, name, length - 1) == 0;
	return strcmp(pattern, name) == 0;
}

/* There always is one: the last of each kind fits everything. */
static const struct target *find(const char *table, const char *metric, enum compared compared)
{
	const struct target *t = targets;

	while (t->compared != compared || !fits(t->table, table) || !fits(t->metric, metric))
		t++;
	return t;
}

double verdict_target(const char *table, const char *metric, enum compared compared)
{
	return find(table, metric, compared)->target;
}

double verdict_difference(enum compared compared, double published, double simulated)
{
	if (compared == COMPARED_VALUE)
		return 100 * (simulated / published - 1);
	return simulated - published;
}

static bool right_sign(double published, double simulated)
{
	if (fabs(published) <= NO_CHANGE && fabs(simulated) <= NO_CHANGE)
		return true;
	return published * simulated > 0;
}

/*
 * Figures are printed, and typed, in decimals: 5.3 is 1 away from 6.3, whatever their doubles
 * say.
 */
static bool at_most(double value, double limit)
{
	return value <= limit * (1 + 1e-9);
}

enum verdict verdict_judge(const char *table, const char *metric, enum compared compared,
	double published, double simulated)
{
	const struct target *t = find(table, metric, compared);
	double away = fabs(verdict_difference(compared, published, simulated));

	/* With bounds that are NAN, neither comparison holds. */
	if (at_most(away, t->target) || (simulated >= t->low && simulated <= t->high))
		return VERDICT_WITHIN;
	if (compared == COMPARED_CHANGE)
		return right_sign(published, simulated) ? VERDICT_SIGN : VERDICT_WRONG;
	return at_most(away, NEAR_TARGETS * t->target) ? VERDICT_NEAR : VERDICT_WRONG;
}

/*
 * Help
 */

static const char *unit_of(enum compared compared)
{
	return compared == COMPARED_VALUE ? "%" : " points";
}

static void print_target(FILE *out, const struct target *t)
{
	static const char *const names[NR_COMPARED] = {"change", "share", "value"};

	fprintf(out, "  %-7s %-25s %-15s %g%s", names[t->compared],
		*t->table ? t->table : "any other", *t->metric ? t->metric : "any other", t->target,
		unit_of(t->compared));
	if (!isnan(t->low))
		fprintf(out, ", or %g..%+g%%", t->low, t->high);
	fputc('\n', out);
}

void verdict_print_help(FILE *out)
{
	print_filled(out, "", 0, HELP_WIDTH,
		"`zonesim validate` holds what it simulates against what was published. A row with "
		"a published change is judged by the change, in percentage points; a share of time "
		"in points of that share; any other row by its value, in percent of the published "
		"one. The first line that fits a row is its target:");
	fprintf(out, "\n  %-7s %-25s %-15s %s\n", "what", "table", "metric", "target");
	for (size_t i = 0; i < NR_TARGETS; i++)
		print_target(out, &targets[i]);
	fputs("\nThe verdicts:\n\n", out);
	for (int i = 0; i < NR_VERDICTS; i++)
		fprintf(out, "  %-9s %s\n", verdicts[i].name, verdicts[i].help);
}
