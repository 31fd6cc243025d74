/* SPDX-License-Identifier: GPL-2.0 or MIT */
/* Copyright (c) 2026 The panthor-perf developers */

#ifndef __PANTHOR_PERF_CONTROL_H__
#define __PANTHOR_PERF_CONTROL_H__

#include <linux/errno.h>
#include <linux/kconfig.h>
#include <linux/types.h>

#include <drm/drm.h>

struct drm_device;
struct drm_file;
struct drm_panthor_dev_query;
struct panthor_device;
struct panthor_perf_format;

/** define DRM_PANTHOR_DEV_QUERY_PERF_CONTROL - Number of the query. */
#define DRM_PANTHOR_DEV_QUERY_PERF_CONTROL	0x3ffffffe

/**
 * struct drm_panthor_perf_control - Arguments of the ioctl of all calls
 */
struct drm_panthor_perf_control {
	/** @cmd: Call. */
	__u32 cmd;

	/** @handle: Session. */
	__u32 handle;

	/** @size: Size of what @pointer refers to, in bytes. */
	__u64 size;

	/** @pointer: Arguments of the call. */
	__u64 pointer;
};

/** define DRM_IOCTL_PANTHOR_PERF_CONTROL - Number of the ioctl. */
#define DRM_IOCTL_PANTHOR_PERF_CONTROL \
	DRM_IOWR(DRM_COMMAND_BASE + 0x5e, struct drm_panthor_perf_control)

#if IS_ENABLED(CONFIG_DRM_PANTHOR_PERF_CONTROL)

/* Form of the samples */
extern const struct panthor_perf_format panthor_perf_control_format;

int panthor_perf_control_query(struct panthor_device *ptdev, struct drm_panthor_dev_query *args);
int panthor_ioctl_perf_control(struct drm_device *ddev, void *data, struct drm_file *file);

#else

static inline int panthor_perf_control_query(struct panthor_device *ptdev,
					     struct drm_panthor_dev_query *args)
{
	return -EINVAL;
}

#define panthor_ioctl_perf_control	NULL

#endif

#endif
