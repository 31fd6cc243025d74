/* SPDX-License-Identifier: GPL-2.0 or MIT */
/* Copyright (c) 2026 The panthor-perf developers */

#ifndef WAYS_H
#define WAYS_H

#include <stdbool.h>

struct panthor_perf_device;

/**
 * struct ways - ways to the counters that a kernel has beside the ioctls
 */
struct ways {
	/** @pmu: Name of the PMU for perf events, empty if there is none. */
	char pmu[64];

	/** @control: The older interface is there. */
	bool control;
};

void find_ways(const struct panthor_perf_device *device, struct ways *ways);

#endif
