#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-3.0-or-later
# Bad input: one clear message with its place, exit status 2, and no result.

bats_require_minimum_version 1.5.0

# From meson: the program, and the directory of machine files.
: "${ZONESIM:?}" "${MODELS:?}"

setup()
{
	cd "$BATS_TEST_TMPDIR"
	base='machine: skylake-2s
kernel: v4.15
workload: page_fault1'
}

# A scenario of the lines $@ after the usual three.
scenario()
{
	printf '%s\n' "$base" "$@" >s.yaml
}

# zonesim run $@ must say exactly what stands on standard input, and nothing else.
refused()
{
	expected=$(cat)
	run --separate-stderr "$ZONESIM" run --json -o result.json "$@"
	[ "$status" -eq 2 ]
	[ "$output" = "" ]
	[ ! -e result.json ]
	if [ "$stderr" != "$expected" ]; then
		printf 'expected:\n%s\ngot:\n%s\n' "$expected" "$stderr"
		return 1
	fi
}

@test "unknown key" {
	scenario 'tsaks: 4'
	refused s.yaml <<'END'
s.yaml:4:1: unknown key 'tsaks': did you mean 'tasks'?
    tsaks: 4
    ^
END
}

@test "unknown key that is like no other" {
	scenario 'frobnicate: 4'
	refused s.yaml <<'END'
s.yaml:4:1: unknown key 'frobnicate': see `zonesim help scenario`
    frobnicate: 4
    ^
END
}

@test "unknown key below another" {
	scenario 'pcp: {batch: 31, hihg: 186}'
	refused s.yaml <<'END'
s.yaml:4:18: unknown key 'hihg' in pcp: did you mean 'high'?
    pcp: {batch: 31, hihg: 186}
                     ^
END
}

@test "unknown parameter of a workload" {
	printf '%s\n' 'machine: skylake-2s' 'kernel: v4.15' \
		'workload: {name: page_fault1, regoin: 1GiB}' >s.yaml
	refused s.yaml <<'END'
s.yaml:3:31: unknown key 'regoin' in workload: did you mean 'region'?
    workload: {name: page_fault1, regoin: 1GiB}
                                  ^
END
}

@test "unknown machine, kernel, workload, patch" {
	scenario
	refused s.yaml --set machine=skylake2s <<'END'
--set:1:9: unknown machine 'skylake2s': did you mean 'skylake-2s'?
    machine=skylake2s
            ^
END
	refused s.yaml --set kernel=4.15 <<'END'
--set:1:8: unknown kernel '4.15': did you mean 'v4.15'?
    kernel=4.15
           ^
END
	refused s.yaml --set workload=page_fault <<'END'
--set:1:10: unknown workload 'page_fault': did you mean 'page_fault1'?
    workload=page_fault
             ^
END
	refused s.yaml --set 'patches=[[], [pick-outside-lok]]' <<'END'
--set:1:15: unknown patch 'pick-outside-lok': did you mean 'pick-outside-lock'?
    patches=[[], [pick-outside-lok]]
                  ^
END
}

@test "a key that must be given" {
	printf 'kernel: v4.15\nworkload: page_fault1\n' >s.yaml
	refused s.yaml <<'END'
s.yaml:1:1: machine is missing: a name of `zonesim list machines`, or the path of a machine file (with a /)
    kernel: v4.15
    ^
END
}

@test "a key given twice" {
	scenario 'tasks: 1' 'tasks: 2'
	refused s.yaml <<'END'
s.yaml:5:1: 'tasks' is given twice
    tasks: 2
    ^
END
	scenario 'pcp: {batch: 31}' 'pcp.batch: 63'
	refused s.yaml <<'END'
s.yaml:5:12: pcp.batch is given twice
    pcp.batch: 63
               ^
END
}

@test "wrong type: a word for a number" {
	scenario 'pcp: {batch: many}'
	refused s.yaml <<'END'
s.yaml:4:14: pcp.batch: 'many' is not a whole number such as 4, without a unit
    pcp: {batch: many}
                 ^
END
}

@test "wrong type: a mapping for a value, a value for a mapping" {
	scenario 'tasks: {a: 1}'
	refused s.yaml <<'END'
s.yaml:4:8: tasks: expected a value, not a mapping
    tasks: {a: 1}
           ^
END
	scenario 'pcp: 31'
	refused s.yaml <<'END'
s.yaml:4:6: pcp: expected a mapping of keys to values
    pcp: 31
         ^
END
}

@test "wrong type: a patch that is no list" {
	scenario 'patches: pick-outside-lock'
	refused s.yaml <<'END'
s.yaml:4:10: patches: expected a list such as [pick-outside-lock], or a list of lists
    patches: pick-outside-lock
             ^
END
}

@test "wrong type: names and lists of patches mixed" {
	scenario 'patches: [[], pick-outside-lock]'
	refused s.yaml <<'END'
s.yaml:4:15: patches: names and lists mixed: write every set as a list
    patches: [[], pick-outside-lock]
                  ^
END
}

@test "neither a number nor all" {
	scenario 'tasks: some'
	refused s.yaml <<'END'
s.yaml:4:8: tasks: 'some' is neither a number nor 'all'
    tasks: some
           ^
END
}

@test "wrong unit" {
	scenario 'measure: {time-limit: 2MiB}'
	refused s.yaml <<'END'
s.yaml:4:23: measure.time-limit: '2MiB' has the wrong unit 'MiB': expected a time such as 50ns (ps, ns, us, ms, s)
    measure: {time-limit: 2MiB}
                          ^
END
}

@test "no unit" {
	scenario 'workload.region: 128'
	refused s.yaml <<'END'
s.yaml:4:18: workload.region: '128' has no unit: expected a size such as 128MiB (B, KiB, MiB, GiB, TiB)
    workload.region: 128
                     ^
END
}

@test "out of bounds" {
	scenario 'measure: {precision: 90%}'
	refused s.yaml <<'END'
s.yaml:4:22: measure.precision: 90% is out of bounds: 0.01% to 50%
    measure: {precision: 90%}
                         ^
END
}

@test "an empty value, an empty list, a value listed twice" {
	scenario 'tasks:'
	refused s.yaml <<'END'
s.yaml:4:7: tasks has no value: expected a whole number such as 4, without a unit
    tasks:
          ^
END
	scenario 'tasks: []'
	refused s.yaml <<'END'
s.yaml:4:8: tasks: the list is empty: nothing to run
    tasks: []
           ^
END
	scenario 'tasks: [4, 4]'
	refused s.yaml <<'END'
s.yaml:4:12: tasks: 4 is listed twice
    tasks: [4, 4]
               ^
END
}

@test "a patch that needs another" {
	scenario 'patches: [prefetch-buddy]'
	refused s.yaml <<'END'
s.yaml:4:10: patches: patch prefetch-buddy needs pick-outside-lock
    patches: [prefetch-buddy]
             ^
END
}

@test "a patch to remove that the release does not have" {
	scenario 'patches: [-pick-outside-lock]'
	refused s.yaml <<'END'
s.yaml:4:11: patches: pick-outside-lock can not be removed: v4.15 does not have it
    patches: [-pick-outside-lock]
              ^
END
}

@test "high below batch" {
	scenario 'pcp: {batch: 31, high: 30}'
	refused s.yaml <<'END'
s.yaml:4:24: pcp.high: high 30 is below batch 31: a drain would take more than there is; raise pcp.high or lower pcp.batch
    pcp: {batch: 31, high: 30}
                           ^
END
}

@test "more tasks than CPUs" {
	scenario 'tasks: [4, 113]'
	refused s.yaml <<'END'
s.yaml:4:12: tasks: 113 tasks, but skylake-2s has 112 logical CPUs; use at most that many, or 'all'
    tasks: [4, 113]
               ^
END
}

@test "a region larger than the memory" {
	scenario 'workload.region: 1TiB' 'tasks: 1'
	run --separate-stderr "$ZONESIM" run s.yaml --json
	[ "$status" -eq 2 ]
	[ "$output" = "" ]
	[ "$(printf '%s\n' "$stderr" | sed 1d)" = "    workload.region: 1TiB
                     ^" ]
	case "$stderr" in
	"s.yaml:4:18: workload"*"skylake-2s has 64 GiB"*) ;;
	*) false ;;
	esac
}

@test "the impossible is found before anything runs" {
	scenario 'tasks: [1, 2, 3, 4, 5, 113]'
	run --separate-stderr timeout 10 "$ZONESIM" run s.yaml
	[ "$status" -eq 2 ]
	case "$stderr" in
	s.yaml:4:24:*) ;;
	*) false ;;
	esac
}

@test "too many points" {
	scenario "tasks: [$(seq -s , 1 112)]" "measure: {seed: [$(seq -s , 1 90)]}"
	refused s.yaml <<'END'
zonesim: the lists combine to more than 10000 points
END
}

@test "no such file, a directory" {
	refused ./none.yaml <<'END'
zonesim: can not open ./none.yaml: No such file or directory
END
	mkdir d
	refused ./d <<'END'
zonesim: ./d is a directory: expected a YAML file
END
}

@test "a file that may not be read" {
	scenario
	chmod 000 s.yaml
	[ ! -r s.yaml ] || skip "root reads everything"
	refused s.yaml <<'END'
zonesim: can not open s.yaml: Permission denied
END
}

@test "a scenario that nearly has that name" {
	refused pick-outside-lok <<'END'
zonesim: no scenario 'pick-outside-lok': did you mean 'pick-outside-lock'?
END
	refused nothing-like-it <<'END'
zonesim: no scenario 'nothing-like-it': neither a file nor one of `zonesim list scenarios`
END
}

@test "an empty file, a file of comments" {
	: >s.yaml
	refused s.yaml <<'END'
zonesim: s.yaml is empty
END
	echo '# nothing' >s.yaml
	refused s.yaml <<'END'
zonesim: s.yaml is empty
END
}

@test "tabs" {
	printf 'machine: skylake-2s\npcp:\n\tbatch: 31\n' >s.yaml
	refused s.yaml <<'END'
s.yaml:3:1: a tab in the indentation: use spaces
     batch: 31
    ^
END
}

@test "not YAML" {
	scenario 'tasks: [1, 2' 'measure: {seed: 1}'
	refused s.yaml <<'END'
s.yaml:5:8: not valid YAML: did not find expected ',' or ']' (while parsing a flow sequence of line 4)
    measure: {seed: 1}
           ^
END
}

@test "not a mapping" {
	echo '- machine' >s.yaml
	refused s.yaml <<'END'
s.yaml:1:1: expected a scenario: lines such as 'machine: skylake-2s'
    - machine
    ^
END
}

@test "not text: NUL bytes, not UTF-8" {
	printf 'machine: \0\n' >s.yaml
	refused s.yaml <<'END'
s.yaml:1:10: a NUL byte: this is not a text file
    machine: 
             ^
END
	printf 'machine: \377\n' >s.yaml
	run "$ZONESIM" run s.yaml
	[ "$status" -eq 2 ]
	[ "${lines[0]}" = "s.yaml:1:10: not UTF-8 text: invalid leading UTF-8 octet" ]
}

@test "a file of 100 MB" {
	truncate -s 100000000 s.yaml
	ulimit -v 200000
	refused s.yaml <<'END'
zonesim: s.yaml is larger than 1 MiB: not a file of zonesim's
END
}

@test "a deeply nested file" {
	head -c 500000 /dev/zero | tr '\0' '[' >s.yaml
	run --separate-stderr "$ZONESIM" run s.yaml
	[ "$status" -eq 2 ]
	[ "${stderr_lines[0]}" = "s.yaml:1:17: nested deeper than 16 levels" ]
}

@test "aliases that would grow" {
	printf 'a: &a [x, x]\nb: &b [*a, *a]\n' >s.yaml
	refused s.yaml <<'END'
s.yaml:1:4: anchors (&), aliases (*) and tags (!) are not used here: write the value out
    a: &a [x, x]
       ^
END
}

@test "a second document" {
	scenario '---' 'tasks: 1'
	refused s.yaml <<'END'
s.yaml:4:1: a second document: a file holds only one
    ---
    ^
END
}

# A copy of a machine file, changed by the sed script $1.
machine()
{
	"$ZONESIM" list machines --json >/dev/null
	sed "$1" "$MODELS/skylake-2s.yaml" >m.yaml
}

@test "a machine file with a missing figure" {
	machine /^pause/d
	scenario
	refused s.yaml --set machine=./m.yaml <<'END'
./m.yaml:7:1: pause is missing: length of one PAUSE, of which a spinning CPU does many, a number of cycles such as 140 cycles
    name: skylake-2s
    ^
END
}

@test "a machine file with a negative figure" {
	machine 's/^llc-ways: .*/llc-ways: {value: -11, mark: V, source: "x"}/'
	scenario
	refused s.yaml --set machine=./m.yaml <<'END'
./m.yaml:38:19: llc-ways: '-11' is not a whole number such as 4, without a unit
    llc-ways: {value: -11, mark: V, source: "x"}
                      ^
END
	machine 's/^dram-local: .*/dram-local: {value: -81 ns, mark: V, source: "x"}/'
	refused s.yaml --set machine=./m.yaml <<'END'
./m.yaml:43:21: dram-local: -81 ns is out of bounds: 1 ns to 10 us
    dram-local: {value: -81 ns, mark: V, source: "x"}
                        ^
END
}

@test "a machine file without a mark or a source" {
	machine 's/^llc-ways: .*/llc-ways: {value: 11, source: "x"}/'
	scenario
	refused s.yaml --set machine=./m.yaml <<'END'
./m.yaml:38:11: llc-ways has no mark: say how sure it is (V, V~, D or M)
    llc-ways: {value: 11, source: "x"}
              ^
END
	machine 's/^llc-ways: .*/llc-ways: {value: 11, mark: V}/'
	refused s.yaml --set machine=./m.yaml <<'END'
./m.yaml:38:11: llc-ways has no source: say where it comes from
    llc-ways: {value: 11, mark: V}
              ^
END
}

@test "--set: unknown, without a value, not YAML, a tab" {
	scenario
	refused s.yaml --set pcp.hihg=1 <<'END'
--set:1:1: unknown option 'pcp.hihg': did you mean 'pcp.high'?
    pcp.hihg=1
    ^
END
	refused s.yaml --set tasks <<'END'
zonesim: --set tasks: expected path=value, as in pcp.batch=63
END
	refused s.yaml --set tasks= <<'END'
zonesim: --set tasks=: a value is missing after the '='
END
	refused s.yaml --set 'tasks=[1,2' <<'END'
--set:1:11: not valid YAML: did not find expected ',' or ']' (while parsing a flow sequence of line 1)
    tasks=[1,2
              ^
END
	refused s.yaml --set =1 <<'END'
--set:1:1: unknown option '': see `zonesim help scenario`
    =1
    ^
END
}

@test "--set: an impossible value is shown where it was given" {
	scenario 'tasks: 1'
	refused s.yaml --set tasks=113 <<'END'
--set:1:7: tasks: 113 tasks, but skylake-2s has 112 logical CPUs; use at most that many, or 'all'
    tasks=113
          ^
END
}

@test "output that can not be written is refused first" {
	scenario
	run --separate-stderr "$ZONESIM" run s.yaml -o none/r.json
	[ "$status" -eq 2 ]
	[ "$stderr" = "zonesim: can not write none/r.json: No such file or directory" ]
}

@test "wrong usage" {
	run --separate-stderr "$ZONESIM" rnu
	[ "$status" -eq 2 ]
	[ "$output" = "" ]
	[ "$stderr" = "zonesim: unknown subcommand 'rnu': did you mean 'run'?
Try 'zonesim --help'." ]
	run --separate-stderr "$ZONESIM" run --jsno s.yaml
	[ "$status" -eq 2 ]
	[ "$stderr" = "zonesim run: unknown option '--jsno': did you mean '--json'?
Try 'zonesim run --help'." ]
	run --separate-stderr "$ZONESIM" run
	[ "$status" -eq 2 ]
	[ "${stderr_lines[0]}" = \
		"zonesim run: a scenario is missing: a file, or one of \`zonesim list scenarios\`" ]
	run --separate-stderr "$ZONESIM" run a b
	[ "$status" -eq 2 ]
	[ "${stderr_lines[0]}" = "zonesim run: one scenario at a time" ]
	run --separate-stderr "$ZONESIM" run -j x a
	[ "$status" -eq 2 ]
	[ "${stderr_lines[0]}" = "zonesim run: -j x: expected a number from 1 to 256" ]
	run --separate-stderr "$ZONESIM" run --json --csv a
	[ "$status" -eq 2 ]
	[ "${stderr_lines[0]}" = "zonesim run: --json and --csv exclude each other" ]
	run --separate-stderr "$ZONESIM" list machnes
	[ "$status" -eq 2 ]
	[ "${stderr_lines[0]}" = \
		"zonesim list: there is no list of 'machnes': did you mean 'machines'?" ]
	run --separate-stderr "$ZONESIM" help scenaro
	[ "$status" -eq 2 ]
	[ "${stderr_lines[0]}" = "zonesim: no help on 'scenaro': did you mean 'scenario'?" ]
	run --separate-stderr "$ZONESIM"
	[ "$status" -eq 2 ]
	[ "$output" = "" ]
}

@test "a result that is none" {
	echo '{' >r.json
	run --separate-stderr "$ZONESIM" show r.json
	[ "$status" -eq 2 ]
	case "$stderr" in
	"r.json:2:"*": not valid JSON: "*) ;;
	*) false ;;
	esac
	echo '[]' >r.json
	run --separate-stderr "$ZONESIM" show r.json
	[ "$status" -eq 2 ]
	[ "$stderr" = "zonesim: r.json is not a result of \`zonesim run --json\`: it has no points" ]
	run --separate-stderr "$ZONESIM" plot r.json -o r.svg
	[ "$status" -eq 2 ]
	[ ! -e r.svg ]
}
