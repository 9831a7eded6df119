// SPDX-License-Identifier: GPL-3.0-or-later
/*
 * fuzz_scenario.c - a scenario of any content is refused with a message, or each of its points is
 * one that the simulator takes.
 */
#include <string.h>

#include "../../models/error.h"
#include "../../tools/scenario.h"
#include "fuzz.h"
#include "points.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	char *text = malloc(size + 1);
	struct scenario s = {0};
	struct error err = {""};

	must_hold(text, "out of memory");
	memcpy(text, data, size);
	text[size] = '\0';
	if (scenario_add(&s, "fuzz.yaml", text, &err) < 0) {
		must_explain(&err);
		must_hold(s.nr_points == 0, "%zu points are left", s.nr_points);
	} else {
		look_at_points(&s);
	}
	scenario_free(&s);
	free(text);
	return 0;
}
