// SPDX-License-Identifier: GPL-2.0 or MIT
/* Copyright (c) 2026 The panthor-perf developers */

#include <linux/bitmap.h>
#include <linux/bits.h>
#include <linux/build_bug.h>
#include <linux/jiffies.h>
#include <linux/minmax.h>
#include <linux/slab.h>

#include <drm/panthor_perf_drm.h>

#include "panthor_perf_counts.h"
#include "panthor_perf_fw.h"
#include "panthor_perf_trace.h"

/**
 * DOC: Block states
 *
 * A block that firmware wrote in a sample was on. A shader core or a neural
 * accelerator that it did not write was off. Other blocks are off while counters
 * are disabled: after a suspend, a reset or a failure of firmware.
 *
 * Firmware writes an automatic sample before a core loses power. If a core is in
 * a requested sample and not in the next sample, that automatic sample is
 * missing, and the counts of the core are lost. The same holds for accelerators.
 */

static_assert(DRM_PANTHOR_PERF_BLOCK_STATE_NORMAL == 1 << (PANTHOR_PERF_STATE_BITS - 1));

/**
 * panthor_perf_states_init() - Initialise the record of states
 * @states: Record.
 * @layout: Layout of the firmware's samples. Must outlive @states.
 *
 * Return: 0 or -ENOMEM.
 */
int panthor_perf_states_init(struct panthor_perf_states *states,
			     const struct panthor_perf_layout *layout)
{
	*states = (struct panthor_perf_states) { .layout = layout };
	states->seen = kvcalloc(layout->block_count, sizeof(*states->seen), GFP_KERNEL);
	return states->seen ? 0 : -ENOMEM;
}

/**
 * panthor_perf_states_fini() - Free the record of states
 * @states: Record.
 */
void panthor_perf_states_fini(struct panthor_perf_states *states)
{
	kvfree(states->seen);
}

static void record_block(struct panthor_perf_states *states, u32 nr, unsigned long bits)
{
	u32 bit;

	for_each_set_bit(bit, &bits, PANTHOR_PERF_STATE_BITS)
		states->seen[nr][bit] = states->nr;
}

/**
 * panthor_perf_states_add() - Record the states of a firmware sample
 * @states: Record.
 * @written: Blocks that firmware wrote.
 *
 * Clears &panthor_perf_states.requested.
 *
 * Return: true if a core lost power without an automatic sample, so that its counts are lost.
 */
bool panthor_perf_states_add(struct panthor_perf_states *states,
			     const struct panthor_perf_block_map *written)
{
	bool lost = false;

	states->nr++;
	for (u32 i = 0; i < states->layout->block_count; i++) {
		const u8 type = states->layout->blocks[i].type;
		u32 bits = DRM_PANTHOR_PERF_BLOCK_STATE_NORMAL;

		if (test_bit(i, written->bits) ||
		    (type != DRM_PANTHOR_PERF_BLOCK_TYPE_SHADER &&
		     type != DRM_PANTHOR_PERF_BLOCK_TYPE_NEURAL)) {
			bits |= DRM_PANTHOR_PERF_BLOCK_STATE_ON;
		} else {
			bits |= DRM_PANTHOR_PERF_BLOCK_STATE_OFF;
			lost |= states->requested && test_bit(i, states->written.bits);
		}

		record_block(states, i, bits);
	}

	states->written = *written;
	states->requested = false;
	return lost;
}

/**
 * panthor_perf_states_off() - Record that all blocks are off
 * @states: Record.
 *
 * A core that is missing in the next sample is not reported as lost then.
 */
void panthor_perf_states_off(struct panthor_perf_states *states)
{
	states->nr++;
	for (u32 i = 0; i < states->layout->block_count; i++)
		record_block(states, i, DRM_PANTHOR_PERF_BLOCK_STATE_OFF);

	states->requested = false;
}

/**
 * panthor_perf_states_since() - Get the states of a block since an earlier time
 * @states: Record.
 * @block: Block.
 * @set: Counter set.
 * @nr: Value of &panthor_perf_states.nr at the earlier time.
 *
 * Return: A combination of &enum drm_panthor_perf_block_state.
 */
u32 panthor_perf_states_since(const struct panthor_perf_states *states, u32 block, u32 set, u64 nr)
{
	u32 bits = DRM_PANTHOR_PERF_BLOCK_STATE_AVAILABLE;

	if (!panthor_perf_set_has(set, states->layout->blocks[block].type))
		return DRM_PANTHOR_PERF_BLOCK_STATE_UNAVAILABLE;

	if (!states->layout->blocks[block].available)
		bits = DRM_PANTHOR_PERF_BLOCK_STATE_UNAVAILABLE;

	for (u32 bit = 0; bit < PANTHOR_PERF_STATE_BITS; bit++) {
		if (states->seen[block][bit] > nr)
			bits |= BIT(bit);
	}

	return bits;
}

/**
 * panthor_perf_counts_init() - Initialise the running totals
 * @counts: Counts. All that this function does not set is zero or set by the caller.
 * @fw: Firmware, initialised. Must outlive @counts.
 *
 * Return: 0 or -ENOMEM.
 */
int panthor_perf_counts_init(struct panthor_perf_counts *counts, struct panthor_perf_fw *fw)
{
	counts->fw = fw;
	counts->sum.totals = kvcalloc(panthor_perf_layout_values(fw->layout), sizeof(u64),
				      GFP_KERNEL);
	if (!counts->sum.totals)
		return -ENOMEM;

	if (panthor_perf_states_init(&counts->states, fw->layout)) {
		kvfree(counts->sum.totals);
		return -ENOMEM;
	}

	return 0;
}

/**
 * panthor_perf_counts_fini() - Free the running totals
 * @counts: Counts.
 */
void panthor_perf_counts_fini(struct panthor_perf_counts *counts)
{
	panthor_perf_states_fini(&counts->states);
	kvfree(counts->sum.totals);
}

/**
 * panthor_perf_counts_on() - Update the counts after an enable of counters
 * @counts: Counts, of a powered GPU.
 */
void panthor_perf_counts_on(struct panthor_perf_counts *counts)
{
	panthor_perf_anchor_read(&counts->anchor, counts->fw);
	panthor_perf_clocks_restart(&counts->clocks, counts->anchor.cycles,
				    counts->anchor.cycles_ns);
	counts->last_read = jiffies;
}

/**
 * panthor_perf_counts_request() - Update the counts before a request for a sample
 * @counts: Counts, with counters enabled.
 */
void panthor_perf_counts_request(struct panthor_perf_counts *counts)
{
	panthor_perf_read_now(&counts->request_time);
	counts->entries = 0;
}

static void add_entry(struct panthor_perf_counts *counts, u32 set, const u32 *entry)
{
	if (panthor_perf_entry_add(counts->fw->layout, set, entry, &counts->sum))
		counts->flags |= DRM_PANTHOR_PERF_SAMPLE_OVERFLOW;

	/* Not an error: not all firmware is known to write a sample before a core loses power. */
	if (panthor_perf_states_add(&counts->states, &counts->sum.written))
		counts->events |= DRM_PANTHOR_PERF_EVENT_CORE_OFF_LOST;

	/* A sample without any block has no time stamp. */
	counts->total_entries += !bitmap_empty(counts->sum.written.bits, PANTHOR_PERF_MAX_BLOCKS);
	counts->entries++;
	trace_panthor_perf_sample(counts->fw, counts->sum.gpu_timestamp);
}

/**
 * panthor_perf_counts_read() - Drain the firmware's ring into the totals
 * @counts: Counts.
 * @set: Counter set in use.
 *
 * Return: Number of firmware samples; -EIO if the firmware's index is impossible.
 */
int panthor_perf_counts_read(struct panthor_perf_counts *counts, u32 set)
{
	struct panthor_perf_fw *fw = counts->fw;
	u32 pending, count;
	int ret;

	ret = panthor_perf_fw_pending(fw, &pending);
	if (ret)
		return ret;

	for (count = 0; count < pending; count++) {
		add_entry(counts, set, panthor_perf_fw_peek(fw));
		panthor_perf_fw_consume(fw);
	}

	if (!count)
		return 0;

	panthor_perf_fw_release(fw);

	/* The worker was late: a counter may have saturated or wrapped. */
	if (time_after(jiffies, counts->last_read + counts->saturation))
		counts->flags |= DRM_PANTHOR_PERF_SAMPLE_OVERFLOW;
	counts->last_read = jiffies;

	return count;
}

/* Get the firmware's time of the newest sample, if it lies between the request and now. */
static bool sample_time(struct panthor_perf_counts *counts, const struct panthor_perf_now *now,
			u64 *raw_ns)
{
	const u64 error = counts->anchor.error_ns;

	if (!counts->entries || error > PANTHOR_PERF_ANCHOR_MAX_ERROR_NS ||
	    !panthor_perf_anchor_to_raw(&counts->anchor, counts->timestamp_frequency,
					counts->sum.gpu_timestamp, raw_ns))
		return false;

	if (*raw_ns + error < counts->request_time.raw_ns || *raw_ns > now->raw_ns + error)
		return false;

	*raw_ns = clamp(*raw_ns, counts->request_time.raw_ns, now->raw_ns);
	return true;
}

/*
 * Move the end of the counts to a time between the request and now. The end never goes back. It
 * has a time on both clocks: as CLOCK_MONOTONIC is slewed, now less the age of the end may lie
 * before the request on that clock.
 */
static void advance_end(struct panthor_perf_counts *counts, const struct panthor_perf_now *now,
			u64 raw_ns)
{
	const u64 age_ns = now->raw_ns - raw_ns;

	counts->end.raw_ns = max(counts->end.raw_ns, raw_ns);
	counts->end.mono_ns = max3(counts->end.mono_ns, counts->request_time.mono_ns,
				   now->mono_ns - age_ns);
}

/**
 * panthor_perf_counts_acknowledged() - Update the time of the counts after an acknowledge
 * @counts: Counts, of a powered GPU, with the samples read.
 */
void panthor_perf_counts_acknowledged(struct panthor_perf_counts *counts)
{
	struct panthor_perf_now now;
	u64 raw_ns;

	panthor_perf_read_now(&now);
	panthor_perf_anchor_read(&counts->anchor, counts->fw);
	counts->host_time = !sample_time(counts, &now, &raw_ns);
	advance_end(counts, &now, counts->host_time ? now.raw_ns : raw_ns);
	panthor_perf_clocks_advance(&counts->clocks, counts->anchor.cycles,
				    counts->anchor.cycles_ns, counts->end.raw_ns);

	/* A single sample since the request is the requested one. */
	counts->states.requested = counts->entries == 1;
	trace_panthor_perf_acknowledge(counts->fw, now.raw_ns - counts->request_time.raw_ns,
				       counts->end.raw_ns, counts->host_time);
}

/**
 * panthor_perf_counts_end_now() - Move the end of the counts to now, without a firmware sample
 * @counts: Counts, of counters that do not run: there are no totals and no cycles to add.
 */
void panthor_perf_counts_end_now(struct panthor_perf_counts *counts)
{
	struct panthor_perf_now now;

	panthor_perf_read_now(&now);
	counts->host_time = true;
	advance_end(counts, &now, now.raw_ns);
}
