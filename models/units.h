/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * units.h - quantities with their units, read and printed from one table.
 */
#ifndef ZONESIM_UNITS_H
#define ZONESIM_UNITS_H

#include <stddef.h>

/* What a number measures. Its base unit is the one it is kept in. */
enum quantity {
	QUANTITY_PLAIN,	    /* a bare number */
	QUANTITY_COUNT,	    /* a whole number, not negative */
	QUANTITY_BOOL,	    /* yes or no, kept as 1 or 0 */
	QUANTITY_BYTES,	    /* bytes */
	QUANTITY_TIME,	    /* seconds */
	QUANTITY_FREQUENCY, /* hertz */
	QUANTITY_BANDWIDTH, /* bytes per second */
	QUANTITY_CYCLES,    /* cycles of the core clock */
	QUANTITY_SHARE,	    /* a ratio, written in percent */
};

/*
 * quantity_parse - read "128MiB", "50 ns", "0.5%", "yes" into base units.
 * A quantity that has units must be written with one: a bare "128" is refused for bytes.
 * Returns 0, or -1 with the reason in @why (at most @size bytes, always terminated).
 */
int quantity_parse(const char *text, enum quantity kind, double *value, char *why, size_t size);

/*
 * quantity_print - write @value with the unit that keeps it short: 2147483648 becomes "2 GiB".
 * Six significant digits, whole numbers in full. Returns @text.
 */
char *quantity_print(char *text, size_t size, enum quantity kind, double value);

/*
 * quantity_print_all - the same with as many digits, six or more, as it takes for quantity_parse to
 * read @value again, but for rounding: 1052672 becomes "1.00390625 MiB".
 */
char *quantity_print_all(char *text, size_t size, enum quantity kind, double value);

/* How such a quantity is written, for messages and help: "a time such as 50ns (ps, ns, us, ms, s)".
 */
const char *quantity_describe(enum quantity kind);

#endif
