// SPDX-License-Identifier: GPL-3.0-or-later
/*
 * error.c - messages about bad input, and the name that was probably meant.
 */
#include <ctype.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "error.h"

/* A longer line is shown as a window around the place of the error. */
#define SHOWN_LINE 96
#define LONGEST_NAME 64

/*
 * Append to the message; what does not fit is cut off, and the final newline is kept. A terminal
 * would obey the control characters in what a message quotes: a question mark stands for each.
 */
static void append(struct error *err, const char *format, va_list args)
{
	size_t used = strlen(err->text);

	if (vsnprintf(err->text + used, sizeof(err->text) - used, format, args) < 0)
		err->text[used] = '\0';
	for (; err->text[used]; used++)
		if (iscntrl((unsigned char)err->text[used]) && !strchr("\n\t", err->text[used]))
			err->text[used] = '?';
	if (used == sizeof(err->text) - 1)
		err->text[used - 1] = '\n';
}

__attribute__((format(printf, 2, 3))) static void add(struct error *err, const char *format, ...)
{
	va_list args;

	va_start(args, format);
	append(err, format, args);
	va_end(args);
}

int error_set(struct error *err, const char *format, ...)
{
	va_list args;

	strcpy(err->text, "zonesim: ");
	va_start(args, format);
	append(err, format, args);
	va_end(args);
	add(err, "\n");
	return -1;
}

/* Does @c start a character, as opposed to continuing one of several UTF-8 bytes? */
static int starts_character(char c)
{
	return ((unsigned char)c & 0xc0) != 0x80;
}

/*
 * Show the part of the line around @column (in characters, from 1), and a caret below it. Control
 * characters become spaces, so that the caret stands where it should.
 */
static void add_line(struct error *err, const char *line, int column)
{
	int first = column > SHOWN_LINE - 16 ? column - SHOWN_LINE / 2 : 1;
	char shown[SHOWN_LINE * 4 + 1];
	size_t used = 0;
	int at = 0;

	for (; *line && *line != '\n' && *line != '\r'; line++) {
		if (starts_character(*line))
			at++;
		if (at < first)
			continue;
		if (at >= first + SHOWN_LINE || used + 1 >= sizeof(shown))
			break;
		shown[used++] = iscntrl((unsigned char)*line) ? ' ' : *line;
	}
	shown[used] = '\0';
	add(err, "    %s\n    %*s^\n", shown, column - first, "");
}

int error_set_at(struct error *err, const char *file, int line, int column, const char *line_text,
	const char *format, ...)
{
	va_list args;

	err->text[0] = '\0';
	add(err, "%.512s:%d:%d: ", file, line, column);
	va_start(args, format);
	append(err, format, args);
	va_end(args);
	add(err, "\n");
	if (line_text)
		add_line(err, line_text, column);
	return -1;
}

static int min(int a, int b)
{
	return a < b ? a : b;
}

/*
 * Edits between two names: letters put in, left out, changed, or swapped with their neighbour.
 * Both at most LONGEST_NAME long.
 */
static int edit_distance(const char *a, size_t a_length, const char *b, size_t b_length)
{
	int d[LONGEST_NAME + 1][LONGEST_NAME + 1];

	for (size_t i = 0; i <= a_length; i++)
		d[i][0] = (int)i;
	for (size_t j = 0; j <= b_length; j++)
		d[0][j] = (int)j;
	for (size_t i = 1; i <= a_length; i++) {
		for (size_t j = 1; j <= b_length; j++) {
			int cost = a[i - 1] != b[j - 1];

			d[i][j] = min(d[i - 1][j] + 1, d[i][j - 1] + 1);
			d[i][j] = min(d[i][j], d[i - 1][j - 1] + cost);
			if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
				d[i][j] = min(d[i][j], d[i - 2][j - 2] + 1);
		}
	}
	return d[a_length][b_length];
}

const char *nearest_name(const char *name, const char *const *names)
{
	size_t length = strlen(name);
	const char *best = NULL;
	int least = (int)(length + 2) / 3; /* more edits than that, and it is a guess */

	if (length == 0 || length > LONGEST_NAME)
		return NULL;
	for (; *names; names++) {
		size_t other = strlen(*names);
		int distance;

		if (other > LONGEST_NAME)
			continue;
		distance = edit_distance(name, length, *names, other);
		if (distance < least || (distance == least && !best)) {
			least = distance;
			best = *names;
		}
	}
	return best;
}
