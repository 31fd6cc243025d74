/* SPDX-License-Identifier: GPL-2.0 or MIT */
/* Copyright (c) 2026 The panthor-perf developers */

#ifndef __PANTHOR_PERF_U128_TEST_H__
#define __PANTHOR_PERF_U128_TEST_H__

#include <linux/ktime.h>
#include <linux/types.h>

#include "panthor_perf_clock.h"
#include "panthor_perf_time.h"

/*
 * Arithmetic of 128 bits, bit by bit: slow, and nothing that the code under test knows of.
 */

struct u128 {
	u64 hi, lo;
};

static inline struct u128 u128_mul(u64 a, u64 b)
{
	struct u128 product = {}, addend = { .lo = a };

	for (; b; b >>= 1) {
		if (b & 1) {
			product.lo += addend.lo;
			product.hi += addend.hi + (product.lo < addend.lo);
		}
		addend.hi = addend.hi << 1 | addend.lo >> 63;
		addend.lo <<= 1;
	}

	return product;
}

static inline struct u128 u128_div(struct u128 n, u64 d)
{
	struct u128 quotient = {};
	u64 rest = 0;

	for (u32 i = 0; i < 128; i++) {
		bool carry = rest >> 63;

		rest = rest << 1 | n.hi >> 63;
		n.hi = n.hi << 1 | n.lo >> 63;
		n.lo <<= 1;
		quotient.hi = quotient.hi << 1 | quotient.lo >> 63;
		quotient.lo <<= 1;
		if (carry || rest >= d) {
			rest -= d;
			quotient.lo |= 1;
		}
	}

	return quotient;
}

/* The first multiple of a period after a time, if a timer can wait for it. */
static inline u64 next_of(u64 period, u64 now)
{
	struct u128 point = u128_mul(u128_div((struct u128){ .lo = now }, period).lo, period);
	u64 next = point.lo + period;

	if (point.hi || next < period || next > KTIME_MAX)
		return PANTHOR_PERF_NEVER;

	return next;
}

#endif
