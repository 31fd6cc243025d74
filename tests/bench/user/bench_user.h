/* SPDX-License-Identifier: GPL-2.0 or MIT */
/* Copyright (c) 2026 The panthor-perf developers */

#ifndef BENCH_USER_H
#define BENCH_USER_H

/* Files with kernel headers and files with headers of the C library include this one. */
unsigned int bench_user_prepare(int wide);
void bench_user_accumulate(unsigned int rounds);
void bench_user_accumulate_loop(unsigned int rounds);
void bench_user_publish(unsigned int rounds);
void bench_user_publish_few(unsigned int rounds);
void bench_user_publish_loop(unsigned int rounds);
void bench_user_publish_compact(unsigned int rounds);
void bench_user_publish_compact_loop(unsigned int rounds);

#endif
