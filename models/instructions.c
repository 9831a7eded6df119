// SPDX-License-Identifier: GPL-3.0-or-later
/*
 * instructions.c - reading models/instructions.yaml.
 */
#include <stdlib.h>
#include <string.h>

#include "error.h"
#include "figures.h"
#include "instructions.h"
#include "paths.h"

#define COST(key, field, max, help)                                                                \
	{                                                                                          \
		key, QUANTITY_PLAIN, offsetof(struct instruction_costs, field), 0, max, help       \
	}

static const struct figure_info costs[] = {
	COST("fault-path", fault_path, 1e6, "instructions of a page fault outside alloc/"),
	COST("unmap-path", unmap_path, 1e6, "instructions to unmap a page outside alloc/"),
	COST("switch-path", switch_path, 1e6, "instructions of one pass through the scheduler"),
	COST("wake-path", wake_path, 1e6, "instructions to wake a task of another CPU"),
	COST("syscall-path", syscall_path, 1e6, "instructions of a system call that does nothing"),
	COST("socket-path", socket_path, 1e6,
		"instructions for a buffer at one end of an AF_UNIX socket"),
};

#define NR_COSTS (sizeof(costs) / sizeof(costs[0]))

static int check_keys(const struct document *d, struct error *err)
{
	const char *keys[NR_COSTS + 1];
	size_t n = 0;

	for (size_t i = 0; i < NR_COSTS; i++)
		keys[n++] = costs[i].key;
	keys[n] = NULL;
	return node_check_keys(d, document_root(d), "the instruction costs", keys, err);
}

static int read_costs(const struct document *d, struct instruction_costs *c, struct error *err)
{
	const node *root = document_root(d);

	if (check_keys(d, err) < 0)
		return -1;
	for (size_t i = 0; i < NR_COSTS; i++) {
		const node *n = node_find(d, root, costs[i].key);
		struct figure figure;

		if (!n)
			return node_error(
				d, root, err, "%s is missing: %s", costs[i].key, costs[i].help);
		if (figure_read(d, n, &costs[i], c, &figure, err) < 0)
			return -1;
	}
	return 0;
}

int instruction_costs_load(struct instruction_costs *c, struct error *err)
{
	char *path = data_path("models", "instructions", ".yaml");
	struct document d;
	int status;

	memset(c, 0, sizeof(*c));
	if (!path)
		return error_set(err, "out of memory");
	status = document_load(&d, path, err);
	free(path);
	if (status < 0)
		return -1;
	status = read_costs(&d, c, err);
	document_free(&d);
	return status;
}
