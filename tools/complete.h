/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * complete.h - what may come next on a command line that is being typed.
 */
#ifndef ZONESIM_COMPLETE_H
#define ZONESIM_COMPLETE_H

#include <stdio.h>

/*
 * complete - print each word that the last word of @line may become, one per line, and "FILES" in
 * a line of its own where that may also be a file. A word that is to be typed on ends in "=".
 * @line: what is typed so far, with the program's name; its last word may be empty
 */
void complete(FILE *out, const char *line);

#endif
