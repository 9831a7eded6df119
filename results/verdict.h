/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * verdict.h - how near a simulated figure must be to a published one.
 */
#ifndef ZONESIM_VERDICT_H
#define ZONESIM_VERDICT_H

#include <stdio.h>

/* What of a figure is compared, and in what a difference is given. */
enum compared {
	COMPARED_CHANGE, /* change against a base, in percentage points */
	COMPARED_SHARE,	 /* share, in percentage points */
	COMPARED_VALUE,	 /* value, in percent of the published one */
	NR_COMPARED
};

/* From good to bad; those after VERDICT_LEFT_OUT make a validation fail. */
enum verdict {
	VERDICT_WITHIN,	  /* within the target */
	VERDICT_NEAR,	  /* a value or a share within three times the target */
	VERDICT_SIGN,	  /* a change into the right direction, or hardly any where there is none */
	VERDICT_LEFT_OUT, /* not simulated because it was not asked for */
	VERDICT_WRONG,
	VERDICT_MISSING, /* can not be simulated */
	NR_VERDICTS
};

/* "within" and so on: what is printed, and what JSON has. */
const char *verdict_name(enum verdict verdict);

/* How near @metric of the published table @table must come: percent or percentage points. */
double verdict_target(const char *table, const char *metric, enum compared compared);

/*
 * verdict_difference - simulated minus published: in percent of the published value for
 * COMPARED_VALUE, in percentage points otherwise.
 */
double verdict_difference(enum compared compared, double published, double simulated);

/* verdict_judge - VERDICT_WITHIN, _NEAR, _SIGN or _WRONG. Both figures must be known. */
enum verdict verdict_judge(const char *table, const char *metric, enum compared compared,
	double published, double simulated);

/* Print the targets and what the verdicts mean, for people. */
void verdict_print_help(FILE *out);

#endif
