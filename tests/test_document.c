// SPDX-License-Identifier: GPL-3.0-or-later
/*
 * test_document.c - what is read from YAML, and what is refused, with its place.
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

#include "../models/document.h"
#include "../models/error.h"

/* Read @text, of which nothing is wrong. */
static void parse(struct document *d, const char *text)
{
	struct error err = {""};

	if (document_parse(d, "t", text, 0, &err) < 0)
		fail_msg("%s", err.text);
}

static void refuses(const char *text, const char *expected)
{
	struct document d;
	struct error err = {""};

	assert_int_equal(document_parse(&d, "t", text, 0, &err), -1);
	assert_string_equal(err.text, expected);
}

static void finds_values(void **state)
{
	struct document d;
	const node *list;

	(void)state;
	parse(&d, "a: 1\nb: [x, {y: z}]\n");
	assert_int_equal(node_count(document_root(&d)), 2);
	assert_string_equal(node_text(node_find(&d, document_root(&d), "a")), "1");
	assert_null(node_find(&d, document_root(&d), "c"));
	list = node_find(&d, document_root(&d), "b");
	assert_null(node_text(list));
	assert_int_equal(node_count(list), 2);
	assert_string_equal(node_text(node_find(&d, node_item(&d, list, 1), "y")), "z");
	document_free(&d);
}

static void last_line_needs_no_newline(void **state)
{
	struct document d;

	(void)state;
	parse(&d, "a: 1\nb: 2");
	assert_string_equal(node_text(node_find(&d, document_root(&d), "b")), "2");
	document_free(&d);
}

static void lines_may_end_as_in_dos(void **state)
{
	struct document d;
	struct error err = {""};

	(void)state;
	parse(&d, "a: 1\r\nb: 2\r\n");
	assert_string_equal(node_text(node_find(&d, document_root(&d), "a")), "1");
	node_error(&d, node_find(&d, document_root(&d), "b"), &err, "here");
	assert_string_equal(err.text, "t:2:4: here\n    b: 2\n       ^\n");
	document_free(&d);
}

/* The caret counts characters, not bytes. */
static void places_count_characters(void **state)
{
	struct document d;
	struct error err = {""};

	(void)state;
	parse(&d, "\"häß\": {b: 2}\n");
	node_error(&d, node_value(&d, document_root(&d), 0), &err, "here");
	assert_string_equal(err.text, "t:1:8: here\n    \"häß\": {b: 2}\n           ^\n");
	document_free(&d);
}

static void arguments_are_shown_whole(void **state)
{
	struct document d;
	struct error err = {""};

	(void)state;
	assert_int_equal(document_parse(&d, "--set", "a.b=[1, 2]", 4, &err), 0);
	node_error(&d, node_item(&d, document_root(&d), 1), &err, "here");
	assert_string_equal(err.text, "--set:1:9: here\n    a.b=[1, 2]\n            ^\n");
	document_free(&d);
}

static void refuses_what_is_not_yaml(void **state)
{
	(void)state;
	refuses("a: [1, 2\n",
		"t:1:9: not valid YAML: did not find expected ',' or ']'"
		" (while parsing a flow sequence of line 1)\n    a: [1, 2\n            ^\n");
	refuses("a: \"x\n",
		"t:1:6: not valid YAML: found unexpected end of stream"
		" (while scanning a quoted scalar of line 1)\n    a: \"x\n         ^\n");
	refuses("", "zonesim: t is empty\n");
	refuses("# nothing\n", "zonesim: t is empty\n");
}

static void refuses_tabs(void **state)
{
	(void)state;
	refuses("a:\n\tb: 1\n", "t:2:1: a tab in the indentation: use spaces\n     b: 1\n    ^\n");
	refuses("a:\n  \tb: 1\n",
		"t:2:3: a tab in the indentation: use spaces\n       b: 1\n      ^\n");
}

static void refuses_bytes_that_are_not_text(void **state)
{
	(void)state;
	refuses("a: 1\nb: \xff\n",
		"t:2:4: not UTF-8 text: invalid leading UTF-8 octet\n    b: \xff\n       ^\n");
	refuses("a: \"\\0\"\n", "t:1:4: a NUL character in a value\n    a: \"\\0\"\n       ^\n");
}

static void refuses_duplicate_keys(void **state)
{
	(void)state;
	refuses("a: 1\nb: {c: 1, d: 2, c: 3}\n",
		"t:2:17: 'c' is given twice\n    b: {c: 1, d: 2, c: 3}\n                    ^\n");
	refuses("[a]: 1\n", "t:1:1: a key must be a name\n    [a]: 1\n    ^\n");
}

/* A few lines of aliases could stand for gigabytes. */
static void refuses_aliases(void **state)
{
	static const char *const texts[] = {"a: &x 1\n", "a: !!int 1\n", "a: !x {}\n", "a: &y [1]"};

	(void)state;
	for (size_t i = 0; i < sizeof(texts) / sizeof(texts[0]); i++) {
		struct document d;
		struct error err = {""};

		assert_int_equal(document_parse(&d, "t", texts[i], 0, &err), -1);
		assert_non_null(strstr(err.text, "t:1:4: anchors (&), aliases (*) and tags (!)"));
	}
}

static void refuses_a_second_document(void **state)
{
	(void)state;
	refuses("a: 1\n---\nb: 2\n", "t:2:1: a second document: a file holds only one\n"
				     "    ---\n    ^\n");
}

static void counts_levels(void **state)
{
	struct document d;

	(void)state;
	parse(&d, "[[[[[[[[[[[[[[[[]]]]]]]]]]]]]]]]");
	document_free(&d);
	refuses("[[[[[[[[[[[[[[[[[]]]]]]]]]]]]]]]]]",
		"t:1:17: nested deeper than 16 levels\n"
		"    [[[[[[[[[[[[[[[[[]]]]]]]]]]]]]]]]]\n                    ^\n");
}

/* @count times @piece after @start: to be refused for @reason, in little time and memory. */
static void refuses_many(const char *start, const char *piece, size_t count, const char *reason)
{
	size_t length = strlen(piece);
	char *text = malloc(strlen(start) + length * count + 1);
	struct error err = {""};
	struct document d;

	assert_non_null(text);
	strcpy(text, start);
	for (size_t i = 0, end = strlen(start); i < count; i++)
		strcpy(text + end + i * length, piece);
	assert_int_equal(document_parse(&d, "t", text, 0, &err), -1);
	free(text);
	if (!strstr(err.text, reason))
		fail_msg("%s", err.text);
}

static void refuses_too_much(void **state)
{
	char keys[16 * 1100] = "";

	(void)state;
	refuses_many("", "[", 500000, "t:1:17: nested deeper than 16 levels");
	refuses_many("", "- ", 500000, "t:1:33: nested deeper than 16 levels");
	refuses_many("", "{a: ", 200000, "nested deeper than 16 levels");
	refuses_many("a: [", "1,", 100000, "t:1:99999: more than 50000 values");
	for (int i = 0; i < 1001; i++)
		sprintf(keys + strlen(keys), "k%d: 1\n", i);
	refuses_many(keys, "", 0, "t:1:1: more than 1000 keys");
}

/* A file of @size bytes, sparse. Its name is put into @path. */
static void make_file(char *path, off_t size)
{
	int fd;

	strcpy(path, "/tmp/zonesim-test-XXXXXX");
	fd = mkstemp(path);
	assert_true(fd >= 0);
	assert_int_equal(ftruncate(fd, size), 0);
	close(fd);
}

static void refuses_files(const char *path, const char *reason)
{
	struct document d;
	struct error err = {""};
	char expected[256];

	snprintf(expected, sizeof(expected), reason, path);
	assert_int_equal(document_load(&d, path, &err), -1);
	assert_string_equal(err.text, expected);
}

static void refuses_files_that_can_not_be_meant(void **state)
{
	char path[64];

	(void)state;
	refuses_files("/nonexistent/x", "zonesim: can not open %s: No such file or directory\n");
	refuses_files("/tmp", "zonesim: %s is a directory: expected a YAML file\n");
	refuses_files("/dev/null", "zonesim: %s is empty\n");
	refuses_files("/dev/zero", "zonesim: %s is larger than 1 MiB: not a file of zonesim's\n");
	make_file(path, 100000000);
	refuses_files(path, "zonesim: %s is larger than 1 MiB: not a file of zonesim's\n");
	unlink(path);
	make_file(path, 0);
	refuses_files(path, "zonesim: %s is empty\n");
	unlink(path);
	make_file(path, 10);
	refuses_files(path, "%s:1:1: a NUL byte: this is not a text file\n    \n    ^\n");
	unlink(path);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(finds_values),
		cmocka_unit_test(last_line_needs_no_newline),
		cmocka_unit_test(lines_may_end_as_in_dos),
		cmocka_unit_test(places_count_characters),
		cmocka_unit_test(arguments_are_shown_whole),
		cmocka_unit_test(refuses_what_is_not_yaml),
		cmocka_unit_test(refuses_tabs),
		cmocka_unit_test(refuses_bytes_that_are_not_text),
		cmocka_unit_test(refuses_duplicate_keys),
		cmocka_unit_test(refuses_aliases),
		cmocka_unit_test(refuses_a_second_document),
		cmocka_unit_test(counts_levels),
		cmocka_unit_test(refuses_too_much),
		cmocka_unit_test(refuses_files_that_can_not_be_meant),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
