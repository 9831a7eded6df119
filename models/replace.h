/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * replace.h - writing a file in one step: a reader sees the old one or the new one.
 */
#ifndef ZONESIM_REPLACE_H
#define ZONESIM_REPLACE_H

#include <stdio.h>

/*
 * replace_file - put in place of @path a file that @fill writes. It has the permissions of any new
 * file. @fill gets @what, and returns 0, or -1 with errno. Returns 0, or the number of the error;
 * then @path is as it was, and nothing is left beside it.
 */
int replace_file(const char *path, int (*fill)(FILE *out, void *what), void *what);

#endif
