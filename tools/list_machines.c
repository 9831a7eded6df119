// SPDX-License-Identifier: GPL-3.0-or-later
/*
 * list_machines.c - zonesim list machines.
 */
#include <stdio.h>

#include "../models/error.h"
#include "../models/figures.h"
#include "../models/machine.h"
#include "../models/paths.h"
#include "../results/wrap.h"
#include "cmd_list.h"
#include "command.h"

static json_t *figure_to_json(const struct machine *m, size_t i)
{
	const struct figure *f = &m->figures[i];
	const struct figure_info *info = f->info;

	return json_pack("{s:s, s:s, s:f, s:f, s:f, s:s, s:s, s:s}", "key", f->key, "text", f->text,
		"value", figure_value(m, info), "low", f->low, "high", f->high, "mark",
		figure_mark_name(f->mark), "source", f->source, "help", info->help);
}

static json_t *machine_to_json(const struct machine *m)
{
	json_t *figures = json_array();

	for (size_t i = 0; i < m->nr_figures; i++) {
		if (json_array_append_new(figures, figure_to_json(m, i)) < 0) {
			json_decref(figures);
			return NULL;
		}
	}
	return json_pack("{s:s, s:s, s:I, s:o}", "name", m->name, "cpu", m->cpu, "cpus",
		(json_int_t)machine_cpus(m), "figures", figures);
}

/* The figure, its mark, the stated uncertainty, if there is one, and the source. */
static void print_figure(const struct figure *f)
{
	enum quantity unit = f->info->unit;
	char label[80], low[32], high[32], text[1024];

	snprintf(label, sizeof(label), "  %-19s %-11s %s", f->key, f->text,
		figure_mark_name(f->mark));
	if (f->low < f->high)
		snprintf(text, sizeof(text), "%s to %s; %s",
			quantity_print(low, sizeof(low), unit, f->low),
			quantity_print(high, sizeof(high), unit, f->high), f->source);
	else
		snprintf(text, sizeof(text), "%s", f->source);
	print_filled(stdout, label, 37, PRINT_WIDTH, text);
}

static void print_figures(const struct machine *m)
{
	printf("%s: %s\n", m->name, m->cpu);
	for (size_t i = 0; i < m->nr_figures; i++)
		print_figure(&m->figures[i]);
}

/* Name, sockets x cores x threads, logical CPUs, clock, LLC, memory, CPU. */
#define ROW "%-14s %-6s %-4s %-7s %-8s %-7s %s\n"

static void print_row(const struct machine *m)
{
	char topology[32], cpus[16], clock[24], llc[24], memory[24];

	snprintf(llc, sizeof(llc), "%.3g MiB", m->llc_size / (1 << 20));
	snprintf(cpus, sizeof(cpus), "%u", machine_cpus(m));
	snprintf(topology, sizeof(topology), "%.0fx%.0fx%.0f", m->sockets, m->cores_per_socket,
		m->threads_per_core);
	printf(ROW, m->name, topology, cpus,
		quantity_print(clock, sizeof(clock), QUANTITY_FREQUENCY, m->clock), llc,
		quantity_print(memory, sizeof(memory), QUANTITY_BYTES, m->memory), m->cpu);
}

/* One machine: to @array if there is one, else to standard output. */
static int list_one(
	const struct list_arguments *a, const char *name, json_t *array, struct error *err)
{
	struct machine m;
	int status = 0;

	if (machine_load(&m, name, err) < 0)
		return EXIT_BAD_INPUT;
	if (a->json)
		status = json_array_append_new(array, machine_to_json(&m));
	else if (a->figures || a->name)
		print_figures(&m);
	else
		print_row(&m);
	machine_free(&m);
	if (status == 0)
		return EXIT_DONE;
	error_set(err, "out of memory");
	return EXIT_RUN_FAILED;
}

static int list_all(const struct list_arguments *a, json_t *array, struct error *err)
{
	char **names;
	int count = machine_list(&names, err), status = EXIT_DONE;

	if (count < 0)
		return EXIT_BAD_INPUT;
	if (!a->json && !a->figures)
		printf(ROW, "NAME", "SxCxT", "CPUS", "CLOCK", "LLC", "MEMORY", "CPU");
	for (int i = 0; i < count && status == EXIT_DONE; i++)
		status = list_one(a, names[i], array, err);
	names_free(names, count);
	return status;
}

int list_machines(const struct list_arguments *a, struct error *err)
{
	json_t *array = a->json ? json_array() : NULL;
	int status;

	if (a->name)
		status = list_one(a, a->name, array, err);
	else
		status = list_all(a, array, err);
	if (a->json && status == EXIT_DONE)
		return command_print_json(array);
	json_decref(array);
	return status;
}
