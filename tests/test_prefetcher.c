// SPDX-License-Identifier: GPL-3.0-or-later
/*
 * test_prefetcher.c - what the hardware prefetchers ask for, and what that saves. By the rules of
 * the Intel Optimization Manual, worked out by hand.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "../sim/prefetcher.h"
#include "simulation/round_machine.h"

#define PAGE (1000 * 64) /* first line of some page */

static struct prefetcher prefetcher;
static uintptr_t wanted[PREFETCH_MOST];

static void expect_wanted(uintptr_t line, bool missed, unsigned int nr, const int *lines)
{
	expect_equal(prefetcher_train(&prefetcher, PAGE + line, missed, wanted), nr);
	for (unsigned int i = 0; i < nr; i++)
		expect_equal(wanted[i], PAGE + lines[i]);
}

#define EXPECT_WANTED(line, missed, ...)                                                           \
	do {                                                                                       \
		static const int lines_[] = {__VA_ARGS__};                                         \
		expect_wanted(line, missed, sizeof(lines_) / sizeof(lines_[0]), lines_);           \
	} while (0)

static void pairs(void)
{
	EXPECT_WANTED(10, true, 11);
	EXPECT_WANTED(10, true, 11);
	prefetcher = (struct prefetcher){0};
	EXPECT_WANTED(11, true, 10);
	/* what hits the L2 completes no pair */
	expect_wanted(10, false, 0, NULL);
}

static void a_miss_completes_its_pair(void **state)
{
	(void)state;
	simulate(pairs);
}

static void ascending(void)
{
	expect_wanted(3, false, 0, NULL);
	expect_wanted(4, false, 0, NULL);
	/* the second step up: two ahead at each from now on */
	EXPECT_WANTED(6, false, 7, 8);
	EXPECT_WANTED(7, false, 9, 10);
	/* the same line again is no step */
	expect_wanted(7, false, 0, NULL);
	/* a step down, and another: a stream downwards */
	expect_wanted(5, false, 0, NULL);
	EXPECT_WANTED(2, false, 1, 0);
	expect_wanted(1, false, 0, NULL);
}

static void twenty_ahead(void)
{
	expect_wanted(0, false, 0, NULL);
	expect_wanted(1, false, 0, NULL);
	/* from 2 to 20 it gains one line at each step: 4, 6, ... 40 */
	for (int at = 2; at < 20; at++) {
		expect_equal(prefetcher_train(&prefetcher, PAGE + (uintptr_t)at, false, wanted), 2);
		expect_equal(wanted[1], PAGE + 2 * at);
	}
	EXPECT_WANTED(20, false, 39, 40);
	/* and is 20 lines ahead */
	EXPECT_WANTED(21, false, 41);
	EXPECT_WANTED(22, false, 42);
	/* never into the next page */
	expect_wanted(60, false, 2, (const int[]){61, 62});
	EXPECT_WANTED(61, false, 63);
	expect_wanted(62, false, 0, NULL);
}

/* The same downwards, from line 63 on. */
static void twenty_behind(void)
{
	expect_wanted(63, false, 0, NULL);
	expect_wanted(62, false, 0, NULL);
	for (int gone = 2; gone < 20; gone++) {
		expect_equal(
			prefetcher_train(&prefetcher, PAGE + (uintptr_t)(63 - gone), false, wanted),
			2);
		expect_equal(wanted[1], PAGE + 63 - 2 * gone);
	}
	EXPECT_WANTED(43, false, 24, 23);
	EXPECT_WANTED(42, false, 22);
	EXPECT_WANTED(41, false, 21);
}

static void two_pages(void)
{
	static const uintptr_t other = 7;

	/* each page has its stream; 32 pages further on another takes its place */
	expect_wanted(3, false, 0, NULL);
	expect_equal(prefetcher_train(&prefetcher, PAGE + 64 + other, false, wanted), 0);
	expect_wanted(4, false, 0, NULL);
	expect_equal(prefetcher_train(&prefetcher, PAGE + 64 + other + 1, false, wanted), 0);
	EXPECT_WANTED(5, false, 6, 7);
	expect_equal(prefetcher_train(&prefetcher, PAGE + 64 + other + 2, false, wanted), 2);
	expect_equal(prefetcher_train(&prefetcher, PAGE + 32 * 64, false, wanted), 0);
	expect_wanted(6, false, 0, NULL);
}

static void the_streamer_follows_requests_in_a_page(void **state)
{
	(void)state;
	simulate(ascending);
	simulate(twenty_ahead);
	simulate(twenty_behind);
	simulate(two_pages);
}

/* ---- what that saves ---- */

static void neighbour(void)
{
	uintptr_t line;

	start_round_machine(false);
	line = line_on_node(0, 1);
	EXPECT_READ(0, line, SERVED_DRAM, DRAM);
	/* it has come beside the first */
	EXPECT_READ(0, line + 64, SERVED_L2, L2);
	line = line_on_node(0, 2);
	issue(0, line, ACCESS_READ);
	cpu_charge_time(&cpus[0], 30 * NS);
	/* asked for when the first was, and not there yet */
	EXPECT_READ(0, line + 64, SERVED_L2, DRAM - 30 * NS);
	line = line_on_node(0, 3);
	issue(0, line, ACCESS_READ);
	cpu_charge_time(&cpus[0], DRAM - L2 / 2);
	/* about to come to the L2, which takes its time even so */
	EXPECT_READ(0, line + 64, SERVED_L2, L2);
}

static void unused_neighbour(void)
{
	uintptr_t line;

	start_round_machine(false);
	line = line_on_node(0, 1);
	EXPECT_READ(0, line, SERVED_DRAM, DRAM);
	zero(0, L2_PAGES);
	/* it has fallen out as any other line does */
	EXPECT_READ(0, line + 64, SERVED_LLC, LLC);
}

static void a_neighbour_is_on_its_way(void **state)
{
	(void)state;
	simulate(neighbour);
	simulate(unused_neighbour);
}

static void shared_neighbour(void)
{
	uintptr_t line;

	start_round_machine(false);
	line = line_on_node(0, 1);
	EXPECT_WRITE(1, line + 64, SERVED_DRAM, DRAM);
	/* which has brought the other of the pair; both are had by that core alone */
	EXPECT_READ(0, line, SERVED_DIRTY_SOCKET, SAME_SOCKET);
	/* and now by two, so that writing even the one that was not asked for takes a transfer */
	EXPECT_WRITE(1, line + 64, SERVED_UPGRADE, SAME_SOCKET);
}

/* Another core writes to a line of a pair; by that it has the other line too. */
static void taken_from_a_pair(void)
{
	uintptr_t line;

	start_round_machine(false);
	line = line_on_node(0, 1);
	EXPECT_READ(0, line, SERVED_DRAM, DRAM);
	EXPECT_READ(0, line + 64, SERVED_L2, L2);
	EXPECT_WRITE(1, line, SERVED_DIRTY_SOCKET, SAME_SOCKET);
	/* the neighbour is at hand: it need not be asked for again, and stays where it is */
	EXPECT_READ(0, line, SERVED_DIRTY_SOCKET, SAME_SOCKET);
	EXPECT_READ(0, line + 64, SERVED_L1, 0);
}

static void not_missed(void)
{
	uintptr_t line;

	start_round_machine(false);
	line = line_on_node(0, 1);
	EXPECT_READ(0, line, SERVED_DRAM, DRAM);
	EXPECT_WRITE(1, line + 64, SERVED_DIRTY_SOCKET, SAME_SOCKET);
	zero(0, L1_PAGES);
	/* the L2 has it, so the neighbour stays with who has written to it */
	EXPECT_READ(0, line, SERVED_L2, L2);
	EXPECT_WRITE(1, line + 64, SERVED_L1, 0);
}

static void neighbours_are_asked_for_when_both_are_missed(void **state)
{
	(void)state;
	simulate(taken_from_a_pair);
	simulate(not_missed);
}

/* The one of line 33 finds the place of line 1's taken. */
static void too_many(void)
{
	uintptr_t line;

	start_round_machine(false);
	line = line_on_node(0, 1);
	issue(0, line, ACCESS_READ);
	issue(0, line + PREFETCH_PENDING * 64, ACCESS_READ);
	expect_equal(rest(0), DRAM);
	EXPECT_READ(0, line + (PREFETCH_PENDING + 1) * 64, SERVED_DRAM, DRAM);
	EXPECT_READ(0, line + 64, SERVED_L2, L2);
}

static void of_too_many_lines_some_are_forgotten(void **state)
{
	(void)state;
	simulate(too_many);
}

/* The core that has prefetched it may not write to it just so. */
static void written_neighbour(void)
{
	uintptr_t line;

	start_round_machine(false);
	line = line_on_node(0, 1);
	EXPECT_WRITE(1, line + 64, SERVED_DRAM, DRAM);
	EXPECT_READ(0, line, SERVED_DIRTY_SOCKET, SAME_SOCKET);
	EXPECT_READ(0, line + 64, SERVED_L2, L2);
	EXPECT_WRITE(0, line + 64, SERVED_UPGRADE, SAME_SOCKET);
}

static void prefetching_shares_what_others_have(void **state)
{
	(void)state;
	simulate(written_neighbour);
	simulate(shared_neighbour);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_miss_completes_its_pair),
		cmocka_unit_test(the_streamer_follows_requests_in_a_page),
		cmocka_unit_test(a_neighbour_is_on_its_way),
		cmocka_unit_test(neighbours_are_asked_for_when_both_are_missed),
		cmocka_unit_test(of_too_many_lines_some_are_forgotten),
		cmocka_unit_test(prefetching_shares_what_others_have),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
