// SPDX-License-Identifier: GPL-3.0-or-later
/*
 * child.c - one point in a process of its own.
 */
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/pidfd.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "../models/error.h"
#include "../results/must.h"
#include "child.h"
#include "config.h"
#include "progress.h"
#include "scenario.h"

#define RESULT_LIMIT (64 << 20) /* bytes; a result is some tens of KiB */
#define MESSAGES_LIMIT (16 << 10)

/*
 * In the child
 */

/* Messages of the simulator go up the pipe, wherever it prints them; die when the parent does. */
static bool prepare(int messages, pid_t parent)
{
	sigset_t none;

	sigemptyset(&none);
	return prctl(PR_SET_PDEATHSIG, SIGKILL) == 0 && getppid() == parent &&
	       signal(SIGINT, SIG_IGN) != SIG_ERR && sigprocmask(SIG_SETMASK, &none, NULL) == 0 &&
	       dup2(messages, STDOUT_FILENO) >= 0 && dup2(messages, STDERR_FILENO) >= 0;
}

/* In one piece: written bit by bit, a result would wake the parent hundreds of times. */
static int write_all(int fd, const char *text)
{
	size_t left = strlen(text);

	while (left > 0) {
		ssize_t wrote = write(fd, text, left);

		if (wrote < 0 && errno != EINTR)
			return -1;
		text += wrote > 0 ? wrote : 0;
		left -= wrote > 0 ? (size_t)wrote : 0;
	}
	return 0;
}

static _Noreturn void run(const struct scenario_point *p, int result_fd)
{
	struct point_result result = {0};
	time_t started = time(NULL);
	json_t *json;
	char *text;

	point_run(&p->point, &result);
	json = point_to_json(p, &result, started);
	text = json ? json_dumps(json, JSON_COMPACT) : NULL;
	if (!text || write_all(result_fd, text) < 0)
		_exit(EXIT_RUN_FAILED);
	/* The parent goes on while the memory of this process is given back. */
	close(result_fd);
	close(STDOUT_FILENO);
	close(STDERR_FILENO);
	_exit(result.exit_status);
}

/*
 * In the parent
 */

int child_start(struct child *c, const struct scenario_point *point)
{
	int result[2], messages[2];
	pid_t parent = getpid();

	memset(c, 0, sizeof(*c));
	if (pipe2(result, O_CLOEXEC) < 0)
		return -1;
	if (pipe2(messages, O_CLOEXEC) < 0) {
		close(result[0]);
		close(result[1]);
		return -1;
	}
	c->pid = fork();
	if (c->pid == 0) {
		if (!prepare(messages[1], parent))
			_exit(EXIT_RUN_FAILED);
		run(point, result[1]);
	}
	close(result[1]);
	close(messages[1]);
	if (c->pid < 0) {
		close(result[0]);
		close(messages[0]);
		return -1;
	}
	/* Without one, the end is waited for: that is slower, and no more. */
	c->end = pidfd_open(c->pid, 0);
	c->point = point;
	c->start = progress_clock();
	c->result = (struct stream){.fd = result[0], .limit = RESULT_LIMIT};
	c->messages = (struct stream){.fd = messages[0], .limit = MESSAGES_LIMIT};
	return 0;
}

static void stream_append(struct stream *s, const char *text, size_t length)
{
	if (length > s->limit - s->length)
		length = s->limit - s->length;
	s->text = must_realloc(s->text, s->length + length + 1, 1);
	memcpy(s->text + s->length, text, length);
	s->length += length;
	s->text[s->length] = '\0';
}

static void stream_close(struct stream *s)
{
	if (s->fd >= 0)
		close(s->fd);
	s->fd = -1;
}

int stream_read(struct stream *s)
{
	char chunk[65536];
	ssize_t got = read(s->fd, chunk, sizeof(chunk));

	if (got > 0)
		stream_append(s, chunk, (size_t)got);
	else if (got == 0 || errno != EINTR)
		stream_close(s);
	return s->fd >= 0;
}

static void child_free(struct child *c)
{
	stream_close(&c->result);
	stream_close(&c->messages);
	if (c->end >= 0)
		close(c->end);
	free(c->result.text);
	free(c->messages.text);
	memset(c, 0, sizeof(*c));
}

bool child_has_ended(const struct child *c)
{
	siginfo_t info = {0};

	return waitid(P_PID, (id_t)c->pid, &info, WEXITED | WNOHANG | WNOWAIT) < 0 ||
	       info.si_pid == c->pid;
}

static pid_t wait_for(pid_t pid, int *status, struct rusage *usage)
{
	pid_t ended;

	do
		ended = wait4(pid, status, 0, usage);
	while (ended < 0 && errno == EINTR);
	return ended;
}

void child_kill(struct child *c)
{
	struct rusage usage;
	int status;

	/* It may have ended by itself; there is nothing to do about a failure. */
	(void)kill(c->pid, SIGKILL);
	(void)wait_for(c->pid, &status, &usage);
	child_free(c);
}

/* A point that gave no result of its own; @log is what the simulator said, "" for nothing. */
static json_t *failed(const struct scenario_point *p, const char *reason, const char *log,
	double wall, const struct rusage *usage)
{
	struct point_result result = {
		.status = POINT_FAILED,
		.exit_status = EXIT_RUN_FAILED,
		.batch = p->point.pcp_batch,
		.high = p->point.pcp_high,
		.wall = wall,
	};
	json_t *json;

	if (usage)
		result.max_rss = (uint64_t)usage->ru_maxrss * 1024;
	snprintf(result.failure, sizeof(result.failure), "%s", reason);
	json = point_to_json(p, &result, time(NULL) - (time_t)wall);
	/* What is not UTF-8 can not be kept; it is shown, too. */
	if (json && *log)
		(void)json_object_set_new(json, "log", json_string(log));
	return json;
}

json_t *child_not_started(const struct scenario_point *point, int reason)
{
	char text[128];

	snprintf(text, sizeof(text), "no process could be started: %s", strerror(reason));
	return failed(point, text, "", 0, NULL);
}

/* Why a child that gave no result ended. */
static void describe_end(int status, char *text, size_t size)
{
	if (!WIFSIGNALED(status)) {
		snprintf(text, size, "the simulator ended without a result, with exit status %d",
			WEXITSTATUS(status));
		return;
	}
	switch (WTERMSIG(status)) {
	case SIGABRT:
		snprintf(text, size, "the simulator aborted (SIGABRT)");
		break;
	case SIGKILL:
		snprintf(text, size, "the simulator was killed (SIGKILL): out of host memory?");
		break;
	default:
		snprintf(text, size, "the simulator crashed: SIG%s (%s)",
			sigabbrev_np(WTERMSIG(status)) ? sigabbrev_np(WTERMSIG(status)) : "?",
			strsignal(WTERMSIG(status)));
		break;
	}
}

/* The result that the child sent, if it is whole and the child ended as it should. */
static json_t *sent_result(const struct child *c, int status, int *exit_status)
{
	json_error_t problem;
	json_t *json;

	if (!WIFEXITED(status) || !c->result.text)
		return NULL;
	json = json_loadb(c->result.text, c->result.length, 0, &problem);
	if (!json_is_object(json)) {
		json_decref(json);
		return NULL;
	}
	*exit_status = WEXITSTATUS(status);
	return json;
}

/* What the child had to say, when it did not end well. */
static void show_messages(const struct child *c)
{
	char what[256];

	if (!c->messages.length)
		return;
	fprintf(stderr, "zonesim: %s: the simulator said:\n%s",
		config_describe(c->point, what, sizeof(what)), c->messages.text);
	if (c->messages.text[c->messages.length - 1] != '\n')
		fputc('\n', stderr);
}

json_t *child_finish(struct child *c, int *exit_status)
{
	struct rusage usage = {0};
	char reason[192];
	int status = 0;
	json_t *json;

	if (wait_for(c->pid, &status, &usage) < 0)
		snprintf(reason, sizeof(reason), "the process is lost: %s", strerror(errno));
	else
		describe_end(status, reason, sizeof(reason));
	json = sent_result(c, status, exit_status);
	if (!json) {
		*exit_status = EXIT_RUN_FAILED;
		json = failed(c->point, reason, c->messages.text ? c->messages.text : "",
			progress_clock() - c->start, &usage);
	}
	if (*exit_status == EXIT_RUN_FAILED || *exit_status == EXIT_BROKEN)
		show_messages(c);
	child_free(c);
	return json;
}
