/* SPDX-License-Identifier: GPL-3.0-or-later */
/* sample.c - documents made by hand, for the tests of results/. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "sample.h"

/* An array of the words of @words, then @last; either may be NULL. */
static json_t *names(const char *words, const char *last)
{
	json_t *array = json_array();

	while (words && *words) {
		size_t length = strcspn(words, " ");

		assert_int_equal(json_array_append_new(array, json_stringn(words, length)), 0);
		words += length + strspn(words + length, " ");
	}
	if (last)
		assert_int_equal(json_array_append_new(array, json_string(last)), 0);
	return array;
}

static json_t *metric(double mean, double ci95, const char *unit, const char *help)
{
	return json_pack(
		"{s:f, s:f, s:s, s:s}", "mean", mean, "ci95", ci95, "unit", unit, "help", help);
}

static json_t *metrics(const struct sample *s)
{
	if (s->failure)
		return json_object();
	return json_pack("{s:o, s:o, s:o, s:o}", "score",
		metric(s->score, s->ci95, "pages/s", "Pages faulted per second."),
		"per_process_ops",
		metric(s->score / s->tasks, s->ci95 / s->tasks, "pages/s per task",
			"Score by tasks."),
		"zone_lock_spin_share", metric(s->zone, 0.5, "percent", "Spinning."),
		"lru_lock_spin_share", metric(s->lru, 0.5, "percent", "Spinning."));
}

static json_t *point(const struct sample *s, size_t i)
{
	json_t *config = json_pack("{s:s, s:s, s:o, s:o, s:s, s:i, s:{s:i, s:i}, s:i}", "machine",
		s->machine, "kernel", s->kernel, "patches", names(NULL, s->patch),
		"effective_patches", names(s->effective, s->patch), "workload", "page_fault1",
		"tasks", s->tasks, "pcp", "batch", s->batch, "high", s->high, "seed", 1);
	char fingerprint[24];
	json_t *json;

	snprintf(fingerprint, sizeof(fingerprint), "%016zx", 0xabc0 + i);
	json = json_pack("{s:s, s:s, s:o, s:o}", "fingerprint", fingerprint, "status",
		s->failure  ? "failed"
		: s->status ? s->status
			    : "ok",
		"config", config, "metrics", metrics(s));
	assert_non_null(json);
	if (s->failure)
		assert_int_equal(json_object_set_new(json, "failure", json_string(s->failure)), 0);
	return json;
}

json_t *sample_document(const char *scenario, const struct sample *samples, size_t nr)
{
	json_t *points = json_array();
	json_t *document;

	for (size_t i = 0; i < nr; i++)
		assert_int_equal(json_array_append_new(points, point(&samples[i], i)), 0);
	document = json_pack(
		"{s:s, s:s, s:o}", "zonesim", "0.0.test", "scenario", scenario, "points", points);
	assert_non_null(document);
	return document;
}

char *sample_read_file(const char *path)
{
	FILE *in = fopen(path, "re");
	char *text = NULL;
	size_t size = 0, got = 0;

	assert_non_null(in);
	do {
		size += got;
		text = realloc(text, size + 4097);
		assert_non_null(text);
		got = fread(text + size, 1, 4096, in);
	} while (got > 0);
	text[size] = '\0';
	assert_int_equal(fclose(in), 0);
	return text;
}
