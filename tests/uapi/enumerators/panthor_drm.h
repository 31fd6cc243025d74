/* SPDX-License-Identifier: GPL-2.0 or MIT */
/* Copyright (c) 2026 The panthor-perf developers */

/*
 * As in ../distribution, but the ids and codes of ioctls are enumerators, as panthor_drm.h has them
 * from Linux 7.2 on: no #ifdef sees them.
 */

#ifndef TEST_PANTHOR_DRM_H
#define TEST_PANTHOR_DRM_H

#include_next "panthor_drm.h"

#define DRM_PANTHOR_PERF_ABI			2

enum test_panthor_ioctl_id {
	DRM_PANTHOR_PERF_SETUP = 0x10,
};

enum drm_panthor_perf_block_type {
	DRM_PANTHOR_PERF_BLOCK_TYPE_FW = 11,
};

enum test_panthor_dev_query_type {
	DRM_PANTHOR_DEV_QUERY_PERF_INFO = 5,
};

struct drm_panthor_perf_info {
	__u64 other;
};

struct drm_panthor_perf_setup {
	__u64 other[2];
};

enum test_panthor_ioctl {
	DRM_IOCTL_PANTHOR_PERF_SETUP =
		(int)DRM_IOWR(DRM_COMMAND_BASE + DRM_PANTHOR_PERF_SETUP,
			      struct drm_panthor_perf_setup),
};

#endif /* TEST_PANTHOR_DRM_H */
