// SPDX-License-Identifier: GPL-3.0-or-later
/*
 * words.c - words of the command line, in order.
 */
#include <string.h>

#include "../results/must.h"
#include "words.h"

void words_add(struct words *words, char *word)
{
	words->list = must_realloc(words->list, words->nr + 1, sizeof(*words->list));
	words->list[words->nr++] = word;
}

void words_split(struct words *words, char *text)
{
	char *word;

	while ((word = strsep(&text, ",")))
		words_add(words, word);
}

bool words_have(const struct words *words, const char *word)
{
	for (size_t i = 0; i < words->nr; i++) {
		if (strcmp(words->list[i], word) == 0)
			return true;
	}
	return false;
}
