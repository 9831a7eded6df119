// SPDX-License-Identifier: GPL-3.0-or-later
/*
 * machine.c - reading machine files, and what their figures mean.
 */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "coefficients.h"
#include "error.h"
#include "figures.h"
#include "machine.h"
#include "paths.h"

#define FIGURE(key, field, unit, min, max, help)                                                   \
	{                                                                                          \
		key, unit, offsetof(struct machine, field), min, max, help                         \
	}
#define FIGURE_OF(role, key, field, unit, min, max, help)                                          \
	{                                                                                          \
		key, unit, offsetof(struct machine, field), min, max, help, false, role            \
	}
#define FIGURE_BETWEEN(key, field, unit, min, max, help)                                           \
	{                                                                                          \
		key, unit, offsetof(struct machine, field), min, max, help, true, FIGURE_CHARGED   \
	}
#define KIB 0x1p10
#define MIB 0x1p20
#define GIB 0x1p30
#define TIB 0x1p40
#define NS 1e-9
#define GHZ 1e9

/* clang-format off */
const struct figure_info machine_figures[] = {
	FIGURE_OF(FIGURE_TOPOLOGY, "sockets", sockets, QUANTITY_COUNT, 1, 16, "CPU packages; one memory node each"),
	FIGURE_OF(FIGURE_TOPOLOGY, "cores-per-socket", cores_per_socket, QUANTITY_COUNT, 1, 256, "physical cores of a socket"),
	FIGURE_OF(FIGURE_TOPOLOGY, "threads-per-core", threads_per_core, QUANTITY_COUNT, 1, 2, "logical CPUs of a core"),
	FIGURE_OF(FIGURE_TOPOLOGY, "memory", memory, QUANTITY_BYTES, 64 * MIB, 16 * TIB, "of all sockets together"),

	FIGURE("clock", clock, QUANTITY_FREQUENCY, 0.1 * GHZ, 10 * GHZ, "core clock with all cores busy"),
	FIGURE("max-clock", max_clock, QUANTITY_FREQUENCY, 0.1 * GHZ, 10 * GHZ, "core clock with one core busy"),
	FIGURE("base-clock", base_clock, QUANTITY_FREQUENCY, 0.1 * GHZ, 10 * GHZ, "nominal clock, by which the time-stamp counter runs"),
	FIGURE("cpi", cpi, QUANTITY_PLAIN, 0.1, 10, "cycles per instruction of kernel code that hits the L1"),
	FIGURE("smt-throughput", smt_throughput, QUANTITY_PLAIN, 1, 2, "work of two busy siblings together, against one alone"),
	FIGURE("reorder-buffer", reorder_buffer, QUANTITY_COUNT, 1, 4096, "instructions that may run past a load that misses"),
	FIGURE("line-fill-buffers", line_fill_buffers, QUANTITY_COUNT, 1, 256, "L1 misses of a core that can be under way at once"),
	FIGURE("store-buffer", store_buffer, QUANTITY_COUNT, 2, 1024, "stores of a core that can wait to become visible"),
	FIGURE("store-misses", store_misses, QUANTITY_COUNT, 1, 256, "of those, how many can have their lines under way at once"),
	FIGURE("pause", pause, QUANTITY_CYCLES, 1, 1000, "length of one PAUSE, of which a spinning CPU does many"),
	FIGURE("atomic", atomic, QUANTITY_CYCLES, 1, 1000, "a LOCK-prefixed read-modify-write that hits the L1"),
	FIGURE("irq-save-restore", irq_save_restore, QUANTITY_CYCLES, 0, 1000, "saving and disabling interrupts, and restoring them"),

	FIGURE("l1d-size", l1d_size, QUANTITY_BYTES, KIB, MIB, "first-level data cache of a core"),
	FIGURE_OF(FIGURE_RECORD, "l1d-ways", l1d_ways, QUANTITY_COUNT, 1, 64, "its associativity"),
	FIGURE_OF(FIGURE_RECORD, "l1d-latency", l1d_latency, QUANTITY_CYCLES, 1, 100, "load to use, on a hit"),
	FIGURE("l2-size", l2_size, QUANTITY_BYTES, KIB, 64 * MIB, "second-level cache of a core"),
	FIGURE_OF(FIGURE_RECORD, "l2-ways", l2_ways, QUANTITY_COUNT, 1, 64, "its associativity"),
	FIGURE("l2-latency", l2_latency, QUANTITY_CYCLES, 1, 200, "load to use, on a hit"),
	FIGURE("llc-size", llc_size, QUANTITY_BYTES, 64 * KIB, 4 * GIB, "last-level cache of a socket"),
	FIGURE_OF(FIGURE_RECORD, "llc-ways", llc_ways, QUANTITY_COUNT, 1, 128, "its associativity"),
	FIGURE("llc-latency", llc_latency, QUANTITY_TIME, 1 * NS, 1000 * NS, "load to use, on a hit, all cores busy"),
	FIGURE_OF(FIGURE_TOPOLOGY, "llc-inclusive", llc_inclusive, QUANTITY_BOOL, 0, 1, "whether it holds every line of the core caches below it"),

	FIGURE("dram-local", dram_local, QUANTITY_TIME, 1 * NS, 10000 * NS, "load from the socket's own memory, unloaded"),
	FIGURE_BETWEEN("dram-remote", dram_remote, QUANTITY_TIME, 1 * NS, 10000 * NS, "load from another socket's memory, unloaded"),
	FIGURE("dirty-sibling", dirty_sibling, QUANTITY_TIME, 0.1 * NS, 10000 * NS, "getting a line that the SMT sibling modified"),
	FIGURE("dirty-same-socket", dirty_same_socket, QUANTITY_TIME, 0.1 * NS, 10000 * NS, "getting a line that another core of the socket modified"),
	FIGURE_BETWEEN("dirty-other-socket", dirty_other_socket, QUANTITY_TIME, 0.1 * NS, 10000 * NS, "getting a line that a core of another socket modified"),
	FIGURE_OF(FIGURE_RECORD, "read-bandwidth", read_bandwidth, QUANTITY_BANDWIDTH, 0.1e9, 1e13, "memory of one socket, reads only"),
	FIGURE("mixed-bandwidth", mixed_bandwidth, QUANTITY_BANDWIDTH, 0.1e9, 1e13, "memory of one socket, half reads, half writes"),
	{"socket-bandwidth", QUANTITY_BANDWIDTH, offsetof(struct machine, socket_bandwidth), 0.1e9, 1e13, "between two sockets, each way", true, FIGURE_RECORD},

	FIGURE("trap-in", trap_in, QUANTITY_CYCLES, 0, 100000, "entering the kernel on a page fault"),
	FIGURE("trap-out", trap_out, QUANTITY_CYCLES, 0, 100000, "leaving it again"),
	FIGURE("invalidate-page", invalidate_page, QUANTITY_CYCLES, 0, 100000, "dropping one page from the TLB"),
	FIGURE("idle-exit", idle_exit, QUANTITY_TIME, 1 * NS, 1e-3, "from an interrupt to the first instruction of a CPU that idles"),
	FIGURE("clear-page-hot", clear_page_hot, QUANTITY_TIME, 1 * NS, 1e-3, "zeroing 4 KiB that the L1 holds"),
	FIGURE("clear-page-cold", clear_page_cold, QUANTITY_TIME, 1 * NS, 1e-3, "zeroing 4 KiB that no cache holds"),
};
/* clang-format on */

#define NR_FIGURES (sizeof(machine_figures) / sizeof(machine_figures[0]))

const size_t nr_machine_figures = NR_FIGURES;

/* Pairs of figures of which the first may not be larger than the second. */
static const struct {
	const char *small, *large;
} ordered[] = {
	{"base-clock", "max-clock"},
	{"clock", "max-clock"},
	{"l1d-size", "l2-size"},
	{"l2-size", "llc-size"},
	{"l1d-latency", "l2-latency"},
	{"llc-latency", "dram-local"},
	{"dram-local", "dram-remote"},
	{"dirty-sibling", "dirty-same-socket"},
	{"dirty-same-socket", "dirty-other-socket"},
	{"mixed-bandwidth", "read-bandwidth"},
	{"clear-page-hot", "clear-page-cold"},
};

#define NR_ORDERED (sizeof(ordered) / sizeof(ordered[0]))

/* "name" and "cpu": a text that fits. */
static int read_text(
	const struct document *d, const char *key, char *text, size_t size, struct error *err)
{
	const node *root = document_root(d), *n = node_find(d, root, key);
	const char *written;

	if (!n)
		return node_error(d, root, err, "%s is missing", key);
	written = node_text(n);
	if (!written || !*written || strlen(written) >= size)
		return node_error(
			d, n, err, "%s: expected a text of 1 to %zu bytes", key, size - 1);
	for (const char *p = written; *p; p++) {
		if (iscntrl((unsigned char)*p))
			return node_error(d, n, err, "%s: a control character in the text", key);
	}
	strcpy(text, written);
	return 0;
}

static int check_keys(const struct document *d, struct error *err)
{
	const char *keys[NR_FIGURES + 3];
	size_t n = 0;

	keys[n++] = "name";
	keys[n++] = "cpu";
	for (size_t i = 0; i < NR_FIGURES; i++)
		keys[n++] = machine_figures[i].key;
	keys[n] = NULL;
	return node_check_keys(d, document_root(d), "a machine file", keys, err);
}

static const struct figure_info *find_figure(const char *key)
{
	for (size_t i = 0; i < NR_FIGURES; i++) {
		if (strcmp(machine_figures[i].key, key) == 0)
			return &machine_figures[i];
	}
	return NULL;
}

/* Figures that are possible each by itself, but not together. */
static int check_consistency(const struct document *d, const struct machine *m, struct error *err)
{
	for (size_t i = 0; i < NR_ORDERED; i++) {
		double small = figure_value(m, find_figure(ordered[i].small));
		double large = figure_value(m, find_figure(ordered[i].large));
		const node *n = node_find(d, document_root(d), ordered[i].small);

		if (m->sockets == 1 && find_figure(ordered[i].large)->between_sockets)
			continue;
		if (small > large)
			return node_error(d, n, err, "%s is larger than %s", ordered[i].small,
				ordered[i].large);
	}
	return 0;
}

void machine_keep_order(struct machine *m)
{
	for (size_t i = 0; i < NR_ORDERED; i++) {
		const struct figure_info *small = find_figure(ordered[i].small),
					 *large = find_figure(ordered[i].large);

		if (m->sockets == 1 && large->between_sockets)
			continue;
		if (figure_value(m, small) > figure_value(m, large))
			figure_set(m, small, figure_value(m, large));
	}
}

/* "sockets" is the first figure, so that it is known whether there is anything between them. */
static int read_one(const struct document *d, struct machine *m, const struct figure_info *info,
	size_t *count, struct error *err)
{
	const node *root = document_root(d), *n = node_find(d, root, info->key);
	bool apart = info->between_sockets && m->sockets == 1;

	if (n && apart)
		return node_error(
			d, n, err, "%s: the machine has one socket; leave it out", info->key);
	if (apart)
		return 0;
	if (!n)
		return node_error(d, root, err, "%s is missing: %s, %s", info->key, info->help,
			quantity_describe(info->unit));
	return figure_read(d, n, info, m, &m->figures[(*count)++], err);
}

static int read_figures(
	const struct document *d, struct machine *m, size_t *count, struct error *err)
{
	m->figures = calloc(NR_FIGURES, sizeof(*m->figures));
	if (!m->figures)
		return error_set(err, "out of memory");
	for (size_t i = 0; i < NR_FIGURES; i++)
		if (read_one(d, m, &machine_figures[i], count, err) < 0)
			return -1;
	return check_consistency(d, m, err);
}

/* From now on the machine, not the document, owns the strings. Returns 0 or -1. */
static int own_strings(struct machine *m, size_t count)
{
	bool complete = true;

	for (size_t i = 0; i < count; i++) {
		m->figures[i].text = strdup(m->figures[i].text);
		m->figures[i].source = strdup(m->figures[i].source);
		complete = complete && m->figures[i].text && m->figures[i].source;
	}
	m->nr_figures = count;
	return complete ? 0 : -1;
}

static int read_machine(const struct document *d, struct machine *m, struct error *err)
{
	size_t count = 0;

	if (check_keys(d, err) < 0 || read_text(d, "name", m->name, sizeof(m->name), err) < 0 ||
		read_text(d, "cpu", m->cpu, sizeof(m->cpu), err) < 0 ||
		read_figures(d, m, &count, err) < 0)
		return -1;
	if (own_strings(m, count) < 0)
		return error_set(err, "out of memory");
	return 0;
}

/* Say that there is no such machine, and which one may have been meant. */
static int unknown_machine(const char *name, struct error *err)
{
	const char *near = NULL;
	char **names;
	int count = machine_list(&names, err);

	if (count < 0)
		return -1;
	names = realloc(names, sizeof(char *) * ((size_t)count + 1));
	if (!names)
		return error_set(err, "out of memory");
	names[count] = NULL;
	near = nearest_name(name, (const char *const *)names);
	if (near)
		error_set(err, "unknown machine '%.64s': did you mean '%s'?", name, near);
	else
		error_set(err, "unknown machine '%.64s': see `zonesim list machines`", name);
	names_free(names, count);
	return -1;
}

int machine_load(struct machine *m, const char *name, struct error *err)
{
	struct document d;
	char *path;
	int status;

	memset(m, 0, sizeof(*m));
	path = strchr(name, '/') ? strdup(name) : data_path("models", name, ".yaml");
	if (!path)
		return error_set(err, "out of memory");
	if (!strchr(name, '/') && (!*name || access(path, F_OK) < 0))
		status = unknown_machine(name, err);
	else
		status = document_load(&d, path, err);
	free(path);
	if (status < 0)
		return -1;
	status = read_machine(&d, m, err);
	if (status < 0)
		machine_free(m);
	document_free(&d);
	return status;
}

void machine_free(struct machine *m)
{
	for (size_t i = 0; i < m->nr_figures; i++) {
		free((char *)m->figures[i].text);
		free((char *)m->figures[i].source);
	}
	free(m->figures);
	memset(m, 0, sizeof(*m));
}

int machine_list(char ***names, struct error *err)
{
	int count = data_list("models", ".yaml", names, err), kept = 0;

	/* The same directory holds coefficients.yaml, which is no machine. */
	for (int i = 0; i < count; i++) {
		if (strcmp((*names)[i], COEFFICIENTS_FILE) == 0)
			free((*names)[i]);
		else
			(*names)[kept++] = (*names)[i];
	}
	return count < 0 ? -1 : kept;
}
