#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-3.0-or-later
# Sweeps in shards, by the launchers for GNU parallel and Slurm.

bats_require_minimum_version 1.5.0

# From meson: the directory of the scripts, the program, and the directory of machine files.
: "${TOOLS:?}" "${ZONESIM:?}" "${MODELS:?}"

setup()
{
	mkdir "$BATS_TEST_TMPDIR/here" "$BATS_TEST_TMPDIR/bin"
	cd "$BATS_TEST_TMPDIR/here"
	cat >short.yaml <<'END_OF_SCENARIO'
name: A short one
machine: skylake-1s
kernel: v4.15
workload: {name: page_fault1, region: 1MiB}
tasks: 1
measure: {precision: 50%, time-limit: 20ms}
END_OF_SCENARIO
	own_path=$PATH
}

teardown()
{
	PATH=$own_path
}

# An sbatch that runs each task of an array at once, one after the other.
fake_sbatch()
{
	cat >"$BATS_TEST_TMPDIR/bin/sbatch" <<'END_OF_SCRIPT'
#!/bin/sh
script=$(mktemp)
cat >"$script"
tasks=
for option; do
	case $option in
	--array=1-*) tasks=$(seq "${option#--array=1-}") ;;
	esac
	echo "$option" >>options
done
if [ -n "$tasks" ]; then
	for task in $tasks; do
		SLURM_ARRAY_TASK_ID=$task sh "$script" >"log-$task" 2>&1 || echo "task $task: $?" >&2
	done
else
	sh "$script" >log-merge 2>&1
fi
rm "$script"
echo 42
END_OF_SCRIPT
	chmod +x "$BATS_TEST_TMPDIR/bin/sbatch"
	PATH="$BATS_TEST_TMPDIR/bin:$PATH"
}

@test "sweep-slurm: an array of shards, and a job that merges" {
	fake_sbatch
	SBATCH_ARGS='--partition=long' run --separate-stderr "$TOOLS/sweep-slurm" 2 short.yaml \
		--over 'pcp.batch=31..35 step 2'
	echo "$output$stderr"
	[ "$status" -eq 0 ]
	[ "$stderr" = "" ]
	[ "${lines[0]}" = "3 points, 0 stored; no stored point tells how long the others take" ]
	[ "${lines[1]}" = "submitted: array 42 with 2 shards, then 42, which writes zonesim.db" ]
	[ "$(grep -cx -e --partition=long options)" -eq 2 ]
	grep -qx -e --dependency=afterany:42 options
	[ "$("$ZONESIM" query --scenarios)" = "short                    3 of 3 points, 0 failed  A short one" ]
}

@test "sweep-parallel: shards on this computer, merged" {
	command -v parallel >/dev/null || skip "no GNU parallel here"
	run --separate-stderr "$TOOLS/sweep-parallel" 2 short.yaml --over 'pcp.batch=31..35 step 2' \
		--set 'name=A "short" one'"'"'s title'
	echo "$output$stderr"
	[ "$status" -eq 0 ]
	[ "$("$ZONESIM" query --scenarios)" = "short                    3 of 3 points, 0 failed  A \"short\" one's title" ]
}

@test "sweep-parallel: a shard that fails is not overlooked, and the others are merged" {
	command -v parallel >/dev/null || skip "no GNU parallel here"
	mkdir zonesim-2-of-2.db
	run --separate-stderr "$TOOLS/sweep-parallel" 2 short.yaml --over 'pcp.batch=31..35 step 2'
	echo "$output$stderr"
	[ "$status" -eq 1 ]
	[[ "$stderr" == *"can not open the store zonesim-2-of-2.db"* ]]
	[[ "$stderr" == *"only 1 of 2 shards left a store"* ]]
	[ "$("$ZONESIM" query --scenarios)" = "short                    2 of 3 points, 0 failed  A short one" ]
}

@test "launchers: what will not do is said at once" {
	fake_sbatch
	for tool in sweep-slurm sweep-parallel; do
		run "$TOOLS/$tool"
		[ "$status" -eq 2 ]
		[[ "$output" == "Usage: $tool SHARDS SCENARIO"* ]]
		run "$TOOLS/$tool" many short.yaml
		[ "$status" -eq 2 ]
		[ "$output" = "$tool: many is no number of shards" ]
		run "$TOOLS/$tool" 2 short.yaml --over pcp.batsh=3
		[[ "$output" == *"did you mean 'pcp.batch'?"* ]] || [[ "$output" == *"not installed"* ]]
		[ ! -e zonesim-1-of-2.db ]
	done
}
