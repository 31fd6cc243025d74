// SPDX-License-Identifier: GPL-2.0 or MIT
/* Copyright (c) 2026 The panthor-perf developers */

#include <linux/bitfield.h>
#include <linux/bitmap.h>
#include <linux/bitops.h>
#include <linux/bits.h>
#include <linux/compiler.h>
#include <linux/err.h>
#include <linux/limits.h>
#include <linux/slab.h>
#include <linux/wordpart.h>

#include "panthor_perf_layout.h"

/**
 * DOC: Firmware samples
 *
 * A firmware sample is a row of blocks of 32-bit words. Nothing in it says
 * what a block is: that follows from its position alone. The order is ::
 *
 *	+----+-----+------+-------+---------+---------+
 *	| FW | CSG | CSHW | tiler | memsys  | shader  |
 *	|0, 1|0, n |  1   |   1   | L2 slice|  slots  |
 *	+----+-----+------+-------+---------+---------+
 *
 * Whether there are firmware and CSG blocks follows from the firmware's half
 * of GLB_PRFCNT_SIZE. Shader cores have a slot for each bit of SHADER_PRESENT
 * up to the highest one, absent cores included, or on newer architectures only
 * for those that are present: the hardware's half of GLB_PRFCNT_SIZE decides.
 * Sizes that fit neither are refused, since all positions would be guesses.
 *
 * Some firmware can put a metadata block in front. The only source of its size
 * is a word that older firmware does not define, and the driver needs nothing
 * of that block: the driver never enables it, and the word decides nothing.
 */

#define PRFCNT_SIZE_UNIT			256
#define GLB_PRFCNT_SIZE_HW			GENMASK(15, 0)
#define GLB_PRFCNT_SIZE_FW			GENMASK(31, 16)
#define GPU_PRFCNT_FEATURES_BLOCK_SIZE		GENMASK(7, 0)
#define GPU_ID_ARCH_MAJOR			GENMASK(31, 28)
#define MEM_FEATURES_L2_SLICES			GENMASK(11, 8)

#define ARCH_MAJOR_WITH_PRFCNT_FEATURES		11
#define LEGACY_BLOCK_SIZE			256

/**
 * panthor_perf_set_has() - Whether a counter set has counters of a block type
 * @set: One of &enum drm_panthor_perf_counter_set.
 * @block_type: One of &enum drm_panthor_perf_block_type.
 *
 * Return: false if what the hardware reports for such blocks means nothing.
 */
bool panthor_perf_set_has(u32 set, u32 block_type)
{
	switch (block_type) {
	case DRM_PANTHOR_PERF_BLOCK_TYPE_TILER:
		return set == DRM_PANTHOR_PERF_SET_PRIMARY;
	case DRM_PANTHOR_PERF_BLOCK_TYPE_MEMSYS:
		return set != DRM_PANTHOR_PERF_SET_TERTIARY;
	default:
		return true;
	}
}

static u32 block_size(const struct panthor_perf_layout_params *params)
{
	if (FIELD_GET(GPU_ID_ARCH_MAJOR, params->gpu_id) < ARCH_MAJOR_WITH_PRFCNT_FEATURES)
		return LEGACY_BLOCK_SIZE;

	return FIELD_GET(GPU_PRFCNT_FEATURES_BLOCK_SIZE, params->gpu_prfcnt_features) *
	       PRFCNT_SIZE_UNIT;
}

static void add_block(struct panthor_perf_layout *layout, u8 type, u8 clock, u32 slot)
{
	u32 nr = layout->block_count++;

	layout->blocks[nr] = (struct panthor_perf_block) {
		.type = type,
		.idx = layout->type_count[type]++,
		.clock = clock,
		.available = true,
		.offset = slot * layout->counters,
	};
}

static void add_blocks(struct panthor_perf_layout *layout, u8 type, u8 clock, u32 first_slot,
		       u32 count)
{
	for (u32 i = 0; i < count; i++)
		add_block(layout, type, clock, first_slot + i);
}

/* A domain without a clock of its own runs with the one above it. */
static u8 clock_of(const struct panthor_perf_layout_params *params, u8 clock)
{
	while (clock != DRM_PANTHOR_PERF_CLOCK_TOPLEVEL && !(params->clocks & BIT(clock)))
		clock--;

	return clock;
}

/**
 * panthor_perf_layout_create() - Work out the layout of a firmware sample
 * @params: What the GPU and the firmware say. Nothing of it is trusted.
 *
 * Return: The layout, to be released with kfree(); ERR_PTR(-EOPNOTSUPP) if the sizes are zero or
 * fit no layout; ERR_PTR(-ENOMEM).
 */
struct panthor_perf_layout *
panthor_perf_layout_create(const struct panthor_perf_layout_params *params)
{
	const u32 bsize = block_size(params);
	const u32 fw_size = FIELD_GET(GLB_PRFCNT_SIZE_FW, params->prfcnt_size) * PRFCNT_SIZE_UNIT;
	const u32 hw_size = FIELD_GET(GLB_PRFCNT_SIZE_HW, params->prfcnt_size) * PRFCNT_SIZE_UNIT;
	const u32 l2_slices = FIELD_GET(MEM_FEATURES_L2_SLICES, params->mem_features) + 1;
	const u32 sparse_slots = fls64(params->shader_present);
	const u32 packed_slots = hweight64(params->shader_present);
	u32 fw_slots, shader_slots, fw_blocks, csg_blocks, slot, shader_slot = 0;
	struct panthor_perf_layout *layout;

	if (!bsize || bsize > PANTHOR_PERF_MAX_COUNTERS * sizeof(u32))
		return ERR_PTR(-EOPNOTSUPP);

	if (fw_size % bsize || hw_size % bsize || !params->shader_present)
		return ERR_PTR(-EOPNOTSUPP);

	/* No firmware blocks, the firmware's own, or that and one for each CSG. */
	fw_slots = fw_size / bsize;
	if (fw_slots > 1 && fw_slots != 1 + params->csg_count)
		return ERR_PTR(-EOPNOTSUPP);

	fw_blocks = !!fw_slots;
	csg_blocks = fw_slots - fw_blocks;

	/* Front end and tiler, L2 slices, shader cores with or without the holes. */
	shader_slots = hw_size / bsize;
	if (shader_slots == 2 + l2_slices + sparse_slots)
		shader_slots = sparse_slots;
	else if (shader_slots == 2 + l2_slices + packed_slots)
		shader_slots = packed_slots;
	else
		return ERR_PTR(-EOPNOTSUPP);

	if (fw_slots + 2 + l2_slices + packed_slots > PANTHOR_PERF_MAX_BLOCKS)
		return ERR_PTR(-EOPNOTSUPP);

	layout = kzalloc(struct_size(layout, blocks,
				     fw_slots + 2 + l2_slices + packed_slots), GFP_KERNEL);
	if (!layout)
		return ERR_PTR(-ENOMEM);

	layout->counters = bsize / sizeof(u32);
	layout->entry_size = fw_size + hw_size;

	add_blocks(layout, DRM_PANTHOR_PERF_BLOCK_TYPE_FW, DRM_PANTHOR_PERF_CLOCK_TOPLEVEL, 0,
		   fw_blocks);
	slot = fw_slots;
	add_block(layout, DRM_PANTHOR_PERF_BLOCK_TYPE_CSHW, DRM_PANTHOR_PERF_CLOCK_TOPLEVEL,
		  slot++);
	add_block(layout, DRM_PANTHOR_PERF_BLOCK_TYPE_TILER, DRM_PANTHOR_PERF_CLOCK_TOPLEVEL,
		  slot++);
	add_blocks(layout, DRM_PANTHOR_PERF_BLOCK_TYPE_MEMSYS,
		   clock_of(params, DRM_PANTHOR_PERF_CLOCK_COREGROUP), slot, l2_slices);
	slot += l2_slices;

	for (u32 core = 0; core < sparse_slots; core++) {
		bool present = params->shader_present & BIT_ULL(core);

		if (present) {
			add_block(layout, DRM_PANTHOR_PERF_BLOCK_TYPE_SHADER,
				  clock_of(params, DRM_PANTHOR_PERF_CLOCK_SHADER),
				  slot + shader_slot);
			layout->blocks[layout->block_count - 1].available =
				params->shader_available & BIT_ULL(core);
		}

		if (present || shader_slots == sparse_slots)
			shader_slot++;
	}

	add_blocks(layout, DRM_PANTHOR_PERF_BLOCK_TYPE_CSG, DRM_PANTHOR_PERF_CLOCK_TOPLEVEL,
		   fw_blocks, csg_blocks);
	return layout;
}

/* A block whose counters were written has this bit set in its enable word. */
#define EN_FIRST_COUNTERS	BIT(1)

/* The front end's enable word in the sample that some firmware takes after protected mode. */
#define EN_PROTECTED_EXIT	BIT(0)

/* Of two counters. */
#define HIGHEST_BITS		(BIT_ULL(63) | BIT_ULL(31))

static u32 enable_word(const struct panthor_perf_block *block, const u32 *entry)
{
	return READ_ONCE(entry[block->offset + PANTHOR_PERF_BLOCK_EN_WORD]);
}

/**
 * panthor_perf_entry_is_protected_exit() - Whether a firmware sample tells of protected mode
 * @layout: Layout of the sample.
 * @entry: The sample.
 *
 * Older kernels' driver for these GPUs knows such samples. Its successor does not look for them, so
 * firmware may have none.
 *
 * Return: true if it was taken by leaving protected mode. Blocks that were written count as in any
 * other sample; that of the front end was not.
 */
bool panthor_perf_entry_is_protected_exit(const struct panthor_perf_layout *layout,
					  const u32 *entry)
{
	for (u32 i = 0; i < layout->block_count; i++) {
		const struct panthor_perf_block *block = &layout->blocks[i];

		if (block->type == DRM_PANTHOR_PERF_BLOCK_TYPE_CSHW)
			return enable_word(block, entry) == EN_PROTECTED_EXIT;
	}

	return false;
}

/* One of two counters stands at the end of its 32 bits. */
static bool pair_ends(u64 pair)
{
	return lower_32_bits(pair) == U32_MAX || upper_32_bits(pair) == U32_MAX;
}

/*
 * A group of four counters, two at once: what the memory of the ring costs is per load. Returns
 * true if one of them stands at the end of its 32 bits.
 */
static bool add_group(const u32 *words, u64 *totals)
{
	const u64 pair[] = {
		READ_ONCE(*(const u64 *)words),
		READ_ONCE(*(const u64 *)(words + 2)),
	};

	totals[0] += lower_32_bits(pair[0]);
	totals[1] += upper_32_bits(pair[0]);
	totals[2] += lower_32_bits(pair[1]);
	totals[3] += upper_32_bits(pair[1]);

	/* Hardly ever is one even half way there. */
	if (likely(!((pair[0] | pair[1]) & HIGHEST_BITS)))
		return false;

	return pair_ends(pair[0]) || pair_ends(pair[1]);
}

/* Add the groups of four counters that the enable word names. */
static bool add_counters(const u32 *words, u32 en, u32 counters, u64 *totals)
{
	bool ends = false;

	en >>= PANTHOR_PERF_BLOCK_HEADER_WORDS / PANTHOR_PERF_COUNTERS_PER_EN;

	for (u32 i = PANTHOR_PERF_BLOCK_HEADER_WORDS; i < counters;
	     i += PANTHOR_PERF_COUNTERS_PER_EN, en >>= 1) {
		if (en & 1)
			ends |= add_group(words + i, totals + i);
	}

	return ends;
}

/**
 * panthor_perf_entry_add() - Add a firmware sample to running totals
 * @layout: Layout of the sample.
 * @set: Counter set that it was taken with. What the set does not define is not added.
 * @entry: The sample. The firmware may change it meanwhile: each word is read once.
 * @sum: The totals.
 *
 * Return: true if a counter stands at the end of its 32 bits and may have lost count.
 */
bool panthor_perf_entry_add(const struct panthor_perf_layout *layout, u32 set, const u32 *entry,
			    struct panthor_perf_entry_sum *sum)
{
	bool saturated = false, stamped = false;
	u64 *totals = sum->totals;

	bitmap_zero(sum->written.bits, PANTHOR_PERF_MAX_BLOCKS);
	for (u32 i = 0; i < layout->block_count; i++, totals += layout->counters) {
		const struct panthor_perf_block *block = &layout->blocks[i];
		const u32 *words = entry + block->offset;
		u32 en = enable_word(block, entry);

		/* Not written in this sample: what is there is older. */
		if (!(en & EN_FIRST_COUNTERS))
			continue;

		__set_bit(i, sum->written.bits);
		/* The front end stamps the sample; without that block, the first one does. */
		if (!stamped || block->type == DRM_PANTHOR_PERF_BLOCK_TYPE_CSHW)
			sum->gpu_timestamp = READ_ONCE(words[0]) | (u64)READ_ONCE(words[1]) << 32;
		stamped = true;

		if (panthor_perf_set_has(set, block->type))
			saturated |= add_counters(words, en, layout->counters, totals);
	}

	return saturated;
}
