/* SPDX-License-Identifier: GPL-3.0-or-later */
/* markdown.c - text for Markdown. */
#include "markdown.h"

#include <ctype.h>
#include <stdbool.h>
#include <string.h>

#include "must.h"

static bool is_special(const char *text, size_t at)
{
	if (text[at] == '_')
		return at == 0 || !isalnum((unsigned char)text[at - 1]) ||
		       !isalnum((unsigned char)text[at + 1]);
	return strchr("\\`*|<>[]#~", text[at]);
}

char *markdown_escape(const char *text)
{
	char *escaped = must_calloc(2 * strlen(text) + 1, 1), *out = escaped;

	for (size_t i = 0; text[i]; i++) {
		if (is_special(text, i))
			*out++ = '\\';
		*out++ = text[i];
	}
	return escaped;
}
