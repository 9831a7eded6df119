/* SPDX-License-Identifier: GPL-3.0-or-later */
/* list_debug.c - are the neighbours of an entry its neighbours? */

#include "list.h"

#include "port.h"

bool __list_add_valid(const struct list_head *entry, const struct list_head *before,
	const struct list_head *after)
{
	if (unlikely(after->prev != before || before->next != after))
		bug("an entry is put on a list that is broken there");
	if (unlikely(entry == before || entry == after))
		bug("an entry is put on a list twice");
	return true;
}

bool __list_del_entry_valid(const struct list_head *entry)
{
	const struct list_head *before = entry->prev, *after = entry->next;

	if (unlikely(after == LIST_POISON1 || before == LIST_POISON2))
		bug("an entry is taken off a list twice");
	if (unlikely(before->next != entry || after->prev != entry))
		bug("an entry is taken off a list that is broken there");
	return true;
}
