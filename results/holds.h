/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * holds.h - what the time under the locks went into.
 */
#ifndef ZONESIM_HOLDS_H
#define ZONESIM_HOLDS_H

#include <stdio.h>

#include <jansson.h>

/*
 * holds_print - the holds of a point, a row for each purpose, in nanoseconds per hold, and the
 * lines that a hold takes from beyond the L1. @indent goes before each line. Nothing is printed for
 * a point that has no holds. Errors of @out are left for the caller to find with ferror.
 */
void holds_print(FILE *out, const char *indent, const json_t *point);

#endif
