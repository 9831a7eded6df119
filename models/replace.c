/* SPDX-License-Identifier: GPL-3.0-or-later */
/* replace.c - writing a file in one step. */

#include "replace.h"

#include <errno.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

/* Permissions of a new file, as open would give them. */
static mode_t usual_mode(void)
{
	mode_t mask = umask(0);

	(void)umask(mask);
	return 0666 & ~mask;
}

/* Fill the file and close it. Returns 0, or the number of the error. */
static int write_to(int fd, int (*fill)(FILE *out, void *what), void *what)
{
	FILE *out = fdopen(fd, "w");
	int problem = 0;

	if (!out) {
		problem = errno;
		(void)close(fd);
		return problem;
	}
	if (fill(out, what) || fflush(out) == EOF || fchmod(fd, usual_mode()))
		problem = errno;
	if (fclose(out) == EOF && !problem)
		problem = errno;
	return problem;
}

int replace_file(const char *path, int (*fill)(FILE *out, void *what), void *what)
{
	char *temporary = NULL;
	int fd, problem;

	if (asprintf(&temporary, "%s.XXXXXX", path) < 0)
		return ENOMEM;
	fd = mkstemp(temporary);
	problem = fd < 0 ? errno : write_to(fd, fill, what);
	if (!problem && rename(temporary, path))
		problem = errno;
	if (problem && fd >= 0)
		(void)unlink(temporary);
	free(temporary);
	return problem;
}
