/* SPDX-License-Identifier: GPL-2.0 or MIT */
/* Copyright (c) 2026 The panthor-perf developers */

#ifndef __PANTHOR_PERF_LAYOUT_H__
#define __PANTHOR_PERF_LAYOUT_H__

#include <linux/types.h>

#include <drm/panthor_perf_drm.h>

/** define PANTHOR_PERF_BLOCK_HEADER_WORDS - Words of a block that are not counters. */
#define PANTHOR_PERF_BLOCK_HEADER_WORDS		4

/** define PANTHOR_PERF_BLOCK_EN_WORD - Word of a block that tells which counters were written. */
#define PANTHOR_PERF_BLOCK_EN_WORD		2

/** define PANTHOR_PERF_COUNTERS_PER_EN - Counters that one bit of an enable mask stands for. */
#define PANTHOR_PERF_COUNTERS_PER_EN		4

/** define PANTHOR_PERF_MAX_BLOCKS - FW, CSHW and tiler; 31 CSGs; 16 L2 slices; 64 shader cores. */
#define PANTHOR_PERF_MAX_BLOCKS			(3 + 31 + 16 + 64)

/** define PANTHOR_PERF_MAX_COUNTERS - What a 32-bit enable mask can address in a block. */
#define PANTHOR_PERF_MAX_COUNTERS		128

/**
 * struct panthor_perf_layout_params - What the layout of a firmware sample follows from
 *
 * All but @csg_count, @shader_available and @clocks are words as the GPU and its firmware give
 * them.
 */
struct panthor_perf_layout_params {
	/** @prfcnt_size: GLB_PRFCNT_SIZE. */
	u32 prfcnt_size;

	/** @gpu_id: GPU_ID. */
	u32 gpu_id;

	/** @gpu_prfcnt_features: GPU_PRFCNT_FEATURES, of meaning from architecture 11 on. */
	u32 gpu_prfcnt_features;

	/** @mem_features: MEM_FEATURES. */
	u32 mem_features;

	/** @csg_count: Number of command stream group interfaces. */
	u32 csg_count;

	/** @shader_present: SHADER_PRESENT, not overridden. */
	u64 shader_present;

	/** @shader_available: Those of them that clients of the GPU may use. */
	u64 shader_available;

	/** @clocks: Clock domains that have a clock, bits of &enum drm_panthor_perf_clock. */
	u32 clocks;
};

/**
 * struct panthor_perf_block - A block of counters in a firmware sample
 */
struct panthor_perf_block {
	/** @type: One of &enum drm_panthor_perf_block_type. */
	u8 type;

	/** @idx: Rank among the present blocks of the type. */
	u8 idx;

	/** @clock: One of &enum drm_panthor_perf_clock, of those that the board has. */
	u8 clock;

	/** @available: Clients of the GPU may use it. */
	bool available;

	/** @offset: Offset in a firmware sample, in 32-bit words. */
	u32 offset;
};

/**
 * struct panthor_perf_layout - Where everything lies in a firmware sample
 */
struct panthor_perf_layout {
	/** @counters: Words of a block, its four header words included. */
	u32 counters;

	/** @entry_size: Size of a firmware sample, in bytes. */
	u32 entry_size;

	/** @type_count: Number of blocks of each type. */
	u32 type_count[DRM_PANTHOR_PERF_BLOCK_TYPE_COUNT];

	/** @block_count: Number of elements of @blocks. */
	u32 block_count;

	/** @blocks: The present blocks, sorted by type, then index. */
	struct panthor_perf_block blocks[] __counted_by(block_count);
};

bool panthor_perf_set_has(u32 set, u32 block_type);
struct panthor_perf_layout *
panthor_perf_layout_create(const struct panthor_perf_layout_params *params);

/**
 * panthor_perf_layout_values() - Size of an array of one value per counter of all blocks
 * @layout: Layout.
 *
 * Return: Number of elements; those of block i start at i times &panthor_perf_layout.counters.
 */
static inline u32 panthor_perf_layout_values(const struct panthor_perf_layout *layout)
{
	return layout->block_count * layout->counters;
}

/**
 * struct panthor_perf_block_map - A set of blocks of a layout
 */
struct panthor_perf_block_map {
	/** @bits: A bit for each block. */
	DECLARE_BITMAP(bits, PANTHOR_PERF_MAX_BLOCKS);
};

/**
 * struct panthor_perf_entry_sum - What firmware samples add up to
 */
struct panthor_perf_entry_sum {
	/** @totals: Total of each counter, indexed by block and counter. */
	u64 *totals;

	/** @gpu_timestamp: GPU timestamp of the newest sample that had a block. */
	u64 gpu_timestamp;

	/** @written: Blocks that are in the newest sample. */
	struct panthor_perf_block_map written;
};

bool panthor_perf_entry_is_protected_exit(const struct panthor_perf_layout *layout,
					  const u32 *entry);
bool panthor_perf_entry_add(const struct panthor_perf_layout *layout, u32 set, const u32 *entry,
			    struct panthor_perf_entry_sum *sum);

#endif
