#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-3.0-or-later
# What the command prints without simulating anything.

bats_require_minimum_version 1.5.0

# From meson: the program, and the directory of machine files.
: "${ZONESIM:?}" "${MODELS:?}"

# Compare the output of zonesim $@ with standard input.
prints()
{
	expected=$(cat)
	run --separate-stderr "$ZONESIM" "$@"
	[ "$status" -eq 0 ]
	[ "$stderr" = "" ]
	if [ "$output" != "$expected" ]; then
		printf 'expected:\n%s\ngot:\n%s\n' "$expected" "$output"
		return 1
	fi
}

@test "--version everywhere" {
	for command in "" $("$ZONESIM" --help | sed -n 's/^  \([a-z]*\) .*/\1/p'); do
		# Unquoted, so that nothing is passed for the empty one.
		run --separate-stderr "$ZONESIM" $command --version
		[ "$status" -eq 0 ]
		[ "$output" = "zonesim 0.1.0" ]
		[ "$stderr" = "" ]
	done
}

@test "--help everywhere, on standard output" {
	for command in "" $("$ZONESIM" --help | sed -n 's/^  \([a-z]*\) .*/\1/p'); do
		run --separate-stderr "$ZONESIM" $command --help
		[ "$status" -eq 0 ]
		[ "$stderr" = "" ]
		case "$output" in
		"Usage: zonesim "*) ;;
		*) false ;;
		esac
	done
}

@test "help lists the subcommands and topics" {
	prints help <<'END'
Subcommands (`zonesim help NAME`):
  new          write a scenario to start from
  run          simulate the points of a scenario
  sweep        simulate a grid of points into a store
  query        list the points of a store
  compare      compare two sets of points of a store
  merge        join stores, such as those of the shards of a sweep
  report       put points of a store into one page of HTML
  tune         look for the settings that make a goal large
  show         show locks, zones and counters of a run
  explain      say which figures of the machine a result rests on
  plot         draw a run, or points of a store, as SVG
  validate     hold the simulation against published measurements
  calibrate    fit figures to published measurements
  list         list machines, kernels, patches, workloads or scenarios
  platform     print a machine as a SimGrid platform
  doctor       say whether all that zonesim needs is here
  completion   print what a shell needs to complete commands
  help         explain a subcommand or a topic

Topics (`zonesim help NAME`):
  scenario     what a scenario may set
  metrics      what a run measures
  machine      the figures that describe a machine
  marks        how sure the figures of a machine are
  verdicts     how near to published figures is near enough
  exit-status  what the exit status says
END
}

@test "help on a subcommand is its --help" {
	[ "$("$ZONESIM" help list)" = "$("$ZONESIM" list --help)" ]
}

@test "help scenario tells every option" {
	run "$ZONESIM" help scenario
	[ "$status" -eq 0 ]
	for path in name machine kernel workload workload.region tasks pcp.batch pcp.high \
		pcp.percpu-pagelist-fraction pcp.percpu-pagelist-high-fraction \
		measure.precision measure.time-limit measure.seed \
		patches; do
		printf '%s\n' "$output" | grep -qx "$path"
	done
}

@test "help verdicts" {
	prints help verdicts <<'END'
`zonesim validate` holds what it simulates against what was published. A
row with a published change is judged by the change, in percentage
points; a share of time in points of that share; any other row by its
value, in percent of the published one. The first line that fits a row
is its target:

  what    table                     metric          target
  change  pcp-keep-high-order-batch any other       15 points
  change  pcp-spinlock              any other       1 points, or -2..+1%
  change  any other                 any other       1 points
  share   any other                 cache_miss_rate 0.3 points
  share   any other                 any other       8 points
  value   batch-sweep               score           3%
  value   pcp-spinlock              any other       10%
  value   any other                 zone_lock_hold* 15%
  value   any other                 any other       5%

The verdicts:

  within    within the target
  near      a value or share within three times the target
  sign      a change in the right direction, or both up to 1%
  left-out  not simulated: --quick leaves it out
  wrong     none of these
  missing   can not be simulated; counts as wrong
END
}

@test "help metrics and help machine tell all there are" {
	for metric in zone_lock_spin_share lru_lock_hold; do
		"$ZONESIM" help metrics | grep -qx "$metric"
	done
	"$ZONESIM" help metrics | grep -q '^    drain_time: '
	# cpu and what stands above it are no figures
	sed -n 's/^\([a-z0-9-]*\): {.*/\1/p' "$MODELS/skylake-2s.yaml" "$MODELS/coefficients.yaml" |
		while read -r figure; do
			"$ZONESIM" help machine | grep -qx "$figure" || { echo "$figure"; exit 1; }
		done
}

@test "no list and no help is wider than 80 columns" {
	while read -r words; do
		# Unquoted, so that they are several.
		wide=$("$ZONESIM" $words | awk 'length > 80')
		[ -z "$wide" ] || { printf '%s:\n%s\n' "$words" "$wide"; false; }
	done <<-'END'
		list machines
		list machines skylake-2s
		list kernels
		list patches
		list workloads
		list scenarios
		help
		help scenario
		help metrics
		help machine
		help marks
		help verdicts
		help exit-status
	END
	for command in $("$ZONESIM" --help | sed -n 's/^  \([a-z]*\) .*/\1/p'); do
		[ -z "$("$ZONESIM" "$command" --help | awk 'length > 80')" ]
	done
}

@test "the manual page has all subcommands, and troff finds nothing wrong with it" {
	command -v groff >/dev/null || skip "no groff here"
	"$ZONESIM" help --man >"$BATS_TEST_TMPDIR/zonesim.1"
	run groff -man -ww -Tascii -P-c -rLL=80n "$BATS_TEST_TMPDIR/zonesim.1"
	[ "$status" -eq 0 ]
	# A warning would stand among the lines.
	[ -z "$(printf '%s\n' "$output" | grep 'zonesim.1:' )" ]
	# bold is printed twice
	page=$(printf '%s\n' "$output" | sed 's/.\x08//g')
	[ -z "$(printf '%s\n' "$page" | awk 'length > 80')" ]
	for command in $("$ZONESIM" --help | sed -n 's/^  \([a-z]*\) .*/\1/p'); do
		printf '%s\n' "$page" | grep -qE "^ +zonesim $command \[OPTION...\]"
	done
	printf '%s\n' "$page" | grep -q '^ *-o, --output=FILE'
	printf '%s\n' "$page" | grep -q '^ *pcp.batch$'
	run --separate-stderr "$ZONESIM" help --man run
	[ "$status" -eq 2 ]
}

@test "list machines" {
	prints list machines <<'END'
NAME           SxCxT  CPUS CLOCK   LLC      MEMORY  CPU
broadwell-1s   1x6x2  12   3.8 GHz 15 MiB   32 GiB  Intel Xeon E5-1650 v4
broadwell-2s   2x22x2 88   2.2 GHz 55 MiB   128 GiB 2 x Intel Xeon E5-2699 v4
broadwell-4s   4x24x2 192  2.2 GHz 60 MiB   512 GiB 4 x Intel Xeon E7-8890 v4
cascadelake-2s 2x24x2 96   2.4 GHz 35.8 MiB 192 GiB 2 x Intel Xeon Platinum 8260
icelake-2s     2x32x2 128  2.6 GHz 48 MiB   256 GiB 2 x Intel Xeon Gold 6338
skylake-1s     1x4x2  8    3.7 GHz 8 MiB    8 GiB   Intel Core i7-6700
skylake-2s     2x28x2 112  2.5 GHz 38.5 MiB 64 GiB  2 x Intel Xeon Platinum 8180
skylake-4s     4x24x2 192  2.1 GHz 33 MiB   768 GiB 4 x Intel Xeon Platinum 8160
END
}

@test "a machine's figures, each with mark and source" {
	run "$ZONESIM" list machines skylake-2s
	[ "$status" -eq 0 ]
	[ "${lines[0]}" = "skylake-2s: 2 x Intel Xeon Platinum 8180" ]
	[ "$(printf '%s\n' "$output" | grep -c '^  [a-z]')" -eq 40 ]
	printf '%s\n' "$output" | grep -qxE \
		'  dram-local +81 ns +V  MLC on two Platinum 8180 \(FD.io CSIT\)'
	printf '%s\n' "$output" | grep -qE '  clear-page-cold +370 ns +D  259 ns to 481 ns; '
}

@test "list machines --json" {
	run --separate-stderr "$ZONESIM" list machines --json
	[ "$status" -eq 0 ]
	[ "$stderr" = "" ]
	[ "${lines[0]}" = "[" ]
	[ "${lines[-1]}" = "]" ]
	[ "$(printf '%s\n' "$output" | grep -c '"cpus": ')" -eq 8 ]
	[ "$(printf '%s\n' "$output" | grep -c '"key": "dram-local"')" -eq 8 ]
	printf '%s\n' "$output" | grep -A6 '"key": "dram-local"' | grep -q '"text": "81 ns"'
}

@test "list patches" {
	run "$ZONESIM" list patches
	[ "$status" -eq 0 ]
	[ "${lines[2]}" = "pick-outside-lock         v4.17  0a5f4e5b4562" ]
	[ "${lines[3]}" = "    choose the pages to drain before taking zone->lock" ]
	printf '%s\n' "$output" | grep -qx '    needs: pick-outside-lock'
}

@test "list kernels" {
	run "$ZONESIM" list kernels
	[ "$status" -eq 0 ]
	printf '%s\n' "$output" | grep -q '^v4.14 '
	printf '%s\n' "$output" | grep -A1 '^v4.15 ' | grep -qx '    patches: inline-rmqueue'
}

@test "list workloads" {
	run "$ZONESIM" list workloads
	[ "$status" -eq 0 ]
	for workload in alloc_free page_fault1 page_fault1_threads page_fault2 page_fault3 pft; do
		printf '%s\n' "$output" | grep -qx "$workload"
	done
	printf '%s\n' "$output" | grep -qx \
		'    score: pagesets drained per second (drains/s)'
	printf '%s\n' "$output" | grep -A1 '^    page_cost: ' | grep -q '(cycles)$'
	printf '%s\n' "$output" | grep -A1 '^    region: ' | grep -q '128 MiB unless set'
}

@test "list scenarios" {
	prints list scenarios <<'END'
batch                   3 points  More pages at once, zone->lock less often
bulk-pages             20 points  Many pages in one call, and one function
                                  inlined
inline-rmqueue          4 points  Inline __rmqueue
keep-high-order-batch   2 points  Keep a batch when blocks of pages are freed in
                                  a row
pcp-spinlock           10 points  The pagesets under a spinlock of their own
pick-outside-lock       8 points  Do not hold zone->lock while picking pages to
                                  free
scaling                10 points  page_fault1 with a growing number of tasks
END
}

@test "platform prints a SimGrid platform" {
	run --separate-stderr "$ZONESIM" platform skylake-2s
	[ "$status" -eq 0 ]
	[ "$stderr" = "" ]
	[ "${lines[0]}" = "<?xml version='1.0'?>" ]
	[ "$(printf '%s\n' "$output" | grep -c '<host ')" -eq 112 ]
	[ "${lines[-1]}" = "</platform>" ]
}

@test "standard output that takes nothing is an error" {
	run bash -c '"$ZONESIM" list machines >/dev/full'
	[ "$status" -eq 1 ]
	[ "$output" = "zonesim: can not write to standard output: No space left on device" ]
	run bash -c '"$ZONESIM" list machines >&-'
	[ "$status" -eq 1 ]
	run bash -c '"$ZONESIM" run --help >/dev/full'
	[ "$status" -eq 1 ]
}

@test "data is looked for in ZONESIM_DATA first" {
	mkdir -p "$BATS_TEST_TMPDIR/models"
	sed 's/skylake-2s/my-machine/' "$MODELS/skylake-2s.yaml" \
		>"$BATS_TEST_TMPDIR/models/my-machine.yaml"
	ZONESIM_DATA=$BATS_TEST_TMPDIR run "$ZONESIM" list machines
	[ "$status" -eq 0 ]
	[ "${#lines[@]}" -eq 2 ]
	case "${lines[1]}" in
	my-machine*) ;;
	*) false ;;
	esac
}
