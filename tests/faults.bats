#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-3.0-or-later
# What goes wrong around a sweep: processes killed and stopped, full disks, clocks that jump, streams
# that are closed. No finished point may be lost, no wrong one kept, no process be left, no file.
#
# FAULT_ROUNDS=50 makes the random ones longer; see docs/testing.md.

bats_require_minimum_version 1.5.0

# From meson: the program, and the library that disturbs it.
: "${ZONESIM:?}" "${DISTURB:?}"
rounds=${FAULT_ROUNDS:-1}

setup()
{
	mkdir "$BATS_TEST_TMPDIR/here"
	cd "$BATS_TEST_TMPDIR/here"
	cat >short.yaml <<'END_OF_SCENARIO'
machine: skylake-1s
kernel: v4.15
workload: {name: page_fault1, region: 1MiB}
tasks: 1
measure: {precision: 50%, time-limit: 20ms}
END_OF_SCENARIO
	# What the points must come to, undisturbed; once for all tests.
	if [ ! -e "$BATS_FILE_TMPDIR/right" ]; then
		sweep -q --seeds 200 --db "$BATS_FILE_TMPDIR/right.db"
		results "$BATS_FILE_TMPDIR/right.db" >"$BATS_FILE_TMPDIR/right"
	fi
}

teardown()
{
	# Of the sweeps that were started here, nothing is left: neither processes nor files.
	for pid in $started; do
		# who has ended, and waits for init to notice, is gone
		run bash -c "ps -o stat=,pid=,args= -s $pid | grep -v ^Z"
		[ "$output" = "" ] || { echo "$output"; return 1; }
	done
	[ "$(ls -A | grep -vx -e short.yaml -e zonesim.db -e out -e err)" = "" ] || { ls -A; return 1; }
}

sweep()
{
	"$ZONESIM" sweep short.yaml "$@"
}

# Start a sweep with $@ in a session of its own; its process is $!.
start_sweep()
{
	setsid "$ZONESIM" sweep short.yaml "$@" >out 2>err 3>&- &
	started="$started $!"
}

# The points of a store and their scores, whatever else may differ.
results()
{
	sqlite3 "$1" "SELECT seed, fingerprint, status, mean, ci95 FROM points JOIN metrics
		ON point = id WHERE name = 'score' ORDER BY seed"
}

# The store has the first $1 seeds, and they are right; nothing is damaged.
complete()
{
	"$ZONESIM" query --check >/dev/null
	[ "$(sqlite3 zonesim.db "SELECT count(*) FROM points WHERE status = 'failed'")" -eq 0 ]
	[ "$(sqlite3 zonesim.db "SELECT count(*) FROM claims")" -eq 0 ]
	results zonesim.db | cmp - <(head -n "$1" "$BATS_FILE_TMPDIR/right")
}

# What the store has so far is right, and not less than $1 points.
right_so_far()
{
	"$ZONESIM" query --check >/dev/null
	results zonesim.db >out
	[ "$(wc -l <out)" -ge "$1" ]
	! grep -vxFf "$BATS_FILE_TMPDIR/right" out
}

@test "processes of points that are killed at random: the others are right, and those are done later" {
	start_sweep -q -j 2 --seeds 200
	sweep=$!
	while kill -0 $sweep 2>/dev/null; do
		pkill -KILL -P $sweep || true
		sleep 0.0$((RANDOM % 9 + 1))
	done
	status=0
	wait $sweep || status=$?
	[ "$status" -eq 1 ]
	failed=$(sqlite3 zonesim.db "SELECT count(*) FROM points WHERE status = 'failed'")
	[ "$failed" -ge 1 ]
	[ "$(sqlite3 zonesim.db "SELECT count(*) FROM points")" -eq 200 ]
	[ "$(sqlite3 zonesim.db "SELECT DISTINCT failure FROM points WHERE status = 'failed'")" = \
		"the simulator was killed (SIGKILL): out of host memory?" ]
	right_so_far $((200 - failed))
	run --separate-stderr sweep -q --seeds 200 --retry-failed
	[ "$status" -eq 0 ]
	[[ "${lines[0]}" == "200 points: $failed simulated, $((200 - failed)) reused, 0 failed; "* ]]
	complete 200
}

@test "a sweep that is killed at random goes on where it was" {
	for round in $(seq $((4 * rounds))); do
		kept=0
		[ ! -e zonesim.db ] || kept=$(results zonesim.db | wc -l)
		start_sweep -q -j 2 --seeds 60
		sleep 0.$((RANDOM % 6 + 1))
		kill -KILL $! 2>/dev/null || true
		wait $! || true
		[ ! -e zonesim.db ] || right_so_far "$kept"
		[ "$(results zonesim.db 2>/dev/null | wc -l)" -lt 60 ] || rm -f zonesim.db*
	done
	sweep -q --seeds 60
	complete 60
}

@test "a disk that is full at any write: what is kept is right, and the rest is done later" {
	for write in 1 2 3 5 8 13 21 34 55 $(shuf -i 1-200 -n $((3 * rounds))); do
		rm -f zonesim.db*
		run env LD_PRELOAD="$DISTURB" DISTURB_WRITES="$write" "$ZONESIM" sweep short.yaml -q \
			-j 1 --seeds 10
		# Later writes than there are, and those that nothing depends on, disturb no one.
		[ "$status" -eq 0 ] || [ "$status" -eq 1 ]
		[ "$write" -gt 5 ] || [ "$status" -eq 1 ]
		if [ "$status" -eq 1 ]; then
			[[ "$output" == *"zonesim: "*"zonesim.db"* ]]
		fi
		[ ! -s zonesim.db ] || right_so_far 0
		sweep -q --seeds 10
		complete 10
	done
}

@test "a limit on the size of files: as with a full disk" {
	for blocks in 1 40 70 100 150 $(shuf -i 1-400 -n $((2 * rounds))); do
		rm -f zonesim.db*
		run bash -c "ulimit -f $blocks; trap '' XFSZ; '$ZONESIM' sweep short.yaml -q -j 1 --seeds 20"
		[ "$status" -le 1 ]
		[ ! -s zonesim.db ] || right_so_far 0
		sweep -q --seeds 20
		complete 20
	done
}

@test "a clock that jumps by up to a day: each point once, and right" {
	for other in 1 2; do
		LD_PRELOAD=$DISTURB DISTURB_CLOCK=1 start_sweep -q -j 1 --seeds 60
		pids[other]=$!
	done
	wait "${pids[1]}"
	wait "${pids[2]}"
	complete 60
	# it did jump
	[ "$(sqlite3 zonesim.db "SELECT julianday(max(started)) - julianday(min(started)) > 0.1
		FROM points")" -eq 1 ]
}

@test "processes that are stopped for a while, and go on" {
	start_sweep -q -j 2 --seeds 100
	sweep=$!
	for turn in $(seq $((5 * rounds))); do
		kill -STOP $sweep 2>/dev/null || true
		pkill -STOP -P $sweep || true
		sleep 0.1
		pkill -CONT -P $sweep || true
		kill -CONT $sweep 2>/dev/null || true
		sleep 0.0$((RANDOM % 9 + 1))
	done
	wait $sweep
	complete 100
}

@test "fifty sweeps at once on one store: each point is simulated once" {
	for number in $(seq 50); do
		start_sweep -q -j 1 --seeds 100 2>/dev/null
		pids[number]=$!
	done
	for number in $(seq 50); do
		wait "${pids[number]}"
	done
	complete 100
	[ "$(sqlite3 zonesim.db "SELECT count(*) FROM points")" -eq 100 ]
}

@test "no /proc: the same results, and claims end with their process" {
	unshare -rm true 2>/dev/null || skip "this system lets no one mount"
	command="mount -t tmpfs none /proc && exec timeout 60 '$ZONESIM' sweep short.yaml -q --seeds 200"
	setsid unshare -rm sh -c "${command/timeout 60/}" >out 2>err 3>&- &
	started=$!
	sleep 0.3
	kill -KILL $!
	wait $! || true
	# the platform has to go through a file then, which who is killed just there may leave
	find /tmp -maxdepth 1 -name 'zonesim-??????' -newer short.yaml -delete
	run unshare -rm sh -c "$command"
	[ "$status" -eq 0 ] || { echo "$output"; return 1; }
	complete 200
	[ "$(find /tmp -maxdepth 1 -name 'zonesim-??????' -newer short.yaml)" = "" ]
}

@test "no terminal, and any of the standard streams closed" {
	setsid "$ZONESIM" sweep short.yaml -q --seeds 2 </dev/null >out 2>err
	"$ZONESIM" sweep short.yaml --seeds 4 <&-
	run bash -c "'$ZONESIM' sweep short.yaml -q --seeds 6 >&-"
	[ "$status" -eq 1 ]
	[[ "$output" == *"can not write to standard output: Bad file descriptor" ]]
	run bash -c "'$ZONESIM' sweep short.yaml --seeds 8 2>&-"
	[ "$status" -eq 0 ]
	run bash -c "'$ZONESIM' sweep short.yaml --seeds 10 <&- >&- 2>&-"
	[ "$status" -eq 1 ]
	complete 10
	for stream in '<&-' '2>&-' '>&-' '<&- >&- 2>&-'; do
		run bash -c "'$ZONESIM' run short.yaml -o out.json $stream"
		[ "$(jq -r '.points[].status' out.json)" = ok ]
		rm out.json
	done
}

@test "output that can not be written is an error, whatever is printed" {
	sweep -q --seeds 2
	"$ZONESIM" run short.yaml -q -o out.json
	for command in "query" "query --csv" "query --json" "query --models" "list machines" \
		"help scenario" "platform skylake-1s" "show out.json" "run short.yaml -q --csv" "--version"; do
		for to in '>/dev/full' '>&-'; do
			run bash -c "'$ZONESIM' $command $to"
			[ "$status" -eq 1 ] || { echo "$command: $status"; return 1; }
			[[ "$output" == *"can not write"* ]]
		done
	done
	rm out.json
}
