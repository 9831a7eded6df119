/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * report.h - points of a store as one page of HTML: tables, pictures, configuration, provenance.
 */
#ifndef ZONESIM_REPORT_H
#define ZONESIM_REPORT_H

struct error;
struct selection;
struct store;

struct report_request {
	const char *title; /* NULL: that of the scenario, or what the selection says */
	const char *words; /* the selection in words */
	struct store *store;
	char *const *select; /* the words of the selection */
	unsigned long nr_select;
};

/*
 * report_write - make the page, which needs nothing else: pictures are in it, and it asks no
 * network. @path is replaced in one step. Returns 0, or -1 with @err and the exit @status filled.
 */
int report_write(
	const char *path, const struct report_request *request, int *status, struct error *err);

#endif
