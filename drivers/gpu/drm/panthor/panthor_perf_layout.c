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
 * is only the second layout. The driver refuses sizes that fit no layout, since
 * the positions would not be known.
 *
 * Some firmware can write a metadata block in front. The size of that block is
 * in a word that older firmware does not define. The driver needs no field of
 * the block: it never enables the block and ignores the word.
 */

/**
 * DOC: Neural accelerators
 *
 * A GPU with neural accelerators has as many slots for these again behind the
 * shader cores, in the order of the cores, and a core without one leaves a gap.
 * The size alone does not show that: 12 packed cores with accelerators need as
 * many slots as 24 cores without. GPU_FEATURES decides whether there are
 * accelerators, and the size is checked afterwards.
 *
 * An accelerator has the slot and the index of its core. kbase reads the slots of
 * accelerators by the rank of the core even where it reads the cores' slots by
 * their number, but these GPUs, before architecture 14.8.4, are not known to have
 * accelerators.
 */

#define PRFCNT_SIZE_UNIT			256
#define GLB_PRFCNT_SIZE_HW			GENMASK(15, 0)
#define GLB_PRFCNT_SIZE_FW			GENMASK(31, 16)
#define GPU_PRFCNT_FEATURES_BLOCK_SIZE		GENMASK(7, 0)
#define GPU_ID_ARCH				GENMASK(31, 20)
#define GPU_ID_ARCH_MAJOR			GENMASK(31, 28)
#define MEM_FEATURES_L2_SLICES			GENMASK(11, 8)
#define GPU_FEATURES_NEURAL			BIT(4)

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
	case DRM_PANTHOR_PERF_BLOCK_TYPE_NEURAL:
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

/* Before architecture 14 there is no such feature, and panthor_perf_hw.c reads no register. */
static bool has_neural(const struct panthor_perf_layout_params *params)
{
	return params->gpu_features & GPU_FEATURES_NEURAL;
}

/* There are accelerators if, and only if, there is the feature. Each belongs to a present core. */
static bool neural_is_valid(const struct panthor_perf_layout_params *params)
{
	return has_neural(params) == !!params->neural_present &&
	       !(params->neural_present & ~params->shader_present);
}

/**
 * struct slots - Number of slots for each kind of block in a firmware sample
 */
struct slots {
	/** @fw: FW block: 0 or 1. */
	u32 fw;

	/** @csg: CSG blocks. */
	u32 csg;

	/** @l2: L2 slices. */
	u32 l2;

	/** @shader: Shader cores, perhaps with slots for absent ones. */
	u32 shader;
};

/*
 * Set @slots as the size of a sample and that of a block, @block_bytes, require. Returns false if a
 * size is zero or fits no layout, or if the masks of cores contradict each other.
 */
static bool read_slots(const struct panthor_perf_layout_params *params, u32 block_bytes,
		       struct slots *slots)
{
	const u32 fw = FIELD_GET(GLB_PRFCNT_SIZE_FW, params->prfcnt_size) * PRFCNT_SIZE_UNIT;
	const u32 hw = FIELD_GET(GLB_PRFCNT_SIZE_HW, params->prfcnt_size) * PRFCNT_SIZE_UNIT;

	if (!block_bytes || block_bytes > PANTHOR_PERF_MAX_COUNTERS * sizeof(u32) ||
	    !params->shader_present)
		return false;

#ifdef PANTHOR_PERF_WITH_NEURAL
	if (!neural_is_valid(params))
		return false;

#endif
	if (fw % block_bytes || hw % block_bytes)
		return false;

	/* The firmware's half: no block, an FW block, or an FW block and one for each CSG. */
	slots->fw = !!fw;
	slots->csg = fw / block_bytes - slots->fw;
	if (slots->csg > PANTHOR_PERF_MAX_CSGS || (slots->csg && slots->csg != params->csg_count))
		return false;

	/*
	 * The hardware's half: CSHW, tiler, L2 slices, shader cores. If it is too small for them,
	 * the number of cores wraps, and is larger than any that is accepted below.
	 */
	slots->l2 = FIELD_GET(MEM_FEATURES_L2_SLICES, params->mem_features) + 1;
	slots->shader = hw / block_bytes - 2 - slots->l2;
#ifdef PANTHOR_PERF_WITH_NEURAL
	if (has_neural(params)) {
		if (slots->shader % 2)
			return false;

		slots->shader /= 2;
	}
#endif

	/* A slot for each present core, or else for each bit of the mask up to the highest one. */
	if (slots->shader == hweight64(params->shader_present))
		return true;

	return slots->shader == fls64(params->shader_present) &&
	       FIELD_GET(GPU_ID_ARCH, params->gpu_id) < ARCH_WITHOUT_SPARSE_SLOTS;
}

static void add_block(struct panthor_perf_layout *layout, u8 type, u32 slot)
{
	/* The count is incremented first, as __counted_by() bounds the index by it. */
	const u32 nr = layout->block_count++;

	layout->blocks[nr] = (struct panthor_perf_block) {
		.type = type,
		.idx = layout->type_count[type]++,
		.available = true,
		.offset = slot * layout->counters,
	};
}

static void add_blocks(struct panthor_perf_layout *layout, u8 type, u32 first_slot, u32 count)
{
	for (u32 i = 0; i < count; i++)
		add_block(layout, type, first_slot + i);
}

/* Absent cores have a slot if there are more slots than cores. */
static void add_core_blocks(struct panthor_perf_layout *layout,
			    const struct panthor_perf_layout_params *params, u32 first_slot,
			    u32 slots)
{
	const bool sparse = slots != hweight64(params->shader_present);
	u32 slot = first_slot;

	for (u32 core = 0; core < BITS_PER_TYPE(u64); core++) {
		if (params->shader_present & BIT_ULL(core))
			add_block(layout, DRM_PANTHOR_PERF_BLOCK_TYPE_SHADER, slot++);
		else if (sparse)
			slot++;
	}
}

/* Set which cores are available. @block is that of the first core. */
static void set_available(const struct panthor_perf_layout_params *params,
			  struct panthor_perf_block *block)
{
	for (u32 core = 0; core < BITS_PER_TYPE(u64); core++) {
		if (params->shader_present & BIT_ULL(core))
			(block++)->available = params->shader_available & BIT_ULL(core);
	}
}

/*
 * Add the blocks of accelerators. Each has the index of its core. Its slot is @slots behind that of
 * the core. @block is that of the first core.
 */
static void add_neural_blocks(struct panthor_perf_layout *layout,
			      const struct panthor_perf_layout_params *params,
			      const struct panthor_perf_block *block, u32 slots)
{
	for (u32 core = 0; core < BITS_PER_TYPE(u64); core++) {
		struct panthor_perf_block *neural;

		if (params->neural_present & BIT_ULL(core)) {
			add_block(layout, DRM_PANTHOR_PERF_BLOCK_TYPE_NEURAL, 0);
			neural = &layout->blocks[layout->block_count - 1];
			neural->idx = block->idx;
			neural->available = block->available;
			neural->offset = block->offset + slots * layout->counters;
		}

		if (params->shader_present & BIT_ULL(core))
			block++;
	}
}

/**
 * panthor_perf_layout_create() - Determine the layout of a firmware sample
 * @params: Words that the GPU and the firmware report, not trusted.
 *
 * Return: The layout, to be freed with kfree(); ERR_PTR(-EOPNOTSUPP) if the sizes are zero or fit
 * no layout, or contradict each other; ERR_PTR(-ENOMEM).
 */
struct panthor_perf_layout *
panthor_perf_layout_create(const struct panthor_perf_layout_params *params)
{
	const u32 size = block_size(params);
	struct panthor_perf_layout *layout;
	struct slots slots;
	u32 cshw, shader, blocks;

	if (!read_slots(params, size, &slots))
		return ERR_PTR(-EOPNOTSUPP);

	cshw = slots.fw + slots.csg;
	shader = cshw + 2 + slots.l2;
	blocks = shader + hweight64(params->shader_present);
	blocks += hweight64(params->neural_present);

	layout = kzalloc(struct_size(layout, blocks, blocks), GFP_KERNEL);
	if (!layout)
		return ERR_PTR(-ENOMEM);

	layout->gpu_id = params->gpu_id;
	layout->counters = size / sizeof(u32);
	layout->entry_size = (shader + slots.shader) * size;
#ifdef PANTHOR_PERF_WITH_NEURAL
	if (has_neural(params))
		layout->entry_size += slots.shader * size;
#endif

	/*
	 * In the order of the types: the CSG blocks, behind the FW block in a sample, come last.
	 * The index of the first core is thus its slot less the number of CSG blocks.
	 */
	add_blocks(layout, DRM_PANTHOR_PERF_BLOCK_TYPE_FW, 0, slots.fw);
	add_block(layout, DRM_PANTHOR_PERF_BLOCK_TYPE_CSHW, cshw);
	add_block(layout, DRM_PANTHOR_PERF_BLOCK_TYPE_TILER, cshw + 1);
	add_blocks(layout, DRM_PANTHOR_PERF_BLOCK_TYPE_MEMSYS, cshw + 2, slots.l2);
	add_core_blocks(layout, params, shader, slots.shader);
	set_available(params, &layout->blocks[shader - slots.csg]);
	add_neural_blocks(layout, params, &layout->blocks[shader - slots.csg], slots.shader);
	add_blocks(layout, DRM_PANTHOR_PERF_BLOCK_TYPE_CSG, slots.fw, slots.csg);
	return layout;
}

/* A domain without a clock of its own uses that of the domain above, whose number is one less. */
static u8 clock_of(u32 clocks, u8 clock)
{
	while (clock != DRM_PANTHOR_PERF_CLOCK_TOPLEVEL && !(clocks & BIT(clock)))
		clock--;

	return clock;
}

/**
 * panthor_perf_layout_set_clocks() - Set the clock domain of each block
 * @layout: Layout.
 * @clocks: Clock domains that have a clock, bits of &enum drm_panthor_perf_clock.
 */
void panthor_perf_layout_set_clocks(struct panthor_perf_layout *layout, u32 clocks)
{
	for (u32 i = 0; i < layout->block_count; i++) {
		struct panthor_perf_block *block = &layout->blocks[i];

		block->clock = DRM_PANTHOR_PERF_CLOCK_TOPLEVEL;
		if (block->type == DRM_PANTHOR_PERF_BLOCK_TYPE_MEMSYS)
			block->clock = clock_of(clocks, DRM_PANTHOR_PERF_CLOCK_COREGROUP);
		if (block->type == DRM_PANTHOR_PERF_BLOCK_TYPE_SHADER)
			block->clock = clock_of(clocks, DRM_PANTHOR_PERF_CLOCK_SHADER);
		if (block->type == DRM_PANTHOR_PERF_BLOCK_TYPE_NEURAL)
			block->clock = DRM_PANTHOR_PERF_CLOCK_NEURAL;
	}
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

/* Add the groups of counters whose bits are set in the enable word. Returns as add_group(). */
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

		/* Firmware did not write this block: its words are those of an earlier sample. */
		if (!(en & EN_FIRST_COUNTERS))
			continue;

		__set_bit(i, sum->written.bits);
		/* The time stamp is that of CSHW, the front end, or else of the first block. */
		if (!stamped || block->type == DRM_PANTHOR_PERF_BLOCK_TYPE_CSHW)
			sum->gpu_timestamp = READ_ONCE(words[0]) | (u64)READ_ONCE(words[1]) << 32;
		stamped = true;

		if (panthor_perf_set_has(set, block->type))
			saturated |= add_counters(words, en, layout->counters, totals);
	}

	sum->stamps += stamped;
	return saturated;
}
