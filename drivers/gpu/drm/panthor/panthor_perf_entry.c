// SPDX-License-Identifier: GPL-2.0 or MIT
/* Copyright (c) 2026 The panthor-perf developers */

#include <linux/bitmap.h>
#include <linux/bits.h>
#include <linux/compiler.h>
#include <linux/limits.h>
#include <linux/wordpart.h>

#include "panthor_perf_entry.h"

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
static bool add_block(const u32 *words, u32 en, u32 counters, u64 *totals)
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
			saturated |= add_block(words, en, layout->counters, totals);
	}

	return saturated;
}
