/* SPDX-License-Identifier: GPL-3.0-or-later */
/* csv.c - one line of comma-separated values, as RFC 4180 has them. */
#include "csv.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/*
 * Unquote the field that starts with the quote at @from, in place.
 * Returns the first character after the closing quote, or NULL when there is none.
 */
static char *unquote(char *from)
{
	char *to = from++;

	for (; *from; from++) {
		if (*from == '"' && *++from != '"') {
			*to = '\0';
			return from;
		}
		*to++ = *from;
	}
	return NULL;
}

int csv_split(char *line, char **fields, size_t max)
{
	int nr = 0;
	char *at = line;

	for (;;) {
		char *end;

		if ((size_t)nr < max)
			fields[nr] = at;
		nr++;
		end = *at == '"' ? unquote(at) : at + strcspn(at, ",");
		if (!end || (*end && *end != ','))
			return -1;
		if (!*end)
			return nr;
		*end = '\0';
		at = end + 1;
	}
}

void csv_put(FILE *out, const char *text)
{
	if (!strpbrk(text, ",\"\r\n")) {
		fputs(text, out);
		return;
	}
	fputc('"', out);
	for (; *text; text++) {
		if (*text == '"')
			fputc('"', out);
		fputc(*text, out);
	}
	fputc('"', out);
}

void csv_put_number(FILE *out, double number)
{
	char text[32]; /* of %.17g: a sign, 17 digits, a point, an exponent */

	if (isnan(number))
		return;
	for (int digits = 15; digits <= 17; digits++) {
		snprintf(text, sizeof(text), "%.*g", digits, number);
		if (strtod(text, NULL) == number)
			break;
	}
	fputs(text, out);
}
