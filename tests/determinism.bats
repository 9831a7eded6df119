#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-3.0-or-later
# The same point and seed give the same bits, however they are run; and what must hold of any result.

bats_require_minimum_version 1.5.0

# From meson: the program, the same built for debugging, and the directory of machine files.
: "${ZONESIM:?}" "${ZONESIM_DEBUG:?}" "${MODELS:?}"

setup()
{
	cd "$BATS_TEST_TMPDIR"
	cat >small.yaml <<'END'
name: A small one
machine: skylake-2s
kernel: v4.15
patches: [[], [pick-outside-lock]]
workload: {name: page_fault1, region: 2MiB}
tasks: 8
measure: {precision: 5%, time-limit: 20ms}
END
}

# Run program $1 with the arguments that follow; print its document without what the host decides.
results()
{
	program=$1
	shift
	"$program" run small.yaml -q --json "$@" >document || [ $? -eq 3 ]
	grep -q '"mean"' document
	sed '/"host": {/,/}/d' document
}

# The mean of metric $2 in each point of document $1.
means()
{
	grep -A 2 "^ *\"$2\": {" "$1" | sed -n 's/^ *"mean": \([^,]*\),*$/\1/p'
}

@test "the same bits on every run" {
	results "$ZONESIM" >first
	results "$ZONESIM" >second
	results "$ZONESIM" >third
	cmp first second
	cmp first third
}

@test "the same bits however many points run at once" {
	results "$ZONESIM" -j 1 >one
	results "$ZONESIM" -j 2 >two
	cmp one two
}

@test "the same bits when built for debugging" {
	results "$ZONESIM" >release
	results "$ZONESIM_DEBUG" >debug
	cmp release debug
}

@test "the same bits with siblings, both sockets and many waiters" {
	results "$ZONESIM" --set tasks=112 >first
	results "$ZONESIM_DEBUG" --set tasks=112 -j 2 >second
	cmp first second
}

@test "the same bits of every workload" {
	for workload in alloc_free page_fault1_spread page_fault1_threads page_fault2 page_fault3 pft remote_drain; do
		set -- --set workload=$workload --set 'patches=[]' --set tasks=5
		results "$ZONESIM" "$@" >first
		results "$ZONESIM" "$@" >second
		results "$ZONESIM_DEBUG" "$@" >debug
		cmp first second
		cmp first debug
	done
}

@test "other bits with another seed" {
	results "$ZONESIM" --set measure.seed=1 >first
	results "$ZONESIM" --set measure.seed=2 >second
	[ "$(means first score)" != "$(means second score)" ]
}

@test "one task waits for no lock" {
	results "$ZONESIM" --set tasks=1 >one
	[ "$(means one zone_lock_spin_share | sort -u)" = 0.0 ]
	[ "$(means one lru_lock_spin_share | sort -u)" = 0.0 ]
}

@test "the score rises from one task to two to four" {
	results "$ZONESIM" --set patches=[] --set tasks=[1,2,4] >rising
	[ "$(means rising score | wc -l)" -eq 3 ]
	means rising score | sort -gcu
}

@test "8 tasks wait, but not all of their time" {
	results "$ZONESIM" --set patches=[] >eight
	paste <(means eight zone_lock_spin_share) <(means eight lru_lock_spin_share) |
		awk '{ exit !($1 > 0 && $2 > 0 && $1 + $2 < 100) }'
}

# Memory comes in sections of 128 MiB: of 300 MiB on two nodes, 256 MiB can be used. A region of 255 MiB
# fits, but not beside the 500 pages of which page tables take one from the pageset at a time.
@test "out of memory: the run fails, and says so" {
	sed 's/^name: .*/name: tiny/; s/^memory: {value: 64 GiB/memory: {value: 300 MiB/' \
		"$MODELS/skylake-2s.yaml" >tiny.yaml
	tiny="--set machine=./tiny.yaml --set tasks=1 --set patches=[]"
	# shellcheck disable=SC2086
	run --separate-stderr "$ZONESIM" run small.yaml -q --json $tiny \
		--set workload.region=255MiB --set pcp.batch=500
	[ "$status" -eq 1 ]
	printf '%s\n' "$output" | grep -q '"status": "failed"'
	printf '%s\n' "$output" | grep -qE \
		'"failure": "the simulated machine ran out of memory: task 0 has 6[0-9]{4} of 65280 pages"'
	# what can not fit is not even tried
	# shellcheck disable=SC2086
	run --separate-stderr "$ZONESIM" run small.yaml -q $tiny --set workload.region=256MiB
	[ "$status" -eq 2 ]
}
