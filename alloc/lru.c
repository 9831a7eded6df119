/* SPDX-License-Identifier: GPL-3.0-or-later */
/* lru.c - LRU lists: pagevecs on the way in, release_pages on the way out. */

#include "lru.h"

#include "kernel_ops.h"
#include "page_alloc.h"
#include "pcp.h"
#include "pte.h"
#include "vmstat.h"

#define SWAP_CLUSTER_MAX 32 /* pages taken off the LRU in one hold of its lock */

static __always_inline enum lru_list page_lru(const struct page *page)
{
	if (unlikely(page_flag(page, PG_unevictable)))
		return LRU_UNEVICTABLE;
	int base = page_flag(page, PG_swapbacked) ? LRU_INACTIVE_ANON : LRU_INACTIVE_FILE;

	return (enum lru_list)(base + page_flag(page, PG_active));
}

static __always_inline bool is_file_lru(enum lru_list lru)
{
	return lru == LRU_INACTIVE_FILE || lru == LRU_ACTIVE_FILE;
}

/* Out of line, as in the kernel: it checks that sizes and lists agree. */
static noinline void mem_cgroup_update_lru_size(struct lruvec *lruvec, enum lru_list lru, int pages)
{
	struct mem_cgroup_per_node *memcg =
		container_of(lruvec, struct mem_cgroup_per_node, lruvec);

	memcg->lru_size[lru] += (unsigned long)(long)pages;
}

static __always_inline void update_lru_size(
	struct lruvec *lruvec, struct page *page, enum lru_list lru, int pages)
{
	__mod_node_page_state(lruvec->pgdat, NR_LRU_BASE + lru, pages);
	__mod_zone_page_state(page_zone(page), NR_ZONE_LRU_BASE + lru, pages);
	mem_cgroup_update_lru_size(lruvec, lru, pages);
}

/* The lruvec of the page's memory cgroup on its node; all pages here belong to the root. */
static noinline struct lruvec *mem_cgroup_page_lruvec(
	const struct page *page, struct pglist_data *pgdat)
{
	struct mem_cgroup_per_node *memcg = page->mem_cgroup ? page->mem_cgroup : pgdat->memcg;
	struct lruvec *lruvec = &memcg->lruvec;

	/* a node that was plugged in later has not told its lruvec */
	if (unlikely(lruvec->pgdat != pgdat))
		lruvec->pgdat = pgdat;
	return lruvec;
}

static void update_page_reclaim_stat(struct lruvec *lruvec, bool file, bool rotated)
{
	lruvec->reclaim_stat.recent_scanned[file]++;
	if (rotated)
		lruvec->reclaim_stat.recent_rotated[file]++;
}

/* ---- on ---- */

static __always_inline void set_page_flag(struct page *page, enum pageflags flag)
{
	__atomic_fetch_or(&page->flags, 1UL << flag, __ATOMIC_SEQ_CST);
}

static __always_inline bool test_and_clear_page_flag(struct page *page, enum pageflags flag)
{
	return __atomic_fetch_and(&page->flags, ~(1UL << flag), __ATOMIC_SEQ_CST) & 1UL << flag;
}

static __always_inline void add_page_to_lru_list(struct page *page, struct lruvec *lruvec)
{
	enum lru_list lru = page_lru(page);

	update_lru_size(lruvec, page, lru, 1);
	list_add(&page->lru, &lruvec->lists[lru]);
}

static noinline void __pagevec_lru_add_fn(struct page *page, struct lruvec *lruvec)
{
	enum lru_list lru = page_lru(page);

	set_page_flag(page, PG_lru);
	add_page_to_lru_list(page, lruvec);
	update_page_reclaim_stat(lruvec, is_file_lru(lru), page_flag(page, PG_active));
}

/* The file that the page is of; NULL for anonymous memory. Out of line, as in the kernel. */
static noinline const void *page_mapping(const struct page *page)
{
	return (uintptr_t)page->mapping & PAGE_MAPPING_ANON ? NULL : page->mapping;
}

/* No file here is locked in memory as a whole. */
static noinline bool page_evictable(const struct page *page)
{
	(void)page_mapping(page);
	return !page_flag(page, PG_mlocked);
}

/*
 * Since v4.16. Whoever locks a page sets PG_mlocked first and then looks for PG_lru; here it is the
 * other way round, with a barrier between, so that one of the two sees what the other did.
 */
static noinline void __pagevec_lru_add_fn_no_skip(struct page *page, struct lruvec *lruvec)
{
	(void)test_and_clear_page_flag(page, PG_unevictable);
	set_page_flag(page, PG_lru);
	smp_mb();
	if (page_evictable(page)) {
		update_page_reclaim_stat(
			lruvec, is_file_lru(page_lru(page)), page_flag(page, PG_active));
	} else {
		page->flags &= ~(1UL << PG_active);
		set_page_flag(page, PG_unevictable);
	}
	add_page_to_lru_list(page, lruvec);
}

/* Walk the pagevec, holding the LRU lock of the node that each run of pages belongs to. */
static __always_inline void __pagevec_lru_add(
	struct pagevec *pvec, void (*const add)(struct page *, struct lruvec *))
{
	struct pglist_data *locked = NULL;
	unsigned long flags = 0;

	count_vm_events(LRU_ADD_DRAIN, 1);
	for (unsigned long i = 0; i < pvec->nr; i++) {
		struct page *page = pvec->pages[i];
		struct pglist_data *pgdat = page_pgdat(page);

		if (pgdat != locked) {
			if (locked) {
				spin_unlock(&locked->lru_lock);
				local_irq_restore(flags);
			}
			locked = pgdat;
			flags = local_irq_save();
			spin_lock(&locked->lru_lock);
		}
		add(page, mem_cgroup_page_lruvec(page, pgdat));
	}
	if (locked) {
		spin_unlock(&locked->lru_lock);
		local_irq_restore(flags);
	}
	release_pages(pvec->pages, (int)pvec->nr);
	pvec->nr = 0;
}

static noinline void pagevec_lru_add(struct pagevec *pvec)
{
	__pagevec_lru_add(pvec, __pagevec_lru_add_fn);
}

static noinline void pagevec_lru_add_no_skip(struct pagevec *pvec)
{
	__pagevec_lru_add(pvec, __pagevec_lru_add_fn_no_skip);
}

static __always_inline void __lru_cache_add(struct pagevec *pvec, struct page *page,
	const unsigned long room, void (*const pagevec_add)(struct pagevec *))
{
	/* the pagevec's own reference */
	__atomic_fetch_add(&page->_refcount, 1, __ATOMIC_SEQ_CST);
	pvec->pages[pvec->nr++] = page;
	if (pvec->nr == room)
		pagevec_add(pvec);
}

static void lru_cache_add_14(struct pagevec *pvec, struct page *page)
{
	__lru_cache_add(pvec, page, 14, pagevec_lru_add);
}

static void lru_cache_add_15(struct pagevec *pvec, struct page *page)
{
	__lru_cache_add(pvec, page, 15, pagevec_lru_add);
}

static void lru_cache_add_14_no_skip(struct pagevec *pvec, struct page *page)
{
	__lru_cache_add(pvec, page, 14, pagevec_lru_add_no_skip);
}

static void lru_cache_add_15_no_skip(struct pagevec *pvec, struct page *page)
{
	__lru_cache_add(pvec, page, 15, pagevec_lru_add_no_skip);
}

void (*const lru_cache_add_forms[4])(struct pagevec *, struct page *) = {
	lru_cache_add_14, lru_cache_add_15, lru_cache_add_14_no_skip, lru_cache_add_15_no_skip};

void lru_cache_add(struct pagevec *pvec, struct page *page)
{
	kernel.lru_cache_add(pvec, page);
}

void lru_add_drain(struct pagevec *pvec)
{
	if (pvec->nr)
		kernel.pagevec_lru_add(pvec);
}

void (*const pagevec_lru_add_forms[2])(struct pagevec *) = {
	pagevec_lru_add, pagevec_lru_add_no_skip};

/* ---- off ---- */

static __always_inline void del_page_from_lru_list(struct page *page, struct lruvec *lruvec)
{
	enum lru_list lru = page_lru(page);

	list_del(&page->lru);
	update_lru_size(lruvec, page, lru, -1);
}

void release_pages(struct page **pages, int count)
{
	struct list_head free_list;
	struct pglist_data *locked = NULL;
	unsigned long flags = 0;
	int held = 0;

	INIT_LIST_HEAD(&free_list);
	for (int i = 0; i < count; i++) {
		struct page *page = pages[i];

		/* keep interrupts off for no longer than one stretch of pages */
		if (locked && ++held == SWAP_CLUSTER_MAX) {
			spin_unlock(&locked->lru_lock);
			local_irq_restore(flags);
			locked = NULL;
		}
		if (!put_page_testzero(page))
			continue;
		if (page_flag(page, PG_lru)) {
			struct pglist_data *pgdat = page_pgdat(page);

			if (pgdat != locked) {
				if (locked) {
					spin_unlock(&locked->lru_lock);
					local_irq_restore(flags);
				}
				held = 0;
				locked = pgdat;
				flags = local_irq_save();
				spin_lock(&locked->lru_lock);
			}
			page->flags &= ~(1UL << PG_lru);
			del_page_from_lru_list(page, mem_cgroup_page_lruvec(page, pgdat));
		}
		page->flags &= ~(1UL << PG_active);
		list_add(&page->lru, &free_list);
	}
	if (locked) {
		spin_unlock(&locked->lru_lock);
		local_irq_restore(flags);
	}
	free_unref_page_list(&free_list);
}
