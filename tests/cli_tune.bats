#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-3.0-or-later
# The search for settings, and the report. The points are as short as points can be.

bats_require_minimum_version 1.5.0

# From meson: the program, and the directory of machine files.
: "${ZONESIM:?}" "${MODELS:?}"

setup()
{
	mkdir "$BATS_TEST_TMPDIR/here"
	cd "$BATS_TEST_TMPDIR/here"
	cat >short.yaml <<'END_OF_SCENARIO'
name: A short one
machine: skylake-1s
kernel: v4.15
workload: {name: pft, region: 1MiB}
tasks: 2
measure: {precision: 5%, time-limit: 20ms}
END_OF_SCENARIO
}

@test "tune: candidates, the best first; all points are stored, and taken from the store" {
	run --separate-stderr "$ZONESIM" tune short.yaml --vary pcp.batch=8..64 --budget 15 -q
	[ "$status" -eq 0 ]
	[ "$stderr" = "" ]
	[[ "${lines[0]}" == "short.yaml: 15 points, "*" candidates; goal: score - penalty" ]]
	[[ "${lines[1]}" =~ ^pcp.batch\ +goal\ +score\ +worst\ hold\ +seeds\ +note$ ]]
	[[ "${lines[3]}" =~ \ best(, front)?$ ]]
	[ "$("$ZONESIM" query --csv | wc -l)" -eq 16 ]
	first=$output
	run --separate-stderr "$ZONESIM" tune short.yaml --vary pcp.batch=8..64 --budget 15
	[ "$output" = "$first" ]
	# Nothing was simulated.
	[ "$stderr" = "" ]
}

@test "tune: two settings, another goal, JSON" {
	run --separate-stderr "$ZONESIM" tune short.yaml --vary pcp.batch --vary pcp.high=64..512 \
		--goal 'score / 1000 - 2 * worst_hold' --budget 20 -q --json
	[ "$status" -eq 0 ]
	[ "$(printf '%s' "$output" | jq '.points')" -le 20 ]
	[ "$(printf '%s' "$output" | jq '[.candidates[] | select(.best)] | length')" -eq 1 ]
	[ "$(printf '%s' "$output" | jq '[.candidates[].settings | select(.["pcp.high"] < .["pcp.batch"])] | length')" -eq 0 ]
	[ "$(printf '%s' "$output" | jq '.candidates[0] | (.goal - (.score / 1000 - 2 * .worst_hold_us)) | . > -1')" = true ]
}

@test "tune: what will not do" {
	while read -r expected arguments; do
		run --separate-stderr bash -c "'$ZONESIM' tune $arguments -q"
		[ "$status" -eq 2 ] || { echo "$arguments: $status"; return 1; }
		[[ "$stderr" == *"${expected//_/ }"* ]] || { echo "$stderr"; return 1; }
	done <<'END_OF_TEXT'
--vary_is_missing short.yaml
no_option_that_is_a_whole_number short.yaml --vary patches
did_you_mean_'pcp.batch'? short.yaml --vary pcp.bacth=1..2
did_you_mean_'score'? short.yaml --vary pcp.batch --goal scoer --budget 5
say_from_where_to_where short.yaml --vary tasks
the_range_must_begin short.yaml --vary tasks=4..1
is_given_twice short.yaml --vary pcp.batch --vary pcp.batch
expected_a_number_from_5 short.yaml --vary pcp.batch --budget 2
expected_a_number,_a_name short.yaml --vary pcp.batch --goal "score-"
the_points_have_no_metric short.yaml --vary pcp.batch --goal speed --budget 5
comes_to_2_points short.yaml --vary pcp.batch --set patches=[[],[pick-outside-lock]] --budget 5
END_OF_TEXT
}

@test "report: one page with comparison, pictures, points, configuration and provenance" {
	command -v gnuplot >/dev/null || skip "no gnuplot here"
	"$ZONESIM" sweep short.yaml -q --over patches=none,pick-outside-lock --over tasks=1..3 \
		--over pcp.batch=15,31 --set 'name=A <short> & sharp one' || [ $? -eq 3 ]
	run --separate-stderr "$ZONESIM" report -o r.html --title 'A & B <C>'
	[ "$status" -eq 0 ]
	[ "$output$stderr" = "" ]
	for text in '<h1>A &amp; B &lt;C&gt;</h1>' 'Patches compared' 'Pictures' 'Points' 'Configuration' \
		'Provenance' 'no difference seen' "$("$ZONESIM" query --models | cut -c 1-16)" \
		'# --set name=A &lt;short&gt; &amp; sharp one' '@media print' \
		'prefers-color-scheme: dark'; do
		grep -qF "$text" r.html || { echo "no $text"; return 1; }
	done
	[ "$(grep -c '<svg' r.html)" -ge 2 ]
	[ "$(grep -c '^<tr><td class="left">[0-9a-f]\{8\}' r.html)" -eq 12 ]
	# It needs nothing else, and no two things have one name.
	[ "$(grep -oE "(src|href)=['\"][^#]|@import|url\(['\"]?[^#'\"]" r.html | wc -l)" -eq 0 ]
	[ "$(grep -oE "\bid=[\"'][^\"']*" r.html | sort | uniq -d)" = "" ]
	# What refers to a name finds it.
	for name in $(grep -oE "href='#[^']*" r.html | sort -u | cut -d'#' -f2); do
		grep -qE "id=['\"]$name['\"]" r.html
	done
}

@test "report: what will not do" {
	"$ZONESIM" sweep short.yaml -q --over pcp.batch=15,31
	run --separate-stderr "$ZONESIM" report -o r.html machine=skylake-2s
	[ "$status" -eq 2 ]
	[ "$stderr" = "zonesim: no point in zonesim.db fits machine=skylake-2s: did you mean 'skylake-1s'?" ]
	mkdir empty
	run --separate-stderr env PATH="$PWD/empty" "$ZONESIM" report -o r.html
	[ "$status" -eq 1 ]
	[ "$stderr" = "zonesim: gnuplot, which draws the pictures, is not installed: apt-get install gnuplot-nox" ]
	run --separate-stderr "$ZONESIM" report
	[ "$status" -eq 2 ]
	[ ! -e r.html ]
	# A single point has no picture of its own.
	"$ZONESIM" report -o r.html batch=15
	grep -q 'no number differs between the points' r.html || grep -q 'How long locks are held' r.html
}
