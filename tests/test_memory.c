// SPDX-License-Identifier: GPL-3.0-or-later
/*
 * test_memory.c - what an access costs, by where the line is. Worked out by hand for a machine of
 * round figures.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "../sim/bandwidth.h"
#include "simulation/round_machine.h"

static void start(void)
{
	start_round_machine(false);
}

static void use(unsigned int cpu, uintptr_t address, enum access access)
{
	(void)time_of(cpu, address, access);
}

static unsigned int lines_read;

/* @cpu reads @lines that no one has read before; each brings its neighbour to the L2 too. */
static void read_lines(unsigned int cpu, unsigned int lines)
{
	for (unsigned int i = 0; i < lines; i++)
		use(cpu, line_on_node(1, 100 + lines_read++), ACCESS_READ);
}

/* ---- levels ---- */

static void one_core(void)
{
	uintptr_t line;

	start();
	line = line_on_node(0, 1);
	EXPECT_READ(0, line, SERVED_DRAM, DRAM);
	EXPECT_READ(0, line, SERVED_L1, 0);
	EXPECT_READ(0, line + 56, SERVED_L1, 0);
	EXPECT_READ(SIBLING, line, SERVED_L1, 0);
	EXPECT_READ(0, line_on_node(1, 1), SERVED_DRAM_REMOTE, DRAM_REMOTE);
	EXPECT_READ(REMOTE_CPU, line_on_node(1, 2), SERVED_DRAM, DRAM);
	/* alone with it, it may write; what one sibling wrote the other has */
	EXPECT_WRITE(0, line, SERVED_L1, 0);
	EXPECT_READ(SIBLING, line, SERVED_L1, 0);
	EXPECT_WRITE(SIBLING, line, SERVED_L1, 0);
}

static void a_core_has_what_it_used(void **state)
{
	(void)state;
	simulate(one_core);
}

static void out_of_the_l1(void)
{
	uintptr_t line;

	start();
	line = line_on_node(0, 1);
	use(0, line, ACCESS_READ);
	zero(0, L1_PAGES - 1);
	EXPECT_READ(0, line, SERVED_L1, 0);
	zero(0, L1_PAGES);
	EXPECT_READ(0, line, SERVED_L2, L2);
	EXPECT_READ(0, line, SERVED_L1, 0);
	zero(0, L2_PAGES - 1);
	EXPECT_READ(0, line, SERVED_L2, L2);
	zero(0, L2_PAGES);
	EXPECT_READ(0, line, SERVED_LLC, LLC);
	EXPECT_READ(0, line, SERVED_L1, 0);
	/* another core's pages do not matter to this one's L2 */
	zero(1, L2_PAGES);
	EXPECT_READ(0, line, SERVED_L1, 0);
}

static void out_by_lines(void)
{
	uintptr_t line;

	start();
	line = line_on_node(0, 1);
	use(0, line, ACCESS_READ);
	read_lines(0, 64 * L1_PAGES - 1);
	EXPECT_READ(0, line, SERVED_L1, 0);
	read_lines(0, 64 * L1_PAGES);
	EXPECT_READ(0, line, SERVED_L2, L2);
	read_lines(0, 64 * L2_PAGES / 2 - 1);
	EXPECT_READ(0, line, SERVED_L2, L2);
	read_lines(0, 64 * L2_PAGES / 2);
	EXPECT_READ(0, line, SERVED_LLC, LLC);
}

/*
 * After the line its neighbour comes, then all of the LLC but for 64 lines, then @lines and their
 * neighbours.
 */
static void out_of_the_llc_by_lines(unsigned int lines, enum served served, sim_time time)
{
	uintptr_t line;

	start_round_machine(true);
	line = line_on_node(0, 1);
	use(0, line, ACCESS_READ);
	zero(0, L2_PAGES);
	zero(1, LLC_PAGES - L2_PAGES - 1);
	read_lines(1, lines);
	EXPECT_READ(0, line, served, time);
}

static void not_out_of_the_llc(void)
{
	out_of_the_llc_by_lines(31, SERVED_LLC, LLC);
}

static void out_by_the_last_line(void)
{
	out_of_the_llc_by_lines(32, SERVED_DRAM, DRAM);
}

/* What the cores of a socket bring in pushes lines out of its LLC, wherever they are. */
static void out_of_the_llc(unsigned int capacity)
{
	uintptr_t line = line_on_node(0, 1);

	use(0, line, ACCESS_READ);
	zero(0, L2_PAGES);
	zero(1, capacity - L2_PAGES - 1);
	EXPECT_READ(0, line, SERVED_LLC, LLC);
	zero(REMOTE_CPU, capacity);
	zero(0, L2_PAGES);
	zero(1, capacity - L2_PAGES);
	EXPECT_READ(0, line, SERVED_DRAM, DRAM);
}

/* Without inclusion the L2 hold lines beyond the LLC's, those of cores that have used any. */
static void out_of_a_victim_llc(void)
{
	start_round_machine(false);
	out_of_the_llc(LLC_PAGES + 2 * L2_PAGES);
}

static void out_of_a_victim_llc_with_all_cores_busy(void)
{
	start_round_machine(false);
	for (unsigned int cpu = 0; cpu < 28; cpu++)
		zero(cpu, L2_PAGES);
	out_of_the_llc(LLC_PAGES + ALL_L2_PAGES);
}

static void out_of_an_inclusive_llc(void)
{
	start_round_machine(true);
	out_of_the_llc(LLC_PAGES);
}

/* A line is used half-way through what pushes it out of an LLC of @capacity pages. */
static void use_half_way(bool inclusive, unsigned int capacity, enum served served, sim_time time)
{
	uintptr_t line;

	start_round_machine(inclusive);
	line = line_on_node(0, 1);
	use(0, line, ACCESS_READ);
	use(3, line, ACCESS_READ);
	zero(1, capacity / 2);
	zero(0, L1_PAGES);
	EXPECT_READ(0, line, SERVED_L2, L2);
	zero(1, capacity - capacity / 2 - L1_PAGES);
	EXPECT_READ(2, line, served, time);
}

static void use_half_way_inclusive(void)
{
	use_half_way(true, LLC_PAGES, SERVED_DRAM, DRAM);
}

static void use_half_way_victim(void)
{
	use_half_way(false, LLC_PAGES + 2 * L2_PAGES, SERVED_LLC, LLC);
}

static void an_inclusive_llc_does_not_see_hits_in_its_cores(void **state)
{
	(void)state;
	simulate(use_half_way_inclusive);
	simulate(use_half_way_victim);
}

static void lines_fall_from_level_to_level(void **state)
{
	(void)state;
	simulate(out_of_the_l1);
	simulate(out_by_lines);
	simulate(not_out_of_the_llc);
	simulate(out_by_the_last_line);
	simulate(out_of_a_victim_llc);
	simulate(out_of_a_victim_llc_with_all_cores_busy);
	simulate(out_of_an_inclusive_llc);
}

/* ---- coherence ---- */

static void two_cores(void)
{
	uintptr_t line;

	start();
	line = line_on_node(0, 1);
	EXPECT_WRITE(1, line, SERVED_DRAM, DRAM);
	/* modified there; then both have it */
	EXPECT_READ(0, line, SERVED_DIRTY_SOCKET, SAME_SOCKET);
	EXPECT_READ(0, line, SERVED_L1, 0);
	EXPECT_READ(1, line, SERVED_L1, 0);
	/* both copies are clean: one is given up before the other may be written */
	EXPECT_WRITE(0, line, SERVED_UPGRADE, SAME_SOCKET);
	EXPECT_WRITE(0, line, SERVED_L1, 0);
	EXPECT_WRITE(1, line, SERVED_DIRTY_SOCKET, SAME_SOCKET);
	EXPECT_READ(REMOTE_CPU, line, SERVED_DIRTY_REMOTE, OTHER_SOCKET);
	EXPECT_WRITE(REMOTE_CPU, line, SERVED_UPGRADE, OTHER_SOCKET);
	EXPECT_WRITE(1, line, SERVED_DIRTY_REMOTE, OTHER_SOCKET);
	EXPECT_READ(1, line, SERVED_L1, 0);
}

static void three_cores(void)
{
	uintptr_t line, other;

	start();
	line = line_on_node(0, 1);
	other = line_on_node(0, 2);
	/* who has a line alone is asked: it might have written */
	EXPECT_READ(0, line, SERVED_DRAM, DRAM);
	EXPECT_READ(1, line, SERVED_DIRTY_SOCKET, SAME_SOCKET);
	/* of two the LLC knows that they have not */
	EXPECT_READ(2, line, SERVED_LLC, LLC);
	EXPECT_READ(0, line, SERVED_L1, 0);
	EXPECT_READ(1, line, SERVED_L1, 0);
	EXPECT_WRITE(2, line, SERVED_UPGRADE, SAME_SOCKET);
	EXPECT_READ(0, line, SERVED_DIRTY_SOCKET, SAME_SOCKET);
	EXPECT_READ(1, line, SERVED_LLC, LLC);
	/* the same across sockets */
	use(REMOTE_CPU, other, ACCESS_READ);
	use(REMOTE_CPU + 1, other, ACCESS_READ);
	EXPECT_READ(0, other, SERVED_LLC_REMOTE, OTHER_SOCKET);
}

/* The line comes, and another's copy is given up meanwhile: what takes longer counts. */
static void written_by_one_of_many(void)
{
	uintptr_t line;

	start();
	line = line_on_node(0, 1);
	use(0, line, ACCESS_READ);
	use(1, line, ACCESS_READ);
	zero(0, L1_PAGES);
	EXPECT_WRITE(0, line, SERVED_UPGRADE, SAME_SOCKET);
	use(1, line, ACCESS_READ);
	EXPECT_WRITE(2, line, SERVED_LLC, SAME_SOCKET);
}

static void modified_lines_leave_a_core(void)
{
	uintptr_t line;

	start();
	line = line_on_node(0, 1);
	use(1, line, ACCESS_WRITE);
	zero(1, L2_PAGES);
	/* written back on the way out */
	EXPECT_READ(0, line, SERVED_LLC, LLC);
	EXPECT_WRITE(0, line, SERVED_L1, 0);
}

static void lines_are_shared_and_taken(void **state)
{
	(void)state;
	simulate(two_cores);
	simulate(three_cores);
	simulate(written_by_one_of_many);
	simulate(modified_lines_leave_a_core);
}

#define READERS 20

static void many_readers(void)
{
	uintptr_t line;

	start();
	line = line_on_node(0, 1);
	for (unsigned int cpu = 0; cpu < READERS; cpu++)
		use(cpu, line, ACCESS_READ);
	for (unsigned int cpu = 0; cpu < READERS; cpu++)
		EXPECT_READ(cpu, line, SERVED_L1, 0);
	/* a write takes it from all of them, and from those that the record has lost sight of too
	 */
	use(0, line, ACCESS_WRITE);
	EXPECT_READ(1, line, SERVED_DIRTY_SOCKET, SAME_SOCKET);
	for (unsigned int cpu = 2; cpu < READERS; cpu++)
		EXPECT_READ(cpu, line, SERVED_LLC, LLC);
	/* what one of many has pushed out the others still have */
	zero(3, L2_PAGES);
	EXPECT_READ(3, line, SERVED_LLC, LLC);
	EXPECT_READ(4, line, SERVED_L1, 0);
}

static void more_cores_than_a_record_has_room_for_share_a_line(void **state)
{
	(void)state;
	simulate(many_readers);
}

static void taken_line(void)
{
	uintptr_t line;

	start();
	line = line_on_node(0, 1);
	use(0, line, ACCESS_READ);
	memory_take_line(&cpus[1], line);
	expect_equal(cpus[1].clock, 0);
	EXPECT_WRITE(1, line, SERVED_L1, 0);
	EXPECT_READ(0, line, SERVED_DIRTY_SOCKET, SAME_SOCKET);
	/* where it was does not matter any more, once it has been taken and has fallen out */
	memory_take_line(&cpus[REMOTE_CPU], line);
	zero(REMOTE_CPU, L2_PAGES);
	EXPECT_READ(0, line, SERVED_LLC_REMOTE, OTHER_SOCKET);
}

static void a_lock_word_goes_with_the_lock(void **state)
{
	(void)state;
	simulate(taken_line);
}

/* The machines themselves: each figure of the file comes out as a latency. */
static void figures_of(const char *name)
{
	load_machine(name);
	start_machine(machine_cpus(&machine));
	unsigned int remote = (unsigned int)machine.cores_per_socket;

	expect_near(time_of(0, line_on_node(0, 1), ACCESS_WRITE), machine.dram_local * 1e12, 1);
	expect_near(time_of(0, line_on_node(1, 1), ACCESS_WRITE), machine.dram_remote * 1e12, 1);
	expect_near(
		time_of(1, line_on_node(0, 1), ACCESS_READ), machine.dirty_same_socket * 1e12, 1);
	expect_near(time_of(2, line_on_node(0, 1), ACCESS_READ), machine.llc_latency * 1e12, 1);
	expect_near(time_of(remote, line_on_node(1, 1), ACCESS_READ),
		machine.dirty_other_socket * 1e12, 1);
	expect_near(memory_transfer(&cpus[0], cpus[0].sibling), machine.dirty_sibling * 1e12, 1);
}

static void figures_of_skylake(void)
{
	figures_of("skylake-2s");
}

static void figures_of_broadwell(void)
{
	figures_of("broadwell-4s");
}

static void latencies_are_the_machine_files(void **state)
{
	(void)state;
	simulate(figures_of_skylake);
	simulate(figures_of_broadwell);
}

/* ---- page data ---- */

static sim_time time_to_zero(unsigned int cpu, uintptr_t record)
{
	sim_time since = cpus[cpu].clock;

	this_cpu = &cpus[cpu];
	memory_clear_page(record);
	return cpus[cpu].clock - since;
}

static void zeroing(void)
{
	const sim_time from_llc = 30 * NS + 64 * LLC / 10;
	uintptr_t page;

	start();
	page = line_on_node(0, 1);
	expect_equal(time_to_zero(0, page), 400 * NS);
	expect_equal(time_to_zero(0, page), from_llc);
	expect_equal(time_to_zero(1, page), from_llc);
	/* it moves with who uses it */
	expect_equal(time_to_zero(REMOTE_CPU, page), 400 * NS);
	expect_equal(time_to_zero(0, page), 400 * NS);
	this_cpu = &cpus[REMOTE_CPU];
	memory_touch_page(page);
	expect_equal(time_to_zero(REMOTE_CPU, page), from_llc);
	zero(REMOTE_CPU, LLC_PAGES + ALL_L2_PAGES);
	expect_equal(time_to_zero(REMOTE_CPU, page), 400 * NS);
}

static void zeroing_is_cheap_in_the_llc_and_dear_in_dram(void **state)
{
	(void)state;
	simulate(zeroing);
}

static sim_time time_to_copy(unsigned int cpu, uintptr_t to, uintptr_t from)
{
	sim_time since = cpus[cpu].clock;

	this_cpu = &cpus[cpu];
	memory_copy_page(to, from);
	return cpus[cpu].clock - since;
}

static void copying(void)
{
	const sim_time zero_in_llc = 30 * NS + 64 * LLC / 10;
	uintptr_t to, from, line;

	start();
	to = line_on_node(0, 1);
	from = line_on_node(0, 2);
	expect_equal(time_to_copy(0, to, from), 400 * NS + 64 * DRAM / 10);
	expect_equal(time_to_copy(0, to, from), zero_in_llc + 64 * LLC / 10);
	expect_equal(time_to_copy(0, to, line_on_node(1, 3)), zero_in_llc + 64 * DRAM_REMOTE / 10);
	/* the first two pages once, and the last; the others of the six were near */
	expect_equal(memory_data_lines[DATA_FAR], 3 * 64);
	expect_equal(memory_data_lines[DATA_NEAR], 3 * 64);
	/* two pages each time: all of the L1 after four */
	line = line_on_node(0, 4);
	use(0, line, ACCESS_READ);
	for (int i = 0; i < L1_PAGES / 2 - 1; i++)
		(void)time_to_copy(0, to, from);
	EXPECT_READ(0, line, SERVED_L1, 0);
	for (int i = 0; i < L1_PAGES / 2; i++)
		(void)time_to_copy(0, to, from);
	EXPECT_READ(0, line, SERVED_L2, L2);
}

static void a_copy_is_read_and_written(void **state)
{
	(void)state;
	simulate(copying);
}

/* ---- bandwidth ---- */

/* Use DRAM of node 0 at this share of its bandwidth until what was before is forgotten. */
static void keep_busy(double utilisation)
{
	for (int i = 0; i < 80; i++) {
		engine_advance(20000 * NS);
		/* 20 us of 75 GB/s */
		bandwidth_use(0, (unsigned int)(utilisation * 1.5e6));
	}
}

static void loaded(struct cpu *cpu)
{
	static const struct {
		double utilisation, factor;
	} points[] = {{0.16, 1.12}, {0.52, 1.25}, {0.63, 1.375}, {0.74, 1.5}, {0.99, 2.8},
		{1.5, 3.5}, {0.24, 1.14}};

	expect_equal(bandwidth_latency_factor(0), 1);
	/* a window that is over counts for a quarter: one of 64% makes 16% */
	engine_advance(20000 * NS);
	bandwidth_use(0, (unsigned int)(0.64 * 1.5e6));
	expect_near(bandwidth_latency_factor(0), 1.12, 1e-4);
	for (int i = 0; i < 7; i++) {
		keep_busy(points[i].utilisation);
		expect_near(bandwidth_latency_factor(0), points[i].factor, 1e-4);
		expect_equal(bandwidth_latency_factor(1), 1);
	}
	keep_busy(0.52);
	cpu->clock = engine_now();
	cpu_resume(cpu);
	expect_near(time_of(cpu->id, line_on_node(0, 1), ACCESS_READ), 1.25 * DRAM, 20);
	expect_equal(time_of(cpu->id, line_on_node(1, 1), ACCESS_READ), DRAM_REMOTE);
	expect_near(time_to_zero(cpu->id, line_on_node(0, 2)), 1.25 * 400 * NS, 100);
	/* both the page that is read and the one that is written */
	expect_near(time_to_copy(cpu->id, line_on_node(0, 3), line_on_node(0, 4)),
		1.25 * (400 * NS + 64 * DRAM / 10), 200);
}

static void bandwidth(void)
{
	start();
	start_on(0, loaded);
	run_all();
}

/*
 * With @bytes more, a window of 20 us must have seen 64% of what @node can do: as above, that makes
 * its DRAM take 1.12 times as long.
 */
static void expect_all_but(unsigned int node, unsigned int bytes)
{
	engine_advance(20000 * NS);
	bandwidth_use(node, bytes);
	expect_near(bandwidth_latency_factor(node), 1.12, 1e-9);
	expect_equal(bandwidth_latency_factor(!node), 1);
}

static void reads(struct cpu *cpu)
{
	/* and as many neighbours */
	read_lines(cpu->id, 6000);
	expect_all_but(1, 960000 - 6000 * 2 * 64);
}

/* A line that was written is written back at some time, which is counted when it comes again. */
static void writes(struct cpu *cpu)
{
	for (unsigned int i = 0; i < 2500; i++)
		use(cpu->id, line_on_node(1, i), ACCESS_WRITE);
	zero(cpu->id, LLC_PAGES + ALL_L2_PAGES);
	/* only what comes now is looked at */
	bandwidth_init(&machine);
	for (unsigned int i = 0; i < 2500; i++)
		use(cpu->id, line_on_node(1, i), ACCESS_READ);
	expect_all_but(1, 960000 - 2500 * 3 * 64);
}

/* Those in the LLC need no DRAM. */
static void page_data(struct cpu *cpu)
{
	zero(cpu->id, 100);
	pages_zeroed = 0;
	zero(cpu->id, 200);
	expect_all_but(0, 960000 - 200 * 4096);
}

static void by_reads(void)
{
	start();
	start_on(0, reads);
	run_all();
}

static void by_writes(void)
{
	start();
	start_on(REMOTE_CPU, writes);
	run_all();
}

static void by_page_data(void)
{
	start();
	start_on(REMOTE_CPU, page_data);
	run_all();
}

static void lines_from_dram_use_its_bandwidth(void **state)
{
	(void)state;
	simulate(by_reads);
	simulate(by_writes);
	simulate(by_page_data);
}

static void dram_takes_longer_when_it_is_busy(void **state)
{
	(void)state;
	simulate(bandwidth);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_core_has_what_it_used),
		cmocka_unit_test(lines_fall_from_level_to_level),
		cmocka_unit_test(an_inclusive_llc_does_not_see_hits_in_its_cores),
		cmocka_unit_test(lines_are_shared_and_taken),
		cmocka_unit_test(more_cores_than_a_record_has_room_for_share_a_line),
		cmocka_unit_test(a_lock_word_goes_with_the_lock),
		cmocka_unit_test(latencies_are_the_machine_files),
		cmocka_unit_test(zeroing_is_cheap_in_the_llc_and_dear_in_dram),
		cmocka_unit_test(a_copy_is_read_and_written),
		cmocka_unit_test(dram_takes_longer_when_it_is_busy),
		cmocka_unit_test(lines_from_dram_use_its_bandwidth),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
