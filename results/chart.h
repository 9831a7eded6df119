/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * chart.h - points of a store as pictures.
 */
#ifndef ZONESIM_CHART_H
#define ZONESIM_CHART_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

struct error;
struct rows;
struct store;

/* What is asked for; what is NULL is chosen. */
struct chart_request {
	const char *x, *y; /* keys of the axes; y of maps */
	const char *title;
	struct store *store;
	struct rows *rows;
};

/* A kind of picture. */
struct chart_kind {
	const char *name, *help;
	const char *const *metrics; /* that it draws, ends with NULL; NULL: the one asked for */
	bool own_axis;		    /* neither x nor y can be asked for */
	bool map;		    /* has a y */
	/* Writes the script: see svg_draw. */
	int (*draw)(FILE *script, void *request, struct error *err);
};

extern const struct chart_kind chart_kinds[]; /* ends with a NULL name; the first is the default */

const struct chart_kind *chart_find(const char *name);

/*
 * chart_write - draw rows, loaded with the kind's metrics, into the SVG file @path.
 * chart_print - the same to @out.
 * Both return 0, SVG_REFUSED with @err filled when there is nothing to plot, or -1 with @err
 * filled: no gnuplot, a target that can not be written. The rows are sorted anew.
 */
int chart_write(const char *path, const struct chart_kind *kind, struct chart_request *request,
	struct error *err);
int chart_print(
	FILE *out, const struct chart_kind *kind, struct chart_request *request, struct error *err);

#endif
