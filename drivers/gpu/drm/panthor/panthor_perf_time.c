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
 * The firmware stamps its samples with the GPU's own clock. An anchor is a pair
 * of readings of that clock and of CLOCK_MONOTONIC_RAW: a stamp is converted by
 * its distance from the newest anchor alone, so that neither an offset nor the
 * drift of hours gets into a sample.
 *
 * Periods end at the multiples of the period on CLOCK_MONOTONIC, whenever a
 * session was started: equal periods of different sessions end together.
 */

/* Readings of two clocks, of which the closest pair is taken. */
#define TRIES	3

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

/* Read something that runs and the host's clock together. The closest pair is taken. */
static u64 read_together(struct panthor_perf_fw *fw, u64 (*read)(struct panthor_perf_fw *fw),
			 u64 *raw_ns, u64 *error_ns)
{
	u64 best = U64_MAX, value = 0;

	for (u32 try = 0; try < TRIES; try++) {
		u64 before, again, took;
		unsigned long flags;

		local_irq_save(flags);
		before = ktime_get_raw_ns();
		again = read(fw);
		took = ktime_get_raw_ns() - before;
		local_irq_restore(flags);

		if (took >= best)
			continue;

		best = took;
		value = again;
		*raw_ns = before + took / 2;
		*error_ns = took - took / 2;
	}

	return value;
}

/**
 * panthor_perf_anchor_read() - Read the GPU's clock and the host's together
 * @anchor: Where to store the readings.
 * @fw: Firmware of a powered GPU.
 */
void panthor_perf_anchor_read(struct panthor_perf_anchor *anchor, struct panthor_perf_fw *fw)
{
	anchor->gpu_timestamp = read_together(fw, fw->ops->read_timestamp, &anchor->raw_ns,
					      &anchor->error_ns);
}

/**
 * panthor_perf_cycles_read() - Read the GPU's cycle counter and the host's clock together
 * @cycles: Where to store the readings.
 * @fw: Firmware of a powered GPU.
 */
void panthor_perf_cycles_read(struct panthor_perf_cycles *cycles, struct panthor_perf_fw *fw)
{
	u64 error_ns;

	cycles->count = read_together(fw, fw->ops->read_cycles, &cycles->raw_ns, &error_ns);
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
