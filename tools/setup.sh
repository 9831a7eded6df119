# SPDX-License-Identifier: GPL-3.0-or-later
# shellcheck shell=sh
# setup.sh - the set-up that tools/quickstart and tools/test share. To be sourced, not run.

# Packages of Debian 12. What running needs, and what the tests need on top of it.
# shellcheck disable=SC2034
run_packages='gcc libc6-dev meson ninja-build pkg-config libsimgrid-dev libgsl-dev libyaml-dev
	libjansson-dev libsqlite3-dev libxxhash-dev uthash-dev gnuplot-nox'
# shellcheck disable=SC2034
test_packages='libcmocka-dev bats clang clang-format libclang-rt-dev valgrind sqlite3 jq parallel
	groff-base'

say()
{
	printf '\n== %s\n' "$*"
}

give_up()
{
	printf '%s: %s\n' "${0##*/}" "$*" >&2
	exit 1
}

# Print those of the packages $@ that are not installed, on one line.
missing_packages()
{
	missing=
	for package; do
		state=$(dpkg-query --show --showformat='${db:Status-Status}' "$package" \
			2>/dev/null) || state=
		[ "$state" = installed ] || missing="$missing $package"
	done
	printf '%s' "${missing# }"
}

# Run apt-get as root.
as_root_apt_get()
{
	if [ "$(id -u)" -eq 0 ]; then
		DEBIAN_FRONTEND=noninteractive apt-get "$@"
	else
		sudo env DEBIAN_FRONTEND=noninteractive apt-get "$@"
	fi
}

# Install those of the packages $@ that are missing. Needs no network when none is.
install_missing()
{
	if ! command -v dpkg-query >/dev/null || ! command -v apt-get >/dev/null; then
		give_up "this needs Debian 12 or a relative (there is no apt-get here);" \
			"README.md lists what to install by hand"
	fi
	missing=$(missing_packages "$@")
	[ -n "$missing" ] || return 0
	if [ "$(id -u)" -ne 0 ] && ! command -v sudo >/dev/null; then
		give_up "packages are missing, and installing them needs root, which you are not," \
			"and sudo, which is not installed. Ask root for this:
    apt-get update && apt-get install --no-install-recommends $missing"
	fi
	say "Installing: $missing"
	# The list is meant to be split into words.
	# shellcheck disable=SC2086
	if ! as_root_apt_get update -qq ||
		! as_root_apt_get install -y -qq --no-install-recommends $missing; then
		give_up "could not install: $missing"
	fi
}

# Configure the directory $1, with the remaining arguments for meson, and build it.
configure_and_build()
{
	directory=$1
	shift
	say "Building in $directory"
	if [ -f "$directory/build.ninja" ]; then
		meson configure "$directory" "$@"
	else
		meson setup "$directory" "$@"
	fi
	meson compile -C "$directory"
}
