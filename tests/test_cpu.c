// SPDX-License-Identifier: GPL-3.0-or-later
/*
 * test_cpu.c - clocks, hardware threads, and the branch predictor, against values worked out by
 * hand for a machine whose figures stand here.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "../sim/cpu.h"
#include "../sim/hooks.h"
#include "simulation/child.h"
#include "simulation/execute.h"

/* 2 sockets of 28 cores of 2 threads. */
static void start(unsigned int tasks)
{
	load_machine("skylake-2s");
	machine.clock = 2.8e9;
	machine.max_clock = 3.88e9;
	machine.cpi = 1.25;
	machine.smt_throughput = 1.25;
	machine.pause = 140;
	machine.reorder_buffer = 224;
	start_machine(tasks);
}

/* ---- where CPUs are ---- */

static void places(void)
{
	start(112);
	expect_equal(nr_cpus, 112);
	expect_equal(cpus[27].socket, 0);
	expect_equal(cpus[28].socket, 1);
	expect_equal(cpus[56].core, 0);
	expect_equal(cpus[111].core, 55);
	expect_equal(cpus[111].socket, 1);
	for (unsigned int i = 0; i < nr_cpus; i++) {
		expect_true(cpus[i].sibling == &cpus[(i + 56) % 112]);
		expect_true(cpus[i].predictor.tables == cpus[i].sibling->predictor.tables);
	}
	expect_true(cpus[0].predictor.tables != cpus[1].predictor.tables);
	expect_true(gsl_rng_get(cpus[0].rng) != gsl_rng_get(cpus[1].rng));
}

static void cpus_are_numbered_as_linux_does(void **state)
{
	(void)state;
	simulate(places);
}

/* ---- clocks ---- */

static void one_busy_core(void)
{
	start(1);
	expect_near(cpu_costs.ps_per_cycle, 1e12 / 3.88e9, 1e-9);
}

/* The 28 cores of a socket share its turbo: 1.08 GHz over 27 further cores, 40 MHz each. */
static void twelve_busy_cores(void)
{
	start(12);
	expect_near(cpu_costs.ps_per_cycle, 1e12 / (3.88e9 - 11 * 40e6), 1e-9);
	expect_near(cpu_costs.ps_per_instruction, 1.25 * 1e12 / 3.44e9, 1e-9);
}

static void a_socket_busy(void)
{
	start(28);
	expect_near(cpu_costs.ps_per_cycle, 1e12 / 2.8e9, 1e-9);
}

static void all_threads_busy(void)
{
	start(112);
	expect_near(cpu_costs.ps_per_cycle, 1e12 / 2.8e9, 1e-9);
}

static void turbo_falls_with_busy_cores(void **state)
{
	(void)state;
	simulate(one_busy_core);
	simulate(twelve_busy_cores);
	simulate(a_socket_busy);
	simulate(all_threads_busy);
}

/* 400 ps per cycle and 500 per instruction. */
static void start_round(void)
{
	load_machine("skylake-2s");
	machine.clock = machine.max_clock = 2.5e9;
	machine.cpi = 1.25;
	machine.smt_throughput = 1.25;
	machine.pause = 140;
	start_machine(112);
}

static void charges(void)
{
	struct cpu *cpu;

	start_round();
	cpu = &cpus[3];
	execute(cpu, 1000);
	expect_equal(cpu->executed, 1000 * 256);
	expect_near(cpu->clock, 1000 * 500, 1000. * 256 / 65536 + 1);
	sim_time before = cpu->clock;

	cpu_settle(cpu);
	expect_equal(cpu->clock, before);
	cpu_charge_cycles(cpu, 10);
	expect_equal(cpu->clock, before + 4000);
	cpu_charge_time(cpu, 7);
	expect_equal(cpu->clock, before + 4007);
}

static void instructions_cycles_and_time_are_charged(void **state)
{
	(void)state;
	simulate(charges);
}

static void uncharged(void)
{
	start_round();
	cpus[0].fast_forward_left = 1;
	execute(&cpus[0], 1000);
	cpu_charge_cycles(&cpus[0], 1000);
	expect_equal(cpus[0].clock, 0);
	expect_equal(cpus[0].executed, 0);
	cpu_resume(&cpus[0]);
	expect_true(this_cpu == &cpus[0]);
	expect_true(!charged_cpu);
	cpus[0].fast_forward_left = 0;
	cpu_resume(&cpus[0]);
	expect_true(charged_cpu == &cpus[0]);
}

static void fast_forward_charges_nothing(void **state)
{
	(void)state;
	simulate(uncharged);
}

static void loaded_and_stored(void)
{
	struct cpu *cpu;

	start_round();
	cpu = &cpus[0];
	window_add(&cpu->window, &(struct in_flight){1, 0, 5000, 0});
	window_add(&cpu->window, &(struct in_flight){2, 0, 90000, HOLDS_UP_NOTHING});
	cpu_fence(cpu);
	expect_equal(cpu->clock, 5000);
	/* a prefetch goes on */
	expect_equal(cpu->window.nr, 1);
	expect_equal(cpu->window.in_flight[0].line, 2);
	stores_add(&cpu->stores, 64, 5000, 2000);
	cpu_fence(cpu);
	expect_equal(cpu->clock, 7000);
}

static void a_fence_waits_for_loads_and_stores_but_no_prefetch(void **state)
{
	(void)state;
	simulate(loaded_and_stored);
}

/* ---- hardware threads ---- */

/* Two siblings do 1.25 times what one does: 1.6 times as long for each. */
static void pause_of_140(void)
{
	start_round();
	expect_equal(cpu_costs.slowdown[CPU_IDLE], 1);
	expect_near(cpu_costs.slowdown[CPU_RUNNING], 1.6, 1e-9);
	/* 7 micro-ops in 142 cycles, of 4 slots each: 1.2324% */
	expect_near(cpu_costs.slowdown[CPU_SPINNING], 1 + 0.6 * 0.01232394, 1e-6);
}

static void pause_of_9_5(void)
{
	load_machine("broadwell-2s");
	machine.smt_throughput = 1.25;
	machine.pause = 9.5;
	start_machine(88);
	/* 7 micro-ops in 11.5 cycles: 15.217% */
	expect_near(cpu_costs.slowdown[CPU_SPINNING], 1 + 0.6 * 0.15217391, 1e-6);
}

static void charges_beside_a_sibling(void)
{
	static const struct {
		enum cpu_state state;
		double slowdown;
	} cases[] = {{CPU_IDLE, 1}, {CPU_RUNNING, 1.6}, {CPU_SPINNING, 1 + 0.6 * 7 / 142 / 4}};
	struct cpu *cpu;

	start_round();
	cpu = &cpus[60];
	for (int i = 0; i < 3; i++) {
		sim_time before = cpu->clock;

		cpus[4].state = cases[i].state;
		execute(cpu, 10000);
		expect_near(cpu->clock - before, 10000 * 500 * cases[i].slowdown, 50);
		before = cpu->clock;
		cpu_charge_cycles(cpu, 1000);
		expect_near(cpu->clock - before, 400000 * cases[i].slowdown, 1);
		/* time passes alike on both */
		before = cpu->clock;
		cpu_charge_time(cpu, 1000);
		expect_equal(cpu->clock - before, 1000);
	}
}

static void a_sibling_slows_down(void **state)
{
	(void)state;
	simulate(pause_of_140);
	simulate(pause_of_9_5);
	simulate(charges_beside_a_sibling);
}

static void windows(void)
{
	start(112);
	expect_equal(cpu_window(&cpus[5]), 224 * 256);
	cpus[5].state = CPU_RUNNING;
	expect_equal(cpu_window(&cpus[5]), 224 * 256);
	cpus[61].state = CPU_RUNNING;
	expect_equal(cpu_window(&cpus[5]), 112 * 256);
	cpus[61].state = CPU_SPINNING;
	expect_equal(cpu_window(&cpus[5]), 112 * 256);
	cpus[5].sibling = NULL;
	expect_equal(cpu_window(&cpus[5]), 224 * 256);
}

static void an_active_sibling_halves_the_window(void **state)
{
	(void)state;
	simulate(windows);
}

/* ---- branches ---- */

static struct branch_tables tables;
static struct branch_predictor predictor;

static void forget_branches(void)
{
	tables = (struct branch_tables){0};
	predictor = (struct branch_predictor){.tables = &tables};
}

/* Blocks have numbers that differ in all bits. */
static uint32_t number_of(unsigned int block)
{
	return block * 2654435761u;
}

static bool goes_wrong(unsigned int from, unsigned int to)
{
	return branch_went(&predictor, number_of(from), number_of(to));
}

/* Enter @rounds times the blocks of @pattern; how many were not expected in the second half. */
static unsigned int wrong_in_pattern(const char *pattern, unsigned int rounds)
{
	unsigned int wrong = 0, last = 0;

	forget_branches();
	for (unsigned int i = 0; i < rounds; i++)
		for (const char *p = pattern; *p; p++) {
			wrong += goes_wrong(last, (unsigned char)*p) && i >= rounds / 2;
			last = (unsigned char)*p;
		}
	return wrong;
}

static void patterns_are_learned(void **state)
{
	(void)state;
	assert_int_equal(wrong_in_pattern("a", 20), 0);
	assert_int_equal(wrong_in_pattern("abcd", 20), 0);
	/* a loop of three rounds: what follows b depends on how often it came */
	assert_int_equal(wrong_in_pattern("abbbc", 40), 0);
	/* every other time another way */
	assert_int_equal(wrong_in_pattern("abdacd", 40), 0);
}

static void the_unknown_is_a_misprediction(void **state)
{
	(void)state;
	forget_branches();
	for (unsigned int i = 0; i < 8; i++)
		assert_true(goes_wrong(i, i + 1));
}

/* From one block to one of two, of which the first comes with @probability. */
static double wrong_at_random(double probability)
{
	const unsigned int rounds = 100000;
	gsl_rng *rng = gsl_rng_alloc(gsl_rng_taus2);
	unsigned int wrong = 0;

	forget_branches();
	gsl_rng_set(rng, 1);
	for (unsigned int i = 0; i < rounds; i++) {
		unsigned int to = gsl_rng_uniform(rng) < probability ? 2 : 3;

		wrong += goes_wrong(1, to);
		(void)goes_wrong(to, 1);
	}
	gsl_rng_free(rng);
	return (double)wrong / rounds;
}

static void what_is_random_is_guessed(void **state)
{
	double fair = wrong_at_random(0.5), biased = wrong_at_random(0.9);

	(void)state;
	assert_true(fair > 0.48 && fair < 0.52);
	/* always the likelier way would be 10%, each in proportion 18% */
	assert_true(biased > 0.09 && biased < 0.18);
}

/* As hooked code does. */
static void branch(struct cpu *cpu, unsigned int from, unsigned int to)
{
	charged_cpu = cpu;
	block_branch = number_of(from);
	hook_branch(number_of(to));
}

static void mispredictions(void)
{
	struct cpu *cpu;

	start_round();
	cpu = &cpus[0];
	cpu->hold = HOLD_LRU;
	/* an instruction executed before, then 17 cycles; nothing is known of the block yet */
	block_instructions = 1;
	branch(cpu, 1, 2);
	expect_near(cpu->clock, 500 + 17 * 400, 1);
	expect_equal(cpu->mispredicts[HOLD_LRU], 1);
	expect_equal(block_instructions, 0);
	/* the branch's operand is still to come */
	block_loaded = 50000;
	branch(cpu, 2, 3);
	expect_near(cpu->clock, 50000 + 17 * 400, 1);
	expect_equal(cpu->mispredicts[HOLD_LRU], 2);
	/* what a block before this one has loaded decides nothing */
	block_loaded = 900000;
	block_instructions = 1;
	branch(cpu, 3, 4);
	expect_near(cpu->clock, 50500 + 2 * 17 * 400, 1);
	/* not by a branch */
	hook_branch(number_of(5));
	expect_equal(cpu->mispredicts[HOLD_LRU], 3);
	/* all of that but the two instructions */
	expect_near(cpu->waited[HOLD_LRU][WAIT_BRANCHES], 50500 + 2 * 17 * 400 - 2 * 500, 2);
	expect_equal(cpu->waited[HOLD_LRU][WAIT_LOADS], 0);
}

/* Lets the other run between a load, an atomic, and the branch that it decides. */
static void interrupted(struct cpu *cpu)
{
	block_loaded = 50000;
	block_branch = number_of(1);
	cpu_charge_time(cpu, 10);
	cpu_sync(cpu);
	hook_branch(number_of(2));
	expect_equal(cpu->mispredicts[HOLD_NOTHING], 1);
	expect_equal(cpu->clock, 10 + 17 * 400);
}

static void meanwhile(struct cpu *cpu)
{
	/* the branch is not its own, nor the load */
	hook_branch(number_of(3));
	expect_equal(cpu->mispredicts[HOLD_NOTHING], 0);
	branch(cpu, 3, 4);
	expect_equal(cpu->clock, 17 * 400);
}

static void two_cpus(void)
{
	start_round();
	start_on(0, interrupted);
	start_on(1, meanwhile);
	run_all();
}

static void each_cpu_has_its_own_branches(void **state)
{
	(void)state;
	simulate(two_cpus);
}

static void predicted(void)
{
	struct cpu *cpu;

	start_round();
	cpu = &cpus[0];
	for (int i = 0; i < 200; i++)
		branch(cpu, 1, 1);
	uint64_t known = cpu->mispredicts[HOLD_NOTHING];
	sim_time before = cpu->clock;

	/* not waited for: the core goes on past it */
	block_loaded = before + 50000;
	branch(cpu, 1, 1);
	expect_equal(cpu->mispredicts[HOLD_NOTHING], known);
	expect_equal(cpu->clock, before);
}

static void only_mispredictions_wait(void **state)
{
	(void)state;
	simulate(mispredictions);
	simulate(predicted);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(cpus_are_numbered_as_linux_does),
		cmocka_unit_test(turbo_falls_with_busy_cores),
		cmocka_unit_test(instructions_cycles_and_time_are_charged),
		cmocka_unit_test(fast_forward_charges_nothing),
		cmocka_unit_test(a_fence_waits_for_loads_and_stores_but_no_prefetch),
		cmocka_unit_test(a_sibling_slows_down),
		cmocka_unit_test(an_active_sibling_halves_the_window),
		cmocka_unit_test(patterns_are_learned),
		cmocka_unit_test(the_unknown_is_a_misprediction),
		cmocka_unit_test(what_is_random_is_guessed),
		cmocka_unit_test(only_mispredictions_wait),
		cmocka_unit_test(each_cpu_has_its_own_branches),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
