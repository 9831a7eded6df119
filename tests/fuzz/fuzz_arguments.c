// SPDX-License-Identifier: GPL-3.0-or-later
/*
 * fuzz_arguments.c - arguments of --set and --over, one a line, for a scenario that is right. A
 * line is one of --over when it begins with '@'; a first line "zip" is --zip.
 *
 * Whatever they are, they are refused with a message, or ask for points that the simulator takes.
 * The values of a range are looked at apart: no more than asked for, and none beyond its end.
 */
#include <math.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "../../models/error.h"
#include "../../tools/range.h"
#include "../../tools/scenario.h"
#include "fuzz.h"
#include "points.h"

#define MAX_ARGUMENTS 16

static const char base[] = "machine: skylake-1s\nkernel: v4.15\nworkload: page_fault1\n";

/* A file with @base, for the life of the process. */
static const char *base_file(void)
{
	static char path[32];
	int fd;

	if (!*path) {
		fd = memfd_create("base", 0);
		must_hold(fd >= 0 && write(fd, base, strlen(base)) == (ssize_t)strlen(base),
			"no file");
		(void)snprintf(path, sizeof(path), "/dev/fd/%d", fd);
	}
	return path;
}

static void look_at_range(const char *text)
{
	char **values, why[256] = "";
	int nr;

	if (!range_is(text))
		return;
	nr = range_expand(text, QUANTITY_PLAIN, &values, why, sizeof(why));
	if (nr < 0) {
		must_hold(*why, "no reason given");
		return;
	}
	must_hold(nr >= 1 && nr <= RANGE_MAX_VALUES, "%d values", nr);
	for (int i = 0; i < nr; i++) {
		must_hold(isfinite(strtod(values[i], NULL)), "a value is %s", values[i]);
		free(values[i]);
	}
	free(values);
}

static void try_arguments(const struct scenario_arguments *a)
{
	struct scenario s;
	struct error err = {""};

	if (scenario_load(&s, base_file(), a, &err) < 0) {
		must_explain(&err);
		return;
	}
	look_at_points(&s);
	scenario_free(&s);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char *text = malloc(size + 1), *sets[MAX_ARGUMENTS], *overs[MAX_ARGUMENTS], *rest = text;
	struct scenario_arguments a = {.sets = {sets, 0}, .overs = {overs, 0}};

	must_hold(text, "out of memory");
	memcpy(text, data, size);
	text[size] = '\0';
	for (char *line; (line = strsep(&rest, "\n"));) {
		struct words *words = *line == '@' ? &a.overs : &a.sets;

		if (line == text && strcmp(line, "zip") == 0) {
			a.zip = true;
		} else if (*line && words->nr < MAX_ARGUMENTS) {
			line += *line == '@';
			words->list[words->nr++] = line;
			if (strchr(line, '='))
				look_at_range(strchr(line, '=') + 1);
		}
	}
	try_arguments(&a);
	free(text);
	return 0;
}
