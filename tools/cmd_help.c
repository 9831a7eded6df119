// SPDX-License-Identifier: GPL-3.0-or-later
/*
 * cmd_help.c - zonesim help: subcommands, and the topics that belong to none.
 */
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../models/error.h"
#include "../results/must.h"
#include "command.h"
#include "manual.h"
#include "topics.h"

static int list_topics(void)
{
	fputs("Subcommands (`zonesim help NAME`):\n", stdout);
	for (size_t i = 0; commands[i]; i++)
		printf("  %-12s %s\n", commands[i]->name, commands[i]->summary);
	fputs("\nTopics (`zonesim help NAME`):\n", stdout);
	for (size_t i = 0; i < nr_topics; i++)
		printf("  %-12s %s\n", topics[i].name, topics[i].summary);
	return EXIT_DONE;
}

static int unknown_topic(const char *name)
{
	const char **names = must_calloc(nr_topics + 1, sizeof(*names));

	for (size_t i = 0; i < nr_topics; i++)
		names[i] = topics[i].name;
	fprintf(stderr, "zonesim: no help on '%.64s'%s\nTry 'zonesim help'.\n", name,
		command_suggest(name, names).text);
	free(names);
	return EXIT_BAD_INPUT;
}

struct arguments {
	const char *topic;
	bool man;
};

static const struct argp_option options_of_help[] = {
	{"man", 'm', NULL, 0, "Print all of it as a manual page: zonesim help --man | man -l -", 0},
	{0},
};

static error_t parse_option(int key, char *argument, struct argp_state *state)
{
	struct arguments *a = state->input;

	switch (key) {
	case 'm':
		a->man = true;
		return 0;
	case ARGP_KEY_ARG:
		if (a->topic)
			argp_error(state, "one topic at a time");
		a->topic = argument;
		return 0;
	case ARGP_KEY_END:
		if (a->man && a->topic)
			argp_error(state, "--man is about all topics");
		return 0;
	default:
		return ARGP_ERR_UNKNOWN;
	}
}

static const struct argp argp = {
	.options = options_of_help,
	.parser = parse_option,
	.args_doc = "[TOPIC]",
	.doc = "Explain a subcommand or a topic; without one, list them.",
};

static int help_command(const struct command *command)
{
	char program[80], flag[] = "--help", *help[] = {program, flag, NULL};

	snprintf(program, sizeof(program), "zonesim %s", command->name);
	return command->run(2, help);
}

static int run(int argc, char **argv)
{
	const struct command *command;
	struct arguments a = {0};

	command_parse(&command_help, argc, argv, NULL, &a);
	if (a.man) {
		manual_print(stdout);
		return EXIT_DONE;
	}
	if (!a.topic)
		return list_topics();
	for (size_t i = 0; i < nr_topics; i++) {
		if (strcmp(topics[i].name, a.topic) == 0) {
			topics[i].print(stdout);
			return EXIT_DONE;
		}
	}
	command = command_find(a.topic);
	return command ? help_command(command) : unknown_topic(a.topic);
}

const struct command command_help = {
	.name = "help",
	.summary = "explain a subcommand or a topic",
	.argp = &argp,
	.run = run,
};
