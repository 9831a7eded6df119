/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * claims.h - from the rows of the published tables to the points that are to bear them out.
 */
#ifndef ZONESIM_CLAIMS_H
#define ZONESIM_CLAIMS_H

#include <stdbool.h>
#include <stddef.h>

#include <jansson.h>

struct scenario;
struct validation;

#define NO_CLAIM SIZE_MAX /* no point for a row */

/*
 * claims_plan - add to @s, which is empty, a point for each configuration that the rows of @v need,
 * once. A row whose point can not be simulated gets the reason in its @missing.
 * @quick: leave out what takes long (see claims_quick_help), and simulate the rest shorter
 * Returns an array with the number of each row's point, or NO_CLAIM; the caller frees it.
 */
size_t *claims_plan(struct validation *v, struct scenario *s, bool quick);

/* Hand the points of @document, which are those of the plan, to the rows. */
void claims_settle(struct validation *v, const size_t *plan, const json_t *document);

/* What --quick leaves out and shortens, a few sentences. */
extern const char claims_quick_help[];

#endif
