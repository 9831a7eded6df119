#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-3.0-or-later
# What zonesim finds where it is.

bats_require_minimum_version 1.5.0

# From meson: the program, and the directory of machine files.
: "${ZONESIM:?}" "${MODELS:?}"

setup()
{
	cd "$BATS_TEST_TMPDIR"
	own_path=$PATH
	mkdir -p bin data/results
	ln -sfn "$(command -v sh)" bin/sh
	printf '#!/bin/sh\necho gnuplot 5.4\n' >bin/gnuplot
	chmod +x bin/gnuplot
	ln -sfn "$MODELS" data/models
	ln -sfn "$MODELS/../scenarios" data/scenarios
	ln -sfn "$MODELS/../results/published" data/results/published
}

# With no programs but those in bin, and with the data in data.
doctor()
{
	run --separate-stderr env PATH="$PWD/bin" ZONESIM_DATA=data "$ZONESIM" doctor
	[ "$stderr" = "" ]
}

# Is there a line of output, taken together where it goes on below, from $1 to $2?
says()
{
	printf '%s\n' "$output" | tr -s ' ' | tr '\n' '@' | sed 's/@ / /g' | tr '@' '\n' | grep -q "^$1.*$2\$" || { echo "$output"; return 1; }
}

@test "all that is needed is here" {
	doctor
	[ "$status" -eq 0 ]
	says "ok zonesim" "0.1.0"
	for library in SimGrid GSL SQLite jansson libyaml; do
		says "ok $library [0-9]" ""
	done
	says "ok gnuplot gnuplot 5.4" ""
	says "ok machines 8 in data/models" ""
	says "ok scenarios 7 in data/scenarios" ""
	says "ok published [0-9]* figures in data/results/published" ""
	says "ok directory $PWD can be written to" ""
	says "ok simulation" "CPUs"
	says "- parallel for tools/sweep-parallel" "apt-get install parallel"
	says "- sbatch for tools/sweep-slurm" "apt-get install slurm-client"
}

@test "no gnuplot, and one that does not start" {
	rm bin/gnuplot
	doctor
	[ "$status" -eq 1 ]
	says "MISSING gnuplot draws" "apt-get install gnuplot-nox"
	printf '#!/bin/sh\nexit 3\n' >bin/gnuplot
	chmod +x bin/gnuplot
	doctor
	[ "$status" -eq 1 ]
	says "MISSING gnuplot" "it is installed, but .gnuplot --version. fails"
}

@test "no data, or data that is not right" {
	rm data/scenarios
	doctor
	[ "$status" -eq 1 ]
	says "MISSING scenarios" "No such file or directory"
	mkdir data/scenarios
	doctor
	[ "$status" -eq 1 ]
	says "MISSING scenarios" "data/scenarios"
	echo "machine: none" >data/scenarios/s.yaml
	doctor
	[ "$status" -eq 1 ]
	says "MISSING scenarios" "data/scenarios/s.yaml:1:10: unknown machine .none.: see .*"
	rm data/models
	doctor
	[ "$status" -eq 1 ]
	says "MISSING machines" ""
	says "MISSING simulation" ""
}

@test "a directory that can not be written to" {
	[ "$(id -u)" -ne 0 ] || skip "root writes everywhere"
	mkdir closed
	chmod 500 closed
	run env -C closed "$ZONESIM" doctor
	[ "$status" -eq 1 ]
	says "MISSING directory" ""
}

@test "doctor takes no arguments" {
	run --separate-stderr "$ZONESIM" doctor me
	[ "$status" -eq 2 ]
	[ "$output" = "" ]
}
