/* SPDX-License-Identifier: GPL-3.0-or-later */
/* result.c - what simulating a point gave, as the JSON document other programs rely on. */
#include "result.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "../sim/point.h"

#define MICROSECONDS 1e6 /* per second; the unit of /proc/lock_stat */
#define NANOSECONDS 1e9

/* JSON has no infinity and no NAN: what is not known is null. */
static json_t *number_to_json(double value)
{
	return isfinite(value) ? json_real(value) : json_null();
}

/* Counts above the range of json_int_t do not occur; they would show as the largest one. */
static json_t *count_to_json(uint64_t value)
{
	return json_integer(value > INT64_MAX ? INT64_MAX : (json_int_t)value);
}

/* Text of ours is ASCII; should it ever not be, a question mark is better than no result. */
static json_t *text_to_json(const char *text)
{
	json_t *string = json_string(text);
	char *copy;

	if (string)
		return string;
	copy = strdup(text);
	if (!copy)
		return NULL;
	for (char *c = copy; *c; c++)
		if ((unsigned char)*c >= 0x80)
			*c = '?';
	string = json_string(copy);
	free(copy);
	return string;
}

/* Like json_object_set_new, with failures added up in @failed, so that one check at the end does.
 */
static void put(json_t *object, const char *key, json_t *value, bool *failed)
{
	if (json_object_set_new(object, key, value) != 0)
		*failed = true;
}

static void append(json_t *array, json_t *value, bool *failed)
{
	if (json_array_append_new(array, value) != 0)
		*failed = true;
}

static const char *status_name(enum point_status status)
{
	switch (status) {
	case POINT_OK:
		return "ok";
	case POINT_IMPRECISE:
		return "imprecise";
	case POINT_FAILED:
		return "failed";
	}
	return "failed";
}

static json_t *metrics_to_json(const struct point_result *result, bool *failed)
{
	json_t *metrics = json_object();

	for (size_t i = 0; i < result->nr_metrics; i++) {
		const struct metric *m = &result->metrics[i];
		json_t *metric = json_object();

		put(metric, "mean", number_to_json(m->mean), failed);
		put(metric, "ci95", number_to_json(m->ci95), failed);
		put(metric, "degrees", number_to_json(m->degrees), failed);
		put(metric, "unit", text_to_json(m->unit), failed);
		put(metric, "help", text_to_json(m->help), failed);
		put(metrics, m->name, metric, failed);
	}
	return metrics;
}

static json_t *average(double total, uint64_t nr)
{
	return number_to_json(nr ? total * MICROSECONDS / (double)nr : 0);
}

/* Counts of [2^i, 2^(i+1)) ns, as far as there are any. */
static json_t *histogram_to_json(const uint64_t *buckets, bool *failed)
{
	json_t *array = json_array();
	size_t nr = LOCK_REPORT_BUCKETS;

	while (nr > 0 && !buckets[nr - 1])
		nr--;
	for (size_t i = 0; i < nr; i++)
		append(array, count_to_json(buckets[i]), failed);
	return array;
}

/* The columns of /proc/lock_stat, in its units. */
static json_t *locks_to_json(const struct point_result *result, bool *failed)
{
	json_t *locks = json_array();

	for (size_t i = 0; i < result->nr_locks; i++) {
		const struct lock_report *l = &result->locks[i];
		json_t *lock = json_object();

		put(lock, "name", text_to_json(l->name), failed);
		put(lock, "con_bounces", count_to_json(l->con_bounces), failed);
		put(lock, "contentions", count_to_json(l->contentions), failed);
		put(lock, "waittime_min_us", number_to_json(l->wait_min * MICROSECONDS), failed);
		put(lock, "waittime_max_us", number_to_json(l->wait_max * MICROSECONDS), failed);
		put(lock, "waittime_total_us", number_to_json(l->wait_total * MICROSECONDS),
			failed);
		put(lock, "waittime_avg_us", average(l->wait_total, l->contentions), failed);
		put(lock, "acq_bounces", count_to_json(l->acq_bounces), failed);
		put(lock, "acquisitions", count_to_json(l->acquisitions), failed);
		put(lock, "holdtime_min_us", number_to_json(l->hold_min * MICROSECONDS), failed);
		put(lock, "holdtime_max_us", number_to_json(l->hold_max * MICROSECONDS), failed);
		put(lock, "holdtime_total_us", number_to_json(l->hold_total * MICROSECONDS),
			failed);
		put(lock, "holdtime_avg_us", average(l->hold_total, l->acquisitions), failed);
		put(lock, "wait_histogram", histogram_to_json(l->wait_buckets, failed), failed);
		put(lock, "hold_histogram", histogram_to_json(l->hold_buckets, failed), failed);
		append(locks, lock, failed);
	}
	return locks;
}

/* Nanoseconds of one hold. */
static json_t *per_hold(double seconds, const struct hold_report *h)
{
	return number_to_json(h->count ? seconds * NANOSECONDS / (double)h->count : 0);
}

/* How many lines of each source a hold takes; the L1's are no wait. */
static json_t *lines_to_json(
	const struct point_result *result, const struct hold_report *h, bool *failed)
{
	json_t *lines = json_object();

	for (size_t i = 0; i < result->nr_served && i < POINT_SOURCES; i++)
		put(lines, result->served[i].name,
			number_to_json(h->count ? (double)h->served[i] / (double)h->count : 0),
			failed);
	return lines;
}

static json_t *holds_to_json(const struct point_result *result, bool *failed)
{
	json_t *holds = json_array();

	for (size_t i = 0; i < result->nr_holds; i++) {
		const struct hold_report *h = &result->holds[i];
		json_t *hold = json_object(), *waits = json_object();
		double rest = h->total;

		for (size_t w = 0; w < POINT_WAITS; w++) {
			put(waits, h->waits[w].name, per_hold(h->waits[w].seconds, h), failed);
			rest -= h->waits[w].seconds;
		}
		put(hold, "name", text_to_json(h->name), failed);
		put(hold, "help", text_to_json(h->help), failed);
		put(hold, "count", count_to_json(h->count), failed);
		put(hold, "handed_over_ns", per_hold(h->handed_over, h), failed);
		put(hold, "held_ns", per_hold(h->total, h), failed);
		put(hold, "instructions_ns", per_hold(rest, h), failed);
		put(hold, "waits_ns", waits, failed);
		put(hold, "lines", lines_to_json(result, h, failed), failed);
		append(holds, hold, failed);
	}
	return holds;
}

static json_t *numbers_to_json(const double *numbers, size_t nr, bool *failed)
{
	json_t *array = json_array();

	for (size_t i = 0; i < nr; i++)
		append(array, number_to_json(numbers[i]), failed);
	return array;
}

static json_t *series_to_json(const struct point_result *result, bool *failed)
{
	json_t *array = json_array();

	for (size_t i = 0; i < result->nr_series; i++) {
		const struct batch_series *s = &result->series[i];
		json_t *series = json_object();

		put(series, "nodes", json_integer(s->nodes), failed);
		put(series, "rounds_each", json_integer(s->each), failed);
		put(series, "warm_up", json_integer((json_int_t)s->warm_up), failed);
		put(series, "seconds", numbers_to_json(s->seconds, s->nr, failed), failed);
		put(series, "work", numbers_to_json(s->work, s->nr, failed), failed);
		append(array, series, failed);
	}
	return array;
}

static json_t *counters_to_json(const struct counter *counters, size_t nr, bool *failed)
{
	json_t *array = json_array();

	for (size_t i = 0; i < nr; i++) {
		json_t *counter = json_object();

		put(counter, "name", text_to_json(counters[i].name), failed);
		put(counter, "value", count_to_json(counters[i].value), failed);
		put(counter, "help", text_to_json(counters[i].help), failed);
		append(array, counter, failed);
	}
	return array;
}

static json_t *host_to_json(const struct point_result *result, bool *failed)
{
	json_t *host = json_object();

	put(host, "wall_s", number_to_json(result->wall), failed);
	put(host, "max_rss_bytes", count_to_json(result->max_rss), failed);
	put(host, "accesses", count_to_json(result->accesses), failed);
	return host;
}

/* In a hold of their purpose, on average. */
static json_t *functions_to_json(const struct point_result *r, bool *failed)
{
	double seconds[sizeof(r->holds) / sizeof(r->holds[0])] = {0};
	json_t *functions = json_array();

	for (size_t i = 0; i < r->nr_functions; i++)
		seconds[r->functions[i].hold] += r->functions[i].seconds;
	for (size_t i = 0; i < r->nr_functions; i++) {
		const struct function_report *f = &r->functions[i];
		const struct hold_report *h = &r->holds[f->hold];
		json_t *function = json_object();

		put(function, "hold", text_to_json(h->name), failed);
		put(function, "function", text_to_json(f->name), failed);
		put(function, "instructions",
			number_to_json(h->count ? (double)f->instructions / (double)h->count : 0),
			failed);
		put(function, "ns", per_hold(f->seconds, h), failed);
		put(function, "percent",
			number_to_json(
				seconds[f->hold] > 0 ? 100 * f->seconds / seconds[f->hold] : 0),
			failed);
		append(functions, function, failed);
	}
	return functions;
}

static json_t *timeline_to_json(const struct timeline_report *t, bool *failed)
{
	json_t *timeline = json_object();

	put(timeline, "spans", count_to_json(t->spans), failed);
	put(timeline, "from_s", number_to_json(t->from), failed);
	put(timeline, "to_s", number_to_json(t->to), failed);
	put(timeline, "cut", json_boolean(t->cut), failed);
	return timeline;
}

static json_t *sources_to_json(const struct line_report *line, bool *failed)
{
	json_t *sources = json_object();

	for (size_t i = 0; i < POINT_SOURCES && line->sources[i].name; i++) {
		json_t *source = json_object();

		if (!line->sources[i].count) {
			json_decref(source);
			continue;
		}
		put(source, "count", count_to_json(line->sources[i].count), failed);
		put(source, "seconds", number_to_json(line->sources[i].seconds), failed);
		put(sources, line->sources[i].name, source, failed);
	}
	return sources;
}

static json_t *c2c_to_json(const struct point_result *r, bool *failed)
{
	json_t *lines = json_array();

	for (size_t i = 0; i < r->nr_lines; i++) {
		const struct line_report *l = &r->lines[i];
		json_t *line = json_object(), *payers = json_object();
		double seconds = 0;

		for (size_t p = 0; p < POINT_PAYERS; p++) {
			put(payers, l->payers[p].name, number_to_json(l->payers[p].seconds),
				failed);
			seconds += l->payers[p].seconds;
		}
		put(line, "name", text_to_json(l->name), failed);
		put(line, "lines", count_to_json(l->lines), failed);
		put(line, "seconds", number_to_json(seconds), failed);
		put(line, "sources", sources_to_json(l, failed), failed);
		put(line, "paid_by", payers, failed);
		append(lines, line, failed);
	}
	return lines;
}

json_t *result_to_json(const struct point_result *r, json_t *config, const char *fingerprint)
{
	json_t *point = json_object();
	bool failed = !point;

	put(point, "fingerprint", text_to_json(fingerprint), &failed);
	put(point, "status", text_to_json(status_name(r->status)), &failed);
	if (r->status == POINT_FAILED)
		put(point, "failure", text_to_json(r->failure), &failed);
	put(point, "config", config, &failed);
	put(point, "metrics", metrics_to_json(r, &failed), &failed);
	put(point, "host", host_to_json(r, &failed), &failed);
	put(point, "simulated_s", number_to_json(r->simulated), &failed);
	put(point, "warm_up_s", number_to_json(r->warm_up), &failed);
	put(point, "batches", series_to_json(r, &failed), &failed);
	put(point, "locks", locks_to_json(r, &failed), &failed);
	put(point, "holds", holds_to_json(r, &failed), &failed);
	put(point, "served", counters_to_json(r->served, r->nr_served, &failed), &failed);
	put(point, "counters", counters_to_json(r->counters, r->nr_counters, &failed), &failed);
	put(point, "zoneinfo", text_to_json(r->zoneinfo ? r->zoneinfo : ""), &failed);
	put(point, "buddyinfo", text_to_json(r->buddyinfo ? r->buddyinfo : ""), &failed);
	put(point, "pagetypeinfo", text_to_json(r->pagetypeinfo ? r->pagetypeinfo : ""), &failed);
	put(point, "vmstat", text_to_json(r->vmstat ? r->vmstat : ""), &failed);
	if (r->functions_asked)
		put(point, "functions", functions_to_json(r, &failed), &failed);
	if (r->lines_asked)
		put(point, "c2c", c2c_to_json(r, &failed), &failed);
	if (r->timeline.asked)
		put(point, "timeline", timeline_to_json(&r->timeline, &failed), &failed);
	if (failed) {
		json_decref(point);
		return NULL;
	}
	return point;
}

json_t *document_new(const char *scenario_name)
{
	json_t *document = json_object();
	bool failed = !document;

	put(document, "zonesim", json_string(ZONESIM_VERSION), &failed);
	put(document, "scenario", json_string(scenario_name), &failed);
	put(document, "points", json_array(), &failed);
	if (failed) {
		json_decref(document);
		return NULL;
	}
	return document;
}

int document_add(json_t *document, json_t *point)
{
	return json_array_append_new(json_object_get(document, "points"), point);
}
