/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_chart.c - what charts hand to gnuplot. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "../models/error.h"
#include "../results/chart.h"
#include "../results/rows.h"
#include "../results/store.h"
#include "sample.h"

static char path[64];

/* A store with a point for each sample; the seed of point i is seeds[i], its lock as below. */
static struct store *store_of(const struct sample *samples, const int *seeds, size_t nr)
{
	json_t *document = sample_document("s", samples, nr);
	struct store *store;
	struct error err;
	int status;

	snprintf(path, sizeof(path), "/tmp/zonesim-chart-%ld.db", (long)getpid());
	store = store_open(path, STORE_WRITE, 1000, &status, &err);
	assert_non_null(store);
	for (size_t i = 0; i < nr; i++) {
		json_t *point = json_array_get(json_object_get(document, "points"), i);

		(void)json_object_set_new(
			json_object_get(point, "config"), "seed", json_integer(seeds[i]));
		(void)json_object_set_new(point, "locks",
			json_pack("[{s:s, s:i, s:i, s:i, s:i, s:[i, i, i, i], s:[]}]", "name",
				"zone->lock node 0", "con_bounces", 0, "contentions", 0,
				"acq_bounces", 0, "acquisitions", 10, "hold_histogram", 0, 1, 0, 3,
				"wait_histogram"));
		if (store_put(store, point, &err) < 0)
			fail_msg("%s", err.text);
	}
	json_decref(document);
	return store;
}

/* The script for a picture of all points. The caller frees it. */
static char *script_of(struct store *store, const char *kind, struct error *err)
{
	static char names[][24] = {"score", "zone_lock_spin_share", "lru_lock_spin_share"};
	char *metrics[] = {names[0], names[1], names[2]};
	bool spin = strcmp(kind, "spin") == 0;
	struct selection *selection = selection_make(store, NULL, 0, err);
	struct chart_request request = {.store = store};
	struct rows rows;
	char *text = NULL;
	size_t size;
	FILE *script = open_memstream(&text, &size);

	assert_non_null(script);
	assert_int_equal(
		rows_load(&rows, selection, spin ? metrics + 1 : metrics, spin ? 2 : 1, err), 0);
	request.rows = &rows;
	err->text[0] = '\0';
	(void)chart_find(kind)->draw(script, &request, err);
	fclose(script);
	rows_free(&rows);
	selection_free(selection);
	return text;
}

static void end(struct store *store)
{
	store_close(store);
	unlink(path);
}

static void assert_has(const char *script, const char *text)
{
	if (!strstr(script, text))
		fail_msg("no \"%s\" in:\n%s", text, script);
}

static const struct sample batches[] = {
	{"m", "v4.15", NULL, NULL, 8, 31, 186, 1e6, 2e4, 60, 10, NULL, NULL},
	{"m", "v4.15", NULL, NULL, 8, 31, 186, 3e6, 2e4, 60, 10, NULL, NULL},
	{"m", "v4.15", NULL, NULL, 8, 31, 186, 2e6, 2e4, 60, 10, NULL, NULL},
	{"m", "v4.15", NULL, NULL, 8, 63, 378, 4e6, 2e4, 20, 45, NULL, NULL},
};

static void seeds_are_taken_together(void **state)
{
	static const int seeds[] = {1, 2, 3, 1};
	struct store *store = store_of(batches, seeds, 4);
	struct error err;
	char *script = script_of(store, "lines", &err);

	(void)state;
	/* The mean of three, and t(2) * 1e6 / sqrt(3); then a single run with its own interval. */
	assert_has(script, "$curve_0 << END\n31 2 2.48413");
	assert_has(script, "\n63 4 0.02 nan\nEND\n");
	assert_has(script, "score against pcp.batch");
	free(script);
	end(store);
}

static void shares_add_up_to_all(void **state)
{
	static const int seeds[] = {1, 2, 3, 1};
	struct store *store = store_of(batches, seeds, 4);
	struct error err;
	char *script = script_of(store, "spin", &err);

	(void)state;
	assert_has(script, "$stack << END\n0 31 60 10 30\n1 63 20 45 35\nEND\n");
	free(script);
	end(store);
}

/* Published: 64 and 8 percent at batch 31, 24 and 45 at 63; a stack has them one on the other. */
static void published_shares_are_marked_where_they_would_be(void **state)
{
	static const char effective[] = "inline-rmqueue pick-outside-lock prefetch-buddy";
	static const struct sample sweep[] = {
		{"skylake-4s", "v4.18", NULL, effective, 192, 31, 186, 1e6, 2e4, 40, 40, NULL,
			NULL},
		{"skylake-4s", "v4.18", NULL, effective, 192, 40, 240, 1e6, 2e4, 35, 45, NULL,
			NULL},
		{"skylake-4s", "v4.18", NULL, effective, 192, 63, 378, 1e6, 2e4, 30, 50, NULL,
			NULL},
	};
	static const int seeds[] = {1, 1, 1};
	struct store *store = store_of(sweep, seeds, 3);
	struct error err;
	char *script = script_of(store, "spin", &err);

	(void)state;
	assert_has(script, "$published << END\n0 64 72\n2 24 69\nEND\n");
	assert_has(script, "title 'published'");
	free(script);
	end(store);
}

static void times_of_locks_are_summed_up(void **state)
{
	static const int seeds[] = {1};
	struct store *store = store_of(batches, seeds, 1);
	struct error err;
	char *script = script_of(store, "holds", &err);

	(void)state;
	/* One of [2, 4) ns and three of [8, 16): a quarter up to 4 ns, all up to 16. */
	assert_has(script, "$times_0 << END\n2 0\n4 25\n8 25\n16 100\nEND\n");
	assert_has(script, "'LRU lock (never)'");
	free(script);
	script = script_of(store, "waits", &err);
	assert_has(err.text, "nothing to plot: no selected point has waits of locks");
	free(script);
	end(store);
}

static void maps_have_cells(void **state)
{
	static const struct sample samples[] = {
		{"m", "v4.15", NULL, NULL, 8, 31, 100, 1e6, 0, 0, 0, NULL, NULL},
		{"m", "v4.15", NULL, NULL, 8, 31, 200, 2e6, 0, 0, 0, NULL, NULL},
		{"m", "v4.15", NULL, NULL, 8, 63, 100, 3e6, 0, 0, 0, NULL, NULL},
	};
	static const int seeds[] = {1, 1, 1};
	struct store *store = store_of(samples, seeds, 3);
	struct error err;
	char *script = script_of(store, "map", &err);

	(void)state;
	assert_has(script, "$map << END\n0 0 1\n0 1 2\n1 0 3\nEND\n");
	assert_has(script, "set xtics ('31' 0, '63' 1)");
	free(script);
	end(store);
	/* Where high follows batch there is a line, and no map. */
	store = store_of(batches, seeds, 1);
	free(script_of(store, "map", &err));
	assert_has(err.text, "nothing to map");
	end(store);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(seeds_are_taken_together),
		cmocka_unit_test(shares_add_up_to_all),
		cmocka_unit_test(published_shares_are_marked_where_they_would_be),
		cmocka_unit_test(times_of_locks_are_summed_up),
		cmocka_unit_test(maps_have_cells),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
