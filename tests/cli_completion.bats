#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-3.0-or-later
# Completion of command lines, by the functions that the shells would call.

bats_require_minimum_version 1.5.0

# From meson: the program.
: "${ZONESIM:?}"

setup()
{
	cd "$BATS_TEST_TMPDIR"
}

# What bash would offer for the line $1, sorted, in one line.
bash_offers()
{
	(
		# shellcheck disable=SC1090
		source <("$ZONESIM" completion bash)
		COMP_LINE=$1
		COMP_POINT=${#1}
		_zonesim "$ZONESIM"
		printf '%s\n' "${COMPREPLY[@]}" | sort | tr '\n' ' '
	)
}

# Bash must offer just $2... for the line $1.
offers()
{
	answer=$(bash_offers "$1")
	shift
	[ "$answer" = "$* " ] || { echo "offered: $answer"; return 1; }
}

@test "subcommands" {
	offers "zonesim s" show sweep
	offers "zonesim he" help
	offers "zonesim x" ""
	[ "$(bash_offers "zonesim " | wc -w)" -eq "$("$ZONESIM" --help | grep -c '^  [a-z]')" ]
}

@test "options, shared and own" {
	offers "zonesim tune scaling --b" --budget=
	offers "zonesim run --s" --set=
	offers "zonesim validate --qui" --quick --quiet
	offers "zonesim merge --" --help
}

@test "scenarios, by name and by file" {
	touch bat.yaml
	offers "zonesim run bat" bat.yaml batch
	offers "zonesim sweep -q --jobs 2 pick" pick-outside-lock
	# one is enough
	offers "zonesim sweep batch pick" ""
}

@test "settings and their values, after a blank as after an equals sign" {
	offers "zonesim run batch --set pcp.b" pcp.batch=
	# bash takes = for the end of a word
	offers "zonesim run batch --set machine=cas" cascadelake-2s
	offers "zonesim run batch --set=machine=cas" cascadelake-2s
	offers "zonesim run batch -s kernel=v4.14" v4.14
	offers "zonesim run batch -s 'patches=[pagevec-15,cl" "[pagevec-15,cluster-alloc"
	offers "zonesim sweep batch --over patches=none,skip" none,skip-merge
	offers "zonesim sweep batch --over tasks=a" all
	offers "zonesim tune batch --vary pcp.h" pcp.high
	mkdir mine
	touch mine/m.yaml
	offers "zonesim run batch -s machine=mine/" mine/m.yaml
}

@test "selections, metrics, figures, tables, kinds of pictures" {
	offers "zonesim query mac" machine=
	offers "zonesim query machine=skylake-1s,sky" skylake-1s,skylake-1s skylake-1s,skylake-2s \
		skylake-1s,skylake-4s
	offers "zonesim compare has=pcp-t" pcp-trylock
	offers "zonesim query --metric lru_lock_s" lru_lock_spin_share
	offers "zonesim explain batch --figures cpi,hand" cpi,hand-over
	offers "zonesim calibrate --fit skylake-1s:cp" cpi
	offers "zonesim validate --table bat" batch-sweep
	offers "zonesim plot -k s" scaling spin
	offers "zonesim plot -x pcp.h" pcp.high
}

@test "files, lists, topics" {
	touch result.json
	offers "zonesim plot res" result.json
	offers "zonesim run batch -o res" result.json
	offers "zonesim run batch --output=res" result.json
	offers "zonesim list ma" machines
	offers "zonesim list machines skylake-1" skylake-1s
	offers "zonesim list kernels sky" ""
	offers "zonesim help exi" exit-status
	offers "zonesim completion z" zsh
}

@test "a line that makes no sense offers nothing" {
	for line in "" "zonesim" "zonesim nonsense " "zonesim run --nonsense x --y=" "zonesim query =" \
		"zonesim run --set =" "zonesim --set "; do
		run --separate-stderr "$ZONESIM" completion --line "$line"
		[ "$status" -eq 0 ]
		[ "$output$stderr" = "" ]
	done
}

@test "zsh gets the same words" {
	command -v zsh >/dev/null || skip "no zsh here"
	"$ZONESIM" completion zsh >_zonesim
	cat >try <<-'END'
		compdef() { registered="$*"; }
		compset() { :; }
		_files() { print -r -- "files"; }
		compadd() { while [ "$1" != -- ]; do shift; done; shift; print -rl -- "$@"; }
		source ./_zonesim
		print -r -- "$registered"
		words=("$ZONESIM" run --set machine=cas) CURRENT=4 PREFIX=machine=cas
		_zonesim
		words=("$ZONESIM" run --se) CURRENT=3 PREFIX=--se
		_zonesim
		words=("$ZONESIM" merge "") CURRENT=3 PREFIX=
		_zonesim
	END
	run --separate-stderr zsh -f ./try
	echo "$output$stderr"
	[ "$(printf '%s\n' "$output" | grep .)" = "_zonesim zonesim
machine=cascadelake-2s
--set=
files" ]
}

@test "which shell?" {
	for words in "" "bash zsh" "fish" "bash --line x"; do
		# Unquoted, so that they are several.
		run --separate-stderr "$ZONESIM" completion $words
		[ "$status" -eq 2 ]
		[ "$output" = "" ]
	done
	run --separate-stderr "$ZONESIM" completion bsh
	[ "${stderr_lines[0]}" = "zonesim completion: no completion for 'bsh': did you mean 'bash'?" ]
}
