/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * fit.c - the coefficients that make the best of the hooks' counts, and how far off they are.
 *
 * Usage: fit COUNTED CALLGRIND            fit, print coefficients and errors
 *        fit COUNTED CALLGRIND LIMIT      hold those of models/instructions.yaml against LIMIT
 * percent COUNTED is what the program "counted" printed; CALLGRIND.1, .2, ... are callgrind's files
 * of the same mixes, of which the functions of alloc/ are summed up.
 */

#include <ctype.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <gsl/gsl_multifit.h>

#include "../../models/error.h"
#include "../../models/instructions.h"

#define TERMS 4 /* accesses, calls, blocks, calls of the port */
#define MAX_ROWS 512

static const char *const term_names[TERMS] = {
	"per-access", "per-call", "per-block", "per-port-call"};

static struct row {
	double count[TERMS], instructions;
	char path[64], name[96];
} rows[MAX_ROWS];
static size_t nr_rows;

static _Noreturn void die(const char *what, const char *which)
{
	(void)fprintf(stderr, "fit: %s %s\n", what, which);
	exit(2);
}

/* ---- reading ---- */

static void read_counted(const char *path)
{
	FILE *file = fopen(path, "r");
	char line[512];

	if (!file)
		die("can not read", path);
	while (nr_rows < MAX_ROWS && fgets(line, sizeof(line), file)) {
		struct row *r = &rows[nr_rows++];

		if (sscanf(line, "%lf\t%lf\t%lf\t%lf\t%63[^\t]\t%95[^\n]", &r->count[0],
			    &r->count[1], &r->count[2], &r->count[3], r->path, r->name) != 6)
			die("not a line of counts:", line);
	}
	(void)fclose(file);
}

/* The instructions of the functions that are defined in alloc/, what they call left out. */
static double read_callgrind(const char *path)
{
	FILE *file = fopen(path, "r");
	bool in_alloc = false, inclusive = false;
	char line[1024];
	double sum = 0, cost;

	if (!file)
		die("can not read", path);
	while (fgets(line, sizeof(line), file)) {
		if (!strncmp(line, "fl=", 3))
			in_alloc = strstr(line, "/alloc/") != NULL;
		else if (!strncmp(line, "calls=", 6))
			inclusive = true;
		else if (isdigit((unsigned char)line[0])) {
			if (!inclusive && in_alloc && sscanf(line, "%*s %lf", &cost) == 1)
				sum += cost;
			inclusive = false;
		}
	}
	(void)fclose(file);
	return sum;
}

static void read_all(const char *counted, const char *callgrind)
{
	char path[4096];

	read_counted(counted);
	for (size_t i = 0; i < nr_rows; i++) {
		(void)snprintf(path, sizeof(path), "%s.%zu", callgrind, i + 1);
		rows[i].instructions = read_callgrind(path);
		if (rows[i].instructions <= 0)
			die("nothing was executed in", rows[i].name);
	}
}

/* ---- fitting ---- */

/* Least squares of relative errors with the terms in @terms only; the sum of squares. */
static double fit_terms(unsigned int terms, const char *left_out, double c[TERMS])
{
	size_t n = 0, used = (size_t)__builtin_popcount(terms), at = 0;
	gsl_matrix *x = gsl_matrix_alloc(nr_rows, used), *cov = gsl_matrix_alloc(used, used);
	gsl_vector *y = gsl_vector_alloc(nr_rows), *v = gsl_vector_alloc(used);
	gsl_multifit_linear_workspace *work = gsl_multifit_linear_alloc(nr_rows, used);
	double squares;

	for (size_t i = 0; i < nr_rows; i++) {
		bool skip = left_out && !strcmp(rows[i].path, left_out);

		/* a row of zeros has no say */
		gsl_vector_set(y, i, skip ? 0 : 1);
		n = 0;
		for (unsigned int t = 0; t < TERMS; t++)
			if (terms >> t & 1)
				gsl_matrix_set(x, i, n++,
					skip ? 0 : rows[i].count[t] / rows[i].instructions);
	}
	(void)gsl_multifit_linear(x, y, v, cov, &squares, work);
	for (unsigned int t = 0; t < TERMS; t++)
		c[t] = terms >> t & 1 ? gsl_vector_get(v, at++) : 0;
	gsl_multifit_linear_free(work);
	gsl_matrix_free(x);
	gsl_matrix_free(cov);
	gsl_vector_free(y);
	gsl_vector_free(v);
	return squares;
}

/* The best fit without negative coefficients: there are few enough terms to try all sets. */
static void fit(const char *left_out, double best[TERMS])
{
	double least = INFINITY, c[TERMS];

	for (unsigned int terms = 1; terms < 1U << TERMS; terms++) {
		double squares = fit_terms(terms, left_out, c);

		if (squares < least && c[0] >= 0 && c[1] >= 0 && c[2] >= 0 && c[3] >= 0) {
			least = squares;
			memcpy(best, c, sizeof(c));
		}
	}
}

/* ---- errors ---- */

static double error_of(const struct row *r, const double c[TERMS])
{
	double sum = 0;

	for (unsigned int t = 0; t < TERMS; t++)
		sum += c[t] * r->count[t];
	return sum / r->instructions - 1;
}

/* The errors of one path: from, to, and the worst when the fit has not seen the path. */
static void print_path(const char *path, const double c[TERMS], bool left_out_too)
{
	double from = INFINITY, to = -INFINITY, unseen = 0, other[TERMS];

	if (left_out_too)
		fit(path, other);
	for (size_t i = 0; i < nr_rows; i++) {
		if (strcmp(rows[i].path, path) != 0)
			continue;
		from = fmin(from, error_of(&rows[i], c));
		to = fmax(to, error_of(&rows[i], c));
		if (left_out_too && fabs(error_of(&rows[i], other)) > fabs(unseen))
			unseen = error_of(&rows[i], other);
	}
	(void)printf("%-34s %+6.1f%% %+6.1f%%", path, 100 * from, 100 * to);
	if (left_out_too)
		(void)printf(" %+8.1f%%", 100 * unseen);
	(void)printf("\n");
}

/* Whole workloads, as opposed to the paths they are made of. */
static bool is_workload(const struct row *r)
{
	return !strncmp(r->path, "mix:", 4);
}

static void print_errors(const double c[TERMS], bool left_out_too)
{
	(void)printf("%-34s %7s %7s%s\n", "path", "least", "most", left_out_too ? "  unseen" : "");
	for (size_t i = 0; i < nr_rows; i++) {
		bool first = true;

		for (size_t j = 0; j < i; j++)
			first &= strcmp(rows[i].path, rows[j].path) != 0;
		if (first)
			print_path(rows[i].path, c, left_out_too);
	}
}

static double worst_error(const double c[TERMS], bool workloads_only, double *rms)
{
	double worst = 0, squares = 0;
	size_t n = 0;

	for (size_t i = 0; i < nr_rows; i++) {
		if (workloads_only && !is_workload(&rows[i]))
			continue;
		worst = fmax(worst, fabs(error_of(&rows[i], c)));
		squares += error_of(&rows[i], c) * error_of(&rows[i], c);
		n++;
	}
	*rms = sqrt(squares / (double)n);
	return worst;
}

static void print_summary(const double c[TERMS])
{
	double rms, worst = worst_error(c, false, &rms);

	for (unsigned int t = 0; t < TERMS; t++)
		(void)printf("%s: %.3f\n", term_names[t], c[t]);
	(void)printf("worst-error: %.1f%%\nrms-error: %.1f%%\n", 100 * worst, 100 * rms);
	worst = worst_error(c, true, &rms);
	(void)printf("of whole workloads: worst %.1f%%, rms %.1f%%\n", 100 * worst, 100 * rms);
}

/* ---- the two uses ---- */

static int check(double limit)
{
	struct instruction_costs costs;
	struct error err;
	double rms;

	if (instruction_costs_load(&costs, &err) < 0)
		die("can not read models/instructions.yaml", "");
	double c[TERMS] = {costs.per_access, costs.per_call, costs.per_block, costs.per_port_call};

	print_errors(c, false);
	print_summary(c);
	if (100 * worst_error(c, true, &rms) <= limit)
		return 0;
	(void)printf("a workload is off by more than %.1f%%: run tools/fit-instructions\n", limit);
	return 1;
}

int main(int argc, char *argv[])
{
	double c[TERMS];

	if (argc < 3)
		die("usage: fit COUNTED CALLGRIND [LIMIT]", "");
	read_all(argv[1], argv[2]);
	if (argc > 3)
		return check(atof(argv[3]));
	fit(NULL, c);
	print_errors(c, true);
	print_summary(c);
	return 0;
}
