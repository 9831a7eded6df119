# SPDX-License-Identifier: GPL-3.0-or-later
# apply.awk - put mutation NUMBER of the list into its file: awk -v number=N -f apply.awk LIST FILE.
# Prints the file. Ends with status 1 when the text is not there, or more than once: the list is then
# behind the source.

function complain(what)
{
	printf "mutation %d: %s: %s\n", number, what, old >"/dev/stderr"
	failed = 1
	exit 1
}

FILENAME == ARGV[1] {
	if (/^= /)
		nr++
	if (nr == number && /^@ /)
		behind = substr($0, 3)
	if (nr == number && /^- /)
		old = substr($0, 3)
	if (nr == number && /^\+/)
		new = substr($0, 3)
	next
}

{
	at = seen || behind == "" ? index($0, old) : 0
	if (at && (behind == "" || !done)) {
		if (done)
			complain("the text is there more than once")
		done = 1
		$0 = substr($0, 1, at - 1) new substr($0, at + length(old))
	}
	if (behind != "" && index($0, behind))
		seen = 1
	print
}

END {
	if (!failed && !done)
		complain("the text is not there")
	exit failed
}
