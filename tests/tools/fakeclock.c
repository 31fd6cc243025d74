// SPDX-License-Identifier: GPL-2.0 or MIT
/* Copyright (c) 2026 The panthor-perf developers */

/* The part of the fake driver that knows the time. */

#include <stdint.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "fakedrm.h"
#include "fakeparts.h"

#define JUMP_S	100

/* In place of that of the C library: the system is suspended for %JUMP_S s if a test wants it. */
int clock_gettime(clockid_t id, struct timespec *ts)
{
	static uint64_t start_ns;
	struct timespec now;
	uint64_t passed_ns;

	if (syscall(SYS_clock_gettime, id, ts))
		return -1;
	if (id != CLOCK_BOOTTIME || !fake.settings.suspend_ms)
		return 0;
	syscall(SYS_clock_gettime, CLOCK_MONOTONIC, &now);
	passed_ns = now.tv_sec * UINT64_C(1000000000) + now.tv_nsec;
	if (!start_ns)
		start_ns = passed_ns;
	if (passed_ns - start_ns > fake.settings.suspend_ms * UINT64_C(1000000))
		ts->tv_sec += JUMP_S;
	return 0;
}

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
