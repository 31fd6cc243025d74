/* SPDX-License-Identifier: GPL-2.0 or MIT */
/* Copyright (c) 2026 The panthor-perf developers */

#ifndef __PANTHOR_PERF_IOCTL_H__
#define __PANTHOR_PERF_IOCTL_H__

#include <linux/kconfig.h>

struct drm_device;
struct drm_file;
struct panthor_file;

#if IS_ENABLED(CONFIG_DRM_PANTHOR_PERF)

#if IS_ENABLED(CONFIG_KUNIT)
extern int panthor_perf_paranoid;
#endif

void panthor_perf_module_init(void);
void panthor_perf_module_exit(void);
void panthor_perf_file_open(struct panthor_file *pfile);
void panthor_perf_file_close(struct panthor_file *pfile);

#if IS_ENABLED(CONFIG_DRM_PANTHOR_PERF_CONTROL)
struct drm_panthor_perf_setup;
struct panthor_perf_session_config;

int panthor_perf_setup(struct drm_file *file, struct drm_panthor_perf_setup *args,
		       struct panthor_perf_session_config *config);
#endif

int panthor_ioctl_perf_setup(struct drm_device *ddev, void *data, struct drm_file *file);
int panthor_ioctl_perf_teardown(struct drm_device *ddev, void *data, struct drm_file *file);
int panthor_ioctl_perf_start(struct drm_device *ddev, void *data, struct drm_file *file);
int panthor_ioctl_perf_stop(struct drm_device *ddev, void *data, struct drm_file *file);
int panthor_ioctl_perf_sample(struct drm_device *ddev, void *data, struct drm_file *file);

#else /* !CONFIG_DRM_PANTHOR_PERF */

static inline void panthor_perf_module_init(void) {}
static inline void panthor_perf_module_exit(void) {}
static inline void panthor_perf_file_open(struct panthor_file *pfile) {}
static inline void panthor_perf_file_close(struct panthor_file *pfile) {}

/* A driver without counters has none of the ioctls. */
#define panthor_ioctl_perf_setup	NULL
#define panthor_ioctl_perf_teardown	NULL
#define panthor_ioctl_perf_start	NULL
#define panthor_ioctl_perf_stop		NULL
#define panthor_ioctl_perf_sample	NULL

#endif /* CONFIG_DRM_PANTHOR_PERF */

#endif
