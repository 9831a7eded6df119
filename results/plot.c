/* SPDX-License-Identifier: GPL-3.0-or-later */
/* plot.c - choosing the picture for a document. */
#include "plot.h"

#include "../models/error.h"
#include "picture.h"
#include "svg.h"

/* More configurations with bars than this can not be read, and lines are tried. */
#define MAX_GROUPS 8

/*
 * Choosing
 */

/* Is there a figure to draw at all? */
static bool has_figures(const struct comparison *c)
{
	for (size_t i = 0; i < document_size(c->document); i++)
		if (point_metric(document_point(c->document, i), c->metric).mean > 0)
			return true;
	return false;
}

static int draw(FILE *script, void *comparison, struct error *err)
{
	const struct comparison *c = comparison;
	struct picture picture = {.script = script};
	bool bars = c->has_patched ? c->nr_rows <= MAX_GROUPS : !picture_has_lines(c);

	if (!has_figures(c))
		return error_set(err, "nothing to plot: no point has a %s", c->metric);
	if (bars || !picture_has_lines(c))
		picture_bars(&picture, c);
	else
		picture_lines(&picture, c);
	return 0;
}

int plot_grouped_bars(json_t *document, const char *svg_path, struct error *err)
{
	struct comparison c;
	int ret;

	if (comparison_make(&c, document, err) != 0)
		return -1;
	ret = svg_write(svg_path, draw, &c, err) < 0 ? -1 : 0;
	comparison_free(&c);
	return ret;
}
