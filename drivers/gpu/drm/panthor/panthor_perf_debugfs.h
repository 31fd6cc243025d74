/* SPDX-License-Identifier: GPL-2.0 or MIT */
/* Copyright (c) 2026 The panthor-perf developers */

#ifndef __PANTHOR_PERF_DEBUGFS_H__
#define __PANTHOR_PERF_DEBUGFS_H__

#include <linux/kconfig.h>

struct drm_minor;

#if IS_ENABLED(CONFIG_DRM_PANTHOR_PERF)
void panthor_perf_debugfs_init(struct drm_minor *minor);
#else
static inline void panthor_perf_debugfs_init(struct drm_minor *minor) {}
#endif

#endif
