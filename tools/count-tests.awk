# SPDX-License-Identifier: GPL-3.0-or-later
# count-tests.awk - from meson's testlog.txt, print how many test cases passed and failed.
#
# A test that reports its cases in the Test Anything Protocol counts with its cases, any other test
# as one. A test that ends badly without a failed case (a crash, a sanitizer's report) is a failure
# of its own. What is skipped does not count as passed.

function end_test()
{
	if (!in_test)
		return
	in_test = 0
	if (!good && cases_failed == 0)
		cases_failed = 1
	else if (good && cases == 0 && !skipped)
		cases_passed = 1
	passed += cases_passed
	failed += cases_failed
}

# "==== 3/17 ====" begins a test.
/^=+ +[0-9]+\/[0-9]+ +=+$/ {
	end_test()
	in_test = 1
	good = skipped = cases = cases_passed = cases_failed = 0
	in_output = 0
	next
}

in_test && !in_output && /^result:/ {
	good = / exit status 0$/ || / exit status 77$/
	skipped = / exit status 77$/
}

/^-+ +stdout +-+$/ { in_output = 1; next }
/^-+ +stderr +-+$/ { in_output = 2; next }

in_test && in_output == 1 && /^(not )?ok [0-9]/ {
	cases++
	if (/^not ok/)
		cases_failed++
	else if (!/# *[Ss][Kk][Ii][Pp]/)
		cases_passed++
}

END {
	end_test()
	printf "%d %d\n", passed, failed
}
