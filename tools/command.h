/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * command.h - what all subcommands share.
 */
#ifndef ZONESIM_COMMAND_H
#define ZONESIM_COMMAND_H

#include <argp.h>
#include <jansson.h>

#include "words.h"

/* A subcommand: one entry in the table of zonesim.c, one file cmd_*.c. */
struct command {
	const char *name;
	const char *summary; /* one line */
	/* @argv[0] is "zonesim NAME". Returns an exit status. */
	int (*run)(int argc, char **argv);
};

extern const struct command commands[]; /* ends with a NULL name */

int cmd_run(int argc, char **argv);
int cmd_list(int argc, char **argv);
int cmd_show(int argc, char **argv);
int cmd_calibrate(int argc, char **argv);
int cmd_explain(int argc, char **argv);
int cmd_platform(int argc, char **argv);
int cmd_plot(int argc, char **argv);
int cmd_validate(int argc, char **argv);
int cmd_compare(int argc, char **argv);
int cmd_merge(int argc, char **argv);
int cmd_query(int argc, char **argv);
int cmd_sweep(int argc, char **argv);
int cmd_report(int argc, char **argv);
int cmd_tune(int argc, char **argv);
int cmd_help(int argc, char **argv);

/*
 * command_parse - argp_parse, after refusing unknown long options with the one that was probably
 * meant. Exits with status 2 on wrong usage, and with 0 after --help or --version.
 */
void command_parse(const struct argp *argp, int argc, char **argv, void *input);

/* The number of points to simulate at once; exits with status 2 when @text is not one. */
int command_parse_jobs(const char *text, struct argp_state *state);

/* Print @json, indented, to standard output; its reference is stolen. Returns an exit status. */
int command_print_json(json_t *json);

/* Append @word, which is not copied. The list is freed by the caller. */
void command_add(struct words *words, char *word);

struct error;
struct scenario;
struct store;

/*
 * command_keep_scenario - write down in @store which points @s has. Returns 0, or -1 with @err and
 * the exit @status filled.
 */
int command_keep_scenario(
	struct store *store, const struct scenario *s, int *status, struct error *err);

struct rows;

/*
 * command_load_rows - the points that @select selects, read from @store, with the given metrics.
 * No metric stands for the score, whether there is one or not; "all" for all metrics. Returns 0, or
 * -1 with @err and the exit @status filled.
 */
int command_load_rows(struct rows *rows, struct store *store, const struct words *select,
	const struct words *metrics, int *status, struct error *err);

/* A filter for argp that ends a help text with what a SELECTION is. */
char *command_selection_help(int key, const char *text, void *input);

/*
 * command_load_document - read the JSON document of a run (see results/result.h).
 * Returns a new reference, or NULL with @err filled.
 */
json_t *command_load_document(const char *path, struct error *err);

#endif
