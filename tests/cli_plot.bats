#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-3.0-or-later
# Pictures of points in a store. The points are as short as points can be.

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
workload: {name: page_fault1, region: 1MiB}
tasks: 2
measure: {precision: 50%, time-limit: 20ms}
END_OF_SCENARIO
	"$ZONESIM" sweep short.yaml -q --over machine=skylake-1s,broadwell-1s \
		--over pcp.batch=7,15,31,63 --seeds 3 || [ $? -eq 3 ]
	"$ZONESIM" sweep short.yaml -q --db more.db --over tasks=1..4 \
		--over patches=none,pick-outside-lock || [ $? -eq 3 ]
	"$ZONESIM" sweep short.yaml -q --db map.db --over pcp.batch=7,15 --over pcp.high=30,60,90 ||
		[ $? -eq 3 ]
}

setup()
{
	cd "$BATS_FILE_TMPDIR/here"
	command -v gnuplot >/dev/null || skip "no gnuplot here"
	rm -f p.svg
}

# The words of picture $1, one text per line, as they stand in it.
words()
{
	sed -n 's/<[^>]*>//g; s/^[ \t]*//; /./p' "$1"
}

# Does picture $1 have the text $2?
has()
{
	words "$1" | tr '\n' ' ' | grep -qF -e "$2" || { words "$1"; return 1; }
}

# zonesim plot $@ must fail with status 2, say what stands on standard input, and write nothing.
refused()
{
	expected=$(cat)
	run --separate-stderr "$ZONESIM" plot -o p.svg "$@"
	[ "$status" -eq 2 ]
	[ "$stderr" = "$expected" ] || { echo "$stderr"; return 1; }
	[ ! -e p.svg ]
}

@test "lines: a line per machine, with title, unit and source" {
	run --separate-stderr "$ZONESIM" plot -o p.svg
	[ "$status" -eq 0 ]
	[ "$stderr" = "" ]
	for text in "score against pcp.batch" "score, " "pages/s" "pcp.batch" broadwell-1s skylake-1s \
		"Simulated with zonesim 0.1.0, model " "24 points, the first is " \
		"Means of 3 seeds; bands: 95% intervals."; do
		has p.svg "$text"
	done
}

@test "lines: another metric, axis and title" {
	"$ZONESIM" plot machine=skylake-1s seed=1 -m zone_lock_hold_free -x pcp.high -t 'My own' -o p.svg
	has p.svg "My own"
	has p.svg "zone_lock_hold_free, ns"
	has p.svg "pcp.high"
	has p.svg "Bands: 95% intervals of single runs."
}

@test "lines: tasks that differ only because machines do are not the axis" {
	"$ZONESIM" sweep short.yaml -q --db all.db --set tasks=all --over pcp.batch=7,15,31 \
		--over machine=skylake-1s,broadwell-1s || [ $? -eq 3 ]
	"$ZONESIM" plot --db all.db -o p.svg
	has p.svg "score against pcp.batch"
	"$ZONESIM" report --db all.db -o r.html
	# lines, and where CPU time goes on each machine
	[ "$(grep -c '<svg' r.html)" -ge 3 ]
	"$ZONESIM" sweep short.yaml -q --db apart.db --over pcp.batch=7,15 \
		--over patches=none,pick-outside-lock || [ $? -eq 3 ]
	"$ZONESIM" report --db apart.db -o r.html
	# with each set of patches
	[ "$(sed 's/<[^>]*>//g' r.html | grep -c 'CPU time that goes to spinning')" -eq 2 ]
	# where nothing else differs, they are
	"$ZONESIM" plot --db all.db batch=7 -o p.svg
	has p.svg "score against tasks"
}

@test "published figures beside simulated ones" {
	mkdir -p data/results/published
	[ -e data/models ] || ln -s "$MODELS" data/models
	head -n 4 "$MODELS/../results/published/pick-outside-lock.csv" >data/results/published/own.csv
	for batch in 7 15; do
		echo "skylake-1s,page_fault1,2,v4.15,,$batch,,,score,pages/s,1500000,,somebody" \
			>>data/results/published/own.csv
	done
	ZONESIM_DATA=data "$ZONESIM" plot -o p.svg
	has p.svg "published: skylake-1s"
	has p.svg "Published: somebody."
}

@test "spin shares, scaling, a map, times of locks" {
	"$ZONESIM" plot -k spin machine=skylake-1s -o p.svg
	has p.svg "CPU time that goes to spinning, against pcp.batch"
	has p.svg "LRU lock"
	"$ZONESIM" plot -k scaling --db more.db -o p.svg
	has p.svg "Scaling of score with tasks"
	has p.svg "pick-outside-lock"
	has p.svg ideal
	"$ZONESIM" plot -k map --db map.db -o p.svg
	has p.svg "score over pcp.batch and pcp.high"
	"$ZONESIM" plot -k holds machine=skylake-1s seed=1 batch=7 -o p.svg
	has p.svg "How long locks are held"
	"$ZONESIM" plot -k waits --db more.db tasks=4 -o p.svg
	has p.svg "How long locks are waited for"
	has p.svg "zone lock, base"
}

@test "a series that is not there is named" {
	run --separate-stderr "$ZONESIM" plot machine=skylake-1s,skylake-2s,broadwell-1s batch=7..63 -o p.svg
	[ "$status" -eq 0 ]
	[ "$stderr" = "zonesim: no point fits machine=skylake-2s" ]
	run --separate-stderr "$ZONESIM" query machine=skylake-1s seed=2,3 batch=7,8
	[ "$status" -eq 0 ]
	[ "$stderr" = "zonesim: no point fits batch=8" ]
}

@test "a series that failed is named" {
	cp zonesim.db failed.db
	sqlite3 failed.db "UPDATE points SET status = 'failed' WHERE machine = 'broadwell-1s';
		DELETE FROM metrics WHERE point IN (SELECT id FROM points WHERE status = 'failed')"
	"$ZONESIM" plot --db failed.db -o p.svg
	has p.svg "broadwell-1s (failed)"
	has p.svg "FAILED points are missing."
}

@test "what can not be drawn" {
	refused machine=skylake-2s <<'END_OF_TEXT'
zonesim: no point in zonesim.db fits machine=skylake-2s: did you mean 'skylake-1s'?
END_OF_TEXT
	refused batch=7 machine=skylake-1s <<'END_OF_TEXT'
zonesim: nothing to plot against: no number differs between the points; sweep one, or give --x
END_OF_TEXT
	refused -x velocity <<'END_OF_TEXT'
zonesim: nothing to plot: no point has a number 'velocity': see `zonesim query --help`
END_OF_TEXT
	refused -x tsaks <<'END_OF_TEXT'
zonesim: nothing to plot: no point has a number 'tsaks': did you mean 'tasks'?
END_OF_TEXT
	refused -k spin <<'END_OF_TEXT'
zonesim: 2 stacks can not be drawn in one picture: select one, such as 'broadwell-1s' or 'skylake-1s'
END_OF_TEXT
	refused -k holds <<'END_OF_TEXT'
zonesim: 24 points are too many to tell apart: select up to 6
END_OF_TEXT
	refused -k map machine=skylake-1s batch=7 <<'END_OF_TEXT'
zonesim: nothing to map: all points have the same pcp.batch
END_OF_TEXT
	for wrong in "-k lnies" "-y tasks" "-k scaling -x batch" "-k spin -m score" ""; do
		# Unquoted, so that they are several.
		run --separate-stderr "$ZONESIM" plot $wrong ${wrong:+-o p.svg}
		[ "$status" -eq 2 ]
		[ -n "$stderr" ]
		[ ! -e p.svg ]
	done
}

@test "faults of the environment: no gnuplot, no room" {
	mkdir -p empty
	run --separate-stderr env PATH="$PWD/empty" "$ZONESIM" plot -o p.svg
	[ "$status" -eq 1 ]
	[ "$stderr" = "zonesim: gnuplot, which draws the pictures, is not installed: apt-get install gnuplot-nox" ]
	run --separate-stderr "$ZONESIM" plot -o /dev/full
	[ "$status" -eq 1 ]
	[ ! -e p.svg ]
}
