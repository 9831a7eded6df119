#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-3.0-or-later
# Comparisons of points in a store. The points are as short as points can be.

bats_require_minimum_version 1.5.0

# From meson: the program, and the directory of machine files.
: "${ZONESIM:?}" "${MODELS:?}"

setup_file()
{
	mkdir "$BATS_FILE_TMPDIR/here"
	cd "$BATS_FILE_TMPDIR/here"
	cat >short.yaml <<'END_OF_SCENARIO'
name: A short one
machine: skylake-1s
kernel: v4.15
workload: {name: pft, region: 1MiB}
measure: {precision: 5%, time-limit: 20ms}
END_OF_SCENARIO
	"$ZONESIM" sweep short.yaml -q --over tasks=1,2 --over pcp.batch=7,31,63 --seeds 5 \
		--over patches=none,pick-outside-lock || [ $? -eq 3 ]
}

setup()
{
	cd "$BATS_FILE_TMPDIR/here"
}

# zonesim $@ must fail with status 2 and say exactly what stands on standard input.
refused()
{
	expected=$(cat)
	run --separate-stderr "$ZONESIM" "$@"
	[ "$status" -eq 2 ]
	[ "$output" = "" ]
	[ "$stderr" = "$expected" ] || { echo "$stderr"; return 1; }
}

@test "base, %change, patched for each configuration, by pairs of seeds" {
	run --separate-stderr "$ZONESIM" compare batch=7 batch=63 -w patches=none
	[ "$status" -eq 0 ]
	[ "$stderr" = "" ]
	[ "${lines[0]}" = "base: batch 7, high 42" ]
	[ "${lines[1]}" = "patched: batch 63, high 378" ]
	[ "${lines[2]} ${lines[3]}" = "both: skylake-1s, v4.15, patches none, pft, region=1MiB, precision 5%,   time-limit 20 ms" ]
	[[ "${lines[5]}" =~ ^tasks\ +base\ +%stddev\ +%change\ +95%\ +patched\ +%stddev\ +metric\ +verdict$ ]]
	[[ "${lines[6]}" =~ ^\ +1\ +[0-9]+\ +±[0-9.]+%\ +[+-][0-9.]+%\ +±[0-9.]+%\ +[0-9]+\ +±[0-9.]+%\ +score ]]
	[[ "${lines[7]}" =~ ^\ +2\ +[0-9]+ ]]
	[[ "$output" == *"rests on pairs of runs with the same seed."* ]]
}

@test "the figures are those of the points" {
	json=$("$ZONESIM" compare batch=7 batch=63 -w 'patches=none tasks=1' --json)
	mean=$(sqlite3 zonesim.db "SELECT printf('%.6f', avg(mean)) FROM points JOIN metrics ON id = point
		WHERE name = 'score' AND batch = 7 AND tasks = 1 AND changes = ''")
	[ "$(printf '%s' "$json" | jq '.groups[0].metrics.score.base.mean * 1000000 | round')" = \
		"$(printf '%s' "$mean" | jq '. * 1000000 | round')" ]
	[ "$(printf '%s' "$json" | jq '.groups[0].metrics.score.base.points | length')" -eq 5 ]
	[ "$(printf '%s' "$json" | jq -r '.groups[0].metrics.score.basis')" = pairs ]
}

@test "seeds of one configuration: no difference seen" {
	run --separate-stderr "$ZONESIM" compare 'seed=1,2' 'seed=3..5' \
		-w 'patches=none batch=7 tasks=1' -m score
	[ "$status" -eq 0 ]
	[ "${lines[0]}" = "base: other seeds" ]
	[[ "$output" == *"score   no difference seen"* ]] ||
		[[ "$output" == *"score   too few rounds to tell"* ]]
}

@test "what has no effect is not seen to have one, what has a large one is" {
	# One task of one socket never waits for the lock that the patch is about.
	run "$ZONESIM" compare patches=none patches=pick-outside-lock -w 'tasks=1 batch=63' --json
	[ "$(printf '%s' "$output" | jq -r '.groups[0].metrics.score.change_pct | . < 2 and . > -2')" = true ]
	run "$ZONESIM" compare batch=7 batch=63 -w 'patches=none tasks=1' -m zone_lock_acquisitions
	[[ "${lines[6]}" =~ -(100|[89][0-9])\.[0-9]+%.*zone_lock_acquisitions$ ]]
}

@test "all metrics, points by fingerprint, Markdown" {
	a=$("$ZONESIM" query 'batch=7 tasks=1 seed=1 patches=none' --csv | tail -1 | cut -c 1-8)
	b=$("$ZONESIM" query 'batch=63 tasks=1 seed=1 patches=none' --csv | tail -1 | cut -c 1-8)
	run --separate-stderr "$ZONESIM" compare "$a" "$b" -m all --markdown
	[ "$status" -eq 0 ]
	[ "${lines[0]}" = "- base: batch 7, high 42" ]
	[ "$(printf '%s\n' "$output" | grep -cE '^\| .*\|$')" -ge 10 ]
	printf '%s\n' "$output" | grep -qE '^\| -+: \| -+: \|'
}

@test "what can not be compared" {
	refused compare batch=7 batch=7 <<'END_OF_TEXT'
zonesim: nothing to compare: the same points are on both sides; narrow one of them, as in patches=none
END_OF_TEXT
	refused compare batch=8 batch=7 <<'END_OF_TEXT'
zonesim: no point in zonesim.db fits batch=8; there are 7, 31, 63
END_OF_TEXT
	refused compare 'batch=7 tasks=1' 'batch=63 tasks=2' -m speed <<'END_OF_TEXT'
zonesim: no selected point has a metric 'speed': see `zonesim help metrics`
END_OF_TEXT
	refused compare 'batch=7,31' 'batch=63' -w 'patches=none tasks=1' <<'END_OF_TEXT'
zonesim: the base has points that differ in pcp.batch, and the other side has none of its values: say which is meant, as in pcp.batch=...
END_OF_TEXT
	run --separate-stderr "$ZONESIM" compare batch=7
	[ "$status" -eq 2 ]
}

@test "points of other models are left out, and that is said" {
	cp zonesim.db mixed.db
	sqlite3 mixed.db "INSERT INTO models VALUES (99, 'older', '0.0.1', '', '');
		UPDATE points SET model = 99, started = '2020-01-01T00:00:00Z' WHERE tasks = 2"
	run --separate-stderr "$ZONESIM" compare batch=7 batch=63 --db mixed.db -w patches=none
	[ "$status" -eq 0 ]
	[[ "$stderr" == *"zonesim: left out 5 points of other models than "*", the newest; model=all takes all"* ]]
	run --separate-stderr "$ZONESIM" compare batch=7 batch=63 --db mixed.db -w 'patches=none model=older'
	[ "$status" -eq 0 ]
	[ "$stderr" = "" ]
	[[ "$output" == *", tasks 2, "* ]]
	run --separate-stderr "$ZONESIM" compare 'batch=7 tasks=1' 'batch=63 tasks=2' --db mixed.db -w patches=none
	[ "$status" -eq 2 ]
	[ "${stderr_lines[1]}" = "zonesim: nothing to compare: the two sides are of different models; with model=all on both they are compared all the same" ]
	run --separate-stderr "$ZONESIM" compare 'batch=7 tasks=1' 'batch=63 tasks=2' --db mixed.db -w 'patches=none model=all'
	[ "$status" -eq 0 ]
	run --separate-stderr "$ZONESIM" query --db mixed.db
	[[ "$output" == *"older"* ]]
}
