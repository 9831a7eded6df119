/* SPDX-License-Identifier: GPL-3.0-or-later */
/*
 * series.h - what is gathered of each round; every metric is made of two of them.
 */
#ifndef ZONESIM_SERIES_H
#define ZONESIM_SERIES_H

#include "../alloc/port.h"

/* What a workload may count for metrics of its own, see measure_count. */
#define MAX_WORKLOAD_COUNTS 4

/* What the tasks that are measured together did and waited for in a round, or since the start. */
enum series {
	SERIES_TIME,	       /* seconds */
	SERIES_WORK,	       /* units of the score */
	SERIES_TASK_TIME,      /* seconds times tasks */
	SERIES_TASK_CYCLES,    /* the same in cycles of the time-stamp counter */
	SERIES_ZONE_SPIN,      /* CPU seconds waited for the zone lock */
	SERIES_LRU_SPIN,       /* for the LRU lock */
	SERIES_ZONE_TAKEN,     /* acquisitions of the zone lock */
	SERIES_HOLD_ALLOC,     /* seconds of its holds that refilled a pageset, */
	SERIES_ALLOCS,	       /* and how many */
	SERIES_HOLD_FREE,      /* seconds of its holds that drained one, */
	SERIES_FREES,	       /* and how many */
	SERIES_LRU_HOLD,       /* seconds of holds of the LRU lock, */
	SERIES_LRU_TAKEN,      /* and how many */
	SERIES_LLC_REFERENCES, /* cache lines asked of the last-level caches, */
	SERIES_LLC_MISSES,     /* and those of them that came from memory */
	SERIES_WORKLOAD,       /* the workload's own counts */
	SERIES_EVENT = SERIES_WORKLOAD + MAX_WORKLOAD_COUNTS, /* + enum vm_event_item */
	NR_SERIES = SERIES_EVENT + NR_VM_EVENT_ITEMS
};

#endif
