// SPDX-License-Identifier: GPL-3.0-or-later
/*
 * resolve.c - from the settings chosen for a point to the point.
 */
#include <stdlib.h>
#include <string.h>

#include "../models/document.h"
#include "../models/error.h"
#include "../results/must.h"
#include "../results/suggest.h"
#include "../sim/point.h"
#include "../sim/workload.h"
#include "axis.h"
#include "options.h"
#include "resolve.h"
#include "scenario.h"

/*
 * Names
 */

/* @setting names no @what, of which @said is said. Always returns -1. */
static int unknown_name(const struct setting *setting, const char *what, const char *name,
	struct suggestion said, struct error *err)
{
	return node_error(setting->document, setting->node, err, "unknown %s '%.64s'%s", what, name,
		said.text);
}

struct suggestion kernel_suggest(const char *name)
{
	const char **names = must_calloc(nr_kernels + 1, sizeof(*names));
	struct suggestion s;

	for (size_t i = 0; i < nr_kernels; i++)
		names[i] = kernels[i].name;
	s = suggest(name, names, "see `zonesim list kernels`");
	free(names);
	return s;
}

struct suggestion workload_suggest(const char *name)
{
	struct suggestion s;
	const char **names;
	size_t nr = 0;

	while (workloads[nr])
		nr++;
	names = must_calloc(nr + 1, sizeof(*names));
	for (size_t i = 0; i < nr; i++)
		names[i] = workloads[i]->name;
	s = suggest(name, names, "see `zonesim list workloads`");
	free(names);
	return s;
}

static int check_machine_name(const struct setting *setting, const char *name, struct error *err)
{
	char **names;
	int count = machine_list(&names, err), status = -1;

	if (count < 0)
		return -1;
	names = must_realloc(names, (size_t)count + 1, sizeof(*names));
	names[count] = NULL;
	for (int i = 0; i < count; i++) {
		if (strcmp(names[i], name) == 0)
			status = 0;
	}
	if (status < 0)
		unknown_name(setting, "machine", name,
			suggest(name, (const char *const *)names, "see `zonesim list machines`"),
			err);
	for (int i = 0; i < count; i++)
		free(names[i]);
	free(names);
	return status;
}

static int resolve_machine(struct scenario *s, struct scenario_point *p,
	const struct setting *setting, struct error *err)
{
	const char *name = setting_text(setting);
	struct machine *machine;

	for (size_t i = 0; i < s->nr_machines; i++) {
		if (strcmp(s->machine_files[i], name) == 0) {
			p->point.machine = s->machines[i];
			return 0;
		}
	}
	if (!strchr(name, '/') && check_machine_name(setting, name, err) < 0)
		return -1;
	machine = must_calloc(1, sizeof(*machine));
	if (machine_load(machine, name, err) < 0) {
		free(machine);
		return -1;
	}
	s->machines = must_realloc(s->machines, s->nr_machines + 1, sizeof(*s->machines));
	s->machine_files =
		must_realloc(s->machine_files, s->nr_machines + 1, sizeof(*s->machine_files));
	s->machine_files[s->nr_machines] = must_format("%s", name);
	s->machines[s->nr_machines++] = machine;
	p->point.machine = machine;
	return 0;
}

static int resolve_kernel(
	struct scenario_point *p, const struct setting *setting, struct error *err)
{
	const char *name = node_text(setting->node);

	p->point.kernel = kernel_find(name);
	if (p->point.kernel)
		return 0;
	return unknown_name(setting, "kernel", name, kernel_suggest(name), err);
}

static int resolve_workload(
	struct scenario_point *p, const struct setting *setting, struct error *err)
{
	const char *name = node_text(setting->node);
	const struct workload *workload = workload_find(name);

	if (!workload)
		return unknown_name(setting, "workload", name, workload_suggest(name), err);
	p->point.workload = workload;
	for (size_t i = 0; workload->parameters[i].name; i++)
		p->point.parameters[i] = workload->parameters[i].fallback;
	return 0;
}

/*
 * Patches
 */

/* What a point says of patches, put together name by name. */
struct patch_choice {
	patch_set added, removed;
};

static int resolve_patch(struct patch_choice *choice, const struct scenario_point *p,
	const struct setting *item, struct error *err)
{
	const char *text = node_text(item->node), *names[NR_PATCHES + 1] = {NULL};
	const char *name = *text == '-' ? text + 1 : text;
	const struct kernel_info *kernel = p->point.kernel;
	int patch = patch_find(name);

	for (int i = 0; i < NR_PATCHES; i++)
		names[i] = patches[i].name;
	if (patch < 0)
		return unknown_name(item, "patch", name,
			suggest(name, names, "see `zonesim list patches`"), err);
	if ((choice->added | choice->removed) & PATCH_BIT(patch))
		return node_error(
			item->document, item->node, err, "patches: %s is named twice", name);
	if (*text == '-' && !(kernel->patches & PATCH_BIT(patch)))
		return node_error(item->document, item->node, err,
			"patches: %s can not be removed: %s does not have it", name, kernel->name);
	if (*text == '-')
		choice->removed |= PATCH_BIT(patch);
	else
		choice->added |= PATCH_BIT(patch);
	return 0;
}

static int resolve_patches(
	struct scenario_point *p, const struct setting *setting, struct error *err)
{
	size_t count = node_count(setting->node);
	struct patch_choice choice = {0};

	/* No name can stand there twice; also keeps the list short. */
	p->patches = must_calloc(count < NR_PATCHES ? count : NR_PATCHES, sizeof(*p->patches));
	for (size_t i = 0; i < count; i++) {
		struct setting item = *setting;

		item.node = node_item(setting->document, setting->node, i);
		if (!node_text(item.node))
			return node_error(item.document, item.node, err,
				"patches: expected the name of a patch");
		if (resolve_patch(&choice, p, &item, err) < 0)
			return -1;
		p->patches[p->nr_patches++] = must_format("%s", node_text(item.node));
	}
	p->point.patches = (p->point.kernel->patches | choice.added) & ~choice.removed;
	return 0;
}

/*
 * Numbers
 */

/* The number that a setting is, in base units and within bounds: of a node, or of a range. */
static int setting_quantity(const struct setting *setting, enum quantity unit, double min,
	double max, double *value, struct error *err)
{
	const char *path = setting->option->path;
	char why[256], low[48], high[48];

	if (!setting->value)
		return node_quantity(
			setting->document, setting->node, path, unit, min, max, value, err);
	if (quantity_parse(setting->value, unit, value, why, sizeof(why)) < 0)
		return node_error(setting->document, setting->node, err, "%s: %s", path, why);
	if (*value < min * (1 - 1e-12) || *value > max * (1 + 1e-12))
		return node_error(setting->document, setting->node, err,
			"%s: %.40s is out of bounds: %s to %s", path, setting->value,
			quantity_print(low, sizeof(low), unit, min),
			quantity_print(high, sizeof(high), unit, max));
	return 0;
}

static int resolve_parameter(
	struct scenario_point *p, const struct setting *setting, struct error *err)
{
	const char *path = setting->option->path, *name = strchr(path, '.') + 1;
	const struct workload *workload = p->point.workload;
	const struct scenario_option *option = setting->option;

	for (size_t i = 0; workload->parameters[i].name; i++) {
		const struct workload_parameter *parameter = &workload->parameters[i];

		if (strcmp(parameter->name, name) == 0)
			return setting_quantity(setting, option->unit, parameter->min,
				parameter->max, &p->point.parameters[i], err);
	}
	return node_error(setting->document, setting->node, err, "%s has no parameter '%s'",
		workload->name, name);
}

static int resolve_number(
	struct scenario_point *p, const struct setting *setting, struct error *err)
{
	const struct scenario_option *option = setting->option;
	char *field = (char *)&p->point + option->offset;
	double value;

	if (setting_quantity(setting, option->unit, option->min, option->max, &value, err) < 0)
		return -1;
	switch (option->type) {
	case OPTION_UINT:
		*(unsigned int *)field = (unsigned int)value;
		break;
	case OPTION_UINT64:
		*(uint64_t *)field = (uint64_t)value;
		break;
	default:
		*(double *)field = value;
		break;
	}
	return 0;
}

static int resolve_tasks(struct scenario_point *p, const struct setting *setting, struct error *err)
{
	const char *text = setting_text(setting);
	const struct scenario_option *option = setting->option;
	double value;

	if (strcmp(text, "all") == 0) {
		p->point.tasks = machine_cpus(p->point.machine);
		return 0;
	}
	if (*text && strspn(text, "0123456789+-.") == 0)
		return node_error(setting->document, setting->node, err,
			"tasks: '%.40s' is neither a number nor 'all'", text);
	if (setting_quantity(setting, option->unit, option->min, option->max, &value, err) < 0)
		return -1;
	p->point.tasks = (unsigned int)value;
	return 0;
}

/*
 * All of it
 */

static int resolve_title(struct scenario *s, const struct setting *setting, struct error *err)
{
	const char *text = node_text(setting->node);

	if (!*text || strlen(text) > 200)
		return node_error(setting->document, setting->node, err,
			"name: expected a text of 1 to 200 bytes");
	if (!s->name)
		s->name = must_format("%s", text);
	return 0;
}

static int resolve_setting(struct scenario *s, struct scenario_point *p,
	const struct setting *setting, struct error *err)
{
	switch (setting->option->type) {
	case OPTION_TITLE:
		return resolve_title(s, setting, err);
	case OPTION_MACHINE:
		return resolve_machine(s, p, setting, err);
	case OPTION_KERNEL:
		return resolve_kernel(p, setting, err);
	case OPTION_WORKLOAD:
		return resolve_workload(p, setting, err);
	case OPTION_PARAMETER:
		return resolve_parameter(p, setting, err);
	case OPTION_TASKS:
		return resolve_tasks(p, setting, err);
	case OPTION_PATCHES:
		return resolve_patches(p, setting, err);
	default:
		return resolve_number(p, setting, err);
	}
}

/* An option that is left out takes the value its table entry gives, read like any other. */
static int resolve_fallback(struct scenario *s, struct scenario_point *p,
	const struct scenario_option *option, const struct document *file, struct error *err)
{
	struct setting setting = {.option = option};
	struct document d;
	int status;

	if (option->required)
		return node_error(file, document_root(file), err, "%s is missing: %s", option->path,
			option->help);
	if (!option->fallback || option->type == OPTION_PARAMETER)
		return 0;
	if (document_parse(&d, option->path, option->fallback, 0, err) < 0)
		return -1;
	setting.document = &d;
	setting.node = document_root(&d);
	status = resolve_setting(s, p, &setting, err);
	document_free(&d);
	return status;
}

/* Is @path equal to the first @length bytes of @key, or below them? */
static bool is_within(const char *path, const char *key, size_t length)
{
	return strncmp(path, key, length) == 0 && (path[length] == '\0' || path[length] == '.');
}

/* The last setting within the first @length bytes of @key; NULL when there is none. */
static const struct setting *setting_within(
	const struct setting *const *chosen, const char *key, size_t length)
{
	const struct setting *last = NULL;
	size_t count;
	const struct scenario_option *all = options(&count);

	for (size_t i = 0; i < count; i++) {
		if (chosen[i] && is_within(all[i].path, key, length))
			last = chosen[i];
	}
	return last;
}

/*
 * The setting that @key belongs to: "pcp.high", or another of its group if that is left out;
 * a parameter of "workload", or its name if none is set. NULL when nothing is.
 */
static const struct setting *setting_of(const struct setting *const *chosen, const char *key)
{
	const struct setting *setting = setting_within(chosen, key, strlen(key));
	const char *dot = strrchr(key, '.');

	if (!setting && dot)
		setting = setting_within(chosen, key, (size_t)(dot - key));
	return setting;
}

/* What is wrong with the point as a whole, reported where the scenario says it. */
static int check_point(const struct scenario_point *p, const struct setting *const *chosen,
	const struct document *file, struct error *err)
{
	const struct setting *setting;
	const char *key = "";
	char why[256];

	if (point_check(&p->point, &key, why, sizeof(why)) == 0)
		return 0;
	setting = setting_of(chosen, key);
	if (!setting)
		return node_error(file, document_root(file), err, "%s: %s", key, why);
	return node_error(setting->document, setting->node, err, "%s: %s", key, why);
}

int resolve_point(struct scenario *s, struct scenario_point *point,
	const struct setting *const *chosen, const struct document *file, struct error *err)
{
	size_t count;
	const struct scenario_option *all = options(&count);

	for (size_t i = 0; i < count; i++) {
		int status;

		if (chosen[i])
			status = resolve_setting(s, point, chosen[i], err);
		else
			status = resolve_fallback(s, point, &all[i], file, err);
		if (status < 0)
			return -1;
	}
	return check_point(point, chosen, file, err);
}
