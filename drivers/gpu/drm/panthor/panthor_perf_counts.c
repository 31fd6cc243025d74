// SPDX-License-Identifier: GPL-2.0 or MIT
/* Copyright (c) 2026 The panthor-perf developers */

#include <linux/jiffies.h>
#include <linux/ktime.h>
#include <linux/minmax.h>
#include <linux/slab.h>
#include <linux/timekeeping.h>

#include <drm/panthor_perf_drm.h>

#include "panthor_perf_counts.h"
#include "panthor_perf_fw.h"
#include "panthor_perf_trace.h"

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

#ifdef PANTHOR_PERF_WITH_STATES
	if (panthor_perf_states_init(&counts->states, fw->layout)) {
		kvfree(counts->sum.totals);
		return -ENOMEM;
	}

#endif
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
 * panthor_perf_counts_on() - Begin an interval of counting after an enable of counters
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
 * panthor_perf_counts_request() - Record the time of a request, and count its samples from 0
 * @counts: Counts, with counters enabled.
 */
void panthor_perf_counts_request(struct panthor_perf_counts *counts)
{
	counts->request_ns = ktime_get_raw_ns();
	counts->request_mono_ns = ktime_get_ns();
	counts->entries = 0;
}

static void add_entry(struct panthor_perf_counts *counts, const u32 *entry)
{
	if (panthor_perf_entry_add(counts->fw->layout, counts->set, entry, &counts->sum))
		counts->saturated = true;

	/* Reported without ERROR: not all firmware is known to sample before a core loses power. */
	if (panthor_perf_states_add(&counts->states, &counts->sum.written))
		counts->core_off_lost = true;

	counts->entries++;
	trace_panthor_perf_sample(counts->fw, counts->sum.gpu_timestamp);
}

/**
 * panthor_perf_counts_read() - Drain the firmware's ring into the totals
 * @counts: Counts.
 *
 * Return: Number of firmware samples; -EIO if the firmware's index is impossible.
 */
int panthor_perf_counts_read(struct panthor_perf_counts *counts)
{
	struct panthor_perf_fw *fw = counts->fw;
	u32 pending, count;
	int ret;

	ret = panthor_perf_fw_pending(fw, &pending);
	if (ret)
		return ret;

	for (count = 0; count < pending; count++) {
		add_entry(counts, panthor_perf_fw_peek(fw));
		panthor_perf_fw_consume(fw);
	}

	if (!count)
		return 0;

	panthor_perf_fw_release(fw);

	/* The worker was late: a counter may have saturated or wrapped. */
	if (time_after(jiffies, counts->last_read + counts->saturation))
		counts->saturated = true;
	counts->last_read = jiffies;

	return count;
}

/*
 * Set the end on CLOCK_MONOTONIC, on which periods end, from the end on CLOCK_MONOTONIC_RAW: both
 * have the same age. As the former clock is slewed, the result might lie before the request.
 */
static void update_end_mono(struct panthor_perf_counts *counts)
{
	struct system_time_snapshot now = {};
	u64 age_ns;

	ktime_get_snapshot_id(CLOCK_MONOTONIC, &now);
	age_ns = ktime_to_ns(now.monoraw) - counts->end_ns;
	counts->end_mono_ns = max(counts->request_mono_ns, ktime_to_ns(now.systime) - age_ns);
}

/**
 * panthor_perf_counts_end_now() - Move the end of the counts to now
 * @counts: Counts, with the samples read.
 */
void panthor_perf_counts_end_now(struct panthor_perf_counts *counts)
{
	counts->end_ns = ktime_get_raw_ns();
	counts->host_time = true;
	update_end_mono(counts);
}

/* Move the end to the firmware's time of the newest sample, if that is known and plausible. */
static void end_at_sample(struct panthor_perf_counts *counts)
{
	const u64 error = counts->anchor.error_ns;
	u64 raw_ns;

	if (!counts->entries || error > PANTHOR_PERF_ANCHOR_MAX_ERROR_NS ||
	    !panthor_perf_anchor_to_raw(&counts->anchor, counts->timestamp_frequency,
					counts->sum.gpu_timestamp, &raw_ns))
		return;

	/* The sample cannot be older than the request, or newer than now. */
	if (raw_ns + error < counts->request_ns || raw_ns > counts->end_ns + error)
		return;

	counts->end_ns = clamp(raw_ns, counts->request_ns, counts->end_ns);
	counts->host_time = false;
	update_end_mono(counts);
}

/**
 * panthor_perf_counts_acknowledged() - End the counts and the cycles at the acknowledged sample
 * @counts: Counts of a powered GPU, with the samples read and after panthor_perf_counts_end_now().
 *
 * Moves the end back to the firmware's time of the sample, if that time is known.
 */
void panthor_perf_counts_acknowledged(struct panthor_perf_counts *counts)
{
	const u64 now_ns = counts->end_ns;

	panthor_perf_anchor_read(&counts->anchor, counts->fw);
	end_at_sample(counts);
	panthor_perf_clocks_advance(&counts->clocks, counts->anchor.cycles,
				    counts->anchor.cycles_ns, counts->end_ns);

	/* A single sample since the request is the requested one. */
	counts->states.requested = counts->entries == 1;
	trace_panthor_perf_acknowledge(counts->fw, now_ns - counts->request_ns, counts->end_ns,
				       counts->host_time);
}
