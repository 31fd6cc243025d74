// SPDX-License-Identifier: GPL-2.0 or MIT
/* Copyright (c) 2026 The panthor-perf developers */

#include <linux/irqflags.h>
#include <linux/ktime.h>
#include <linux/math64.h>
#include <linux/overflow.h>
#include <linux/timekeeping.h>

#include "panthor_perf_clock.h"
#include "panthor_perf_fw.h"
#include "panthor_perf_time.h"

/**
 * DOC: Time
 *
 * The firmware stamps its samples with the GPU's own clock. An anchor is a
 * reading of that clock, of the cycle counter and of CLOCK_MONOTONIC_RAW, taken
 * when a sample is acknowledged. The stamp of the sample is converted by its
 * distance from that anchor alone, so that neither an offset nor the drift since
 * an earlier sample gets into it. An anchor tells how far it may be off. With
 * one that may be too far off, the end of the sample is the host's time.
 *
 * Periods end at the multiples of the period on CLOCK_MONOTONIC, whenever a
 * session was started: equal periods of different sessions end together.
 */

/* Readings of two clocks, to find one that was not interrupted. */
#define TRIES		3

/* Error of a reading of registers that was not interrupted. */
#define GOOD_ERROR_NS	5000

/**
 * panthor_perf_read_now() - Read both clocks of the host together
 * @now: Where to store the readings. &panthor_perf_now.mono_ns is the earlier one.
 *
 * Not even a hypervisor gets between them easily: it would have to do so each time.
 */
void panthor_perf_read_now(struct panthor_perf_now *now)
{
	u64 best = U64_MAX;

	for (u32 try = 0; try < TRIES; try++) {
		unsigned long flags;
		u64 mono, raw, took;

		local_irq_save(flags);
		mono = ktime_get_ns();
		raw = ktime_get_raw_ns();
		took = ktime_get_ns() - mono;
		local_irq_restore(flags);

		if (took >= best)
			continue;

		best = took;
		now->mono_ns = mono;
		now->raw_ns = raw;
	}
}

/**
 * panthor_perf_anchor_read() - Read the GPU's clocks and the host's clock together
 * @anchor: Where to store the readings.
 * @fw: Firmware of a powered GPU.
 *
 * The GPU's clocks are read between two readings of the host's: the error is half of the time in
 * between. A reading that was interrupted is repeated a few times, and the best one is taken. If
 * the error is above %PANTHOR_PERF_ANCHOR_MAX_ERROR_NS even so, the anchor converts no stamp.
 */
void panthor_perf_anchor_read(struct panthor_perf_anchor *anchor, struct panthor_perf_fw *fw)
{
	anchor->error_ns = U64_MAX;
	for (u32 try = 0; try < TRIES && anchor->error_ns > GOOD_ERROR_NS; try++) {
		struct panthor_perf_anchor again;
		u64 before, took;

		before = ktime_get_raw_ns();
		again.gpu_timestamp = fw->ops->read_timestamp(fw);
		again.cycles = fw->ops->read_cycles(fw);
		took = ktime_get_raw_ns() - before;
		again.raw_ns = before + took / 2;
		again.error_ns = took - took / 2;
		if (again.error_ns < anchor->error_ns)
			*anchor = again;
	}
}

/**
 * panthor_perf_anchor_to_raw() - Convert a GPU timestamp to the host's clock
 * @anchor: Readings of both clocks, not far from @gpu_timestamp.
 * @frequency: Frequency of the GPU's clock in Hz, 0 if not known.
 * @gpu_timestamp: What to convert. May lie on either side of the anchor.
 * @raw_ns: Set to CLOCK_MONOTONIC_RAW of @gpu_timestamp, rounded towards the anchor.
 *
 * Return: false if the frequency is not known or the result not representable.
 */
bool panthor_perf_anchor_to_raw(const struct panthor_perf_anchor *anchor, u64 frequency,
				u64 gpu_timestamp, u64 *raw_ns)
{
	s64 ticks = gpu_timestamp - anchor->gpu_timestamp;
	u64 distance = ticks < 0 ? -(u64)ticks : ticks;
	u64 seconds, rest, ns;

	if (!frequency || frequency > U32_MAX)
		return false;

	seconds = div64_u64_rem(distance, frequency, &rest);
	if (check_mul_overflow(seconds, (u64)NSEC_PER_SEC, &ns) ||
	    check_add_overflow(ns, div64_u64(rest * NSEC_PER_SEC, frequency), &ns))
		return false;

	if (ticks < 0)
		return !check_sub_overflow(anchor->raw_ns, ns, raw_ns);

	return !check_add_overflow(anchor->raw_ns, ns, raw_ns);
}

/**
 * panthor_perf_grid_next() - The end of a period that is running
 * @period_ns: Period in ns, not 0.
 * @now_ns: CLOCK_MONOTONIC.
 *
 * Return: The first multiple of @period_ns after @now_ns, %PANTHOR_PERF_NEVER if it lies beyond
 * what a timer can wait for.
 */
u64 panthor_perf_grid_next(u64 period_ns, u64 now_ns)
{
	u64 rest, next;

	div64_u64_rem(now_ns, period_ns, &rest);
	if (check_add_overflow(now_ns - rest, period_ns, &next) || next > KTIME_MAX)
		return PANTHOR_PERF_NEVER;

	return next;
}

/**
 * panthor_perf_grid_passed() - The number of periods that have ended
 * @period_ns: Period in ns, not 0.
 * @next_ns: End of the first period that is asked about, or %PANTHOR_PERF_NEVER.
 * @now_ns: CLOCK_MONOTONIC.
 *
 * Return: Number of multiples of @period_ns from @next_ns to @now_ns, both included.
 */
u64 panthor_perf_grid_passed(u64 period_ns, u64 next_ns, u64 now_ns)
{
	if (now_ns < next_ns || next_ns == PANTHOR_PERF_NEVER)
		return 0;

	return div64_u64(now_ns - next_ns, period_ns) + 1;
}
