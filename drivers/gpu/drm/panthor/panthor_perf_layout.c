// SPDX-License-Identifier: GPL-2.0 or MIT
/* Copyright (c) 2026 The panthor-perf developers */

#include <linux/bitfield.h>
#include <linux/bitmap.h>
#include <linux/bitops.h>
#include <linux/bits.h>
#include <linux/build_bug.h>
#include <linux/compiler.h>
#include <linux/err.h>
#include <linux/limits.h>
#include <linux/slab.h>

#include "panthor_perf_layout.h"

/**
 * DOC: Firmware samples
 *
 * A firmware sample is a row of blocks of 32-bit words. The type of a block
 * follows from its position alone. The order is ::
 *
 *	+----+-----+------+-------+---------+---------+
 *	| FW | CSG | CSHW | tiler | memsys  | shader  |
 *	|0, 1|0, n |  1   |   1   | L2 slice|  slots  |
 *	+----+-----+------+-------+---------+---------+
 *
 * The firmware's half of GLB_PRFCNT_SIZE decides whether a sample has FW and CSG
 * blocks. The hardware's half decides between two layouts of shader cores: a
 * slot for each bit of SHADER_PRESENT up to the highest one, absent cores
 * included, or a slot for each present core. From architecture 14.8.4 on there
 * is only the second layout. With neural engines such a GPU has twice as many
 * slots, which may be as many as in the first layout. The driver refuses sizes
 * that fit no layout, since the positions would not be known.
 *
 * Some firmware can write a metadata block in front. The size of that block is
 * in a word that older firmware does not define. The driver needs no field of
 * the block: it never enables the block and ignores the word.
 */

#define PRFCNT_SIZE_UNIT			256
#define GLB_PRFCNT_SIZE_HW			GENMASK(15, 0)
#define GLB_PRFCNT_SIZE_FW			GENMASK(31, 16)
#define GPU_PRFCNT_FEATURES_BLOCK_SIZE		GENMASK(7, 0)
#define GPU_ID_ARCH				GENMASK(31, 20)
#define GPU_ID_ARCH_MAJOR			GENMASK(31, 28)
#define MEM_FEATURES_L2_SLICES			GENMASK(11, 8)

#define ARCH_MAJOR_WITH_PRFCNT_FEATURES		11
#define ARCH_WITHOUT_SPARSE_SLOTS		0xe84
#define LEGACY_BLOCK_SIZE			256

/**
 * panthor_perf_set_has() - Check whether a counter set has counters of a block type
 * @set: One of &enum drm_panthor_perf_counter_set.
 * @block_type: One of &enum drm_panthor_perf_block_type.
 *
 * Return: false if the set defines no counters of such blocks. Their values are meaningless then.
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

/* A domain without a clock of its own uses the clock of the domain above it. */
static u8 clock_of(const struct panthor_perf_layout_params *params, u8 clock)
{
	while (clock != DRM_PANTHOR_PERF_CLOCK_TOPLEVEL && !(params->clocks & BIT(clock)))
		clock--;

	return clock;
}

/**
 * panthor_perf_layout_create() - Determine the layout of a firmware sample
 * @params: Words that the GPU and the firmware report, not trusted.
 *
 * Return: The layout, to be freed with kfree(); ERR_PTR(-EOPNOTSUPP) if the sizes are zero or fit
 * no layout; ERR_PTR(-ENOMEM).
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
	const bool may_be_sparse = FIELD_GET(GPU_ID_ARCH, params->gpu_id) <
				   ARCH_WITHOUT_SPARSE_SLOTS;
	u32 fw_slots, shader_slots, fw_blocks, csg_blocks, slot, shader_slot = 0;
	struct panthor_perf_layout *layout;

	if (!bsize || bsize > PANTHOR_PERF_MAX_COUNTERS * sizeof(u32))
		return ERR_PTR(-EOPNOTSUPP);

	if (fw_size % bsize || hw_size % bsize || !params->shader_present)
		return ERR_PTR(-EOPNOTSUPP);

	/* No firmware blocks, one FW block, or one FW block and one block for each CSG. */
	fw_slots = fw_size / bsize;
	if (fw_slots > 1 && fw_slots != 1 + params->csg_count)
		return ERR_PTR(-EOPNOTSUPP);

	fw_blocks = !!fw_slots;
	csg_blocks = fw_slots - fw_blocks;

	/* Front end and tiler, L2 slices, shader cores with or without absent ones. */
	shader_slots = hw_size / bsize;
	if (may_be_sparse && shader_slots == 2 + l2_slices + sparse_slots)
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

/* The firmware sets this bit in the enable word of each block that it writes. */
#define EN_FIRST_COUNTERS	BIT(1)

static_assert(PANTHOR_PERF_COUNTERS_PER_EN == 4);

/* Add a group of counters. Returns true if one of them has its largest value. */
static bool add_group(const u32 *words, u64 *totals)
{
	const u32 a = READ_ONCE(words[0]), b = READ_ONCE(words[1]);
	const u32 c = READ_ONCE(words[2]), d = READ_ONCE(words[3]);

	totals[0] += a;
	totals[1] += b;
	totals[2] += c;
	totals[3] += d;
	return a == U32_MAX || b == U32_MAX || c == U32_MAX || d == U32_MAX;
}

/* Add the groups of counters whose bits are set in the enable word. */
static bool add_counters(const u32 *words, u32 en, u32 counters, u64 *totals)
{
	bool saturated = false;

	for (u32 i = PANTHOR_PERF_BLOCK_HEADER_WORDS; i < counters;
	     i += PANTHOR_PERF_COUNTERS_PER_EN) {
		if (en & BIT(i / PANTHOR_PERF_COUNTERS_PER_EN))
			saturated |= add_group(words + i, totals + i);
	}

	return saturated;
}

/**
 * panthor_perf_entry_add() - Add a firmware sample to running totals
 * @layout: Layout of the sample.
 * @set: Counter set of the sample. Blocks without counters in the set are not added.
 * @entry: Firmware sample. Firmware may change it at any time: each word is read once.
 * @sum: Running totals.
 *
 * Return: true if a 32-bit counter has its largest value and may have saturated.
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
		u32 en = READ_ONCE(words[PANTHOR_PERF_BLOCK_EN_WORD]);

		/* Firmware did not write this block: its words are older. */
		if (!(en & EN_FIRST_COUNTERS))
			continue;

		__set_bit(i, sum->written.bits);
		/* The time stamp is that of the front end, or else of the first block written. */
		if (!stamped || block->type == DRM_PANTHOR_PERF_BLOCK_TYPE_CSHW)
			sum->gpu_timestamp = READ_ONCE(words[0]) | (u64)READ_ONCE(words[1]) << 32;
		stamped = true;

		if (panthor_perf_set_has(set, block->type))
			saturated |= add_counters(words, en, layout->counters, totals);
	}

	return saturated;
}
