// SPDX-License-Identifier: GPL-3.0-or-later
/*
 * cmd_completion.c - zonesim completion: what shells need to complete command lines of zonesim.
 */
#include <stdio.h>
#include <string.h>

#include "../models/error.h"
#include "../results/suggest.h"
#include "command.h"
#include "complete.h"

/* Both ask the program that is being typed, which knows all names. */

static const char bash[] =
	"# Completion of zonesim for bash: source <(zonesim completion bash)\n"
	"_zonesim()\n"
	"{\n"
	"	local line=${COMP_LINE:0:COMP_POINT} answer words=()\n"
	"	local word=${line##*[[:blank:]]}\n"
	"	word=${word//[\\'\\\"]/}\n"
	"	# What bash takes for a word begins after the last of these.\n"
	"	local before=${word%\"${word##*[=:]}\"}\n"
	"\n"
	"	COMPREPLY=()\n"
	"	while IFS= read -r answer; do\n"
	"		if [ \"$answer\" = FILES ]; then\n"
	"			mapfile -t words < <(compgen -f -- \"${word#\"$before\"}\")\n"
	"			[ ${#words[@]} -eq 0 ] || compopt -o filenames 2>/dev/null\n"
	"			COMPREPLY+=(\"${words[@]}\")\n"
	"		else\n"
	"			COMPREPLY+=(\"${answer#\"$before\"}\")\n"
	"		fi\n"
	"	done < <(\"$1\" completion --line \"$line\" 2>/dev/null)\n"
	"	# An option or a key is typed on with its value.\n"
	"	case ${COMPREPLY[*]} in\n"
	"	*=) compopt -o nospace 2>/dev/null ;;\n"
	"	esac\n"
	"}\n"
	"complete -F _zonesim zonesim\n";

static const char zsh[] =
	"#compdef zonesim\n"
	"# Completion of zonesim for zsh: a file _zonesim in $fpath, or\n"
	"# source <(zonesim completion zsh)\n"
	"_zonesim()\n"
	"{\n"
	"	local line=\"${(j: :)words[1,CURRENT-1]} $PREFIX\"\n"
	"	local -a answers\n"
	"\n"
	"	answers=(\"${(@f)$(${~words[1]} completion --line \"$line\" 2>/dev/null)}\")\n"
	"	compadd -S '' -- ${(M)answers:#*=}\n"
	"	compadd -- ${${answers:#*=}:#FILES}\n"
	"	if (( ${answers[(I)FILES]} )); then\n"
	"		compset -P '*='\n"
	"		_files\n"
	"	fi\n"
	"}\n"
	"if [ \"$funcstack[1]\" = _zonesim ]; then\n"
	"	_zonesim \"$@\"\n"
	"else\n"
	"	compdef _zonesim zonesim\n"
	"fi\n";

static const struct shell {
	const char *name, *script;
} shells[] = {
	{"bash", bash},
	{"zsh", zsh},
};

#define NR_SHELLS (sizeof(shells) / sizeof(shells[0]))

struct arguments {
	const struct shell *shell;
	const char *line;
};

static const struct argp_option options_of_completion[] = {
	{"line", 'l', "TEXT", 0,
		"Print what may come next in the command line TEXT, as the scripts ask", 0},
	{0},
};

static void find_shell(struct arguments *a, const char *name, struct argp_state *state)
{
	const char *names[NR_SHELLS + 1] = {NULL};

	for (size_t i = 0; i < NR_SHELLS; i++) {
		names[i] = shells[i].name;
		if (strcmp(shells[i].name, name) == 0)
			a->shell = &shells[i];
	}
	if (!a->shell)
		argp_error(state, "no completion for '%.64s'%s", name,
			suggest(name, names, "bash or zsh").text);
}

static error_t parse_option(int key, char *argument, struct argp_state *state)
{
	struct arguments *a = state->input;

	switch (key) {
	case 'l':
		a->line = argument;
		return 0;
	case ARGP_KEY_ARG:
		if (a->shell)
			argp_error(state, "one shell at a time");
		find_shell(a, argument, state);
		return 0;
	case ARGP_KEY_END:
		if (!a->shell == !a->line)
			argp_error(state, "for which shell? bash or zsh");
		return 0;
	default:
		return ARGP_ERR_UNKNOWN;
	}
}

static const struct argp argp = {
	.options = options_of_completion,
	.parser = parse_option,
	.args_doc = "bash\nzsh",
	.doc = "Print a script by which the shell completes subcommands, options, settings, and "
	       "the names of machines, kernels, patches, workloads, scenarios and metrics."
	       "\v`meson install` puts it where shells look for it. Without that:\n\n"
	       "  source <(zonesim completion bash)",
};

static int run(int argc, char **argv)
{
	struct arguments a = {0};

	command_parse(&command_completion, argc, argv, NULL, &a);
	if (a.shell)
		fputs(a.shell->script, stdout);
	else
		complete(stdout, a.line);
	return EXIT_DONE;
}

const struct command command_completion = {
	.name = "completion",
	.summary = "print what a shell needs to complete commands",
	.argp = &argp,
	.run = run,
};
