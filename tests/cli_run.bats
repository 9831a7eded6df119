#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-3.0-or-later
# Runs: results, progress, and ends of all kinds. The points are as short as points can be.

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

# Wait until process $1 has $2 children; print them in the order they were started.
children()
{
	for _ in $(seq 100); do
		list=$(cat "/proc/$1/task/$1/children" 2>/dev/null)
		if [ "$(printf '%s' "$list" | wc -w)" -ge "$2" ]; then
			printf '%s\n' "$list"
			return 0
		fi
		sleep 0.05
	done
	return 1
}

# Does process $1 go away within five seconds?
ends()
{
	for _ in $(seq 100); do
		[ -d "/proc/$1" ] || return 0
		# An orphan whose new parent does not wait for it has ended, too.
		grep -q '^State:.*zombie' "/proc/$1/status" 2>/dev/null && return 0
		sleep 0.05
	done
	return 1
}

# A point that takes minutes.
long="--set tasks=112 --set workload.region=128MiB --set measure.precision=0.01%"

@test "a document with the names that other programs rely on" {
	run --separate-stderr "$ZONESIM" run short.yaml --json -q
	[ "$status" -eq 0 ]
	[ "$stderr" = "" ]
	for key in zonesim scenario points fingerprint status config machine kernel patches \
		effective_patches workload parameters tasks pcp batch high seed metrics score \
		per_process_ops zone_lock_spin_share lru_lock_spin_share mean ci95 unit host wall_s \
		max_rss_bytes accesses; do
		printf '%s\n' "$output" | grep -q "\"$key\": " || { echo "no $key"; return 1; }
	done
	[ "$(printf '%s\n' "$output" | grep -c '"fingerprint": "[0-9a-f]\{32\}"')" -eq 4 ]
	[ "$(printf '%s\n' "$output" | grep -c '"status": "ok"')" -eq 4 ]
}

@test "-o writes the same document" {
	"$ZONESIM" run short.yaml --json -q -o r.json >out.json
	cmp out.json r.json
	[ "$(ls)" = "out.json
r.json
short.yaml" ]
}

# What is left of document $1 without what the host decides.
without_host()
{
	sed '/"host": {/,/}/d' "$1"
}

@test "the same bits, however many points run at once" {
	"$ZONESIM" run short.yaml -q -j 1 -o one.json >/dev/null
	"$ZONESIM" run short.yaml -q -j 4 -o four.json >/dev/null
	without_host one.json >one
	without_host four.json >four
	grep -q '"mean"' one
	cmp one four
}

@test "points come in the order of the scenario, whichever ends first" {
	run --separate-stderr "$ZONESIM" run short.yaml -q -j 4 --json --set tasks=[2,1]
	[ "$(printf '%s\n' "$output" | sed -n 's/^ *"tasks": \([0-9]*\),/\1/p' | tr '\n' ' ')" = \
		"2 2 1 1 " ]
}

@test "--csv prints the rows of the table" {
	run --separate-stderr "$ZONESIM" run short.yaml -q --csv
	[ "$status" -eq 0 ]
	[ "${#lines[@]}" -eq 3 ]
}

@test "a table unless told otherwise" {
	run --separate-stderr "$ZONESIM" run short.yaml -q
	[ "$status" -eq 0 ]
	[ "${lines[0]}" = "A short one" ]
}

@test "a line of progress per point, where there is no terminal; none with -q" {
	run --separate-stderr "$ZONESIM" run short.yaml -j 1 --json
	[ "${#stderr_lines[@]}" -eq 4 ]
	case "${stderr_lines[3]}" in
	"4/4 skylake-2s v4.15 +pick-outside-lock page_fault1, 2 tasks, region 1 MiB: "*" pages/s +- "*) ;;
	*) false ;;
	esac
}

@test "on a terminal, a line that is drawn anew; not where TERM says that it can not be" {
	command -v script >/dev/null || skip "no script here"
	# The points are over before a second is: only the first and the last line are drawn.
	for term in xterm dumb ""; do
		TERM=$term script -qec "'$ZONESIM' run short.yaml" typescript >/dev/null </dev/null ||
			[ $? -eq 3 ]
		case $term in
		xterm) grep -q $'\033\\[K' typescript ;;
		*) [ "$(grep -c $'\033' typescript)" -eq 0 ] ;;
		esac
		# no colours anywhere
		[ "$(grep -c $'\033\\[[0-9;]*m' typescript)" -eq 0 ]
	done
}

@test "help metrics has every metric of a run, in the same words" {
	"$ZONESIM" help metrics | tr -s ' \n' ' ' >words
	"$ZONESIM" run short.yaml -q --json >metrics.json || [ $? -eq 3 ]
	jq -r '.points[0].metrics | to_entries[] | "\(.key)\t\(.value.help)"' metrics.json >metrics
	[ "$(wc -l <metrics)" -ge 9 ]
	while IFS=$'\t' read -r name help; do
		grep -qF "$name" words
		grep -qiF "$help" words || { echo "$name: $help"; exit 1; }
	done <metrics
}

@test "a last line without newline, and lines as in DOS" {
	printf 'machine: skylake-2s\r\nkernel: v4.15\r\nworkload.region: 1MiB\r\nworkload: page_fault1\r\nmeasure: {precision: 50%%, time-limit: 20ms}\r\ntasks: 2' >dos.yaml
	run --separate-stderr "$ZONESIM" run dos.yaml -q --json
	[ "$status" -eq 0 ]
	printf '%s\n' "$output" | grep -q '"tasks": 2,'
}

@test "exit status 3 when the precision was not reached" {
	run --separate-stderr "$ZONESIM" run short.yaml -q --json --set tasks=1 \
		--set workload.region=32MiB --set measure.time-limit=3ms
	[ "$status" -eq 3 ]
	printf '%s\n' "$output" | grep -q '"status": "imprecise"'
}

@test "as many nodes, CPUs and pairs as there may be have all the locks they need" {
	sed 's/^name: .*/name: largest/; s/^sockets: {value: 4/sockets: {value: 8/
		s/^cores-per-socket: {value: 24/cores-per-socket: {value: 64/' \
		"$MODELS/skylake-4s.yaml" >largest.yaml
	cat >pairs.yaml <<-'END'
		machine: ./largest.yaml
		kernel: v6.6
		workload: bw_unix
		tasks: all
		measure: {time-limit: 1ms}
	END
	# too short for a figure, but not failed
	run -3 "$ZONESIM" run pairs.yaml -q --json
	[ "$(jq -r '.points[0].status' <<<"$output")" = imprecise ]
	[ "$(jq '.points[0].config.tasks' <<<"$output")" = 1024 ]
}

@test "a point that crashes fails; the others do not" {
	"$ZONESIM" run short.yaml -j 2 --json $long --set patches=[] --set tasks=[112,1] \
		>out 2>err &
	parent=$!
	list=$(children $parent 1)
	# The second point is short: wait until its line of progress is there.
	for _ in $(seq 100); do
		grep -q '^1/2 ' err && break
		sleep 0.05
	done
	kill -SEGV ${list%% *}
	status=0
	wait $parent || status=$?
	cat err
	[ "$status" -eq 1 ]
	grep -q '"status": "failed"' out
	grep -q '"failure": "the simulator crashed: SIGSEGV (Segmentation fault)"' out
	[ "$(grep -c '"status": ' out)" -eq 2 ]
	[ "$(grep -c '"status": "failed"' out)" -eq 1 ]
}

@test "Ctrl-C ends it with 130, and nothing is left" {
	"$ZONESIM" run short.yaml -j 2 --json -q -o r.json $long >out 2>err &
	parent=$!
	list=$(children $parent 2)
	kill -INT $parent
	status=0
	wait $parent || status=$?
	[ "$status" -eq 130 ]
	[ "$(cat err)" = "zonesim: interrupted" ]
	[ ! -s out ]
	[ "$(ls)" = "err
out
short.yaml" ]
	for child in $list; do
		ends $child
	done
}

@test "points do not outlive the command" {
	"$ZONESIM" run short.yaml -j 2 -q $long >out 2>err &
	parent=$!
	list=$(children $parent 2)
	kill -KILL $parent
	wait $parent || true
	for child in $list; do
		ends $child
	done
}

@test "results that standard output does not take are an error" {
	run bash -c '"$ZONESIM" run short.yaml -q --json >/dev/full'
	[ "$status" -eq 1 ]
	[ "$output" = "zonesim: can not write to standard output: No space left on device" ]
}

@test "show: lock_stat's columns, zoneinfo, buddyinfo, pagetypeinfo, vmstat, counters" {
	"$ZONESIM" run short.yaml -q -o r.json >/dev/null
	run --separate-stderr "$ZONESIM" show r.json -p 4
	[ "$status" -eq 0 ]
	[ "${lines[0]}" = "point 4: skylake-2s, v4.15, page_fault1" ]
	printf '%s\n' "$output" | grep -qxE ' +class name +con-bounces +contentions +waittime-min +waittime-max +waittime-total +waittime-avg +acq-bounces +acquisitions +holdtime-min +holdtime-max +holdtime-total +holdtime-avg'
	printf '%s\n' "$output" | grep -qE '^ +.*zone->lock.*:( +[0-9.]+){12}$'
	printf '%s\n' "$output" | grep -q '^served from '
	printf '%s\n' "$output" | grep -q '^counter '
	printf '%s\n' "$output" | grep -q '^Node 0, zone '
	# the kernel's figures and ours of the same
	printf '%s\n' "$output" | grep -q '^Free pages count per migrate type at order'
	for name in pgalloc:pgalloc_normal pgfree:pgfree pgfault:pgfault; do
		value=$(awk -v name="${name%:*}" '$1 == name && NF > 2 { print $2 }' <<<"$output")
		[ "$value" -gt 0 ]
		grep -qxF "${name#*:} $value" <<<"$output"
	done
	# all nodes' free pages, which zoneinfo has one by one
	free=$(awk '$1 == "pages" && $2 == "free" { sum += $3 } END { print sum }' <<<"$output")
	grep -qxF "nr_free_pages $free" <<<"$output"
	run --separate-stderr "$ZONESIM" show r.json -p 5
	[ "$status" -eq 2 ]
	[ "$stderr" = "zonesim: there is no point 5: r.json has 4" ]
}

@test "show runs a scenario" {
	run --separate-stderr "$ZONESIM" show short.yaml -q --set tasks=1 --set patches=[]
	[ "$status" -eq 0 ]
	[ "${lines[0]}" = "point 1: skylake-2s, v4.15, page_fault1" ]
}

@test "plot draws a result" {
	command -v gnuplot >/dev/null || skip "no gnuplot here"
	"$ZONESIM" run short.yaml -q -o r.json >/dev/null
	run --separate-stderr "$ZONESIM" plot r.json -o r.svg
	[ "$status" -eq 0 ]
	grep -q '</svg>' r.svg
}

@test "locks of a node that share a name are one row, in print and in a store" {
	cat >pairs.yaml <<'END'
name: Two pairs on each socket
machine: icelake-2s
kernel: v6.6
workload: bw_unix
tasks: 8
measure: {precision: 50%, time-limit: 2ms}
END
	run "$ZONESIM" run pairs.yaml -q --db own.db
	[ "$status" -eq 3 ]
	[[ "$output" != *"own.db"* ]]
	run "$ZONESIM" show pairs.yaml -q
	[ "$(grep -c "sk_receive_queue node 0:" <<<"$output")" -eq 1 ]
	[ "$(grep -c "sk_receive_queue node 1:" <<<"$output")" -eq 1 ]
}
