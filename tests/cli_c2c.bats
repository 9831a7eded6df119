#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-3.0-or-later
# The cache lines that cost most: against what the run counts of accesses and locks by other ways.

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
tasks: 8
measure: {precision: 50%, time-limit: 4ms}
END
}

# Simulate short.yaml with arguments $@ into r.json; it need not be precise.
run_short()
{
	"$ZONESIM" run short.yaml -q --c2c -o r.json "$@" >out || [ $? -eq 3 ]
}

# jq must say true of r.json, whose lines are $l, and whose other counts are in the point.
holds()
{
	[ "$(jq ".points[0] | .c2c as \$l | $1" r.json)" = true ]
}

@test "all transfers, upgrades, hits in an LLC and lines from DRAM are some line's" {
	# of one socket, of two, and with more lines than there is room for
	for settings in "--set tasks=8" "--set tasks=40" \
		"--set tasks=8 --set workload=bw_unix" \
		"--set tasks=120 --set machine=skylake-4s"; do
		# shellcheck disable=SC2086
		run_short $settings --set measure.time-limit=1ms
		for source in dirty-socket dirty-remote upgrade llc llc-remote dram dram-remote; do
			holds "([\$l[].sources[\"$source\"].count // 0] | add) ==
				(.served[] | select(.name == \"$source\") | .value)"
		done
	done
	holds '$l | length == 64 and .[-1].name == "all others" and .[-1].lines > 1'
}

@test "the lines of locks are handed over as often as someone waited, in the time that it takes" {
	run_short
	# by the published layout the lock follows 11 free areas of 88 bytes and flags: 976 bytes in
	holds '(.locks[] | select(.name == "zone->lock node 0") | .contentions) ==
		($l[] | select(.name == "zone free_area[10], flags, lock node 0")
			| .sources["hand-over"].count)'
	holds '(.locks[] | select(.name == "lru_lock node 0") | .contentions) ==
		($l[] | select(.name == "pglist_data lru_lock node 0") | .sources["hand-over"].count)'
	holds '[.holds[] | .handed_over_ns * .count] | add > 10000'
	holds '([.holds[] | .handed_over_ns * .count] | add) as $ns |
		([$l[].sources["hand-over"].seconds // 0] | add * 1e9) / $ns | . > 0.999999 and . < 1.000001'
}

@test "who pays is who holds" {
	run_short
	# all that is paid is paid for something
	holds '[$l[] | ([.paid_by[]] | add) / ([.sources[].seconds] | add)] | min > 0.999999 and max < 1.000001'
	holds '[$l[] | .seconds / ([.paid_by[]] | add)] | min > 0.999999 and max < 1.000001'
	# lists of the LRU are used under its lock alone, free areas never under it
	holds '[$l[] | select(.name | startswith("mem_cgroup"))] |
		length >= 3 and all(.paid_by.lru == .seconds)'
	holds '[$l[] | select(.name | startswith("zone free_area[0]"))] |
		length >= 2 and all(.paid_by.lru == 0 and .paid_by["zone alloc"] > 0 and .paid_by["zone free"] > 0)'
	# nor is the lock that lies behind them wanted for it
	holds '[$l[] | select(.name | test("^zone free_area.* lock "))] | length == 1 and
		all(.sources["hand-over"].count > 0 and .paid_by.lru == 0)'
	# a list of the dearest first
	holds '[$l[].seconds] | . == (sort | reverse)'
	# a CPU alone takes nothing from others
	run_short --set tasks=1
	holds '[$l[].sources | keys[]] | unique - ["dram", "l2", "llc"] == []'
}

@test "a run is the same with the list and without" {
	run_short
	"$ZONESIM" run short.yaml -q -o without.json >/dev/null || [ $? -eq 3 ]
	[ "$(jq '.points[0] | has("c2c")' without.json)" = false ]
	for name in r without; do
		jq 'del(.points[0].host, .points[0].c2c)' $name.json >$name
	done
	grep -q '"mean"' r
	cmp r without
}

@test "the list in print: 80 columns, under the table of run, and by show" {
	run_short --set measure.time-limit=1ms --set tasks=[8,40]
	[ "$(grep -c '^cache lines by what it took' out)" -eq 2 ]
	grep -q '^skylake-2s v4.15 page_fault1, 40 tasks' out
	"$ZONESIM" show r.json -p 1 --c2c >shown
	sed -n '/^cache lines by/,/^$/p' shown >list
	cat list
	[ "$(awk 'length > 80' list | wc -l)" -eq 0 ]
	# a head of three lines, two for each of 16, and an empty one
	[ "$(wc -l <list)" -eq 36 ]
	# the first one, figure by figure
	sed -n 4p list | grep -qxF "$(jq -r '.points[0].c2c[0].name' r.json)"
	jq -r '.points[0].c2c as $l | $l[0] | .sources as $s | .paid_by as $p | .seconds as $t |
		def count($names): [$names[] as $n | $s[$n].count // 0] | add;
		[100 * .seconds / ([$l[].seconds] | add), .seconds * 1e9 / ([$s[].count] | add),
		count(["dirty-socket", "dirty-remote"]), count(["upgrade"]), count(["llc", "llc-remote"]),
		count(["dram", "dram-remote"]), count(["l2"]), count(["hand-over"]),
		(100 * $p["zone alloc"], 100 * $p["zone free"], 100 * $p.lru,
			100 * ($p.none + $p.other)) / $t] | .[]' r.json >expected
	sed -n 5p list | tr -d %- | tr -s ' ' '\n' | grep . >printed
	[ "$(wc -l <printed)" -eq 12 ]
	paste expected printed | awk '{ unit = 1 } $2 ~ /k$/ { unit = 1000; sub(/k/, "", $2) }
		{ d = $1 - $2 * unit; if (d < 0) d = -d; if (d > 0.51 + 0.05 * (unit - 1)) exit 1 }'
}

@test "what has no list is refused" {
	"$ZONESIM" run short.yaml -q -o plain.json >/dev/null || [ $? -eq 3 ]
	run "$ZONESIM" show plain.json --c2c
	[ "$status" -eq 2 ]
	[ "$output" = "zonesim: plain.json has no cache lines: it was run without --c2c" ]
	run "$ZONESIM" run short.yaml --c2c --csv
	[ "$status" -eq 2 ]
	[ "${lines[0]}" = "zonesim run: --c2c and --csv exclude each other" ]
	run "$ZONESIM" run short.yaml --c2c --db own.db
	[ "$status" -eq 2 ]
	[ "${lines[0]}" = "zonesim run: --c2c and --db exclude each other: a point from the store is not simulated" ]
	[ ! -e own.db ]
}
