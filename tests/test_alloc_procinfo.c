// SPDX-License-Identifier: GPL-3.0-or-later
/*
 * test_alloc_procinfo.c - the state of memory in the kernel's layouts, worked out by hand.
 *
 * Node 0 has two sections, one of which is not brought up; so has node 1, where nothing is yet.
 */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>

#include <cmocka.h>

#include "native/look.h"

static int boot(void **state)
{
	(void)state;
	native_boot(&(struct native_config){
		.nodes = 2, .cpus = 2, .sections_per_node = 2, .batch = 1, .high = 1});
	return 0;
}

static void expect_text(char *text, const char *expected)
{
	assert_non_null(text);
	assert_string_equal(text, expected);
	free(text);
}

/* clang-format off */
static const char types_by_hand[] =
	"Page block order: 9\n"
	"Pages per block:  512\n"
	"\n"
	"Free pages count per migrate type at order       0      1      2      3      4      5      6      7      8      9     10\n"
	"Node    0, zone   Normal, type    Unmovable      1      1      1      1      1      1      1      1      1      1      0\n"
	"Node    0, zone   Normal, type      Movable      0      0      0      0      0      0      0      0      1      1     62\n"
	"Node    0, zone   Normal, type  Reclaimable      0      0      0      0      0      0      0      0      0      0      0\n"
	"Node    0, zone   Normal, type   HighAtomic      0      0      0      0      0      0      0      0      0      0      0\n"
	"Node    0, zone   Normal, type      Isolate      0      0      0      0      0      0      0      0      0      0      0\n"
	"Node    1, zone   Normal, type    Unmovable      0      0      0      0      0      0      0      0      0      0      0\n"
	"Node    1, zone   Normal, type      Movable      0      0      0      0      0      0      0      0      0      0     64\n"
	"Node    1, zone   Normal, type  Reclaimable      0      0      0      0      0      0      0      0      0      0      0\n"
	"Node    1, zone   Normal, type   HighAtomic      0      0      0      0      0      0      0      0      0      0      0\n"
	"Node    1, zone   Normal, type      Isolate      0      0      0      0      0      0      0      0      0      0      0\n"
	"\n"
	"Number of blocks type     Unmovable      Movable  Reclaimable   HighAtomic      Isolate\n"
	"Node 0, zone   Normal            2          126            0            0            0\n"
	"Node 1, zone   Normal            0          128            0            0            0\n";

static const char buddies_by_hand[] =
	"Node 0, zone   Normal      1      1      1      1      1      1      1      1      2      2     62\n"
	"Node 1, zone   Normal      0      0      0      0      0      0      0      0      0      0     64\n";
/* clang-format on */

/*
 * An unmovable page takes the first movable block of order 10 over, with both its pageblocks, and
 * leaves one block of each smaller order. Of the next movable block 256 pages are taken, which
 * leaves one of order 8 and one of order 9: 30 of order 10 are up then, and there are the 32 of the
 * other section.
 */
static void pagetypeinfo_counts_blocks_by_type(void **state)
{
	(void)state;
	assert_int_equal(take_pfn_of(0, MIGRATE_UNMOVABLE), 0);
	assert_int_equal(take_pfn_of(8, MIGRATE_MOVABLE), 1024);
	expect_text(pagetypeinfo_text(), types_by_hand);
}

/* Both texts count the same blocks. */
static void buddyinfo_is_the_sum_over_types(void **state)
{
	(void)state;
	assert_int_equal(take_pfn_of(0, MIGRATE_UNMOVABLE), 0);
	assert_int_equal(take_pfn_of(8, MIGRATE_MOVABLE), 1024);
	expect_text(buddyinfo_text(), buddies_by_hand);
}

static void vmstat_has_the_kernels_names(void **state)
{
	uint64_t events[NR_VM_EVENT_ITEMS] = {
		[PGALLOC] = 12, [PGFREE] = 34, [PGFAULT] = 56, [PCP_REFILL] = 78};

	(void)state;
	/* what CPUs hold back counts: one page is far below any threshold */
	assert_int_equal(take_pfn_of(0, MIGRATE_UNMOVABLE), 0);
	__mod_zone_page_state(zone_of(0), NR_ZONE_LRU_BASE + LRU_ACTIVE_FILE, 3);
	__mod_node_page_state(node_data[1], NR_FILE_MAPPED, 5);
	__mod_node_page_state(node_data[0], NR_LRU_BASE + LRU_UNEVICTABLE, 7);
	expect_text(vmstat_text(events), "nr_free_pages 131071\n"
					 "nr_zone_inactive_anon 0\n"
					 "nr_zone_active_anon 0\n"
					 "nr_zone_inactive_file 0\n"
					 "nr_zone_active_file 3\n"
					 "nr_zone_unevictable 0\n"
					 "nr_inactive_anon 0\n"
					 "nr_active_anon 0\n"
					 "nr_inactive_file 0\n"
					 "nr_active_file 0\n"
					 "nr_unevictable 7\n"
					 "nr_anon_pages 0\n"
					 "nr_mapped 5\n"
					 "pgalloc_normal 12\n"
					 "pgfree 34\n"
					 "pgfault 56\n");
}

int main(void)
{
	static const struct CMUnitTest tests[] = {
		cmocka_unit_test_setup(pagetypeinfo_counts_blocks_by_type, boot),
		cmocka_unit_test_setup(buddyinfo_is_the_sum_over_types, boot),
		cmocka_unit_test_setup(vmstat_has_the_kernels_names, boot),
	};

	return cmocka_run_group_tests_name("procinfo", tests, NULL, NULL);
}
