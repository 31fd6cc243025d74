// SPDX-License-Identifier: GPL-2.0 or MIT
/* Copyright (c) 2026 The panthor-perf developers */

/* The least work for each figure. The compiler cannot inline these loops, since no caller is in this file. */

#include "bench_loops.h"

/* The first four words of a block are its header. */
#define HEADER_WORDS	4

/**
 * bench_add_loop() - Add the counters of a firmware sample to totals
 * @totals: A total for each word.
 * @words: The sample.
 * @blocks: Number of blocks in the sample. They are adjacent.
 * @words_per_block: Words of a block.
 */
void bench_add_loop(u64 *totals, const u32 *words, u32 blocks, u32 words_per_block)
{
	for (u32 b = 0; b < blocks; b++, totals += words_per_block, words += words_per_block)
		for (u32 i = HEADER_WORDS; i < words_per_block; i++)
			totals[i] += words[i];
}

/**
 * bench_publish_loop() - Store the totals less a snapshot, and the totals as the next snapshot
 * @out: Output for the differences.
 * @totals: The totals.
 * @snapshot: The snapshot.
 * @words: Number of elements of each.
 */
void bench_publish_loop(u64 *out, const u64 *totals, u64 *snapshot, u32 words)
{
	for (u32 i = 0; i < words; i++) {
		const u64 total = totals[i];

		out[i] = total - snapshot[i];
		snapshot[i] = total;
	}
}
