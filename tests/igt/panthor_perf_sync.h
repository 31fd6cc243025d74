/* SPDX-License-Identifier: MIT */
/* Copyright (c) 2026 The panthor-perf developers */

/*
 * Samples with operations on syncobjs. A value of 0 stands for a binary syncobj.
 */
#ifndef PANTHOR_PERF_SYNC_H
#define PANTHOR_PERF_SYNC_H

#include "panthor_perf.h"
#include "igt_syncobj.h"

static inline struct drm_panthor_sync_op perf_sync_op(uint32_t handle, uint64_t value,
						      uint32_t what)
{
	return (struct drm_panthor_sync_op){
		.flags = what | (value ? DRM_PANTHOR_SYNC_OP_HANDLE_TYPE_TIMELINE_SYNCOBJ :
					 DRM_PANTHOR_SYNC_OP_HANDLE_TYPE_SYNCOBJ),
		.handle = handle,
		.timeline_value = value,
	};
}

static inline struct drm_panthor_sync_op perf_wait_op(uint32_t handle, uint64_t value)
{
	return perf_sync_op(handle, value, DRM_PANTHOR_SYNC_OP_WAIT);
}

static inline struct drm_panthor_sync_op perf_signal_op(uint32_t handle, uint64_t value)
{
	return perf_sync_op(handle, value, DRM_PANTHOR_SYNC_OP_SIGNAL);
}

static inline int perf_sample_ops(struct perf_session *s, uint64_t user_data,
				  const struct drm_panthor_sync_op *ops, uint32_t count)
{
	struct drm_panthor_perf_sample args = {
		.handle = s->setup.handle,
		.flags = DRM_PANTHOR_PERF_SAMPLE_SYNCS,
		.user_data = user_data,
		.syncs = DRM_PANTHOR_OBJ_ARRAY(count, ops),
	};

	return perf_call(s->fd, DRM_IOCTL_PANTHOR_PERF_SAMPLE, &args);
}

/* With a wait and a signal; a handle of 0 is none. */
static inline int perf_sample_between(struct perf_session *s, uint64_t user_data,
				      uint32_t wait, uint64_t wait_value,
				      uint32_t signal, uint64_t signal_value)
{
	struct drm_panthor_sync_op ops[2];
	uint32_t count = 0;

	if (wait)
		ops[count++] = perf_wait_op(wait, wait_value);
	if (signal)
		ops[count++] = perf_signal_op(signal, signal_value);
	return perf_sample_ops(s, user_data, ops, count);
}

/* The outcome of a wait: 0, -ETIME, or -EINVAL without a fence. */
static inline int perf_wait_value(int fd, uint32_t handle, uint64_t value, uint64_t ms)
{
	struct drm_syncobj_timeline_wait wait = {
		.handles = (uintptr_t)&handle,
		.points = (uintptr_t)&value,
		.count_handles = 1,
		.timeout_nsec = ms ? perf_clock_ns(CLOCK_MONOTONIC) + ms * NS_PER_MS : 0,
	};

	return perf_call(fd, DRM_IOCTL_SYNCOBJ_TIMELINE_WAIT, &wait);
}

#endif
