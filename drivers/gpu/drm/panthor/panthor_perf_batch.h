/* SPDX-License-Identifier: GPL-2.0 or MIT */
/* Copyright (c) 2026 The panthor-perf developers */

#ifndef __PANTHOR_PERF_BATCH_H__
#define __PANTHOR_PERF_BATCH_H__

#include <linux/types.h>

#include "panthor_perf_select.h"

/**
 * struct panthor_perf_view - What the blocks of a sample follow from, beside what was counted
 */
struct panthor_perf_view {
	/** @since: What was at the sample before. */
	struct panthor_perf_since since;

	/** @masks: Counters to tell, of each block type. */
	u64 (*masks)[PANTHOR_PERF_MASK_WORDS];

	/** @compact: The sample has these counters alone. */
	bool compact;
};

/**
 * struct panthor_perf_batch - Samples of the same firmware sample, one after another
 *
 * Has no lock of its own: calls are serialised by the caller.
 */
struct panthor_perf_batch {
	/** @open: What was counted does not change. */
	bool open;

	/** @view: That of the newest sample. Its masks are NULL if there is none yet. */
	struct panthor_perf_view view;

	/** @blocks: Memory for the blocks of a sample, out of reach of user space. */
	void *blocks;

	/** @size: Size in bytes of the blocks for @view that are there. 0: none are. */
	size_t size;
};

int panthor_perf_batch_init(struct panthor_perf_batch *batch,
			    const struct panthor_perf_layout *layout);
void panthor_perf_batch_fini(struct panthor_perf_batch *batch);
void panthor_perf_batch_open(struct panthor_perf_batch *batch);
void panthor_perf_batch_close(struct panthor_perf_batch *batch);
void panthor_perf_batch_write(struct panthor_perf_batch *batch,
			      const struct panthor_perf_counts *counts,
			      const struct panthor_perf_view *view, void *to);

#endif
