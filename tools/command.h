/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * command.h - what all subcommands share.
 */
#ifndef ZONESIM_COMMAND_H
#define ZONESIM_COMMAND_H

#include <argp.h>
#include <jansson.h>

#include "../results/store.h"
#include "../results/suggest.h"
#include "shared_options.h"

/* A subcommand. Each is a file cmd_*.c that ends in one of these. */
struct command {
	const char *name;
	const char *summary;	 /* one line */
	unsigned int takes;	 /* what it shares with others: see enum takes */
	const struct argp *argp; /* what is its own */
	/* @argv[0] is "zonesim NAME". Returns an exit status. */
	int (*run)(int argc, char **argv);
};

extern const struct command command_calibrate, command_compare, command_completion, command_doctor,
	command_explain, command_help, command_list, command_merge, command_new, command_platform,
	command_plot, command_query, command_report, command_run, command_show, command_sweep,
	command_tune, command_validate;

/* All of them, in the order in which help lists them; the end is NULL. */
extern const struct command *const commands[];

/* The one called @name, or NULL. */
const struct command *command_find(const char *name);

/* What to say of a @name that no subcommand has, nor, unless it is NULL, any of @others. */
struct suggestion command_suggest(const char *name, const char *const *others);

/*
 * command_options - the options of @c, those it shares first, an array that ends with zeros. The
 * caller frees it.
 */
struct argp_option *command_options(const struct command *c);

/*
 * command_parse - argp_parse, after refusing unknown long options with the one that was probably
 * meant. Exits with status 2 on wrong usage, and with 0 after --help or --version.
 * @shared: where what @c shares goes; NULL when that is nothing
 * @input: of the parser of its own
 */
void command_parse(const struct command *c, int argc, char **argv, struct shared_arguments *shared,
	void *input);

/* Print @json, indented, to standard output; its reference is stolen. Returns an exit status. */
int command_print_json(json_t *json);

/*
 * command_open_store - open the store @path, to be ended with store_close. Returns NULL after a
 * message, with the exit @status filled; or with EXIT_DONE there when @path is NULL: no store.
 */
struct store *command_open_store(const char *path, enum store_mode mode, int *status);

/* Write down in @store which points @s has. Returns EXIT_DONE, or an exit status after a message.
 */
int command_keep_scenario(struct store *store, const struct scenario *s);

struct error;
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
