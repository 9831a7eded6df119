// SPDX-License-Identifier: GPL-3.0-or-later
/*
 * topics.c - what there is to explain beside the subcommands.
 */
#include <stdlib.h>
#include <string.h>

#include "../alloc/kernel.h"
#include "../models/error.h"
#include "../models/figures.h"
#include "../results/must.h"
#include "../results/verdict.h"
#include "../results/wrap.h"
#include "../sim/workload.h"
#include "options.h"
#include "topics.h"

/* A paragraph. */
static void say(FILE *out, const char *text)
{
	print_filled(out, "", 0, HELP_WIDTH, text);
	fputc('\n', out);
}

static void print_scenario(FILE *out)
{
	say(out, "A scenario is a YAML file that sets the options below; a dot stands for a level: "
		 "pcp.batch is written  pcp: {batch: 31}.  Where one value is expected, a list "
		 "makes "
		 "a point per value; several lists are combined, the last option here varying "
		 "fastest. A list of mappings, as in  pcp: [{batch: 31, high: 186}, {batch: 63, "
		 "high: 378}],  makes a point per mapping. A number may be a range of them: "
		 "31..511 step 32, 1..8, or log 16..4096 x2 in multiples. `zonesim run SCENARIO "
		 "--set pcp.batch=[31,63]` takes the place of what the file says. `zonesim new` "
		 "writes a file to start from, and - in place of a file is standard input.");
	options_print(out);
}

/* Append to a list that ends with NULL. */
static void add_name(const char ***names, size_t *nr, const char *name)
{
	*names = must_realloc(*names, *nr + 2, sizeof(**names));
	(*names)[(*nr)++] = name;
	(*names)[*nr] = NULL;
}

/* As sim/measure.c has them; tests/cli_run.bats compares. */
/* clang-format off */
const struct common_metric common_metrics[] = {
	{"per_process_ops", NULL, "score divided by the number of tasks"},
	{"zone_lock_spin_share", "percent", "time that tasks wait for zone locks, in percent of all task CPU time"},
	{"lru_lock_spin_share", "percent", "time that tasks wait for LRU locks, in percent of all task CPU time"},
	{"zone_lock_hold_alloc", "ns", "mean time a zone lock is held to refill a pageset, per acquisition"},
	{"zone_lock_hold_free", "ns", "mean time a zone lock is held to drain a pageset, per acquisition"},
	{"zone_lock_acquisitions", "1/s", "zone locks taken per second, all nodes together"},
	{"lru_lock_hold", "ns", "mean time an LRU lock is held, per acquisition"},
	{"lru_lock_acquisitions", "1/s", "LRU locks taken per second, all nodes together"},
	{NULL, NULL, NULL},
};
/* clang-format on */

struct suggestion metric_suggest(const char *name)
{
	const char **names = must_calloc(1, sizeof(*names));
	struct suggestion s;
	size_t nr = 0;

	/* one of a workload that has the very name only says that these points are of another */
	add_name(&names, &nr, "score");
	for (const struct common_metric *m = common_metrics; m->name; m++)
		add_name(&names, &nr, m->name);
	for (size_t i = 0; workloads[i]; i++) {
		const struct workload_metric *m = workloads[i]->metrics;

		for (; m && m->name; m++) {
			if (strcmp(m->name, name) != 0)
				add_name(&names, &nr, m->name);
		}
	}
	s = suggest(name, names, "see `zonesim help metrics`");
	free(names);
	return s;
}

static void print_metrics(FILE *out)
{
	say(out, "Each has a mean and the half width of its 95% confidence interval. The score is "
		 "the one that measure.precision is about. Waiting times are those of all waiters, "
		 "added up: eight that wait for a second wait eight seconds.");
	say(out, "Of any workload:");
	for (const struct common_metric *m = common_metrics; m->name; m++) {
		fprintf(out, "%s\n", m->name);
		print_below(out, "%s (%s)", m->help, m->unit ? m->unit : "the score's unit");
	}
	for (size_t i = 0; workloads[i]; i++) {
		const struct workload *w = workloads[i];

		fprintf(out, "\n%s\n", w->name);
		print_below(out, "score: %s (%s)", w->rate_help, w->rate);
		for (const struct workload_metric *m = w->metrics; m && m->name; m++)
			print_below(out, "%s: %s (%s)", m->name, m->help, m->unit);
	}
}

static void print_figures(FILE *out, const struct figure_info *figures, size_t nr)
{
	for (size_t i = 0; i < nr; i++) {
		const struct figure_info *f = &figures[i];
		char low[48], high[48];

		fprintf(out, "%s\n", f->key);
		print_below(out, "%s%s%s", f->help,
			f->between_sockets ? "; a machine of one socket has none" : "",
			f->role == FIGURE_RECORD ? "; for the record, nothing is charged by it"
						 : "");
		if (f->unit == QUANTITY_BOOL)
			print_below(out, "%s", quantity_describe(f->unit));
		else
			print_below(out, "%s; from %s to %s", quantity_describe(f->unit),
				quantity_print(low, sizeof(low), f->unit, f->min),
				quantity_print(high, sizeof(high), f->unit, f->max));
	}
}

static void print_machine(FILE *out)
{
	say(out, "A machine is a YAML file with a name, a cpu, and all the figures below. Each is "
		 "written  key: {value: 50 ns, spread: 15%, mark: V~, source: \"...\"}.  The mark "
		 "says how sure it is (`zonesim help marks`), the source where it comes from. "
		 "Spread, or low and high, say within what it must lie; they may be left out. "
		 "`zonesim list machines NAME` shows the figures of a machine. A scenario may name "
		 "a file, too:  machine: ./mine.yaml");
	print_figures(out, machine_figures, nr_machine_figures);
	fputc('\n', out);
	say(out, "The same on all machines, in models/coefficients.yaml:");
	print_figures(out, coefficient_figures, nr_coefficient_figures);
}

static void print_marks(FILE *out)
{
	fputs("Every figure of a machine carries a mark that says how sure it is:\n\n", out);
	for (enum figure_mark mark = FIGURE_VERIFIED; mark <= FIGURE_REMEMBERED; mark++)
		fprintf(out, "  %-3s %s\n", figure_mark_name(mark), figure_mark_help(mark));
	fputs("\n`zonesim list machines NAME` shows them, with their sources.\n", out);
}

static void print_status(FILE *out)
{
	static const struct {
		enum exit_status status;
		const char *help;
	} all[] = {
		{EXIT_DONE, "done"},
		{EXIT_RUN_FAILED, "a run failed; or the environment did: no room, no gnuplot, a "
				  "damaged store"},
		{EXIT_BAD_INPUT, "bad input or usage; nothing was run"},
		{EXIT_NOT_TRUSTED, "finished, but not as precise as asked within the time limit"},
		{EXIT_BROKEN, "the simulated allocator broke an invariant, or the simulation "
			      "deadlocked"},
		{EXIT_INTERRUPTED, "interrupted"},
	};

	for (size_t i = 0; i < sizeof(all) / sizeof(all[0]); i++) {
		char number[8];

		snprintf(number, sizeof(number), "%3d ", all[i].status);
		print_filled(out, number, 5, HELP_WIDTH, all[i].help);
	}
	fputs("\nOf several points, the worst counts.\n", out);
}

const struct topic topics[] = {
	{"scenario", "what a scenario may set", print_scenario},
	{"metrics", "what a run measures", print_metrics},
	{"machine", "the figures that describe a machine", print_machine},
	{"marks", "how sure the figures of a machine are", print_marks},
	{"verdicts", "how near to published figures is near enough", verdict_print_help},
	{"exit-status", "what the exit status says", print_status},
};

const size_t nr_topics = sizeof(topics) / sizeof(topics[0]);
