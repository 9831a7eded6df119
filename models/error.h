/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * error.h - one clear message about bad input: place, line, what is wrong, remedy.
 */
#ifndef ZONESIM_ERROR_H
#define ZONESIM_ERROR_H

/* Exit statuses of the command, and of a point's process. */
enum exit_status {
	EXIT_DONE = 0,
	EXIT_RUN_FAILED = 1,	/* a run failed or a check fell short */
	EXIT_BAD_INPUT = 2,	/* bad input or usage */
	EXIT_NOT_TRUSTED = 3,	/* finished, but not steady or not as precise as asked */
	EXIT_BROKEN = 4,	/* an allocator invariant broke, or the simulation deadlocked */
	EXIT_INTERRUPTED = 130, /* by SIGINT */
};

/* The whole message, ready to print to stderr, ending in a newline; "" when there is none. */
struct error {
	char text[2048];
};

/* Set @err to "zonesim: <formatted>\n". Always returns -1, so that a caller can return it. */
int error_set(struct error *err, const char *format, ...) __attribute__((format(printf, 2, 3)));

/*
 * Set @err to a message with its place:
 *   FILE:LINE:COLUMN: <formatted>
 *       the line itself
 *           ^
 * @line_text may be NULL; @line and @column count from 1. Always returns -1.
 */
int error_set_at(struct error *err, const char *file, int line, int column, const char *line_text,
	const char *format, ...) __attribute__((format(printf, 6, 7)));

/*
 * nearest_name - the name in @names (NULL-terminated) with the smallest edit distance to @name,
 * or NULL when none is near enough to be meant.
 */
const char *nearest_name(const char *name, const char *const *names);

#endif
