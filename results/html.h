/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * html.h - text in HTML.
 */
#ifndef ZONESIM_HTML_H
#define ZONESIM_HTML_H

#include <stdio.h>

/* Print @text so that HTML shows it as it is. Errors of @out are left to find with ferror. */
void html_put(FILE *out, const char *text);

/*
 * html_put_svg - print an SVG file from its start as a part of a page. What it names by id is named
 * anew with @number in front, since several pictures of a page would mix theirs up.
 */
void html_put_svg(FILE *out, FILE *svg, unsigned int number);

#endif
