#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-3.0-or-later
# Sweeps, and what the store has of them. The points are as short as points can be.

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
workload: {name: page_fault1, region: 1MiB}
tasks: 1
measure: {precision: 50%, time-limit: 20ms}
END_OF_SCENARIO
}

# A point that takes minutes.
long="--set machine=skylake-2s --set tasks=112 --set workload.region=128MiB --set measure.precision=0.01%"

# zonesim $@ must fail with status 2 and say exactly what stands on standard input.
refused()
{
	expected=$(cat)
	run --separate-stderr "$ZONESIM" "$@"
	[ "$status" -eq 2 ]
	[ "$output" = "" ]
	[ "$stderr" = "$expected" ] || { echo "$stderr"; return 1; }
}

# Wait until the store has $1 points; it may not be there yet.
points_stored()
{
	for _ in $(seq 200); do
		[ "$("$ZONESIM" query --csv 2>/dev/null | wc -l)" -gt "$1" ] && return 0
		sleep 0.05
	done
	return 1
}

# The batches of the dry run of a sweep with $@.
planned()
{
	"$ZONESIM" sweep short.yaml --dry-run "$@" | sed -n 's/.*batch \([0-9]*\),.*/\1/p' | tr '\n' ' '
}

@test "lists, ranges and multiples" {
	[ "$(planned --over pcp.batch=31,63)" = "31 63 " ]
	[ "$(planned --over pcp.batch=31..34)" = "31 32 33 34 " ]
	[ "$(planned --over 'pcp.batch=31..130 step 32')" = "31 63 95 127 " ]
	[ "$(planned --over 'pcp.batch=log 16..100 x2,99')" = "16 32 64 99 " ]
	[ "$(planned --over pcp.batch=[31,63])" = "31 63 " ]
	[ "$(planned --set 'pcp.batch=15..17')" = "15 16 17 " ]
}

@test "a range in a scenario file" {
	echo 'pcp: {batch: 31..95 step 32}' >>short.yaml
	[ "$(planned)" = "31 63 95 " ]
	sed -i '$d' short.yaml
	echo 'pcp: {batch: [7, log 8..32 x2]}' >>short.yaml
	[ "$(planned)" = "7 8 16 32 " ]
}

@test "all combinations, or side by side with --zip" {
	run "$ZONESIM" sweep short.yaml --dry-run --over pcp.batch=31,63 --over tasks=1..3
	[ "$(printf '%s\n' "$output" | grep -c 'task')" -eq 6 ]
	run "$ZONESIM" sweep short.yaml --dry-run --zip --over pcp.batch=31,63 --over tasks=1,2
	[ "${lines[0]#*  }" = "skylake-1s v4.15 page_fault1, 1 task, region 1 MiB, batch 31, seed 1: time not known" ]
	[ "${lines[1]#*  }" = "skylake-1s v4.15 page_fault1, 2 tasks, region 1 MiB, batch 63, seed 1: time not known" ]
	[ "${lines[2]}" = "2 points, 0 stored; no stored point tells how long the others take" ]
	[ ! -e zonesim.db ]
}

@test "sets of patches, and the same seeds for each" {
	run "$ZONESIM" sweep short.yaml --dry-run --seeds 2 \
		--over patches=none,pick-outside-lock,pick-outside-lock+inline-rmqueue
	[ "$(printf '%s\n' "$output" | grep -c 'v4.15 page_fault1.*seed [12]: ')" -eq 2 ]
	[ "$(printf '%s\n' "$output" | grep -c '+pick-outside-lock page_fault1')" -eq 2 ]
	[ "$(printf '%s\n' "$output" | grep -c '+pick-outside-lock +inline-rmqueue')" -eq 2 ]
}

@test "high follows a batch that is swept, also where a file has pairs of both" {
	echo 'pcp: [{batch: 31, high: 186}, {batch: 63, high: 378}]' >>short.yaml
	"$ZONESIM" sweep short.yaml -q --over pcp.batch=20,40
	run "$ZONESIM" query --csv
	[ "$(printf '%s\n' "$output" | cut -d, -f16-17 | tail -n +2 | tr '\n' ' ')" = "20,120 40,240 " ] ||
		{ echo "$output"; return 1; }
}

@test "values that will not do" {
	refused sweep short.yaml --over pcp.batch=31..7 <<'END_OF_TEXT'
--over:1:12: pcp.batch: '31..7': the range ends before it begins
    pcp.batch=[31..7]
               ^
END_OF_TEXT
	refused sweep short.yaml --over 'pcp.batch=8..64 step 0' <<'END_OF_TEXT'
--over:1:12: pcp.batch: '8..64 step 0': the step must be above 0
    pcp.batch=[8..64 step 0]
               ^
END_OF_TEXT
	refused sweep short.yaml --over 'pcp.batch=log 8..64' <<'END_OF_TEXT'
--over:1:12: pcp.batch: 'log 8..64': expected a range such as log 16..4096 x2
    pcp.batch=[log 8..64]
               ^
END_OF_TEXT
	refused sweep short.yaml --over pcp.batch=0..2 <<'END_OF_TEXT'
--over:1:12: pcp.batch: 0 is out of bounds: 1 to 1048576
    pcp.batch=[0..2]
               ^
END_OF_TEXT
	refused sweep short.yaml --over pcp.batch=31,30..32 <<'END_OF_TEXT'
--over:1:16: pcp.batch: 31 is listed twice
    pcp.batch=[31, 30..32]
                   ^
END_OF_TEXT
	refused sweep short.yaml --over pcp.batsh=31 <<'END_OF_TEXT'
--over:1:1: unknown option 'pcp.batsh': did you mean 'pcp.batch'?
    pcp.batsh=[31]
    ^
END_OF_TEXT
	refused sweep short.yaml --over pcp.batch <<'END_OF_TEXT'
zonesim: --over pcp.batch: expected path=value, as in pcp.batch=31,63
END_OF_TEXT
	refused sweep short.yaml --zip --over pcp.batch=31,63 --over tasks=1,2,3 <<'END_OF_TEXT'
zonesim: --zip: pcp.batch has 2 values and tasks has 3: give as many of both
END_OF_TEXT
	run --separate-stderr "$ZONESIM" sweep short.yaml --shard 3/2
	[ "$status" -eq 2 ]
	[[ "$stderr" == *"--shard 3/2: expected I/N, as in 1/4 for the first of four"* ]]
	[ "$(ls)" = short.yaml ]
}

@test "points that are stored are reused; new ones are added" {
	run --separate-stderr "$ZONESIM" sweep short.yaml -q --over pcp.batch=31,63
	[ "$status" -eq 0 ]
	[[ "${lines[0]}" == "2 points: 2 simulated, 0 reused, 0 failed; "* ]]
	run --separate-stderr "$ZONESIM" sweep short.yaml -q --over pcp.batch=31,63,127
	[ "$status" -eq 0 ]
	[[ "${lines[0]}" == "3 points: 1 simulated, 2 reused, 0 failed; "* ]]
	[ "$(ls)" = "short.yaml
zonesim.db" ]
	# The same store serves a run.
	run --separate-stderr "$ZONESIM" run short.yaml --db zonesim.db --set pcp.batch=63
	[[ "$stderr" == *" (reused)" ]]
}

@test "the dry run knows what is stored, and estimates the rest" {
	"$ZONESIM" sweep short.yaml -q --over pcp.batch=31
	run "$ZONESIM" sweep short.yaml --dry-run -j 1 --over pcp.batch=31,63
	[[ "${lines[0]}" == *", seed 1: stored" ]]
	[[ "${lines[1]}" == *", seed 1: about "*" s" ]]
	[ "${lines[2]}" = "2 points, 1 stored; about 0 s with 1 at once" ]
}

@test "a point that crashes is kept with its reason, and tried again when asked to" {
	"$ZONESIM" sweep short.yaml -j 1 $long >out 2>err &
	parent=$!
	for _ in $(seq 100); do
		child=$(cat /proc/$parent/task/$parent/children)
		[ -n "$child" ] && break
		sleep 0.05
	done
	kill -SEGV $child
	status=0
	wait $parent || status=$?
	[ "$status" -eq 1 ]
	grep -q '^1 point: 0 simulated, 0 reused, 1 failed; ' out
	run "$ZONESIM" query status=failed
	[[ "$output" == *"the simulator crashed: SIGSEGV (Segmentation fault)"* ]]
	# It counts as done.
	run --separate-stderr "$ZONESIM" sweep short.yaml -q $long
	[ "$status" -eq 1 ]
	[[ "${lines[0]}" == "1 point: 0 simulated, 0 reused, 1 failed; "* ]]
	[ "${lines[1]}" = "1 failed before: --retry-failed tries them again" ]
	"$ZONESIM" sweep short.yaml -q $long --retry-failed >out 2>err &
	parent=$!
	for _ in $(seq 100); do
		child=$(cat /proc/$parent/task/$parent/children)
		[ -n "$child" ] && break
		sleep 0.05
	done
	[ -n "$child" ]
	kill -INT $parent
	status=0
	wait $parent || status=$?
	[ "$status" -eq 130 ]
}

@test "Ctrl-C and kill -9 lose no finished point, and the same command goes on" {
	for signal in INT KILL; do
		rm -f zonesim.db*
		# Two short points, then one that takes long.
		"$ZONESIM" sweep short.yaml -j 1 -q --zip --over pcp.batch=31,63,127 \
			--over measure.precision=50%,49%,0.01% --over workload.region=1MiB,2MiB,128MiB \
			--over tasks=1,2,8 --set measure.time-limit=1000s >out 2>err &
		parent=$!
		points_stored 2
		kill -$signal $parent
		status=0
		wait $parent || status=$?
		[ "$status" -eq $([ $signal = INT ] && echo 130 || echo 137) ]
		[ "$("$ZONESIM" query --csv | wc -l)" -eq 3 ]
		run --separate-stderr "$ZONESIM" sweep short.yaml -q --zip --over pcp.batch=31,63 \
			--over measure.precision=50%,49% --over workload.region=1MiB,2MiB --over tasks=1,2 \
			--set measure.time-limit=1000s
		[ "$status" -eq 0 ]
		[[ "${lines[0]}" == "2 points: 0 simulated, 2 reused, 0 failed; "* ]]
	done
}

@test "two sweeps on one store share the points" {
	set=(--over pcp.batch=31..50 -q -j 1 --set tasks=8)
	"$ZONESIM" sweep short.yaml "${set[@]}" >one &
	other=$!
	"$ZONESIM" sweep short.yaml "${set[@]}" >two
	wait $other
	cat one two
	simulated=$(cat one two | sed -n 's/^20 points: \([0-9]*\) simulated.*/\1/p' | paste -sd+)
	[ $((simulated)) -eq 20 ]
	[ "$("$ZONESIM" query --csv | wc -l)" -eq 21 ]
	"$ZONESIM" query --check
}

@test "shards, and their stores merged" {
	for shard in 1 2 3; do
		"$ZONESIM" sweep short.yaml -q --over pcp.batch=31..34 --shard $shard/3
	done
	run --separate-stderr "$ZONESIM" merge all.db zonesim-1-of-3.db zonesim-2-of-3.db zonesim-3-of-3.db
	[ "$status" -eq 0 ]
	[ "$output" = "zonesim-1-of-3.db: 2 new points
zonesim-2-of-3.db: 1 new point
zonesim-3-of-3.db: 1 new point" ]
	[ "$("$ZONESIM" query --db all.db --scenarios)" = "short                    4 of 4 points, 0 failed  A short one" ]
	# What is merged is what a sweep without shards gives, and is not run again.
	run --separate-stderr "$ZONESIM" sweep short.yaml -q --over pcp.batch=31..34 --db all.db
	[[ "${lines[0]}" == "4 points: 0 simulated, 4 reused, 0 failed; "* ]]
	"$ZONESIM" sweep short.yaml -q --over pcp.batch=31..34
	for db in all.db zonesim.db; do
		sqlite3 $db "SELECT fingerprint, name, mean, ci95 FROM points JOIN metrics ON id = point
			ORDER BY 1, 2" >$db.txt
	done
	[ -s all.db.txt ]
	cmp all.db.txt zonesim.db.txt
}

@test "merge: stores that do not go together" {
	"$ZONESIM" sweep short.yaml -q
	cp zonesim.db other.db
	sqlite3 other.db "UPDATE models SET digest = 'feedfacefeedface'"
	refused merge zonesim.db other.db <<END_OF_TEXT
zonesim: other.db holds points of another model (feedfacefeedface; here it is $(sqlite3 zonesim.db 'SELECT digest FROM models')): what different zonesims simulated does not go into one store
END_OF_TEXT
	refused merge zonesim.db nowhere.db <<'END_OF_TEXT'
zonesim: there is no store nowhere.db: `zonesim sweep` makes one, --db names another
END_OF_TEXT
	refused merge zonesim.db ./zonesim.db <<'END_OF_TEXT'
zonesim: ./zonesim.db can not be merged into itself
END_OF_TEXT
	[ "$("$ZONESIM" query --csv | wc -l)" -eq 2 ]
}

@test "query: conditions, scenarios, formats" {
	"$ZONESIM" sweep short.yaml -q --over patches=none,pick-outside-lock --over pcp.batch=31,63 --seeds 2
	[ "$("$ZONESIM" query --csv | wc -l)" -eq 9 ]
	[ "$("$ZONESIM" query --csv short | wc -l)" -eq 9 ]
	[ "$("$ZONESIM" query --csv patches=none batch=31 | wc -l)" -eq 3 ]
	[ "$("$ZONESIM" query --csv 'patches=none batch=31' seed=1 | wc -l)" -eq 2 ]
	[ "$("$ZONESIM" query --csv has=pick-outside-lock 'batch>=32' | wc -l)" -eq 3 ]
	[ "$("$ZONESIM" query --csv patches!=none batch=31..62 | wc -l)" -eq 3 ]
	[ "$("$ZONESIM" query --csv patches!=none | grep -c ',none,')" -eq 0 ]
	[ "$("$ZONESIM" query --json batch!=31,7 | jq -c '[.[].settings["pcp.batch"]] | unique')" = "[63]" ]
	[ "$("$ZONESIM" query --csv seed=1,2 workload.region=1MiB | wc -l)" -eq 9 ]
	[ "$("$ZONESIM" query --csv high=186 precision=50% time-limit=20ms | wc -l)" -eq 5 ]
	point=$("$ZONESIM" query batch=31 patches=none seed=1 --csv | tail -1 | cut -c 1-6)
	[ "$("$ZONESIM" query $point --json | grep -c '"pcp.batch": 31,')" -eq 1 ]
	# ± is two bytes
	[ -z "$("$ZONESIM" query -m all | sed 's/±/+/g' | awk 'length > 80')" ]
	run "$ZONESIM" query -m zone_lock_hold_free -m score seed=1
	[ "$status" -eq 0 ]
	[[ "${lines[0]}" == "4 points of zonesim.db: skylake-1s, v4.15, page_fault1, region=1MiB, tasks 1," ]]
	[[ "$output" == *"zone_lock_hold_free"*"score"* ]]
	"$ZONESIM" query -m zone_lock_acquisitions | grep -qE '^ +([kM]/s|1/s)$'
	[ "$("$ZONESIM" query --scenarios)" = "short                    8 of 8 points, 0 failed  A short one" ]
	[[ "$("$ZONESIM" query --models)" == *" zonesim 0.1.0, 8 points, the last on "* ]]
}

@test "query: what can not be answered" {
	refused query <<'END_OF_TEXT'
zonesim: there is no store zonesim.db: `zonesim sweep` makes one, --db names another
END_OF_TEXT
	"$ZONESIM" sweep short.yaml -q
	refused query mashine=skylake-1s <<'END_OF_TEXT'
zonesim: mashine=skylake-1s: no key 'mashine': did you mean 'machine'?
END_OF_TEXT
	refused query machine=skylake-2s <<'END_OF_TEXT'
zonesim: no point in zonesim.db fits machine=skylake-2s: did you mean 'skylake-1s'?
END_OF_TEXT
	refused query machine=skylake-1s batch=7 <<'END_OF_TEXT'
zonesim: no point in zonesim.db fits batch=7; there are 31
END_OF_TEXT
	refused query shrot <<'END_OF_TEXT'
zonesim: no point in zonesim.db fits shrot: did you mean 'short'?
END_OF_TEXT
	refused query abc <<'END_OF_TEXT'
zonesim: abc: of a fingerprint at least four characters are needed
END_OF_TEXT
	refused query 'machine<3' <<'END_OF_TEXT'
zonesim: machine<3: machine is no number
END_OF_TEXT
	refused query batch=many <<'END_OF_TEXT'
zonesim: batch=many: 'many' is not a whole number such as 4, without a unit
END_OF_TEXT
	refused query -m speed <<'END_OF_TEXT'
zonesim: no selected point has a metric 'speed': see `zonesim help metrics`
END_OF_TEXT
	refused query -m scoer <<'END_OF_TEXT'
zonesim: no selected point has a metric 'scoer': did you mean 'score'?
END_OF_TEXT
}

@test "a full disk: what is kept is kept, and the rest is done later" {
	run --separate-stderr bash -c "ulimit -f 200; trap '' XFSZ
		'$ZONESIM' sweep short.yaml -q -j 1 --seeds 9"
	[ "$status" -eq 1 ]
	[[ "$stderr" == "zonesim: "*" the store zonesim.db"* ]]
	[[ "${lines[0]}" == "9 points: "*" not done, "*" not kept; "* ]]
	kept=$(($("$ZONESIM" query --csv | wc -l) - 1))
	[ "$kept" -ge 1 ]
	run --separate-stderr "$ZONESIM" sweep short.yaml -q --seeds 9
	[ "$status" -eq 0 ]
	[[ "${lines[0]}" == "9 points: $((9 - kept)) simulated, $kept reused, 0 failed; "* ]]
	[ "$("$ZONESIM" query --check)" = "zonesim.db: no damage found" ]
}

@test "stores that will not do: the message, the exit status, and nothing changed" {
	"$ZONESIM" sweep short.yaml -q
	cp zonesim.db newer.db
	sqlite3 newer.db 'PRAGMA user_version = 9'
	cp zonesim.db damaged.db
	printf 'junk%.0s' $(seq 10000) | dd of=damaged.db bs=1 seek=4096 conv=notrunc status=none
	echo 'no database' >text.db
	sqlite3 mail.db 'CREATE TABLE mail (sender)'
	md5sum ./*.db >sums
	while read -r expected db message; do
		for command in "sweep short.yaml -q" query "compare seed=1 seed=2" "plot -o p.svg" "merge $db zonesim.db"; do
			# Unquoted, so that they are several.
			[[ "$command" == merge* ]] || command="$command --db $db"
			run --separate-stderr "$ZONESIM" $command
			[ "$status" -eq "$expected" ] || { echo "$command: $status"; return 1; }
			[[ "$stderr" == *"$message"* ]] || { echo "$command: $stderr"; return 1; }
			[ "${#stderr_lines[@]}" -eq 1 ]
		done
	done <<'END_OF_TEXT'
2 newer.db was written by a newer zonesim (schema 9; this one knows 2): use that one
1 damaged.db the store damaged.db is damaged; move it away, and results are simulated anew
2 text.db text.db is not a store: it is not an SQLite database
2 mail.db mail.db is not a store: it is a database of another program
2 nowhere/s.db nowhere/s.db
END_OF_TEXT
	md5sum -c --quiet sums
	[ ! -e p.svg ]
}
