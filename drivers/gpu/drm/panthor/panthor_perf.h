/* SPDX-License-Identifier: GPL-2.0 or MIT */
/* Copyright (c) 2026 The panthor-perf developers */

#ifndef __PANTHOR_PERF_H__
#define __PANTHOR_PERF_H__

#include <linux/errno.h>
#include <linux/kconfig.h>
#include <linux/types.h>

#include <drm/panthor_perf_drm.h>

struct drm_device;
struct drm_file;
struct drm_minor;
struct drm_printer;
struct panthor_device;
struct panthor_file;

#if IS_ENABLED(CONFIG_DRM_PANTHOR_PERF)

/* Life cycle */
void panthor_perf_module_init(void);
void panthor_perf_module_exit(void);
void panthor_perf_init(struct panthor_device *ptdev);
void panthor_perf_unplug(struct panthor_device *ptdev);
void panthor_perf_suspend(struct panthor_device *ptdev);
void panthor_perf_resume(struct panthor_device *ptdev);
void panthor_perf_pre_reset(struct panthor_device *ptdev);
void panthor_perf_post_reset(struct panthor_device *ptdev, bool failed);
void panthor_perf_report_irq(struct panthor_device *ptdev, u32 status);
void panthor_perf_file_close(struct panthor_file *pfile);

/* For administrators */
void panthor_perf_show_fdinfo(struct drm_printer *p, struct drm_file *file);
void panthor_perf_debugfs_init(struct drm_minor *minor);

/* uAPI */
int panthor_perf_query_info(struct panthor_device *ptdev, struct drm_panthor_dev_query *args);
int panthor_ioctl_perf_setup(struct drm_device *ddev, void *data, struct drm_file *file);
int panthor_ioctl_perf_teardown(struct drm_device *ddev, void *data, struct drm_file *file);
int panthor_ioctl_perf_start(struct drm_device *ddev, void *data, struct drm_file *file);
int panthor_ioctl_perf_stop(struct drm_device *ddev, void *data, struct drm_file *file);
int panthor_ioctl_perf_sample(struct drm_device *ddev, void *data, struct drm_file *file);

#else /* !CONFIG_DRM_PANTHOR_PERF */

static inline void panthor_perf_module_init(void) {}
static inline void panthor_perf_module_exit(void) {}
static inline void panthor_perf_init(struct panthor_device *ptdev) {}
static inline void panthor_perf_unplug(struct panthor_device *ptdev) {}
static inline void panthor_perf_suspend(struct panthor_device *ptdev) {}
static inline void panthor_perf_resume(struct panthor_device *ptdev) {}
static inline void panthor_perf_pre_reset(struct panthor_device *ptdev) {}
static inline void panthor_perf_post_reset(struct panthor_device *ptdev, bool failed) {}
static inline void panthor_perf_report_irq(struct panthor_device *ptdev, u32 status) {}
static inline void panthor_perf_file_close(struct panthor_file *pfile) {}
static inline void panthor_perf_debugfs_init(struct drm_minor *minor) {}

static inline int panthor_perf_query_info(struct panthor_device *ptdev,
					  struct drm_panthor_dev_query *args)
{
	return -EINVAL;
}

/* A driver without counters prints nothing and has none of the ioctls. */
#define panthor_perf_show_fdinfo	NULL
#define panthor_ioctl_perf_setup	NULL
#define panthor_ioctl_perf_teardown	NULL
#define panthor_ioctl_perf_start	NULL
#define panthor_ioctl_perf_stop		NULL
#define panthor_ioctl_perf_sample	NULL

#endif /* CONFIG_DRM_PANTHOR_PERF */

#endif
