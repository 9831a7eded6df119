// SPDX-License-Identifier: GPL-3.0-or-later
/*
 * cmd_sweep.c - zonesim sweep: a grid of points into a store.
 */
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "../models/error.h"
#include "../results/must.h"
#include "../results/store.h"
#include "command.h"
#include "config.h"
#include "forecast.h"
#include "progress.h"
#include "runner.h"
#include "scenario.h"

#define MAX_SHARDS 10000

struct arguments {
	struct shared_arguments shared;
	char *shard_db; /* owned */
	bool dry_run;
	unsigned int shard, nr_shards; /* the first is 1; 0: not asked for */
};

/* clang-format off */
static const struct argp_option options_of_sweep[] = {
	{"over", 'O', "PATH=VALUES", 0, "Go through VALUES of an option; several --over make all combinations", 0},
	{"zip", 'z', NULL, 0, "Take the values of all --over side by side instead, the first of each, then the second", 0},
	{"seeds", 'S', "N", 0, "Simulate each point with seeds 1 to N; the same for --over measure.seed=1..N", 0},
	{"dry-run", 'n', NULL, 0, "Only print the points, and how long they will take as far as stored ones tell", 0},
	{"shard", 'i', "I/N", 0, "Only every N-th point, from the I-th on, for N computers at once, into zonesim-I-of-N.db unless --db names another; see zonesim merge", 0},
	{"retry-failed", 'r', NULL, 0, "Simulate points again that are stored as failed", 0},
	{0},
};
/* clang-format on */

static void parse_shard(struct arguments *a, const char *text, struct argp_state *state)
{
	int used = 0;

	if (sscanf(text, "%u/%u%n", &a->shard, &a->nr_shards, &used) != 2 || text[used] ||
		a->shard < 1 || a->shard > a->nr_shards || a->nr_shards > MAX_SHARDS)
		argp_error(
			state, "--shard %s: expected I/N, as in 1/4 for the first of four", text);
}

static void add_seeds(struct arguments *a, const char *text, struct argp_state *state)
{
	char *end;
	long nr = strtol(text, &end, 10);

	if (end == text || *end || nr < 1 || nr > 10000)
		argp_error(state, "--seeds %s: expected a number from 1 to 10000", text);
	words_add(&a->shared.set.overs, must_format("measure.seed=1..%ld", nr));
}

/* A shard goes to a store of its own. */
static void name_store(struct arguments *a)
{
	if (a->shared.db || !a->nr_shards)
		return;
	a->shard_db = must_format("zonesim-%u-of-%u.db", a->shard, a->nr_shards);
	a->shared.db = a->shard_db;
}

static error_t parse_option(int key, char *argument, struct argp_state *state)
{
	struct arguments *a = state->input;

	switch (key) {
	case 'O':
		words_add(&a->shared.set.overs, must_format("%s", argument));
		return 0;
	case 'z':
		a->shared.set.zip = true;
		return 0;
	case 'S':
		add_seeds(a, argument, state);
		return 0;
	case 'n':
		a->dry_run = true;
		return 0;
	case 'i':
		parse_shard(a, argument, state);
		return 0;
	case 'r':
		a->shared.runner.retry_failed = true;
		return 0;
	case ARGP_KEY_END:
		name_store(a);
		return 0;
	default:
		return ARGP_ERR_UNKNOWN;
	}
}

static const struct argp argp = {
	.options = options_of_sweep,
	.parser = parse_option,
	.args_doc = "SCENARIO",
	.doc = "Simulate all points that a scenario and the values to go through make, and keep "
	       "each in a store as soon as it is finished. Whatever ends a sweep, the same command "
	       "goes on where it was; several on one store share the work."
	       "\vVALUES are a list (31,63,127), a range (31..511 step 32), a range of "
	       "multiples (log 16..4096 x2), or several of these with commas. Patches are "
	       "none,a,a+b. A scenario file may have such ranges, too. When pcp.batch is "
	       "swept without pcp.high, high follows as the kernel has it (6 x batch before "
	       "v5.14).\n\n"
	       "Every combination is simulated with every seed, so that zonesim compare can pair "
	       "them. A point that fails costs only itself: it is kept with its reason and what "
	       "the simulator said, and counts as done until --retry-failed. "
	       "What to do with the results: zonesim query, compare, plot.\n\n"
	       "  zonesim sweep batch --over pcp.batch=31,63 --over tasks=28,56,112\n"
	       "  zonesim sweep pick-outside-lock --seeds 5 --dry-run",
};

/* Leave only the points of a shard. They are dealt out, so that each gets of all kinds. */
static void take_shard(struct scenario *s, const struct arguments *a)
{
	size_t kept = 0;

	for (size_t i = 0; a->nr_shards && i < s->nr_points; i++) {
		struct scenario_point point = s->points[i];

		if (i % a->nr_shards != a->shard - 1)
			continue;
		s->points[i] = s->points[kept];
		s->points[kept++] = point;
	}
	while (a->nr_shards && s->nr_points > kept)
		scenario_drop_last(s);
}

static int jobs_of(const struct arguments *a, const struct scenario *s)
{
	size_t jobs = a->shared.runner.jobs ? (size_t)a->shared.runner.jobs
					    : (size_t)runner_usable_cpus();

	return (int)(jobs < s->nr_points ? jobs : s->nr_points);
}

/* Print the plan: a line per point, and the time it all takes. */
static void print_plan(
	const struct arguments *a, const struct scenario *s, const struct forecast *f)
{
	int jobs = jobs_of(a, s);
	char what[256], time[32];

	for (size_t i = 0; i < s->nr_points; i++) {
		printf("%.8s  %s, seed %llu: ", s->points[i].fingerprint,
			config_describe(&s->points[i], what, sizeof(what)),
			(unsigned long long)s->points[i].point.seed);
		if (strcmp(f->status[i], "failed") == 0)
			puts(a->shared.runner.retry_failed ? "failed, to be retried" : "failed");
		else if (*f->status[i])
			puts("stored");
		else if (isnan(f->seconds[i]))
			puts("time not known");
		else
			printf("about %.2g s\n", f->seconds[i]);
	}
	printf("%zu point%s, %zu stored", s->nr_points, s->nr_points == 1 ? "" : "s", f->stored);
	if (f->failed)
		printf(" (%zu as failed)", f->failed);
	if (f->unknown == s->nr_points - f->stored && f->unknown)
		puts("; no stored point tells how long the others take");
	else
		printf("; about %s with %d at once%s\n",
			progress_duration(f->total / (jobs ? jobs : 1), time, sizeof(time)), jobs,
			f->unknown ? ", and those whose time is not known" : "");
}

/* A store that is not there yet need not be made to see that it has nothing. */
static int dry_run(const struct arguments *a, const struct scenario *s)
{
	bool is_there = access(a->shared.db, F_OK) == 0;
	int status;
	struct store *store =
		command_open_store(is_there ? a->shared.db : NULL, STORE_READ, &status);
	struct forecast f;
	struct error err;

	if (status != EXIT_DONE)
		return status;
	if (forecast_make(&f, s, store, &err) < 0) {
		fputs(err.text, stderr);
		status = EXIT_RUN_FAILED;
	} else {
		print_plan(a, s, &f);
		forecast_free(&f);
	}
	store_close(store);
	return status;
}

static void print_counts(const struct arguments *a, const struct scenario *s,
	const struct runner_counts *c, double wall)
{
	size_t done = c->simulated + c->reused + c->failed + c->failed_before;

	printf("%zu point%s: %zu simulated, %zu reused, %zu failed", s->nr_points,
		s->nr_points == 1 ? "" : "s", c->simulated, c->reused,
		c->failed + c->failed_before);
	if (done < s->nr_points)
		printf(", %zu not done", s->nr_points - done);
	if (c->not_kept)
		printf(", %zu not kept", c->not_kept);
	printf("; %.1f s (the points %.1f s, %d at once)\n", wall, c->points_wall, jobs_of(a, s));
	if (c->failed_before)
		printf("%zu failed before: --retry-failed tries them again\n", c->failed_before);
	if (c->failed + c->failed_before)
		printf("Why: zonesim query --db %s scenario=%s status=failed --json\n",
			a->shared.db, s->short_name);
	if (c->simulated + c->reused)
		printf("Results: zonesim query --db %s scenario=%s\n", a->shared.db, s->short_name);
}

static int sweep(struct arguments *a, struct scenario *s, struct store *store)
{
	double start = progress_clock();
	struct runner_options *runner = &a->shared.runner;
	struct runner_counts counts;
	int status = command_keep_scenario(store, s);

	if (status != EXIT_DONE)
		return status;
	take_shard(s, a);
	runner->store = store;
	runner->brief = true;
	status = s->nr_points ? runner_run(s, runner, NULL, &counts) : EXIT_DONE;
	if (s->nr_points)
		print_counts(a, s, &counts, progress_clock() - start);
	else
		puts("0 points: there are fewer than shards");
	if (status == EXIT_INTERRUPTED)
		fputs("zonesim: what is finished is kept; the same command goes on\n", stderr);
	return status;
}

static int plan_or_sweep(struct arguments *a, struct scenario *s)
{
	struct store *store;
	int status;

	if (a->dry_run) {
		take_shard(s, a);
		return dry_run(a, s);
	}
	store = command_open_store(a->shared.db, STORE_WRITE, &status);
	if (store)
		status = sweep(a, s, store);
	store_close(store);
	return status;
}

static int run(int argc, char **argv)
{
	struct arguments a = {0};
	struct scenario s;
	struct error err;
	int status = EXIT_BAD_INPUT;

	command_parse(&command_sweep, argc, argv, &a.shared, &a);
	if (scenario_load(&s, a.shared.scenario, &a.shared.set, &err) < 0) {
		fputs(err.text, stderr);
	} else {
		status = plan_or_sweep(&a, &s);
		scenario_free(&s);
	}
	for (size_t i = 0; i < a.shared.set.overs.nr; i++)
		free(a.shared.set.overs.list[i]);
	free(a.shared.set.overs.list);
	shared_arguments_free(&a.shared);
	free(a.shard_db);
	return status;
}

const struct command command_sweep = {
	.name = "sweep",
	.summary = "simulate a grid of points into a store",
	.takes = TAKES_SCENARIO | TAKES_SET | TAKES_STORE | TAKES_JOBS | TAKES_QUIET,
	.argp = &argp,
	.run = run,
};
