/* SPDX-License-Identifier: GPL-2.0 or MIT */
/* Copyright (c) 2026 The panthor-perf developers */

#ifndef __PANTHOR_PERF_WAKEUP_H__
#define __PANTHOR_PERF_WAKEUP_H__

#include <linux/types.h>

struct panthor_perf_ring;

/**
 * struct panthor_perf_wakeup - When the reader of a ring is to be woken up
 *
 * All zero, it is woken up for each sample. Serialised by the caller.
 */
struct panthor_perf_wakeup {
	/** @samples: Unread samples that it is woken up for. 0: their number does not matter. */
	u32 samples;

	/** @slots: Slots of the ring, a power of two. */
	u32 slots;

	/** @wait_ns: Age of a sample that it is woken up for, in ns. 0: ages do not matter. */
	u64 wait_ns;

	/** @published_ns: CLOCK_MONOTONIC of the publication, by slot. NULL without @wait_ns. */
	u64 *published_ns;

	/** @told: Insert index when it was woken up last. */
	u64 told;

	/** @extract: Its extract index at that time. */
	u64 extract;
};

int panthor_perf_wakeup_init(struct panthor_perf_wakeup *wakeup, u32 samples, u64 wait_ns,
			     u32 slots);
void panthor_perf_wakeup_fini(struct panthor_perf_wakeup *wakeup);

void panthor_perf_wakeup_published(struct panthor_perf_wakeup *wakeup,
				   const struct panthor_perf_ring *ring);
u64 panthor_perf_wakeup_due(const struct panthor_perf_wakeup *wakeup,
			    struct panthor_perf_ring *ring);
void panthor_perf_wakeup_told(struct panthor_perf_wakeup *wakeup,
			      const struct panthor_perf_ring *ring);

#endif
