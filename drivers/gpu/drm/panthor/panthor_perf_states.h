/* SPDX-License-Identifier: GPL-2.0 or MIT */
/* Copyright (c) 2026 The panthor-perf developers */

#ifndef __PANTHOR_PERF_STATES_H__
#define __PANTHOR_PERF_STATES_H__

#include <linux/types.h>

#include "panthor_perf_layout.h"

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

#endif
