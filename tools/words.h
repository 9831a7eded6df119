/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * words.h - words of the command line, in order.
 */
#ifndef ZONESIM_WORDS_H
#define ZONESIM_WORDS_H

#include <stddef.h>

struct words {
	char **list; /* the array is owned, the words belong to the command line */
	size_t nr;
};

#endif
