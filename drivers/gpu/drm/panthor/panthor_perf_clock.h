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

/** define PANTHOR_PERF_NEVER - A time in ns that does not come. */
#define PANTHOR_PERF_NEVER	U64_MAX

/** define PANTHOR_PERF_ANCHOR_MAX_ERROR_NS - Error above which an anchor converts no stamp. */
#define PANTHOR_PERF_ANCHOR_MAX_ERROR_NS	100000

/**
 * struct panthor_perf_now - The present, on the two clocks that matter
 */
struct panthor_perf_now {
	/** @raw_ns: CLOCK_MONOTONIC_RAW, in which samples are stamped. */
	u64 raw_ns;

	/** @mono_ns: CLOCK_MONOTONIC, on which periods lie. */
	u64 mono_ns;
};

/**
 * struct panthor_perf_anchor - The GPU's clocks and the host's at the same time
 */
struct panthor_perf_anchor {
	/** @gpu_timestamp: GPU timestamp, in its own ticks. */
	u64 gpu_timestamp;

	/** @cycles: The GPU's cycle counter. */
	u64 cycles;

	/** @raw_ns: CLOCK_MONOTONIC_RAW at that time. */
	u64 raw_ns;

	/** @error_ns: How far @raw_ns may be off, either way. */
	u64 error_ns;
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
 * struct panthor_perf_cycles - Cycles of a clock that the hardware counts
 */
struct panthor_perf_cycles {
	/** @raw_ns: CLOCK_MONOTONIC_RAW when the hardware was read last. */
	u64 raw_ns;

	/** @count: What it said. */
	u64 count;
};

/**
 * struct panthor_perf_rate - Cycles of a clock whose rate is told when it changes
 */
struct panthor_perf_rate {
	/** @changed_ns: CLOCK_MONOTONIC_RAW of the last change. */
	u64 changed_ns;

	/** @cycles: Cycles up to @changed_ns. */
	u64 cycles;

	/** @hz: Rate since @changed_ns. */
	u64 hz;

	/** @hz_before: Rate until @changed_ns. */
	u64 hz_before;
};

/**
 * struct panthor_perf_domain - A clock domain that has a clock of its own
 */
struct panthor_perf_domain {
	/** @clk: The clock. NULL if the board has none, or after panthor_perf_domain_fini(). */
	struct clk *clk;

	/** @nb: Called when its rate has changed. */
	struct notifier_block nb;

	/** @lock: Guards @rate. */
	spinlock_t lock;

	/** @rate: Its rate and cycles. */
	struct panthor_perf_rate rate;
};

/**
 * struct panthor_perf_clocks - The clock domains of a GPU
 *
 * Has no lock of its own: calls are serialised by the caller.
 */
struct panthor_perf_clocks {
	/** @supported: Domains whose cycles are known, bits of &enum drm_panthor_perf_clock. */
	u32 supported;

	/** @domains: Those that have a clock of their own. The first, the top level, has none. */
	struct panthor_perf_domain domains[PANTHOR_PERF_CLOCKS];

	/** @read: Last reading of the hardware's cycle counter. */
	struct panthor_perf_cycles read;

	/** @read_total: Cycles of the top level up to @read. */
	u64 read_total;

	/** @domain_cycles: Cycles of each domain at the newest end. */
	u64 domain_cycles[PANTHOR_PERF_CLOCKS];

	/** @totals: Cycles of each domain while counters ran, up to the newest end. */
	u64 totals[PANTHOR_PERF_CLOCKS];
};

u64 panthor_perf_cycles_at(const struct panthor_perf_cycles *from,
			   const struct panthor_perf_cycles *to, u64 raw_ns);

void panthor_perf_rate_init(struct panthor_perf_rate *rate, u64 hz, u64 raw_ns);
void panthor_perf_rate_change(struct panthor_perf_rate *rate, u64 hz, u64 raw_ns);
u64 panthor_perf_rate_cycles(const struct panthor_perf_rate *rate, u64 raw_ns);

bool panthor_perf_domain_init(struct panthor_perf_domain *domain, struct clk *clk);
void panthor_perf_domain_fini(struct panthor_perf_domain *domain);
u64 panthor_perf_domain_cycles(struct panthor_perf_domain *domain, u64 raw_ns);

void panthor_perf_clocks_init(struct panthor_perf_clocks *clocks, struct clk *coregroup,
			      struct clk *stacks);
void panthor_perf_clocks_fini(struct panthor_perf_clocks *clocks);
void panthor_perf_clocks_restart(struct panthor_perf_clocks *clocks, u64 count, u64 raw_ns);
void panthor_perf_clocks_advance(struct panthor_perf_clocks *clocks, u64 count, u64 raw_ns,
				 u64 end_ns);

#endif
