// SPDX-License-Identifier: GPL-3.0-or-later
/*
 * vary.c - points on machines whose figures are other than their files say.
 */
#include <stdlib.h>
#include <string.h>

#include "../models/coefficients.h"
#include "../models/error.h"
#include "../results/must.h"
#include "../results/suggest.h"
#include "vary.h"

static bool every_machine_has(const struct scenario *s, const struct figure_info *info)
{
	if (info->role != FIGURE_CHARGED || info->unit == QUANTITY_BOOL)
		return false;
	for (size_t i = 0; i < s->nr_machines; i++) {
		if (info->between_sockets && s->machines[i]->sockets < 2)
			return false;
	}
	return true;
}

static void add_coefficients(struct knob *knobs, const struct coefficients *value,
	const struct coefficients *low, const struct coefficients *high)
{
	for (size_t i = 0; i < nr_coefficient_figures; i++) {
		const struct figure_info *info = &coefficient_figures[i];

		knobs[i] = (struct knob){info, false,
			{figure_value(value, info), figure_value(low, info),
				figure_value(high, info)}};
	}
}

struct knob *knobs_of(const struct scenario *s, size_t *nr, struct error *err)
{
	struct coefficients value, low, high;
	struct knob *knobs;

	if (coefficients_load_bounds(&value, &low, &high, err) < 0)
		return NULL;
	knobs = must_calloc(nr_machine_figures + nr_coefficient_figures, sizeof(*knobs));
	*nr = 0;
	for (size_t i = 0; i < nr_machine_figures; i++) {
		if (every_machine_has(s, &machine_figures[i]))
			knobs[(*nr)++] = (struct knob){&machine_figures[i], true, {0}};
	}
	add_coefficients(knobs + *nr, &value, &low, &high);
	*nr += nr_coefficient_figures;
	return knobs;
}

const struct knob *knob_find(
	const struct knob *knobs, size_t nr, const char *option, const char *key, struct error *err)
{
	const char **names = must_calloc(nr + 1, sizeof(*names));
	const struct knob *found = NULL;

	for (size_t i = 0; i < nr; i++) {
		names[i] = knobs[i].info->key;
		if (strcmp(names[i], key) == 0)
			found = &knobs[i];
	}
	if (!found)
		error_set(err, "%s: unknown figure '%.64s'%s", option, key,
			suggest(key, names, "see `zonesim list machines NAME`").text);
	free(names);
	return found;
}

struct knob_range knob_range(const struct knob *knob, const struct scenario_point *p)
{
	const struct machine *m = p->point.machine;
	struct knob_range range = knob->range;

	if (!knob->of_machine)
		return range;
	range.value = range.low = range.high = figure_value(m, knob->info);
	for (size_t i = 0; i < m->nr_figures; i++) {
		if (m->figures[i].info == knob->info) {
			range.low = m->figures[i].low;
			range.high = m->figures[i].high;
		}
	}
	return range;
}

static double turned(const struct turn *turn, const struct scenario_point *p)
{
	const struct figure_info *info = turn->knob->info;
	struct knob_range range = knob_range(turn->knob, p);
	double value = turn->within ? range.low + turn->by * (range.high - range.low)
				    : range.value * turn->by;

	return value < info->min ? info->min : value > info->max ? info->max : value;
}

/* A machine like @m, without the texts of its figures; it belongs to the scenario. */
static struct machine *add_machine(struct scenario *s, const struct machine *m)
{
	struct machine *copy = must_calloc(1, sizeof(*copy));

	*copy = *m;
	copy->figures = NULL;
	copy->nr_figures = 0;
	s->machines = must_realloc(s->machines, s->nr_machines + 1, sizeof(*s->machines));
	s->machine_files =
		must_realloc(s->machine_files, s->nr_machines + 1, sizeof(*s->machine_files));
	s->machine_files[s->nr_machines] = must_format("%s, varied", m->name);
	s->machines[s->nr_machines++] = copy;
	return copy;
}

/* The same point with its own list of patches. */
static struct scenario_point *add_copy(struct scenario *s, size_t of)
{
	s->points = must_realloc(s->points, s->nr_points + 1, sizeof(*s->points));
	struct scenario_point *copy = &s->points[s->nr_points++];

	*copy = s->points[of];
	copy->patches = must_calloc(copy->nr_patches + 1, sizeof(*copy->patches));
	for (size_t i = 0; i < copy->nr_patches; i++)
		copy->patches[i] = must_format("%s", s->points[of].patches[i]);
	return copy;
}

static void make_turns(struct scenario_point *p, const struct scenario_point *original,
	struct machine *m, const struct turn *turns, size_t nr_turns)
{
	for (size_t i = 0; i < nr_turns; i++) {
		const struct knob *knob = turns[i].knob;

		if (turns[i].machine && strcmp(turns[i].machine, m->name) != 0)
			continue;
		figure_set(knob->of_machine ? (void *)m : (void *)&p->point.coefficients,
			knob->info, turned(&turns[i], original));
	}
	machine_keep_order(m);
	p->point.machine = m;
	fingerprint_of_point(&p->point, p->fingerprint);
}

void scenario_vary(struct scenario *s, size_t nr_points, const struct turn *turns, size_t nr_turns)
{
	for (size_t i = 0; i < nr_points; i++) {
		struct scenario_point *copy = add_copy(s, i);
		struct machine *m = add_machine(s, s->points[i].point.machine);

		make_turns(copy, &s->points[i], m, turns, nr_turns);
	}
}
