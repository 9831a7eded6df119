// SPDX-License-Identifier: GPL-3.0-or-later
/*
 * test_paths.c - where data is looked for. The build takes this program for the installed one, with
 * its data in /share/zonesim and its source in /.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#include "../models/paths.h"

static void is_at(const char *expected)
{
	char *path = data_path("models", "skylake-1s", ".yaml");

	assert_string_equal(path, expected);
	free(path);
}

static void installed(void **state)
{
	(void)state;
	unsetenv("ZONESIM_DATA");
	is_at("/share/zonesim/models/skylake-1s.yaml");
}

static void told_by_environment(void **state)
{
	(void)state;
	setenv("ZONESIM_DATA", "mine", 1);
	is_at("mine/models/skylake-1s.yaml");
	setenv("ZONESIM_DATA", "", 1);
	is_at("/share/zonesim/models/skylake-1s.yaml");
}

/* A copy of this program in another place, which prints what it finds. */
static void not_installed(void **state)
{
	char directory[] = "/tmp/zonesim-paths-XXXXXX", command[4096], line[256] = "";
	FILE *out;

	(void)state;
	unsetenv("ZONESIM_DATA");
	assert_non_null(mkdtemp(directory));
	snprintf(command, sizeof(command), "cp /proc/%d/exe %s/copy && %s/copy print", getpid(),
		directory, directory);
	out = popen(command, "r");
	assert_non_null(out);
	assert_non_null(fgets(line, sizeof(line), out));
	assert_int_equal(pclose(out), 0);
	assert_string_equal(line, "//models/skylake-1s.yaml\n");
	snprintf(command, sizeof(command), "rm -r %s", directory);
	assert_int_equal(system(command), 0);
}

int main(int argc, char **argv)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(installed),
		cmocka_unit_test(told_by_environment),
		cmocka_unit_test(not_installed),
	};

	if (argc == 2 && strcmp(argv[1], "print") == 0) {
		char *path = data_path("models", "skylake-1s", ".yaml");

		puts(path);
		free(path);
		return 0;
	}
	return cmocka_run_group_tests(tests, NULL, NULL);
}
