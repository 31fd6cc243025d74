/* SPDX-License-Identifier: GPL-2.0 or MIT */
/* Copyright (c) 2026 The panthor-perf developers */

#ifndef __PANTHOR_PERF_LAYOUT_H__
#define __PANTHOR_PERF_LAYOUT_H__

#include <linux/types.h>

#include <drm/panthor_perf_drm.h>

/** define PANTHOR_PERF_BLOCK_HEADER_WORDS - Number of header words of a block. */
#define PANTHOR_PERF_BLOCK_HEADER_WORDS		4

/** define PANTHOR_PERF_BLOCK_EN_WORD - Header word with the mask of written counters. */
#define PANTHOR_PERF_BLOCK_EN_WORD		2

/** define PANTHOR_PERF_COUNTERS_PER_EN - Number of counters per bit of an enable mask. */
#define PANTHOR_PERF_COUNTERS_PER_EN		4

/** define PANTHOR_PERF_MAX_CSGS - Most command stream groups, as MAX_CSGS of panthor_fw.h. */
#define PANTHOR_PERF_MAX_CSGS			31

/** define PANTHOR_PERF_MAX_BLOCKS - FW, CSHW, tiler; CSGs; 16 L2 slices; 128 of shader cores. */
#define PANTHOR_PERF_MAX_BLOCKS			(3 + PANTHOR_PERF_MAX_CSGS + 16 + 2 * 64)

/** define PANTHOR_PERF_MAX_COUNTERS - Most words of a block: 32 bits of an enable mask, 4 each. */
#define PANTHOR_PERF_MAX_COUNTERS		128

/**
 * struct panthor_perf_layout_params - What the GPU and its firmware report, not trusted
 */
struct panthor_perf_layout_params {
	/** @prfcnt_size: GLB_PRFCNT_SIZE. */
	u32 prfcnt_size;

	/** @gpu_id: GPU_ID. */
	u32 gpu_id;

	/** @gpu_prfcnt_features: GPU_PRFCNT_FEATURES, valid from architecture 11 on. */
	u32 gpu_prfcnt_features;

	/** @mem_features: MEM_FEATURES. */
	u32 mem_features;

	/** @csg_count: Number of command stream group interfaces. */
	u32 csg_count;

	/**
	 * @shader_present: SHADER_PRESENT as read from the register. Cores that the platform does
	 * not use are in it, and have ordinary blocks, whose counters read 0.
	 */
	u64 shader_present;

	/** @gpu_features: GPU_FEATURES. 0 before architecture 14. */
	u32 gpu_features;

	/** @neural_present: NEURAL_PRESENT: cores with an accelerator. 0 before architecture 14. */
	u64 neural_present;

	/**
	 * @shader_available: Mask of the shader cores that clients of the GPU may use. The blocks
	 * of the others are marked.
	 */
	u64 shader_available;
};

/**
 * struct panthor_perf_block - Block of counters in a firmware sample
 */
struct panthor_perf_block {
	/** @type: One of &enum drm_panthor_perf_block_type. */
	u8 type;

	/** @idx: As &drm_panthor_perf_block_header.idx. */
	u8 idx;

	/** @clock: One of &enum drm_panthor_perf_clock that the board has, or NEURAL. */
	u8 clock;

	/** @available: Clients of the GPU may use the unit of this block. */
	bool available;

	/** @offset: Offset in a firmware sample, in 32-bit words. */
	u32 offset;
};

/**
 * struct panthor_perf_layout - Layout of a firmware sample
 */
struct panthor_perf_layout {
	/** @gpu_id: GPU_ID, for messages. */
	u32 gpu_id;

	/** @counters: Number of words of a block, its four header words included. */
	u32 counters;

	/** @entry_size: Size of a firmware sample, in bytes. */
	u32 entry_size;

	/** @type_count: Number of blocks of each type. */
	u32 type_count[DRM_PANTHOR_PERF_BLOCK_TYPE_COUNT];

	/** @block_count: Number of elements of @blocks. */
	u32 block_count;

	/** @blocks: Present blocks, sorted by type, then index. */
	struct panthor_perf_block blocks[] __counted_by(block_count);
};

bool panthor_perf_set_has(u32 set, u32 block_type);
struct panthor_perf_layout *
panthor_perf_layout_create(const struct panthor_perf_layout_params *params);
void panthor_perf_layout_set_clocks(struct panthor_perf_layout *layout, u32 clocks);

/**
 * panthor_perf_layout_values() - Get the size of an array with one element per word of all blocks
 * @layout: Layout.
 *
 * Return: Number of elements. Those of block i start at i * &panthor_perf_layout.counters.
 */
static inline u32 panthor_perf_layout_values(const struct panthor_perf_layout *layout)
{
	return layout->block_count * layout->counters;
}

/**
 * struct panthor_perf_block_map - Set of blocks of a layout
 */
struct panthor_perf_block_map {
	/** @bits: One bit per block. */
	DECLARE_BITMAP(bits, PANTHOR_PERF_MAX_BLOCKS);
};

/**
 * struct panthor_perf_entry_sum - Sum of firmware samples
 */
struct panthor_perf_entry_sum {
	/** @totals: Total of each counter, indexed by block and counter. */
	u64 *totals;

	/** @gpu_timestamp: GPU timestamp of the newest sample with at least one block. */
	u64 gpu_timestamp;

	/** @stamps: Number of samples with at least one block. The others have no time stamp. */
	u64 stamps;

	/** @written: Blocks that firmware wrote in the newest sample. */
	struct panthor_perf_block_map written;
};

bool panthor_perf_entry_add(const struct panthor_perf_layout *layout, u32 set, const u32 *entry,
			    struct panthor_perf_entry_sum *sum);

#endif
