/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * wrap.h - text broken into lines.
 */
#ifndef ZONESIM_WRAP_H
#define ZONESIM_WRAP_H

#include <stddef.h>
#include <stdio.h>

#define PRINT_WIDTH 80 /* characters that a line may have */
#define HELP_WIDTH 72  /* where it may also stand in a manual page, which indents it */

/*
 * print_filled - print @text after @label, broken between words into lines of up to @width, all but
 * the first indented by @indent, to which a shorter label is filled up.
 * print_wrapped - the same with @indent 2 and PRINT_WIDTH.
 * print_below - a formatted text of up to 511 characters below what it explains, in a help text.
 * Errors of @out are left for the caller to find with ferror.
 */
void print_filled(FILE *out, const char *label, size_t indent, size_t width, const char *text);
void print_wrapped(FILE *out, const char *label, const char *text);
void print_below(FILE *out, const char *format, ...) __attribute__((format(printf, 2, 3)));

#endif
