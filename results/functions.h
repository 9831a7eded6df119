/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * functions.h - whose the instructions under the locks are.
 */
#ifndef ZONESIM_RESULTS_FUNCTIONS_H
#define ZONESIM_RESULTS_FUNCTIONS_H

#include <stdio.h>

#include <jansson.h>

/*
 * functions_print - the functions of a point under each lock, in 80 columns. Nothing is printed for
 * a point that was not asked for them. Errors of @out are left for the caller to find with ferror.
 */
void functions_print(FILE *out, const json_t *point);

#endif
