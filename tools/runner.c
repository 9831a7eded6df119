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

/* Milliseconds between looks at points that other programs are at. */
#define LOOK_AGAIN 300

struct run {
	const struct scenario *scenario;
	const struct runner_options *options;
	struct store *store; /* or NULL */
	bool store_failed, stopping;
	struct child *children; /* @jobs of them; pid 0: idle */
	struct child *ending;	/* have sent all, but their memory is not given back yet */
	struct pollfd *polled;	/* two per child, one for each that is ending, one for signals */
	int jobs, active, nr_ending;   /* at most @jobs are ending */
	int signals;		       /* a signalfd */
	size_t next;		       /* point to start */
	size_t *deferred, nr_deferred; /* points that others are at */
	json_t **results;	       /* NULL: they are kept in the store only */
	int worst;
	struct runner_counts counts;
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
	r->stopping = !r->results;
	count_status(r, EXIT_RUN_FAILED);
}

/* A result goes to where the caller wants it, or nowhere. */
static void hand_over(struct run *r, const struct scenario_point *point, json_t *json)
{
	if (r->results)
		r->results[point - r->scenario->points] = json;
	else
		json_decref(json);
}

static bool has_status(const json_t *json, const char *status)
{
	const char *text = json_string_value(json_object_get(json, "status"));

	return text && strcmp(text, status) == 0;
}

static void keep_result(struct run *r, const struct scenario_point *point, json_t *json, int status)
{
	struct error err;

	count_status(r, status);
	if (!json || has_status(json, "failed"))
		r->counts.failed++;
	else
		r->counts.simulated++;
	r->counts.points_wall +=
		json_number_value(json_object_get(json_object_get(json, "host"), "wall_s"));
	if (json && r->store && store_put(r->store, json, &err) < 0) {
		store_failed(r, &err);
		r->counts.not_kept++;
	}
	progress_point(&r->progress, point, json, false);
	hand_over(r, point, json);
}

/* What the store has of a point, as this scenario would have it; NULL when it has nothing. */
static json_t *stored_result(struct run *r, const struct scenario_point *point)
{
	struct error err;
	json_t *json = NULL;

	if (store_find(r->store, point->fingerprint, &json, &err) < 0) {
		store_failed(r, &err);
	} else if (json && json_object_set_new(json_object_get(json, "config"), "patches",
				   asked_patches_to_json(point)) < 0) {
		json_decref(json);
		json = NULL;
	}
	return json;
}

/* A point that is known to fail counts as done; it has no result to reuse. */
static bool reuse_failure(struct run *r)
{
	count_status(r, EXIT_RUN_FAILED);
	r->counts.failed_before++;
	r->progress.done++;
	r->progress.reused++;
	r->progress.failed++;
	return true;
}

static bool reuse_result(struct run *r, const struct scenario_point *point)
{
	json_t *json = stored_result(r, point);

	if (!json)
		return !r->store_failed && !r->options->retry_failed && reuse_failure(r);
	if (!has_status(json, "ok"))
		count_status(r, EXIT_NOT_TRUSTED);
	r->counts.reused++;
	progress_point(&r->progress, point, json, true);
	hand_over(r, point, json);
	return true;
}

/* Is a point that must give the same under way here? */
static bool has_twin(const struct run *r, const struct scenario_point *point)
{
	for (int i = 0; i < r->jobs; i++) {
		if (r->children[i].pid &&
			strcmp(r->children[i].point->fingerprint, point->fingerprint) == 0)
			return true;
	}
	for (int i = 0; i < r->nr_ending; i++) {
		if (strcmp(r->ending[i].point->fingerprint, point->fingerprint) == 0)
			return true;
	}
	return false;
}

static enum claim ask_store(struct run *r, const struct scenario_point *point)
{
	struct error err;
	enum claim claim;

	if (!r->store || r->store_failed)
		return CLAIM_MINE;
	if (has_twin(r, point))
		return CLAIM_OTHERS;
	claim = store_claim(r->store, point->fingerprint, r->options->retry_failed, &err);
	if (claim == CLAIM_FAILED)
		store_failed(r, &err);
	return claim;
}

/* Start a point unless the store has it; one that can not be started counts as failed. */
static void start_point(struct run *r, struct child *c, size_t index)
{
	const struct scenario_point *point = &r->scenario->points[index];
	enum claim claim = ask_store(r, point);

	if (claim == CLAIM_OTHERS) {
		r->deferred[r->nr_deferred++] = index;
		return;
	}
	if (r->stopping || (claim == CLAIM_DONE && reuse_result(r, point)))
		return;
	if (child_start(c, point) == 0) {
		r->active++;
		return;
	}
	c->pid = 0;
	keep_result(r, point, child_not_started(point, errno), EXIT_RUN_FAILED);
}

/* Ask once more about the points that others are at. */
static void start_deferred(struct run *r, struct child *c)
{
	size_t nr = r->nr_deferred;

	r->nr_deferred = 0;
	for (size_t i = 0; i < nr; i++) {
		if (c->pid || r->stopping)
			r->deferred[r->nr_deferred++] = r->deferred[i];
		else
			start_point(r, c, r->deferred[i]);
	}
}

static void fill_slot(struct run *r, struct child *c)
{
	while (!c->pid && r->next < r->scenario->nr_points && !r->stopping)
		start_point(r, c, r->next++);
	if (!c->pid && !r->stopping)
		start_deferred(r, c);
}

static void start_points(struct run *r)
{
	for (int i = 0; i < r->jobs; i++)
		fill_slot(r, &r->children[i]);
}

/* Keep what an ending child sent; waits for its end if that has not come yet. */
static void settle(struct run *r, int i)
{
	struct child finished = r->ending[i];
	const struct scenario_point *point = finished.point;
	json_t *json;
	int status;

	r->ending[i] = r->ending[--r->nr_ending];
	progress_clear(&r->progress);
	json = child_finish(&finished, &status);
	keep_result(r, point, json, status);
}

static void settle_ended(struct run *r)
{
	for (int i = r->nr_ending; i-- > 0;) {
		if (child_has_ended(&r->ending[i]))
			settle(r, i);
	}
}

static void settle_all(struct run *r)
{
	while (r->nr_ending)
		settle(r, 0);
}

/* A process takes a while to give its memory back: the next point runs already. */
static void retire(struct run *r, struct child *c)
{
	if (r->nr_ending == r->jobs)
		settle(r, 0);
	r->ending[r->nr_ending++] = *c;
	c->pid = 0;
	r->active--;
	fill_slot(r, c);
	if (r->ending[r->nr_ending - 1].end < 0)
		settle(r, r->nr_ending - 1);
}

static void read_streams(struct run *r)
{
	for (int i = 0; i < r->jobs; i++) {
		struct child *c = &r->children[i];

		if (!c->pid)
			continue;
		if (c->result.fd >= 0 && r->polled[2 * i].revents)
			stream_read(&c->result);
		if (c->messages.fd >= 0 && r->polled[2 * i + 1].revents)
			stream_read(&c->messages);
		if (c->result.fd < 0 && c->messages.fd < 0)
			retire(r, c);
	}
}

/* Wait until something happens, at most a second. Returns true when a signal ends the run. */
static bool wait_for_news(struct run *r)
{
	struct pollfd *ends = &r->polled[2 * r->jobs], *signals = ends + r->nr_ending;

	for (int i = 0; i < r->jobs; i++) {
		const struct child *c = &r->children[i];

		/* poll ignores negative descriptors */
		r->polled[2 * i].fd = c->pid ? c->result.fd : -1;
		r->polled[2 * i + 1].fd = c->pid ? c->messages.fd : -1;
		r->polled[2 * i].events = r->polled[2 * i + 1].events = POLLIN;
		r->polled[2 * i].revents = r->polled[2 * i + 1].revents = 0;
	}
	for (int i = 0; i < r->nr_ending; i++)
		ends[i] = (struct pollfd){.fd = r->ending[i].end, .events = POLLIN};
	signals->fd = r->signals;
	signals->events = POLLIN;
	signals->revents = 0;
	if (poll(r->polled, 2 * (nfds_t)r->jobs + (nfds_t)r->nr_ending + 1,
		    r->nr_deferred ? LOOK_AGAIN : 1000) < 0)
		return false;
	return signals->revents != 0;
}

/* Returns true when all points are done, false when a signal came first. */
static bool run_points(struct run *r)
{
	start_points(r);
	while (r->active || r->nr_ending || (r->nr_deferred && !r->stopping)) {
		if (wait_for_news(r)) {
			settle_all(r);
			for (int i = 0; i < r->jobs; i++) {
				if (r->children[i].pid)
					child_kill(&r->children[i]);
			}
			return false;
		}
		read_streams(r);
		settle_ended(r);
		start_points(r);
		if (r->store && !r->store_failed)
			store_keep_claims(r->store);
		progress_tick(&r->progress);
	}
	return true;
}

int runner_usable_cpus(void)
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
	r->ending = must_calloc((size_t)r->jobs, sizeof(*r->ending));
	r->polled = must_calloc(3 * (size_t)r->jobs + 1, sizeof(*r->polled));
	r->deferred = must_calloc(r->scenario->nr_points, sizeof(*r->deferred));
	if (document)
		r->results = must_calloc(r->scenario->nr_points, sizeof(*r->results));
	complete = run_points(r);
	progress_clear(&r->progress);
	if (r->store)
		store_give_up_claims(r->store);
	if (document && complete && fill_document(r, document) < 0) {
		fputs("zonesim: out of memory\n", stderr);
		r->worst = EXIT_RUN_FAILED;
	}
	for (size_t i = 0; document && i < r->scenario->nr_points; i++)
		json_decref(r->results[i]);
	free(r->results);
	free(r->deferred);
	free(r->polled);
	free(r->ending);
	free(r->children);
	return complete ? r->worst : EXIT_INTERRUPTED;
}

int runner_run(const struct scenario *s, const struct runner_options *o, json_t *document,
	struct runner_counts *counts)
{
	struct run r = {
		.scenario = s,
		.options = o,
		.store = o->store,
		.jobs = o->jobs ? o->jobs : runner_usable_cpus(),
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
	r.progress.brief = o->brief;
	status = run_all(&r, document);
	if (counts)
		*counts = r.counts;
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
