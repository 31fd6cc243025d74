/* SPDX-License-Identifier: GPL-2.0 or MIT */
/* Copyright (c) 2026 The panthor-perf developers */

#ifndef __PANTHOR_PERF_CLOCK_H__
#define __PANTHOR_PERF_CLOCK_H__

#include <linux/limits.h>
#include <linux/notifier.h>
#include <linux/spinlock.h>
#include <linux/types.h>

struct clk;
struct panthor_perf_fw;

/** define PANTHOR_PERF_NEVER - No deadline: a time in ns that is never reached. */
#define PANTHOR_PERF_NEVER	U64_MAX

/** define PANTHOR_PERF_ANCHOR_MAX_ERROR_NS - Largest error of an anchor for conversions, in ns. */
#define PANTHOR_PERF_ANCHOR_MAX_ERROR_NS	100000

/**
 * struct panthor_perf_now - Both clocks of the host at the same time
 */
struct panthor_perf_now {
	/** @raw_ns: CLOCK_MONOTONIC_RAW, the clock of samples. */
	u64 raw_ns;

	/** @mono_ns: CLOCK_MONOTONIC, the clock of periods. */
	u64 mono_ns;
};

/**
 * struct panthor_perf_anchor - The GPU's clocks and the host's clock at the same time
 */
struct panthor_perf_anchor {
	/** @gpu_timestamp: GPU timestamp, in ticks. */
	u64 gpu_timestamp;

	/** @raw_ns: CLOCK_MONOTONIC_RAW of @gpu_timestamp. */
	u64 raw_ns;

	/** @error_ns: Largest error of @raw_ns in either direction, in ns. */
	u64 error_ns;

	/** @cycles: GPU's cycle counter. */
	u64 cycles;

	/** @cycles_ns: CLOCK_MONOTONIC_RAW of @cycles. */
	u64 cycles_ns;
};

/* Reading clocks */
void panthor_perf_read_now(struct panthor_perf_now *now);
void panthor_perf_anchor_read(struct panthor_perf_anchor *anchor, struct panthor_perf_fw *fw);

/* Conversion */
bool panthor_perf_anchor_to_raw(const struct panthor_perf_anchor *anchor, u64 frequency,
				u64 gpu_timestamp, u64 *raw_ns);

/* Grid */
u64 panthor_perf_grid_next(u64 period_ns, u64 now_ns);
u64 panthor_perf_grid_passed(u64 period_ns, u64 next_ns, u64 now_ns);

/** define PANTHOR_PERF_CLOCKS - Number of clock domains, of &enum drm_panthor_perf_clock. */
#define PANTHOR_PERF_CLOCKS	3

/**
 * struct panthor_perf_domain - Clock domain, whose cycles are computed from its reported rate
 */
struct panthor_perf_domain {
	/** @clk: Clock. NULL if the board has none, or after panthor_perf_clocks_fini(). */
	struct clk *clk;

	/** @nb: Notifier of changes of the rate. */
	struct notifier_block nb;

	/** @lock: Guards @changed_ns, @cycles, @hz and @hz_before. */
	spinlock_t lock;

	/** @changed_ns: CLOCK_MONOTONIC_RAW of the last change. */
	u64 changed_ns;

	/** @cycles: Cycles up to @changed_ns. */
	u64 cycles;

	/** @hz: Rate since @changed_ns, in Hz. */
	u64 hz;

	/** @hz_before: Rate until @changed_ns, in Hz. */
	u64 hz_before;

	/** @end_cycles: Cycles up to the end of the newest sample, or up to a later enable. */
	u64 end_cycles;
};

/**
 * struct panthor_perf_clocks - Clock domains of a GPU
 *
 * Calls are serialised by the caller.
 */
struct panthor_perf_clocks {
	/** @supported: Domains whose cycles are known, bits of &enum drm_panthor_perf_clock. */
	u32 supported;

	/** @domains: Clock domains. The first one, the top level, has no clock of its own. */
	struct panthor_perf_domain domains[PANTHOR_PERF_CLOCKS];

	/** @read_ns: CLOCK_MONOTONIC_RAW of the last reading of the hardware's cycle counter. */
	u64 read_ns;

	/** @read_count: Value of the hardware's cycle counter at @read_ns. */
	u64 read_count;

	/** @read_total: Cycles of the top level up to @read_ns. */
	u64 read_total;

	/** @totals: Cycles of each domain while counters ran, at the end of the newest sample. */
	u64 totals[PANTHOR_PERF_CLOCKS];
};

u64 panthor_perf_domain_cycles_locked(const struct panthor_perf_domain *domain, u64 raw_ns);
void panthor_perf_domain_update(struct panthor_perf_domain *domain, u64 hz, u64 raw_ns);

void panthor_perf_clocks_init(struct panthor_perf_clocks *clocks, struct clk *coregroup,
			      struct clk *stacks);
void panthor_perf_clocks_fini(struct panthor_perf_clocks *clocks);
void panthor_perf_clocks_restart(struct panthor_perf_clocks *clocks, u64 count, u64 raw_ns);
void panthor_perf_clocks_advance(struct panthor_perf_clocks *clocks, u64 count, u64 raw_ns,
				 u64 end_ns);

#endif
