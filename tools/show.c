// SPDX-License-Identifier: GPL-3.0-or-later
/*
 * show.c - a point of a result in the formats that kernel people read.
 */
#include <string.h>

#include "../results/c2c.h"
#include "../results/functions.h"
#include "../results/holds.h"
#include "../results/wrap.h"
#include "show.h"

static const char *text_of(const json_t *object, const char *key)
{
	const char *text = json_string_value(json_object_get(object, key));

	return text ? text : "";
}

static double number_of(const json_t *object, const char *key)
{
	return json_number_value(json_object_get(object, key));
}

/*
 * The point
 */

static void show_patches(FILE *out, const json_t *patches)
{
	const json_t *name;
	size_t i;

	if (json_array_size(patches) == 0) {
		fputs("none", out);
		return;
	}
	json_array_foreach(patches, i, name) fprintf(
		out, "%s%s", i ? " " : "", json_string_value(name) ? json_string_value(name) : "");
}

static void show_header(FILE *out, const json_t *point, size_t number)
{
	const json_t *config = json_object_get(point, "config");
	const json_t *pcp = json_object_get(config, "pcp");

	fprintf(out, "point %zu: %s, %s, %s\n", number, text_of(config, "machine"),
		text_of(config, "kernel"), text_of(config, "workload"));
	fputs("  patches asked     ", out);
	show_patches(out, json_object_get(config, "patches"));
	fputs("\n  patches in effect ", out);
	show_patches(out, json_object_get(config, "effective_patches"));
	fprintf(out, "\n  tasks             %.0f\n", number_of(config, "tasks"));
	fprintf(out, "  pcp               batch %.0f, high %.0f\n", number_of(pcp, "batch"),
		number_of(pcp, "high"));
	fprintf(out, "  seed              %.0f\n", number_of(config, "seed"));
	fprintf(out, "  fingerprint       %s\n", text_of(point, "fingerprint"));
	fprintf(out, "  status            %s", text_of(point, "status"));
	if (*text_of(point, "failure"))
		fprintf(out, ": %s", text_of(point, "failure"));
	fprintf(out, "\n  simulated         %.6g s, of which %.6g s warm-up\n\n",
		number_of(point, "simulated_s"), number_of(point, "warm_up_s"));
}

/*
 * Metrics
 */

static void show_metrics(FILE *out, json_t *metrics)
{
	const char *name;
	json_t *metric;

	if (json_object_size(metrics) == 0)
		return;
	fprintf(out, "%-28s %14s %12s  %s\n", "metric", "mean", "+- (95%)", "unit");
	json_object_foreach(metrics, name, metric)
	{
		fprintf(out, "%-28s %14.6g %12.4g  %s\n", name, number_of(metric, "mean"),
			number_of(metric, "ci95"), text_of(metric, "unit"));
		if (*text_of(metric, "help"))
			print_filled(out, "", 4, PRINT_WIDTH, text_of(metric, "help"));
	}
	fputc('\n', out);
}

/*
 * Locks, in the columns of /proc/lock_stat
 */

static const struct column {
	const char *title, *key;
	int decimals;
} columns[] = {
	{"con-bounces", "con_bounces", 0},
	{"contentions", "contentions", 0},
	{"waittime-min", "waittime_min_us", 2},
	{"waittime-max", "waittime_max_us", 2},
	{"waittime-total", "waittime_total_us", 2},
	{"waittime-avg", "waittime_avg_us", 2},
	{"acq-bounces", "acq_bounces", 0},
	{"acquisitions", "acquisitions", 0},
	{"holdtime-min", "holdtime_min_us", 2},
	{"holdtime-max", "holdtime_max_us", 2},
	{"holdtime-total", "holdtime_total_us", 2},
	{"holdtime-avg", "holdtime_avg_us", 2},
};

#define NR_COLUMNS (sizeof(columns) / sizeof(columns[0]))

static void rule(FILE *out)
{
	for (size_t i = 0; i < 40 + 15 * NR_COLUMNS; i++)
		fputc('-', out);
	fputc('\n', out);
}

static void show_locks(FILE *out, const json_t *locks)
{
	const json_t *lock;
	size_t i;

	if (json_array_size(locks) == 0)
		return;
	fputs("lock_stat version 0.4\n", out);
	rule(out);
	fprintf(out, "%40s", "class name");
	for (size_t c = 0; c < NR_COLUMNS; c++)
		fprintf(out, " %14s", columns[c].title);
	fputc('\n', out);
	rule(out);
	json_array_foreach(locks, i, lock)
	{
		fprintf(out, "%39s:", text_of(lock, "name"));
		for (size_t c = 0; c < NR_COLUMNS; c++)
			fprintf(out, " %14.*f", columns[c].decimals,
				number_of(lock, columns[c].key));
		fputc('\n', out);
	}
	fputc('\n', out);
}

/*
 * Counters
 */

static void show_served(FILE *out, const json_t *served)
{
	const json_t *counter;
	double total = 0;
	size_t i;

	json_array_foreach(served, i, counter) total += number_of(counter, "value");
	if (total <= 0)
		return;
	fprintf(out, "%-22s %12s %7s\n", "served from", "accesses", "share");
	json_array_foreach(served, i, counter)
	{
		char label[128];

		snprintf(label, sizeof(label), "%-22.40s %12.0f %6.2f%% ", text_of(counter, "name"),
			number_of(counter, "value"), 100 * number_of(counter, "value") / total);
		print_filled(out, label, 45, PRINT_WIDTH, text_of(counter, "help"));
	}
	fputc('\n', out);
}

static void show_counters(FILE *out, const json_t *counters)
{
	const json_t *counter;
	size_t i;

	if (json_array_size(counters) == 0)
		return;
	fprintf(out, "%-28s %12s\n", "counter", "value");
	json_array_foreach(counters, i, counter)
	{
		char label[128];

		snprintf(label, sizeof(label), "%-28.40s %12.0f ", text_of(counter, "name"),
			number_of(counter, "value"));
		print_filled(out, label, 43, PRINT_WIDTH, text_of(counter, "help"));
	}
	fputc('\n', out);
}

static void show_text(FILE *out, const char *title, const char *text)
{
	if (*text)
		fprintf(out, "%s\n%s%s\n", title, text, text[strlen(text) - 1] == '\n' ? "" : "\n");
}

void show_point(FILE *out, const json_t *point, size_t number)
{
	show_header(out, point, number);
	show_metrics(out, json_object_get(point, "metrics"));
	show_locks(out, json_object_get(point, "locks"));
	holds_print(out, "", point);
	functions_print(out, point);
	c2c_print(out, point);
	show_served(out, json_object_get(point, "served"));
	show_counters(out, json_object_get(point, "counters"));
	show_text(out, "zoneinfo", text_of(point, "zoneinfo"));
	show_text(out, "buddyinfo", text_of(point, "buddyinfo"));
	show_text(out, "pagetypeinfo", text_of(point, "pagetypeinfo"));
	show_text(out, "vmstat", text_of(point, "vmstat"));
}
