/* SPDX-License-Identifier: GPL-2.0 or MIT */
/* Copyright (c) 2026 The panthor-perf developers */

#ifndef __PANTHOR_PERF_SELECT_H__
#define __PANTHOR_PERF_SELECT_H__

#include <linux/types.h>

#include <drm/panthor_perf_drm.h>

#include "panthor_perf_layout.h"

struct panthor_perf_counts;

/** define PANTHOR_PERF_MASK_WORDS - Number of 64-bit words in the counter mask of a block type. */
#define PANTHOR_PERF_MASK_WORDS		(PANTHOR_PERF_MAX_COUNTERS / 64)

/**
 * struct panthor_perf_snapshot - Counts at the end of a session's previous sample
 */
struct panthor_perf_snapshot {
	/** @totals: Copy of &panthor_perf_entry_sum.totals. */
	u64 *totals;

	/** @states_nr: Copy of &panthor_perf_states.nr. */
	u64 states_nr;
};

int panthor_perf_select_add(u64 masks[][PANTHOR_PERF_MASK_WORDS],
			    const struct panthor_perf_layout *layout,
			    const struct drm_panthor_perf_section *section);

/* Format of samples */
u32 panthor_perf_select_size(const struct panthor_perf_layout *layout);
u32 panthor_perf_select_compact_size(const struct panthor_perf_layout *layout,
				     u64 masks[][PANTHOR_PERF_MASK_WORDS]);
void panthor_perf_select_write(const struct panthor_perf_counts *counts,
			       struct panthor_perf_snapshot *before,
			       u64 masks[][PANTHOR_PERF_MASK_WORDS], void *to);
void panthor_perf_select_write_compact(const struct panthor_perf_counts *counts,
				       struct panthor_perf_snapshot *before,
				       u64 masks[][PANTHOR_PERF_MASK_WORDS], void *to);

#if IS_ENABLED(CONFIG_DRM_PANTHOR_PERF_CONTROL)
void *panthor_perf_select_write_values(const struct panthor_perf_counts *counts,
				       struct panthor_perf_snapshot *before, u32 nr,
				       const u64 *mask, void *to);
#endif

#endif
