// SPDX-License-Identifier: GPL-2.0 or MIT
/* Copyright (c) 2026 The panthor-perf developers */

#include <linux/bitops.h>
#include <linux/bits.h>
#include <linux/nospec.h>
#include <linux/string.h>

#include "panthor_perf_counts.h"
#include "panthor_perf_fw.h"
#include "panthor_perf_select.h"

/**
 * DOC: Selected counters
 *
 * All counters are always enabled in firmware. The counters that a session has
 * requested in SETUP are a filter on its samples. A sample has all blocks with
 * all their counters, and those that were not requested read 0.
 */

#define COUNTERS_PER_SECTION	64

/* The header words of a block are not counters. */
#define NO_COUNTERS		GENMASK_ULL(PANTHOR_PERF_BLOCK_HEADER_WORDS - 1, 0)

/**
 * panthor_perf_select_add() - Add a section to the requested counters
 * @masks: Masks of requested counters, to which the section is added.
 * @layout: Layout of the firmware's samples.
 * @section: Section from user space, not validated.
 *
 * Return: 0, or -EINVAL if the section is malformed or the GPU has no such blocks or counters.
 */
int panthor_perf_select_add(u64 masks[][PANTHOR_PERF_MASK_WORDS],
			    const struct panthor_perf_layout *layout,
			    const struct drm_panthor_perf_section *section)
{
	u32 type = section->block_type;
	u32 word = section->first_counter / COUNTERS_PER_SECTION;

	if (section->pad || section->pad2)
		return -EINVAL;

	if (type >= DRM_PANTHOR_PERF_BLOCK_TYPE_COUNT)
		return -EINVAL;

	type = array_index_nospec(type, DRM_PANTHOR_PERF_BLOCK_TYPE_COUNT);
	if (!layout->type_count[type])
		return -EINVAL;

	if (section->first_counter % COUNTERS_PER_SECTION ||
	    section->first_counter >= layout->counters)
		return -EINVAL;

	if (!word && section->mask & NO_COUNTERS)
		return -EINVAL;

	word = array_index_nospec(word, PANTHOR_PERF_MASK_WORDS);
	masks[type][word] |= section->mask;
	return 0;
}

/**
 * panthor_perf_select_size() - Size of a sample with all blocks and counters
 * @layout: Layout of the firmware's samples.
 *
 * Return: Size in bytes, a multiple of 8.
 */
u32 panthor_perf_select_size(const struct panthor_perf_layout *layout)
{
	return sizeof(struct drm_panthor_perf_sample_header) +
	       layout->block_count * (sizeof(struct drm_panthor_perf_block_header) +
				      layout->counters * sizeof(u64));
}

static u32 count_counters(const u64 *mask)
{
	u32 counters = 0;

	for (u32 word = 0; word < PANTHOR_PERF_MASK_WORDS; word++)
		counters += hweight64(mask[word]);

	return counters;
}

/**
 * panthor_perf_select_compact_size() - Size of a compact sample
 * @layout: Layout of the firmware's samples.
 * @masks: Counters that the session requested.
 *
 * Return: Size in bytes, a multiple of 8.
 */
u32 panthor_perf_select_compact_size(const struct panthor_perf_layout *layout,
				     u64 masks[][PANTHOR_PERF_MASK_WORDS])
{
	u32 size = sizeof(struct drm_panthor_perf_sample_header);

	for (u32 type = 0; type < DRM_PANTHOR_PERF_BLOCK_TYPE_COUNT; type++) {
		u32 counters = count_counters(masks[type]);

		if (counters)
			size += layout->type_count[type] *
				(sizeof(struct drm_panthor_perf_block_header) +
				 counters * sizeof(u64));
	}

	return size;
}

static struct drm_panthor_perf_block_header header_of(const struct panthor_perf_block *block)
{
	return (struct drm_panthor_perf_block_header) {
		.type = block->type,
		.idx = block->idx,
		.clock = block->clock,
	};
}

/*
 * Write the values of a section, 0 for counters that are not in @mask, and update @old. The ring
 * may be write-combined: each value is stored once, in ascending order. Returns the end of the
 * values.
 */
static void *write_section(u64 mask, const u64 *totals, u64 *old, u64 *values)
{
	for (u32 i = 0; i < COUNTERS_PER_SECTION; i++, mask >>= 1) {
		if (mask & 1) {
			const u64 total = totals[i];

			*values++ = total - old[i];
			old[i] = total;
		} else {
			*values++ = 0;
		}
	}

	return values;
}

#if IS_ENABLED(CONFIG_DRM_PANTHOR_PERF_CONTROL)
/**
 * panthor_perf_select_write_values() - Write all values of a block
 * @counts: Running totals.
 * @before: Snapshot of the previous sample. The counters in @mask are updated to @counts.
 * @nr: Number of the block in the layout.
 * @mask: Counters that the session requested. The others are written as 0.
 * @to: Memory behind the header of the block. For writing only.
 *
 * Return: End of the values.
 */
void *panthor_perf_select_write_values(const struct panthor_perf_counts *counts,
				       struct panthor_perf_snapshot *before, u32 nr,
				       const u64 *mask, void *to)
{
	const u32 counters = counts->fw->layout->counters, first = nr * counters;

	for (u32 i = 0; i < counters; i += COUNTERS_PER_SECTION)
		to = write_section(mask[i / COUNTERS_PER_SECTION],
				   counts->sum.totals + first + i, before->totals + first + i, to);

	return to;
}
#endif

/**
 * panthor_perf_select_write() - Write the blocks of a sample
 * @counts: Running totals.
 * @before: Snapshot of the previous sample. The counters in @masks are updated to @counts.
 * @masks: Counters that the session requested. The others are written as 0.
 * @to: Memory behind the header of the sample. For writing only.
 */
void panthor_perf_select_write(const struct panthor_perf_counts *counts,
			       struct panthor_perf_snapshot *before,
			       u64 masks[][PANTHOR_PERF_MASK_WORDS], void *to)
{
	const struct panthor_perf_layout *layout = counts->fw->layout;

	for (u32 nr = 0; nr < layout->block_count; nr++) {
		struct drm_panthor_perf_block_header header = header_of(&layout->blocks[nr]);
		const u64 *mask = masks[header.type];
		const u32 first = nr * layout->counters;

		header.states = panthor_perf_states_since(&counts->states, nr, counts->set,
							  before->states_nr);
		/* The ring may be write-combined: the header is written at once. */
		memcpy(to, &header, sizeof(header));
		to += sizeof(header);
		for (u32 i = 0; i < layout->counters; i += COUNTERS_PER_SECTION)
			to = write_section(mask[i / COUNTERS_PER_SECTION],
					   counts->sum.totals + first + i,
					   before->totals + first + i, to);
	}
}

/**
 * DOC: Compact samples
 *
 * A compact sample has the requested counters only, and no block without
 * requested counters.
 */

/* As write_section(), but counters that are not in @mask are left out. */
static void *write_compact_section(u64 mask, const u64 *totals, u64 *old, u64 *values)
{
	for (u32 i = 0; i < COUNTERS_PER_SECTION; i++, mask >>= 1) {
		if (mask & 1) {
			const u64 total = totals[i];

			*values++ = total - old[i];
			old[i] = total;
		}
	}

	return values;
}

/**
 * panthor_perf_select_write_compact() - Write the blocks of a compact sample
 * @counts: Running totals.
 * @before: Snapshot of the previous sample. The counters in @masks are updated to @counts.
 * @masks: Counters that the session requested. Blocks without any are left out.
 * @to: Memory behind the header of the sample. For writing only.
 */
void panthor_perf_select_write_compact(const struct panthor_perf_counts *counts,
				       struct panthor_perf_snapshot *before,
				       u64 masks[][PANTHOR_PERF_MASK_WORDS], void *to)
{
	const struct panthor_perf_layout *layout = counts->fw->layout;

	for (u32 nr = 0; nr < layout->block_count; nr++) {
		struct drm_panthor_perf_block_header header = header_of(&layout->blocks[nr]);
		const u64 *mask = masks[header.type];
		const u32 first = nr * layout->counters;

		if (!count_counters(mask))
			continue;

		header.states = panthor_perf_states_since(&counts->states, nr, counts->set,
							  before->states_nr);
		/* The ring may be write-combined: the header is written at once. */
		memcpy(to, &header, sizeof(header));
		to += sizeof(header);
		for (u32 i = 0; i < layout->counters; i += COUNTERS_PER_SECTION)
			to = write_compact_section(mask[i / COUNTERS_PER_SECTION],
						   counts->sum.totals + first + i,
						   before->totals + first + i, to);
	}
}
