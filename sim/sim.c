/* SPDX-License-Identifier: GPL-3.0-or-later */
/* sim.c - how a simulation ends, and host time. */

#include "sim.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "../models/error.h"

bool sim_stopping;

static char failure[256];

void sim_fail(const char *format, ...)
{
	va_list args;

	sim_stopping = true;
	if (failure[0])
		return;
	va_start(args, format);
	(void)vsnprintf(failure, sizeof(failure), format, args);
	va_end(args);
}

void sim_broken(const char *format, ...)
{
	va_list args;

	va_start(args, format);
	(void)vfprintf(stderr, format, args);
	va_end(args);
	(void)fputc('\n', stderr);
	_Exit(EXIT_BROKEN);
}

const char *sim_failure(void)
{
	return failure[0] ? failure : NULL;
}

double host_seconds(void)
{
	struct timespec t;

	(void)clock_gettime(CLOCK_MONOTONIC, &t);
	return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}
