// SPDX-License-Identifier: GPL-3.0-or-later
/*
 * test_machine.c - the machine files that come with zonesim, and broken copies of them.
 */
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
#include "../models/figures.h"
#include "../models/coefficients.h"
#include "../models/machine.h"
#include "../models/paths.h"

static void load(struct machine *m, const char *name)
{
	struct error err = {""};

	if (machine_load(m, name, &err) < 0)
		fail_msg("%s", err.text);
}

static void all_machines_load(void **state)
{
	static const struct {
		const char *name;
		unsigned int cpus;
	} expected[] = {{"broadwell-1s", 12}, {"broadwell-2s", 88}, {"broadwell-4s", 192},
		{"cascadelake-2s", 96}, {"icelake-2s", 128}, {"skylake-1s", 8}, {"skylake-2s", 112},
		{"skylake-4s", 192}};
	struct error err;
	char **names;
	int count = machine_list(&names, &err);

	(void)state;
	assert_int_equal(count, 8);
	for (int i = 0; i < count; i++) {
		struct machine m;

		assert_string_equal(names[i], expected[i].name);
		load(&m, names[i]);
		assert_string_equal(m.name, names[i]);
		assert_int_equal(machine_cpus(&m), expected[i].cpus);
		machine_free(&m);
	}
	names_free(names, count);
}

static void figures_are_in_base_units(void **state)
{
	struct machine m;

	(void)state;
	load(&m, "skylake-2s");
	assert_true(m.memory == 64.0 * (1 << 30));
	assert_true(m.clock == 2.5e9);
	assert_true(m.pause == 140);
	assert_true(m.llc_size == 38.5 * (1 << 20));
	assert_false(m.llc_inclusive);
	assert_float_equal(m.dram_local * 1e9, 81, 1e-9);
	assert_true(m.read_bandwidth == 108e9);
	machine_free(&m);
	load(&m, "broadwell-2s");
	assert_true(m.llc_inclusive);
	assert_true(m.pause == 9.5);
	machine_free(&m);
}

/* Every field of the record is filled: no figure reads two fields, none is left out. */
static void every_figure_is_kept(void **state)
{
	struct machine m;

	(void)state;
	load(&m, "broadwell-4s");
	assert_int_equal(m.nr_figures, nr_machine_figures);
	for (size_t i = 0; i < nr_machine_figures; i++) {
		const struct figure *f = &m.figures[i];
		double value = figure_value(&m, &machine_figures[i]);

		assert_string_equal(f->key, machine_figures[i].key);
		assert_true(value > 0);
		assert_true(f->low <= value && value <= f->high);
		assert_true(strlen(f->source) > 3);
		for (size_t j = 0; j < i; j++)
			assert_int_not_equal(machine_figures[i].offset, machine_figures[j].offset);
	}
	assert_string_equal(m.figures[26].key, "dram-local");
	assert_string_equal(m.figures[26].text, "123 ns");
	assert_int_equal(m.figures[26].mark, FIGURE_DERIVED);
	assert_float_equal(m.figures[26].low * 1e9, 98.4, 1e-9);
	assert_float_equal(m.figures[26].high * 1e9, 147.6, 1e-9);
	machine_free(&m);
}

/* One socket: nothing lies between sockets, and the other figures stay with their keys. */
static void one_socket_has_fewer_figures(void **state)
{
	struct machine m;

	(void)state;
	load(&m, "skylake-1s");
	assert_int_equal(m.nr_figures, nr_machine_figures - 3);
	assert_true(m.dram_remote == 0 && m.dirty_other_socket == 0 && m.socket_bandwidth == 0);
	for (size_t i = 0; i < m.nr_figures; i++) {
		assert_string_equal(m.figures[i].key, m.figures[i].info->key);
		assert_false(m.figures[i].info->between_sockets);
		assert_true(figure_value(&m, m.figures[i].info) > 0);
	}
	assert_string_equal(m.figures[m.nr_figures - 1].key, "clear-page-cold");
	assert_float_equal(m.dirty_same_socket * 1e9, 19.5, 1e-9);
	machine_free(&m);
}

/* The text of skylake-2s. The caller frees it. */
static char *machine_text(void)
{
	char *path = data_path("models", "skylake-2s", ".yaml"), *text = calloc(1, 1 << 16);
	FILE *file;

	assert_non_null(path);
	assert_non_null(text);
	file = fopen(path, "r");
	assert_non_null(file);
	assert_true(fread(text, 1, (1 << 16) - 1, file) > 1000);
	fclose(file);
	free(path);
	return text;
}

/* Put @replacement where skylake-2s says @original, and load that. Returns what is said of it. */
static const char *load_changed(const char *original, const char *replacement)
{
	static struct error err;
	char *text = machine_text(), *at = strstr(text, original), path[] = "/tmp/zonesim-XXXXXX";
	struct machine m;
	FILE *file;

	assert_non_null(at);
	file = fdopen(mkstemp(path), "w");
	assert_non_null(file);
	fprintf(file, "%.*s%s%s", (int)(at - text), text, replacement, at + strlen(original));
	fclose(file);
	free(text);
	err.text[0] = '\0';
	if (machine_load(&m, path, &err) == 0)
		machine_free(&m);
	unlink(path);
	return strncmp(err.text, path, strlen(path)) == 0 ? err.text + strlen(path) : err.text;
}

static void refuses(const char *original, const char *replacement, const char *expected)
{
	const char *said = load_changed(original, replacement);
	const char *newline = strchr(said, '\n');

	if (!newline || strncmp(said, expected, strlen(expected)) != 0 ||
		newline != said + strlen(expected))
		fail_msg("expected '%s', got '%s'", expected, said);
}

static void refuses_a_missing_figure(void **state)
{
	(void)state;
	refuses("pause: {value: 140 cycles, mark: V, ", "# ",
		":7:1: pause is missing: length of one PAUSE, of which a spinning CPU does many, "
		"a number of cycles such as 140 cycles");
	refuses("value: 140 cycles, ", "",
		":26:8: pause has no value: expected a number of cycles "
		"such as 140 cycles");
	refuses("name: skylake-2s\n", "", ":7:1: name is missing");
	refuses("dirty-other-socket: {", "# ",
		":7:1: dirty-other-socket is missing: getting a line that a core of another socket "
		"modified, a time such as 50ns (ps, ns, us, ms, s)");
}

static void refuses_figures_between_one_socket(void **state)
{
	(void)state;
	refuses("sockets: {value: 2", "sockets: {value: 1",
		":44:14: dram-remote: the machine has one socket; leave it out");
}

static void refuses_a_figure_that_is_none(void **state)
{
	(void)state;
	refuses("value: 140 cycles", "value: -140 cycles",
		":26:16: pause: -140 cycles is out of bounds: 1 cycles to 1000 cycles");
	refuses("value: 140 cycles", "value: nan",
		":26:16: pause: 'nan' is not a number of cycles such as 140 cycles");
	refuses("value: 140 cycles", "value: 140 ns",
		":26:16: pause: '140 ns' has the wrong unit 'ns': expected a number of cycles such "
		"as "
		"140 cycles");
	refuses("{value: 140 cycles", "[value",
		":26:93: not valid YAML: did not find expected ',' or ']'");
	refuses("threads-per-core: {value: 2", "threads-per-core: {value: 4",
		":13:27: threads-per-core: 4 is out of bounds: 1 to 2");
}

static void refuses_a_figure_without_origin(void **state)
{
	(void)state;
	refuses("140 cycles, mark: V,", "140 cycles,",
		":26:8: pause has no mark: say how sure it is (V, V~, D or M)");
	refuses("140 cycles, mark: V,", "140 cycles, mark: W,",
		":26:34: pause: unknown mark 'W': V, V~, D or M");
	refuses("mark: V, source: \"Intel Optimization Manual; InstLatx64 dump, Skylake server\"",
		"mark: V", ":26:8: pause has no source: say where it comes from");
}

static void refuses_figures_that_contradict(void **state)
{
	(void)state;
	refuses("l2-size: {value: 1 MiB", "l2-size: {value: 16 KiB",
		":31:11: l1d-size is larger than l2-size");
	refuses("value: 54 ns, low: 45 ns", "value: 54 ns, low: 55 ns",
		":46:40: dirty-same-socket, low: 55 ns is out of bounds: 100 ps to 54 ns");
	refuses("value: 54 ns, low: 45 ns", "value: 54 ns, spread: 10%, low: 45 ns",
		":46:43: dirty-same-socket: either a spread, or low and high");
}

static void refuses_an_unknown_key(void **state)
{
	(void)state;
	refuses("pause:", "pawse:",
		":26:1: unknown key 'pawse' in a machine file: did you mean 'pause'?");
	refuses("140 cycles, mark", "140 cycles, marc",
		":26:28: unknown key 'marc' in pause: did you mean 'mark'?");
}

static void knows_what_was_meant(void **state)
{
	struct machine m;
	struct error err;

	(void)state;
	assert_int_equal(machine_load(&m, "skylake2s", &err), -1);
	assert_string_equal(
		err.text, "zonesim: unknown machine 'skylake2s': did you mean 'skylake-2s'?\n");
	assert_int_equal(machine_load(&m, "", &err), -1);
	assert_string_equal(err.text, "zonesim: unknown machine '': see `zonesim list machines`\n");
}

static void coefficients_load_too(void **state)
{
	struct coefficients costs;
	struct error err = {""};

	(void)state;
	if (coefficients_load(&costs, &err) < 0)
		fail_msg("%s", err.text);
	assert_true(costs.fault_path > 0 && costs.unmap_path > 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(all_machines_load),
		cmocka_unit_test(figures_are_in_base_units),
		cmocka_unit_test(every_figure_is_kept),
		cmocka_unit_test(one_socket_has_fewer_figures),
		cmocka_unit_test(refuses_a_missing_figure),
		cmocka_unit_test(refuses_figures_between_one_socket),
		cmocka_unit_test(refuses_a_figure_that_is_none),
		cmocka_unit_test(refuses_a_figure_without_origin),
		cmocka_unit_test(refuses_figures_that_contradict),
		cmocka_unit_test(refuses_an_unknown_key),
		cmocka_unit_test(knows_what_was_meant),
		cmocka_unit_test(coefficients_load_too),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
