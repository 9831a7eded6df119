// SPDX-License-Identifier: GPL-3.0-or-later
/*
 * runner.c - runs the points of a scenario, some at once.
 */
#include <errno.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/signalfd.h>
#include <unistd.h>

#include "../models/error.h"
#include "../results/must.h"
#include "../results/result.h"
#include "../results/store.h"
#include "child.h"
#include "config.h"
#include "progress.h"
#include "runner.h"
#include "scenario.h"

struct run {
	const struct scenario *scenario;
	struct store *store; /* or NULL */
	bool store_failed;
	struct child *children; /* @jobs of them; pid 0: idle */
	struct pollfd *polled;	/* two per child, and one for signals */
	int jobs, active;
	int signals; /* a signalfd */
	size_t next; /* point to start */
	json_t **results;
	int worst;
	struct progress progress;
};

/* Exit statuses from good to bad. */
static int badness(int status)
{
	static const int order[] = {EXIT_DONE, EXIT_NOT_TRUSTED, EXIT_RUN_FAILED, EXIT_BROKEN};
	const int known = sizeof(order) / sizeof(order[0]);

	for (int i = 0; i < known; i++) {
		if (order[i] == status)
			return i;
	}
	return 2;
}

static void count_status(struct run *r, int status)
{
	if (badness(status) > badness(r->worst))
		r->worst = badness(status) == 2 ? EXIT_RUN_FAILED : status;
}

/* Points still go into the document; but who asked for a store relies on it. Said once. */
static void store_failed(struct run *r, const struct error *err)
{
	if (!r->store_failed) {
		progress_clear(&r->progress);
		fputs(err->text, stderr);
	}
	r->store_failed = true;
	count_status(r, EXIT_RUN_FAILED);
}

static void keep_result(struct run *r, const struct scenario_point *point, json_t *json, int status)
{
	size_t index = (size_t)(point - r->scenario->points);
	struct error err;

	count_status(r, status);
	if (json && r->store && store_put(r->store, json, &err) < 0)
		store_failed(r, &err);
	r->results[index] = json;
	progress_point(&r->progress, point, json, false);
}

/* What the store has of a point, as this scenario would have it; NULL when it has nothing. */
static json_t *stored_result(struct run *r, const struct scenario_point *point)
{
	struct error err;
	json_t *json = NULL;

	if (!r->store)
		return NULL;
	if (store_find(r->store, point->fingerprint, &json, &err) < 0) {
		store_failed(r, &err);
	} else if (json && json_object_set_new(json_object_get(json, "config"), "patches",
				   asked_patches_to_json(point)) < 0) {
		json_decref(json);
		json = NULL;
	}
	return json;
}

static bool reuse_result(struct run *r, const struct scenario_point *point)
{
	json_t *json = stored_result(r, point);
	const char *status = json_string_value(json_object_get(json, "status"));

	if (!json)
		return false;
	if (!status || strcmp(status, "ok") != 0)
		count_status(r, EXIT_NOT_TRUSTED);
	r->results[point - r->scenario->points] = json;
	progress_point(&r->progress, point, json, true);
	return true;
}

/* Start the next point unless the store has it; one that can not be started counts as failed. */
static void start_next(struct run *r, struct child *c)
{
	const struct scenario_point *point = &r->scenario->points[r->next++];

	if (reuse_result(r, point))
		return;
	if (child_start(c, point) == 0) {
		r->active++;
		return;
	}
	c->pid = 0;
	keep_result(r, point, child_not_started(point, errno), EXIT_RUN_FAILED);
}

static void start_points(struct run *r)
{
	for (int i = 0; i < r->jobs; i++) {
		while (!r->children[i].pid && r->next < r->scenario->nr_points)
			start_next(r, &r->children[i]);
	}
}

static void read_streams(struct run *r)
{
	for (int i = 0; i < r->jobs; i++) {
		struct child *c = &r->children[i];
		const struct scenario_point *point = c->point;
		json_t *json;
		int status;

		if (!c->pid)
			continue;
		if (c->result.fd >= 0 && r->polled[2 * i].revents)
			stream_read(&c->result);
		if (c->messages.fd >= 0 && r->polled[2 * i + 1].revents)
			stream_read(&c->messages);
		if (c->result.fd >= 0 || c->messages.fd >= 0)
			continue;
		progress_clear(&r->progress);
		json = child_finish(c, &status);
		r->active--;
		keep_result(r, point, json, status);
	}
}

/* Wait until something happens, at most a second. Returns true when a signal ends the run. */
static bool wait_for_news(struct run *r)
{
	struct pollfd *signals = &r->polled[2 * r->jobs];

	for (int i = 0; i < r->jobs; i++) {
		const struct child *c = &r->children[i];

		/* poll ignores negative descriptors */
		r->polled[2 * i].fd = c->pid ? c->result.fd : -1;
		r->polled[2 * i + 1].fd = c->pid ? c->messages.fd : -1;
		r->polled[2 * i].events = r->polled[2 * i + 1].events = POLLIN;
		r->polled[2 * i].revents = r->polled[2 * i + 1].revents = 0;
	}
	signals->fd = r->signals;
	signals->events = POLLIN;
	signals->revents = 0;
	if (poll(r->polled, 2 * (nfds_t)r->jobs + 1, 1000) < 0)
		return false;
	return signals->revents != 0;
}

/* Returns true when all points are done, false when a signal came first. */
static bool run_points(struct run *r)
{
	start_points(r);
	while (r->active) {
		if (wait_for_news(r)) {
			for (int i = 0; i < r->jobs; i++) {
				if (r->children[i].pid)
					child_kill(&r->children[i]);
			}
			return false;
		}
		read_streams(r);
		start_points(r);
		progress_tick(&r->progress);
	}
	return true;
}

static int usable_cpus(void)
{
	cpu_set_t set;

	return sched_getaffinity(0, sizeof(set), &set) == 0 ? CPU_COUNT(&set) : 1;
}

/* Move the results, in order, into the document. Returns 0, or -1 when one is missing. */
static int fill_document(struct run *r, json_t *document)
{
	int status = 0;

	for (size_t i = 0; i < r->scenario->nr_points; i++) {
		if (document_add(document, r->results[i]) < 0)
			status = -1;
		r->results[i] = NULL;
	}
	return status;
}

/* Everything but the signals, which the caller has blocked. */
static int run_all(struct run *r, json_t *document)
{
	bool complete;

	r->children = must_calloc((size_t)r->jobs, sizeof(*r->children));
	r->polled = must_calloc(2 * (size_t)r->jobs + 1, sizeof(*r->polled));
	r->results = must_calloc(r->scenario->nr_points, sizeof(*r->results));
	complete = run_points(r);
	progress_clear(&r->progress);
	if (complete && fill_document(r, document) < 0) {
		fputs("zonesim: out of memory\n", stderr);
		r->worst = EXIT_RUN_FAILED;
	}
	for (size_t i = 0; i < r->scenario->nr_points; i++)
		json_decref(r->results[i]);
	free(r->results);
	free(r->polled);
	free(r->children);
	return complete ? r->worst : EXIT_INTERRUPTED;
}

int runner_run(const struct scenario *s, const struct runner_options *o, json_t *document)
{
	struct run r = {
		.scenario = s,
		.store = o->store,
		.jobs = o->jobs ? o->jobs : usable_cpus(),
	};
	sigset_t stop, before;
	int status;

	if ((size_t)r.jobs > s->nr_points)
		r.jobs = (int)s->nr_points;
	sigemptyset(&stop);
	sigaddset(&stop, SIGINT);
	sigaddset(&stop, SIGTERM);
	r.signals = signalfd(-1, &stop, SFD_CLOEXEC);
	if (r.signals < 0 || sigprocmask(SIG_BLOCK, &stop, &before) < 0) {
		fprintf(stderr, "zonesim: can not watch for signals: %s\n", strerror(errno));
		return EXIT_RUN_FAILED;
	}
	/* What is in the buffers now must not be written a second time by a child. */
	fflush(NULL);
	progress_start(&r.progress, s->nr_points, o->quiet);
	status = run_all(&r, document);
	close(r.signals);
	if (status == EXIT_INTERRUPTED) {
		/* No second end by the same signal. */
		fputs("zonesim: interrupted\n", stderr);
		return status;
	}
	if (sigprocmask(SIG_SETMASK, &before, NULL) < 0)
		return EXIT_RUN_FAILED;
	return status;
}
