#!/usr/bin/env bats
# SPDX-License-Identifier: GPL-3.0-or-later
# What `meson install` puts where, and whether it works there.

bats_require_minimum_version 1.5.0

# From meson: the program, the directory of machine files, and that of the build.
: "${ZONESIM:?}" "${MODELS:?}" "${BUILD:?}"

setup_file()
{
	export DEST=$BATS_FILE_TMPDIR/dest
	meson install -C "$BUILD" --no-rebuild --destdir "$DEST"
	PREFIX=$DEST$(meson introspect "$BUILD" --buildoptions |
		jq -r '.[] | select(.name == "prefix") | .value')
	export PREFIX
}

setup()
{
	cd "$BATS_TEST_TMPDIR"
}

@test "DESTDIR has the program, its data, its manual and completions" {
	for file in bin/zonesim bin/zonesim-functions share/man/man1/zonesim.1 \
		share/bash-completion/completions/zonesim.bash share/zsh/site-functions/_zonesim; do
		[ -s "$PREFIX/$file" ] || { echo "$file"; find "$DEST" -type f; false; }
	done
	for kind in models scenarios; do
		diff <(cd "$MODELS/../$kind" && ls ./*.yaml) \
			<(cd "$PREFIX/share/zonesim/$kind" && ls ./*.yaml)
	done
	diff -r "$MODELS/../results/published" "$PREFIX/share/zonesim/results/published"
	# nothing else, and nothing elsewhere
	[ -z "$(find "$DEST" -type f ! -path "$PREFIX/bin/zonesim*" ! -path "$PREFIX/share/*")" ]
}

@test "the installed program works with the installed data" {
	export ZONESIM_DATA=$PREFIX/share/zonesim
	run --separate-stderr "$PREFIX/bin/zonesim" doctor
	printf '%s\n' "$output" | grep -q '^ok  *machines '
	[ "$("$PREFIX/bin/zonesim" list machines)" = "$("$ZONESIM" list machines)" ]
	"$PREFIX/bin/zonesim" new
	run "$PREFIX/bin/zonesim" run scenario.yaml -q --set tasks=1 --set workload.region=64KiB \
		--set measure.time-limit=1ms --set measure.precision=50%
	[ "$status" -eq 0 ] || [ "$status" -eq 3 ]
}

@test "the installed manual and completions are those of the program" {
	diff <("$ZONESIM" help --man) "$PREFIX/share/man/man1/zonesim.1"
	diff <("$ZONESIM" completion bash) "$PREFIX/share/bash-completion/completions/zonesim.bash"
	diff <("$ZONESIM" completion zsh) "$PREFIX/share/zsh/site-functions/_zonesim"
}
