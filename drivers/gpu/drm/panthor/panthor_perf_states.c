// SPDX-License-Identifier: GPL-2.0 or MIT
/* Copyright (c) 2026 The panthor-perf developers */

#include <linux/bitmap.h>
#include <linux/bits.h>
#include <linux/build_bug.h>
#include <linux/slab.h>

#include <drm/panthor_perf_drm.h>

#include "panthor_perf_states.h"

/**
 * DOC: Block states
 *
 * A block that was written in a firmware sample was on; a shader core that was
 * not written was off. Of the other blocks nothing but the end of counting
 * tells that they were off: a suspended, reset or failed firmware.
 *
 * Before a core loses power the firmware samples by itself. A core that was
 * there in a sample that the kernel asked for, and is not there in the very
 * next one, went without: what it had counted is lost.
 */

static_assert(DRM_PANTHOR_PERF_BLOCK_STATE_PROTECTED == 1 << (PANTHOR_PERF_STATE_BITS - 1));

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
	states->blocks = kvcalloc(layout->block_count, sizeof(*states->blocks), GFP_KERNEL);
	return states->blocks ? 0 : -ENOMEM;
}

/**
 * panthor_perf_states_fini() - Free what panthor_perf_states_init() made
 * @states: Record.
 */
void panthor_perf_states_fini(struct panthor_perf_states *states)
{
	kvfree(states->blocks);
}

/* Most of the time, nothing changes. */
static void note_block(struct panthor_perf_states *states, u32 nr, u32 bits)
{
	struct panthor_perf_block_states *block = &states->blocks[nr];
	unsigned long former = block->bits;
	u32 bit;

	if (bits == former)
		return;

	for_each_set_bit(bit, &former, PANTHOR_PERF_STATE_BITS)
		block->seen[bit] = states->nr - 1;
	block->bits = bits;
	block->since = states->nr;
}

/**
 * panthor_perf_states_add() - Note what a firmware sample tells
 * @states: Record.
 * @written: The blocks that were written.
 *
 * &panthor_perf_states.requested is false afterwards.
 *
 * Return: true if a core lost power without a sample of what it had counted.
 */
bool panthor_perf_states_add(struct panthor_perf_states *states,
			     const struct panthor_perf_block_map *written)
{
	bool lost = false;

	states->nr++;
	for (u32 i = 0; i < states->layout->block_count; i++) {
		u32 bits = DRM_PANTHOR_PERF_BLOCK_STATE_NORMAL;

		if (test_bit(i, written->bits) ||
		    states->layout->blocks[i].type != DRM_PANTHOR_PERF_BLOCK_TYPE_SHADER) {
			bits |= DRM_PANTHOR_PERF_BLOCK_STATE_ON;
		} else {
			bits |= DRM_PANTHOR_PERF_BLOCK_STATE_OFF;
			lost |= states->requested && test_bit(i, states->written.bits);
		}

		note_block(states, i, bits);
	}

	states->written = *written;
	states->requested = false;
	return lost;
}

/**
 * panthor_perf_states_note() - Note a state of all blocks
 * @states: Record.
 * @bits: A combination of &enum drm_panthor_perf_block_state.
 */
void panthor_perf_states_note(struct panthor_perf_states *states, u32 bits)
{
	states->nr++;
	for (u32 i = 0; i < states->layout->block_count; i++)
		note_block(states, i, bits);
}

/**
 * panthor_perf_states_note_off() - Note that counters went off
 * @states: Record.
 */
void panthor_perf_states_note_off(struct panthor_perf_states *states)
{
	panthor_perf_states_note(states, DRM_PANTHOR_PERF_BLOCK_STATE_OFF);
	states->requested = false;
}

/**
 * panthor_perf_states_since() - States of a block
 * @states: Record.
 * @block: Block.
 * @set: Counter set.
 * @nr: Value of &panthor_perf_states.nr from which on to look.
 *
 * Return: A combination of &enum drm_panthor_perf_block_state.
 */
u32 panthor_perf_states_since(const struct panthor_perf_states *states, u32 block, u32 set, u64 nr)
{
	const struct panthor_perf_block_states *noted = &states->blocks[block];
	u32 bits = DRM_PANTHOR_PERF_BLOCK_STATE_AVAILABLE;

	if (!panthor_perf_set_has(set, states->layout->blocks[block].type))
		return DRM_PANTHOR_PERF_BLOCK_STATE_UNAVAILABLE;

	if (!states->layout->blocks[block].available)
		bits = DRM_PANTHOR_PERF_BLOCK_STATE_UNAVAILABLE;

	if (nr < states->nr)
		bits |= noted->bits;

	for (u32 bit = 0; noted->since > nr + 1 && bit < PANTHOR_PERF_STATE_BITS; bit++) {
		if (noted->seen[bit] > nr)
			bits |= BIT(bit);
	}

	return bits;
}
