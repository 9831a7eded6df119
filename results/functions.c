/* SPDX-License-Identifier: GPL-3.0-or-later */
/* functions.c - whose the instructions under the locks are, in print. */
#include "functions.h"

static double number_of(const json_t *object, const char *key)
{
	return json_number_value(json_object_get(object, key));
}

void functions_print(FILE *out, const json_t *point)
{
	const json_t *functions = json_object_get(point, "functions"), *f;
	size_t i;

	if (json_array_size(functions) == 0)
		return;
	fprintf(out, "%-10s %-44s %7s %7s %8s\n", "in a hold", "function, with what it inlines",
		"instr.", "ns", "share");
	json_array_foreach(functions, i, f)
	{
		fprintf(out, "%-10s %-44s %7.1f %7.1f %7.1f%%\n",
			json_string_value(json_object_get(f, "hold")),
			json_string_value(json_object_get(f, "function")),
			number_of(f, "instructions"), number_of(f, "ns"), number_of(f, "percent"));
	}
	fputc('\n', out);
}
