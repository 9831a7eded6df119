/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * words.h - words of the command line, in order.
 */
#ifndef ZONESIM_WORDS_H
#define ZONESIM_WORDS_H

#include <stdbool.h>
#include <stddef.h>

struct words {
	char **list; /* the array is owned, the words belong to the command line */
	size_t nr;
};

/* Append @word, which is not copied. The list is freed by the caller. */
void words_add(struct words *words, char *word);

/* Append what stands between the commas of @text, which is cut there. */
void words_split(struct words *words, char *text);

bool words_have(const struct words *words, const char *word);

#endif
