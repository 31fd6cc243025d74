// SPDX-License-Identifier: GPL-2.0 or MIT
/* Copyright (c) 2026 The panthor-perf developers */

/* The least that can be done: what figures are ratios to. In a file of their own, out of the sight of callers. */

#include "bench_loops.h"

/* The block's four header words are no counters. */
#define HEADER_WORDS	4

/**
 * bench_add_loop() - Add the counters of a firmware sample to totals
 * @totals: A total for each word.
 * @words: The sample.
 * @blocks: Number of its blocks, one behind another.
 * @words_per_block: Words of a block.
 */
void bench_add_loop(u64 *totals, const u32 *words, u32 blocks, u32 words_per_block)
{
	for (u32 b = 0; b < blocks; b++, totals += words_per_block, words += words_per_block)
		for (u32 i = HEADER_WORDS; i < words_per_block; i++)
			totals[i] += words[i];
}

/**
 * bench_subtract_loop() - Store what was counted since a snapshot
 * @out: Where to store it.
 * @totals: The totals.
 * @snapshot: The snapshot.
 * @words: Number of elements of each.
 */
void bench_subtract_loop(u64 *out, const u64 *totals, const u64 *snapshot, u32 words)
{
	for (u32 i = 0; i < words; i++)
		out[i] = totals[i] - snapshot[i];
}
