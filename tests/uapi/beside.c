/* SPDX-License-Identifier: GPL-2.0 or MIT */
/* Copyright (c) 2026 The panthor-perf developers */

/*
 * Beside a panthor_drm.h that has the interface itself, and other values behind the same names,
 * ours has to stay out of the way. FIRST says which of the two comes first.
 */

#if FIRST == 1
#include "panthor_drm.h"
#include "panthor_perf_drm.h"
#else
#include "panthor_perf_drm.h"
#include "panthor_drm.h"
#endif

#ifdef DRM_PANTHOR_PERF_OUT_OF_TREE
#error "the private numbers must not be in use here"
#endif

#if defined(__cplusplus)
#define ASSERT(condition, text)	static_assert(condition, text)
#else
#define ASSERT(condition, text)	_Static_assert(condition, text)
#endif

ASSERT(DRM_PANTHOR_DEV_QUERY_PERF_INFO == 5, "the query is the distribution's");
ASSERT(DRM_PANTHOR_PERF_BLOCK_TYPE_FW == 11, "the block types are the distribution's");
ASSERT((__u32)DRM_IOCTL_PANTHOR_PERF_SETUP == 0xc0106450, "the numbers are the distribution's");
ASSERT(sizeof(struct drm_panthor_perf_info) == 8, "the structures are the distribution's");
