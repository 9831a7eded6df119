/* SPDX-License-Identifier: GPL-3.0-or-later */
/* must.c - allocation that ends the program when memory is short. */
#include "must.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

#include "../models/error.h"

static void *checked(void *memory)
{
	if (memory)
		return memory;
	if (fputs("zonesim: out of memory\n", stderr) == EOF)
		abort();
	exit(EXIT_RUN_FAILED);
}

void *must_calloc(size_t nr, size_t size)
{
	/* Never ask for nothing: calloc may then answer NULL. */
	return checked(calloc(nr ? nr : 1, size));
}

void *must_realloc(void *old, size_t nr, size_t size)
{
	return checked(reallocarray(old, nr ? nr : 1, size));
}

char *must_format(const char *format, ...)
{
	char *text = NULL;
	va_list args;
	int length;

	va_start(args, format);
	length = vasprintf(&text, format, args);
	va_end(args);
	return checked(length < 0 ? NULL : text);
}
