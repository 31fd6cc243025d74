/* SPDX-License-Identifier: GPL-2.0 or MIT */
/* Copyright (c) 2026 The panthor-perf developers */

#ifndef __PANTHOR_PERF_CLOCK_MODE_H__
#define __PANTHOR_PERF_CLOCK_MODE_H__

#include <linux/atomic.h>
#include <linux/mutex.h>
#include <linux/notifier.h>
#include <linux/pm_qos.h>
#include <linux/types.h>
#include <linux/workqueue.h>

#include <drm/panthor_perf_drm.h>

struct clk;
struct device;

/** define PANTHOR_PERF_CLOCK_MODES - Number of &enum drm_panthor_perf_clock_mode. */
#define PANTHOR_PERF_CLOCK_MODES	(DRM_PANTHOR_PERF_CLOCK_MODE_HIGHEST + 1)

/**
 * struct panthor_perf_clock_mode - Rate at which started sessions hold the core clock of a GPU
 */
struct panthor_perf_clock_mode {
	/** @dev: Device with the operating points, for the requests. */
	struct device *dev;

	/**
	 * @core: Core clock. NULL if there are no clock modes: it has fewer than two operating
	 * points, or no notifier.
	 */
	struct clk *core;

	/** @nb: Notifier of changes of the rate of @core. */
	struct notifier_block nb;

	/** @rates: Rate of each mode, in Hz. 0: not known. Constant. */
	unsigned long rates[PANTHOR_PERF_CLOCK_MODES];

	/**
	 * @lock: Guards @mode, @min, @max and additions to @users.
	 *
	 * Held while the requests change, and so above the locks of devfreq, of the clocks and of
	 * the regulators. Not taken by the worker or the hooks.
	 */
	struct mutex lock;

	/** @mode: Mode of the requests, &enum drm_panthor_perf_clock_mode. */
	u32 mode;

	/** @min: Request for the lowest rate, unless @mode is DEFAULT. */
	struct dev_pm_qos_request min;

	/** @max: Request for the highest rate, likewise. */
	struct dev_pm_qos_request max;

	/** @users: Number of started sessions with @mode. */
	atomic_t users;

	/** @work: Removes the requests when there are no @users. */
	struct work_struct work;

	/** @hz: Newest rate of @core, in Hz. Its notifier writes it without @lock. */
	unsigned long hz;

	/** @changes: Number of changes of the rate of @core. */
	atomic_t changes;
};

void panthor_perf_clock_mode_init(struct panthor_perf_clock_mode *cm, struct device *dev,
				  struct clk *core);
void panthor_perf_clock_mode_fini(struct panthor_perf_clock_mode *cm);

int panthor_perf_clock_mode_get(struct panthor_perf_clock_mode *cm, u32 mode);
void panthor_perf_clock_mode_put(struct panthor_perf_clock_mode *cm);
bool panthor_perf_clock_mode_take_missed(const struct panthor_perf_clock_mode *cm, u32 *changes);

#endif
