/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * plot.h - a document as a picture, drawn by gnuplot.
 */
#ifndef ZONESIM_PLOT_H
#define ZONESIM_PLOT_H

#include <jansson.h>

struct error;

/*
 * plot_grouped_bars - draw a document (see result.h) as SVG.
 *
 * Where the patches vary: base and patched side by side for each configuration, simulated beside
 * published, with error bars of the 95% confidence interval and the gain written above. Else, where
 * one numeric dimension varies (tasks, pcp.batch): the score against it.
 * @svg_path is replaced in one step, so that it never holds half a picture.
 * Returns 0, or -1 with @err filled: nothing to plot, no gnuplot, a target that can not be written.
 */
int plot_grouped_bars(json_t *document, const char *svg_path, struct error *err);

#endif
