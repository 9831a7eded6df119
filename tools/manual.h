/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * manual.h - the manual page, made of the tables that --help and `zonesim help` are made of.
 */
#ifndef ZONESIM_MANUAL_H
#define ZONESIM_MANUAL_H

#include <stdio.h>

/* Print it for man(1). Errors of @out are left for the caller to find with ferror. */
void manual_print(FILE *out);

#endif
