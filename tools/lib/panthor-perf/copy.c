// SPDX-License-Identifier: GPL-2.0 or MIT
/* Copyright (c) 2026 The panthor-perf developers */

#include <string.h>

#include "panthor_perf.h"

/*
 * Reads of write-combined memory are not cached: what counts is their number. 16 bytes are what the
 * compiler loads by one instruction on arm64 (q registers) and on x86-64; where it has no such
 * registers, it makes two or four loads of it. Four loads follow one another, so that a CPU which
 * gathers reads can make one access of a cache line's size of them. The source must be aligned: an
 * access across 16 bytes would be split.
 */
#define WIDE		16
#define WIDE_WORDS	(WIDE / sizeof(uint64_t))

typedef uint64_t wide __attribute__((vector_size(WIDE), may_alias));

static void store(uint64_t *dst, wide value)
{
	memcpy(dst, &value, sizeof(value));
}

void panthor_perf_copy(void *dst, const void *src, size_t size)
{
	const volatile uint64_t *from = src;
	size_t words = size / sizeof(*from);
	uint64_t *to = dst;

	if ((uintptr_t)from % WIDE && words) {
		*to++ = *from++;
		words--;
	}
	for (; words >= 4 * WIDE_WORDS; words -= 4 * WIDE_WORDS) {
		const volatile wide *wides = (const volatile wide *)from;
		wide a = wides[0], b = wides[1], c = wides[2], d = wides[3];

		store(to, a);
		store(to + WIDE_WORDS, b);
		store(to + 2 * WIDE_WORDS, c);
		store(to + 3 * WIDE_WORDS, d);
		from += 4 * WIDE_WORDS;
		to += 4 * WIDE_WORDS;
	}
	for (; words >= WIDE_WORDS; words -= WIDE_WORDS) {
		store(to, *(const volatile wide *)from);
		from += WIDE_WORDS;
		to += WIDE_WORDS;
	}
	if (words)
		*to = *from;
}
