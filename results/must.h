/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * must.h - allocation for code that can do nothing sensible when memory is short: the command
 * then ends with a message and exit status 1. Nothing returned here is ever NULL.
 */
#ifndef ZONESIM_MUST_H
#define ZONESIM_MUST_H

#include <stddef.h>

/* Zeroed room for @nr elements of @size bytes; the caller frees it. */
void *must_calloc(size_t nr, size_t size);

/* Resize @old to @nr elements of @size bytes; what was added is not zeroed. */
void *must_realloc(void *old, size_t nr, size_t size);

/* Formatted text; the caller frees it. */
char *must_format(const char *format, ...) __attribute__((format(printf, 1, 2)));

#endif
