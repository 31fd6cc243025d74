// SPDX-License-Identifier: GPL-2.0 or MIT
/* Copyright (c) 2026 The panthor-perf developers */

#include <linux/cleanup.h>
#include <linux/clk.h>
#include <linux/err.h>
#include <linux/limits.h>
#include <linux/math.h>
#include <linux/pm_opp.h>
#include <linux/units.h>

#include "panthor_perf_clock_mode.h"

/**
 * DOC: Clock modes
 *
 * A session with a clock mode holds the rate of the core clock from START to its
 * final sample. The driver requests a minimum and a maximum frequency of the
 * device (PM QoS), which devfreq applies at once. The sessions with a mode share
 * the requests, and so have the same mode.
 *
 * A change of the requests takes locks of devfreq, of clocks and of regulators.
 * So START makes the requests, and a work item removes them: sessions end in the
 * worker, in hooks and under the perf mutex, none of which may wait for these
 * locks. Nothing but unplug waits for the work item.
 *
 * Whether the rate was held is known from the clock's notifier: other requests,
 * such as those of a thermal zone, can have a lower maximum, which wins.
 */

/* A rate is held if it differs by up to 1 / TOLERANCE from that of the mode: clocks round rates. */
#define TOLERANCE	100

static int core_rate_changed(struct notifier_block *nb, unsigned long event, void *data)
{
	struct panthor_perf_clock_mode *cm = container_of(nb, struct panthor_perf_clock_mode, nb);
	const struct clk_notifier_data *change = data;

	if (event == POST_RATE_CHANGE && change->new_rate != change->old_rate) {
		WRITE_ONCE(cm->hz, change->new_rate);
		atomic_inc(&cm->changes);
	}

	return NOTIFY_OK;
}

/* The fastest operating point that is not above a rate, or 0. */
static unsigned long rate_up_to(struct device *dev, unsigned long hz)
{
	struct dev_pm_opp *opp = dev_pm_opp_find_freq_floor(dev, &hz);

	if (IS_ERR(opp))
		return 0;

	dev_pm_opp_put(opp);
	return hz;
}

static unsigned long lowest_rate(struct device *dev)
{
	unsigned long hz = 0;
	struct dev_pm_opp *opp = dev_pm_opp_find_freq_ceil(dev, &hz);

	if (IS_ERR(opp))
		return 0;

	dev_pm_opp_put(opp);
	return hz;
}

static void remove_requests_locked(struct panthor_perf_clock_mode *cm)
{
	lockdep_assert_held(&cm->lock);

	if (cm->mode == DRM_PANTHOR_PERF_CLOCK_MODE_DEFAULT)
		return;

	dev_pm_qos_remove_request(&cm->max);
	dev_pm_qos_remove_request(&cm->min);
	cm->mode = DRM_PANTHOR_PERF_CLOCK_MODE_DEFAULT;
}

/* There are no requests yet. Their range is in kHz, rounded outwards to include the mode's rate. */
static int add_requests_locked(struct panthor_perf_clock_mode *cm, u32 mode)
{
	const unsigned long hz = cm->rates[mode];
	int ret;

	lockdep_assert_held(&cm->lock);

	ret = dev_pm_qos_add_request(cm->dev, &cm->min, DEV_PM_QOS_MIN_FREQUENCY,
				     hz / HZ_PER_KHZ);
	if (ret < 0)
		return ret;

	ret = dev_pm_qos_add_request(cm->dev, &cm->max, DEV_PM_QOS_MAX_FREQUENCY,
				     DIV_ROUND_UP(hz, HZ_PER_KHZ));
	if (ret < 0) {
		dev_pm_qos_remove_request(&cm->min);
		return ret;
	}

	cm->mode = mode;
	return 0;
}

static void remove_requests_work(struct work_struct *work)
{
	struct panthor_perf_clock_mode *cm =
		container_of(work, struct panthor_perf_clock_mode, work);

	guard(mutex)(&cm->lock);
	/* There may be a new user since this work was queued. */
	if (!atomic_read(&cm->users))
		remove_requests_locked(cm);
}

/**
 * panthor_perf_clock_mode_init() - Find the rates of the clock modes
 * @cm: Clock mode, all zero.
 * @dev: Device, whose operating points and devfreq are initialised.
 * @core: Core clock, NULL if it is not known.
 *
 * With fewer than two operating points the GPU has no clock modes. Neither has it if @core has no
 * notifier: whether a rate was held could not be known. &panthor_perf_clock_mode.core stays NULL
 * then. The rates are set in any case, to be reported.
 */
void panthor_perf_clock_mode_init(struct panthor_perf_clock_mode *cm, struct device *dev,
				  struct clk *core)
{
	unsigned long *rates = cm->rates;

	mutex_init(&cm->lock);
	INIT_WORK(&cm->work, remove_requests_work);
	cm->dev = dev;
	cm->nb.notifier_call = core_rate_changed;

	rates[DRM_PANTHOR_PERF_CLOCK_MODE_LOWEST] = lowest_rate(dev);
	rates[DRM_PANTHOR_PERF_CLOCK_MODE_HIGHEST] = rate_up_to(dev, ULONG_MAX);
	/* About 2/3 of the highest rate, which thermal limits may not allow for long. */
	rates[DRM_PANTHOR_PERF_CLOCK_MODE_PROFILING] =
		rate_up_to(dev, rates[DRM_PANTHOR_PERF_CLOCK_MODE_HIGHEST] * 2 / 3) ?:
		rates[DRM_PANTHOR_PERF_CLOCK_MODE_LOWEST];

	/* One operating point, or none: then both are 0. */
	if (rates[DRM_PANTHOR_PERF_CLOCK_MODE_LOWEST] ==
	    rates[DRM_PANTHOR_PERF_CLOCK_MODE_HIGHEST])
		return;

	if (!core || clk_notifier_register(core, &cm->nb))
		return;

	cm->core = core;
	/* A change that the notifier has recorded in the meantime is newer. */
	cmpxchg(&cm->hz, 0, clk_get_rate(core));
}

/**
 * panthor_perf_clock_mode_fini() - Remove the requests and the notifier
 * @cm: Clock mode, without users.
 *
 * To be called before the device goes away. Waits for devfreq. Another call does nothing.
 */
void panthor_perf_clock_mode_fini(struct panthor_perf_clock_mode *cm)
{
	cancel_work_sync(&cm->work);
	scoped_guard(mutex, &cm->lock)
		remove_requests_locked(cm);

	if (cm->core)
		clk_notifier_unregister(cm->core, &cm->nb);
	cm->core = NULL;
}

/**
 * panthor_perf_clock_mode_get() - Hold the core clock at the rate of a mode
 * @cm: Clock mode of a GPU with clock modes, in its unplug section. NULL: does nothing.
 * @mode: Mode other than DEFAULT.
 *
 * Returns when the clock has the rate, unless other requests or the hardware prevent it. Must not
 * be called with the perf mutex held.
 *
 * Return: 0; -EBUSY if a user has another mode; -ENOMEM; another error of PM QoS.
 */
int panthor_perf_clock_mode_get(struct panthor_perf_clock_mode *cm, u32 mode)
{
	int ret;

	if (!cm)
		return 0;

	guard(mutex)(&cm->lock);
	if (cm->mode != mode) {
		if (atomic_read(&cm->users))
			return -EBUSY;

		remove_requests_locked(cm);
		ret = add_requests_locked(cm, mode);
		if (ret)
			return ret;
	}

	atomic_inc(&cm->users);
	return 0;
}

/**
 * panthor_perf_clock_mode_put() - Give up the mode
 * @cm: Clock mode of panthor_perf_clock_mode_get(), or NULL.
 *
 * The rate is free soon after the last call. May be called with the perf mutex held.
 */
void panthor_perf_clock_mode_put(struct panthor_perf_clock_mode *cm)
{
	if (cm && atomic_dec_and_test(&cm->users))
		schedule_work(&cm->work);
}

/**
 * panthor_perf_clock_mode_take_missed() - Take the report of a missed rate, if there is one
 * @cm: Clock mode, held by the caller. NULL: none, whose rate is never missed.
 * @changes: Number of changes of the rate at the last call. Set to the number at this one.
 *
 * Return: true if the rate has changed since the last call, or is not that of the mode.
 */
bool panthor_perf_clock_mode_take_missed(const struct panthor_perf_clock_mode *cm, u32 *changes)
{
	const u32 before = *changes;
	unsigned long wanted;

	if (!cm)
		return false;

	/* The mode is constant while there is a user. */
	wanted = cm->rates[cm->mode];
	*changes = atomic_read(&cm->changes);
	return *changes != before ||
	       abs_diff(READ_ONCE(cm->hz), wanted) > wanted / TOLERANCE;
}
