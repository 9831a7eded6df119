#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-3.0-or-later
# Every command that the README and docs/ tell a reader to type, and every scenario, on points as short
# as points can be.

bats_require_minimum_version 1.5.0

# From meson: the program, and the root of the source.
: "${ZONESIM:?}" "${SOURCE:?}"

hasty=(--set measure.time-limit=1ms --set measure.precision=50%)
short=(--set workload.region=256KiB "${hasty[@]}")

setup()
{
	cd "$BATS_TEST_TMPDIR"
	mkdir build
	ln -s "$ZONESIM" build/zonesim
	ln -s "$SOURCE/scenarios" scenarios
	ln -s "$SOURCE/models" models
	build/zonesim run scenarios/pick-outside-lock.yaml -q "${short[@]}" --set machine=skylake-2s \
		--set tasks=2 --set measure.time-limit=20ms -o build/pick-outside-lock.json >/dev/null ||
		[ $? -eq 3 ]
}

# Data with a published table of one row, which a validation is done with in a moment.
short_data()
{
	mkdir -p data/results/published
	ln -s "$SOURCE/models" data/models
	head -n 4 "$SOURCE/results/published/pick-outside-lock.csv" >data/results/published/own.csv
	echo 'skylake-2s,page_fault1,1,v4.15,,,,,lru_lock_spin_share,percent,0.5,,somebody' \
		>>data/results/published/own.csv
}

# The commands of file $1, without their comments.
commands()
{
	sed -n 's/^    \(\(build\/zonesim\|cp\) [^#]*\).*/\1/p; s/^`\(build\/zonesim plot [^`]*\)`.*/\1/p' \
		"$SOURCE/$1"
}

# Run the command $@ and see that it did well.
run_only()
{
	echo "$*"
	run "$@"
	echo "$output"
	# 3: not as precise as asked, which so short a point need not be
	[ "$status" -eq 0 ] || [ "$status" -eq 3 ]
}

# Run the command $@, made short.
run_shortly()
{
	case "$1 $2 $*" in
	"build/zonesim run "*workload=*) set -- "$@" -q "${hasty[@]}" ;;
	"build/zonesim run "*) set -- "$@" -q "${short[@]}" ;;
	"build/zonesim tune "*) set -- "$@" -q "${short[@]}" --set tasks=2 --budget 5 ;;
	"build/zonesim sweep "*--dry-run*) ;;
	"build/zonesim sweep "*) set -- "$@" -q "${short[@]}" --set tasks=2 ;;
	"build/zonesim explain "*) set -- "$@" -q "${short[@]}" --set tasks=2 ;;
	"build/zonesim calibrate "*) set -- "$@" -q ;;
	"build/zonesim validate "*) set -- env ZONESIM_DATA=data "$@" -q ;;
	esac
	run_only "$@"
}

# Run all commands of file $1, of which there are at least $2.
run_commands()
{
	[ "$(commands "$1" | wc -l)" -ge "$2" ]
	short_data
	while read -r line; do
		# Some have quotes.
		eval "command=($line)"
		run_shortly "${command[@]}"
	done < <(commands "$1")
}

@test "every command of the README runs" {
	run_commands README.md 12
}

@test "every command of docs/tutorial.md runs" {
	run_commands docs/tutorial.md 14
}

@test "every command of docs/adding.md runs" {
	run_commands docs/adding.md 12
}

@test "every command of docs/COMPARE.md runs" {
	run_commands docs/COMPARE.md 2
}

@test "every question of docs/STORE.md has an answer" {
	command -v sqlite3 >/dev/null || skip "no sqlite3 here"
	run_only build/zonesim sweep batch -q "${short[@]}" --set tasks=2
	sed -n '/^    sqlite3 /,/"$/s/^    //p' "$SOURCE/docs/STORE.md" >questions
	[ "$(grep -c '^sqlite3 ' questions)" -eq 6 ]
	run bash -e questions
	echo "$output"
	[ "$status" -eq 0 ]
	printf '%s\n' "$output" | grep -q '^name: More pages at once'
}

@test "every scenario runs" {
	for scenario in scenarios/*.yaml; do
		set -- build/zonesim run "$scenario" -q --set tasks=2 "${hasty[@]}"
		grep -qE '^workload: (page_fault1|pft)' "$scenario" &&
			set -- "$@" --set workload.region=256KiB
		run_only "$@"
	done
}

@test "the scenario in docs/tutorial.md is one" {
	sed -n '/^```yaml$/,/^```$/p' "$SOURCE/docs/tutorial.md" | grep -v '^```' >tutorial.yaml
	run build/zonesim run tutorial.yaml -q "${short[@]}"
	[ "$status" -eq 0 ] || [ "$status" -eq 3 ]
}
