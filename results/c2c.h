/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * c2c.h - the cache lines that cost most to get, in print.
 */
#ifndef ZONESIM_RESULTS_C2C_H
#define ZONESIM_RESULTS_C2C_H

#include <stdio.h>

#include <jansson.h>

/*
 * c2c_print - the dearest lines of a point, in 80 columns: each with its share of the time that
 * getting lines took, how often it came from where, and who paid. Nothing is printed for a point
 * that was not asked for them. Errors of @out are left for the caller to find with ferror.
 */
void c2c_print(FILE *out, const json_t *point);

#endif
