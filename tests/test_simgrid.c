// SPDX-License-Identifier: GPL-3.0-or-later
/*
 * test_simgrid.c - canaries: what SimGrid does that sim/engine.c works around. When one of these
 * fails with a newer SimGrid, the work-around it names can be looked at again.
 *
 * Each runs in a child, because SimGrid starts once in a process and aborts when it is misused.
 */
#include <math.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include <simgrid/actor.h>
#include <simgrid/barrier.h>
#include <simgrid/cond.h>
#include <simgrid/engine.h>
#include <simgrid/host.h>
#include <simgrid/mailbox.h>
#include <simgrid/mutex.h>

#include "../models/error.h"
#include "../sim/engine.h"
#include "../sim/platform.h"

/* Of SimGrid, but not declared in its C headers. */
void sg_cfg_set_double(const char *name, double value);
double sg_cfg_get_double(const char *name);
void sg_cfg_set_string(const char *name, const char *value);

/* What children report. */
static double *seen;

static void start_simgrid(void)
{
	char name[] = "canary", quiet[] = "--log=root.thres:critical";
	char *argv[] = {name, quiet, NULL};
	int argc = 2;

	simgrid_init(&argc, argv);
}

static void load(const char *xml)
{
	char path[64];
	int fd = memfd_create("platform.xml", 0);

	if (fd < 0 || write(fd, xml, strlen(xml)) != (ssize_t)strlen(xml))
		_exit(99);
	(void)snprintf(path, sizeof(path), "/proc/self/fd/%d", fd);
	simgrid_load_platform(path);
}

#define PLATFORM                                                                                   \
	"<?xml version='1.0'?><!DOCTYPE platform SYSTEM "                                          \
	"\"https://simgrid.org/simgrid.dtd\">"                                                     \
	"<platform version=\"4.1\"><zone id=\"z\" routing=\"Full\">"                               \
	"<host id=\"a\" speed=\"1Gf\"/><host id=\"b\" speed=\"1Gf\"/>"                             \
	"<link id=\"l\" bandwidth=\"1GBps\" latency=\"50ns\"/>"                                    \
	"<route src=\"a\" dst=\"b\"><link_ctn id=\"l\"/></route></zone></platform>"

static void actor(const char *host, void (*body)(int, char *[]))
{
	sg_actor_start_(sg_actor_init("actor", sg_host_by_name(host)), body, 0, NULL);
}

/* How a child that does @body ends: its status, or 128 + the signal. */
static int child(void (*body)(void))
{
	int status;
	pid_t pid = fork();

	if (pid == 0) {
		const struct rlimit no_core = {0, 0};

		(void)setrlimit(RLIMIT_CORE, &no_core);
		if (!freopen("/dev/null", "w", stderr) || !freopen("/dev/null", "w", stdout))
			_exit(98);
		body();
		_exit(0);
	}
	assert_true(pid > 0);
	assert_int_equal(waitpid(pid, &status, 0), pid);
	return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

#define ABORTED (128 + SIGABRT)

/* ---- start and platform ---- */

static void start_twice(void)
{
	start_simgrid();
	load(PLATFORM);
	load(PLATFORM);
}

static void one_platform_per_process(void **state)
{
	(void)state;
	assert_int_equal(child(start_twice), ABORTED);
}

static void load_nonsense(void)
{
	start_simgrid();
	load("<platform version=\"4.1\"><zone id=\"z\" routing=\"None\"><hst id=\"a\"/></zone>"
	     "</platform>");
}

static void a_bad_platform_aborts(void **state)
{
	(void)state;
	assert_int_not_equal(child(load_nonsense), 0);
}

static void ask_for_help(void)
{
	char name[] = "canary", help[] = "--help";
	char *argv[] = {name, help, NULL};
	int argc = 2;

	simgrid_init(&argc, argv);
	_exit(42);
}

static void it_answers_help_itself(void **state)
{
	(void)state;
	assert_int_equal(child(ask_for_help), 0);
}

static void ask_for_a_route(bool run_first)
{
	static struct machine m;
	struct error err;

	if (machine_load(&m, "skylake-2s", &err) < 0)
		_exit(99);
	start_simgrid();
	load(platform_xml(&m));
	if (run_first)
		simgrid_run();
	*seen = sg_host_get_route_latency(sg_host_by_name("cpu0"), sg_host_by_name("cpu28"));
}

static void ask_before_a_run(void)
{
	ask_for_a_route(false);
}

static void ask_after_a_run(void)
{
	ask_for_a_route(true);
}

static void routes_between_zones_are_there_after_a_first_run(void **state)
{
	(void)state;
	assert_int_equal(child(ask_before_a_run), ABORTED);
	assert_int_equal(child(ask_after_a_run), 0);
	assert_true(fabs(*seen - 138e-9) < 50e-9);
}

/* ---- time ---- */

static void sleep_a_tenth(int argc, char *argv[])
{
	(void)argc;
	(void)argv;
	sg_actor_sleep_for(1e-10);
	*seen = simgrid_get_clock();
}

static void sleep_coarsely(void)
{
	start_simgrid();
	load(PLATFORM);
	actor("a", sleep_a_tenth);
	simgrid_run();
}

static void sleep_finely(void)
{
	start_simgrid();
	sg_cfg_set_double("surf/precision", 1e-12);
	load(PLATFORM);
	actor("a", sleep_a_tenth);
	simgrid_run();
}

static void a_nanosecond_is_the_least_unless_told(void **state)
{
	(void)state;
	assert_int_equal(child(sleep_coarsely), 0);
	assert_true(fabs(*seen - 1e-9) < 1e-11);
	assert_int_equal(child(sleep_finely), 0);
	assert_true(fabs(*seen - 1e-10) < 1e-12);
}

/* Two that sleep half a nanosecond apart. */
static void sleep_longer(int argc, char *argv[])
{
	(void)argc;
	(void)argv;
	sg_actor_sleep_for(5e-9);
	seen[0] = simgrid_get_clock();
}

static void sleep_longest(int argc, char *argv[])
{
	(void)argc;
	(void)argv;
	sg_actor_sleep_for(5.5e-9);
	seen[1] = simgrid_get_clock();
}

static void sleep_side_by_side(double precision)
{
	start_simgrid();
	sg_cfg_set_double("surf/precision", precision);
	load(PLATFORM);
	actor("a", sleep_longer);
	actor("b", sleep_longest);
	simgrid_run();
}

static void sleep_side_by_side_coarsely(void)
{
	sleep_side_by_side(1e-9);
}

static void sleep_side_by_side_finely(void)
{
	sleep_side_by_side(1e-12);
}

static void what_is_closer_than_the_precision_happens_at_once(void **state)
{
	(void)state;
	assert_int_equal(child(sleep_side_by_side_coarsely), 0);
	assert_true(seen[0] == seen[1]);
	assert_int_equal(child(sleep_side_by_side_finely), 0);
	assert_true(fabs(seen[0] - 5e-9) < 1e-12);
	assert_true(fabs(seen[1] - 5.5e-9) < 1e-12);
}

/* ---- messages ---- */

static void send(int argc, char *argv[])
{
	(void)argc;
	(void)argv;
	sg_mailbox_put(sg_mailbox_by_name("box"), seen, 1);
}

static void receive(int argc, char *argv[])
{
	(void)argc;
	(void)argv;
	(void)sg_mailbox_get(sg_mailbox_by_name("box"));
	*seen = simgrid_get_clock();
}

static void message(const char *model)
{
	start_simgrid();
	sg_cfg_set_double("surf/precision", 1e-12);
	if (model)
		sg_cfg_set_string("network/model", model);
	load(PLATFORM);
	actor("a", send);
	actor("b", receive);
	simgrid_run();
}

static void message_as_ever(void)
{
	message(NULL);
}

static void message_by_cm02(void)
{
	message("CM02");
}

/* A byte over 50 ns at 1 GB/s. */
static void the_default_network_multiplies_latency(void **state)
{
	(void)state;
	assert_int_equal(child(message_as_ever), 0);
	assert_true(*seen > 13 * 50e-9 && *seen < 14 * 50e-9);
	assert_int_equal(child(message_by_cm02), 0);
	assert_true(*seen > 50e-9 && *seen < 52e-9);
}

/* ---- synchronisation ---- */

static sg_mutex_t mutex;

static void lock_twice(int argc, char *argv[])
{
	(void)argc;
	(void)argv;
	sg_mutex_lock(mutex);
	sg_mutex_lock(mutex);
	*seen = 1;
}

static void lock_own_mutex(void)
{
	start_simgrid();
	load(PLATFORM);
	mutex = sg_mutex_init();
	actor("a", lock_twice);
	simgrid_run();
}

static void an_owned_mutex_can_be_locked_again(void **state)
{
	(void)state;
	assert_int_equal(child(lock_own_mutex), 0);
	assert_true(*seen == 1);
}

static sg_cond_t cond;

static void wait_in_vain(int argc, char *argv[])
{
	(void)argc;
	(void)argv;
	sg_mutex_lock(mutex);
	(void)sg_cond_wait_for(cond, mutex, 1);
	sg_mutex_unlock(mutex);
}

/* Has the mutex while the wait of the other one times out. */
static void take_meanwhile(int argc, char *argv[])
{
	(void)argc;
	(void)argv;
	sg_actor_sleep_for(0.5);
	sg_mutex_lock(mutex);
	sg_actor_sleep_for(1);
	sg_mutex_unlock(mutex);
}

static void wait_for_a_while(void)
{
	start_simgrid();
	load(PLATFORM);
	mutex = sg_mutex_init();
	cond = sg_cond_init();
	actor("a", wait_in_vain);
	actor("b", take_meanwhile);
	simgrid_run();
}

static void a_timed_wait_loses_the_mutex(void **state)
{
	(void)state;
	assert_int_equal(child(wait_for_a_while), ABORTED);
}

static sg_bar_t barrier;

static void meet(int argc, char *argv[])
{
	(void)argc;
	(void)argv;
	if (sg_barrier_wait(barrier) != 0)
		*seen += 1;
}

static void meet_at_a_barrier(void)
{
	start_simgrid();
	load(PLATFORM);
	barrier = sg_barrier_init(2);
	actor("a", meet);
	actor("b", meet);
	simgrid_run();
}

static void a_barrier_elects_no_one(void **state)
{
	(void)state;
	assert_int_equal(child(meet_at_a_barrier), 0);
	assert_true(*seen == 0);
}

/* ---- the end ---- */

static void wait_for_ever(int argc, char *argv[])
{
	(void)argc;
	(void)argv;
	sg_actor_suspend(sg_actor_self());
	*seen = 1;
}

static void deadlock(void)
{
	start_simgrid();
	load(PLATFORM);
	actor("a", wait_for_ever);
	simgrid_run();
	_exit(7); /* it came back as if all were well */
}

static void a_deadlock_ends_without_a_sign(void **state)
{
	(void)state;
	assert_int_equal(child(deadlock), 7);
	assert_true(*seen == 0);
}

static void park(void *argument)
{
	(void)argument;
	engine_park();
}

static void engine_deadlock(void)
{
	static struct machine m;
	struct error err;

	if (machine_load(&m, "skylake-2s", &err) < 0 || engine_init(&m) ||
		!engine_start("task", 0, park, NULL))
		_exit(99);
	*seen = engine_run();
	/* what a route says is what the platform was given, not 13 times that as for messages */
	seen[1] = (double)engine_route_latency(0, 1);
}

static void our_engine_counts_who_did_not_end(void **state)
{
	(void)state;
	assert_int_equal(child(engine_deadlock), 0);
	assert_true(*seen == 1);
	assert_true(fabs(seen[1] - 54000) <= 1);
}

static int share_results(void **state)
{
	(void)state;
	seen = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
	return seen == MAP_FAILED;
}

static int unshare_results(void **state)
{
	(void)state;
	return munmap(seen, 4096);
}

int main(void)
{
#define CANARY(name) cmocka_unit_test_setup_teardown(name, share_results, unshare_results)
	static const struct CMUnitTest tests[] = {
		CANARY(one_platform_per_process),
		CANARY(a_bad_platform_aborts),
		CANARY(it_answers_help_itself),
		CANARY(routes_between_zones_are_there_after_a_first_run),
		CANARY(a_nanosecond_is_the_least_unless_told),
		CANARY(what_is_closer_than_the_precision_happens_at_once),
		CANARY(the_default_network_multiplies_latency),
		CANARY(an_owned_mutex_can_be_locked_again),
		CANARY(a_timed_wait_loses_the_mutex),
		CANARY(a_barrier_elects_no_one),
		CANARY(a_deadlock_ends_without_a_sign),
		CANARY(our_engine_counts_who_did_not_end),
	};

	return cmocka_run_group_tests_name("simgrid", tests, NULL, NULL);
}
