// SPDX-License-Identifier: GPL-3.0-or-later
/*
 * test_workloads.c - what each workload does to the allocator, counted, and what its metrics say of
 * it. Each point is simulated in a process of its own.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>
#include <sys/mman.h>

#include <cmocka.h>

#include "simulation/run_point.h"

#define KIB 1024.0
#define MIB (1024 * KIB)

/* v4.15 on this machine: batch 31, high 186. */
#define MACHINE "skylake-1s"

/* What one child leaves to the next. */
static double *seen;

/* The first parameter, which most often is the region, is @parameter. */
static void run(const char *workload, unsigned int tasks, double parameter)
{
	configure(MACHINE, workload, tasks);
	point.parameters[0] = parameter;
	run_configured();
}

/* ---- all of them ---- */

static const struct workload *tried;

static void run_shortly(void)
{
	unsigned int fewest =
		tried->min_tasks > tried->task_group ? tried->min_tasks : tried->task_group;

	configure(MACHINE, tried->name, fewest ? fewest : 1);
	/* of patches that some need, all there are */
	point.kernel = kernel_find("v5.19");
	point.patches = point.kernel->patches;
	if (!strcmp(tried->parameters[0].name, "region"))
		point.parameters[0] = 1 * MIB;
	run_configured();
	expect_true(result.wall < 20);
	expect_true(!strcmp(result.metrics[0].name, "score"));
	expect_true(!strcmp(result.metrics[0].unit, tried->rate));
	expect_near(metric("per_process_ops") * point.tasks, metric("score"), 1e-3);
	for (size_t i = 0; i < result.nr_metrics; i++)
		expect_true(isfinite(result.metrics[i].mean));
}

/* The fewest tasks that will do, a machine of one socket: precise after a few rounds. */
static void every_workload_ends(void **state)
{
	unsigned int count = 0;

	(void)state;
	for (; workloads[count]; count++) {
		tried = workloads[count];
		assert_ptr_equal(workload_find(tried->name), tried);
		simulate(run_shortly);
	}
	assert_true(count >= 7);
	assert_null(workload_find("page_fault"));
}

/* ---- one region after another ---- */

#define REGION_PAGES 512 /* one page table */
#define REGION (REGION_PAGES * 4 * KIB)

/* A table, and an array of the gather: 512 pages and the table are more than 8. */
#define OTHER_PAGES 2

static void expect_pages_per_round(double expected)
{
	double rounds = counter("pgfault") / REGION_PAGES;

	expect_true(rounds >= 3);
	expect_near(counter("pgalloc"), rounds * expected, OTHER_PAGES);
}

static void anonymous(void)
{
	run("page_fault1", 1, REGION);
	expect_pages_per_round(REGION_PAGES + OTHER_PAGES);
	expect_equal(counter("tlb_flush"), floor(counter("pgfault") / REGION_PAGES));
}

/* What the cache holds is never allocated again. */
static void copied(void)
{
	run("page_fault2", 1, REGION);
	expect_pages_per_round(REGION_PAGES + OTHER_PAGES);
}

static void shared(void)
{
	run("page_fault3", 1, REGION);
	expect_pages_per_round(OTHER_PAGES);
	expect_equal(counter("pcp_drain"), 0);
	expect_equal(metric("zone_lock_acquisitions"), 0);
	expect_equal(metric("lru_lock_acquisitions"), 0);
}

/* The score's units are the faults that the allocator sees, no more and no less. */
static void count_faults(const char *name)
{
	static const struct workload_metric per_unit[] = {
		{"faults_per_unit", "1", "", SERIES_EVENT + PGFAULT, SERIES_WORK, 1}, {NULL}};
	static struct workload copy;

	configure(MACHINE, name, 1);
	copy = *point.workload;
	copy.metrics = per_unit;
	point.workload = &copy;
	point.parameters[0] = REGION;
	point_run(&point, &result);
	expect_near(metric("faults_per_unit"), 1, 1e-9);
}

static void count_anonymous(void)
{
	count_faults("page_fault1");
}

static void count_threads(void)
{
	count_faults("page_fault1_threads");
}

static void count_copied(void)
{
	count_faults("page_fault2");
}

static void count_shared(void)
{
	count_faults("page_fault3");
}

static void count_pft(void)
{
	count_faults("pft");
}

static void each_fault_is_a_unit_of_work(void **state)
{
	(void)state;
	simulate(count_anonymous);
	simulate(count_threads);
	simulate(count_copied);
	simulate(count_shared);
	simulate(count_pft);
}

static void pages_of_a_round_are_counted(void **state)
{
	(void)state;
	simulate(anonymous);
	simulate(copied);
	simulate(shared);
}

/*
 * A copy reads a page besides: at least from the LLC, 64 lines of which so many at a time come as
 * there are fill buffers.
 */
static void copies(void)
{
	run("page_fault1", 1, REGION);
	double zeroed = 1 / metric("score");

	expect_true(*seen > zeroed + 64 * machine.llc_latency / machine.line_fill_buffers);
	expect_true(*seen < zeroed + 64 * machine.dram_local / machine.line_fill_buffers + 100e-9);
}

static void see_copied(void)
{
	run("page_fault2", 1, REGION);
	*seen = 1 / metric("score");
}

static void a_copy_costs_more_than_a_zeroed_page(void **state)
{
	(void)state;
	simulate(see_copied);
	simulate(copies);
}

/* ---- starting again ---- */

/* Of the rounds from @from to @to, in seconds. */
static double mean_round(size_t from, size_t to)
{
	double sum = 0;

	for (size_t i = from; i < to; i++)
		sum += result.series[0].seconds[i];
	return sum / (double)(to - from);
}

/* Eight tasks for a while, each round after a new start or, without @replications, after another.
 */
static void measure_rounds(bool replications)
{
	static struct workload copy;

	configure(MACHINE, "page_fault1", 8);
	copy = *point.workload;
	if (!replications)
		copy.between_rounds = NULL;
	point.workload = &copy;
	point.parameters[0] = 4 * MIB;
	point.precision = 1e-4;
	point.time_limit = 0.2;
	point_run(&point, &result);
	expect_equal(result.nr_series, 1);
	expect_true(result.series[0].nr >= 20);
}

/* Tasks that go on fall out of step, and then wait less for each other. */
static void go_on(void)
{
	measure_rounds(false);
	size_t nr = result.series[0].nr;

	expect_true(mean_round(0, 2) > 1.03 * mean_round(nr / 2, nr));
}

/* Tasks that start again do what they did, so nothing is left out, and the last round is as long.
 */
static void start_again(void)
{
	measure_rounds(true);
	size_t nr = result.series[0].nr;

	expect_equal(result.series[0].warm_up, 0);
	/* a round is 2% longer or shorter than the next; half a hundred, a quarter of that */
	expect_near(mean_round(0, nr / 2) / mean_round(nr / 2, nr), 1, 0.015);
}

static void a_replication_repeats_the_start(void **state)
{
	(void)state;
	simulate(go_on);
	simulate(start_again);
}

/* ---- threads ---- */

static void see_process(void)
{
	run("page_fault1", 1, REGION);
	*seen = 1 / metric("score");
}

/*
 * Two atomics a fault that hit the L1, at the clock of one busy core, and a sixtieth more for
 * the four of a round. What was in flight is waited for sooner.
 */
static void one_thread(void)
{
	run("page_fault1_threads", 1, REGION);
	double lock = 2 * machine.atomic / machine.max_clock;

	expect_equal(metric("mmap_lock_sleep_share"), 0);
	expect_near(1 / metric("score") - *seen, lock, lock / 4);
}

/* Unmapping stops the other thread, which then has company on its way through the faults. */
static void two_threads(void)
{
	run("page_fault1_threads", 2, REGION);
	expect_true(metric("mmap_lock_sleep_share") > 5);
	expect_true(metric("mmap_lock_sleep_share") < 50);
	expect_true(metric("score") < 2 / *seen);
}

static void threads_share_mmap_lock(void **state)
{
	(void)state;
	simulate(see_process);
	simulate(one_thread);
	simulate(two_threads);
}

/* ---- pft ---- */

/*
 * 1537 pages among three workers: 512, 512 and 513, with 1, 1 and 2 tables. The gather starts anew
 * with each part, and takes an array for each.
 */
static void three_workers(void)
{
	run("pft", 3, 1537 * 4 * KIB);
	double rounds = counter("pgfault") / 1537;

	expect_true(rounds >= 3);
	expect_near(counter("pgalloc"), rounds * (1537 + 4 + 3), 7);
	/* only one unmaps, and the time of that is left out */
	expect_true(metric("faults") > 1.3 * metric("score"));
}

/* Without anyone to wait for, what is left out is what page_fault1 takes to unmap. */
static void one_worker(void)
{
	run("pft", 1, REGION);
	double touching = 1 / metric("faults");
	double unmapping = 1 / metric("score") - touching;

	/* fault-path and unmap-path, and the traps, are the least of each */
	expect_true(unmapping > point.coefficients.unmap_path / machine.max_clock);
	expect_true(
		touching > (point.coefficients.fault_path + machine.trap_in + machine.trap_out) /
				   machine.max_clock);
	expect_near(touching + unmapping, *seen, 0.1 * *seen);
}

static void two_sockets(void)
{
	configure("skylake-2s", "pft", 30);
	point.parameters[0] = 30 * REGION;
	point.precision = 0.1;
	run_configured();
	expect_true(metric("faults") > 5e6);
}

static void pft_counts_the_time_of_touching(void **state)
{
	(void)state;
	simulate(three_workers);
	simulate(see_process);
	simulate(one_worker);
	simulate(two_sockets);
}

/* ---- alloc_free ---- */

/* Both metrics are the inverse of the score. */
static void expect_cost(void)
{
	expect_near(metric("page_time") * metric("score") / point.tasks, 1e9, 1);
	expect_near(metric("page_cost") * metric("score") / point.tasks, machine.base_clock, 1);
}

static void within_the_batch(void)
{
	run("alloc_free", 1, 31);
	expect_cost();
	/* the first refill is all that it ever takes from buddy */
	expect_equal(counter("pcp_refill"), 1);
	expect_equal(counter("pcp_drain"), 0);
	expect_equal(metric("zone_lock_acquisitions"), 0);
	*seen = metric("page_cost");
}

/* Five batches, 155 pages, stay below high when all of them are back. */
static void below_high(void)
{
	run("alloc_free", 1, 155);
	expect_equal(counter("pcp_refill"), 5);
	expect_equal(counter("pcp_drain"), 0);
	expect_near(metric("page_cost"), *seen, 0.05 * *seen);
}

/* One more takes a sixth batch, and with that the last page freed makes high: one goes back. */
static void at_high(void)
{
	run("alloc_free", 1, 156);
	double rounds = counter("pgfree") / 156;

	expect_near(counter("pcp_drain"), rounds, 1);
	expect_near(counter("pcp_refill"), rounds + 5, 1);
}

/* Past the knee each batch comes from buddy and goes back there, but for what the pageset keeps. */
static void past_high(void)
{
	run("alloc_free", 1, 4096);
	double out = counter("pgalloc") / 31, back = counter("pgfree") / 31;

	expect_cost();
	expect_near(counter("pcp_refill"), out, 0.05 * out);
	expect_near(counter("pcp_drain"), back, 0.05 * back + 6);
	expect_true(metric("page_cost") > 1.3 * *seen);
}

static void four_tasks(void)
{
	run("alloc_free", 4, 31);
	expect_cost();
	/* a clock that is lower with all cores busy is all that they notice of each other */
	expect_near(metric("page_cost"), *seen * machine.max_clock / machine.clock, 0.02 * *seen);
}

static void alloc_free_has_a_knee_at_high(void **state)
{
	(void)state;
	simulate(within_the_batch);
	simulate(below_high);
	simulate(at_high);
	simulate(past_high);
	simulate(four_tasks);
}

/* ---- remote_drain ---- */

static void drain_three(void)
{
	configure(MACHINE, "remote_drain", 4);
	point.parameters[0] = 1 * MIB;
	run_configured();
	/* three pagesets each time, a millisecond after those before are done */
	double period = 1e-3 + metric("drain_time") * 1e-6;

	expect_near(metric("score"), 3 / period, 0.03 * 3 / period);
	/* no sooner than the worker runs on each, and the drainer is awake again */
	expect_true(metric("drain_time") * 1e-6 > machine.idle_exit);
	expect_true(metric("drain_time") < 1000);
	*seen = metric("faults");
}

static void drain_all_the_time(void)
{
	configure(MACHINE, "remote_drain", 4);
	point.parameters[0] = 1 * MIB;
	point.parameters[1] = 20e-6;
	point.precision = 0.1;
	run_configured();
	/* those who are drained pay for it */
	expect_true(metric("faults") < 0.95 * *seen);
	expect_true(counter("pcp_drain") > metric("score") * result.simulated * 0.5);
}

/* Under their lock pagesets are drained from afar: no one sleeps or is interrupted. */
static void drain_under_the_lock(void)
{
	configure(MACHINE, "remote_drain", 4);
	point.kernel = kernel_find("v6.0");
	point.patches = point.kernel->patches;
	point.parameters[0] = 1 * MIB;
	run_configured();
	double period = 1e-3 + metric("drain_time") * 1e-6;

	expect_near(metric("score"), 3 / period, 0.03 * 3 / period);
	expect_true(metric("drain_time") < *seen);
	expect_true(counter("pcp_drain") > 0);
}

static void drain_by_work_in_v5_19(void)
{
	configure(MACHINE, "remote_drain", 4);
	point.kernel = kernel_find("v5.19");
	point.patches = point.kernel->patches;
	point.parameters[0] = 1 * MIB;
	run_configured();
	*seen = metric("drain_time");
}

static void draining_disturbs_those_who_fault(void **state)
{
	(void)state;
	simulate(drain_by_work_in_v5_19);
	simulate(drain_under_the_lock);
	simulate(drain_three);
	simulate(drain_all_the_time);
}

/* ---- the bulk interface ---- */

static void configure_bulk(double step)
{
	configure("broadwell-1s", "page_bench04_bulk", 1);
	point.kernel = kernel_find("v5.13");
	point.patches = point.kernel->patches;
	point.parameters[0] = step;
}

/* One refill brings 63 pages; what is freed at once never makes the pageset drain. */
static void in_steps_of_16(void)
{
	configure_bulk(16);
	run_configured();
	expect_equal(counter("pcp_refill"), 1);
	expect_equal(counter("pcp_drain"), 0);
	expect_equal(counter("pgalloc"), counter("pgfree"));
	expect_near(metric("page_cost") / machine.base_clock * 1e9, metric("page_time"), 1e-6);
	*seen = metric("page_cost");
}

/* What a call costs is shared by fewer pages. */
static void one_by_one_in_bulk(void)
{
	configure_bulk(1);
	run_configured();
	expect_true(metric("page_cost") > 1.3 * *seen);
	*seen = metric("page_cost");
}

/* A bulk call for one page has to find that out first. */
static void without_bulk(void)
{
	configure_bulk(0);
	run_configured();
	expect_true(metric("page_cost") < *seen);
}

static void in_steps_of_64(void)
{
	configure_bulk(64);
	run_configured();
	*seen = metric("page_cost");
	/* more than the first refill brings */
	expect_equal(counter("pcp_refill"), 2);
}

static void called_and_not_inlined(void)
{
	configure_bulk(64);
	point.patches &= ~PATCH_BIT(PATCH_INLINE_RMQUEUE_PCPLIST);
	run_configured();
	expect_true(metric("page_cost") > *seen + 2);
}

static void bulk_needs_its_patch(void)
{
	configure_bulk(64);
	point.kernel = kernel_find("v4.19");
	point.patches = point.kernel->patches;
	expect_refused("workload", "needs patch bulk-alloc");
	/* single pages do not */
	point.parameters[0] = 0;
	expect_accepted();
}

static void larger_steps_are_cheaper(void **state)
{
	(void)state;
	simulate(in_steps_of_16);
	simulate(one_by_one_in_bulk);
	simulate(without_bulk);
	simulate(in_steps_of_64);
	simulate(called_and_not_inlined);
	simulate(bulk_needs_its_patch);
}

/* ---- socket pairs ---- */

static void configure_pairs(patch_set more)
{
	configure("icelake-2s", "bw_unix", 8);
	point.kernel = kernel_find("v6.6");
	point.patches = point.kernel->patches | more;
	point.pcp_batch = 63;
}

/* Every buffer is a block of eight pages; at most six and the one at hand are under way in a pair.
 */
static void four_pairs(void)
{
	configure_pairs(PATCH_BIT(PATCH_PCP_NO_DRAIN_ON_EXIT));
	run_configured();
	double under_way = counter("pgalloc") - counter("pgfree");

	expect_true(under_way >= 0 && under_way <= 4 * 7 * 8);
	expect_near(metric("bandwidth") * 1e6, metric("score"), 1);
	/* readers only free: from the first drain on each block that is freed empties the pageset
	 */
	expect_near(counter("pcp_drain_high"), counter("pgfree") / 8, 0.1 * counter("pgfree") / 8);
	expect_true(metric("free_high") > 0);
	*seen = metric("free_high") / metric("bandwidth");
}

/* With a batch kept, eight blocks go together. */
static void four_pairs_that_keep_a_batch(void)
{
	configure_pairs(
		PATCH_BIT(PATCH_PCP_NO_DRAIN_ON_EXIT) | PATCH_BIT(PATCH_PCP_KEEP_HIGH_ORDER_BATCH));
	run_configured();
	expect_near(metric("free_high") / metric("bandwidth"), *seen / 8, 0.15 * *seen / 8);
}

static void pairs_have_two_ends(void)
{
	configure_pairs(0);
	point.tasks = 7;
	expect_refused("tasks", "a multiple of 2 tasks");
}

static void pairs_drain_what_they_send(void **state)
{
	(void)state;
	simulate(four_pairs);
	simulate(four_pairs_that_keep_a_batch);
	simulate(pairs_have_two_ends);
}

/* ---- what is refused ---- */

static void refused(void)
{
	configure(MACHINE, "remote_drain", 1);
	expect_refused("tasks", "remote_drain needs at least 2 tasks");
	point.tasks = 2;
	expect_accepted();
	/* 8 GiB: room for a file or the copies of one, but not for both */
	configure(MACHINE, "page_fault2", 1);
	point.parameters[0] = 5 * 1024 * MIB;
	expect_refused("workload", "1 tasks need 10.");
	point.workload = workload_find("page_fault3");
	expect_accepted();
	point.workload = workload_find("pft");
	point.tasks = 8;
	expect_accepted();
	point.workload = workload_find("page_fault1");
	expect_refused("workload", "8 tasks need 40.");
}

static void what_does_not_fit_is_refused(void **state)
{
	(void)state;
	simulate(refused);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_workload_ends),
		cmocka_unit_test(pages_of_a_round_are_counted),
		cmocka_unit_test(each_fault_is_a_unit_of_work),
		cmocka_unit_test(a_copy_costs_more_than_a_zeroed_page),
		cmocka_unit_test(a_replication_repeats_the_start),
		cmocka_unit_test(threads_share_mmap_lock),
		cmocka_unit_test(pft_counts_the_time_of_touching),
		cmocka_unit_test(alloc_free_has_a_knee_at_high),
		cmocka_unit_test(draining_disturbs_those_who_fault),
		cmocka_unit_test(larger_steps_are_cheaper),
		cmocka_unit_test(pairs_drain_what_they_send),
		cmocka_unit_test(what_does_not_fit_is_refused),
	};

	seen = mmap(NULL, sizeof(*seen), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	if (seen == MAP_FAILED)
		return 1;
	return cmocka_run_group_tests(tests, NULL, NULL);
}
