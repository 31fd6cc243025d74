// SPDX-License-Identifier: GPL-2.0 or MIT
/* Copyright (c) 2026 The panthor-perf developers */

#include <linux/bitmap.h>
#include <linux/jiffies.h>
#include <linux/log2.h>
#include <linux/math64.h>
#include <linux/minmax.h>
#include <linux/overflow.h>
#include <linux/slab.h>
#include <linux/string.h>
#include <linux/time64.h>

#include <drm/panthor_perf_drm.h>

#include "panthor_perf_counts.h"
#include "panthor_perf_fw.h"
#include "panthor_perf_trace.h"

/**
 * panthor_perf_counts_init() - Begin with nothing counted
 * @counts: Counts, all zero.
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
 * panthor_perf_counts_fini() - Free what panthor_perf_counts_init() made
 * @counts: Counts.
 */
void panthor_perf_counts_fini(struct panthor_perf_counts *counts)
{
	panthor_perf_states_fini(&counts->states);
	kvfree(counts->sum.totals);
}

/**
 * panthor_perf_counts_on() - Counters run from now on
 * @counts: Counts, of a powered GPU.
 */
void panthor_perf_counts_on(struct panthor_perf_counts *counts)
{
	panthor_perf_anchor_read(&counts->anchor, counts->fw);
	panthor_perf_clocks_restart(&counts->clocks, counts->anchor.cycles,
				    counts->anchor.raw_ns);
	counts->last_read = jiffies;
}

/**
 * panthor_perf_counts_off() - Counters do not run any more
 * @counts: Counts.
 */
void panthor_perf_counts_off(struct panthor_perf_counts *counts)
{
	panthor_perf_states_note_off(&counts->states);
}

/**
 * panthor_perf_counts_ask() - A sample is about to be requested
 * @counts: Counts, of a GPU with counters that run.
 */
void panthor_perf_counts_ask(struct panthor_perf_counts *counts)
{
	panthor_perf_read_now(&counts->asked);
	counts->entries = 0;
}

/**
 * panthor_perf_counts_protected() - The GPU is in protected mode still
 * @counts: Counts, all samples of which were read.
 *
 * Nothing is counted there: no counter gets to its end, however long it lasts.
 */
void panthor_perf_counts_protected(struct panthor_perf_counts *counts)
{
	counts->last_read = jiffies;
}

/* How the newest firmware sample went, whoever asked for it. */
static void look_at_status(struct panthor_perf_counts *counts,
			   struct panthor_perf_incident *incident)
{
	u32 status = panthor_perf_fw_status(counts->fw);

	/* One that only found no room in the ring has kept its counts. */
	if (status & PANTHOR_PERF_FW_STATUS_FAILED &&
	    !(panthor_perf_fw_poll(counts->fw) & PANTHOR_PERF_FW_OVERFLOW)) {
		incident->flags |= DRM_PANTHOR_PERF_SAMPLE_ERROR;
		incident->events |= DRM_PANTHOR_PERF_EVENT_FW_ERROR;
	}

	if (status & PANTHOR_PERF_FW_STATUS_PROTECTED) {
		panthor_perf_states_note(&counts->states,
					 DRM_PANTHOR_PERF_BLOCK_STATE_PROTECTED);
		incident->events |= DRM_PANTHOR_PERF_EVENT_PROTECTED;
	}
}

static void add_entry(struct panthor_perf_counts *counts, u32 set, const u32 *entry,
		      struct panthor_perf_incident *incident)
{
	const struct panthor_perf_layout *layout = counts->fw->layout;

	if (panthor_perf_entry_is_protected_exit(layout, entry)) {
		panthor_perf_states_note(&counts->states,
					 DRM_PANTHOR_PERF_BLOCK_STATE_PROTECTED);
		incident->events |= DRM_PANTHOR_PERF_EVENT_PROTECTED;
	}

	if (panthor_perf_entry_add(layout, set, entry, &counts->sum))
		incident->flags |= DRM_PANTHOR_PERF_SAMPLE_OVERFLOW;

	/* No error: that firmware samples before a core loses power is not known for sure. */
	if (panthor_perf_states_add(&counts->states, &counts->sum.written))
		incident->events |= DRM_PANTHOR_PERF_EVENT_CORE_OFF_LOST;

	/* One without a block has no time stamp either. */
	counts->samples += !bitmap_empty(counts->sum.written.bits, PANTHOR_PERF_MAX_BLOCKS);
	counts->entries++;
	trace_panthor_perf_sample(counts->fw, counts->sum.gpu_timestamp);
}

/**
 * panthor_perf_counts_read() - Add up all that the firmware has written
 * @counts: Counts.
 * @set: Counter set in use.
 * @incident: What clients have to be told is added to it.
 *
 * Return: Number of firmware samples; -EIO if the firmware's index is impossible.
 */
int panthor_perf_counts_read(struct panthor_perf_counts *counts, u32 set,
			     struct panthor_perf_incident *incident)
{
	struct panthor_perf_fw *fw = counts->fw;
	u32 count;
	int ret;

	ret = panthor_perf_fw_pending(fw, &count);
	if (ret)
		return ret;

	if (!count)
		return 0;

	for (u32 i = 0; i < count; i++) {
		add_entry(counts, set, panthor_perf_fw_peek(fw), incident);
		panthor_perf_fw_consume(fw);
	}

	panthor_perf_fw_release(fw);
	look_at_status(counts, incident);

	/* Nobody looked in time: the values do not tell what saturated or wrapped. */
	if (time_after(jiffies, counts->last_read + counts->saturation))
		incident->flags |= DRM_PANTHOR_PERF_SAMPLE_OVERFLOW;
	counts->last_read = jiffies;

	return count;
}

/* The firmware's time of the newest sample, if it lies where it must. */
static bool sample_time(struct panthor_perf_counts *counts, const struct panthor_perf_now *now,
			u64 *raw_ns)
{
	const u64 error = counts->anchor.error_ns;

	if (!counts->entries || error > PANTHOR_PERF_ANCHOR_MAX_ERROR_NS ||
	    !panthor_perf_anchor_to_raw(&counts->anchor, counts->timestamp_frequency,
					counts->sum.gpu_timestamp, raw_ns))
		return false;

	if (*raw_ns + error < counts->asked.raw_ns || *raw_ns > now->raw_ns + error)
		return false;

	*raw_ns = clamp(*raw_ns, counts->asked.raw_ns, now->raw_ns);
	return true;
}

static void move_end(struct panthor_perf_counts *counts, const struct panthor_perf_now *now,
		     u64 raw_ns)
{
	u64 ago = now->raw_ns - raw_ns;

	counts->end.raw_ns = max(counts->end.raw_ns, raw_ns);
	counts->end.mono_ns = max3(counts->end.mono_ns, counts->asked.mono_ns, now->mono_ns - ago);
}

/**
 * panthor_perf_counts_answered() - The newest request is answered and its sample read
 * @counts: Counts, of a powered GPU.
 * @incident: What clients have to be told is added to it.
 */
void panthor_perf_counts_answered(struct panthor_perf_counts *counts,
				  struct panthor_perf_incident *incident)
{
	struct panthor_perf_now now;
	u64 raw_ns, latency_us;

	panthor_perf_read_now(&now);
	panthor_perf_anchor_read(&counts->anchor, counts->fw);
	counts->host_time = !sample_time(counts, &now, &raw_ns);
	move_end(counts, &now, counts->host_time ? now.raw_ns : raw_ns);
	panthor_perf_clocks_advance(&counts->clocks, counts->anchor.cycles, counts->anchor.raw_ns,
				    counts->end.raw_ns);

	/* Alone since the request, it is the one that was asked for. */
	counts->states.requested = counts->entries == 1;
	counts->lacking = !counts->entries;
	if (counts->lacking)
		look_at_status(counts, incident);

	latency_us = div_u64(now.raw_ns - counts->asked.raw_ns, NSEC_PER_USEC);
	counts->latencies[min_t(u32, latency_us ? ilog2(latency_us) + 1 : 0,
				PANTHOR_PERF_LATENCIES - 1)]++;
	trace_panthor_perf_acknowledge(counts->fw, now.raw_ns - counts->asked.raw_ns,
				       counts->end.raw_ns, counts->host_time);
}

/**
 * panthor_perf_counts_unanswered() - There will be no answer
 * @counts: Counts.
 */
void panthor_perf_counts_unanswered(struct panthor_perf_counts *counts)
{
	struct panthor_perf_now now;

	panthor_perf_read_now(&now);
	counts->host_time = true;
	move_end(counts, &now, now.raw_ns);
}

/**
 * panthor_perf_counts_asleep() - Nothing is counted up to now, the GPU sleeps
 * @counts: Counts.
 */
void panthor_perf_counts_asleep(struct panthor_perf_counts *counts)
{
	panthor_perf_counts_unanswered(counts);
	panthor_perf_counts_off(counts);
}
