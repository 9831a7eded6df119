/* SPDX-License-Identifier: GPL-3.0-or-later */
/* print.c - a document in print: the table with what it is about and what it rests on, and CSV. */
#include <errno.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "../models/error.h"
#include "must.h"
#include "result.h"
#include "table.h"
#include "wrap.h"

/* What all points have in common. */
static void print_common(FILE *out, const struct comparison *c)
{
	char *label = must_format("zonesim %s:", document_version(c->document));
	char *text = settings_common(&c->settings);

	print_wrapped(out, label, text);
	free(text);
	free(label);
}

/* Which patches stand behind "base" and "patched", or behind the letters. */
static void print_patches(FILE *out, const struct comparison *c)
{
	const char *base = comparison_patches(c, 0);

	if (!c->has_patched)
		return;
	print_wrapped(out, "base: patches", base);
	for (size_t i = 1; i < c->settings.nr_points; i++) {
		const char *patches = comparison_patches(c, i);
		bool seen = false;
		char letter = patches_letter(c, patches);
		char *label;

		for (size_t k = 0; k < i && !seen; k++)
			seen = strcmp(comparison_patches(c, k), patches) == 0;
		if (seen)
			continue;
		label = letter ? must_format("%c: patches", letter)
			       : must_format("patched: patches");
		print_wrapped(out, label, patches);
		free(label);
	}
}

static void print_meaning(FILE *out, const struct comparison *c)
{
	const char *help = metric_text(c->document, c->metric, "help");
	char *label = must_format("%s:", c->metric);
	char *text = must_format("%s%s± is the half width of the 95%% confidence interval.", help,
		!*help				? ""
		: help[strlen(help) - 1] == '.' ? " "
						: ". ");

	print_wrapped(out, label, text);
	free(text);
	free(label);
}

/* Every publication that figures were taken from, once. */
static void print_sources(FILE *out, const struct comparison *c)
{
	const char *last = "";

	for (size_t i = 0; c->has_published && i < c->nr_rows; i++) {
		const char *source = row_source(&c->rows[i]);

		if (!source || strcmp(source, last) == 0)
			continue;
		if (!*last)
			fputc('\n', out);
		last = source;
		print_wrapped(out, "published:", last);
	}
}

/* The settings that tell a point from the others, and its patches. */
static char *describe(const struct comparison *c, size_t point)
{
	char *text = must_format("%s", "");

	for (size_t i = 0; i < c->settings.nr; i++) {
		const struct setting *setting = &c->settings.list[i];
		char *longer;

		if (!setting->varies)
			continue;
		longer = must_format("%s%s%s %s", text, *text ? ", " : "", setting_heading(setting),
			settings_value(&c->settings, point, i));
		free(text);
		text = longer;
	}
	return text;
}

static bool has_status(const struct comparison *c, size_t point, const char *status)
{
	return strcmp(point_status(document_point(c->document, point)), status) == 0;
}

/* Each point that failed, with the reason. */
static void print_failed(FILE *out, const struct comparison *c)
{
	const char *before = "\n";

	for (size_t i = 0; i < document_size(c->document); i++) {
		char *which, *text;

		if (!has_status(c, i, "failed"))
			continue;
		which = describe(c, i);
		text = must_format("%s%s%s", which, *which ? ": " : "",
			point_failure(document_point(c->document, i)));
		fputs(before, out);
		print_wrapped(out, "failed:", text);
		before = "";
		free(text);
		free(which);
	}
}

/* The points that are not as precise as asked; often it is most of them. */
static void print_imprecise(FILE *out, const struct comparison *c)
{
	size_t nr = 0, nr_points = document_size(c->document);
	char *text = must_format("%s", "");

	for (size_t i = 0; i < nr_points; i++) {
		char *which, *longer;

		if (!has_status(c, i, "imprecise"))
			continue;
		which = describe(c, i);
		longer = must_format("%s%s %s", text, nr ? ";" : "", which);
		free(which);
		free(text);
		text = longer;
		nr++;
	}
	if (nr > 0) {
		char *whole =
			must_format("%zu of %zu point%s stopped at the time limit, before the "
				    "precision that was asked for%s%s",
				nr, nr_points, nr_points == 1 ? "" : "s",
				nr == nr_points ? "" : ":", nr == nr_points ? "" : text);

		fputc('\n', out);
		print_wrapped(out, "imprecise:", whole);
		free(whole);
	}
	free(text);
}

/* Did everything reach @out? Returns 0, or -1 with @err filled. */
static int finish(FILE *out, struct error *err)
{
	if (fflush(out) != 0 || ferror(out))
		return error_set(err, "can not write the result: %s", strerror(errno));
	return 0;
}

int result_print_table(FILE *out, json_t *document, struct error *err)
{
	struct comparison c;
	struct table table;

	if (comparison_make(&c, document, err) != 0)
		return -1;
	table_make(&table, &c);
	print_wrapped(out, "", document_scenario(document));
	print_common(out, &c);
	print_patches(out, &c);
	print_meaning(out, &c);
	fputc('\n', out);
	grid_print(&table.grid, out, PRINT_WIDTH);
	print_sources(out, &c);
	print_failed(out, &c);
	print_imprecise(out, &c);
	table_free(&table);
	comparison_free(&c);
	return finish(out, err);
}

int result_print_csv(FILE *out, json_t *document, struct error *err)
{
	struct comparison c;
	struct table table;

	if (comparison_make(&c, document, err) != 0)
		return -1;
	table_make(&table, &c);
	grid_print_csv(&table.grid, out);
	table_free(&table);
	comparison_free(&c);
	return finish(out, err);
}
