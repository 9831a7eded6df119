/* SPDX-License-Identifier: GPL-3.0-or-later */
/* test_verdict.c - verdicts on figures, worked out by hand. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <math.h>

#include "../results/verdict.h"

struct sample {
	const char *table, *metric;
	double published, simulated;
	enum verdict verdict;
};

static void assert_verdicts(enum compared compared, const struct sample *samples, size_t nr)
{
	for (size_t i = 0; i < nr; i++) {
		const struct sample *s = &samples[i];
		enum verdict got =
			verdict_judge(s->table, s->metric, compared, s->published, s->simulated);

		if (got != s->verdict)
			fail_msg("%s %s: %g for %g is %s, not %s", s->table, s->metric,
				s->simulated, s->published, verdict_name(got),
				verdict_name(s->verdict));
	}
}

#define ASSERT_VERDICTS(compared, samples)                                                         \
	assert_verdicts(compared, samples, sizeof(samples) / sizeof((samples)[0]))

/* Within one point; else only the sign counts, and up to 1% there is none. */
static void changes_of_page_fault1(void **state)
{
	static const struct sample samples[] = {
		{"pick-outside-lock", "score", 6.3, 5.3, VERDICT_WITHIN},
		{"pick-outside-lock", "score", 6.3, 7.3, VERDICT_WITHIN},
		{"pick-outside-lock", "score", 6.3, 5.29, VERDICT_SIGN},
		{"pick-outside-lock", "score", 6.3, 7.31, VERDICT_SIGN},
		{"pick-outside-lock", "score", 6.3, 60, VERDICT_SIGN},
		{"pick-outside-lock", "score", 6.3, 0.01, VERDICT_SIGN},
		{"pick-outside-lock", "score", 6.3, 0, VERDICT_WRONG},
		{"pick-outside-lock", "score", 6.3, -0.01, VERDICT_WRONG},
		{"batch-sweep", "score", 0.9, -0.9, VERDICT_SIGN},
		{"batch-sweep", "score", 0.9, -1.1, VERDICT_WRONG},
		{"batch-sweep", "score", 1.1, -0.9, VERDICT_WRONG},
		{"batch-sweep", "score", -1.19, -2.5, VERDICT_SIGN},
		{"batch-sweep", "score", -1.19, -2.19, VERDICT_WITHIN},
		{"bulk-inline-pcplist", "page_cost", -3.6, -4.6, VERDICT_WITHIN},
		{"bulk-inline-pcplist", "page_cost", -3.6, -4.7, VERDICT_SIGN},
	};

	(void)state;
	ASSERT_VERDICTS(COMPARED_CHANGE, samples);
}

/* The control: what is published, or next to nothing. */
static void changes_of_pft(void **state)
{
	static const struct sample samples[] = {
		{"pcp-spinlock", "faults", 0.61, -2, VERDICT_WITHIN},
		{"pcp-spinlock", "faults", -1.34, 1, VERDICT_WITHIN},
		{"pcp-spinlock", "faults", 0.61, 1.61, VERDICT_WITHIN},
		{"pcp-spinlock", "faults", 0.61, 1.7, VERDICT_SIGN},
		{"pcp-spinlock", "faults", -1.34, -2.34, VERDICT_WITHIN},
		{"pcp-spinlock", "faults", -0.66, -2.1, VERDICT_SIGN},
		{"pcp-spinlock", "faults", 0.61, -2.1, VERDICT_WRONG},
		{"pcp-spinlock", "faults", -1.34, 1.1, VERDICT_WRONG},
	};

	(void)state;
	ASSERT_VERDICTS(COMPARED_CHANGE, samples);
}

static void changes_of_bw_unix(void **state)
{
	static const struct sample samples[] = {
		{"pcp-keep-high-order-batch", "bandwidth", 72.2, 57.2, VERDICT_WITHIN},
		{"pcp-keep-high-order-batch", "bandwidth", 72.2, 87.2, VERDICT_WITHIN},
		{"pcp-keep-high-order-batch", "bandwidth", 72.2, 57.1, VERDICT_SIGN},
		{"pcp-keep-high-order-batch", "bandwidth", 72.2, -1, VERDICT_WRONG},
		{"pcp-keep-high-order-batch", "free_high", -89.8, -75, VERDICT_WITHIN},
		{"pcp-keep-high-order-batch", "free_high", -89.8, -20, VERDICT_SIGN},
	};

	(void)state;
	ASSERT_VERDICTS(COMPARED_CHANGE, samples);
}

/* In percent of the published value; near up to three targets. */
static void values(void **state)
{
	static const struct sample samples[] = {
		{"pick-outside-lock", "score", 1000, 950, VERDICT_WITHIN},
		{"pick-outside-lock", "score", 1000, 1050, VERDICT_WITHIN},
		{"pick-outside-lock", "score", 1000, 1051, VERDICT_NEAR},
		{"pick-outside-lock", "score", 1000, 850, VERDICT_NEAR},
		{"pick-outside-lock", "score", 1000, 849, VERDICT_WRONG},
		{"batch-sweep", "score", 1000, 1030, VERDICT_WITHIN},
		{"batch-sweep", "score", 1000, 1031, VERDICT_NEAR},
		{"batch-sweep", "score", 1000, 1091, VERDICT_WRONG},
		{"bulk-steps", "page_cost", 200, 210, VERDICT_WITHIN},
		{"bulk-steps", "page_cost", 200, 211, VERDICT_NEAR},
		{"pcp-spinlock", "faults", 1000, 900, VERDICT_WITHIN},
		{"pcp-spinlock", "faults", 1000, 899, VERDICT_NEAR},
		{"pcp-spinlock", "faults", 1000, 699, VERDICT_WRONG},
		{"uncontended-hold", "zone_lock_hold_free", 2000, 2300, VERDICT_WITHIN},
		{"uncontended-hold", "zone_lock_hold_alloc", 2000, 2310, VERDICT_NEAR},
		{"uncontended-hold", "score", 1000, 1060, VERDICT_NEAR},
	};

	(void)state;
	ASSERT_VERDICTS(COMPARED_VALUE, samples);
}

/* In points, however small the share. */
static void shares(void **state)
{
	static const struct sample samples[] = {
		{"batch-sweep", "zone_lock_spin_share", 64, 56, VERDICT_WITHIN},
		{"batch-sweep", "zone_lock_spin_share", 64, 55.9, VERDICT_NEAR},
		{"batch-sweep", "lru_lock_spin_share", 8, 32, VERDICT_NEAR},
		{"batch-sweep", "lru_lock_spin_share", 8, 32.1, VERDICT_WRONG},
		{"batch-sweep", "zone_lock_spin_share", 1, 0, VERDICT_WITHIN},
		{"pcp-keep-high-order-batch", "cache_miss_rate", 0.3, 0.6, VERDICT_WITHIN},
		{"pcp-keep-high-order-batch", "cache_miss_rate", 0.3, 0.7, VERDICT_NEAR},
		{"pcp-keep-high-order-batch", "cache_miss_rate", 0.3, 1.3, VERDICT_WRONG},
	};

	(void)state;
	ASSERT_VERDICTS(COMPARED_SHARE, samples);
}

static void differences_have_a_sign(void **state)
{
	(void)state;
	assert_true(fabs(verdict_difference(COMPARED_VALUE, 200, 190) + 5) < 1e-9);
	assert_true(fabs(verdict_difference(COMPARED_SHARE, 64, 60.5) + 3.5) < 1e-9);
	assert_true(fabs(verdict_difference(COMPARED_CHANGE, -1, 2) - 3) < 1e-9);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(changes_of_page_fault1),
		cmocka_unit_test(changes_of_pft),
		cmocka_unit_test(changes_of_bw_unix),
		cmocka_unit_test(values),
		cmocka_unit_test(shares),
		cmocka_unit_test(differences_have_a_sign),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
