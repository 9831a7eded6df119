/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * child.h - one point in a process of its own, and what comes back from it.
 *
 * SimGrid can be started once per process, and ends the process when it is not content.
 */
#ifndef ZONESIM_CHILD_H
#define ZONESIM_CHILD_H

#include <stdbool.h>
#include <stddef.h>
#include <sys/types.h>

#include <jansson.h>

struct scenario_point;

/* What a child writes into a pipe. */
struct stream {
	int fd; /* -1 once it is at its end */
	char *text;
	size_t length, limit; /* what comes after the limit is dropped */
};

struct child {
	pid_t pid;
	const struct scenario_point *point;
	int end; /* a pidfd, readable once the process has ended */
	struct stream result, messages;
	double start; /* seconds, of progress_clock */
};

/* Returns 0, or -1 with errno set when no process can be started. */
int child_start(struct child *c, const struct scenario_point *point);

/* Read what is there. Returns 0 when the stream is at its end. */
int stream_read(struct stream *s);

/* Has the process ended, so that child_finish need not wait? */
bool child_has_ended(const struct child *c);

/*
 * child_finish - wait for the end of a child whose streams are at their end, and free it.
 * Returns the point's JSON object, which says "failed" and why when the child did not end well;
 * fills @exit_status. What the child wrote to stderr is then shown. NULL when memory is short.
 */
json_t *child_finish(struct child *c, int *exit_status);

/* The same for a point whose process could not be started for the reason in errno. */
json_t *child_not_started(const struct scenario_point *point, int reason);

/* Kill a child and free it. */
void child_kill(struct child *c);

#endif
