// SPDX-License-Identifier: GPL-2.0 or MIT
/* Copyright (c) 2026 The panthor-perf developers */

#include <linux/ktime.h>
#include <linux/math64.h>
#include <linux/overflow.h>

#include "panthor_perf_time.h"

/**
 * DOC: Grid of periods
 *
 * Periods end on a grid: the multiples of the period on CLOCK_MONOTONIC. Equal
 * periods of different sessions end together, whenever the sessions were started.
 */

/**
 * panthor_perf_grid_next() - Get the end of the current period
 * @period_ns: Period in ns, not 0.
 * @now_ns: CLOCK_MONOTONIC.
 *
 * Return: The first multiple of @period_ns after @now_ns, %PANTHOR_PERF_NEVER if it is beyond the
 * range of timers.
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
 * panthor_perf_grid_passed() - Get the number of periods that have ended
 * @period_ns: Period in ns, not 0.
 * @next_ns: End of the first period to count, of panthor_perf_grid_next().
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
