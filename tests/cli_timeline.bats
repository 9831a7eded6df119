#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-3.0-or-later
# Timelines of a run: the file, whether it agrees with the locks' statistics, and its window.

bats_require_minimum_version 1.5.0

# From meson: the program.
: "${ZONESIM:?}"

setup()
{
	cd "$BATS_TEST_TMPDIR"
	cat >short.yaml <<'END'
name: A short one
machine: skylake-2s
kernel: v4.15
workload: {name: page_fault1, region: 1MiB}
tasks: 4
measure: {precision: 50%, time-limit: 4ms}
END
}

# Run short.yaml with arguments $@; a result that is not as precise as asked is none the worse here.
run_short()
{
	"$ZONESIM" run short.yaml -q "$@" >/dev/null || [ $? -eq 3 ]
}

# How many spans of timeline $1 overlap others of their track: CPUs do one thing within another,
# locks one after the other.
overlapping()
{
	jq '[.traceEvents[] | select(.ph == "X")
		| {pid, tid, s: (.ts * 1000 | round), e: ((.ts + .dur) * 1000 | round)}]
		| group_by([.pid, .tid])
		| map(sort_by([.s, -.e]) | reduce .[] as $x ({open: [], bad: 0};
			.open |= map(select(. > $x.s))
			| if (.open | length) > 0 and ($x.pid == 2 or $x.e > .open[-1])
				then .bad += 1 else . end
			| .open += [$x.e]) | .bad)
		| add' "$1"
}

@test "a timeline is JSON for trace viewers, and its spans lie within each other" {
	for kernel in v4.15 v6.7; do
		for workload in page_fault1 pft remote_drain bw_unix; do
			run_short --set "workload={name: $workload}" --set kernel=$kernel \
				--set measure.time-limit=1ms -t t.json
			[ "$(jq -r .displayTimeUnit t.json)" = ns ]
			[ "$(overlapping t.json)" -eq 0 ]
			[ "$(jq '[.traceEvents[] | select(.name == "hold zone->lock")] | length' t.json)" -gt 0 ]
		done
	done
	# each thread has a name, under one process
	[ "$(jq '[.traceEvents[] | select(.tid > 0)] | group_by(.tid)
		| all(([.[].pid] | unique | length) == 1 and
			([.[] | select(.name == "thread_name")] | length) == 1)' t.json)" = true ]
}

@test "a run is the same with a timeline and without" {
	run_short -o without.json
	run_short -o with.json --timeline t.json
	run_short -o part.json --timeline t.json:10us..20us
	for name in with part without; do
		jq 'del(.points[0].host, .points[0].timeline)' $name.json >$name
	done
	grep -q '"mean"' with
	cmp with without
	cmp part without
}

@test "holds and waits of the timeline add up to those of lock_stat" {
	run_short -o r.json -t t.json
	# [count, microseconds] of the spans called $1 on the CPUs
	spans()
	{
		jq -c --arg name "$1" '[.traceEvents[] | select(.pid == 1 and .name == $name) | .dur]
			| [length, add]' t.json
	}
	for lock in "zone->lock" lru_lock; do
		jq -c --arg lock "$lock" --argjson hold "$(spans "hold $lock")" \
			--argjson wait "$(spans "wait $lock")" \
			'.points[0].locks[] | select(.name == $lock + " node 0") |
			.acquisitions == $hold[0] and .contentions == $wait[0] and
			(.holdtime_total_us - $hold[1] | fabs) < 0.001 * $hold[0] and
			(.waittime_total_us - $wait[1] | fabs) < 0.001 * $wait[0] and
			.acquisitions > 50 and .contentions > 10' r.json >answer
		[ "$(cat answer)" = true ] || { cat answer; spans "hold $lock"; spans "wait $lock"; exit 1; }
	done
	# every hand-over ends where the hold begins that it leads to, and has two ends
	[ "$(jq '[.traceEvents[] | select(.ph == "s")] | length > 10' t.json)" = true ]
	[ "$(jq '[.traceEvents[] | select(.ph == "s" or .ph == "f")] | group_by(.id)
		| all(length == 2 and .[0].tid != .[1].tid)' t.json)" = true ]
	[ "$(jq '[.traceEvents[] | select(.ph == "f") | [.tid, .ts]] -
		[.traceEvents[] | select(.cat == "hold") | [.tid, .ts]] == []' t.json)" = true ]
	# and begins at the end of a hold, a nanosecond before it, so that it begins within
	[ "$(jq '[.traceEvents[] | select(.ph == "s") | [.tid, (.ts * 1000 | round) + 1]] -
		[.traceEvents[] | select(.cat == "hold") | [.tid, ((.ts + .dur) * 1000 | round)]] == []' t.json)" = true ]
	# who owns the lock is who holds it
	[ "$(jq '([.traceEvents[] | select(.cat == "owner") | [.ts, .dur, .name]] | sort) ==
		([.traceEvents[] | select(.cat == "hold")
			| [.ts, .dur, "CPU \(.tid - 101)"]] | sort)' t.json)" = true ]
}

@test "a window has what the whole has there" {
	run_short -t all.json
	run_short -t part.json:100us..250us
	# [track, from, to, name] of all spans, as far as they are within the window
	within()
	{
		jq -c '[.traceEvents[] | select(.ph == "X") | [.tid, ([.ts * 1000 | round, 100000] | max),
			([(.ts + .dur) * 1000 | round, 250000] | min), .name] | select(.[1] < .[2])] | sort' "$1"
	}
	within all.json >all
	within part.json >part
	cmp all part
	[ "$(jq length all)" -gt 20 ]
	[ "$(jq '[.traceEvents[] | select(.ph != "M") | .ts] | min >= 100 and max < 250' part.json)" = true ]
	# one end alone
	run_short -t head.json:..150us
	run_short -t tail.json:150us.. -o r.json
	[ "$(jq '[.traceEvents[] | select(.ph == "X") | .ts] | min == 0 and max < 150' head.json)" = true ]
	[ "$(jq '[.traceEvents[] | select(.ph == "X") | .ts] | min == 150' tail.json)" = true ]
	[ "$(jq '.points[0].timeline | .from_s == 150e-6 and .to_s > .from_s and (.cut | not)' r.json)" = true ]
}

@test "one that is too long is cut, and says so; so does an empty one" {
	# the lock of a pageset is taken for each page
	cat >fast.yaml <<'END'
machine: skylake-2s
kernel: v6.7
workload: alloc_free
tasks: 8
measure: {precision: 50%, time-limit: 20ms}
END
	run --separate-stderr "$ZONESIM" run fast.yaml -q -t t.json --json
	[[ "$stderr" =~ ^"zonesim: t.json is cut at "[0-9.]+" "[um]"s, where it has 100"[0-9]{3}" spans: choose a window, as in t.json:2ms..3ms"$ ]]
	[ "$(jq .points[0].timeline.cut <<<"$output")" = true ]
	us=$(jq '.points[0].timeline.to_s * 1e6' <<<"$output")
	# all are told of up to there, and no one beyond
	[ "$(jq --argjson us "$us" '[.traceEvents[] | select(.pid == 1 and .ph == "X")]
		| group_by(.tid) | map(map(.ts + .dur) | max)
		| length == 8 and min > $us - 5 and max < $us + 0.01' t.json)" = true ]
	run --separate-stderr "$ZONESIM" run short.yaml -q -t t.json:5s..6s
	[[ "$stderr" == "zonesim: t.json is empty: the run ended after "*"s" ]]
	[ "$(jq '[.traceEvents[] | select(.ph != "M")] | length' t.json)" -eq 0 ]
}

# zonesim run $@ must be refused with what stands on standard input.
refuses()
{
	run --separate-stderr "$ZONESIM" run "$@"
	[ "$status" -eq 2 ]
	[ "${stderr_lines[0]}" = "$(cat)" ] || { echo "$stderr"; return 1; }
}

@test "what can not have a timeline is refused" {
	refuses short.yaml --set tasks=[1,2] -t t.json <<<"zonesim: --timeline is of one point, but there are 2: choose with --set"
	refuses short.yaml -t t.json --db own.db <<<"zonesim run: --timeline and --db exclude each other: a point from the store is not simulated"
	refuses short.yaml -t t.json:3ms..2ms <<<"zonesim run: --timeline: 3ms is not before 2ms"
	refuses short.yaml -t t.json:3..4 <<<"zonesim run: --timeline: '3' has no unit: expected a time such as 50ns (ps, ns, us, ms, s)"
	refuses short.yaml -t :1ms..2ms <<<"zonesim run: --timeline: the name of a file is missing"
	refuses short.yaml -t t.json:-1ms..2ms <<<"zonesim run: --timeline: -1ms is no time within a run"
	refuses short.yaml -t no/t.json <<<"zonesim: can not write no/t.json: No such file or directory"
	[ "$(ls -d t.json* own.db* 2>/dev/null)" = "" ]
}

@test "a colon that no range follows is part of the file's name" {
	run_short -t a:b
	[ "$(jq '.traceEvents | length > 10' a:b)" = true ]
	[ "$(ls)" = "a:b
short.yaml" ]
}

@test "a timeline that can not be written fails the run, which keeps its results" {
	command -v prlimit >/dev/null || skip "no prlimit here"
	# what the simulator needs for itself is written
	run --separate-stderr prlimit --fsize=$(($("$ZONESIM" platform skylake-1s | wc -c) + 20000)) bash -c \
		'trap "" XFSZ; exec "$ZONESIM" run short.yaml -q --csv -t t.json \
			--set machine=skylake-1s --set workload.region=8MiB'
	[ "$status" -eq 1 ]
	[[ "$stderr" == *"can not write t.json: File too large"* ]]
	[ "${#lines[@]}" -eq 2 ]
	[ "$(ls -d t.json* 2>/dev/null)" = "" ]
}
