/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * csv.h - one line of comma-separated values, as RFC 4180 has them.
 */
#ifndef ZONESIM_CSV_H
#define ZONESIM_CSV_H

#include <stddef.h>
#include <stdio.h>

/*
 * csv_split - cut @line (without its newline) into fields, in place.
 * Fills at most @max of @fields with pointers into @line.
 * Returns the number of fields there are, also when above @max; or -1 when a quote is not closed or
 * something follows a closing quote.
 */
int csv_split(char *line, char **fields, size_t max);

/*
 * csv_put - print @text as a field, in quotes where it needs them.
 * csv_put_number - print a number with the fewest digits that read back as the same; nothing when
 * it is NAN. Errors of @out are left for the caller to find with ferror.
 */
void csv_put(FILE *out, const char *text);
void csv_put_number(FILE *out, double number);

#endif
