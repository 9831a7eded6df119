// SPDX-License-Identifier: GPL-3.0-or-later
/*
 * cmd_help.c - zonesim help: subcommands, and the topics that belong to none.
 */
#include <stdio.h>
#include <string.h>

#include "../models/error.h"
#include "../models/figures.h"
#include "../results/verdict.h"
#include "command.h"
#include "options.h"

static int help_scenario(void)
{
	fputs("A scenario is a YAML file that sets the options below; a dot stands for a level:\n"
	      "pcp.batch is written  pcp: {batch: 31}.  Where one value is expected, a list makes\n"
	      "a point per value; several lists are combined, the last option here varying\n"
	      "fastest. A list of mappings, as in  pcp: [{batch: 31, high: 186}, {batch: 63, "
	      "high:\n"
	      "378}],  makes a point per mapping. A number may be a range of them: 31..511 step "
	      "32,\n1..8, or log 16..4096 x2 in multiples. `zonesim run SCENARIO --set "
	      "pcp.batch=[31,63]`\ntakes the place of what the file says.\n\n",
		stdout);
	return options_print(stdout) < 0 ? EXIT_RUN_FAILED : EXIT_DONE;
}

static int help_marks(void)
{
	fputs("Every figure of a machine carries a mark that says how sure it is:\n\n", stdout);
	for (enum figure_mark mark = FIGURE_VERIFIED; mark <= FIGURE_REMEMBERED; mark++)
		printf("  %-3s %s\n", figure_mark_name(mark), figure_mark_help(mark));
	fputs("\n`zonesim list machines NAME` shows them, with their sources.\n", stdout);
	return EXIT_DONE;
}

static int help_verdicts(void)
{
	return verdict_print_help(stdout) < 0 ? EXIT_RUN_FAILED : EXIT_DONE;
}

static int help_status(void)
{
	printf("%3d  done\n%3d  a run failed; or the environment did: no room, no gnuplot, a "
	       "damaged store\n"
	       "%3d  bad input or usage; nothing was run\n"
	       "%3d  finished, but not as precise as asked within the time limit\n"
	       "%3d  the simulated allocator broke an invariant, or the simulation deadlocked\n"
	       "%3d  interrupted\n\nOf several points, the worst counts.\n",
		EXIT_DONE, EXIT_RUN_FAILED, EXIT_BAD_INPUT, EXIT_NOT_TRUSTED, EXIT_BROKEN,
		EXIT_INTERRUPTED);
	return EXIT_DONE;
}

static const struct topic {
	const char *name, *summary;
	int (*print)(void);
} topics[] = {
	{"scenario", "what a scenario may set", help_scenario},
	{"marks", "how sure the figures of a machine are", help_marks},
	{"verdicts", "how near to published figures is near enough", help_verdicts},
	{"exit-status", "what the exit status says", help_status},
};

#define NR_TOPICS (sizeof(topics) / sizeof(topics[0]))

static int list_topics(void)
{
	fputs("Subcommands (`zonesim help NAME`):\n", stdout);
	for (size_t i = 0; commands[i]; i++)
		printf("  %-12s %s\n", commands[i]->name, commands[i]->summary);
	fputs("\nTopics (`zonesim help NAME`):\n", stdout);
	for (size_t i = 0; i < NR_TOPICS; i++)
		printf("  %-12s %s\n", topics[i].name, topics[i].summary);
	return EXIT_DONE;
}

static int unknown_topic(const char *name)
{
	const char *names[NR_TOPICS + 1] = {NULL};

	for (size_t i = 0; i < NR_TOPICS; i++)
		names[i] = topics[i].name;
	fprintf(stderr, "zonesim: no help on '%.64s'%s\nTry 'zonesim help'.\n", name,
		command_suggest(name, names).text);
	return EXIT_BAD_INPUT;
}

static error_t parse_option(int key, char *argument, struct argp_state *state)
{
	const char **topic = state->input;

	if (key != ARGP_KEY_ARG)
		return ARGP_ERR_UNKNOWN;
	if (*topic)
		argp_error(state, "one topic at a time");
	*topic = argument;
	return 0;
}

static const struct argp argp = {
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
	const char *topic = NULL;

	command_parse(&command_help, argc, argv, NULL, &topic);
	if (!topic)
		return list_topics();
	for (size_t i = 0; i < NR_TOPICS; i++) {
		if (strcmp(topics[i].name, topic) == 0)
			return topics[i].print();
	}
	command = command_find(topic);
	return command ? help_command(command) : unknown_topic(topic);
}

const struct command command_help = {
	.name = "help",
	.summary = "explain a subcommand or a topic",
	.argp = &argp,
	.run = run,
};
