/* SPDX-License-Identifier: GPL-3.0-or-later */
/* holds.c - what the time under the locks went into, in print. */
#include "holds.h"

#include <string.h>

static double number_of(const json_t *object, const char *key)
{
	return json_number_value(json_object_get(object, key));
}

/* A column has the width of its name, or of 99999 ns. */
static int width_of(const char *name)
{
	return strlen(name) > 5 ? (int)strlen(name) : 5;
}

static void print_head(FILE *out, const char *indent, const json_t *hold)
{
	const char *name;
	json_t *value;

	fprintf(out, "%s%-10s %7s %9s %5s =%12s", indent, "ns a hold", "holds", "hand-over", "held",
		"instructions");
	json_object_foreach(json_object_get(hold, "waits_ns"), name, value)
		fprintf(out, " %*s", width_of(name), name);
	fputc('\n', out);
}

static void print_times(FILE *out, const char *indent, const json_t *hold)
{
	const char *name;
	json_t *value;

	fprintf(out, "%s%-10s %7.0f %9.0f %5.0f  %12.0f", indent,
		json_string_value(json_object_get(hold, "name")), number_of(hold, "count"),
		number_of(hold, "handed_over_ns"), number_of(hold, "held_ns"),
		number_of(hold, "instructions_ns"));
	json_object_foreach(json_object_get(hold, "waits_ns"), name, value)
		fprintf(out, " %*.0f", width_of(name), json_number_value(value));
	fputc('\n', out);
}

/* "2.3 llc, 14.0 dirty-socket": only what there is of it. */
static void print_lines(FILE *out, const char *indent, const json_t *hold)
{
	const char *name, *separator = "";
	json_t *value;

	fprintf(out, "%s%-10s ", indent, json_string_value(json_object_get(hold, "name")));
	json_object_foreach(json_object_get(hold, "lines"), name, value)
	{
		double lines = json_number_value(value);

		if (strcmp(name, "l1") == 0 || strcmp(name, "in-flight") == 0 || lines < 0.05)
			continue;
		fprintf(out, "%s%.1f %s", separator, lines, name);
		separator = ", ";
	}
	fputs(*separator ? "\n" : "none\n", out);
}

void holds_print(FILE *out, const char *indent, const json_t *point)
{
	const json_t *holds = json_object_get(point, "holds"), *hold;
	size_t i;

	if (json_array_size(holds) == 0)
		return;
	print_head(out, indent, json_array_get(holds, 0));
	json_array_foreach(holds, i, hold)
	{
		if (number_of(hold, "count") > 0)
			print_times(out, indent, hold);
	}
	fprintf(out, "%slines per hold, by where they come from:\n", indent);
	json_array_foreach(holds, i, hold)
	{
		if (number_of(hold, "count") > 0)
			print_lines(out, indent, hold);
	}
	fputc('\n', out);
}
