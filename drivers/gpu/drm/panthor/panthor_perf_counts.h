/* SPDX-License-Identifier: GPL-2.0 or MIT */
/* Copyright (c) 2026 The panthor-perf developers */

#ifndef __PANTHOR_PERF_COUNTS_H__
#define __PANTHOR_PERF_COUNTS_H__

#include <linux/types.h>

#include "panthor_perf_clock.h"
#include "panthor_perf_layout.h"

struct panthor_perf_fw;

/** define PANTHOR_PERF_STATE_BITS - Bits up to %DRM_PANTHOR_PERF_BLOCK_STATE_NORMAL. */
#define PANTHOR_PERF_STATE_BITS		5

/**
 * struct panthor_perf_states - Recent states of all blocks
 *
 * Each firmware sample and each change of all blocks makes a numbered record. A session stores the
 * number at the end of its sample. panthor_perf_states_since() later returns the states since then.
 */
struct panthor_perf_states {
	/** @layout: Layout of the firmware's samples. */
	const struct panthor_perf_layout *layout;

	/** @nr: Number of the newest record. */
	u64 nr;

	/** @seen: Number of the newest record with a state, by block of @layout and by bit. */
	u64 (*seen)[PANTHOR_PERF_STATE_BITS];

	/** @written: Blocks that were written in the newest firmware sample. */
	struct panthor_perf_block_map written;

	/** @requested: The newest firmware sample is a requested one, not an automatic one. */
	bool requested;
};

int panthor_perf_states_init(struct panthor_perf_states *states,
			     const struct panthor_perf_layout *layout);
void panthor_perf_states_fini(struct panthor_perf_states *states);

bool panthor_perf_states_add(struct panthor_perf_states *states,
			     const struct panthor_perf_block_map *written);
void panthor_perf_states_off(struct panthor_perf_states *states);
u32 panthor_perf_states_since(const struct panthor_perf_states *states, u32 block, u32 set, u64 nr);

/**
 * struct panthor_perf_counts - Running totals and their time
 *
 * Calls are serialised by the caller.
 */
struct panthor_perf_counts {
	/** @fw: Protocol state of the firmware. */
	struct panthor_perf_fw *fw;

	/** @sum: Running totals of all counters, 64 bits each. */
	struct panthor_perf_entry_sum sum;

	/** @states: States of the blocks. */
	struct panthor_perf_states states;

	/** @flags: &enum drm_panthor_perf_sample_header_flags that the sampler has to report. */
	u32 flags;

	/** @events: &enum drm_panthor_perf_event that the sampler has to report. */
	u32 events;

	/** @clocks: Cycles of the clock domains. */
	struct panthor_perf_clocks clocks;

	/** @timestamp_frequency: Frequency of the GPU timestamp in Hz, 0 if not known. */
	u64 timestamp_frequency;

	/** @anchor: Newest reading of the GPU's clocks. */
	struct panthor_perf_anchor anchor;

	/** @total_entries: Number of ring entries added, without those that have no block. */
	u64 total_entries;

	/** @entries: Number of firmware samples added since the newest request. */
	u32 entries;

	/** @request_time: Time of the newest request. */
	struct panthor_perf_now request_time;

	/** @end: Time of @sum. Never decreases. */
	struct panthor_perf_now end;

	/** @host_time: @end is the host's time, not the firmware's. */
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
int panthor_perf_counts_read(struct panthor_perf_counts *counts, u32 set);
void panthor_perf_counts_acknowledged(struct panthor_perf_counts *counts);
void panthor_perf_counts_end_now(struct panthor_perf_counts *counts);

#endif
