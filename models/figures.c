// SPDX-License-Identifier: GPL-3.0-or-later
/*
 * figures.c - figures with their mark and source.
 */
#include <stdio.h>
#include <string.h>

#include "error.h"
#include "figures.h"

static const struct {
	const char *name, *help;
} marks[] = {
	[FIGURE_VERIFIED] = {"V", "read in a published source for this very part"},
	[FIGURE_SIBLING] = {"V~", "read in a published source for a sibling part"},
	[FIGURE_DERIVED] = {"D", "derived from figures of the first two kinds"},
	[FIGURE_REMEMBERED] = {"M", "recalled, unchecked"},
};

#define NR_MARKS (sizeof(marks) / sizeof(marks[0]))

static const char *const figure_keys[] = {
	"value",
	"spread",
	"low",
	"high",
	"mark",
	"source",
	NULL,
};

const char *figure_mark_name(enum figure_mark mark)
{
	return marks[mark].name;
}

const char *figure_mark_help(enum figure_mark mark)
{
	return marks[mark].help;
}

double figure_value(const void *record, const struct figure_info *info)
{
	const char *field = (const char *)record + info->offset;

	if (info->unit == QUANTITY_BOOL)
		return *(const bool *)field;
	return *(const double *)field;
}

void figure_set(void *record, const struct figure_info *info, double value)
{
	char *field = (char *)record + info->offset;

	if (info->unit == QUANTITY_BOOL)
		*(bool *)field = value != 0;
	else
		*(double *)field = value;
}

static int read_mark(const struct document *d, const node *mapping, const struct figure_info *info,
	struct figure *figure, struct error *err)
{
	const node *mark = node_find(d, mapping, "mark");
	const char *text = mark ? node_text(mark) : NULL;

	if (!mark)
		return node_error(d, mapping, err,
			"%s has no mark: say how sure it is (V, V~, D or M)", info->key);
	for (size_t i = 0; text && i < NR_MARKS; i++) {
		if (strcmp(marks[i].name, text) == 0) {
			figure->mark = (enum figure_mark)i;
			return 0;
		}
	}
	return node_error(d, mark, err, "%s: unknown mark '%.16s': V, V~, D or M", info->key,
		text ? text : "");
}

static int read_source(const struct document *d, const node *mapping,
	const struct figure_info *info, struct figure *figure, struct error *err)
{
	const node *source = node_find(d, mapping, "source");

	if (!source)
		return node_error(
			d, mapping, err, "%s has no source: say where it comes from", info->key);
	figure->source = node_text(source);
	if (!figure->source || !*figure->source)
		return node_error(d, source, err, "%s: the source must be a text", info->key);
	return 0;
}

/* "low" and "high", or "spread" around the value; without any, both are the value itself. */
static int read_bounds(const struct document *d, const node *mapping,
	const struct figure_info *info, double value, struct figure *figure, struct error *err)
{
	const node *spread = node_find(d, mapping, "spread"), *low = node_find(d, mapping, "low"),
		   *high = node_find(d, mapping, "high");
	double share = 0;
	char what[64];

	figure->low = figure->high = value;
	if (spread && (low || high))
		return node_error(
			d, spread, err, "%s: either a spread, or low and high", info->key);
	if (spread && node_quantity(d, spread, info->key, QUANTITY_SHARE, 0, 1, &share, err) < 0)
		return -1;
	if (spread) {
		figure->low = value * (1 - share);
		figure->high = value * (1 + share);
	}
	snprintf(what, sizeof(what), "%s, low", info->key);
	if (low && node_quantity(d, low, what, info->unit, info->min, value, &figure->low, err) < 0)
		return -1;
	snprintf(what, sizeof(what), "%s, high", info->key);
	if (high &&
		node_quantity(d, high, what, info->unit, value, info->max, &figure->high, err) < 0)
		return -1;
	return 0;
}

int figure_read(const struct document *d, const node *mapping, const struct figure_info *info,
	void *record, struct figure *figure, struct error *err)
{
	const node *written;
	double value;

	if (node_check_keys(d, mapping, info->key, figure_keys, err) < 0)
		return -1;
	written = node_find(d, mapping, "value");
	if (!written)
		return node_error(d, mapping, err, "%s has no value: expected %s", info->key,
			quantity_describe(info->unit));
	if (node_quantity(d, written, info->key, info->unit, info->min, info->max, &value, err) < 0)
		return -1;
	figure->info = info;
	figure->key = info->key;
	figure->text = node_text(written);
	figure_set(record, info, value);
	if (read_mark(d, mapping, info, figure, err) < 0 ||
		read_source(d, mapping, info, figure, err) < 0)
		return -1;
	return read_bounds(d, mapping, info, value, figure, err);
}
