/* SPDX-License-Identifier: GPL-2.0 or MIT */
/* Copyright (c) 2026 The panthor-perf developers */

/*
 * The clocks of the counter interface: samples are stamped in CLOCK_MONOTONIC_RAW, periods lie on
 * CLOCK_MONOTONIC, and the virtual GPU's timestamp is the CPUs' timer.
 */
#ifndef PERF_TEST_CLOCKS_H
#define PERF_TEST_CLOCKS_H

#include <stdbool.h>
#include <stdint.h>
#include <time.h>

#define NS_PER_S	1000000000ull
#define CLOCK_TRIES	5

/**
 * struct clocks - two clocks, read together
 */
struct clocks {
	/** @monotonic_ns: CLOCK_MONOTONIC before @raw_ns was read. */
	uint64_t monotonic_ns;

	/** @raw_ns: CLOCK_MONOTONIC_RAW. */
	uint64_t raw_ns;

	/** @uncertainty_ns: What CLOCK_MONOTONIC had advanced by when @raw_ns had been read. */
	uint64_t uncertainty_ns;
};

/**
 * struct offset - what CLOCK_MONOTONIC is ahead of CLOCK_MONOTONIC_RAW, modulo 2^64, between limits
 */
struct offset {
	/** @low: At least this. */
	int64_t low;

	/** @high: At most this. */
	int64_t high;
};

static inline uint64_t ticks(void)
{
	uint64_t now;

	asm volatile("isb\n\tmrs %0, cntvct_el0" : "=r" (now) : : "memory");
	return now;
}

static inline uint64_t clock_ns(clockid_t id)
{
	struct timespec now;

	clock_gettime(id, &now);
	return now.tv_sec * NS_PER_S + now.tv_nsec;
}

static inline uint64_t raw_ns(void)
{
	return clock_ns(CLOCK_MONOTONIC_RAW);
}

/* The best of some tries: something may come in between. */
static inline struct clocks clocks_now(void)
{
	struct clocks best = { .uncertainty_ns = UINT64_MAX };

	for (int i = 0; i < CLOCK_TRIES; i++) {
		struct clocks clocks = { .monotonic_ns = clock_ns(CLOCK_MONOTONIC) };

		clocks.raw_ns = raw_ns();
		clocks.uncertainty_ns = clock_ns(CLOCK_MONOTONIC) - clocks.monotonic_ns;
		if (clocks.uncertainty_ns < best.uncertainty_ns)
			best = clocks;
	}
	return best;
}

static inline struct offset offset_of(const struct clocks *clocks)
{
	int64_t low = clocks->monotonic_ns - clocks->raw_ns;

	return (struct offset){ low, low + clocks->uncertainty_ns };
}

/**
 * struct gpu_time - CLOCK_MONOTONIC_RAW and the virtual GPU's timestamp, read together
 */
struct gpu_time {
	/** @raw_ns: CLOCK_MONOTONIC_RAW before @timestamp was read. */
	uint64_t raw_ns;

	/** @uncertainty_ns: What CLOCK_MONOTONIC_RAW had advanced by when it had been read. */
	uint64_t uncertainty_ns;

	/** @timestamp: The timestamp. */
	uint64_t timestamp;
};

static inline struct gpu_time gpu_time_now(void)
{
	struct gpu_time best = { .uncertainty_ns = UINT64_MAX };

	for (int i = 0; i < CLOCK_TRIES; i++) {
		struct gpu_time now = { .raw_ns = raw_ns() };

		now.timestamp = ticks();
		now.uncertainty_ns = raw_ns() - now.raw_ns;
		if (now.uncertainty_ns < best.uncertainty_ns)
			best = now;
	}
	return best;
}

/* The limits of any time between the two. */
static inline struct offset offset_join(struct offset a, struct offset b)
{
	return (struct offset){ a.low < b.low ? a.low : b.low, a.high > b.high ? a.high : b.high };
}

#endif
