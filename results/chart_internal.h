/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * chart_internal.h - what the kinds of charts share.
 */
#ifndef ZONESIM_CHART_INTERNAL_H
#define ZONESIM_CHART_INTERNAL_H

#include "chart.h"
#include "curves.h"
#include "picture.h"

int chart_lines(FILE *script, void *request, struct error *err);
int chart_scaling(FILE *script, void *request, struct error *err);
int chart_spin(FILE *script, void *request, struct error *err);
int chart_map(FILE *script, void *request, struct error *err);
int chart_holds(FILE *script, void *request, struct error *err);
int chart_waits(FILE *script, void *request, struct error *err);

/*
 * chart_frame - begin the script: @title unless the request has one, what the points are, and the
 * axis and legend of @frame. @bands: what intervals are drawn as, or NULL.
 */
void chart_frame(struct picture *p, const struct chart_request *r, const struct curves *c,
	const char *title, const char *bands, struct frame *frame);

/* The divisor that leaves few digits of a metric, and its name before the unit. */
double chart_scale(const struct curves *c, size_t metric, const char **factor);

/* The horizontal axis: its name, its range; logarithmic where steps are multiples, unless @linear.
 */
void chart_x_axis(FILE *script, const struct curves *c, bool linear);

#endif
