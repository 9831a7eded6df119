/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * wrap.h - text broken into lines.
 */
#ifndef ZONESIM_WRAP_H
#define ZONESIM_WRAP_H

#include <stdio.h>

#define PRINT_WIDTH 100 /* characters that a line may have */

/*
 * print_wrapped - print @text after @label, broken between words, later lines indented by two.
 * Errors of @out are left for the caller to find with ferror.
 */
void print_wrapped(FILE *out, const char *label, const char *text);

#endif
