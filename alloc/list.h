/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * list.h - circular doubly linked lists with the head as a member of the ring.
 *
 * Each change checks the neighbours first, as in a kernel with CONFIG_DEBUG_LIST, which Debian,
 * Fedora and RHEL set, and Intel's kernel test robot after RHEL. It matters: what would only be
 * stores to the neighbours, which a core need not wait for, are loads too.
 */
#ifndef ZONESIM_ALLOC_LIST_H
#define ZONESIM_ALLOC_LIST_H

#include <stdbool.h>
#include <stddef.h>

#ifndef __always_inline /* glibc has it */
#define __always_inline inline __attribute__((always_inline))
#endif
#define noinline __attribute__((noinline))
#define likely(x) __builtin_expect(!!(x), 1)
#define unlikely(x) __builtin_expect(!!(x), 0)

#define container_of(ptr, type, member) ((type *)((char *)(ptr)-offsetof(type, member)))

struct list_head {
	struct list_head *next, *prev;
};

static __always_inline void INIT_LIST_HEAD(struct list_head *head)
{
	head->next = head;
	head->prev = head;
}

static __always_inline bool list_empty(const struct list_head *head)
{
	return head->next == head;
}

/* The pointers of an entry that is on no list any more: no valid addresses on x86-64. */
#define LIST_POISON1 ((struct list_head *)0xdead000000000100)
#define LIST_POISON2 ((struct list_head *)0xdead000000000122)

/*
 * Whether @entry can be put between @before and @after, or be taken off its list. When the list or
 * the entry is not what it should be, bug() ends all, as with CONFIG_BUG_ON_DATA_CORRUPTION.
 */
bool __list_add_valid(const struct list_head *entry, const struct list_head *before,
	const struct list_head *after);
bool __list_del_entry_valid(const struct list_head *entry);

static __always_inline void list_insert_between(
	struct list_head *entry, struct list_head *before, struct list_head *after)
{
	if (!__list_add_valid(entry, before, after))
		return;
	after->prev = entry;
	entry->next = after;
	entry->prev = before;
	before->next = entry;
}

/* @entry becomes the first of the list. */
static __always_inline void list_add(struct list_head *entry, struct list_head *head)
{
	list_insert_between(entry, head, head->next);
}

/* @entry becomes the last of the list. */
static __always_inline void list_add_tail(struct list_head *entry, struct list_head *head)
{
	list_insert_between(entry, head->prev, head);
}

/* Unlink; the entry's own pointers are poisoned, two stores to its line. */
static __always_inline void list_del(struct list_head *entry)
{
	if (!__list_del_entry_valid(entry))
		return;
	struct list_head *before = entry->prev, *after = entry->next;

	after->prev = before;
	before->next = after;
	entry->next = LIST_POISON1;
	entry->prev = LIST_POISON2;
}

static __always_inline void list_move(struct list_head *entry, struct list_head *head)
{
	list_del(entry);
	list_add(entry, head);
}

#define list_first_entry(head, type, member) container_of((head)->next, type, member)
#define list_last_entry(head, type, member) container_of((head)->prev, type, member)

#define list_for_each(pos, head) for (pos = (head)->next; pos != (head); pos = pos->next)

#endif
