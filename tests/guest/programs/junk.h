/* SPDX-License-Identifier: GPL-2.0 or MIT */
/* Copyright (c) 2026 The panthor-perf developers */

/* Arguments that make no sense, or nearly. */
#ifndef PERF_TEST_JUNK_H
#define PERF_TEST_JUNK_H

#include <string.h>

#include "random.h"

static inline uint64_t any_value(void)
{
	static const uint64_t special[] = {
		0, 1, 2, 3, 4, 5, 8, 12, 16, 64, 80, 88, 100, 256, 257, 4095, 4096, 4097, 65535,
		65536, 0x7fffffff, 0x80000000, 0xfffffff0, 0xffffffff, 0x100000000,
		0x7fffffffffffffff,
		0x8000000000000000, 0xfffffffffffffff0, 0xfffffffffffffff8, 0xffffffffffffffff,
	};

	switch (random_below(4)) {
	case 0:
		return 1ull << random_below(64);
	case 1:
		return random_u64();
	default:
		return special[random_below(sizeof(special) / sizeof(special[0]))];
	}
}

/* Replace some words. */
static inline void spoil(void *arg, size_t size)
{
	static const unsigned int counts[] = { 0, 0, 0, 0, 0, 0, 1, 1, 1, 2, 3 };
	unsigned int count = counts[random_below(sizeof(counts) / sizeof(counts[0]))];

	while (count--) {
		uint64_t value = any_value();

		if (random_below(2))
			memcpy((char *)arg + 8 * random_below(size / 8), &value, 8);
		else
			memcpy((char *)arg + 4 * random_below(size / 4), &value, 4);
	}
}

#endif
