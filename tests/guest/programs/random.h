/* SPDX-License-Identifier: GPL-2.0 or MIT */
/* Copyright (c) 2026 The panthor-perf developers */

/* Pseudo-random numbers that a seed brings back; each thread has a state of its own. */
#ifndef PERF_TEST_RANDOM_H
#define PERF_TEST_RANDOM_H

#include <inttypes.h>

static __thread uint64_t random_state;

static inline void random_seed(uint64_t seed)
{
	random_state = seed;
}

/* A counter, mixed: any state will do, and numbers in a row are unrelated. */
static inline uint64_t random_u64(void)
{
	uint64_t x = random_state += 0x9e3779b97f4a7c15ull;

	x = (x ^ x >> 32) * 0xd6e8feb86659fd93ull;
	x = (x ^ x >> 29) * 0xd6e8feb86659fd93ull;
	return x ^ x >> 32;
}

/* 0 to limit - 1. */
static inline uint32_t random_below(uint32_t limit)
{
	return (random_u64() >> 32) * limit >> 32;
}

#endif
