// SPDX-License-Identifier: GPL-2.0 or MIT
/* Copyright (c) 2026 The panthor-perf developers */

#include <linux/bits.h>
#include <linux/cleanup.h>
#include <linux/clk.h>
#include <linux/ktime.h>
#include <linux/lockdep.h>
#include <linux/math64.h>
#include <linux/minmax.h>
#include <linux/overflow.h>
#include <linux/time64.h>
#include <linux/timekeeping.h>

#include <drm/panthor_perf_drm.h>

#include "panthor_perf_clock.h"
#include "panthor_perf_fw.h"
#include "panthor_perf_hw.h"

/**
 * DOC: Time of samples
 *
 * Firmware stamps its samples with the GPU timestamp. An anchor is a reading of
 * that timestamp, of the cycle counter and of CLOCK_MONOTONIC_RAW, taken when a
 * sample is acknowledged. The driver converts the stamp of a sample by its
 * distance from this newest anchor: neither an offset nor the drift since an
 * earlier sample enters the result. An anchor has an error bound. If the bound
 * is too large, the driver uses the host's time for the end of the sample.
 */

/* Attempts to read the GPU's clocks without an interruption. */
#define TRIES		3

/* Largest error of a reading of registers without an interruption, in ns. */
#define GOOD_ERROR_NS	5000

/**
 * panthor_perf_anchor_read() - Read the GPU's clocks and the host's clock together
 * @anchor: Set to the readings.
 * @fw: Firmware of a powered GPU.
 *
 * Each clock of the GPU is read between two readings of the host's clock: the error is half of the
 * time between these. The function repeats interrupted readings and uses the shortest ones. Callers
 * do not convert with an error above %PANTHOR_PERF_ANCHOR_MAX_ERROR_NS.
 */
void panthor_perf_anchor_read(struct panthor_perf_anchor *anchor, struct panthor_perf_fw *fw)
{
	u64 shortest = U64_MAX;

	for (u32 try = 0; try < TRIES && shortest > 2 * GOOD_ERROR_NS; try++) {
		const u64 before = ktime_get_raw_ns();
		const u64 gpu_timestamp = panthor_perf_hw_timestamp(fw);
		const u64 middle = ktime_get_raw_ns();
		const u64 cycles = panthor_perf_hw_cycles(fw);
		const u64 after = ktime_get_raw_ns();

		if (after - before >= shortest)
			continue;

		shortest = after - before;
		anchor->gpu_timestamp = gpu_timestamp;
		anchor->raw_ns = before + (middle - before) / 2;
		anchor->error_ns = middle - anchor->raw_ns;
		anchor->cycles = cycles;
		anchor->cycles_ns = middle + (after - middle) / 2;
	}
}

/**
 * panthor_perf_anchor_to_raw() - Convert a GPU timestamp to the host's clock
 * @anchor: Readings of both clocks, close to @gpu_timestamp.
 * @frequency: Frequency of the GPU timestamp in Hz, 0 if not known.
 * @gpu_timestamp: GPU timestamp, before or after the anchor.
 * @raw_ns: Set to CLOCK_MONOTONIC_RAW of @gpu_timestamp, rounded towards the anchor.
 *
 * Return: false if the frequency is not known or has more than 32 bits, or if the result overflows.
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
 * DOC: Cycles of clock domains
 *
 * The GPU counts the cycles of the top level in a register. The driver reads the
 * register when it reads a sample, and interpolates between two readings for the
 * value at the sample's end.
 *
 * The cycles of other clock domains are the integral of the rate that the clock
 * framework reports. The framework reports a change after it was made: a sample
 * that spans a change is off by the cycles of the time in between. A sample that
 * ends before the two newest changes is computed with the rate between them.
 */

/**
 * panthor_perf_domain_cycles_locked() - Get the cycles of a clock domain
 * @domain: Domain, with &panthor_perf_domain.lock held.
 * @raw_ns: CLOCK_MONOTONIC_RAW. May be before the newest change of the rate, since a sample ends
 *          before the worker reads it. Only one earlier rate is kept: before the second newest
 *          change, the result is inexact.
 *
 * Return: Cycles from the time of the first recorded rate to @raw_ns.
 */
u64 panthor_perf_domain_cycles_locked(const struct panthor_perf_domain *domain, u64 raw_ns)
{
	u64 later;

	lockdep_assert_held(&domain->lock);

	if (raw_ns >= domain->changed_ns)
		return domain->cycles + mul_u64_u64_div_u64(domain->hz, raw_ns - domain->changed_ns,
							    NSEC_PER_SEC);

	later = mul_u64_u64_div_u64(domain->hz_before, domain->changed_ns - raw_ns, NSEC_PER_SEC);
	/* Before the second newest change, this may be more than all cycles. */
	return later < domain->cycles ? domain->cycles - later : 0;
}

/**
 * panthor_perf_domain_update() - Record a new rate of a clock domain
 * @domain: Domain.
 * @hz: New rate, in Hz.
 * @raw_ns: CLOCK_MONOTONIC_RAW, not before the time of the previous change.
 */
void panthor_perf_domain_update(struct panthor_perf_domain *domain, u64 hz, u64 raw_ns)
{
	guard(spinlock)(&domain->lock);
	domain->cycles = panthor_perf_domain_cycles_locked(domain, raw_ns);
	domain->changed_ns = raw_ns;
	domain->hz_before = domain->hz;
	domain->hz = hz;
}

static int rate_changed(struct notifier_block *nb, unsigned long event, void *data)
{
	struct panthor_perf_domain *domain = container_of(nb, struct panthor_perf_domain, nb);
	const struct clk_notifier_data *change = data;

	if (event == POST_RATE_CHANGE)
		panthor_perf_domain_update(domain, change->new_rate, ktime_get_raw_ns());

	return NOTIFY_OK;
}

/* Advance the domain's end_cycles to @end_ns. Returns the growth: 0 if it has no own clock. */
static u64 advance_domain(struct panthor_perf_domain *domain, u64 end_ns)
{
	const u64 before = domain->end_cycles;

	if (!domain->clk)
		return 0;

	/* The result can be less than before: by rounding, or before the second newest change. */
	scoped_guard(spinlock, &domain->lock)
		domain->end_cycles = max(before, panthor_perf_domain_cycles_locked(domain, end_ns));

	return domain->end_cycles - before;
}

/*
 * Count the cycles of the top level up to @end_ns. The hardware's counter was read at
 * &panthor_perf_clocks.read_ns and now, at @raw_ns, as @count. The cycles in between are divided by
 * time: the next call counts those after @end_ns. None are known if the counter was reset.
 */
static void advance_toplevel(struct panthor_perf_clocks *clocks, u64 count, u64 raw_ns, u64 end_ns)
{
	u64 *total = &clocks->totals[DRM_PANTHOR_PERF_CLOCK_TOPLEVEL];
	const u64 cycles = count > clocks->read_count ? count - clocks->read_count : 0;
	u64 end_cycles = cycles;

	if (end_ns <= clocks->read_ns)
		end_cycles = 0;
	else if (end_ns < raw_ns)
		end_cycles = mul_u64_u64_div_u64(cycles, end_ns - clocks->read_ns,
						 raw_ns - clocks->read_ns);

	*total = clocks->read_total + end_cycles;
	clocks->read_total += cycles;
	clocks->read_count = count;
	clocks->read_ns = raw_ns;
}

/**
 * panthor_perf_clocks_init() - Start counting the cycles of the clock domains
 * @clocks: Clocks, all zero.
 * @coregroup: Clock of the core group, NULL if the board has none.
 * @stacks: Clock of the shader cores, NULL if the board has none.
 *
 * The top level is always supported, another domain if its clock has a rate and a notifier.
 */
void panthor_perf_clocks_init(struct panthor_perf_clocks *clocks, struct clk *coregroup,
			      struct clk *stacks)
{
	struct clk *clks[PANTHOR_PERF_CLOCKS] = {
		[DRM_PANTHOR_PERF_CLOCK_COREGROUP] = coregroup,
		[DRM_PANTHOR_PERF_CLOCK_SHADER] = stacks,
	};

	clocks->supported = BIT(DRM_PANTHOR_PERF_CLOCK_TOPLEVEL);
	for (u32 i = 0; i < PANTHOR_PERF_CLOCKS; i++) {
		struct panthor_perf_domain *domain = &clocks->domains[i];
		u64 hz;

		spin_lock_init(&domain->lock);
		domain->nb.notifier_call = rate_changed;
		if (!clk_get_rate(clks[i]) || clk_notifier_register(clks[i], &domain->nb))
			continue;

		/* A rate that the notifier has recorded in the meantime is newer. */
		hz = clk_get_rate(clks[i]);
		scoped_guard(spinlock, &domain->lock) {
			if (!domain->hz) {
				domain->hz = hz;
				domain->changed_ns = ktime_get_raw_ns();
			}
		}
		domain->clk = clks[i];
		clocks->supported |= BIT(i);
	}
}

/**
 * panthor_perf_clocks_fini() - Stop following the rates of the clocks
 * @clocks: Clocks, initialised or all zero.
 */
void panthor_perf_clocks_fini(struct panthor_perf_clocks *clocks)
{
	for (u32 i = 0; i < PANTHOR_PERF_CLOCKS; i++) {
		struct panthor_perf_domain *domain = &clocks->domains[i];

		if (domain->clk)
			clk_notifier_unregister(domain->clk, &domain->nb);
		domain->clk = NULL;
	}
}

/**
 * panthor_perf_clocks_restart() - Start a new interval of counting when counters are enabled
 * @clocks: Clocks.
 * @count: Value of the hardware's cycle counter.
 * @raw_ns: CLOCK_MONOTONIC_RAW of @count.
 *
 * Cycles since the end of the last sample are not counted.
 */
void panthor_perf_clocks_restart(struct panthor_perf_clocks *clocks, u64 count, u64 raw_ns)
{
	clocks->read_ns = raw_ns;
	clocks->read_count = count;
	clocks->read_total = clocks->totals[DRM_PANTHOR_PERF_CLOCK_TOPLEVEL];
	/* The results, the cycles in between, are not added to the totals. */
	for (u32 i = 0; i < PANTHOR_PERF_CLOCKS; i++)
		advance_domain(&clocks->domains[i], raw_ns);
}

/**
 * panthor_perf_clocks_advance() - Count the cycles up to the end of a sample
 * @clocks: Clocks.
 * @count: Value of the hardware's cycle counter.
 * @raw_ns: CLOCK_MONOTONIC_RAW of @count.
 * @end_ns: CLOCK_MONOTONIC_RAW of the end of the sample, between the last call and @raw_ns.
 */
void panthor_perf_clocks_advance(struct panthor_perf_clocks *clocks, u64 count, u64 raw_ns,
				 u64 end_ns)
{
	advance_toplevel(clocks, count, raw_ns, end_ns);
	/* This adds 0 to the top level. */
	for (u32 i = 0; i < PANTHOR_PERF_CLOCKS; i++)
		clocks->totals[i] += advance_domain(&clocks->domains[i], end_ns);
}
