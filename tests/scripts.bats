#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-3.0-or-later
# The scripts, as far as they can be tried without installing anything.

bats_require_minimum_version 1.5.0

# From meson: the directory of the scripts, the program, and the directory of machine files.
: "${TOOLS:?}" "${ZONESIM:?}" "${MODELS:?}"

setup()
{
	cd "$BATS_TEST_TMPDIR"
	own_path=$PATH
}

teardown()
{
	PATH=$own_path
}

# Begin test $1 of a log as meson writes it, with result $2; what it printed is read from stdin.
log_test()
{
	printf '==================================== %s/9 ====================================\n' "$1"
	printf 'test:         some\nresult:       %s\n' "$2"
	printf -- '----------------------------------- stdout -----------------------------------\n'
	cat
	printf '==============================================================================\n\n'
}

counts()
{
	awk -f "$TOOLS/count-tests.awk" log
}

# A package manager that knows the packages $2..., for user number $1.
fake_system()
{
	mkdir -p bin
	printf '#!/bin/sh\necho %s\n' "$1" >bin/id
	shift
	cat >bin/dpkg-query <<END
#!/bin/sh
for last; do :; done
case " $* " in
*" \$last "*) printf installed ;;
*) exit 1 ;;
esac
END
	printf '#!/bin/sh\necho "apt-get $*" >>calls\n' >bin/apt-get
	chmod +x bin/*
	PATH="$PWD/bin"
}

@test "counting: every case of a test counts" {
	printf '1..3\nok 1 - a\nnot ok 2 - b\nok 3 c\n' | log_test 1 'exit status 1' >log
	printf 'ok 1 - d\n' | log_test 2 'exit status 0' >>log
	[ "$(counts)" = "3 1" ]
}

@test "counting: a test without cases counts as one" {
	printf 'nothing in particular\n' | log_test 1 'exit status 0' >log
	printf 'nothing in particular\n' | log_test 2 'exit status 2' >>log
	[ "$(counts)" = "1 1" ]
}

@test "counting: a crash after good cases is a failure" {
	printf 'ok 1 - a\n' | log_test 1 'killed by signal 11 SIGSEGV' >log
	[ "$(counts)" = "1 1" ]
}

@test "counting: what is skipped has not passed" {
	printf 'ok 1 - a # SKIP no gnuplot\nok 2 - b\n' | log_test 1 'exit status 0' >log
	printf '' | log_test 2 'exit status 77' >>log
	[ "$(counts)" = "1 0" ]
}

@test "counting: no log, no tests" {
	: >log
	[ "$(counts)" = "0 0" ]
}

@test "set-up: only what is missing is named" {
	. "$TOOLS/setup.sh"
	fake_system 0 gcc meson
	[ "$(missing_packages gcc meson)" = "" ]
	[ "$(missing_packages gcc bats meson gnuplot-nox)" = "bats gnuplot-nox" ]
}

@test "set-up: nothing is installed where nothing is missing" {
	. "$TOOLS/setup.sh"
	fake_system 1000 gcc meson
	install_missing gcc meson
	[ ! -e calls ]
}

@test "set-up: without root and sudo, the command to ask root for" {
	. "$TOOLS/setup.sh"
	fake_system 1000 gcc
	run install_missing gcc bats
	[ "$status" -eq 1 ]
	[[ "$output" == *"apt-get update && apt-get install --no-install-recommends bats" ]]
}

# What hash-sources makes of folder $1 and compiler $2.
hash_of()
{
	"$TOOLS/hash-sources" hash.h hash.d "$2" "$1"
	cat hash.h
}

@test "hashing: the same for the same code and compiler, wherever it lies" {
	mkdir -p one 'an other'
	echo 'int a;' | tee one/a.c >'an other/a.c'
	echo 'notes' >one/README
	expected=$(hash_of one gcc)
	[[ "$expected" =~ ^'#define ZONESIM_SOURCES "'[0-9a-f]{32}'"'$ ]]
	[ "$(cat hash.d)" = 'hash.h: one/a.c' ]
	[ "$(hash_of 'an other' gcc)" = "$expected" ]
	[ "$(cat hash.d)" = 'hash.h: an\ other/a.c' ]
	[ "$(hash_of one gcc-13)" != "$expected" ]
	echo 'int b;' >one/b.h
	[ "$(hash_of one gcc)" != "$expected" ]
}

# A published table of one task, which takes a second, and a README with the lines $@.
fake_project()
{
	mkdir -p data/results/published docs
	ln -sfn "$MODELS" data/models
	export ZONESIM_DATA="$PWD/data" UPDATE_ROOT="$PWD"
	printf '%s\n' machine,workload,tasks,kernel,patches,batch,high,parameters,metric,unit,value,change_pct,source \
		"skylake-2s,page_fault1,1,v4.15,inline-rmqueue,31,186,,score,pages/s,1000,,\"Some One, 'mm: do less', 2020\"" \
		"skylake-2s,page_fault1,1,v4.15,inline-rmqueue pick-outside-lock,31,186,,score,pages/s,1000,-0.9,\"Some One, 'mm: do less', 2020\"" \
		>data/results/published/own.csv
	printf '## What does not fit\n\n- this\n' >docs/validation-notes.md
	{
		echo before
		printf '%s\n' "$@"
		echo after
	} >README.md
}

update()
{
	run --separate-stderr "$TOOLS/update-readme" "$@"
}

@test "update-readme: the table goes between the markers, the rest stays" {
	fake_project '<!-- validate --changes -->' 'old' '<!-- end -->'
	"$ZONESIM" validate --quick -q -j 1 --db r.db >/dev/null || [ $? -eq 1 ]
	update r.db --quick -j 1
	[ "$status" -eq 0 ]
	# Nothing is simulated.
	[ "$(printf '%s\n' "$stderr" | grep -vc ' (reused)$')" -eq 0 ]
	[ "$(sed -n '1,2p' README.md)" = "before
<!-- validate --changes -->" ]
	[ "$(tail -n 2 README.md)" = "<!-- end -->
after" ]
	grep -qE '^\| do less, 2020 \| skylake-2s \| page_fault1, 1 task: pages/s \| +-0.90 % \| ' README.md
	run ! grep -qx old README.md
	cp README.md first
	update r.db --quick -q
	[ "$status" -eq 0 ]
	cmp README.md first
}

@test "update-readme: the page of all tables has a head, the notes and the tables" {
	fake_project '<!-- validate --changes -->' '<!-- end -->'
	"$ZONESIM" validate --quick -q -j 1 --db r.db >/dev/null || [ $? -eq 1 ]
	update r.db --quick -q
	[ "$status" -eq 0 ]
	[ "$(grep -E '^#' docs/VALIDATION.md)" = "# Published and simulated
## What does not fit
## The tables
### own
### Summary" ]
	grep -qx -e '    zonesim validate --markdown --quick -q' docs/VALIDATION.md
	grep -qx -e '- this' docs/VALIDATION.md
	[ "$(cat docs/validation-notes.md)" = "## What does not fit

- this" ]
}

@test "update-readme: what will not do changes no file" {
	fake_project '<!-- validate --changes -->' 'old'
	cp README.md first
	: >r.db
	for arguments in "" "nowhere.db" "r.db --no-such-option" "r.db --quick -q"; do
		# Unquoted, so that they are several.
		update $arguments
		[ "$status" -ne 0 ]
		[ -n "$stderr" ]
		cmp README.md first
		[ ! -e docs/VALIDATION.md ]
	done
	fake_project 'no marker'
	update r.db --quick -q
	[ "$status" -eq 1 ]
	[ "$stderr" = "update-readme: README.md must have one line <!-- validate --changes -->" ]
}

@test "update-readme: the README has its markers" {
	for marker in '<!-- validate --changes -->' '<!-- end -->'; do
		[ "$(grep -cxF -e "$marker" "$TOOLS/../README.md")" -eq 1 ]
	done
}
