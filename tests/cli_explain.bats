#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-3.0-or-later
# What a result rests on, and what figures would come nearer to what was published.

bats_require_minimum_version 1.5.0

# From meson: the program, and the directory of machine files.
: "${ZONESIM:?}" "${MODELS:?}"

setup()
{
	cd "$BATS_TEST_TMPDIR"
	# in cycles of a clock that stands still, this is nothing but instructions and atomics
	cat >bench.yaml <<'END'
name: One CPU
machine: broadwell-1s
kernel: v5.13
patches: [bulk-alloc]
workload: {name: page_bench04_bulk, step: 64}
tasks: 1
measure: {precision: 1%, time-limit: 10ms}
END
}

# The value of the effect on the score of figure $1 in the output, without sign and interval.
effect_of()
{
	awk -v figure="$1" '$1 == figure { sub(/^[-+]/, "", $2); print $2 }' <<<"$output"
}

@test "a figure that nothing waits for has no effect, the instructions have nearly all" {
	run "$ZONESIM" explain bench.yaml --figures cpi,dram-local,hand-over -q
	[ "$status" -eq 0 ]
	[[ "$output" == *"no effect seen: dram-local, hand-over"* ]]
	# one percent more per instruction adds at most one percent to the cost
	awk -v effect="$(effect_of cpi)" 'BEGIN { exit !(effect > 0.5 && effect < 1) }'
	[[ "$output" == *"1 % more of          page_cost"* && "$output" == *"  cpi                   +0."* ]]
}

@test "the spread of samples is that of the figures' bounds" {
	run "$ZONESIM" explain bench.yaml --figures none --uncertainty 8 -q
	[ "$status" -eq 0 ]
	[[ "$output" == *"With all figures anywhere within their bounds, 8 samples:"* ]]
	[[ "$output" != *"1 % more of"* ]]
	first="$output"
	run "$ZONESIM" explain bench.yaml --figures none --uncertainty 8 -q -j 1
	[ "$output" = "$first" ]
}

@test "explain as JSON" {
	run "$ZONESIM" explain bench.yaml --figures cpi --step 5 --json -q
	[ "$status" -eq 0 ]
	[[ "$output" == *'"raised_percent": 5.0'* ]]
}

@test "explain keeps its points in a store and goes on from there" {
	"$ZONESIM" explain bench.yaml --figures cpi --db own.db -q >first
	run --separate-stderr "$ZONESIM" explain bench.yaml --figures cpi,pause --db own.db
	[ "$status" -eq 0 ]
	[[ "$stderr" == *"reused"* ]]
	grep -q "cpi  *+0" first
}

@test "an unknown figure is refused" {
	run "$ZONESIM" explain bench.yaml --figures cpi,hand-ower
	[ "$status" -eq 2 ]
	[ "$output" = "zonesim: --figures: unknown figure 'hand-ower': did you mean 'hand-over'?" ]
}

# Of a published cost that is a tenth below the simulated one, the instructions are to blame.
@test "calibrate finds the figure that brings a row to what was published" {
	mkdir -p data/results/published
	ln -s "$MODELS" data/models
	export ZONESIM_DATA="$PWD/data"
	cost=$("$ZONESIM" run bench.yaml --json -q |
		awk '/"page_cost": \{/ { found = 1 } found && /"mean"/ { gsub(/[^0-9.]/, ""); print; exit }')
	published=$(awk -v cost="$cost" 'BEGIN { print 0.9 * cost }')
	cat >data/results/published/own.csv <<END
machine,workload,tasks,kernel,patches,batch,high,parameters,metric,unit,value,change_pct,source
broadwell-1s,page_bench04_bulk,1,v5.13,bulk-alloc,,,step=64,page_cost,cycles,$published,,somebody
END
	run "$ZONESIM" calibrate --fit cpi,pause -q
	[ "$status" -eq 0 ]
	# more than a tenth, since atomics take part, and less than what the prior allows
	awk '$1 == "cpi" { found = 1; exit !($4 < -8 && $4 > -20) } END { if (!found) exit 1 }' <<<"$output"
	[[ "$output" == *"pause "*" +0.0 % "* ]]
}

@test "calibrate refuses what is no figure of these rows" {
	run "$ZONESIM" calibrate --table bulk-steps --fit skylake-2s:cpi
	[ "$status" -eq 2 ]
	[ "$output" = "zonesim: --fit skylake-2s:cpi: no row is of that machine" ]
	run "$ZONESIM" calibrate
	[ "$status" -eq 2 ]
	[[ "$output" == *"--fit is missing"* ]]
}
