// SPDX-License-Identifier: GPL-3.0-or-later
/*
 * complete.c - what may come next on a command line that is being typed.
 */
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "../alloc/kernel.h"
#include "../models/error.h"
#include "../models/figures.h"
#include "../models/paths.h"
#include "../results/chart.h"
#include "../results/must.h"
#include "../results/selection.h"
#include "../sim/workload.h"
#include "cmd_list.h"
#include "command.h"
#include "complete.h"
#include "options.h"
#include "topics.h"

struct completion {
	FILE *out;
	const char *word; /* that is being typed; what stands before the part to complete stays */
	size_t kept;	  /* characters of it that stay: "--set=", "machine=", "cpi," */
};

/* The word with its kept part and @name, if it goes on to be that. */
static void offer(const struct completion *c, const char *name, const char *suffix)
{
	const char *typed = c->word + c->kept;

	if (strncmp(name, typed, strlen(typed)) == 0)
		fprintf(c->out, "%.*s%s%s\n", (int)c->kept, c->word, name, suffix);
}

/* The same, of which also the part up to the last of @separators is kept. */
static struct completion after_last(const struct completion *c, const char *separators)
{
	struct completion inner = *c;

	for (size_t i = c->kept; c->word[i]; i++) {
		if (strchr(separators, c->word[i]))
			inner.kept = i + 1;
	}
	return inner;
}

/*
 * Names
 */

static void offer_files(const struct completion *c)
{
	fputs("FILES\n", c->out);
}

/* The @count names, which are freed; negative: there are none. */
static void offer_names(const struct completion *c, char **names, int count)
{
	for (int i = 0; i < count; i++)
		offer(c, names[i], "");
	if (count >= 0)
		names_free(names, count);
}

static void offer_data(const struct completion *c, const char *kind, const char *suffix)
{
	struct error unused;
	char **names;
	int count = data_list(kind, suffix, &names, &unused);

	offer_names(c, names, count);
}

static void offer_machines(const struct completion *c)
{
	struct error unused;
	char **names;
	int count = machine_list(&names, &unused);

	offer_names(c, names, count);
	/* or the path of one */
	if (strchr(c->word + c->kept, '/'))
		offer_files(c);
}

static void offer_scenarios(const struct completion *c)
{
	offer_data(c, "scenarios", ".yaml");
	offer_files(c);
}

static void offer_tables(const struct completion *c)
{
	offer_data(c, "results/published", ".csv");
}

static void offer_kernels(const struct completion *c)
{
	for (size_t i = 0; i < nr_kernels; i++)
		offer(c, kernels[i].name, "");
}

static void offer_workloads(const struct completion *c)
{
	for (size_t i = 0; workloads[i]; i++)
		offer(c, workloads[i]->name, "");
}

static void offer_patches(const struct completion *c)
{
	for (int i = 0; i < NR_PATCHES; i++)
		offer(c, patches[i].name, "");
}

static void offer_metrics(const struct completion *c)
{
	offer(c, "all", "");
	offer(c, "score", "");
	for (const struct common_metric *m = common_metrics; m->name; m++)
		offer(c, m->name, "");
	for (size_t i = 0; workloads[i]; i++) {
		const struct workload_metric *m = workloads[i]->metrics;

		for (; m && m->name; m++)
			offer(c, m->name, "");
	}
}

static void offer_figures(const struct completion *c)
{
	struct completion last = after_last(c, ",:");

	for (size_t i = 0; i < nr_machine_figures; i++) {
		if (machine_figures[i].role == FIGURE_CHARGED)
			offer(&last, machine_figures[i].key, "");
	}
	for (size_t i = 0; i < nr_coefficient_figures; i++)
		offer(&last, coefficient_figures[i].key, "");
}

static void offer_kinds(const struct completion *c)
{
	for (const struct chart_kind *kind = chart_kinds; kind->name; kind++)
		offer(c, kind->name, "");
}

static void offer_keys(const struct completion *c)
{
	for (const struct selection_key *key = selection_keys; key->name; key++)
		offer(c, key->name, "");
}

/*
 * Settings: KEY=VALUE
 */

/* The values of what is called @key, where they have names. */
static void offer_values(const struct completion *c, const char *key)
{
	static const struct {
		const char *key;
		void (*offer)(const struct completion *c);
	} named[] = {
		{"machine", offer_machines},
		{"kernel", offer_kernels},
		{"workload", offer_workloads},
		{"patches", offer_patches},
		{"has", offer_patches},
	};
	struct completion last = after_last(c, "=,+[");

	for (size_t i = 0; i < sizeof(named) / sizeof(named[0]); i++) {
		if (strcmp(named[i].key, key) == 0)
			named[i].offer(&last);
	}
	if (strcmp(key, "tasks") == 0)
		offer(&last, "all", "");
}

/* The key of a word that has got to its value; NULL when it has not. The caller frees it. */
static char *key_of(const struct completion *c)
{
	const char *key = c->word + c->kept, *equals = strchr(key, '=');

	return equals ? must_format("%.*s", (int)(equals - key), key) : NULL;
}

static void offer_settings(const struct completion *c)
{
	char *key = key_of(c);
	size_t count;
	const struct scenario_option *all = options(&count);

	if (key)
		offer_values(c, key);
	for (size_t i = 0; !key && i < count; i++)
		offer(c, all[i].path, "=");
	free(key);
}

static void offer_selections(const struct completion *c)
{
	char *key = key_of(c);

	if (key)
		offer_values(c, key);
	for (const struct selection_key *k = selection_keys; !key && k->name; k++)
		offer(c, k->name, "=");
	if (!key)
		offer_data(c, "scenarios", ".yaml");
	free(key);
}

/* What tune looks for: whole numbers. */
static void offer_numbers(const struct completion *c)
{
	size_t count;
	const struct scenario_option *all = options(&count);

	for (size_t i = 0; i < count; i++) {
		if (option_is_number(&all[i]))
			offer(c, all[i].path, "");
	}
}

/*
 * Arguments of options
 */

static const struct {
	const char *option, *arg; /* NULL: any */
	void (*offer)(const struct completion *c);
} arguments[] = {
	{NULL, "FILE", offer_files},
	{NULL, "PATH=VALUE", offer_settings},
	{NULL, "PATH=VALUES", offer_settings},
	{NULL, "PATH[=FROM..TO]", offer_numbers},
	{NULL, "SELECTION", offer_selections},
	{NULL, "LIST", offer_figures},
	{NULL, "KIND", offer_kinds},
	{NULL, "KEY", offer_keys},
	{"metric", "NAME", offer_metrics},
	{"machine", "NAME", offer_machines},
	{"workload", "NAME", offer_workloads},
	{"kernel", "NAME", offer_kernels},
	{"table", "NAME", offer_tables},
};

static void offer_argument(const struct completion *c, const struct argp_option *o)
{
	for (size_t i = 0; i < sizeof(arguments) / sizeof(arguments[0]); i++) {
		if (strcmp(arguments[i].arg, o->arg) == 0 &&
			(!arguments[i].option || strcmp(arguments[i].option, o->name) == 0))
			arguments[i].offer(c);
	}
}

/* The option with an argument that @word is, with nothing behind it; or NULL. */
static const struct argp_option *open_option(const struct argp_option *options, const char *word)
{
	for (; options->name; options++) {
		bool is_long = strncmp(word, "--", 2) == 0 && strcmp(word + 2, options->name) == 0;

		if (options->arg &&
			(is_long || (word[0] == '-' && word[1] == options->key && !word[2])))
			return options;
	}
	return NULL;
}

/* "--option", or "--option=argument". */
static void offer_options(const struct completion *c, const struct argp_option *options)
{
	const char *equals = strchr(c->word, '=');
	struct completion value = {c->out, c->word, 0};

	for (const struct argp_option *o = options; o->name; o++) {
		char *name = must_format("--%s", o->name);
		size_t length = strlen(name);

		if (!equals) {
			offer(c, name, o->arg ? "=" : "");
		} else if (o->arg && (size_t)(equals - c->word) == length &&
			   strncmp(c->word, name, length) == 0) {
			value.kept = length + 1;
			offer_argument(&value, o);
		}
		free(name);
	}
	if (!equals)
		offer(c, "--help", "");
}

/*
 * Arguments of subcommands
 */

static void offer_topics(const struct completion *c)
{
	for (size_t i = 0; commands[i]; i++)
		offer(c, commands[i]->name, "");
	for (size_t i = 0; i < nr_topics; i++)
		offer(c, topics[i].name, "");
}

static void offer_lists(const struct completion *c)
{
	for (size_t i = 0; list_kind(i); i++)
		offer(c, list_kind(i), "");
}

static void offer_shells(const struct completion *c)
{
	offer(c, "bash", "");
	offer(c, "zsh", "");
}

/* Of those that share none of theirs. */
static const struct {
	const char *command;
	const char *after; /* this operand; "": as the first; NULL: anywhere */
	void (*offer)(const struct completion *c);
} operands[] = {
	{"show", "", offer_scenarios},
	{"plot", NULL, offer_files},
	{"compare", NULL, offer_selections},
	{"merge", NULL, offer_files},
	{"new", "", offer_files},
	{"platform", "", offer_machines},
	{"list", "", offer_lists},
	{"list", "machines", offer_machines},
	{"help", "", offer_topics},
	{"completion", "", offer_shells},
};

/* @before: the operand before, or "" */
static void offer_operands(
	const struct completion *c, const struct command *command, const char *before)
{
	if ((command->takes & TAKES_SCENARIO) && !*before)
		offer_scenarios(c);
	if (command->takes & TAKES_SELECTION)
		offer_selections(c);
	for (size_t i = 0; i < sizeof(operands) / sizeof(operands[0]); i++) {
		if (strcmp(operands[i].command, command->name) == 0 &&
			(!operands[i].after || strcmp(operands[i].after, before) == 0))
			operands[i].offer(c);
	}
}

/* @words: those of the line, from the subcommand on; the last is being typed. */
static void complete_command(const struct completion *c, const struct words *words)
{
	const struct command *command = command_find(words->list[0]);
	struct argp_option *options = command ? command_options(command) : NULL;
	const struct argp_option *open = NULL;
	const char *before = "";

	if (!command)
		return;
	for (size_t i = 1; i + 1 < words->nr; i++) {
		const char *word = words->list[i];
		bool is_argument = open != NULL;

		open = is_argument ? NULL : open_option(options, word);
		if (!is_argument && word[0] != '-')
			before = word;
	}
	if (open)
		offer_argument(c, open);
	else if (c->word[0] == '-')
		offer_options(c, options);
	else
		offer_operands(c, command, before);
	free(options);
}

/* Cut @text at blanks. Quotes are left out: nothing that is completed has any. */
static void split_line(struct words *words, char *text)
{
	char *to = text;

	words_add(words, text);
	for (const char *from = text; *from; from++) {
		if (*from == ' ' || *from == '\t') {
			*to++ = '\0';
			if (*words->list[words->nr - 1] == '\0')
				words->nr--;
			words_add(words, to);
		} else if (!strchr("'\"\\", *from)) {
			*to++ = *from;
		}
	}
	*to = '\0';
}

void complete(FILE *out, const char *line)
{
	char *text = must_format("%s", line);
	struct words words = {0};
	struct completion c = {.out = out};

	split_line(&words, text);
	c.word = words.list[words.nr - 1];
	if (words.nr == 2 && c.word[0] == '-') {
		offer(&c, "--help", "");
		offer(&c, "--version", "");
	} else if (words.nr == 2) {
		for (size_t i = 0; commands[i]; i++)
			offer(&c, commands[i]->name, "");
	} else if (words.nr > 2) {
		struct words rest = {words.list + 1, words.nr - 1};

		complete_command(&c, &rest);
	}
	free(words.list);
	free(text);
}
