/* SPDX-License-Identifier: GPL-2.0 or MIT */
/* Copyright (c) 2026 The panthor-perf developers */

/* Syncobjs, and samples with operations on them. */
#ifndef PERF_TEST_SYNC_H
#define PERF_TEST_SYNC_H

#include "clocks.h"
#include "perf.h"

/**
 * struct sync - points of a timeline: 0 for none
 */
struct sync {
	/** @handle: The syncobj. */
	uint32_t handle;

	/** @wait: Point to wait for. */
	uint64_t wait;

	/** @signal: Point to signal. */
	uint64_t signal;
};

static inline struct drm_panthor_sync_op sync_op(uint32_t handle, uint64_t point, bool signal)
{
	uint32_t what = signal ? DRM_PANTHOR_SYNC_OP_SIGNAL : DRM_PANTHOR_SYNC_OP_WAIT;

	return (struct drm_panthor_sync_op) {
		.flags = what | DRM_PANTHOR_SYNC_OP_HANDLE_TYPE_TIMELINE_SYNCOBJ,
		.handle = handle,
		.timeline_value = point,
	};
}

/* At most two operations. Returns their number. */
static inline unsigned int sync_ops(const struct sync *sync, struct drm_panthor_sync_op *ops)
{
	unsigned int count = 0;

	if (sync->wait)
		ops[count++] = sync_op(sync->handle, sync->wait, false);
	if (sync->signal)
		ops[count++] = sync_op(sync->handle, sync->signal, true);
	return count;
}

static inline int session_sample_with(struct session *s, uint64_t user_data,
				      const struct sync *sync)
{
	struct drm_panthor_sync_op ops[2];
	struct drm_panthor_perf_sample args = {
		.handle = s->setup.handle,
		.flags = DRM_PANTHOR_PERF_SAMPLE_SYNCS,
		.user_data = user_data,
		.syncs = DRM_PANTHOR_OBJ_ARRAY(sync_ops(sync, ops), ops),
	};

	return perf_call(s->fd, DRM_IOCTL_PANTHOR_PERF_SAMPLE, &args);
}

/* Returns 0 or the errno of the call. */
static inline int syncobj_create(int fd, uint32_t *handle)
{
	struct drm_syncobj_create create = { 0 };
	int error = perf_call(fd, DRM_IOCTL_SYNCOBJ_CREATE, &create);

	*handle = create.handle;
	return error;
}

static inline int syncobj_destroy(int fd, uint32_t handle)
{
	struct drm_syncobj_destroy destroy = { .handle = handle };

	return perf_call(fd, DRM_IOCTL_SYNCOBJ_DESTROY, &destroy);
}

/* Wait for a point of a timeline. Returns 0 or the errno: ETIME, or EINVAL without a fence. */
static inline int point_wait(int fd, uint32_t handle, uint64_t point, int64_t ns)
{
	struct drm_syncobj_timeline_wait wait = {
		.handles = (uintptr_t)&handle,
		.points = (uintptr_t)&point,
		.count_handles = 1,
		.timeout_nsec = clock_ns(CLOCK_MONOTONIC) + ns,
	};

	return perf_call(fd, DRM_IOCTL_SYNCOBJ_TIMELINE_WAIT, &wait);
}

/* The last point of a timeline that has signalled. */
static inline int point_signalled(int fd, uint32_t handle, uint64_t *point)
{
	struct drm_syncobj_timeline_array query = {
		.handles = (uintptr_t)&handle,
		.points = (uintptr_t)point,
		.count_handles = 1,
	};

	return perf_call(fd, DRM_IOCTL_SYNCOBJ_QUERY, &query);
}

#endif
