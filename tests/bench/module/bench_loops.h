/* SPDX-License-Identifier: GPL-2.0 or MIT */
/* Copyright (c) 2026 The panthor-perf developers */

#ifndef BENCH_LOOPS_H
#define BENCH_LOOPS_H

#include <linux/types.h>

void bench_add_loop(u64 *totals, const u32 *words, u32 blocks, u32 words_per_block);
void bench_publish_loop(u64 *out, const u64 *totals, u64 *snapshot, u32 words);

#endif
