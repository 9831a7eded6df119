// SPDX-License-Identifier: GPL-3.0-or-later
/*
 * cmd_calibrate.c - zonesim calibrate: figures of machines and coefficients that come nearest to
 * what was published, and how far that can be trusted.
 */
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../models/error.h"
#include "../results/calibration.h"
#include "../results/must.h"
#include "../results/points.h"
#include "../results/result.h"
#include "../results/store.h"
#include "../results/validation.h"
#include "claims.h"
#include "command.h"
#include "runner.h"
#include "scenario.h"
#include "vary.h"

#define STEP 1.1  /* factor by which a figure is raised to see what it does */
#define ALIKE 0.9 /* correlation from which on two figures are said to be mixed up */
#define MAX_FIGURES 32

struct arguments {
	struct shared_arguments shared;
	struct words fit;
	const char *table, *machine;
	bool full;
};

/* clang-format off */
static const struct argp_option options_of_calibrate[] = {
	{"fit", 'f', "LIST", 0, "The figures to fit, separated by commas; MACHINE:FIGURE is that of one machine, FIGURE that of all by the same factor; required", 0},
	{"table", 't', "NAME", 0, "Only to the published table NAME", 0},
	{"machine", 'm', "NAME", 0, "Only to the rows of that machine", 0},
	{"full", 'F', NULL, 0, "All rows; else those of `zonesim validate --quick`", 0},
	{0},
};
/* clang-format on */

static error_t parse_option(int key, char *argument, struct argp_state *state)
{
	struct arguments *a = state->input;

	switch (key) {
	case 'f':
		words_split(&a->fit, argument);
		return 0;
	case 't':
		a->table = argument;
		return 0;
	case 'm':
		a->machine = argument;
		return 0;
	case 'F':
		a->full = true;
		return 0;
	case ARGP_KEY_END:
		if (!a->fit.nr)
			argp_error(state, "--fit is missing: which figures, as in --fit "
					  "cpi,hand-over");
		return 0;
	default:
		return ARGP_ERR_UNKNOWN;
	}
}

static const struct argp argp = {
	.options = options_of_calibrate,
	.parser = parse_option,
	.doc = "Fit figures to the published tables, each within the bounds of its file and held "
	       "back "
	       "by its distance from what the file has; say how sure each is, which can not be "
	       "told "
	       "apart, and how well rows are predicted that took no part. Nothing is changed: what "
	       "is found is for you to write into models/."
	       "\vA row counts by its deviation in units of its target (`zonesim help verdicts`), "
	       "every table as much as any other. All rows are simulated once for each figure "
	       "raised "
	       "by 10%, and once more with what was found.",
};

/* ---- what to fit ---- */

struct candidate {
	struct knob knob;
	char *machine; /* NULL: all */
	char *name;    /* as asked for */
	struct knob_range range;
};

struct job {
	const struct arguments *a;
	struct scenario s;
	size_t nr_points; /* of a block */
	size_t *plan;	  /* the point of each row */
	struct knob *knobs;
	size_t nr_knobs;
	struct candidate candidates[MAX_FIGURES];
	size_t nr;
	struct validation *blocks; /* now, each figure raised, fitted */
	struct calibration_row *rows;
	struct calibration_figure *figures;
	size_t nr_rows;
};

static void job_free(struct job *j)
{
	for (size_t i = 0; i < j->nr; i++) {
		free(j->candidates[i].machine);
		free(j->candidates[i].name);
	}
	for (size_t i = 0; i < j->nr_rows && j->rows; i++)
		free(j->rows[i].slope);
	for (size_t i = 0; j->blocks && i < MAX_FIGURES + 2; i++)
		validation_free(&j->blocks[i]);
	free(j->rows);
	free(j->figures);
	free(j->blocks);
	free(j->plan);
	free(j->knobs);
	scenario_free(&j->s);
}

/* The first point that @c is of; its range is taken for that of all. */
static const struct scenario_point *point_of(const struct job *j, const struct candidate *c)
{
	for (size_t i = 0; i < j->nr_points; i++)
		if (!c->machine || strcmp(j->s.points[i].point.machine->name, c->machine) == 0)
			return &j->s.points[i];
	return NULL;
}

/* @name: "FIGURE" or "MACHINE:FIGURE" */
static int add_candidate(struct job *j, const char *name, struct error *err)
{
	struct candidate *c = &j->candidates[j->nr];
	const char *colon = strchr(name, ':'), *key = colon ? colon + 1 : name;
	const struct scenario_point *p;
	const struct knob *knob;

	if (j->nr == MAX_FIGURES)
		return error_set(err, "--fit: more than %d figures", MAX_FIGURES);
	knob = knob_find(j->knobs, j->nr_knobs, "--fit", key, err);
	if (!knob)
		return -1;
	if (colon && !knob->of_machine)
		return error_set(err, "--fit %.64s: %s is the same for all machines", name, key);
	*c = (struct candidate){.knob = *knob};
	c->machine = colon ? must_format("%.*s", (int)(colon - name), name) : NULL;
	c->name = must_format("%s", name);
	j->nr++;
	p = point_of(j, c);
	if (!p)
		return error_set(err, "--fit %.64s: no row is of that machine", name);
	c->range = knob_range(&c->knob, p);
	return 0;
}

static int add_candidates(struct job *j, struct error *err)
{
	j->knobs = knobs_of(&j->s, &j->nr_knobs, err);
	if (!j->knobs)
		return -1;
	for (size_t i = 0; i < j->a->fit.nr; i++) {
		if (add_candidate(j, j->a->fit.list[i], err) < 0)
			return -1;
	}
	return 0;
}

/* ---- blocks of points ---- */

/* Raise candidate @k alone. */
static void add_raised(struct job *j, size_t k)
{
	struct turn turn = {&j->candidates[k].knob, j->candidates[k].machine, false, STEP};

	scenario_vary(&j->s, j->nr_points, &turn, 1);
}

static void add_fitted(struct job *j)
{
	struct turn turns[MAX_FIGURES];

	for (size_t k = 0; k < j->nr; k++)
		turns[k] = (struct turn){&j->candidates[k].knob, j->candidates[k].machine, false,
			exp(j->figures[k].d)};
	scenario_vary(&j->s, j->nr_points, turns, j->nr);
}

/* What can not be simulated in one block can not in any. */
static void copy_marks(struct validation *to, const struct validation *from)
{
	for (size_t i = 0; i < from->nr_rows; i++) {
		const char *missing = from->rows[i].missing;

		to->rows[i].left_out = from->rows[i].left_out;
		to->rows[i].missing = missing ? must_format("%s", missing) : NULL;
	}
}

/* The rows, and the points that they need. */
static int plan_rows(struct job *j, struct error *err)
{
	j->blocks = must_calloc(MAX_FIGURES + 2, sizeof(*j->blocks));
	if (validation_load(&j->blocks[0], j->a->table, j->a->machine, err) < 0)
		return -1;
	j->nr_rows = j->blocks[0].nr_rows;
	j->plan = claims_plan(&j->blocks[0], &j->s, !j->a->full);
	j->nr_points = j->s.nr_points;
	return 0;
}

static int plan_raised(struct job *j, struct error *err)
{
	for (size_t k = 0; k < j->nr; k++)
		add_raised(j, k);
	for (size_t block = 1; block < j->nr + 2; block++) {
		if (validation_load(&j->blocks[block], j->a->table, j->a->machine, err) < 0)
			return -1;
		copy_marks(&j->blocks[block], &j->blocks[0]);
	}
	return 0;
}

/* The points from @first on, in blocks from @block on. */
static int settle(struct job *j, const json_t *document, size_t first, size_t block)
{
	for (; first < document_size(document); first += j->nr_points, block++) {
		json_t *part = document_part(document, first, j->nr_points);

		if (!part)
			return -1;
		claims_settle(&j->blocks[block], j->plan, part);
		validation_judge(&j->blocks[block]);
		json_decref(part);
	}
	return 0;
}

/* Simulate the points from @first on, which fill the blocks from @block on. */
static int run(struct job *j, size_t first, size_t block)
{
	json_t *document = document_new("calibrate");
	struct scenario part = j->s;
	int status;

	if (!document)
		return EXIT_RUN_FAILED;
	part.points += first;
	part.nr_points -= first;
	status = runner_run(&part, &j->a->shared.runner, document, NULL);
	if (status != EXIT_INTERRUPTED && settle(j, document, 0, block) < 0)
		status = EXIT_RUN_FAILED;
	json_decref(document);
	return status;
}

/* ---- the fit ---- */

/* By how many of its targets a row is off; NAN where it is not known or says nothing. */
static double deviation(const struct validation_row *row)
{
	const struct published_row *p = row->published;

	if (row->only_base || row->by_definition || row->left_out || row->missing)
		return NAN;
	return row->difference / verdict_target(p->table, p->metric, row->compared);
}

static size_t rows_of_table(const struct job *j, const char *table)
{
	size_t n = 0;

	for (size_t i = 0; i < j->nr_rows; i++)
		n += strcmp(j->blocks[0].rows[i].published->table, table) == 0 &&
		     !isnan(deviation(&j->blocks[0].rows[i]));
	return n;
}

static void make_rows(struct job *j)
{
	const struct validation *now = &j->blocks[0];

	j->rows = must_calloc(j->nr_rows, sizeof(*j->rows));
	for (size_t i = 0; i < j->nr_rows; i++) {
		struct calibration_row *row = &j->rows[i];
		bool known = true;

		row->slope = must_calloc(j->nr, sizeof(*row->slope));
		row->deviation = deviation(&now->rows[i]);
		known = !isnan(row->deviation);
		for (size_t k = 0; k < j->nr; k++) {
			double raised = deviation(&j->blocks[1 + k].rows[i]);

			row->slope[k] = (raised - row->deviation) / log(STEP);
			known = known && !isnan(row->slope[k]);
		}
		if (known)
			row->weight = 1.0 / (double)rows_of_table(j, now->rows[i].published->table);
	}
}

static void set_bounds(const struct job *j, struct calibration_figure *figures)
{
	for (size_t k = 0; k < j->nr; k++) {
		const struct knob_range *r = &j->candidates[k].range;

		figures[k].low = r->low > 0 ? log(r->low / r->value) : -1;
		figures[k].high = log(r->high / r->value);
	}
}

/* ---- printing ---- */

static void print_figures(const struct job *j)
{
	printf("%-28s %12s %12s %10s %8s\n", "figure", "now", "fitted", "change", "+- (1 sd)");
	for (size_t k = 0; k < j->nr; k++) {
		const struct candidate *c = &j->candidates[k];
		const struct calibration_figure *f = &j->figures[k];
		char now[32], fitted[32];
		enum quantity unit = c->knob.info->unit;

		printf("%-28s %12s %12s %+8.1f %% %6.1f %%%s\n", c->name,
			quantity_print(now, sizeof(now), unit, c->range.value),
			quantity_print(fitted, sizeof(fitted), unit, c->range.value * exp(f->d)),
			100 * (exp(f->d) - 1), 100 * f->sd, f->at_bound ? ", at its bound" : "");
	}
}

static void print_alike(const struct job *j, const double *correlation)
{
	bool any = false;

	for (size_t a = 0; a < j->nr; a++)
		for (size_t b = a + 1; b < j->nr; b++) {
			double r = correlation[a * j->nr + b];

			if (fabs(r) < ALIKE)
				continue;
			printf("%s and %s can not be told apart by these rows (correlation "
			       "%+.2f)\n",
				j->candidates[a].name, j->candidates[b].name, r);
			any = true;
		}
	if (!any && j->nr > 1)
		puts("All figures can be told apart by these rows.");
}

/* Does @row belong to @name, a table or a machine? */
static bool is_of(const struct validation_row *row, const char *name, bool is_table)
{
	return strcmp(is_table ? row->published->table : row->published->machine, name) == 0;
}

/* The first row of its table or machine? */
static bool is_first(const struct job *j, size_t i, bool is_table)
{
	const struct published_row *p = j->blocks[0].rows[i].published;

	for (size_t k = 0; k < i; k++)
		if (is_of(&j->blocks[0].rows[k], is_table ? p->table : p->machine, is_table))
			return false;
	return true;
}

struct errors {
	double now, fitted, simulated; /* mean absolute deviations, in targets */
	size_t n;
};

static struct errors errors_of(const struct job *j, const char *name, bool is_table,
	const struct calibration_figure *figures)
{
	struct errors e = {0};

	for (size_t i = 0; i < j->nr_rows; i++) {
		if (!(j->rows[i].weight > 0) || !is_of(&j->blocks[0].rows[i], name, is_table))
			continue;
		e.now += fabs(j->rows[i].deviation);
		e.fitted += fabs(calibration_predict(&j->rows[i], figures, j->nr));
		e.simulated += fabs(deviation(&j->blocks[1 + j->nr].rows[i]));
		e.n++;
	}
	e.now /= (double)e.n;
	e.fitted /= (double)e.n;
	e.simulated /= (double)e.n;
	return e;
}

static void print_tables(const struct job *j)
{
	printf("\n%-28s %6s %10s %10s %10s   mean deviation, in targets\n", "table", "rows", "now",
		"predicted", "simulated");
	for (size_t i = 0; i < j->nr_rows; i++) {
		const char *table = j->blocks[0].rows[i].published->table;
		struct errors e;

		if (!is_first(j, i, true))
			continue;
		e = errors_of(j, table, true, j->figures);
		if (e.n)
			printf("%-28s %6zu %10.2f %10.2f %10.2f\n", table, e.n, e.now, e.fitted,
				e.simulated);
	}
}

/* Fit without what is @name, and say how far off that is then. */
static void print_without(const struct job *j, const char *name, bool is_table)
{
	struct calibration_figure *figures = must_calloc(j->nr, sizeof(*figures));
	double *weights = must_calloc(j->nr_rows, sizeof(*weights));
	struct errors e;
	size_t counted = 0;

	set_bounds(j, figures);
	for (size_t i = 0; i < j->nr_rows; i++) {
		weights[i] = j->rows[i].weight;
		counted += weights[i] > 0;
		if (is_of(&j->blocks[0].rows[i], name, is_table))
			j->rows[i].weight = 0;
	}
	int status = calibration_fit(j->rows, j->nr_rows, figures, j->nr, NULL);

	for (size_t i = 0; i < j->nr_rows; i++)
		j->rows[i].weight = weights[i];
	e = errors_of(j, name, is_table, figures);
	/* without any other row there was nothing to fit to */
	if (status == 0 && e.n && e.n < counted)
		printf("%-28s %6zu %10.2f %10.2f\n", name, e.n, e.now, e.fitted);
	free(weights);
	free(figures);
}

static void print_cross_validation(const struct job *j)
{
	printf("\n%-28s %6s %10s %10s   mean deviation, in targets\n", "left out of the fit",
		"rows", "now", "predicted");
	for (int is_table = 0; is_table < 2; is_table++)
		for (size_t i = 0; i < j->nr_rows; i++) {
			const struct published_row *p = j->blocks[0].rows[i].published;

			if (is_first(j, i, is_table))
				print_without(j, is_table ? p->table : p->machine, is_table);
		}
}

/* ---- all of it ---- */

static int fit_and_check(struct job *j)
{
	double *correlation = must_calloc(j->nr * j->nr, sizeof(*correlation));
	size_t simulated = j->s.nr_points;
	int status;

	make_rows(j);
	j->figures = must_calloc(j->nr, sizeof(*j->figures));
	set_bounds(j, j->figures);
	if (calibration_fit(j->rows, j->nr_rows, j->figures, j->nr, correlation) < 0) {
		free(correlation);
		fputs("zonesim: the fit failed\n", stderr);
		return EXIT_RUN_FAILED;
	}
	add_fitted(j);
	status = run(j, simulated, 1 + j->nr);
	if (status != EXIT_INTERRUPTED) {
		print_figures(j);
		print_alike(j, correlation);
		print_tables(j);
		print_cross_validation(j);
	}
	free(correlation);
	return status;
}

static int calibrate(struct job *j)
{
	struct error err;
	int status;

	if (plan_rows(j, &err) < 0 || add_candidates(j, &err) < 0 || plan_raised(j, &err) < 0) {
		fputs(err.text, stderr);
		return EXIT_BAD_INPUT;
	}
	status = run(j, 0, 0);
	return status == EXIT_INTERRUPTED ? status : fit_and_check(j);
}

static int run_command(int argc, char **argv)
{
	struct arguments a = {0};
	struct job j = {.a = &a};
	int status;

	command_parse(&command_calibrate, argc, argv, &a.shared, &a);
	a.shared.runner.store = command_open_store(a.shared.db, STORE_WRITE, &status);
	if (status == EXIT_DONE) {
		status = calibrate(&j);
		job_free(&j);
	}
	store_close(a.shared.runner.store);
	free(a.fit.list);
	return status;
}

const struct command command_calibrate = {
	.name = "calibrate",
	.summary = "fit figures to published measurements",
	.takes = TAKES_KEEP | TAKES_JOBS | TAKES_QUIET,
	.argp = &argp,
	.run = run_command,
};
