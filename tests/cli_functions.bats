#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-3.0-or-later
# Whose the instructions under the locks are, counted in a program that is compiled for it.

bats_require_minimum_version 1.5.0

# From meson: the program.
: "${ZONESIM:?}"

setup()
{
	cd "$BATS_TEST_TMPDIR"
	cat >short.yaml <<'END'
name: A short one
machine: skylake-2s
kernel: v4.14
workload: {name: page_fault1, region: 1MiB}
tasks: 4
measure: {precision: 50%, time-limit: 4ms}
END
}

# Simulate short.yaml with arguments $@ into r.json; it need not be precise.
run_short()
{
	"$ZONESIM" run short.yaml -q --functions -o r.json "$@" >out || [ $? -eq 3 ]
}

# jq must say true of the point in r.json, whose functions are $f.
holds()
{
	[ "$(jq ".points[0] | .functions as \$f | $1" r.json)" = true ] || {
		jq ".points[0] | .functions as \$f | ($1), \$f, .holds" r.json
		return 1
	}
}

@test "the functions' times are what holds take without waiting" {
	# other kernels, siblings that slow each other down, CPUs that give way to others within a hold
	for settings in "--set tasks=4" "--set kernel=v6.7" "--set tasks=60" \
		"--set kernel=v5.18 --set workload=pft" "--set kernel=v6.6 --set workload=bw_unix"; do
		# shellcheck disable=SC2086
		run_short $settings
		holds '[.holds[] | select(.count > 0) | .name as $hold | .instructions_ns /
			([$f[] | select(.hold == $hold) | .ns] | add)] |
			length > 0 and min > 0.99 and max < 1.01'
		holds '[$f | group_by(.hold)[] | [.[].percent] | add] | min > 99.999 and max < 100.001'
	done
}

@test "a function has its instructions, once for each time that it is called" {
	run_short
	# the counter of free pages is changed once in a refill, and for each of 31 pages in a drain
	holds '($f[] | select(.hold == "zone alloc" and .function == "__mod_zone_page_state")
			| .instructions) as $refill |
		($f[] | select(.hold == "zone free" and .function == "__mod_zone_page_state")
			| .instructions) as $drain |
		$drain / $refill > 27 and $drain / $refill < 32'
	# counters of node and zone are kept by the same code, and by as many calls, for the LRU
	holds '[$f[] | select(.hold == "lru" and (.function | startswith("__mod_"))) | .instructions] |
		length == 2 and .[0] == .[1]'
	# what the lists of the LRU do belongs to no hold of a zone
	holds '[$f[] | select(.function == "__pagevec_lru_add_fn") | .hold] == ["lru"]'
	# with one patch __rmqueue is a function no more
	holds '[$f[].function] | contains(["__rmqueue", "rmqueue_bulk_calling", "__free_one_page"])'
	run_short --set patches=[inline-rmqueue]
	holds '[$f[].function] | contains(["rmqueue_bulk_inlined"]) and index("__rmqueue") == null'
}

@test "a run is the same with functions and without" {
	for settings in "--set tasks=8" "--set tasks=8 --set kernel=v6.7 --set workload=bw_unix"; do
		# shellcheck disable=SC2086
		run_short $settings
		# shellcheck disable=SC2086
		"$ZONESIM" run short.yaml -q -o without.json $settings >/dev/null || [ $? -eq 3 ]
		[ "$(jq '.points[0] | has("functions")' without.json)" = false ]
		for name in r without; do
			jq 'del(.points[0].host, .points[0].functions)' $name.json >$name
		done
		grep -q '"mean"' r
		cmp r without
	done
}

@test "functions in print: 80 columns, under the table of run, and by show" {
	run_short
	"$ZONESIM" show r.json --functions >shown
	for file in out shown; do
		sed -n '/^in a hold /,/^$/p' $file >list
		[ "$(awk 'length > 80' list | wc -l)" -eq 0 ]
		[ "$(wc -l <list)" -eq $(($(jq '.points[0].functions | length' r.json) + 2)) ]
		grep -qE '^zone free +__free_one_page +[0-9.]+ +[0-9.]+ +[0-9.]+%$' list
	done
	# with the others
	run_short --c2c -t t.json
	[ "$(jq '.points[0] | has("functions") and has("c2c") and has("timeline")' r.json)" = true ]
	[ "$(jq '.traceEvents | length > 10' t.json)" = true ]
}

@test "what can not have functions is refused" {
	"$ZONESIM" run short.yaml -q -o plain.json >/dev/null || [ $? -eq 3 ]
	run "$ZONESIM" show plain.json --functions
	[ "$status" -eq 2 ]
	[ "$output" = "zonesim: plain.json has no functions: it was run without --functions" ]
	run "$ZONESIM" run short.yaml --functions --csv
	[ "$status" -eq 2 ]
	[ "${lines[0]}" = "zonesim run: --functions and --csv exclude each other" ]
	# without the program beside it
	cp "$ZONESIM" alone
	run ./alone run short.yaml --functions
	[ "$status" -eq 2 ]
	[ "$output" = "zonesim: --functions: can not run $PWD/alone-functions: No such file or directory" ]
}
