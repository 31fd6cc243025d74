/* SPDX-License-Identifier: GPL-2.0 or MIT */
/* Copyright (c) 2026 The panthor-perf developers */

#ifndef __PANTHOR_PERF_SYNCS_H__
#define __PANTHOR_PERF_SYNCS_H__

#include <linux/types.h>

struct dma_fence;
struct drm_file;
struct drm_panthor_obj_array;
struct panthor_perf_signal;

/**
 * struct panthor_perf_syncs - Operations on syncobjs of a call
 */
struct panthor_perf_syncs {
	/** @wait: Merged fences of the WAIT operations, NULL if there are none. */
	struct dma_fence *wait;

	/** @fence: Fence that the SIGNAL operations install, NULL until it is merged. */
	struct dma_fence *fence;

	/** @signals: SIGNAL operations. */
	struct panthor_perf_signal *signals;

	/** @signal_count: Number of @signals. */
	u32 signal_count;
};

int panthor_perf_syncs_init(struct panthor_perf_syncs *syncs, struct drm_file *file,
			    const struct drm_panthor_obj_array *array);
int panthor_perf_syncs_merge(struct panthor_perf_syncs *syncs, struct dma_fence *fence);
void panthor_perf_syncs_install(struct panthor_perf_syncs *syncs);
void panthor_perf_syncs_fini(struct panthor_perf_syncs *syncs);

#endif
