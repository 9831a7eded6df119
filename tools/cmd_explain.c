// SPDX-License-Identifier: GPL-3.0-or-later
/*
 * cmd_explain.c - zonesim explain: what a result rests on.
 */
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <gsl/gsl_randist.h>
#include <gsl/gsl_rng.h>

#include "../models/error.h"
#include "../results/explanation.h"
#include "../results/must.h"
#include "../results/result.h"
#include "../results/store.h"
#include "command.h"
#include "runner.h"
#include "scenario.h"
#include "vary.h"

#define MAX_SAMPLES 10000
#define STEP_PERCENT                                                                               \
	10 /* small enough to be nearly linear, large against the interval of a run                \
	    */

struct arguments {
	const char *scenario, *db, *figures;
	struct scenario_arguments set;
	bool json;
	double step;
	size_t samples;
	struct runner_options runner;
};

/* clang-format off */
static const struct argp_option options_of_explain[] = {
	{"figures", 'f', "LIST", 0, "Only vary these figures, separated by commas, or none (default: all that cost something)", 0},
	{"step", 'S', "PERCENT", 0, "By how much to raise each (default: 10)", 0},
	{"uncertainty", 'u', "N", 0, "Also simulate N times with all figures anywhere within their bounds", 0},
	{"set", 's', "PATH=VALUE", 0, "As for `zonesim run`", 0},
	{"db", 'd', "FILE", 0, "Keep each point in the store FILE, and take from it those it has", 0},
	{"json", 'J', NULL, 0, "Print one JSON document", 0},
	{"jobs", 'j', "N", 0, "Simulate N points at once (default: as many as CPUs)", 0},
	{"quiet", 'q', NULL, 0, "No progress on standard error", 0},
	{0},
};
/* clang-format on */

static double parse_step(const char *text, struct argp_state *state)
{
	char *end;
	double step = strtod(text, &end);

	if (*end == '%')
		end++;
	if (end == text || *end || !(step >= 0.1 && step <= 100))
		argp_error(state, "--step %s: expected percent, from 0.1 to 100", text);
	return step;
}

static size_t parse_samples(const char *text, struct argp_state *state)
{
	char *end;
	long samples = strtol(text, &end, 10);

	if (end == text || *end || samples < 2 || samples > MAX_SAMPLES)
		argp_error(state, "--uncertainty %s: expected a number from 2 to %d", text,
			MAX_SAMPLES);
	return (size_t)samples;
}

static error_t parse_option(int key, char *argument, struct argp_state *state)
{
	struct arguments *a = state->input;

	switch (key) {
	case 'f':
		a->figures = argument;
		return 0;
	case 'S':
		a->step = parse_step(argument, state);
		return 0;
	case 'u':
		a->samples = parse_samples(argument, state);
		return 0;
	case 's':
		command_add(&a->set.sets, argument);
		return 0;
	case 'd':
		a->db = argument;
		return 0;
	case 'J':
		a->json = true;
		return 0;
	case 'j':
		a->runner.jobs = command_parse_jobs(argument, state);
		return 0;
	case 'q':
		a->runner.quiet = true;
		return 0;
	case ARGP_KEY_ARG:
		if (a->scenario)
			argp_error(state, "one scenario at a time");
		a->scenario = argument;
		return 0;
	case ARGP_KEY_END:
		if (!a->scenario)
			argp_error(state, "a scenario is missing: a file, or one of `zonesim list "
					  "scenarios`");
		return 0;
	default:
		return ARGP_ERR_UNKNOWN;
	}
}

static const struct argp argp = {
	.options = options_of_explain,
	.parser = parse_option,
	.args_doc = "SCENARIO",
	.doc = "Say what a result rests on: how much one percent more of each figure of the "
	       "machine "
	       "moves the score, and what the patches bring."
	       "\vEvery point is simulated again for every figure, and for every sample of "
	       "--uncertainty: with --db what was simulated is kept, and the same command goes on. "
	       "In a sample each figure lies anywhere within the bounds that its file gives "
	       "(`zonesim list machines NAME`), evenly, the same for all points of the scenario; "
	       "one "
	       "without bounds stays. A smaller workload.region makes it shorter.\n\n"
	       "  zonesim explain pick-outside-lock --set machine=broadwell-2s --figures "
	       "hand-over,cpi",
};

/* ---- what to vary ---- */

struct plan {
	struct knob *knobs;
	size_t nr_knobs, nr_points;
	struct varied_figure *figures;
};

static void plan_free(struct plan *plan)
{
	free(plan->knobs);
	free(plan->figures);
}

static bool is_listed(const char *list, const char *key)
{
	size_t length = strlen(key);

	for (const char *at = list; at; at = strchr(at, ',')) {
		at += *at == ',';
		if (strncmp(at, key, length) == 0 && (at[length] == ',' || at[length] == '\0'))
			return true;
	}
	return false;
}

/* Every name in the list has to be that of a knob. */
static int check_list(const char *list, const struct knob *knobs, size_t nr, struct error *err)
{
	const char **names = must_calloc(nr + 1, sizeof(*names));
	char *copy = must_format("%s", list), *rest = copy, *name;
	int status = 0;

	for (size_t i = 0; i < nr; i++)
		names[i] = knobs[i].info->key;
	while (status == 0 && (name = strsep(&rest, ","))) {
		const char *near = nearest_name(name, names);

		if (near && strcmp(near, name) == 0)
			continue;
		status = near ? error_set(err,
					"--figures: unknown figure '%.64s': did you mean "
					"'%s'?",
					name, near)
			      : error_set(err,
					"--figures: unknown figure '%.64s': see `zonesim "
					"list machines NAME`",
					name);
	}
	free(copy);
	free(names);
	return status;
}

/* Which figures are varied alone; all of them are in a sample. */
static size_t choose_figures(
	struct plan *plan, const struct arguments *a, const struct knob **chosen)
{
	size_t nr = 0;

	for (size_t i = 0; i < plan->nr_knobs; i++) {
		const struct figure_info *info = plan->knobs[i].info;

		if (a->figures && !is_listed(a->figures, info->key))
			continue;
		chosen[nr] = &plan->knobs[i];
		plan->figures[nr++] = (struct varied_figure){info->key, info->help, a->step};
	}
	return nr;
}

static int add_samples(
	struct scenario *s, const struct plan *plan, size_t samples, struct error *err)
{
	gsl_rng *rng = gsl_rng_alloc(gsl_rng_taus2);
	struct turn *turns = must_calloc(plan->nr_knobs, sizeof(*turns));
	int status = rng ? 0 : error_set(err, "out of memory");

	if (rng)
		gsl_rng_set(rng, (unsigned long)s->points[0].point.seed);
	for (size_t sample = 0; rng && sample < samples; sample++) {
		for (size_t i = 0; i < plan->nr_knobs; i++)
			turns[i] =
				(struct turn){&plan->knobs[i], NULL, true, gsl_ran_flat(rng, 0, 1)};
		scenario_vary(s, plan->nr_points, turns, plan->nr_knobs);
	}
	free(turns);
	gsl_rng_free(rng);
	return status;
}

/* Add all points to simulate. Returns the number of figures that are varied alone, or -1. */
static long make_plan(
	struct plan *plan, struct scenario *s, const struct arguments *a, struct error *err)
{
	bool none = a->figures && strcmp(a->figures, "none") == 0;
	const struct knob **chosen;
	size_t nr = 0;

	*plan = (struct plan){.nr_points = s->nr_points};
	plan->knobs = knobs_of(s, &plan->nr_knobs, err);
	if (!plan->knobs)
		return -1;
	plan->figures = must_calloc(plan->nr_knobs, sizeof(*plan->figures));
	if (a->figures && !none && check_list(a->figures, plan->knobs, plan->nr_knobs, err) < 0)
		return -1;
	chosen = must_calloc(plan->nr_knobs, sizeof(*chosen));
	if (!none)
		nr = choose_figures(plan, a, chosen);
	for (size_t i = 0; i < nr; i++) {
		struct turn turn = {chosen[i], NULL, false, 1 + a->step / 100};

		scenario_vary(s, plan->nr_points, &turn, 1);
	}
	free(chosen);
	return add_samples(s, plan, a->samples, err) < 0 ? -1 : (long)nr;
}

/* ---- running it ---- */

static int print_explanation(const struct arguments *a, const struct plan *plan, size_t nr_figures,
	const json_t *document)
{
	struct explanation e;
	struct error err;
	int status = EXIT_DONE;

	if (explanation_make(&e, document, plan->nr_points, plan->figures, nr_figures, a->samples,
		    &err) < 0) {
		fputs(err.text, stderr);
		return EXIT_RUN_FAILED;
	}
	if (a->json)
		status = command_print_json(explanation_to_json(&e));
	else
		explanation_print(stdout, &e);
	explanation_free(&e);
	return status;
}

static int explain(const struct arguments *a, struct scenario *s)
{
	struct plan plan;
	struct error err;
	long nr_figures = make_plan(&plan, s, a, &err);
	json_t *document = nr_figures < 0 ? NULL : document_new(s->name);
	int status, printed;

	if (!document) {
		fputs(nr_figures < 0 ? err.text : "zonesim: out of memory\n", stderr);
		plan_free(&plan);
		return nr_figures < 0 ? EXIT_BAD_INPUT : EXIT_RUN_FAILED;
	}
	status = runner_run(s, &a->runner, document, NULL);
	if (status != EXIT_INTERRUPTED) {
		printed = print_explanation(a, &plan, (size_t)nr_figures, document);
		status = status == EXIT_DONE ? printed : status;
	}
	json_decref(document);
	plan_free(&plan);
	return status;
}

static int explain_with_store(struct arguments *a, struct scenario *s)
{
	struct error err;
	int status = EXIT_DONE;

	if (a->db)
		a->runner.store = store_open(a->db, STORE_WRITE, STORE_PATIENCE_MS, &status, &err);
	if (a->db && !a->runner.store) {
		fputs(err.text, stderr);
		return status;
	}
	status = explain(a, s);
	store_close(a->runner.store);
	return status;
}

int cmd_explain(int argc, char **argv)
{
	struct arguments a = {.step = STEP_PERCENT};
	struct scenario s;
	struct error err;
	int status;

	command_parse(&argp, argc, argv, &a);
	if (scenario_load(&s, a.scenario, &a.set, &err) < 0) {
		fputs(err.text, stderr);
		free(a.set.sets.list);
		return EXIT_BAD_INPUT;
	}
	status = explain_with_store(&a, &s);
	scenario_free(&s);
	free(a.set.sets.list);
	return status;
}
