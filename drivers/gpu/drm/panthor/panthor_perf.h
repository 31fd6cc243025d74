/* SPDX-License-Identifier: GPL-2.0 or MIT */
/* Copyright (c) 2026 The panthor-perf developers */

#ifndef __PANTHOR_PERF_H__
#define __PANTHOR_PERF_H__

#include <linux/err.h>
#include <linux/kconfig.h>
#include <linux/types.h>

#include <drm/panthor_perf_drm.h>

struct panthor_device;

#if IS_ENABLED(CONFIG_DRM_PANTHOR_PERF)

int panthor_perf_init(struct panthor_device *ptdev);
void panthor_perf_unplug(struct panthor_device *ptdev);
void panthor_perf_free_ring(struct panthor_device *ptdev);
void panthor_perf_suspend(struct panthor_device *ptdev);
void panthor_perf_resume(struct panthor_device *ptdev);
void panthor_perf_resume_failed(struct panthor_device *ptdev);
void panthor_perf_pre_reset(struct panthor_device *ptdev);
void panthor_perf_post_reset(struct panthor_device *ptdev, bool failed);
void panthor_perf_report_irq(struct panthor_device *ptdev, u32 status);
const struct drm_panthor_perf_info *panthor_perf_info(struct panthor_device *ptdev);
int panthor_perf_query_clocks(struct panthor_device *ptdev, struct drm_panthor_perf_clocks *clocks);

#else /* !CONFIG_DRM_PANTHOR_PERF */

static inline int panthor_perf_init(struct panthor_device *ptdev)
{
	return 0;
}

static inline void panthor_perf_unplug(struct panthor_device *ptdev) {}
static inline void panthor_perf_free_ring(struct panthor_device *ptdev) {}
static inline void panthor_perf_suspend(struct panthor_device *ptdev) {}
static inline void panthor_perf_resume(struct panthor_device *ptdev) {}
static inline void panthor_perf_resume_failed(struct panthor_device *ptdev) {}
static inline void panthor_perf_pre_reset(struct panthor_device *ptdev) {}
static inline void panthor_perf_post_reset(struct panthor_device *ptdev, bool failed) {}
static inline void panthor_perf_report_irq(struct panthor_device *ptdev, u32 status) {}

static inline const struct drm_panthor_perf_info *panthor_perf_info(struct panthor_device *ptdev)
{
	return ERR_PTR(-EINVAL);
}

static inline int panthor_perf_query_clocks(struct panthor_device *ptdev,
					    struct drm_panthor_perf_clocks *clocks)
{
	return -EINVAL;
}

#endif /* CONFIG_DRM_PANTHOR_PERF */

#endif
