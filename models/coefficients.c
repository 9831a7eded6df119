// SPDX-License-Identifier: GPL-3.0-or-later
/*
 * coefficients.c - reading models/coefficients.yaml.
 */
#include <stdlib.h>
#include <string.h>

#include "error.h"
#include "figures.h"
#include "coefficients.h"
#include "paths.h"

#define COEFFICIENT(key, field, quantity, max, help)                                               \
	{                                                                                          \
		key, quantity, offsetof(struct coefficients, field), 0, max, help                  \
	}

#define PATH(key, field, help) COEFFICIENT(key, field, QUANTITY_CYCLES, 1e6, help)

const struct figure_info coefficient_figures[] = {
	COEFFICIENT("hand-over", hand_over, QUANTITY_PLAIN, 100,
		"line transfers that handing over a lock takes"),
	PATH("fault-path", fault_path, "cycles of a page fault outside alloc/"),
	PATH("unmap-path", unmap_path, "cycles to unmap a page outside alloc/"),
	PATH("switch-path", switch_path, "cycles of one pass through the scheduler"),
	PATH("wake-path", wake_path, "cycles to wake a task of another CPU"),
	PATH("syscall-path", syscall_path, "cycles of a system call that does nothing"),
	PATH("socket-path", socket_path, "cycles for a buffer at one end of an AF_UNIX socket"),
};

#define NR_COEFFICIENTS (sizeof(coefficient_figures) / sizeof(coefficient_figures[0]))

const size_t nr_coefficient_figures = NR_COEFFICIENTS;

static int check_keys(const struct document *d, struct error *err)
{
	const char *keys[NR_COEFFICIENTS + 1];
	size_t n = 0;

	for (size_t i = 0; i < NR_COEFFICIENTS; i++)
		keys[n++] = coefficient_figures[i].key;
	keys[n] = NULL;
	return node_check_keys(d, document_root(d), "the coefficients", keys, err);
}

/* Into @low and @high go the bounds of each figure, unless they are NULL. */
static int read_figures(const struct document *d, struct coefficients *c, struct coefficients *low,
	struct coefficients *high, struct error *err)
{
	const node *root = document_root(d);

	if (check_keys(d, err) < 0)
		return -1;
	for (size_t i = 0; i < NR_COEFFICIENTS; i++) {
		const struct figure_info *info = &coefficient_figures[i];
		const node *n = node_find(d, root, info->key);
		struct figure figure;

		if (!n)
			return node_error(d, root, err, "%s is missing: %s", info->key, info->help);
		if (figure_read(d, n, info, c, &figure, err) < 0)
			return -1;
		if (low)
			figure_set(low, info, figure.low);
		if (high)
			figure_set(high, info, figure.high);
	}
	return 0;
}

int coefficients_load_bounds(struct coefficients *c, struct coefficients *low,
	struct coefficients *high, struct error *err)
{
	char *path = data_path("models", COEFFICIENTS_FILE, ".yaml");
	struct document d;
	int status;

	memset(c, 0, sizeof(*c));
	if (!path)
		return error_set(err, "out of memory");
	status = document_load(&d, path, err);
	free(path);
	if (status < 0)
		return -1;
	status = read_figures(&d, c, low, high, err);
	document_free(&d);
	return status;
}

int coefficients_load(struct coefficients *c, struct error *err)
{
	return coefficients_load_bounds(c, NULL, NULL, err);
}
