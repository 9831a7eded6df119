/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * markdown.h - text for Markdown.
 */
#ifndef ZONESIM_MARKDOWN_H
#define ZONESIM_MARKDOWN_H

/*
 * markdown_escape - @text such that Markdown shows it as it is, also in a cell of a table. An
 * underscore within a word needs no escape and gets none, so that names stay readable. The caller
 * frees it.
 */
char *markdown_escape(const char *text);

#endif
