/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * gnuplot.h - running gnuplot, and writing text into its scripts safely.
 */
#ifndef ZONESIM_GNUPLOT_H
#define ZONESIM_GNUPLOT_H

#include <stdio.h>

struct error;

/* gnuplot_quote - print @text as a string of gnuplot, in which nothing is special. */
void gnuplot_quote(FILE *script, const char *text);

/*
 * gnuplot_run - let gnuplot draw @script, from its start, and keep what it prints in @picture.
 * No shell and no start-up file has a part in it. Both are open files with a descriptor.
 * Returns 0, or -1 with @err filled: no gnuplot, or what it complained about.
 */
int gnuplot_run(FILE *script, FILE *picture, struct error *err);

#endif
