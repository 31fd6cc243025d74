/* SPDX-License-Identifier: GPL-2.0 or MIT */
/* Copyright (c) 2026 The panthor-perf developers */

#ifndef __PANTHOR_PERF_COUNTS_H__
#define __PANTHOR_PERF_COUNTS_H__

#include <linux/types.h>

#include "panthor_perf_clock.h"
#include "panthor_perf_layout.h"
#include "panthor_perf_states.h"

struct panthor_perf_fw;

/**
 * struct panthor_perf_counts - Running totals and their time
 *
 * Calls are serialised by the caller.
 */
struct panthor_perf_counts {
	/** @fw: Protocol state of the firmware. */
	struct panthor_perf_fw *fw;

	/** @set: Counter set in use. */
	u32 set;

	/** @sum: Running totals of all counters, 64 bits each. */
	struct panthor_perf_entry_sum sum;

	/** @states: States of the blocks. */
	struct panthor_perf_states states;

	/** @saturated: A 32-bit counter may have saturated. The sampler reports and clears it. */
	bool saturated;

	/** @core_off_lost: A core lost power and its last counts. As @saturated. */
	bool core_off_lost;

	/** @clocks: Cycles of the clock domains. */
	struct panthor_perf_clocks clocks;

	/** @timestamp_frequency: Frequency of the GPU timestamp in Hz, 0 if not known. */
	u64 timestamp_frequency;

	/** @anchor: Newest reading of the GPU's clocks. */
	struct panthor_perf_anchor anchor;

	/** @entries: Number of firmware samples added since the newest request. */
	u32 entries;

	/** @request_ns: CLOCK_MONOTONIC_RAW of the newest request. */
	u64 request_ns;

	/** @request_mono_ns: CLOCK_MONOTONIC of the newest request. */
	u64 request_mono_ns;

	/** @end_ns: CLOCK_MONOTONIC_RAW of @sum. Never before that of a completed request. */
	u64 end_ns;

	/** @end_mono_ns: CLOCK_MONOTONIC of @end_ns. Likewise. */
	u64 end_mono_ns;

	/** @host_time: @end_ns is the host's time, not the firmware's. */
	bool host_time;

	/** @last_read: Time of the newest sample read, or of the enable of counters, in jiffies. */
	unsigned long last_read;

	/** @saturation: Shortest time in which a 32-bit counter may saturate, in jiffies. */
	unsigned long saturation;
};

int panthor_perf_counts_init(struct panthor_perf_counts *counts, struct panthor_perf_fw *fw);
void panthor_perf_counts_fini(struct panthor_perf_counts *counts);

void panthor_perf_counts_on(struct panthor_perf_counts *counts);
void panthor_perf_counts_request(struct panthor_perf_counts *counts);
int panthor_perf_counts_read(struct panthor_perf_counts *counts);
void panthor_perf_counts_end_now(struct panthor_perf_counts *counts);
void panthor_perf_counts_acknowledged(struct panthor_perf_counts *counts);

#endif
