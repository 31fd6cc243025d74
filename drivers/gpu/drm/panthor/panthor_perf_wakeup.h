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
	/** @samples: Unread samples that it is woken up for. 0: it is for each. */
	u32 samples;

	/** @told: Insert index when it was woken up last. */
	u64 told;

	/** @extract: Its extract index at that time. */
	u64 extract;
};

bool panthor_perf_wakeup_due(const struct panthor_perf_wakeup *wakeup,
			     struct panthor_perf_ring *ring);
void panthor_perf_wakeup_told(struct panthor_perf_wakeup *wakeup,
			      const struct panthor_perf_ring *ring);

#endif
