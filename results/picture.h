/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * picture.h - the frame of a picture: size, title, legend, margins, the lines below. All of it in
 * pixels from the top left; gnuplot is told in its own terms.
 */
#ifndef ZONESIM_PICTURE_H
#define ZONESIM_PICTURE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

#include "comparison.h"

struct picture {
	FILE *script;
	double width, height;		 /* the caller sets the width, picture_frame the height */
	double top, bottom, left, right; /* of the drawing */
	double footer;			 /* where the lines at the bottom begin */
};

/* What is written around the data. */
struct frame {
	const char *title;
	const char *footer[2];	   /* what the figures rest on; "" for nothing */
	const char *axis;	   /* what the vertical axis shows, with its unit */
	const char *const *legend; /* its entries, in the order of the plots */
	size_t nr_legend;
	int lines_below; /* lines of labels below the horizontal axis */
};

/* Begin the script: output, title, legend and footer. */
void picture_frame(struct picture *p, const struct frame *frame);

/* The same with title and footer of the comparison, whatever @frame says. */
void picture_comparison_frame(
	struct picture *p, const struct comparison *c, const struct frame *frame);

/* Styles for lines that are told apart: also by the colour-blind, and without colour. */
#define PICTURE_STYLES 7
extern const char *const picture_colours[PICTURE_STYLES];
extern const int picture_marks[PICTURE_STYLES]; /* the one before is the same, hollow */

/* What the vertical axis shows, for figures divided by @scale. The caller frees it. */
char *picture_axis(const struct comparison *c, double scale);

/* Text at a place in the drawing, in the units of the data; @lines moves it up by lines of text. */
struct label {
	double x, y, lines;
	bool below; /* below the axis: @y does not count, and @lines goes down */
	bool bold;  /* only for text without {}^_@&~\\ */
	bool upright;
};
void picture_label(struct picture *p, const struct label *label, const char *text);

/*
 * The two kinds of pictures. Each returns 0, or -1 when the comparison does not lend itself to it,
 * with nothing written.
 */
int picture_bars(struct picture *p, const struct comparison *c);
int picture_lines(struct picture *p, const struct comparison *c);

/* Would picture_lines work? */
bool picture_has_lines(const struct comparison *c);

#endif
