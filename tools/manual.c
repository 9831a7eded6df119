// SPDX-License-Identifier: GPL-3.0-or-later
/*
 * manual.c - the manual page, made of the tables that --help and `zonesim help` are made of.
 */
#include <ctype.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "../results/must.h"
#include "command.h"
#include "manual.h"
#include "topics.h"

/* Put @length characters of @text as they are: what troff would take for its own is escaped. */
static void put_text(FILE *out, const char *text, size_t length)
{
	for (size_t i = 0; i < length; i++) {
		bool first = i == 0 || text[i - 1] == '\n';

		if (first && (text[i] == '.' || text[i] == '\''))
			fputs("\\&", out);
		switch (text[i]) {
		case '\\':
			fputs("\\e", out);
			break;
		case '-':
			fputs("\\-", out);
			break;
		case '`':
			fputs("\\(ga", out);
			break;
		case '\'':
			fputs("\\(aq", out);
			break;
		case '^':
			fputs("\\(ha", out);
			break;
		case '~':
			fputs("\\(ti", out);
			break;
		default:
			fputc(text[i], out);
		}
	}
}

static void put(FILE *out, const char *text)
{
	put_text(out, text, strlen(text));
}

/* Lines as they stand. */
static void put_lines(FILE *out, const char *text, size_t length)
{
	fputs(".nf\n", out);
	put_text(out, text, length);
	fputs(length && text[length - 1] == '\n' ? ".fi\n" : "\n.fi\n", out);
}

/*
 * Text as argp has it: lines that begin with a blank stay as they are, others are filled, and an
 * empty line ends a paragraph.
 */
static void put_paragraphs(FILE *out, const char *text)
{
	while (*text) {
		size_t length = 0;

		if (*text == '\n') {
			fputs(".PP\n", out);
			text += strspn(text, "\n");
			continue;
		}
		if (*text == ' ') {
			while (text[length] == ' ') {
				length += strcspn(text + length, "\n");
				length += text[length] == '\n';
			}
			put_lines(out, text, length);
		} else {
			length = strcspn(text, "\n");
			put_text(out, text, length);
			fputc('\n', out);
			length += text[length] == '\n' && text[length + 1] != '\n';
		}
		text += length;
	}
}

static void put_option(FILE *out, const struct argp_option *o)
{
	fputs(".TP\n", out);
	fprintf(out, "\\fB\\-%c\\fR, \\fB\\-\\-", o->key);
	put(out, o->name);
	fputs("\\fR", out);
	if (o->arg) {
		fputs("=\\fI", out);
		put(out, o->arg);
		fputs("\\fR", out);
	}
	fputc('\n', out);
	put(out, o->doc);
	fputc('\n', out);
}

/* Each form of the arguments in a line of its own. */
static void put_synopsis(FILE *out, const struct command *c)
{
	const char *own = c->argp->args_doc, *forms = own ? own : "";

	do {
		size_t length = strcspn(forms, "\n");

		fprintf(out, ".B zonesim %s\n", c->name);
		put(out, "[OPTION...] ");
		put_text(out, forms, length);
		fputc('\n', out);
		forms += length + (forms[length] == '\n');
		if (*forms)
			fputs(".br\n", out);
	} while (*forms);
}

static void put_command(FILE *out, const struct command *c)
{
	struct argp_option *options = command_options(c);
	const char *doc = c->argp->doc, *after = strchr(doc, '\v');
	char *before = after ? must_format("%.*s", (int)(after - doc), doc) : NULL, *filtered;

	fprintf(out, ".SS %s\n", c->name);
	put_synopsis(out, c);
	fputs(".PP\n", out);
	put_paragraphs(out, before ? before : doc);
	for (const struct argp_option *o = options; o->name; o++)
		put_option(out, o);
	after = after ? after + 1 : "";
	filtered = c->argp->help_filter ? c->argp->help_filter(ARGP_KEY_HELP_POST_DOC, after, NULL)
					: NULL;
	if (filtered ? *filtered : *after)
		fputs(".PP\n", out);
	put_paragraphs(out, filtered ? filtered + strspn(filtered, "\n") : after);
	if (filtered != after)
		free(filtered);
	free(before);
	free(options);
}

static void put_topic(FILE *out, const struct topic *t)
{
	char *text = NULL;
	size_t length = 0;
	FILE *memory = open_memstream(&text, &length);

	fputs(".SH ", out);
	for (const char *c = t->name; *c; c++)
		fputc(*c == '-' ? ' ' : toupper((unsigned char)*c), out);
	fputc('\n', out);
	if (!memory)
		return;
	t->print(memory);
	fclose(memory);
	put_lines(out, text, length);
	free(text);
}

static const char beginning[] =
	".TH ZONESIM 1 \"\" \"zonesim " ZONESIM_VERSION "\" \"User Commands\"\n"
	".SH NAME\n"
	"zonesim \\- what a change to the Linux page allocator does to throughput on a server\n"
	".SH SYNOPSIS\n"
	".B zonesim\n"
	"SUBCOMMAND [OPTION...]\n"
	".SH DESCRIPTION\n"
	"zonesim runs a real page allocator (buddy lists, per\\-CPU pagesets, the zone lock and "
	"the "
	"LRU lock) on simulated machines. Every instruction and every cache miss of that code is "
	"charged in simulated time, so that a patch raises the score only because its code costs "
	"less. A scenario file says what to simulate; results are printed, drawn, compared with "
	"their confidence intervals, and kept in a store.\n"
	".SH SUBCOMMANDS\n"
	"All take \\fB\\-\\-help\\fR, \\fB\\-\\-usage\\fR and \\fB\\-\\-version\\fR.\n";

static const char ending[] =
	".SH ENVIRONMENT\n"
	".TP\n"
	"ZONESIM_DATA\n"
	"Where models/, scenarios/ and results/published/ are, if not where they were installed.\n"
	".TP\n"
	"TERM\n"
	"On a terminal that is not dumb, a line shows how far a run is. There are no colours.\n"
	".SH FILES\n"
	".TP\n"
	"zonesim.db\n"
	"The store, in the working directory unless \\fB\\-\\-db\\fR names another.\n"
	".SH SEE ALSO\n"
	".BR gnuplot (1),\n"
	".BR parallel (1),\n"
	".BR sqlite3 (1)\n";

void manual_print(FILE *out)
{
	fputs(beginning, out);
	for (size_t i = 0; commands[i]; i++)
		put_command(out, commands[i]);
	for (size_t i = 0; i < nr_topics; i++)
		put_topic(out, &topics[i]);
	fputs(ending, out);
}
