/* SPDX-License-Identifier: GPL-3.0-or-later */
/* wrap.c - text broken into lines. */
#include "wrap.h"

#include <string.h>

void print_wrapped(FILE *out, const char *label, const char *text)
{
	size_t used = strlen(label);

	fputs(label, out);
	while (*text) {
		size_t word = strcspn(text, " ");

		if (used + 1 + word > PRINT_WIDTH) {
			fputs("\n ", out);
			used = 1;
		}
		fprintf(out, "%s%.*s", used ? " " : "", (int)word, text);
		used += word + (used ? 1 : 0);
		text += word + strspn(text + word, " ");
	}
	fputc('\n', out);
}
