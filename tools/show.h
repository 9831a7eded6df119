/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * show.h - a point of a result in the formats that kernel people read.
 */
#ifndef ZONESIM_SHOW_H
#define ZONESIM_SHOW_H

#include <stdio.h>

#include <jansson.h>

/*
 * show_point - print point @number of a document. What is missing from @point is left out: the
 * document may come from anywhere. Write errors are left for the stream to remember.
 */
void show_point(FILE *out, const json_t *point, size_t number);

#endif
