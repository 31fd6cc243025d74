// SPDX-License-Identifier: GPL-2.0 or MIT
/* Copyright (c) 2026 The panthor-perf developers */

#include <linux/bitops.h>
#include <linux/bits.h>
#include <linux/nospec.h>
#include <linux/string.h>

#include "panthor_perf_counts.h"
#include "panthor_perf_fw.h"
#include "panthor_perf_select.h"
#include "panthor_perf_states.h"

/**
 * DOC: Selections
 *
 * Every counter is counted all the time. What a session asked for is a filter on
 * its samples, in one of two shapes: all blocks with all their counters, where
 * those that were not asked for read 0; or, compact, the counters that SETUP asked
 * for alone, and nothing of a block without any.
 */

#define COUNTERS_PER_SECTION	64

/* The hardware's own header words are no counters. */
#define NO_COUNTERS		GENMASK_ULL(PANTHOR_PERF_BLOCK_HEADER_WORDS - 1, 0)

/**
 * panthor_perf_select_add() - Add a section of counters
 * @masks: What to add it to.
 * @layout: Layout of the firmware's samples.
 * @section: What user space asks for, not checked yet.
 *
 * Return: 0, or -EINVAL if the section is malformed or the GPU has none of it.
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

static u32 count_counters(const u64 *mask)
{
	u32 counters = 0;

	for (u32 word = 0; word < PANTHOR_PERF_MASK_WORDS; word++)
		counters += hweight64(mask[word]);

	return counters;
}

static bool has_counters(const u64 *mask)
{
	u64 any = 0;

	for (u32 word = 0; word < PANTHOR_PERF_MASK_WORDS; word++)
		any |= mask[word];

	return any;
}

static u32 block_size(u32 counters)
{
	return sizeof(struct drm_panthor_perf_block_header) + counters * sizeof(u64);
}

/**
 * panthor_perf_select_full_size() - Size of a sample with all blocks
 * @layout: Layout of the firmware's samples.
 *
 * Return: Size in bytes, a multiple of 8.
 */
u32 panthor_perf_select_full_size(const struct panthor_perf_layout *layout)
{
	return sizeof(struct drm_panthor_perf_sample_header) +
	       layout->block_count * block_size(layout->counters);
}

/**
 * panthor_perf_select_compact_size() - Size of a compact sample
 * @layout: Layout of the firmware's samples.
 * @masks: Counters in it.
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
			size += layout->type_count[type] * block_size(counters);
	}

	return size;
}

static u64 *write_header(const struct panthor_perf_counts *counts,
			 const struct panthor_perf_since *since, u32 nr, void *to)
{
	const struct panthor_perf_block *block = &counts->fw->layout->blocks[nr];
	const struct drm_panthor_perf_block_header header = {
		.type = block->type,
		.idx = block->idx,
		.clock = block->clock,
		.states = panthor_perf_states_since(&counts->states, nr, since->set,
						    since->states_nr),
	};

	memcpy(to, &header, sizeof(header));
	return to + sizeof(header);
}

/* A word of counters that are all asked for, but the hardware's own. */
static u64 all_of(u32 word)
{
	return word ? ~0ull : ~NO_COUNTERS;
}

/* Four counters that are told. All loads come first: stores might be to the same memory. */
static void write_four(u64 *values, const u64 *totals, const u64 *before)
{
	const u64 told[] = {
		totals[0] - before[0], totals[1] - before[1],
		totals[2] - before[2], totals[3] - before[3],
	};

	values[0] = told[0];
	values[1] = told[1];
	values[2] = told[2];
	values[3] = told[3];
}

/* The value of a counter if its bit is the lowest of @told, or else 0. */
static u64 value_if(u64 total, u64 before, u64 told)
{
	return (total - before) & -(told & 1);
}

/*
 * Counters of one word of a mask, the others cleared. Most words have all counters or none. The
 * ring may be write-combined: each value is stored once, in turn.
 */
static void write_word(u64 *values, const u64 *totals, const u64 *before, u32 word, u64 told)
{
	if (!told) {
		memset(values, 0, COUNTERS_PER_SECTION * sizeof(*values));
		return;
	}

	if (told == all_of(word)) {
		for (u32 i = 0; i < COUNTERS_PER_SECTION; i += 4)
			write_four(values + i, totals + i, before + i);
		return;
	}

	for (u32 i = 0; i < COUNTERS_PER_SECTION; i += 2, told >>= 2) {
		const u64 low = value_if(totals[i], before[i], told);
		const u64 high = value_if(totals[i + 1], before[i + 1], told >> 1);

		values[i] = low;
		values[i + 1] = high;
	}
}

/* The same without room for those that are not told. Returns where the next one goes. */
static u64 *write_packed(u64 *values, const u64 *totals, const u64 *before, u32 word, u64 told)
{
	if (told == all_of(word)) {
		u32 first = word ? 0 : PANTHOR_PERF_BLOCK_HEADER_WORDS;

		for (u32 i = first; i < COUNTERS_PER_SECTION; i += 4, values += 4)
			write_four(values, totals + i, before + i);
		return values;
	}

	for (; told; told &= told - 1) {
		const u32 bit = __ffs64(told);

		*values++ = totals[bit] - before[bit];
	}

	return values;
}

/**
 * panthor_perf_select_write_full() - Write all blocks of a sample
 * @counts: What was counted.
 * @since: What was at the sample before.
 * @masks: Counters to tell, others read 0.
 * @to: Where to write. What is behind the sample's header, for writing only.
 *
 * Return: What is behind the blocks.
 */
void *panthor_perf_select_write_full(const struct panthor_perf_counts *counts,
				     const struct panthor_perf_since *since,
				     u64 masks[][PANTHOR_PERF_MASK_WORDS], void *to)
{
	const struct panthor_perf_layout *layout = counts->fw->layout;
	const u64 *totals = counts->sum.totals;
	const u64 *before = since->totals;

	for (u32 nr = 0; nr < layout->block_count; nr++) {
		const u64 *mask = masks[layout->blocks[nr].type];
		u64 *values = write_header(counts, since, nr, to);

		for (u32 word = 0; word < layout->counters / COUNTERS_PER_SECTION; word++) {
			write_word(values, totals, before, word, mask[word]);
			values += COUNTERS_PER_SECTION;
			totals += COUNTERS_PER_SECTION;
			before += COUNTERS_PER_SECTION;
		}

		to = values;
	}

	return to;
}

/**
 * panthor_perf_select_write_compact() - Write the counters of a compact sample
 * @counts: What was counted.
 * @since: What was at the sample before.
 * @masks: Counters in the sample.
 * @to: Where to write. What is behind the sample's header, for writing only.
 *
 * Return: What is behind the blocks.
 */
void *panthor_perf_select_write_compact(const struct panthor_perf_counts *counts,
					const struct panthor_perf_since *since,
					u64 masks[][PANTHOR_PERF_MASK_WORDS], void *to)
{
	const struct panthor_perf_layout *layout = counts->fw->layout;

	for (u32 nr = 0; nr < layout->block_count; nr++) {
		const u64 *mask = masks[layout->blocks[nr].type];
		const u64 *totals = counts->sum.totals + nr * layout->counters;
		const u64 *before = since->totals + nr * layout->counters;
		u64 *values;

		if (!has_counters(mask))
			continue;

		values = write_header(counts, since, nr, to);
		for (u32 word = 0; word < layout->counters / COUNTERS_PER_SECTION; word++) {
			values = write_packed(values, totals, before, word, mask[word]);
			totals += COUNTERS_PER_SECTION;
			before += COUNTERS_PER_SECTION;
		}
		to = values;
	}

	return to;
}
