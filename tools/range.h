/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * range.h - values written as a range: "31..511 step 32", "1..8", "log 16..4096 x2".
 */
#ifndef ZONESIM_RANGE_H
#define ZONESIM_RANGE_H

#include <stdbool.h>
#include <stddef.h>

#include "../models/units.h"

#define RANGE_MAX_VALUES 10000

/* Is @text meant as a range? */
bool range_is(const char *text);

/*
 * range_expand - the values of a range, as a scenario would write each.
 * @unit: of both ends and of the step; without a step it is 1, for what has no unit
 * Returns their number, at least 1, with @values filled, of which the caller frees each and the
 * array; or -1 with the reason in @why.
 */
int range_expand(const char *text, enum quantity unit, char ***values, char *why, size_t size);

/*
 * range_list - what follows "PATH=" of --over, as YAML: "31,63" becomes "[31, 63]"; for patches,
 * "none,a+b" becomes "[[], [a, b]]". What is YAML already, with a bracket in front, stays. The
 * caller frees it.
 */
char *range_list(const char *text, bool patches);

#endif
