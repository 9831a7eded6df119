#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-3.0-or-later
# Stores of results, and what is simulated beside what was published, on tables of a few rows.

bats_require_minimum_version 1.5.0

# From meson: the program, and the directory of machine files.
: "${ZONESIM:?}" "${MODELS:?}"

setup()
{
	cd "$BATS_TEST_TMPDIR"
	cat >short.yaml <<'END'
name: A short one
machine: skylake-2s
kernel: v4.15
patches: [[], [pick-outside-lock]]
workload: {name: page_fault1, region: 1MiB}
tasks: [1, 2]
measure: {precision: 50%, time-limit: 20ms}
END
}

header=machine,workload,tasks,kernel,patches,batch,high,parameters,metric,unit,value,change_pct,source

# Make the lines of standard input the only published table, called "own".
publish()
{
	mkdir -p data/results/published
	ln -sfn "$MODELS" data/models
	{ echo "$header" && cat; } >data/results/published/own.csv
	export ZONESIM_DATA="$PWD/data"
}

# Rows of one task, which takes a second; some of it is far from anything simulated.
publish_short()
{
	publish <<'END'
skylake-2s,page_fault1,1,v4.15,inline-rmqueue,31,186,,score,pages/s,1000,,somebody
skylake-2s,page_fault1,1,v4.15,inline-rmqueue pick-outside-lock,31,186,,score,pages/s,1000,-0.9,somebody
skylake-2s,page_fault1,1,v4.15,inline-rmqueue,31,186,,lru_lock_spin_share,percent,0.5,,somebody
z80,page_fault1,1,v4.15,inline-rmqueue,31,186,,score,pages/s,1000,,somebody
END
}

# The values of key $1 in the rows of out.json.
values()
{
	sed -n "/\"summary\"/q; s/^ *\"$1\": \"\{0,1\}\([^\",]*\)\"\{0,1\},\{0,1\}\$/\1/p" out.json |
		tr '\n' ' '
}

# How many lines of $1 say that a point was reused.
reused()
{
	printf '%s\n' "$1" | grep -c ' (reused)$'
}

# Wait until file $1 has a line that starts with $2.
wait_for()
{
	for _ in $(seq 200); do
		grep -q "^$2" "$1" && return 0
		sleep 0.05
	done
	return 1
}

# Two short points, and four that take minutes.
some_long="--set patches=[] --set workload.region=[1MiB,128MiB] --set tasks=[1,2,112]
	--set measure.precision=1%"

# One point that takes minutes.
long="--set patches=[] --set workload.region=128MiB --set tasks=112 --set measure.precision=0.01%"

@test "run --db: points are reused, and the document is the same" {
	"$ZONESIM" run short.yaml -q -o once.json >/dev/null
	[ "$(ls)" = "once.json
short.yaml" ]
	"$ZONESIM" run short.yaml --db r.db -j 1 -o one.json >/dev/null 2>err
	[ "$(reused "$(cat err)")" -eq 0 ]
	run --separate-stderr "$ZONESIM" run short.yaml --db r.db -j 1 -o other.json
	[ "$status" -eq 0 ]
	[ "$(reused "$stderr")" -eq 4 ]
	cmp one.json other.json
}

@test "run --db: what is new is simulated, what was said otherwise is not" {
	"$ZONESIM" run short.yaml --db r.db -q --set tasks=1 >/dev/null
	run --separate-stderr "$ZONESIM" run short.yaml --db r.db -j 1 --json \
		--set 'patches=[[], [inline-rmqueue]]' --set tasks=1
	[ "$status" -eq 0 ]
	[ "$(reused "$stderr")" -eq 2 ]
	# The release has that patch; the document says what this run asked for.
	printf '%s\n' "$output" | grep -A1 '"patches": \[$' | grep -q '"inline-rmqueue"'
	run --separate-stderr "$ZONESIM" run short.yaml --db r.db -j 1
	[ "$(reused "$stderr")" -eq 2 ]
}

@test "run --db: imprecise points are reused as such, and the exit status says so" {
	for expected in 0 2; do
		run --separate-stderr "$ZONESIM" run short.yaml --db r.db --set tasks=1 \
			--set workload.region=32MiB --set measure.time-limit=3ms
		[ "$status" -eq 3 ]
		[ "$(reused "$stderr")" -eq "$expected" ]
	done
}

@test "run --db: what was finished survives a kill" {
	"$ZONESIM" run short.yaml --db r.db -j 1 $some_long >/dev/null 2>err &
	parent=$!
	wait_for err 3/6
	kill -KILL $parent
	wait $parent || true
	"$ZONESIM" run short.yaml --db r.db -j 1 $some_long >/dev/null 2>again &
	parent=$!
	wait_for again 3/6
	kill -KILL $parent
	wait $parent || true
	[ "$(reused "$(cat again)")" -ge 3 ]
}

@test "run --db: a failed point is not reused" {
	"$ZONESIM" run short.yaml -j 1 -q --db r.db $long >/dev/null 2>&1 &
	parent=$!
	for _ in $(seq 100); do
		child=$(cat "/proc/$parent/task/$parent/children")
		[ -n "$child" ] && break
		sleep 0.05
	done
	kill -SEGV $child
	status=0
	wait $parent || status=$?
	[ "$status" -eq 1 ]
	"$ZONESIM" run short.yaml -j 1 --db r.db $long >/dev/null 2>err &
	parent=$!
	sleep 0.5
	kill -INT $parent
	status=0
	wait $parent || status=$?
	[ "$status" -eq 130 ]
	[ "$(cat err)" = "zonesim: interrupted" ]
}

@test "run --db: a store that fails on the way does not take the results with it" {
	# No file may grow beyond 200 KiB.
	run --separate-stderr bash -c "ulimit -f 200; trap '' XFSZ
		'$ZONESIM' run short.yaml -q --db r.db --csv --set tasks=[1,2,3,4,5,6]"
	[ "$status" -eq 1 ]
	[ "${#lines[@]}" -eq 7 ]
	[ "${#stderr_lines[@]}" -eq 1 ]
	[[ "$stderr" == "zonesim: can not read or write the store r.db: "* ]]
	run --separate-stderr "$ZONESIM" run short.yaml -j 1 --db r.db --set tasks=[1,2,3,4,5,6]
	[ "$status" -eq 0 ]
	[ "$(reused "$stderr")" -ge 1 ]
}

@test "a store that will not do" {
	echo "not a database" >text
	mkdir directory
	for db in text directory text/below.db nowhere/r.db; do
		for command in "run short.yaml" validate; do
			run --separate-stderr "$ZONESIM" $command -q --db "$db"
			[ "$status" -eq 2 ]
			[ "$output" = "" ]
			[[ "$stderr" == "zonesim: "*"$db"* ]]
		done
	done
	[ "$(cat text)" = "not a database" ]
}

@test "validate: verdicts per row, each configuration once, from the store the second time" {
	publish_short
	run --separate-stderr "$ZONESIM" validate --json -j 1
	[ "$status" -eq 1 ]
	printf '%s\n' "$output" >out.json
	[ "$(values verdict)" = "wrong within within missing " ]
	[ "$(values parameters)" = "$(printf 'batch=31 high=186 %.0s' 1 2 3 4)" ]
	[ "$(values reason)" = "unknown machine 'z80': see \`zonesim list machines\` " ]
	[ "${#stderr_lines[@]}" -eq 2 ]
	[ -e zonesim.db ]
	run --separate-stderr "$ZONESIM" validate --json -j 1
	[ "$output" = "$(cat out.json)" ]
	[ "$(reused "$stderr")" -eq 2 ]
	run --separate-stderr "$ZONESIM" validate -q
	[ "$status" -eq 1 ]
	[ "$stderr" = "" ]
	[ "${lines[0]}" = "own: somebody" ]
	printf '%s\n' "$output" | grep -qx "missing, 1 row: unknown machine 'z80': see .*"
	printf '%s\n' "$output" | grep -qE '^all +2 +0 +0 +0 +1 +1 '
}

@test "validate: the exit status is 0 when nothing is wrong" {
	publish <<'END'
skylake-2s,page_fault1,1,v4.15,inline-rmqueue,31,186,,lru_lock_spin_share,percent,0.5,,somebody
END
	run "$ZONESIM" validate -q --table own --machine skylake-2s
	[ "$status" -eq 0 ]
}

@test "validate --quick lists what it leaves out" {
	publish <<'END'
skylake-2s,page_fault1,1,v4.15,inline-rmqueue,31,186,,lru_lock_spin_share,percent,0.5,,somebody
skylake-2s,page_fault1,2,v4.15,inline-rmqueue,53,318,,lru_lock_spin_share,percent,0.5,,somebody
skylake-4s,page_fault1,192,v4.15,inline-rmqueue,31,186,,lru_lock_spin_share,percent,0.5,,somebody
END
	run --separate-stderr "$ZONESIM" validate --quick --json
	[ "$status" -eq 0 ]
	printf '%s\n' "$output" >out.json
	[ "$(values verdict)" = "within left-out left-out " ]
	printf '%s\n' "$output" | grep -q '"left-out": 2'
	[ "${#stderr_lines[@]}" -eq 1 ]
}

@test "validate: Ctrl-C ends it with 130, and what was finished is kept" {
	publish <<'END'
skylake-2s,page_fault1,1,v4.15,inline-rmqueue,31,186,,score,pages/s,1000,,somebody
skylake-4s,page_fault1,192,v4.15,inline-rmqueue,31,186,,score,pages/s,1000,,somebody
END
	"$ZONESIM" validate -j 1 >out 2>err &
	parent=$!
	wait_for err 1/2
	kill -INT $parent
	status=0
	wait $parent || status=$?
	[ "$status" -eq 130 ]
	[ ! -s out ]
	[ "$(tail -n 1 err)" = "zonesim: interrupted" ]
	run --separate-stderr "$ZONESIM" validate -j 1 --machine skylake-2s
	[[ "$stderr" == "1/1 "*" (reused)" ]]
}

@test "validate: --markdown and --changes, from the same store" {
	publish_short
	run --separate-stderr "$ZONESIM" validate --changes -j 1
	[ "$status" -eq 0 ]
	[ "${#stderr_lines[@]}" -eq 2 ]
	[[ "${lines[2]}" == "| somebody    | skylake-2s | page_fault1, 1 task: pages/s |   -0.90 % | "* ]]
	[ "$(printf '%s\n' "$output" | grep -c '^| ')" -eq 3 ]
	run --separate-stderr "$ZONESIM" validate --markdown -j 1 --table own
	[ "$status" -eq 1 ]
	[ "$(reused "$stderr")" -eq 2 ]
	[ "${lines[0]}" = "### own" ]
	[ "$(printf '%s\n' "$output" | grep -cE '^\\| (skylake-2s|z80) ')" -eq 4 ]
}

@test "validate: one format at a time, and changes only where there are some" {
	publish_short
	for formats in "--json --markdown" "--changes --json" "--markdown --changes"; do
		# Unquoted: two options.
		run --separate-stderr "$ZONESIM" validate $formats
		[ "$status" -eq 2 ]
		[ "$output" = "" ]
		[ "${stderr_lines[0]}" = \
			"zonesim validate: --json, --markdown and --changes exclude each other" ]
	done
	run --separate-stderr "$ZONESIM" validate --changes --machine z80
	[ "$status" -eq 2 ]
	[ "$stderr" = "zonesim: no published change: what was asked for has none" ]
	[ ! -e zonesim.db ]
}

@test "validate: names that are none" {
	publish_short
	run --separate-stderr "$ZONESIM" validate --table onw
	[ "$status" -eq 2 ]
	[ "$stderr" = "zonesim: no published table 'onw': did you mean 'own'?" ]
	run --separate-stderr "$ZONESIM" validate --machine skylake-1s
	[ "$status" -eq 2 ]
	[ "$stderr" = "zonesim: no published machine 'skylake-1s': did you mean 'skylake-2s'?" ]
	run --separate-stderr "$ZONESIM" validate own
	[ "$status" -eq 2 ]
	[ ! -e zonesim.db ]
}
