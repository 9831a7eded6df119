#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-3.0-or-later
# A scenario to start from, and scenarios from standard input.

bats_require_minimum_version 1.5.0

# From meson: the program.
: "${ZONESIM:?}"

hasty=(-q --set measure.time-limit=1ms --set measure.precision=50%)

setup()
{
	cd "$BATS_TEST_TMPDIR"
	rm -f ./*
}

# The command $@ must do well; 3 is not as precise as asked, which so short a point need not be.
does_well()
{
	run --separate-stderr "$@"
	[ "$status" -eq 0 ] || [ "$status" -eq 3 ] || { echo "$output$stderr"; return 1; }
}

@test "a new scenario runs as it is" {
	run --separate-stderr "$ZONESIM" new
	[ "$status" -eq 0 ]
	[ "$stderr" = "" ]
	[ "$output" = "scenario.yaml has 2 points: zonesim run scenario.yaml" ]
	# a patch that this release does not have already
	patch=$(sed -n 's/^patches: \[\[\], \[\(.*\)\]\]$/\1/p' scenario.yaml)
	[ -n "$patch" ]
	"$ZONESIM" list kernels | tail -5 | grep -q -- " $patch" && false
	# only made shorter
	does_well "$ZONESIM" run scenario.yaml "${hasty[@]}" --set workload.region=256KiB
	[ -z "$(awk 'length > 80' scenario.yaml)" ]
}

@test "one for each workload, machine and kernel runs" {
	for workload in $("$ZONESIM" list workloads | grep -v '^ '); do
		"$ZONESIM" new -w "$workload" "$workload.yaml"
		region=(--set tasks=2)
		grep -q '^#workload.region' "$workload.yaml" && region+=(--set workload.region=1MiB)
		does_well "$ZONESIM" run "$workload.yaml" "${hasty[@]}" "${region[@]}"
	done
	for kernel in $("$ZONESIM" list kernels | sed -n 's/^\(v[^ ]*\).*/\1/p'); do
		"$ZONESIM" new -k "$kernel" -m icelake-2s "$kernel.yaml"
		grep -qx "kernel: $kernel" "$kernel.yaml"
		grep -qx "machine: icelake-2s" "$kernel.yaml"
		does_well "$ZONESIM" sweep "$kernel.yaml" --dry-run
	done
}

@test "every line that is left out may be put in as it stands" {
	"$ZONESIM" new
	lines=$(grep -c '^#[a-z]' scenario.yaml)
	[ "$lines" -ge 9 ]
	for line in $(seq "$lines"); do
		awk -v n="$line" '/^#[a-z]/ && ++seen == n { sub("#", "") } { print }' scenario.yaml >s.yaml
		# that sysctl is of older kernels
		grep -q '^pcp.percpu-pagelist-fraction' s.yaml && sed -i 's/^kernel: .*/kernel: v4.15/
			s/^patches: .*//' s.yaml
		run --separate-stderr "$ZONESIM" sweep s.yaml --dry-run
		[ "$status" -eq 0 ] || { echo "$stderr"; false; }
	done
}

@test "a file that is there stays as it is" {
	echo mine >mine.yaml
	run --separate-stderr "$ZONESIM" new mine.yaml
	[ "$status" -eq 2 ]
	[ "$output" = "" ]
	[ "$stderr" = "zonesim: mine.yaml is there already, and stays as it is" ]
	[ "$(cat mine.yaml)" = mine ]
	run --separate-stderr "$ZONESIM" new none/mine.yaml
	[ "$status" -eq 2 ]
	[ "$stderr" = "zonesim: can not write none/mine.yaml: No such file or directory" ]
}

@test "a new scenario of what there is not" {
	run --separate-stderr "$ZONESIM" new -m skylake2s
	[ "$status" -eq 2 ]
	[ "$stderr" = "zonesim: unknown machine 'skylake2s': did you mean 'skylake-2s'?" ]
	run --separate-stderr "$ZONESIM" new -k 4.15
	[ "$status" -eq 2 ]
	[ "${stderr_lines[0]}" = "zonesim new: unknown kernel '4.15': did you mean 'v4.15'?" ]
	run --separate-stderr "$ZONESIM" new -w page_falt1
	[ "$status" -eq 2 ]
	[ "${stderr_lines[0]}" = \
		"zonesim new: unknown workload 'page_falt1': did you mean 'page_fault1'?" ]
	[ ! -e scenario.yaml ]
}

@test "a scenario from standard input" {
	"$ZONESIM" new - >s.yaml
	short=("${hasty[@]}" --set workload.region=256KiB --set tasks=2)
	does_well "$ZONESIM" run s.yaml "${short[@]}" --csv
	of_file=$output
	does_well "$ZONESIM" run - "${short[@]}" --csv <s.yaml
	[ "$output" = "$of_file" ]
	# tune reads its scenario more than once
	does_well "$ZONESIM" tune - "${short[@]}" --set patches=[] --vary pcp.batch --budget 6 <s.yaml
	does_well "$ZONESIM" sweep - "${short[@]}" <s.yaml
	does_well "$ZONESIM" query scenario=stdin
	does_well "$ZONESIM" explain - "${short[@]}" --figures cpi <s.yaml
	does_well "$ZONESIM" show - "${hasty[@]}" --set workload.region=256KiB -p 1 <s.yaml
}

# What is piped into `zonesim run -` must be refused with the message $1.
refused_input()
{
	run --separate-stderr "$ZONESIM" run -
	[ "$status" -eq 2 ]
	[ "$output" = "" ]
	[ "${stderr_lines[0]}" = "$1" ] || { echo "$stderr"; return 1; }
}

@test "standard input that is no scenario" {
	refused_input "zonesim: stdin is empty" </dev/null
	printf 'machin: skylake-1s\n' >s.yaml
	refused_input "stdin:1:1: unknown key 'machin': did you mean 'machine'?" <s.yaml
	printf 'machine: \0\n' >s.yaml
	refused_input "zonesim: standard input has a NUL byte: this is not text" <s.yaml
	truncate -s 2M s.yaml
	refused_input "zonesim: standard input is larger than 1 MiB: not a scenario" <s.yaml
	run bash -c '"$ZONESIM" run - <&-'
	[ "$status" -eq 2 ]
	[ "$output" = "zonesim: can not read standard input: Bad file descriptor" ]
}
