/* SPDX-License-Identifier: GPL-2.0 or MIT */
/* Copyright (c) 2026 The panthor-perf developers */

#ifndef __PANTHOR_PERF_DEVICE_H__
#define __PANTHOR_PERF_DEVICE_H__

#include <linux/list.h>
#include <linux/mutex.h>

#include <drm/panthor_perf_drm.h>

#include "panthor_perf_clock_mode.h"
#include "panthor_perf_layout.h"
#include "panthor_perf_sampler.h"

struct panthor_perf_pmu;

/** define PANTHOR_PERF_FILE_SESSIONS - Largest number of sessions of one file. */
#define PANTHOR_PERF_FILE_SESSIONS	16

/** define PANTHOR_PERF_GPU_SESSIONS - Largest number of sessions of one GPU. */
#define PANTHOR_PERF_GPU_SESSIONS	64

/**
 * struct panthor_perf - Counters of a device
 */
struct panthor_perf {
	/** @sampler: Sampler. */
	struct panthor_perf_sampler sampler;

	/** @layout: Layout of the firmware's samples. */
	struct panthor_perf_layout *layout;

	/** @clock_mode: Rate at which sessions hold the core clock. */
	struct panthor_perf_clock_mode clock_mode;

	/** @info: Reply to PERF_INFO. */
	struct drm_panthor_perf_info info;

	/** @max_sessions: Largest number of @sessions, of all files. That of a file is in @info. */
	u32 max_sessions;

	/** @alloc_lock: Serialises the allocation of the firmware's ring. */
	struct mutex alloc_lock;

	/** @pmu: PMU of the GPU. NULL: none. */
	struct panthor_perf_pmu *pmu;

	/** @sessions: Sessions that are not dead. Guarded by the perf mutex. */
	struct list_head sessions;
};

#endif
