/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * pcp_order.c - pagesets since v5.14: blocks of several orders, drains that adapt, and the locks
 * that came with v6.0.
 *
 * Every function that patches change is written once with constant arguments and instantiated for
 * each protection and policy that patches can make, see PCP_FORMS at the end.
 */

#include "buddy.h"
#include "bulk.h"
#include "kernel_ops.h"
#include "page_alloc.h"
#include "pcp.h"

#define SWAP_CLUSTER_MAX 32 /* pages freed in one stretch of holding the pageset */
#define PCP_BATCH_SCALE_MAX 5

/* How a pageset is kept from others. */
enum protection {
	IRQS_OFF,  /* only its CPU uses it, with interrupts off */
	LOCKED,	   /* a spinlock, interrupts off: any CPU may drain it */
	TRYLOCKED, /* the same, interrupts on: who finds it taken goes to buddy */
};

/* How much drains and refills take; each has what the one before it has, but as said. */
enum policy {
	ALWAYS_A_BATCH,
	SCALED,	      /* free-batch-scale */
	HIGH_LIMITED, /* high-order-limit */
	NOT_ON_EXIT,  /* pcp-no-drain-on-exit */
	BATCH_KEPT,   /* pcp-keep-high-order-batch */
	TUNED,	      /* pcp-auto-tune, without BATCH_KEPT */
	TUNED_AND_KEPT,
};

static __always_inline struct per_cpu_order_pages *this_cpu_pages(struct zone *zone)
{
	return zone->per_cpu_pages[smp_processor_id()];
}

static __always_inline unsigned int order_to_pindex(int migratetype, unsigned int order)
{
	if (unlikely(order > PAGE_ALLOC_COSTLY_ORDER))
		return NR_LOWORDER_PCP_LISTS;
	return MIGRATE_PCPTYPES * order + (unsigned int)migratetype;
}

static __always_inline unsigned int pindex_to_order(unsigned int pindex)
{
	if (unlikely(pindex == NR_LOWORDER_PCP_LISTS))
		return PAGEBLOCK_ORDER;
	return pindex / MIGRATE_PCPTYPES;
}

static __always_inline int clamp_int(int value, int low, int high)
{
	return value < low ? low : value > high ? high : value;
}

static __always_inline int min_int(int a, int b)
{
	return a < b ? a : b;
}

static __always_inline int max_int(int a, int b)
{
	return a > b ? a : b;
}

/* ---- having the pageset to oneself ---- */

/* False when that can not be had, which only TRYLOCKED says. */
static __always_inline bool enter(
	struct per_cpu_order_pages *pcp, unsigned long *flags, const enum protection protection)
{
	if (protection == TRYLOCKED) {
		bool got = spin_trylock(&pcp->lock);

		if (unlikely(!got))
			count_vm_events(PCP_LOCK_MISSED, 1);
		return got;
	}
	*flags = local_irq_save();
	if (protection == LOCKED)
		spin_lock(&pcp->lock);
	return true;
}

static __always_inline void leave(
	struct per_cpu_order_pages *pcp, unsigned long flags, const enum protection protection)
{
	if (protection != IRQS_OFF)
		spin_unlock(&pcp->lock);
	if (protection != TRYLOCKED)
		local_irq_restore(flags);
}

/* zone->lock is always taken with interrupts off: by whoever has left them on until then. */
static __always_inline unsigned long zone_irq_save(const enum protection protection)
{
	return protection == TRYLOCKED ? local_irq_save() : 0;
}

static __always_inline void zone_irq_restore(unsigned long flags, const enum protection protection)
{
	if (protection == TRYLOCKED)
		local_irq_restore(flags);
}

/* ---- drains ---- */

static __always_inline void free_block(
	struct zone *zone, struct page *page, unsigned int order, bool isolated_pageblocks)
{
	int migratetype = get_pcppage_migratetype(page);

	if (unlikely(isolated_pageblocks))
		migratetype = get_pfnblock_migratetype(zone, page_to_pfn(page));
	__free_one_page(page, page_to_pfn(page), zone, order, migratetype);
}

/* Take the oldest block off a list and out of the count; NULL when it is bad and leaks. */
static __always_inline struct page *pick_block(
	struct per_cpu_order_pages *pcp, struct list_head *list, unsigned int order)
{
	struct page *page = list_last_entry(list, struct page, lru);

	list_del(&page->lru);
	pcp->count -= 1 << order;
	if (likely(page_expected_state(page)))
		return page;
	bad_page(page);
	return NULL;
}

/*
 * v5.14 to v5.17: turn by turn from the lists, the more at a turn the more lists were met empty;
 * chosen blocks wait on a private list for the lock.
 */
static __always_inline void drain_in_turns(struct zone *zone, int count,
	struct per_cpu_order_pages *pcp, const bool pick_outside, const bool prefetch)
{
	struct list_head picked;
	unsigned int pindex = 0, run = 0;
	int prefetched = 0;

	INIT_LIST_HEAD(&picked);
	if (!pick_outside)
		spin_lock(&zone->lock);
	bool isolated_pageblocks = zone->nr_isolate_pageblock;

	while (count > 0) {
		struct list_head *list;

		do {
			run++;
			if (++pindex == NR_PCP_LISTS)
				pindex = 0;
			list = &pcp->lists[pindex];
		} while (list_empty(list));
		/* the only list that is not empty gives all that is left */
		if (run >= NR_PCP_LISTS)
			run = (unsigned int)count;
		unsigned int order = pindex_to_order(pindex);

		do {
			struct page *page = pick_block(pcp, list, order);

			count -= 1 << order;
			if (unlikely(!page))
				continue;
			if (!pick_outside) {
				free_block(zone, page, order, isolated_pageblocks);
				continue;
			}
			/* whoever frees it knows the order only from here */
			page->private = order;
			list_add_tail(&page->lru, &picked);
			if (prefetch && prefetched++ < pcp->batch)
				prefetch_nta(pfn_to_page(page_to_pfn(page) ^ (1UL << order)));
		} while (count > 0 && --run && !list_empty(list));
	}
	if (pick_outside) {
		struct list_head *next;

		spin_lock(&zone->lock);
		for (struct list_head *at = picked.next; at != &picked; at = next) {
			struct page *page = container_of(at, struct page, lru);

			next = at->next;
			free_block(zone, page, (unsigned int)page->private, isolated_pageblocks);
		}
	}
	spin_unlock(&zone->lock);
}

/* Since v5.18: one pass under the lock, list by list, the one just freed to first. */
static __always_inline void drain_in_one_pass(
	struct zone *zone, int count, struct per_cpu_order_pages *pcp, int pindex)
{
	int first = 0, last = NR_PCP_LISTS - 1;

	pindex--;
	spin_lock(&zone->lock);
	bool isolated_pageblocks = zone->nr_isolate_pageblock;

	while (count > 0) {
		struct list_head *list;

		for (;;) {
			if (++pindex > last)
				pindex = first;
			list = &pcp->lists[pindex];
			if (!list_empty(list))
				break;
			if (pindex == last)
				last--;
			if (pindex == first)
				first++;
		}
		unsigned int order = pindex_to_order((unsigned int)pindex);

		do {
			struct page *page = pick_block(pcp, list, order);

			count -= 1 << order;
			if (likely(page))
				free_block(zone, page, order, isolated_pageblocks);
		} while (count > 0 && !list_empty(list));
	}
	spin_unlock(&zone->lock);
}

static __always_inline void __free_pcppages_bulk(struct zone *zone, int count,
	struct per_cpu_order_pages *pcp, int pindex, const bool one_pass, const bool pick_outside,
	const bool prefetch)
{
	/* a pageset may have less than its CPU thought, and at the least nothing */
	count = min_int(count, pcp->count);
	if (unlikely(count <= 0))
		return;
	count_vm_events(PCP_DRAIN, 1);
	if (one_pass)
		drain_in_one_pass(zone, count, pcp, pindex);
	else
		drain_in_turns(zone, count, pcp, pick_outside, prefetch);
}

static void drain_inside(struct zone *zone, int count, struct per_cpu_order_pages *pcp, int pindex)
{
	__free_pcppages_bulk(zone, count, pcp, pindex, false, false, false);
}

static void drain_outside(struct zone *zone, int count, struct per_cpu_order_pages *pcp, int pindex)
{
	__free_pcppages_bulk(zone, count, pcp, pindex, false, true, false);
}

static void drain_prefetching(
	struct zone *zone, int count, struct per_cpu_order_pages *pcp, int pindex)
{
	__free_pcppages_bulk(zone, count, pcp, pindex, false, true, true);
}

static void drain_one_pass(
	struct zone *zone, int count, struct per_cpu_order_pages *pcp, int pindex)
{
	__free_pcppages_bulk(zone, count, pcp, pindex, true, false, false);
}

void (*const free_pcp_orders_forms[5])(struct zone *, int, struct per_cpu_order_pages *, int) = {
	drain_inside, drain_outside, NULL /* prefetch-buddy needs pick-outside-lock */,
	drain_prefetching, drain_one_pass};

static __always_inline void drain(struct zone *zone, int count, struct per_cpu_order_pages *pcp,
	unsigned int pindex, const enum protection protection)
{
	unsigned long flags = zone_irq_save(protection);

	kernel.free_pcp_orders(zone, count, pcp, (int)pindex);
	zone_irq_restore(flags, protection);
}

/* ---- how much at a time ---- */

static __always_inline bool is_tuned(const enum policy policy)
{
	return policy >= TUNED;
}

static __always_inline bool is_high_order(unsigned int order)
{
	return order && order <= PAGE_ALLOC_COSTLY_ORDER;
}

/* Shall this free of @order empty the pageset? Blocks of high order are of no use to most. */
static __always_inline bool want_free_high(
	struct per_cpu_order_pages *pcp, unsigned int order, const enum policy policy)
{
	bool keep = policy == BATCH_KEPT || policy == TUNED_AND_KEPT, free_high = false;

	if (policy < HIGH_LIMITED)
		return false;
	if (policy == HIGH_LIMITED)
		return pcp->free_count && is_high_order(order);
	if (is_high_order(order)) {
		free_high =
			pcp->free_count >= (is_tuned(policy) ? pcp->batch : 1) &&
			(pcp->flags & PCPF_PREV_FREE_HIGH_ORDER) &&
			(!keep || !(pcp->flags & PCPF_FREE_HIGH_BATCH) || pcp->count >= pcp->batch);
		pcp->flags |= PCPF_PREV_FREE_HIGH_ORDER;
	} else if (pcp->flags & PCPF_PREV_FREE_HIGH_ORDER) {
		pcp->flags &= (uint8_t)~PCPF_PREV_FREE_HIGH_ORDER;
	}
	return free_high;
}

/* The count from which on this free drains; tuned, the pageset's high moves on the way. */
static __always_inline int high_for_free(
	struct per_cpu_order_pages *pcp, bool free_high, const enum policy policy)
{
	if (!is_tuned(policy))
		return unlikely(free_high) ? 0 : pcp->high;
	int high = clamp_int(pcp->high, pcp->high_min, pcp->high_max);
	int wanted = pcp->free_count + pcp->batch;

	if (unlikely(!high))
		return 0;
	if (unlikely(free_high)) {
		pcp->high = max_int(high - (pcp->batch << PCP_BATCH_SCALE_MAX), pcp->high_min);
		return 0;
	}
	if (pcp->high_min != pcp->high_max && pcp->count >= high && high < wanted)
		pcp->high = clamp_int(wanted, pcp->high_min, pcp->high_max);
	return high;
}

/* Pages that a drain takes. */
static __always_inline int nr_pcp_free(
	struct per_cpu_order_pages *pcp, int high, bool free_high, const enum policy policy)
{
	int batch = pcp->batch;

	if (unlikely(free_high))
		return is_tuned(policy) ? min_int(pcp->count, batch << PCP_BATCH_SCALE_MAX)
					: pcp->count;
	if (unlikely(high < batch))
		return 1;
	if (policy == ALWAYS_A_BATCH)
		return batch;
	if (is_tuned(policy))
		return clamp_int(pcp->free_count, batch, max_int(high - batch, batch));
	int wanted = batch << pcp->free_count;

	if (wanted < high - batch)
		pcp->free_count++;
	return clamp_int(wanted, batch, max_int(high - batch, batch));
}

/* Blocks of @order that a refill takes; tuned, high rises with it. */
static __always_inline int nr_pcp_alloc(
	struct per_cpu_order_pages *pcp, unsigned int order, const enum policy policy)
{
	int batch = pcp->batch, count = batch;

	if (is_tuned(policy)) {
		int high = pcp->high = clamp_int(pcp->high, pcp->high_min, pcp->high_max);

		if (unlikely(high < batch))
			return 1;
		count = order ? batch : batch << pcp->alloc_factor;
		if (pcp->high_min != pcp->high_max)
			high = pcp->high = min_int(high + count, pcp->high_max);
		if (!order) {
			int room = max_int(high - pcp->count - batch, batch);

			if (count <= room && pcp->alloc_factor < PCP_BATCH_SCALE_MAX)
				pcp->alloc_factor++;
			count = min_int(count, room);
		}
	}
	/* few high-order blocks make a batch, but one refill should serve more than one */
	if (count > 1)
		count = max_int(count >> order, 2);
	return count;
}

/* ---- taking ---- */

/* One block off @list, refilled when it is empty. The caller has the pageset to itself. */
static __always_inline struct page *__rmqueue_pcplist(struct zone *zone, unsigned int order,
	int migratetype, struct per_cpu_order_pages *pcp, struct list_head *list,
	const enum protection protection, const enum policy policy)
{
	if (list_empty(list)) {
		int count = nr_pcp_alloc(pcp, order, policy);
		unsigned long flags = zone_irq_save(protection);

		pcp->count += kernel.rmqueue_bulk(zone, order, count, list, migratetype) << order;
		zone_irq_restore(flags, protection);
		if (unlikely(list_empty(list)))
			return NULL;
	}
	struct page *page = list_first_entry(list, struct page, lru);

	list_del(&page->lru);
	pcp->count -= 1 << order;
	return page;
}

/* Pages are being taken: drains start small again. */
static __always_inline void note_allocation(
	struct per_cpu_order_pages *pcp, const enum policy policy)
{
	if (policy != ALWAYS_A_BATCH)
		pcp->free_count >>= 1;
}

static __always_inline struct page *take(struct zone *zone, unsigned int order, int migratetype,
	const enum protection protection, const enum policy policy)
{
	struct per_cpu_order_pages *pcp = this_cpu_pages(zone);
	unsigned long flags;

	if (unlikely(!enter(pcp, &flags, protection)))
		return rmqueue_buddy(zone, order, migratetype);
	note_allocation(pcp, policy);
	struct page *page = __rmqueue_pcplist(zone, order, migratetype, pcp,
		&pcp->lists[order_to_pindex(migratetype, order)], protection, policy);

	if (likely(page))
		count_vm_events(PGALLOC, 1UL << order);
	leave(pcp, flags, protection);
	return page;
}

static __always_inline unsigned long take_bulk(struct zone *zone, int migratetype,
	struct bulk_request *request, const enum protection protection, const enum policy policy)
{
	struct per_cpu_order_pages *pcp = this_cpu_pages(zone);
	struct list_head *list = &pcp->lists[order_to_pindex(migratetype, 0)];
	unsigned long flags, taken = 0;

	if (unlikely(!enter(pcp, &flags, protection)))
		return 0;
	note_allocation(pcp, policy);
	while (bulk_wants(request)) {
		struct page *page =
			__rmqueue_pcplist(zone, 0, migratetype, pcp, list, protection, policy);

		if (unlikely(!page))
			break;
		taken++;
		bulk_give(request, page);
	}
	count_vm_events(PGALLOC, taken);
	leave(pcp, flags, protection);
	return taken;
}

/* ---- giving back ---- */

static __always_inline void free_one_page(
	struct zone *zone, struct page *page, unsigned int order, int migratetype)
{
	unsigned long flags = local_irq_save();

	spin_lock(&zone->lock);
	__free_one_page(page, page_to_pfn(page), zone, order, migratetype);
	spin_unlock(&zone->lock);
	local_irq_restore(flags);
}

/*
 * Drain @count pages, a batch at a time, letting others have both locks between batches. True when
 * the pageset is still the caller's at the end.
 */
static __always_inline bool drain_in_chunks(struct zone *zone, int count,
	struct per_cpu_order_pages *pcp, unsigned int pindex, unsigned long *flags,
	const enum protection protection)
{
	for (;;) {
		int chunk = min_int(count, pcp->batch);

		drain(zone, chunk, pcp, pindex, protection);
		count -= chunk;
		if (count <= 0 || pcp->count == 0)
			return true;
		leave(pcp, *flags, protection);
		if (!enter(pcp, flags, protection))
			return false;
	}
}

/* Put a block on its list, and drain when there are too many. As drain_in_chunks. */
static __always_inline bool commit(struct zone *zone, struct per_cpu_order_pages *pcp,
	struct page *page, int migratetype, unsigned int order, unsigned long *flags,
	const enum protection protection, const enum policy policy, const bool chunked)
{
	unsigned int pindex = order_to_pindex(migratetype, order);

	if (is_tuned(policy))
		pcp->alloc_factor >>= 1;
	count_vm_events(PGFREE, 1UL << order);
	list_add(&page->lru, &pcp->lists[pindex]);
	pcp->count += 1 << order;
	bool free_high = want_free_high(pcp, order, policy);

	if (is_tuned(policy) && pcp->free_count < pcp->batch << PCP_BATCH_SCALE_MAX)
		pcp->free_count = (short)(pcp->free_count + (1 << order));
	int high = high_for_free(pcp, free_high, policy);

	if (likely(pcp->count < high))
		return true;
	int count = nr_pcp_free(pcp, high, free_high, policy);

	if (free_high)
		count_vm_events(PCP_DRAIN_HIGH, 1);
	if (chunked)
		return drain_in_chunks(zone, count, pcp, pindex, flags, protection);
	drain(zone, count, pcp, pindex, protection);
	return true;
}

/* The list for the block's type; @migratetype may be one that pagesets do not keep. */
static __always_inline int pcp_migratetype(int migratetype)
{
	return likely(migratetype < MIGRATE_PCPTYPES) ? migratetype : MIGRATE_MOVABLE;
}

static __always_inline void give(struct page *page, unsigned int order,
	const enum protection protection, const enum policy policy, const bool chunked)
{
	free_pages_prepare(page, order);

	struct zone *zone = page_zone(page);
	int migratetype = get_pcppage_migratetype(page);
	struct per_cpu_order_pages *pcp = this_cpu_pages(zone);
	unsigned long flags;

	if (unlikely(migratetype == MIGRATE_ISOLATE) || unlikely(!enter(pcp, &flags, protection))) {
		count_vm_events(PGFREE, 1UL << order);
		free_one_page(zone, page, order, migratetype);
		return;
	}
	if (likely(commit(zone, pcp, page, pcp_migratetype(migratetype), order, &flags, protection,
		    policy, chunked)))
		leave(pcp, flags, protection);
}

/* Single pages, a stretch of them for each time that the pageset is taken. */
static __always_inline void give_list(struct list_head *list, const enum protection protection,
	const enum policy policy, const bool chunked)
{
	struct per_cpu_order_pages *pcp = NULL;
	struct zone *locked = NULL;
	struct list_head *at, *next;
	unsigned long flags = 0;
	int stretch = 0;

	list_for_each (at, list)
		free_pages_prepare(container_of(at, struct page, lru), 0);
	for (at = list->next; at != list; at = next) {
		struct page *page = container_of(at, struct page, lru);
		struct zone *zone = page_zone(page);
		int migratetype = get_pcppage_migratetype(page);

		next = at->next;
		if (locked && (zone != locked || stretch == SWAP_CLUSTER_MAX)) {
			leave(pcp, flags, protection);
			locked = NULL;
		}
		if (!locked) {
			pcp = this_cpu_pages(zone);
			stretch = 0;
			if (likely(enter(pcp, &flags, protection)))
				locked = zone;
		}
		if (unlikely(!locked) || unlikely(migratetype == MIGRATE_ISOLATE)) {
			if (locked)
				leave(pcp, flags, protection);
			locked = NULL;
			count_vm_events(PGFREE, 1);
			free_one_page(zone, page, 0, migratetype);
			continue;
		}
		if (!commit(zone, pcp, page, pcp_migratetype(migratetype), 0, &flags, protection,
			    policy, chunked))
			locked = NULL;
		stretch++;
	}
	if (locked)
		leave(pcp, flags, protection);
}

/* ---- draining whole pagesets ---- */

/* All of @cpu's pages; of another CPU's only where a lock protects them. */
static __always_inline bool drain_cpu(struct zone *zone, int cpu, const enum protection protection)
{
	struct per_cpu_order_pages *pcp = zone->per_cpu_pages[cpu];
	unsigned long flags;

	if (protection == IRQS_OFF && cpu != smp_processor_id())
		return false;
	flags = local_irq_save();
	if (protection != IRQS_OFF)
		spin_lock(&pcp->lock);
	kernel.free_pcp_orders(zone, pcp->count, pcp, 0);
	if (protection != IRQS_OFF)
		spin_unlock(&pcp->lock);
	local_irq_restore(flags);
	return true;
}

void decay_pcp_high(struct zone *zone, int cpu)
{
	struct per_cpu_order_pages *pcp = zone->per_cpu_pages[cpu];
	unsigned long flags = local_irq_save();

	spin_lock(&pcp->lock);
	int kept = pcp->count - (pcp->batch << PCP_BATCH_SCALE_MAX);

	/* down by an eighth, but not to where the pages at hand would have to go at once */
	if (pcp->high > pcp->high_min)
		pcp->high = max_int(max_int(kept, pcp->high - (pcp->high >> 3)), pcp->high_min);
	kernel.free_pcp_orders(zone, pcp->count - pcp->high, pcp, 0);
	spin_unlock(&pcp->lock);
	local_irq_restore(flags);
}

/* ---- the instances ---- */

#define PCP_FORM(name, protection, policy, chunked)                                                \
	static struct page *take_##name(struct zone *zone, unsigned int order, int migratetype)    \
	{                                                                                          \
		return take(zone, order, migratetype, protection, policy);                         \
	}                                                                                          \
	static unsigned long bulk_##name(                                                          \
		struct zone *zone, int migratetype, struct bulk_request *request)                  \
	{                                                                                          \
		return take_bulk(zone, migratetype, request, protection, policy);                  \
	}                                                                                          \
	static void give_##name(struct page *page, unsigned int order)                             \
	{                                                                                          \
		give(page, order, protection, policy, chunked);                                    \
	}                                                                                          \
	static void list_##name(struct list_head *list)                                            \
	{                                                                                          \
		give_list(list, protection, policy, chunked);                                      \
	}                                                                                          \
	static bool drain_##name(struct zone *zone, int cpu)                                       \
	{                                                                                          \
		return drain_cpu(zone, cpu, protection);                                           \
	}                                                                                          \
	static const struct pcp_ops ops_##name = {                                                 \
		take_##name, bulk_##name, give_##name, list_##name, drain_##name};

/* Each policy, under each protection that it can have. */
#define PCP_FORMS(protection, letter)                                                              \
	PCP_FORM(letter##batch, protection, ALWAYS_A_BATCH, false)                                 \
	PCP_FORM(letter##scaled, protection, SCALED, false)                                        \
	PCP_FORM(letter##limited, protection, HIGH_LIMITED, false)                                 \
	PCP_FORM(letter##exit, protection, NOT_ON_EXIT, false)                                     \
	PCP_FORM(letter##kept, protection, BATCH_KEPT, false)

PCP_FORMS(IRQS_OFF, i)
PCP_FORMS(LOCKED, l)
PCP_FORMS(TRYLOCKED, t)
PCP_FORM(ltuned, LOCKED, TUNED, false)
PCP_FORM(lboth, LOCKED, TUNED_AND_KEPT, false)
PCP_FORM(ttuned, TRYLOCKED, TUNED, false)
PCP_FORM(tboth, TRYLOCKED, TUNED_AND_KEPT, false)
PCP_FORM(ctuned, TRYLOCKED, TUNED, true)
PCP_FORM(cboth, TRYLOCKED, TUNED_AND_KEPT, true)

static const struct pcp_ops *const forms[][TUNED_AND_KEPT + 1] = {
	[IRQS_OFF] = {&ops_ibatch, &ops_iscaled, &ops_ilimited, &ops_iexit, &ops_ikept},
	[LOCKED] = {&ops_lbatch, &ops_lscaled, &ops_llimited, &ops_lexit, &ops_lkept, &ops_ltuned,
		&ops_lboth},
	[TRYLOCKED] = {&ops_tbatch, &ops_tscaled, &ops_tlimited, &ops_texit, &ops_tkept,
		&ops_ttuned, &ops_tboth},
};

static bool has(patch_set set, enum patch patch)
{
	return set & PATCH_BIT(patch);
}

const struct pcp_ops *pcp_order_ops(patch_set set)
{
	bool keep = has(set, PATCH_PCP_KEEP_HIGH_ORDER_BATCH);
	enum protection protection = has(set, PATCH_PCP_TRYLOCK)    ? TRYLOCKED
				     : has(set, PATCH_PCP_SPINLOCK) ? LOCKED
								    : IRQS_OFF;
	enum policy policy = ALWAYS_A_BATCH;

	if (has(set, PATCH_CHUNKED_DRAIN))
		return keep ? &ops_cboth : &ops_ctuned;
	if (has(set, PATCH_PCP_AUTO_TUNE))
		policy = keep ? TUNED_AND_KEPT : TUNED;
	else if (keep)
		policy = BATCH_KEPT;
	else if (has(set, PATCH_PCP_NO_DRAIN_ON_EXIT))
		policy = NOT_ON_EXIT;
	else if (has(set, PATCH_HIGH_ORDER_LIMIT))
		policy = HIGH_LIMITED;
	else if (has(set, PATCH_FREE_BATCH_SCALE))
		policy = SCALED;
	return forms[protection][policy];
}
