/* SPDX-License-Identifier: GPL-2.0 or MIT */
/* Copyright (c) 2026 The panthor-perf developers */

/* Stands for a later panthor_drm.h that has counters: the same names, other values. */

#ifndef TEST_PANTHOR_DRM_H
#define TEST_PANTHOR_DRM_H

#include_next "panthor_drm.h"

#define DRM_PANTHOR_DEV_QUERY_PERF_INFO		5
#define DRM_PANTHOR_PERF_SETUP			0x10
#define DRM_IOCTL_PANTHOR_PERF_SETUP \
	DRM_IOWR(DRM_COMMAND_BASE + DRM_PANTHOR_PERF_SETUP, struct drm_panthor_perf_setup)

enum drm_panthor_perf_block_type {
	DRM_PANTHOR_PERF_BLOCK_TYPE_FW = 11,
};

struct drm_panthor_perf_info {
	__u64 other;
};

struct drm_panthor_perf_setup {
	__u64 other[2];
};

#endif /* TEST_PANTHOR_DRM_H */
