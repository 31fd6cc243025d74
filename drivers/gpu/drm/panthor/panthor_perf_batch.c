// SPDX-License-Identifier: GPL-2.0 or MIT
/* Copyright (c) 2026 The panthor-perf developers */

#include <linux/slab.h>
#include <linux/string.h>

#include "panthor_perf_batch.h"

/**
 * DOC: Batches
 *
 * Sessions whose periods end together are served by one firmware sample, one after
 * another. Those that look alike, the same counters since the same snapshot, get
 * the same blocks: the first one's are written to where they belong, the second
 * one's to memory of the batch, from which they are copied to all that follow. What
 * a client can write to is never read.
 *
 * Each is compared with the one before alone. Whoever looks like nobody else pays for
 * nothing more than that.
 */

/**
 * panthor_perf_batch_init() - Initialise a batch
 * @batch: Batch, closed afterwards.
 * @layout: Layout of the firmware's samples.
 *
 * Return: 0 or -ENOMEM.
 */
int panthor_perf_batch_init(struct panthor_perf_batch *batch,
			    const struct panthor_perf_layout *layout)
{
	*batch = (struct panthor_perf_batch) {};
	/* A compact sample is never larger. */
	batch->blocks = kvmalloc(panthor_perf_select_full_size(layout), GFP_KERNEL);
	return batch->blocks ? 0 : -ENOMEM;
}

/**
 * panthor_perf_batch_fini() - Free what panthor_perf_batch_init() made
 * @batch: Batch.
 */
void panthor_perf_batch_fini(struct panthor_perf_batch *batch)
{
	kvfree(batch->blocks);
}

/**
 * panthor_perf_batch_open() - What was counted does not change from now on
 * @batch: Batch, closed.
 */
void panthor_perf_batch_open(struct panthor_perf_batch *batch)
{
	batch->open = true;
}

/**
 * panthor_perf_batch_close() - What was counted, and those who look at it, may change
 * @batch: Batch, open.
 */
void panthor_perf_batch_close(struct panthor_perf_batch *batch)
{
	batch->open = false;
	batch->view.masks = NULL;
}

static bool is_same(const struct panthor_perf_view *view, const struct panthor_perf_view *other)
{
	if (view->since.totals != other->since.totals ||
	    view->since.states_nr != other->since.states_nr ||
	    view->since.set != other->since.set || view->compact != other->compact)
		return false;

	return !memcmp(view->masks, other->masks,
		       DRM_PANTHOR_PERF_BLOCK_TYPE_COUNT * sizeof(*view->masks));
}

static void *write_blocks(const struct panthor_perf_counts *counts,
			  const struct panthor_perf_view *view, void *to)
{
	if (view->compact)
		return panthor_perf_select_write_compact(counts, &view->since, view->masks, to);

	return panthor_perf_select_write_full(counts, &view->since, view->masks, to);
}

/**
 * panthor_perf_batch_write() - Write the blocks of a sample
 * @batch: Batch. If it is open, what @view points to has to stay until it is closed.
 * @counts: What was counted.
 * @view: What the sample tells of it.
 * @to: Where to write. What is behind the sample's header, for writing only.
 */
void panthor_perf_batch_write(struct panthor_perf_batch *batch,
			      const struct panthor_perf_counts *counts,
			      const struct panthor_perf_view *view, void *to)
{
	if (!batch->open) {
		write_blocks(counts, view, to);
		return;
	}

	if (!batch->view.masks || !is_same(view, &batch->view)) {
		batch->view = *view;
		batch->size = 0;
		write_blocks(counts, view, to);
		return;
	}

	if (!batch->size)
		batch->size = write_blocks(counts, view, batch->blocks) - batch->blocks;
	memcpy(to, batch->blocks, batch->size);
}
