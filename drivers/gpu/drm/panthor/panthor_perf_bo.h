/* SPDX-License-Identifier: GPL-2.0 or MIT */
/* Copyright (c) 2026 The panthor-perf developers */

#ifndef __PANTHOR_PERF_BO_H__
#define __PANTHOR_PERF_BO_H__

#include <linux/iosys-map.h>
#include <linux/types.h>

struct drm_file;
struct drm_gem_object;

/**
 * struct panthor_perf_bo - A buffer object of user space, mapped for the kernel
 *
 * What lies in the mapping is user space's: it may change at any time.
 */
struct panthor_perf_bo {
	/** @obj: The object, of which a reference is held. NULL: none. */
	struct drm_gem_object *obj;

	/** @map: The mapping. */
	struct iosys_map map;
};

int panthor_perf_bo_map(struct panthor_perf_bo *bo, struct drm_file *file, u32 handle,
			u64 min_size, u64 max_size);
void panthor_perf_bo_unmap(struct panthor_perf_bo *bo);

#endif
