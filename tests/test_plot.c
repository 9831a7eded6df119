/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_plot.c - pictures: nothing left out, nothing half written, every failure with its reason. */
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <dirent.h>
#include <unistd.h>

#include <cmocka.h>

#include "../models/error.h"
#include "../results/gnuplot.h"
#include "../results/plot.h"
#include "sample.h"

#define BASE NULL
#define PICK "pick-outside-lock"
#define INLINE "inline-rmqueue"

static const struct sample pairs[] = {
	{"broadwell-2s", "v4.15", BASE, INLINE, 88, 31, 186, 9.00e6, 4.5e4, 70, 7},
	{"broadwell-2s", "v4.15", PICK, INLINE, 88, 31, 186, 9.45e6, 4.5e4, 60, 12},
	{"skylake-2s", "v4.15", BASE, INLINE, 112, 31, 186, 8e6, 4e4, 70, 7},
	{"skylake-2s", "v4.15", PICK, INLINE, 112, 31, 186, 7.6e6, 4e4, 60, 12},
};

/* A directory of this test's own, and the picture in it. */
static char directory[] = "/tmp/zonesim-test-XXXXXX";
static char picture[64];

static int make_directory(void **state)
{
	(void)state;
	if (!mkdtemp(directory))
		return -1;
	snprintf(picture, sizeof(picture), "%s/out.svg", directory);
	return 0;
}

static int remove_directory(void **state)
{
	(void)state;
	return rmdir(directory);
}

static size_t files_in_directory(void)
{
	DIR *dir = opendir(directory);
	size_t nr = 0;

	assert_non_null(dir);
	for (struct dirent *entry; (entry = readdir(dir));)
		nr += entry->d_name[0] != '.';
	assert_int_equal(closedir(dir), 0);
	return nr;
}

/* Plot the samples and return the SVG, which the caller frees. The file is gone again. */
static char *plotted(const char *scenario, const struct sample *samples, size_t nr)
{
	json_t *document = sample_document(scenario, samples, nr);
	struct error err = {""};
	char *svg;

	if (plot_grouped_bars(document, picture, &err) != 0)
		fail_msg("%s", err.text);
	assert_string_equal(err.text, "");
	json_decref(document);
	assert_int_equal(files_in_directory(), 1);
	svg = sample_read_file(picture);
	assert_int_equal(unlink(picture), 0);
	return svg;
}

static void assert_shows(const char *svg, const char *text)
{
	if (!strstr(svg, text))
		fail_msg("the picture does not show \"%s\"", text);
}

/* Steals @document. */
static void assert_refused(json_t *document, const char *path, const char *reason)
{
	struct error err = {""};

	assert_int_equal(plot_grouped_bars(document, path, &err), -1);
	if (!strstr(err.text, reason))
		fail_msg("\"%s\" lacks \"%s\"", err.text, reason);
	json_decref(document);
}

static void bars_show_every_series(void **state)
{
	char *svg = plotted("A title", pairs, 4);

	(void)state;
	assert_shows(svg, ">A title<");
	assert_shows(svg, ">million pages/s<");
	assert_shows(svg, ">simulated, base<");
	assert_shows(svg, ">simulated, pick-outside-lock<");
	assert_shows(svg, ">published, base<");
	assert_shows(svg, ">published, pick-outside-lock<");
	assert_shows(svg, ">broadwell-2s<");
	assert_shows(svg, ">skylake-2s<");
	assert_shows(svg, ">tasks 112<");
	assert_shows(svg, ">+5.0%<"); /* simulated */
	assert_shows(svg, ">±0.7<");
	assert_shows(svg, ">-5.0%<");
	assert_shows(svg, ">+6.3%<"); /* published */
	assert_shows(svg, ">+4.6%<");
	assert_shows(svg, "Simulated with zonesim 0.0.test: v4.15, page_fault1, ");
	assert_shows(svg, "00000000.<");
	assert_shows(svg, "Published: Aaron Lu");
	/* Readable also on a dark page. */
	assert_shows(svg, "fill=\"#ffffff\"");
	free(svg);
}

static void missing_bars_are_named(void **state)
{
	static const struct sample holes[] = {
		{"broadwell-2s", "v4.15", BASE, INLINE, 88, 31, 186, .failure = "out of memory"},
		{"broadwell-2s", "v4.15", PICK, INLINE, 88, 31, 186, 9.45e6, 4.5e4, 60, 12},
		{"skylake-2s", "v4.15", PICK, INLINE, 112, 31, 186, 7.6e6, 4e4, 60, 12},
	};
	char *svg = plotted("A title", holes, 3);

	(void)state;
	assert_shows(svg, ">failed<");
	assert_shows(svg, ">not run<");
	assert_shows(svg, "FAILED points are missing");
	free(svg);
}

static void numbers_that_vary_make_lines(void **state)
{
	static const struct sample grown[] = {
		{"skylake-2s", "v4.15", BASE, INLINE, 1, 31, 186, 0.6e6, 1e3, 0, 0},
		{"skylake-2s", "v4.15", BASE, INLINE, 56, 31, 186, 7e6, 1e4, 50, 0},
		{"skylake-2s", "v4.15", BASE, INLINE, 112, 31, 186, 8e6, 1e4, 70, 0},
		{"skylake-4s", "v4.15", BASE, INLINE, 1, 31, 186, 0.6e6, 1e3, 0, 0},
		{"skylake-4s", "v4.15", BASE, INLINE, 96, 31, 186, .failure = "out of memory"},
	};
	char *svg = plotted("A title", grown, 5);

	(void)state;
	assert_shows(svg, ">simulated, skylake-2s<");
	assert_shows(svg, ">simulated, skylake-4s<");
	assert_shows(svg, ">published, skylake-2s<");
	assert_null(strstr(svg, ">published, skylake-4s<"));
	assert_shows(svg, ">tasks<");
	assert_shows(svg, "FAILED points are missing");
	free(svg);
}

static void high_follows_batch(void **state)
{
	static const struct sample swept[] = {
		{"skylake-4s", "v4.15", BASE, INLINE, 192, 31, 186, 15e6, 4e4, 60, 9},
		{"skylake-4s", "v4.15", BASE, INLINE, 192, 63, 378, 18e6, 6e4, 22, 47},
	};
	char *svg = plotted("A title", swept, 2);

	(void)state;
	assert_shows(svg, ">pcp.batch<");
	assert_shows(svg, ">simulated<");
	free(svg);
}

/* What is special to gnuplot, to its enhanced text, to a shell and to XML. */
static void names_are_taken_as_they_are(void **state)
{
	static const struct sample odd[] = {
		{"it's_a{b}^2&<c>", "v4.15", BASE, INLINE, 8, 31, 186, 8e6, 4e4, 70, 7},
		{"it's_a{b}^2&<c>", "v4.15", PICK, INLINE, 8, 31, 186, 9e6, 4e4, 70, 7},
		{"%s@x \"q\" \\n", "v4.15", BASE, INLINE, 8, 31, 186, 8e6, 4e4, 70, 7},
	};
	char *svg =
		plotted("100% `touch /tmp/zonesim-test-touched` $(ls)\n'; exit a_{b}^2", odd, 3);

	(void)state;
	assert_shows(svg, ">it's_a{b}^2&amp;&lt;c><");
	assert_shows(svg, ">%s@x \"q\" \\n<");
	assert_shows(svg, ">100% `touch /tmp/zonesim-test-touched` $(ls) '; exit a_{b}^2<");
	assert_int_equal(access("/tmp/zonesim-test-touched", F_OK), -1);
	free(svg);
}

static void nothing_to_plot_is_an_error(void **state)
{
	static const struct sample failed[] = {
		{"skylake-4s", "v4.15", BASE, INLINE, 192, 31, 186, .failure = "out of memory"},
		{"skylake-4s", "v4.15", PICK, INLINE, 192, 31, 186, .failure = "out of memory"},
	};

	(void)state;
	assert_refused(sample_document("A title", NULL, 0), picture, "no points");
	assert_refused(sample_document("A title", failed, 2), picture, "nothing to plot");
	assert_refused(json_object(), picture, "not a zonesim document");
	assert_int_equal(files_in_directory(), 0);
}

static void missing_gnuplot_says_how_to_get_it(void **state)
{
	char *path = strdup(getenv("PATH"));

	(void)state;
	assert_non_null(path);
	assert_int_equal(setenv("PATH", directory, 1), 0);
	assert_refused(
		sample_document("A title", pairs, 4), picture, "apt-get install gnuplot-nox");
	assert_int_equal(setenv("PATH", path, 1), 0);
	assert_int_equal(files_in_directory(), 0);
	free(path);
}

static void complaints_of_gnuplot_are_passed_on(void **state)
{
	FILE *script = tmpfile(), *output = tmpfile();
	struct error err = {""};

	(void)state;
	assert_non_null(script);
	assert_non_null(output);
	assert_true(fputs("set nonsense\n", script) != EOF);
	assert_int_equal(gnuplot_run(script, output, &err), -1);
	assert_non_null(strstr(err.text, "gnuplot could not draw the picture"));
	assert_non_null(strstr(err.text, "set nonsense"));
	fclose(script);
	fclose(output);
}

static void bad_targets_are_named(void **state)
{
	(void)state;
	assert_refused(sample_document("A title", pairs, 4), "/nowhere/out.svg",
		"/nowhere/out.svg: No such file or directory");
	assert_refused(sample_document("A title", pairs, 4), directory, "not a regular file");
	assert_refused(sample_document("A title", pairs, 4), "/dev/null", "not a regular file");
	assert_int_equal(files_in_directory(), 0);
}

/* The picture replaces an old one through a link, with the permissions of a new file. */
static void old_picture_is_replaced(void **state)
{
	char link[64];
	struct stat status;
	FILE *old = fopen(picture, "we");
	json_t *document = sample_document("A title", pairs, 4);
	struct error err = {""};
	char *svg;

	(void)state;
	assert_non_null(old);
	assert_int_equal(fclose(old), 0);
	snprintf(link, sizeof(link), "%s/link.svg", directory);
	assert_int_equal(symlink("out.svg", link), 0);
	(void)umask(022);
	assert_int_equal(plot_grouped_bars(document, link, &err), 0);
	assert_int_equal(lstat(link, &status), 0);
	assert_true(S_ISLNK(status.st_mode));
	assert_int_equal(stat(picture, &status), 0);
	assert_int_equal(status.st_mode & 0777, 0644);
	svg = sample_read_file(picture);
	assert_shows(svg, "</svg>");
	free(svg);
	assert_int_equal(files_in_directory(), 2);
	assert_int_equal(unlink(link), 0);
	assert_int_equal(unlink(picture), 0);
	json_decref(document);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(bars_show_every_series),
		cmocka_unit_test(missing_bars_are_named),
		cmocka_unit_test(numbers_that_vary_make_lines),
		cmocka_unit_test(high_follows_batch),
		cmocka_unit_test(names_are_taken_as_they_are),
		cmocka_unit_test(nothing_to_plot_is_an_error),
		cmocka_unit_test(missing_gnuplot_says_how_to_get_it),
		cmocka_unit_test(complaints_of_gnuplot_are_passed_on),
		cmocka_unit_test(bad_targets_are_named),
		cmocka_unit_test(old_picture_is_replaced),
	};

	return cmocka_run_group_tests(tests, make_directory, remove_directory);
}
