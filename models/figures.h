/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * figures.h - figures with their mark and source, read from YAML by tables that say what to expect.
 *
 * A figure is written  key: {value: 50 ns, spread: 15%, mark: V~, source: "..."}  where "spread"
 * (or "low" and "high") may be left out. The mark and the source may not.
 */
#ifndef ZONESIM_FIGURES_H
#define ZONESIM_FIGURES_H

#include <stdbool.h>
#include <stddef.h>

#include "document.h"
#include "machine.h"
#include "units.h"

struct error;

/* What is known of a figure: the record's field it fills, its unit, and where nonsense begins. */
struct figure_info {
	const char *key;
	enum quantity unit;
	size_t offset;	 /* of a double in the record (of a bool, for QUANTITY_BOOL) */
	double min, max; /* hard bounds, base units */
	const char *help;
	bool between_sockets; /* a machine of one socket has no such figure: its value is 0 */
	enum figure_role {
		FIGURE_CHARGED,	 /* what something costs */
		FIGURE_TOPOLOGY, /* what there is of something */
		FIGURE_RECORD,	 /* kept for the record: nothing is charged by it */
	} role;
};

/*
 * figure_read - read the figure that @info describes from @mapping into @record, and into @figure
 * what a user may want to know about it. The strings point into @d.
 * Returns 0, or -1 with @err filled.
 */
int figure_read(const struct document *d, const node *mapping, const struct figure_info *info,
	void *record, struct figure *figure, struct error *err);

/* The value in @record of the figure that @info describes, base units. */
double figure_value(const void *record, const struct figure_info *info);

/* Set that figure in @record to @value, base units. */
void figure_set(void *record, const struct figure_info *info, double value);

/* How a mark is written: "V~". */
const char *figure_mark_name(enum figure_mark mark);

/* What it means, one line. */
const char *figure_mark_help(enum figure_mark mark);

/* The figures of a machine, in the order of struct machine. */
extern const struct figure_info machine_figures[];
extern const size_t nr_machine_figures;

/* Those of struct coefficients. */
extern const struct figure_info coefficient_figures[];
extern const size_t nr_coefficient_figures;

#endif
