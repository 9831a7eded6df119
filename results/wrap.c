/* SPDX-License-Identifier: GPL-3.0-or-later */
/* wrap.c - text broken into lines. */
#include "wrap.h"

#include <stdarg.h>
#include <string.h>

/* Characters, of which UTF-8 has some in several bytes. */
static size_t characters(const char *text, size_t bytes)
{
	size_t nr = 0;

	for (size_t i = 0; i < bytes; i++)
		nr += ((unsigned char)text[i] & 0xc0) != 0x80;
	return nr;
}

/* Fill the line up to @to. */
static size_t pad(FILE *out, size_t used, size_t to)
{
	if (used < to)
		fprintf(out, "%*s", (int)(to - used), "");
	return used < to ? to : used;
}

void print_filled(FILE *out, const char *label, size_t indent, size_t width, const char *text)
{
	size_t used = characters(label, strlen(label));

	fputs(label, out);
	while (*text) {
		size_t bytes = strcspn(text, " "), word = characters(text, bytes);

		if (used > indent && used + 1 + word > width) {
			fputc('\n', out);
			used = 0;
		}
		if (used > indent) {
			fputc(' ', out);
			used++;
		}
		used = pad(out, used, indent);
		fprintf(out, "%.*s", (int)bytes, text);
		used += word;
		text += bytes + strspn(text + bytes, " ");
	}
	fputc('\n', out);
}

void print_wrapped(FILE *out, const char *label, const char *text)
{
	print_filled(out, label, *label ? 2 : 0, PRINT_WIDTH, text);
}

void print_below(FILE *out, const char *format, ...)
{
	char text[512];
	va_list args;

	va_start(args, format);
	(void)vsnprintf(text, sizeof(text), format, args);
	va_end(args);
	print_filled(out, "", 4, HELP_WIDTH, text);
}
