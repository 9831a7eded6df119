/* SPDX-License-Identifier: GPL-3.0-or-later */
/* html.c - text in HTML. */
#include "html.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

void html_put(FILE *out, const char *text)
{
	for (; *text; text++) {
		switch (*text) {
		case '&':
			fputs("&amp;", out);
			break;
		case '<':
			fputs("&lt;", out);
			break;
		case '>':
			fputs("&gt;", out);
			break;
		case '"':
			fputs("&quot;", out);
			break;
		default:
			fputc(*text, out);
		}
	}
}

/* Are these the first letters of a name that gnuplot gave, behind a quote or a #? */
static bool is_name(const char *text)
{
	static const char *const names[] = {"gp", "gnuplot_", "textbox", "greybox"};

	for (size_t i = 0; i < sizeof(names) / sizeof(*names); i++)
		if (strncmp(text, names[i], strlen(names[i])) == 0)
			return true;
	return false;
}

static void put_line(FILE *out, const char *line, unsigned int number)
{
	for (const char *at = line; *at; at++) {
		bool before = at > line && strchr("'\"#", at[-1]);

		if (before && is_name(at))
			fprintf(out, "p%u", number);
		fputc(*at, out);
	}
}

void html_put_svg(FILE *out, FILE *svg, unsigned int number)
{
	char *line = NULL;
	size_t size = 0;
	bool inside = false;

	rewind(svg);
	while (getline(&line, &size, svg) > 0) {
		/* What comes before is for files of their own. */
		inside = inside || strncmp(line, "<svg", 4) == 0;
		if (inside)
			put_line(out, line, number);
	}
	free(line);
}
