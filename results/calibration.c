/* SPDX-License-Identifier: GPL-3.0-or-later */
/* calibration.c - the fit: iteratively reweighted least squares with a prior and bounds. */
#include "calibration.h"

#include <math.h>
#include <stdlib.h>

#include <gsl/gsl_errno.h>
#include <gsl/gsl_linalg.h>
#include <gsl/gsl_matrix.h>
#include <gsl/gsl_vector.h>

#define HUBER 3.0
#define REWEIGHTINGS 30

/* The normal equations of the figures that are free: a symmetric matrix and a right hand side. */
struct equations {
	gsl_matrix *matrix;
	gsl_vector *right, *solution;
	size_t *free; /* numbers of the figures */
	size_t nr;
};

static void equations_free(struct equations *q)
{
	gsl_matrix_free(q->matrix);
	gsl_vector_free(q->right);
	gsl_vector_free(q->solution);
}

double calibration_predict(const struct calibration_row *row,
	const struct calibration_figure *figures, size_t nr_figures)
{
	double r = row->deviation;

	for (size_t k = 0; k < nr_figures; k++)
		r += row->slope[k] * figures[k].d;
	return r;
}

static double prior_sd(const struct calibration_figure *f)
{
	return (f->high - f->low) / 4;
}

/* Which figures may move; returns their number. */
static size_t find_free(const struct calibration_figure *figures, size_t nr, size_t *free)
{
	size_t n = 0;

	for (size_t k = 0; k < nr; k++)
		if (!figures[k].at_bound)
			free[n++] = k;
	return n;
}

/* @prior: how much the priors count, 1 or, to see what the rows say by themselves, nearly 0. */
static void set_up(struct equations *q, const struct calibration_row *rows, size_t nr_rows,
	const struct calibration_figure *figures, size_t nr_figures, double prior)
{
	gsl_matrix_set_zero(q->matrix);
	gsl_vector_set_zero(q->right);
	for (size_t i = 0; i < nr_rows; i++) {
		double r = calibration_predict(&rows[i], figures, nr_figures);
		double huber = fabs(r) > HUBER ? HUBER / fabs(r) : 1, w = rows[i].weight * huber;

		for (size_t a = 0; w > 0 && a < q->nr; a++) {
			double slope = rows[i].slope[q->free[a]];

			*gsl_vector_ptr(q->right, a) -= w * slope * r;
			for (size_t b = 0; b < q->nr; b++)
				*gsl_matrix_ptr(q->matrix, a, b) +=
					w * slope * rows[i].slope[q->free[b]];
		}
	}
	for (size_t a = 0; a < q->nr; a++) {
		const struct calibration_figure *f = &figures[q->free[a]];
		double precision = prior / (prior_sd(f) * prior_sd(f));

		*gsl_matrix_ptr(q->matrix, a, a) += precision;
		*gsl_vector_ptr(q->right, a) -= precision * f->d;
	}
}

static int equations_make(struct equations *q, const struct calibration_figure *figures,
	size_t nr_figures, size_t *free)
{
	*q = (struct equations){.free = free, .nr = find_free(figures, nr_figures, free)};
	if (q->nr == 0)
		return 0;
	q->matrix = gsl_matrix_alloc(q->nr, q->nr);
	q->right = gsl_vector_alloc(q->nr);
	q->solution = gsl_vector_alloc(q->nr);
	if (q->matrix && q->right && q->solution)
		return 0;
	equations_free(q);
	return -1;
}

/* One step to the minimum; a figure that would leave its bounds stays at one from now on. */
static int step(const struct calibration_row *rows, size_t nr_rows,
	struct calibration_figure *figures, size_t nr_figures, size_t *free)
{
	struct equations q;

	if (equations_make(&q, figures, nr_figures, free) < 0)
		return -1;
	if (q.nr == 0)
		return 0;
	set_up(&q, rows, nr_rows, figures, nr_figures, 1);
	/* the prior makes it positive definite */
	if (gsl_linalg_cholesky_decomp1(q.matrix) ||
		gsl_linalg_cholesky_solve(q.matrix, q.right, q.solution)) {
		equations_free(&q);
		return -1;
	}
	for (size_t a = 0; a < q.nr; a++) {
		struct calibration_figure *f = &figures[q.free[a]];

		f->d += gsl_vector_get(q.solution, a);
		f->at_bound = f->d <= f->low || f->d >= f->high;
		f->d = fmin(fmax(f->d, f->low), f->high);
	}
	equations_free(&q);
	return 0;
}

/* The inverse of the equations' matrix, in place. Returns 0, or -1. */
static int invert(struct equations *q)
{
	return gsl_linalg_cholesky_decomp1(q->matrix) || gsl_linalg_cholesky_invert(q->matrix) ? -1
											       : 0;
}

static int find_sd(const struct calibration_row *rows, size_t nr_rows,
	struct calibration_figure *figures, size_t nr_figures, size_t *free)
{
	struct equations q;

	for (size_t k = 0; k < nr_figures; k++)
		figures[k].sd = 0;
	if (equations_make(&q, figures, nr_figures, free) < 0)
		return -1;
	if (q.nr == 0)
		return 0;
	set_up(&q, rows, nr_rows, figures, nr_figures, 1);
	int status = invert(&q);

	for (size_t a = 0; status == 0 && a < q.nr; a++)
		figures[q.free[a]].sd = sqrt(gsl_matrix_get(q.matrix, a, a));
	equations_free(&q);
	return status;
}

/* A millionth of the prior keeps it solvable where the rows say nothing at all. */
static int find_correlation(const struct calibration_row *rows, size_t nr_rows,
	const struct calibration_figure *figures, size_t nr_figures, size_t *free,
	double *correlation)
{
	struct equations q;

	for (size_t i = 0; i < nr_figures * nr_figures; i++)
		correlation[i] = 0;
	if (equations_make(&q, figures, nr_figures, free) < 0)
		return -1;
	if (q.nr == 0)
		return 0;
	set_up(&q, rows, nr_rows, figures, nr_figures, 1e-6);
	int status = invert(&q);

	for (size_t a = 0; status == 0 && a < q.nr; a++)
		for (size_t b = 0; b < q.nr; b++)
			correlation[q.free[a] * nr_figures + q.free[b]] =
				gsl_matrix_get(q.matrix, a, b) /
				sqrt(gsl_matrix_get(q.matrix, a, a) *
					gsl_matrix_get(q.matrix, b, b));
	equations_free(&q);
	return status;
}

int calibration_fit(const struct calibration_row *rows, size_t nr_rows,
	struct calibration_figure *figures, size_t nr_figures, double *correlation)
{
	gsl_error_handler_t *handler = gsl_set_error_handler_off(); /* it would abort */
	size_t *free_figures = calloc(nr_figures + 1, sizeof(*free_figures));
	int status = free_figures ? 0 : -1;

	for (size_t k = 0; k < nr_figures; k++) {
		figures[k].d = 0;
		figures[k].at_bound = !(figures[k].high > figures[k].low);
	}
	for (int i = 0; status == 0 && i < REWEIGHTINGS; i++)
		status = step(rows, nr_rows, figures, nr_figures, free_figures);
	if (status == 0)
		status = find_sd(rows, nr_rows, figures, nr_figures, free_figures);
	if (status == 0 && correlation)
		status = find_correlation(
			rows, nr_rows, figures, nr_figures, free_figures, correlation);
	free(free_figures);
	gsl_set_error_handler(handler);
	return status;
}
