/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * cmd_list.h - the lists of `zonesim list`.
 */
#ifndef ZONESIM_CMD_LIST_H
#define ZONESIM_CMD_LIST_H

#include <stdbool.h>
#include <stddef.h>

struct error;

struct list_arguments {
	const char *name; /* of one machine; NULL: all */
	bool json, figures;
};

/* The name of list @i, NULL when there are not so many. */
const char *list_kind(size_t i);

/* Each prints its list and returns an exit status; @err is filled unless that is EXIT_DONE. */
int list_machines(const struct list_arguments *a, struct error *err);
int list_kernels(const struct list_arguments *a, struct error *err);
int list_patches(const struct list_arguments *a, struct error *err);
int list_workloads(const struct list_arguments *a, struct error *err);
int list_scenarios(const struct list_arguments *a, struct error *err);

#endif
