// SPDX-License-Identifier: GPL-2.0 or MIT
/* Copyright (c) 2026 The panthor-perf developers */

#include <linux/bitops.h>
#include <linux/bits.h>
#include <linux/build_bug.h>
#include <linux/slab.h>

#include <drm/panthor_perf_drm.h>

#include "panthor_perf_states.h"

/**
 * DOC: Block states
 *
 * A block that firmware wrote in a sample was on. A shader core or a neural
 * accelerator that it did not write was off. Other blocks are off while counters
 * are disabled: after a suspend, a reset or a failure of firmware.
 *
 * Firmware writes an automatic sample before a core loses power. If a core is in
 * a requested sample and not in the next sample, that automatic sample is
 * missing, and the counts of the core are lost. The same holds for accelerators.
 */

static_assert(DRM_PANTHOR_PERF_BLOCK_STATE_NORMAL == 1 << (PANTHOR_PERF_STATE_BITS - 1));

/**
 * panthor_perf_states_init() - Initialise the record of states
 * @states: Record.
 * @layout: Layout of the firmware's samples. Must outlive @states.
 *
 * Return: 0 or -ENOMEM.
 */
int panthor_perf_states_init(struct panthor_perf_states *states,
			     const struct panthor_perf_layout *layout)
{
	*states = (struct panthor_perf_states) { .layout = layout };
	states->seen = kvcalloc(layout->block_count, sizeof(*states->seen), GFP_KERNEL);
	return states->seen ? 0 : -ENOMEM;
}

/**
 * panthor_perf_states_fini() - Free the record of states
 * @states: Record.
 */
void panthor_perf_states_fini(struct panthor_perf_states *states)
{
	kvfree(states->seen);
}

/* Check whether blocks of a type lose their power while counters are enabled. */
static bool powers_down(u8 type)
{
	switch (type) {
	case DRM_PANTHOR_PERF_BLOCK_TYPE_NEURAL:
	case DRM_PANTHOR_PERF_BLOCK_TYPE_SHADER:
		return true;
	default:
		return false;
	}
}

static void record_block(struct panthor_perf_states *states, u32 block, unsigned long bits)
{
	u32 bit;

	for_each_set_bit(bit, &bits, PANTHOR_PERF_STATE_BITS)
		states->seen[block][bit] = states->nr;
}

/**
 * panthor_perf_states_add() - Record the states of a firmware sample
 * @states: Record.
 * @written: Blocks that firmware wrote.
 *
 * Clears &panthor_perf_states.requested.
 *
 * Return: true if a core lost power without an automatic sample, so that its counts are lost.
 */
bool panthor_perf_states_add(struct panthor_perf_states *states,
			     const struct panthor_perf_block_map *written)
{
	bool lost = false;

	states->nr++;
	for (u32 i = 0; i < states->layout->block_count; i++) {
		u32 bits = DRM_PANTHOR_PERF_BLOCK_STATE_NORMAL;

		if (test_bit(i, written->bits) || !powers_down(states->layout->blocks[i].type)) {
			bits |= DRM_PANTHOR_PERF_BLOCK_STATE_ON;
		} else {
			bits |= DRM_PANTHOR_PERF_BLOCK_STATE_OFF;
			/* The block was on in the previous sample, a requested one. */
			lost |= states->requested && test_bit(i, states->written.bits);
		}

		record_block(states, i, bits);
	}

	states->written = *written;
	states->requested = false;
	return lost;
}

/**
 * panthor_perf_states_off() - Record that all blocks are off
 * @states: Record.
 *
 * A core that is missing in the next sample is not reported as lost then.
 */
void panthor_perf_states_off(struct panthor_perf_states *states)
{
	states->nr++;
	for (u32 i = 0; i < states->layout->block_count; i++)
		record_block(states, i, DRM_PANTHOR_PERF_BLOCK_STATE_OFF);

	states->requested = false;
}

/**
 * panthor_perf_states_since() - Get the states of a block since an earlier time
 * @states: Record.
 * @block: Block.
 * @set: Counter set.
 * @nr: Value of &panthor_perf_states.nr at the earlier time.
 *
 * Return: A combination of &enum drm_panthor_perf_block_state.
 */
u32 panthor_perf_states_since(const struct panthor_perf_states *states, u32 block, u32 set, u64 nr)
{
	u32 bits = DRM_PANTHOR_PERF_BLOCK_STATE_AVAILABLE;

	if (!panthor_perf_set_has(set, states->layout->blocks[block].type))
		return DRM_PANTHOR_PERF_BLOCK_STATE_UNAVAILABLE;

	if (!states->layout->blocks[block].available)
		bits = DRM_PANTHOR_PERF_BLOCK_STATE_UNAVAILABLE;

	for (u32 bit = 0; bit < PANTHOR_PERF_STATE_BITS; bit++) {
		if (states->seen[block][bit] > nr)
			bits |= BIT(bit);
	}

	return bits;
}
