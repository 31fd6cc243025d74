/* SPDX-License-Identifier: GPL-2.0 or MIT */
/* Copyright (c) 2026 The panthor-perf developers */

#ifndef __PANTHOR_PERF_TIME_H__
#define __PANTHOR_PERF_TIME_H__

#include <linux/limits.h>
#include <linux/types.h>

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

#endif
