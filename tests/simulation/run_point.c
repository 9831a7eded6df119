// SPDX-License-Identifier: GPL-3.0-or-later
/* run_point.c - points for tests. */

#include "run_point.h"

#include <string.h>

#include "../../models/error.h"

struct point point;
struct point_result result;

void configure(const char *machine_name, const char *workload, unsigned int tasks)
{
	struct error err;

	load_machine(machine_name);
	point = (struct point){.machine = &machine,
		.kernel = kernel_find("v4.15"),
		.workload = workload_find(workload),
		.tasks = tasks,
		.precision = 0.02,
		.time_limit = 1,
		.seed = 1};
	expect_true(point.workload);
	for (int i = 0; point.workload->parameters[i].name; i++)
		point.parameters[i] = point.workload->parameters[i].fallback;
	point.patches = point.kernel->patches;
	expect_equal(coefficients_load(&point.coefficients, &err), 0);
}

void run_configured(void)
{
	point_run(&point, &result);
	expect_equal(result.status, POINT_OK);
}

double metric(const char *name)
{
	for (size_t i = 0; i < result.nr_metrics; i++)
		if (!strcmp(result.metrics[i].name, name))
			return result.metrics[i].mean;
	unexpected(__FILE__, __LINE__, name, 0, 1);
}

double counter(const char *name)
{
	for (size_t i = 0; i < result.nr_counters; i++)
		if (!strcmp(result.counters[i].name, name))
			return (double)result.counters[i].value;
	unexpected(__FILE__, __LINE__, name, 0, 1);
}

void expect_refused(const char *expected_key, const char *expected_why)
{
	const char *key;
	char why[256];

	expect_equal(point_check(&point, &key, why, sizeof(why)), -1);
	expect_true(!strcmp(key, expected_key));
	expect_true(strstr(why, expected_why));
}

void expect_accepted(void)
{
	const char *key;
	char why[256];

	expect_equal(point_check(&point, &key, why, sizeof(why)), 0);
}
