/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * sample.h - documents made by hand, for the tests of results/.
 */
#ifndef ZONESIM_TESTS_SAMPLE_H
#define ZONESIM_TESTS_SAMPLE_H

#include <jansson.h>

/* One point, by the figures that matter to a test. */
struct sample {
	const char *machine, *kernel;
	const char *patch;     /* what the scenario adds; NULL for none */
	const char *effective; /* what the release has by itself, in words; NULL for none */
	int tasks, batch, high;
	double score, ci95;  /* pages/s */
	double zone, lru;    /* percent */
	const char *status;  /* NULL for "ok" */
	const char *failure; /* NULL unless it failed */
};

/* A document of @nr points. Never NULL: a test ends when memory is short. */
json_t *sample_document(const char *scenario, const struct sample *samples, size_t nr);

/* The contents of a file, which the caller frees. The test fails when it can not be read. */
char *sample_read_file(const char *path);

#endif
