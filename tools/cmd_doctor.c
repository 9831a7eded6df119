// SPDX-License-Identifier: GPL-3.0-or-later
/*
 * cmd_doctor.c - zonesim doctor: is there all that zonesim needs here?
 */
#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <gsl/gsl_version.h>
#include <simgrid/engine.h>
#include <simgrid/version.h>
#include <sqlite3.h>
#include <sys/wait.h>
#include <yaml.h>

#include "../models/coefficients.h"
#include "../models/error.h"
#include "../models/machine.h"
#include "../models/paths.h"
#include "../results/must.h"
#include "../results/published.h"
#include "../results/result.h"
#include "../results/wrap.h"
#include "command.h"
#include "scenario.h"

enum finding { FOUND, MISSING, OPTIONAL }; /* the last: missing, and not needed */

/* Print a line. Returns whether what is needed is there. */
__attribute__((format(printf, 3, 4))) static bool tell(
	enum finding finding, const char *what, const char *format, ...)
{
	static const char *const words[] = {"ok", "MISSING", "-"};
	char label[64], text[2400];
	const char *message;
	va_list args;

	snprintf(label, sizeof(label), "%-8s %-12s", words[finding], what);
	va_start(args, format);
	(void)vsnprintf(text, sizeof(text), format, args);
	va_end(args);
	text[strcspn(text, "\n")] = '\0';
	/* of an error, only the message */
	message = strncmp(text, "zonesim: ", 9) == 0 ? text + 9 : text;
	print_filled(stdout, label, 22, PRINT_WIDTH, message);
	return finding != MISSING;
}

/*
 * Libraries
 */

static void tell_library(const char *name, const char *built, const char *found)
{
	if (!built || strcmp(built, found) == 0)
		tell(FOUND, name, "%s", found);
	else
		tell(FOUND, name, "%s, built with %s", found, built);
}

/* They are there, or the program would not have started. */
static void check_libraries(void)
{
	int major, minor, patch;
	char built[48], found[48];

	sg_version_get(&major, &minor, &patch);
	snprintf(found, sizeof(found), "%d.%d.%d", major, minor, patch);
	snprintf(built, sizeof(built), "%d.%d.%d", SIMGRID_VERSION_MAJOR, SIMGRID_VERSION_MINOR,
		SIMGRID_VERSION_PATCH);
	tell_library("SimGrid", built, found);
	tell_library("GSL", GSL_VERSION, gsl_version);
	tell_library("SQLite", SQLITE_VERSION, sqlite3_libversion());
	tell_library("jansson", JANSSON_VERSION, jansson_version_str());
	tell_library("libyaml", NULL, yaml_get_version_string());
}

/*
 * Programs
 */

static const struct program {
	const char *name, *package, *use;
	bool needed;
} programs[] = {
	{"gnuplot", "gnuplot-nox", "draws the pictures of plot and report", true},
	{"parallel", "parallel", "for tools/sweep-parallel", false},
	{"sbatch", "slurm-client", "for tools/sweep-slurm", false},
};

/* The first line of "@name --version" into @line. Returns its exit status, or -1. */
static int ask_version(const char *name, char *line, size_t size)
{
	char *command = must_format("%s --version 2>/dev/null", name);
	FILE *out = popen(command, "r");

	free(command);
	if (!out)
		return -1;
	if (!fgets(line, (int)size, out))
		*line = '\0';
	while (fgetc(out) != EOF)
		continue;
	return pclose(out);
}

static bool check_program(const struct program *p)
{
	char line[128];
	int status;

	fflush(stdout);
	status = ask_version(p->name, line, sizeof(line));
	if (status == 0 && *line)
		return tell(FOUND, p->name, "%s", line);
	/* what the shell says when there is no such program */
	if (WIFEXITED(status) && WEXITSTATUS(status) == 127)
		return tell(p->needed ? MISSING : OPTIONAL, p->name, "%s: apt-get install %s",
			p->use, p->package);
	return tell(p->needed ? MISSING : OPTIONAL, p->name,
		"%s: it is installed, but `%s --version` fails", p->use, p->name);
}

/*
 * Data
 */

static bool check_machines(void)
{
	char *path = data_path("models", NULL, NULL), **names;
	struct coefficients coefficients;
	struct machine machine;
	struct error err;
	int count = machine_list(&names, &err), status = count;
	bool fine;

	for (int i = 0; i < count && status >= 0; i++) {
		status = machine_load(&machine, names[i], &err);
		if (status == 0)
			machine_free(&machine);
	}
	if (status >= 0)
		status = coefficients_load(&coefficients, &err);
	if (status < 0 || count == 0)
		fine = tell(MISSING, "machines", "%s", status < 0 ? err.text : path);
	else
		fine = tell(FOUND, "machines", "%d in %s", count, path);
	if (count >= 0)
		names_free(names, count);
	free(path);
	return fine;
}

static bool check_scenarios(void)
{
	char *directory = data_path("scenarios", NULL, NULL), **names;
	struct error err;
	int count = data_list("scenarios", ".yaml", &names, &err), status = count;
	bool fine;

	for (int i = 0; i < count && status >= 0; i++) {
		char *path = data_path("scenarios", names[i], ".yaml");
		struct scenario s;

		status = scenario_load(&s, path, NULL, &err);
		if (status == 0)
			scenario_free(&s);
		free(path);
	}
	if (status < 0 || count == 0)
		fine = tell(MISSING, "scenarios", "%s", status < 0 ? err.text : directory);
	else
		fine = tell(FOUND, "scenarios", "%d in %s", count, directory);
	if (count >= 0)
		names_free(names, count);
	free(directory);
	return fine;
}

static bool check_published(void)
{
	char *path = data_path("results/published", NULL, NULL);
	struct published published;
	struct error err;
	bool fine;

	if (published_load(&published, &err) < 0) {
		fine = tell(MISSING, "published", "%s", err.text);
	} else {
		fine = tell(published.nr_rows ? FOUND : MISSING, "published", "%zu figures in %s",
			published.nr_rows, path);
		published_free(&published);
	}
	free(path);
	return fine;
}

/*
 * This place
 */

static bool check_directory(void)
{
	char *here = getcwd(NULL, 0);
	bool fine;

	if (here && access(here, W_OK | X_OK) == 0)
		fine = tell(FOUND, "directory", "%s can be written to", here);
	else
		fine = tell(MISSING, "directory",
			"%s can not be written to (%s): go to another one", here ? here : ".",
			strerror(errno));
	free(here);
	return fine;
}

/* A point as short as can be, in a process of its own as all points. */
static bool check_simulation(void)
{
	static const char text[] = "machine: skylake-1s\nkernel: v4.15\nworkload: alloc_free\n"
				   "tasks: 1\nmeasure: {precision: 50%, time-limit: 100us}\n";
	const struct runner_options quiet = {.jobs = 1, .quiet = true};
	json_t *document = document_new("doctor");
	struct scenario s = {0};
	struct error err;
	int status;

	if (scenario_add(&s, "trial", text, &err) < 0) {
		json_decref(document);
		return tell(MISSING, "simulation", "%s", err.text);
	}
	fflush(stdout);
	status = runner_run(&s, &quiet, document, NULL);
	scenario_free(&s);
	json_decref(document);
	if (status == EXIT_DONE || status == EXIT_NOT_TRUSTED)
		return tell(FOUND, "simulation",
			"a point was simulated; %d at once, as many as CPUs", runner_usable_cpus());
	return tell(MISSING, "simulation", "a point of a moment failed with status %d", status);
}

static error_t parse_option(int key, char *argument, struct argp_state *state)
{
	(void)key;
	(void)argument;
	(void)state;
	return ARGP_ERR_UNKNOWN;
}

static const struct argp argp = {
	.parser = parse_option,
	.doc = "Say what zonesim finds here: libraries, programs, data, and whether it can "
	       "simulate; and what is missing, with the command that installs it."
	       "\vThe exit status is 1 when something is missing that is needed. What is not "
	       "needed has a - before it.",
};

static int run(int argc, char **argv)
{
	bool fine = true;

	command_parse(&command_doctor, argc, argv, NULL, NULL);
	tell(FOUND, "zonesim", "%s", ZONESIM_VERSION);
	check_libraries();
	for (size_t i = 0; i < sizeof(programs) / sizeof(programs[0]); i++)
		fine &= check_program(&programs[i]);
	fine &= check_machines();
	fine &= check_scenarios();
	fine &= check_published();
	fine &= check_directory();
	fine &= check_simulation();
	return fine ? EXIT_DONE : EXIT_RUN_FAILED;
}

const struct command command_doctor = {
	.name = "doctor",
	.summary = "say whether all that zonesim needs is here",
	.argp = &argp,
	.run = run,
};
