/* SPDX-License-Identifier: GPL-2.0 or MIT */
/* Copyright (c) 2026 The panthor-perf developers */

#ifndef __PANTHOR_PERF_STATES_H__
#define __PANTHOR_PERF_STATES_H__

#include <linux/types.h>

#include "panthor_perf_layout.h"

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
void panthor_perf_states_note(struct panthor_perf_states *states, u32 bits);
void panthor_perf_states_note_off(struct panthor_perf_states *states);
u32 panthor_perf_states_since(const struct panthor_perf_states *states, u32 block, u32 set, u64 nr);

#endif
