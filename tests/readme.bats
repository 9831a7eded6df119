#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-3.0-or-later
# Every command that the README tells a reader to type, on points as short as points can be.

bats_require_minimum_version 1.5.0

# From meson: the program, and the root of the source.
: "${ZONESIM:?}" "${SOURCE:?}"

short=(--set workload.region=256KiB --set measure.time-limit=1ms --set measure.precision=50%)

setup()
{
	cd "$BATS_TEST_TMPDIR"
	mkdir build
	ln -s "$ZONESIM" build/zonesim
	ln -s "$SOURCE/scenarios" scenarios
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

# The commands, without their comments.
commands()
{
	sed -n 's/^    \(build\/zonesim [^#]*\).*/\1/p; s/^`\(build\/zonesim plot [^`]*\)`.*/\1/p' \
		"$SOURCE/README.md"
}

@test "every command of the README runs" {
	[ "$(commands | wc -l)" -ge 6 ]
	short_data
	while read -r -a command; do
		case ${command[1]} in
		run) command+=(-q "${short[@]}") ;;
		validate) command=(env ZONESIM_DATA=data "${command[@]}" -q) ;;
		esac
		echo "${command[*]}"
		run "${command[@]}"
		echo "$output"
		# 3: not as precise as asked, which so short a point need not be
		[ "$status" -eq 0 ] || [ "$status" -eq 3 ]
	done < <(commands)
}

@test "the scenario in the README is one" {
	sed -n '/^```yaml$/,/^```$/p' "$SOURCE/README.md" | grep -v '^```' >readme.yaml
	run build/zonesim run readme.yaml -q "${short[@]}"
	[ "$status" -eq 0 ] || [ "$status" -eq 3 ]
}
