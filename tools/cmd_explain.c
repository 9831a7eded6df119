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
	struct shared_arguments shared;
	struct words figures;
	bool none; /* no figure is varied */
	double step;
	size_t samples;
};

/* clang-format off */
static const struct argp_option options_of_explain[] = {
	{"figures", 'f', "LIST", 0, "Only vary these figures, separated by commas, or none (default: all that cost something)", 0},
	{"step", 'S', "PERCENT", 0, "By how much to raise each (default: 10)", 0},
	{"uncertainty", 'u', "N", 0, "Also simulate N times with all figures anywhere within their bounds", 0},
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
		a->none = strcmp(argument, "none") == 0;
		words_split(&a->figures, argument);
		return 0;
	case 'S':
		a->step = parse_step(argument, state);
		return 0;
	case 'u':
		a->samples = parse_samples(argument, state);
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
	       "  zonesim explain pick-outside-lock --figures hand-over,cpi",
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

/* Every name in the list has to be that of a knob. */
static int check_figures(const struct plan *plan, const struct words *figures, struct error *err)
{
	for (size_t i = 0; i < figures->nr; i++) {
		if (!knob_find(plan->knobs, plan->nr_knobs, "--figures", figures->list[i], err))
			return -1;
	}
	return 0;
}

/* Which figures are varied alone; all of them are in a sample. */
static size_t choose_figures(
	struct plan *plan, const struct arguments *a, const struct knob **chosen)
{
	size_t nr = 0;

	for (size_t i = 0; i < plan->nr_knobs; i++) {
		const struct figure_info *info = plan->knobs[i].info;

		if (a->figures.nr && !words_have(&a->figures, info->key))
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
	const struct knob **chosen;
	size_t nr = 0;

	*plan = (struct plan){.nr_points = s->nr_points};
	plan->knobs = knobs_of(s, &plan->nr_knobs, err);
	if (!plan->knobs)
		return -1;
	plan->figures = must_calloc(plan->nr_knobs, sizeof(*plan->figures));
	if (!a->none && check_figures(plan, &a->figures, err) < 0)
		return -1;
	chosen = must_calloc(plan->nr_knobs, sizeof(*chosen));
	if (!a->none)
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
	if (a->shared.json)
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
	status = runner_run(s, &a->shared.runner, document, NULL);
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
	int status;
	struct store *store = command_open_store(a->shared.db, STORE_WRITE, &status);

	a->shared.runner.store = store;
	if (status == EXIT_DONE)
		status = explain(a, s);
	store_close(store);
	return status;
}

static int run(int argc, char **argv)
{
	struct arguments a = {.step = STEP_PERCENT};
	struct scenario s;
	struct error err;
	int status;

	command_parse(&command_explain, argc, argv, &a.shared, &a);
	if (scenario_load(&s, a.shared.scenario, &a.shared.set, &err) < 0) {
		fputs(err.text, stderr);
		status = EXIT_BAD_INPUT;
	} else {
		status = explain_with_store(&a, &s);
		scenario_free(&s);
	}
	free(a.figures.list);
	shared_arguments_free(&a.shared);
	return status;
}

const struct command command_explain = {
	.name = "explain",
	.summary = "say which figures of the machine a result rests on",
	.takes = TAKES_SCENARIO | TAKES_SET | TAKES_KEEP | TAKES_JSON | TAKES_JOBS | TAKES_QUIET,
	.argp = &argp,
	.run = run,
};
