// SPDX-License-Identifier: GPL-2.0 or MIT
/* Copyright (c) 2026 The panthor-perf developers */

#include <drm/panthor_drm.h>

#include "panthor_perf_bo.h"
#include "panthor_perf_kcompat.h"

/**
 * panthor_perf_bo_map() - Map a buffer object of user space for the kernel
 * @bo: Where to store it, zeroed.
 * @file: DRM file that has the handle.
 * @handle: GEM handle.
 * @min_size: Size that the object must have, in bytes.
 * @max_size: Size that the object must not exceed, in bytes: all of it is mapped.
 *
 * May sleep and take the object's reservation lock.
 *
 * Return: 0; -ENOENT if there is no such object; -EINVAL if it is too small, too large, imported or
 * without a mapping for the CPU; -ENOMEM.
 */
int panthor_perf_bo_map(struct panthor_perf_bo *bo, struct drm_file *file, u32 handle,
			u64 min_size, u64 max_size)
{
	struct drm_gem_object *obj = drm_gem_object_lookup(file, handle);
	int ret = -EINVAL;

	if (!obj)
		return -ENOENT;

	if (obj->import_attach || to_panthor_bo(obj)->flags & DRM_PANTHOR_BO_NO_MMAP ||
	    obj->size < min_size || obj->size > max_size)
		goto err_put;

	ret = drm_gem_vmap(obj, &bo->map);
	if (ret)
		goto err_put;

	bo->obj = obj;
	return 0;

err_put:
	drm_gem_object_put(obj);
	return ret;
}

/**
 * panthor_perf_bo_unmap() - Undo panthor_perf_bo_map()
 * @bo: A mapped object, or a zeroed one.
 *
 * May sleep and take the object's reservation lock.
 */
void panthor_perf_bo_unmap(struct panthor_perf_bo *bo)
{
	if (!bo->obj)
		return;

	drm_gem_vunmap(bo->obj, &bo->map);
	drm_gem_object_put(bo->obj);
	bo->obj = NULL;
}
