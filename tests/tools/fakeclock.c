// SPDX-License-Identifier: GPL-2.0 or MIT
/* Copyright (c) 2026 The panthor-perf developers */

/* The part of the fake driver that knows the time. */

#include <stdint.h>

#include "fakeparts.h"

uint64_t fake_clock_ns(clockid_t id)
{
	struct timespec ts;

	clock_gettime(id, &ts);
	return ts.tv_sec * UINT64_C(1000000000) + ts.tv_nsec;
}

uint64_t fake_raw_of(uint64_t mono)
{
	uint64_t best = UINT64_MAX, raw = 0;

	for (int i = 0; i < 10; i++) {
		uint64_t before = fake_clock_ns(CLOCK_MONOTONIC);
		uint64_t now = fake_clock_ns(CLOCK_MONOTONIC_RAW);
		uint64_t took = fake_clock_ns(CLOCK_MONOTONIC) - before;

		if (took >= best)
			continue;
		best = took;
		raw = now - (before - mono);
	}
	return raw;
}
