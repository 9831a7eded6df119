// SPDX-License-Identifier: GPL-3.0-or-later
/*
 * test_alloc_list.c - lists, and that a broken one is noticed before it is changed.
 *
 * What bug() ends is a child of the test.
 */
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "../alloc/list.h"

static struct list_head head, a, b, stranger;

/* head, a, b. */
static int set_up(void **state)
{
	(void)state;
	INIT_LIST_HEAD(&head);
	INIT_LIST_HEAD(&stranger);
	list_add(&a, &head);
	list_add_tail(&b, &head);
	return 0;
}

static void expect_ring(void)
{
	assert_ptr_equal(head.next, &a);
	assert_ptr_equal(a.next, &b);
	assert_ptr_equal(b.next, &head);
	assert_ptr_equal(head.prev, &b);
	assert_ptr_equal(b.prev, &a);
	assert_ptr_equal(a.prev, &head);
}

static void entries_go_to_either_end_and_move(void **state)
{
	(void)state;
	expect_ring();
	list_move(&b, &head);
	assert_ptr_equal(head.next, &b);
	assert_ptr_equal(b.next, &a);
	assert_ptr_equal(head.prev, &a);
}

/* As in the kernel: 0xdead000000000000 with 0x100 and 0x122, neither of which can be used. */
static void an_entry_taken_off_is_poisoned(void **state)
{
	(void)state;
	list_del(&a);
	assert_ptr_equal(head.next, &b);
	assert_ptr_equal(b.prev, &head);
	assert_int_equal((uintptr_t)a.next, 0xdead000000000100);
	assert_int_equal((uintptr_t)a.prev, 0xdead000000000122);
}

/* @change ends its process with abort(), as a bug() of the native machine does. */
static void expect_bug(void (*change)(void))
{
	int status;
	pid_t pid = fork();

	assert_true(pid >= 0);
	if (pid == 0) {
		struct rlimit no_core = {0, 0};

		(void)setrlimit(RLIMIT_CORE, &no_core);
		(void)freopen("/dev/null", "w", stderr);
		(void)signal(SIGABRT, SIG_DFL);
		change();
		_exit(0);
	}
	assert_int_equal(waitpid(pid, &status, 0), pid);
	assert_true(WIFSIGNALED(status));
	assert_int_equal(WTERMSIG(status), SIGABRT);
}

static void delete_twice(void)
{
	list_del(&a);
	list_del(&a);
}

static void delete_a(void)
{
	list_del(&a);
}

static void add_between_a_and_b(void)
{
	struct list_head entry = {NULL, NULL};

	list_insert_between(&entry, &a, &b);
}

static void add_a_after_itself(void)
{
	list_add(&a, &a);
}

static void add_a_before_itself(void)
{
	list_add(&a, &head);
}

static void an_entry_comes_off_once(void **state)
{
	(void)state;
	expect_bug(delete_twice);
	a.next = LIST_POISON1;
	expect_bug(delete_a);
	a.next = &b;
	a.prev = LIST_POISON2;
	expect_bug(delete_a);
}

static void an_entry_whose_neighbours_do_not_know_it_stays(void **state)
{
	(void)state;
	b.prev = &stranger;
	expect_bug(delete_a);
	b.prev = &a;
	head.next = &stranger;
	expect_bug(delete_a);
}

static void nothing_is_added_between_those_who_are_no_neighbours(void **state)
{
	(void)state;
	b.prev = &stranger;
	expect_bug(add_between_a_and_b);
	b.prev = &a;
	a.next = &stranger;
	expect_bug(add_between_a_and_b);
}

static void nothing_is_added_next_to_itself(void **state)
{
	(void)state;
	expect_bug(add_a_after_itself);
	expect_bug(add_a_before_itself);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup(entries_go_to_either_end_and_move, set_up),
		cmocka_unit_test_setup(an_entry_taken_off_is_poisoned, set_up),
		cmocka_unit_test_setup(an_entry_comes_off_once, set_up),
		cmocka_unit_test_setup(an_entry_whose_neighbours_do_not_know_it_stays, set_up),
		cmocka_unit_test_setup(
			nothing_is_added_between_those_who_are_no_neighbours, set_up),
		cmocka_unit_test_setup(nothing_is_added_next_to_itself, set_up),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
