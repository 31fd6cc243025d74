/* SPDX-License-Identifier: GPL-2.0 or MIT */
/* Copyright (c) 2026 The panthor-perf developers */

#ifndef __PANTHOR_PERF_ENTRY_H__
#define __PANTHOR_PERF_ENTRY_H__

#include <linux/types.h>

#include "panthor_perf_layout.h"

/**
 * struct panthor_perf_block_map - A set of blocks of a layout
 */
struct panthor_perf_block_map {
	/** @bits: A bit for each block. */
	DECLARE_BITMAP(bits, PANTHOR_PERF_MAX_BLOCKS);
};

/**
 * struct panthor_perf_entry_sum - What firmware samples add up to
 */
struct panthor_perf_entry_sum {
	/** @totals: Total of each counter, indexed by block and counter. */
	u64 *totals;

	/** @gpu_timestamp: GPU timestamp of the newest sample that had a block. */
	u64 gpu_timestamp;

	/** @written: Blocks that are in the newest sample. */
	struct panthor_perf_block_map written;
};

bool panthor_perf_entry_is_protected_exit(const struct panthor_perf_layout *layout,
					  const u32 *entry);
bool panthor_perf_entry_add(const struct panthor_perf_layout *layout, u32 set, const u32 *entry,
			    struct panthor_perf_entry_sum *sum);

#endif
