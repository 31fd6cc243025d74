/* SPDX-License-Identifier: GPL-2.0 or MIT */
/* Copyright (c) 2026 The panthor-perf developers */

#ifndef __PANTHOR_PERF_COUNTS_H__
#define __PANTHOR_PERF_COUNTS_H__

#include <linux/types.h>

#include "panthor_perf_clock.h"
#include "panthor_perf_layout.h"

struct panthor_perf_fw;

/** define PANTHOR_PERF_STATE_BITS - Bits of &enum drm_panthor_perf_block_state. */
#define PANTHOR_PERF_STATE_BITS		6

/**
 * struct panthor_perf_block_states - When a block was in which state last
 */
struct panthor_perf_block_states {
	/** @bits: States in the newest thing that happened, and in all from @since on. */
	u32 bits;

	/** @since: Number of the first thing with @bits. */
	u64 since;

	/** @seen: Number of the newest thing before @since with a state, by bit. */
	u64 seen[PANTHOR_PERF_STATE_BITS];
};

/**
 * struct panthor_perf_states - When each block was in which state last
 *
 * Time is counted in things that happened: whoever remembers a number learns later which states
 * there were since, without a record of its own.
 */
struct panthor_perf_states {
	/** @layout: Layout of the firmware's samples. */
	const struct panthor_perf_layout *layout;

	/** @nr: Number of the newest thing that happened. */
	u64 nr;

	/** @blocks: The blocks, as @layout has them. */
	struct panthor_perf_block_states *blocks;

	/** @written: Blocks that were written in the newest firmware sample. */
	struct panthor_perf_block_map written;

	/** @requested: That sample is known to be one that the kernel asked for. */
	bool requested;
};

int panthor_perf_states_init(struct panthor_perf_states *states,
			     const struct panthor_perf_layout *layout);
void panthor_perf_states_fini(struct panthor_perf_states *states);

bool panthor_perf_states_add(struct panthor_perf_states *states,
			     const struct panthor_perf_block_map *written);
void panthor_perf_states_record(struct panthor_perf_states *states, u32 bits);
void panthor_perf_states_record_off(struct panthor_perf_states *states);
u32 panthor_perf_states_since(const struct panthor_perf_states *states, u32 block, u32 set, u64 nr);

/** define PANTHOR_PERF_LATENCIES - Classes of latency: below 2^n us each, and the rest. */
#define PANTHOR_PERF_LATENCIES		20

/**
 * struct panthor_perf_incident - What clients have to be told
 */
struct panthor_perf_incident {
	/** @flags: A combination of &enum drm_panthor_perf_sample_header_flags. */
	u32 flags;

	/** @events: A combination of &enum drm_panthor_perf_event. */
	u32 events;
};

/**
 * struct panthor_perf_counts - All that was counted, and when
 *
 * Has no lock of its own: calls are serialised by the caller.
 */
struct panthor_perf_counts {
	/** @fw: Firmware whose samples are added up. */
	struct panthor_perf_fw *fw;

	/** @sum: The running totals of all counters, 64 bits each. */
	struct panthor_perf_entry_sum sum;

	/** @states: States of the blocks. */
	struct panthor_perf_states states;

	/** @clocks: Cycles of the clock domains. */
	struct panthor_perf_clocks clocks;

	/** @timestamp_frequency: Ticks per second of the GPU timestamp. 0: not known. */
	u64 timestamp_frequency;

	/** @anchor: Newest reading of the GPU's clocks. */
	struct panthor_perf_anchor anchor;

	/** @samples: Firmware samples added, those without any block excepted. */
	u64 samples;

	/** @entries: Firmware samples added since the newest request. */
	u32 entries;

	/** @lacking: The newest acknowledge came without a sample. */
	bool lacking;

	/** @request_time: When the newest request was made. */
	struct panthor_perf_now request_time;

	/** @end: When @sum was true. Never goes back. */
	struct panthor_perf_now end;

	/** @host_time: @end is not the firmware's time, but the host's. */
	bool host_time;

	/**
	 * @last_read: When a sample was read last, counters went on, or nothing was counted up to,
	 * in jiffies.
	 */
	unsigned long last_read;

	/** @saturation: Time in which a 32-bit counter may get to its end, in jiffies. */
	unsigned long saturation;

	/** @latencies: Requests by the class of the time to their answer. */
	u64 latencies[PANTHOR_PERF_LATENCIES];
};

int panthor_perf_counts_init(struct panthor_perf_counts *counts, struct panthor_perf_fw *fw);
void panthor_perf_counts_fini(struct panthor_perf_counts *counts);

void panthor_perf_counts_on(struct panthor_perf_counts *counts);
void panthor_perf_counts_off(struct panthor_perf_counts *counts);
void panthor_perf_counts_request(struct panthor_perf_counts *counts);
void panthor_perf_counts_protected(struct panthor_perf_counts *counts);
int panthor_perf_counts_read(struct panthor_perf_counts *counts, u32 set,
			     struct panthor_perf_incident *incident);
void panthor_perf_counts_acknowledged(struct panthor_perf_counts *counts,
				      struct panthor_perf_incident *incident);
void panthor_perf_counts_timed_out(struct panthor_perf_counts *counts);
void panthor_perf_counts_suspended(struct panthor_perf_counts *counts);

#endif
