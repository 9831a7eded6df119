/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * svg.h - from a gnuplot script to an SVG file, which is replaced in one step.
 */
#ifndef ZONESIM_SVG_H
#define ZONESIM_SVG_H

#include <stdio.h>

struct error;

#define SVG_REFUSED (-2)

/* Writes a script for gnuplot. Returns 0, or -1 with @err filled. */
typedef int svg_draw(FILE *script, void *what, struct error *err);

/*
 * svg_write - let @draw write a script about @what, gnuplot draw it, and put the picture into the
 * file @path, which never holds half a picture. svg_print - print the picture to @out instead.
 * Both return 0; SVG_REFUSED when @draw returned -1, with @err as it filled it; or -1 with @err
 * filled: no gnuplot, a target that can not be written.
 */
int svg_write(const char *path, svg_draw *draw, void *what, struct error *err);
int svg_print(FILE *out, svg_draw *draw, void *what, struct error *err);

/*
 * file_write - the same for any file that @draw writes itself.
 */
int file_write(const char *path, svg_draw *draw, void *what, struct error *err);

#endif
