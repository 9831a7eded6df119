/* SPDX-License-Identifier: GPL-3.0-or-later */
/* gnuplot.c - running gnuplot, and writing text into its scripts safely. */
#include "gnuplot.h"

#include <errno.h>
#include <spawn.h>
#include <stdbool.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "../models/error.h"

extern char **environ;

void gnuplot_quote(FILE *script, const char *text)
{
	/* Between single quotes only these count: the quote itself, doubled, and the line's end. */
	fputc('\'', script);
	for (; *text; text++) {
		if (*text == '\'')
			fputc('\'', script);
		fputc((unsigned char)*text < ' ' ? ' ' : *text, script);
	}
	fputc('\'', script);
}

/* Start gnuplot with its three standard files. Returns 0 or an errno. */
static int spawn(pid_t *pid, FILE *script, FILE *picture, FILE *complaints)
{
	/* -d: settings of the user's own must not change the picture */
	static char name[] = "gnuplot", defaults[] = "-d", from_stdin[] = "-";
	char *const argv[] = {name, defaults, from_stdin, NULL};
	posix_spawn_file_actions_t actions;
	int ret = posix_spawn_file_actions_init(&actions);

	if (ret != 0)
		return ret;
	ret = posix_spawn_file_actions_adddup2(&actions, fileno(script), STDIN_FILENO);
	if (ret == 0)
		ret = posix_spawn_file_actions_adddup2(&actions, fileno(picture), STDOUT_FILENO);
	if (ret == 0)
		ret = posix_spawn_file_actions_adddup2(&actions, fileno(complaints), STDERR_FILENO);
	if (ret == 0)
		ret = posix_spawnp(pid, name, &actions, NULL, argv, environ);
	posix_spawn_file_actions_destroy(&actions);
	return ret;
}

/* Wait for the end of @pid. Returns whether it ended well. */
static bool ended_well(pid_t pid)
{
	int status;

	while (waitpid(pid, &status, 0) < 0)
		if (errno != EINTR)
			return false;
	return WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

/* What gnuplot printed to stderr, made into one message. */
static int report(FILE *complaints, struct error *err)
{
	char text[1024];
	size_t size;

	rewind(complaints);
	size = fread(text, 1, sizeof(text) - 1, complaints);
	text[size] = '\0';
	return error_set(
		err, "gnuplot could not draw the picture: %s", size ? text : "it ended early");
}

int gnuplot_run(FILE *script, FILE *picture, struct error *err)
{
	FILE *complaints = tmpfile();
	pid_t pid;
	int ret;

	if (!complaints)
		return error_set(err, "can not make a temporary file: %s", strerror(errno));
	if (fflush(script) != 0 || fseek(script, 0, SEEK_SET) != 0) {
		ret = error_set(err, "can not write the plot's script: %s", strerror(errno));
		goto out;
	}
	ret = spawn(&pid, script, picture, complaints);
	if (ret == ENOENT)
		ret = error_set(err, "gnuplot, which draws the pictures, is not installed: "
				     "apt-get install gnuplot-nox");
	else if (ret != 0)
		ret = error_set(err, "can not start gnuplot: %s", strerror(ret));
	else if (!ended_well(pid))
		ret = report(complaints, err);
out:
	fclose(complaints); /* only read from: nothing can be lost */
	return ret;
}
