// SPDX-License-Identifier: GPL-3.0-or-later
/*
 * list_machines.c - zonesim list machines.
 */
#include <stdio.h>

#include "../models/error.h"
#include "../models/figures.h"
#include "../models/machine.h"
#include "../models/paths.h"
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

/* The stated uncertainty, or nothing. */
static const char *print_range(const struct figure *f, char *text, size_t size)
{
	enum quantity unit = f->info->unit;
	char low[32], high[32];

	if (f->low >= f->high)
		return "";
	snprintf(text, size, "%s to %s", quantity_print(low, sizeof(low), unit, f->low),
		quantity_print(high, sizeof(high), unit, f->high));
	return text;
}

static void print_figures(const struct machine *m)
{
	char range[80];

	printf("%s: %s\n", m->name, m->cpu);
	for (size_t i = 0; i < m->nr_figures; i++) {
		const struct figure *f = &m->figures[i];

		printf("  %-19s %-11s %-3s %-29s %s\n", f->key, f->text, figure_mark_name(f->mark),
			print_range(f, range, sizeof(range)), f->source);
	}
}

static void print_row(const struct machine *m)
{
	char topology[32], clock[24], llc[24], memory[24];

	snprintf(topology, sizeof(topology), "%.0fx%.0fx%.0f", m->sockets, m->cores_per_socket,
		m->threads_per_core);
	printf("%-14s %-29s %-8s %-5u %-8s %-9s %s\n", m->name, m->cpu, topology, machine_cpus(m),
		quantity_print(clock, sizeof(clock), QUANTITY_FREQUENCY, m->clock),
		quantity_print(llc, sizeof(llc), QUANTITY_BYTES, m->llc_size),
		quantity_print(memory, sizeof(memory), QUANTITY_BYTES, m->memory));
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
		printf("%-14s %-29s %-8s %-5s %-8s %-9s %s\n", "NAME", "CPU", "TOPOLOGY", "CPUS",
			"CLOCK", "LLC", "MEMORY");
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
