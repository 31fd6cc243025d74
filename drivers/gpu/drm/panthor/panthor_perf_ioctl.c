// SPDX-License-Identifier: GPL-2.0 or MIT
/* Copyright (c) 2026 The panthor-perf developers */

#include <kunit/visibility.h>
#include <linux/capability.h>
#include <linux/cleanup.h>
#include <linux/compiler.h>
#include <linux/dma-fence.h>
#include <linux/eventfd.h>
#include <linux/kernel.h>
#include <linux/log2.h>
#include <linux/nospec.h>
#include <linux/slab.h>
#include <linux/stddef.h>
#include <linux/sysctl.h>
#include <linux/uaccess.h>
#include <linux/xarray.h>

#include <drm/drm_drv.h>
#include <drm/drm_file.h>
#include <drm/drm_print.h>

#include "panthor_device.h"
#include "panthor_perf_device.h"
#include "panthor_perf_hw.h"
#include "panthor_perf_ioctl.h"
#include "panthor_perf_pmu.h"
#include "panthor_perf_session.h"
#include "panthor_perf_syncs.h"

/**
 * DOC: Right to count
 *
 * Each SETUP checks the right of its caller. The right does not stay with the
 * open file. The sysctl dev.panthor.perf_paranoid belongs to the module: it
 * exists without a GPU, and a GPU that is bound or unbound does not change it.
 */

VISIBLE_IF_KUNIT int panthor_perf_paranoid = 1;

static const struct ctl_table perf_sysctls[] = {
	{
		.procname = "perf_paranoid",
		.data = &panthor_perf_paranoid,
		.maxlen = sizeof(panthor_perf_paranoid),
		.mode = 0644,
		.proc_handler = proc_dointvec_minmax,
		.extra1 = SYSCTL_ZERO,
		.extra2 = SYSCTL_ONE,
	},
};

/* NULL if the kernel has no sysctls or no memory. */
static struct ctl_table_header *perf_sysctl_header;

/**
 * panthor_perf_module_init() - Register the sysctl
 *
 * Called when the module is loaded.
 */
void panthor_perf_module_init(void)
{
	perf_sysctl_header = register_sysctl("dev/panthor", perf_sysctls);
}

/**
 * panthor_perf_module_exit() - Unregister what belongs to the module
 *
 * Called when the module is unloaded, after the driver was unregistered: no GPU is bound.
 */
void panthor_perf_module_exit(void)
{
	unregister_sysctl_table(perf_sysctl_header);
	perf_sysctl_header = NULL;
#if IS_ENABLED(CONFIG_PERF_EVENTS) && defined(PANTHOR_PERF_PMU_STAYS)
	panthor_perf_pmu_exit();
#endif
}

#define MAX_SECTIONS		256

/* Size of a section in ABI 1: the least stride that a client may pass. */
#define MIN_SECTION_SIZE	offsetofend(struct drm_panthor_perf_section, mask)

/* The shortest period without the right to observe the whole system, as that of perf's PMU. */
#define MIN_PERIOD_WITHOUT_RIGHT_NS	NSEC_PER_MSEC

DEFINE_FREE(session_put, struct panthor_perf_session *, panthor_perf_session_put(_T))

static struct panthor_perf *file_to_perf(struct drm_file *file)
{
	struct panthor_file *pfile = file->driver_priv;

	return pfile->ptdev->perf;
}

/* Look up a session of this file and take a reference. Fails if there are @unknown flags. */
static struct panthor_perf_session *session_lookup(struct drm_file *file, u32 handle, u32 unknown)
{
	struct panthor_file *pfile = file->driver_priv;
	struct panthor_perf_session *session;

	if (!pfile->ptdev->perf)
		return ERR_PTR(-EOPNOTSUPP);

	if (unknown) {
		drm_dbg(file->minor->dev, "unknown flags %#x\n", unknown);
		return ERR_PTR(-EINVAL);
	}

	/* The lock of the array guards lookup against removal. */
	xa_lock(&pfile->perf_sessions);
	session = xa_load(&pfile->perf_sessions, handle);
	if (session)
		panthor_perf_session_get(session);
	xa_unlock(&pfile->perf_sessions);

	if (!session) {
		drm_dbg(file->minor->dev, "no session %u\n", handle);
		return ERR_PTR(-ENOENT);
	}

	return session;
}

/* End a session that lookups do not find any more, and put the reference of its handle. */
static void session_end(struct panthor_perf_session *session)
{
	scoped_guard(panthor_perf_sampler, session->sampler)
		panthor_perf_session_kill_locked(session, false);
	panthor_perf_session_put(session);
}

/**
 * panthor_perf_file_open() - Initialise the sessions of a file
 * @pfile: File, not in use yet.
 */
void panthor_perf_file_open(struct panthor_file *pfile)
{
	xa_init_flags(&pfile->perf_sessions, XA_FLAGS_ALLOC1);
}

/**
 * panthor_perf_file_close() - End the sessions of a file
 * @pfile: File without users.
 */
void panthor_perf_file_close(struct panthor_file *pfile)
{
	struct panthor_perf_session *session;
	unsigned long handle;

	xa_for_each(&pfile->perf_sessions, handle, session)
		session_end(session);

	xa_destroy(&pfile->perf_sessions);
}

/* Read the sections of SETUP, and add their counters to the masks of the configuration. */
static int add_sections(struct panthor_perf *perf, const struct drm_panthor_obj_array *array,
			struct panthor_perf_session_config *config)
{
	void __user *user = u64_to_user_ptr(array->array);

	if (!array->count)
		return 0;

	if (array->count > MAX_SECTIONS || array->stride > PAGE_SIZE ||
	    array->stride < MIN_SECTION_SIZE)
		return -EINVAL;

	for (u32 i = 0; i < array->count; i++) {
		struct drm_panthor_perf_section section;
		int ret;

		ret = copy_struct_from_user(&section, sizeof(section),
					    user + (size_t)i * array->stride, array->stride);
		if (!ret)
			ret = panthor_perf_select_add(config->masks, perf->layout, &section);
		if (ret)
			return ret;
	}

	return 0;
}

static bool wakeup_is_valid(const struct drm_panthor_perf_setup *args)
{
	if (!(args->flags & DRM_PANTHOR_PERF_SETUP_WAKEUP))
		return !args->wakeup_samples;

	/* Before the final sample, at most sample_slots - 1 samples are unread. */
	return args->wakeup_samples && args->wakeup_samples < args->sample_slots &&
	       args->eventfd >= 0;
}

static bool clock_mode_is_valid(const struct drm_panthor_perf_setup *args)
{
	if (!(args->flags & DRM_PANTHOR_PERF_SETUP_CLOCK_MODE))
		return !args->clock_mode;

	return args->clock_mode < PANTHOR_PERF_CLOCK_MODES;
}

/* Check whether a SETUP needs the right to observe the whole system. */
static bool needs_right(const struct drm_panthor_perf_setup *args)
{
	/* All sessions of a GPU use one set: another one keeps other processes out. */
	if (args->counter_set != DRM_PANTHOR_PERF_SET_PRIMARY)
		return true;

#ifdef PANTHOR_PERF_WITH_CLOCK_MODE
	/* A clock mode changes the speed of all processes' work. */
	if (args->flags & DRM_PANTHOR_PERF_SETUP_CLOCK_MODE)
		return true;

#endif
#ifdef PANTHOR_PERF_WITH_PERIODS
	/*
	 * Each period runs the worker, which has a high priority. The process' share of the CPUs
	 * does not limit that, as it limits a loop of SAMPLE.
	 */
	if (args->sample_period_ns && args->sample_period_ns < MIN_PERIOD_WITHOUT_RIGHT_NS)
		return true;

#endif
	/* Not kernel.perf_event_paranoid, which is about CPUs. */
	return READ_ONCE(panthor_perf_paranoid);
}

static int refuse(struct drm_file *file, int error, const char *reason)
{
	drm_dbg(file->minor->dev, "SETUP: %s: error %d\n", reason, error);
	return error;
}

/* Check the arguments themselves, not the objects that they refer to. */
static int check_setup(struct drm_file *file, const struct drm_panthor_perf_setup *args)
{
	const struct drm_panthor_perf_info *info = &file_to_perf(file)->info;
	u64 pads = args->pad | args->pad2;
	u32 unknown = args->flags;

#ifndef PANTHOR_PERF_WITH_PERIODS
	pads |= args->pad3;
#endif
#ifndef PANTHOR_PERF_WITH_COMPACT
	pads |= args->pad4;
#endif
#ifndef PANTHOR_PERF_WITH_CLOCK_MODE
	pads |= args->pad5;
#endif
	if (pads)
		return refuse(file, -EINVAL, "pad");

	unknown &= ~DRM_PANTHOR_PERF_SETUP_ALLOW_SUSPEND;
	unknown &= ~(DRM_PANTHOR_PERF_SETUP_COMPACT | DRM_PANTHOR_PERF_SETUP_WAKEUP);
	unknown &= ~DRM_PANTHOR_PERF_SETUP_CLOCK_MODE;
	if (unknown)
		return refuse(file, -EINVAL, "unknown flag");

	if (args->counter_set > DRM_PANTHOR_PERF_SET_TERTIARY)
		return refuse(file, -EINVAL, "counter_set");

	if (args->eventfd < -1)
		return refuse(file, -EINVAL, "eventfd");

	if (args->control_offset % sizeof(u64))
		return refuse(file, -EINVAL, "control_offset");

	if (!is_power_of_2(args->sample_slots) || args->sample_slots < info->min_sample_slots ||
	    args->sample_slots > info->max_sample_slots)
		return refuse(file, -EINVAL, "sample_slots");

#ifdef PANTHOR_PERF_WITH_PERIODS
	if (args->sample_period_ns && args->sample_period_ns < info->min_period_ns)
		return refuse(file, -EINVAL, "sample_period_ns");

#endif
#ifdef PANTHOR_PERF_WITH_CLOCK_MODE
	if (!clock_mode_is_valid(args))
		return refuse(file, -EINVAL, "clock_mode");

#endif
	if (needs_right(args) && !perfmon_capable())
		return refuse(file, -EACCES, "no CAP_PERFMON");

#ifdef PANTHOR_PERF_WITH_CLOCK_MODE
	/* PERF_INFO always offers the other flags. */
	if (args->flags & DRM_PANTHOR_PERF_SETUP_CLOCK_MODE &&
	    !(info->flags & DRM_PANTHOR_PERF_CLOCK_MODE_SUPPORT))
		return refuse(file, -EOPNOTSUPP, "flag that PERF_INFO does not offer");

#endif
#ifdef PANTHOR_PERF_WITH_COMPACT
	if (!wakeup_is_valid(args))
		return refuse(file, -EINVAL, "wakeup_samples or eventfd");

#endif
	return 0;
}

/*
 * Add a session to the GPU's list, if the limits of its file and of the GPU allow it. Nothing fails
 * afterwards, so a SETUP that fails does not write to the shared indices.
 */
static int add_session_locked(struct panthor_perf *perf, struct panthor_perf_session *session)
{
	const struct panthor_perf_session *other;
	u32 gpu_sessions = 0, file_sessions = 0;

	lockdep_assert_held(&perf->sampler.lock);

	if (perf->sampler.gone)
		return -ENODEV;

	list_for_each_entry(other, &perf->sessions, node) {
		gpu_sessions++;
		file_sessions += other->owner == session->owner;
	}

	if (file_sessions >= perf->info.max_sessions || gpu_sessions >= perf->max_sessions)
		return -ENOSPC;

	panthor_perf_ring_init_indices(&session->ring);
	list_add_tail(&session->node, &perf->sessions);
	return 0;
}

/*
 * Reserve a handle, and add the session to the GPU's list if the limits allow it. Lookups find the
 * handle when SETUP has stored the session there, as its last step.
 */
static int add_session(struct panthor_perf *perf, struct panthor_file *pfile,
		       struct panthor_perf_session *session, u32 *handle)
{
	int ret;

	ret = xa_alloc(&pfile->perf_sessions, handle, NULL, xa_limit_32b, GFP_KERNEL_ACCOUNT);
	if (ret)
		return ret;

	scoped_guard(panthor_perf_sampler, &perf->sampler)
		ret = add_session_locked(perf, session);
	if (ret)
		xa_release(&pfile->perf_sessions, *handle);

	return ret;
}

/* Create a session with validated arguments. @config has the masks of the requested counters. */
static int create_session(struct drm_file *file, struct drm_panthor_perf_setup *args,
			  struct panthor_perf_session_config *config)
{
	struct panthor_perf_session *session __free(session_put) = NULL;
	struct panthor_perf *perf = file_to_perf(file);
	struct panthor_file *pfile = file->driver_priv;
	u32 handle;
	int ret;

	config->set = args->counter_set;
	config->flags = args->flags;
	config->period_ns = args->sample_period_ns;
	config->clock_mode = array_index_nospec(args->clock_mode, PANTHOR_PERF_CLOCK_MODES);
	session = panthor_perf_session_create(&perf->sampler, config);
	if (IS_ERR(session))
		return PTR_ERR(session);

	session->owner = pfile;
	if (config->clock_mode)
		session->clock_mode = &perf->clock_mode;
	/* The session puts the eventfd, also if SETUP fails below. */
	if (args->eventfd >= 0) {
		struct eventfd_ctx *eventfd = eventfd_ctx_fdget(args->eventfd);

		if (IS_ERR(eventfd))
			return refuse(file, PTR_ERR(eventfd), "eventfd");

		session->config.eventfd = eventfd;
	}

	session->ring.full_size = perf->info.sample_size;
	ret = panthor_perf_ring_map(&session->ring, file, args, session->sample_size);
	if (ret)
		return refuse(file, ret, "objects of the ring");

	ret = add_session(perf, pfile, session, &handle);
	if (ret)
		return refuse(file, ret, "session not added");

	args->handle = handle;
	args->sample_size = session->sample_size;

	/*
	 * This is the last step: from here on other calls may use and tear down the session. The
	 * store does not fail, since the handle is reserved.
	 */
	xa_store(&pfile->perf_sessions, handle, no_free_ptr(session), GFP_KERNEL_ACCOUNT);
	return 0;
}

#if IS_ENABLED(CONFIG_DRM_PANTHOR_PERF_CONTROL)
/**
 * panthor_perf_setup() - Create a session with another form of samples
 * @file: DRM file of a device with counters.
 * @args: Arguments of SETUP, without sections. On success, handle and sample_size are set.
 * @config: Configuration with the form of the samples and the masks of the requested counters. The
 *	    other members are set.
 *
 * Return: 0 or a negative error: see "Errors" in Documentation/gpu/panthor-perf.rst.
 */
int panthor_perf_setup(struct drm_file *file, struct drm_panthor_perf_setup *args,
		       struct panthor_perf_session_config *config)
{
	return check_setup(file, args) ?: create_session(file, args, config);
}
#endif

/**
 * panthor_ioctl_perf_setup() - Create a session
 * @ddev: DRM device.
 * @data: &struct drm_panthor_perf_setup.
 * @file: DRM file.
 *
 * Return: 0 or a negative error: see "Errors" in Documentation/gpu/panthor-perf.rst.
 */
int panthor_ioctl_perf_setup(struct drm_device *ddev, void *data, struct drm_file *file)
{
	struct panthor_perf_session_config config = {};
	struct panthor_perf *perf = file_to_perf(file);
	struct drm_panthor_perf_setup *args = data;
	int ret;

	if (!perf)
		return -EOPNOTSUPP;

	ret = check_setup(file, args);
	if (ret)
		return ret;

	ret = add_sections(perf, &args->sections, &config);
	if (ret)
		return refuse(file, ret, "section");

	return create_session(file, args, &config);
}

/**
 * panthor_ioctl_perf_teardown() - Destroy a session
 * @ddev: DRM device.
 * @data: &struct drm_panthor_perf_teardown.
 * @file: DRM file.
 *
 * Return: 0 or a negative error: see "Errors" in Documentation/gpu/panthor-perf.rst.
 */
int panthor_ioctl_perf_teardown(struct drm_device *ddev, void *data, struct drm_file *file)
{
	struct panthor_file *pfile = file->driver_priv;
	struct drm_panthor_perf_teardown *args = data;
	struct panthor_perf_session *session;

	if (!pfile->ptdev->perf)
		return -EOPNOTSUPP;

	if (args->flags)
		return -EINVAL;

	xa_lock(&pfile->perf_sessions);
	session = xa_load(&pfile->perf_sessions, args->handle);
	/* A handle that SETUP has only reserved stays. */
	if (session)
		__xa_erase(&pfile->perf_sessions, args->handle);
	xa_unlock(&pfile->perf_sessions);
	if (!session) {
		drm_dbg(ddev, "no session %u\n", args->handle);
		return -ENOENT;
	}

	session_end(session);
	return 0;
}

/*
 * Queue a START, in the unplug section, since unplug frees the ring. Firmware samples the baseline:
 * the session has a reference to the GPU's power until START is completed. After an error the ring
 * stays allocated, for the next START.
 */
static int queue_start(struct panthor_perf *perf, struct panthor_perf_session *session,
		       struct panthor_perf_start_wait *wait)
{
	struct panthor_perf_fw *fw = &perf->sampler.fw;
	int ret;

	/* Without power: repeated calls must not keep a GPU with dead counters awake. */
	ret = panthor_perf_session_check_start(session);
	if (ret)
		return ret;

	ret = panthor_perf_hw_power_get(fw);
	if (ret)
		return ret;

	scoped_guard(mutex, &perf->alloc_lock)
		ret = panthor_perf_hw_alloc_ring(fw);
#ifdef PANTHOR_PERF_WITH_CLOCK_MODE
	/* The session has the clock mode until its final sample. */
	if (!ret)
		ret = panthor_perf_clock_mode_get(session->clock_mode, session->config.clock_mode);
#endif
	if (ret)
		goto err_put_power;

	ret = panthor_perf_session_start(session, wait);
	if (!ret)
		return 0;

	panthor_perf_clock_mode_put(session->clock_mode);
err_put_power:
	panthor_perf_hw_power_put(fw);
	return ret;
}

/**
 * panthor_ioctl_perf_start() - Start counting
 * @ddev: DRM device.
 * @data: &struct drm_panthor_perf_start.
 * @file: DRM file.
 *
 * Return: 0 or a negative error: see "Errors" in Documentation/gpu/panthor-perf.rst.
 */
int panthor_ioctl_perf_start(struct drm_device *ddev, void *data, struct drm_file *file)
{
	const struct drm_panthor_perf_start *args = data;
	struct panthor_perf_session *session __free(session_put) =
		session_lookup(file, args->handle, args->flags);
	struct panthor_perf_start_wait wait;
	int ret, cookie;

	if (IS_ERR(session))
		return PTR_ERR(session);

#ifndef PANTHOR_PERF_WITH_PERIODS
	if (args->pad)
		return -EINVAL;

#endif
	wait.user_data = args->user_data;
	if (!drm_dev_enter(ddev, &cookie))
		return -ENODEV;

	ret = queue_start(file_to_perf(file), session, &wait);
	drm_dev_exit(cookie);

	/* Outside of the unplug section: unplug does not wait for the firmware's acknowledge. */
	return ret ?: panthor_perf_session_start_wait(session, &wait);
}

/**
 * panthor_ioctl_perf_stop() - Stop counting
 * @ddev: DRM device.
 * @data: &struct drm_panthor_perf_stop.
 * @file: DRM file.
 *
 * Return: 0 or a negative error: see "Errors" in Documentation/gpu/panthor-perf.rst.
 */
int panthor_ioctl_perf_stop(struct drm_device *ddev, void *data, struct drm_file *file)
{
	const struct drm_panthor_perf_stop *args = data;
	struct panthor_perf_session *session __free(session_put) =
		session_lookup(file, args->handle, args->flags);

	if (IS_ERR(session))
		return PTR_ERR(session);

	return panthor_perf_session_stop(session, args->user_data);
}

/*
 * Not in the unplug section: a request does not access the GPU, and is checked under the perf
 * mutex.
 */
static int queue_sample(struct panthor_perf_session *session, u64 user_data)
{
	struct panthor_perf_sample *sample = panthor_perf_sample_create(session, user_data);
	int ret;

	if (IS_ERR(sample))
		return PTR_ERR(sample);

	ret = panthor_perf_session_sample(session, sample);
	if (ret)
		panthor_perf_sample_free(sample);

	return ret;
}

/* Add operations to a sample. Both have their own references: the sample may be freed first. */
static int add_syncs(struct panthor_perf_sample *sample, struct panthor_perf_syncs *syncs)
{
	struct dma_fence *fence;

	sample->req.wait = dma_fence_get(syncs->wait);
	if (!syncs->signal_count)
		return 0;

	fence = panthor_perf_sample_add_fence(sample);
	return IS_ERR(fence) ? PTR_ERR(fence) : panthor_perf_syncs_merge(syncs, fence);
}

/* The fences are installed with sample_lock held, so that they are in the order of the samples. */
static int queue_ordered_sample(struct panthor_perf_session *session, u64 user_data,
				struct panthor_perf_syncs *syncs)
{
	struct panthor_perf_sample *sample;
	int ret;

	guard(mutex)(&session->sample_lock);
	sample = panthor_perf_sample_create(session, user_data);
	if (IS_ERR(sample))
		return PTR_ERR(sample);

	ret = add_syncs(sample, syncs) ?: panthor_perf_session_sample(session, sample);
	if (ret) {
		panthor_perf_sample_free(sample);
		return ret;
	}

	panthor_perf_syncs_install(syncs);
	return 0;
}

static int take_ordered_sample(struct drm_file *file, struct panthor_perf_session *session,
			       const struct drm_panthor_perf_sample *args)
{
	struct panthor_perf_syncs syncs = {};
	int ret = panthor_perf_syncs_init(&syncs, file, &args->syncs);

	if (ret)
		drm_dbg(file->minor->dev, "SAMPLE: operations: error %d\n", ret);
	else
		ret = queue_ordered_sample(session, args->user_data, &syncs);

	panthor_perf_syncs_fini(&syncs);
	return ret;
}

/**
 * panthor_ioctl_perf_sample() - Take a sample
 * @ddev: DRM device.
 * @data: &struct drm_panthor_perf_sample.
 * @file: DRM file.
 *
 * Return: 0 or a negative error: see "Errors" in Documentation/gpu/panthor-perf.rst.
 */
int panthor_ioctl_perf_sample(struct drm_device *ddev, void *data, struct drm_file *file)
{
	struct panthor_perf_session *session __free(session_put) = NULL;
	const struct drm_panthor_perf_sample *args = data;
	u32 unknown = args->flags;

	unknown &= ~DRM_PANTHOR_PERF_SAMPLE_SYNCS;
	session = session_lookup(file, args->handle, unknown);
	if (IS_ERR(session))
		return PTR_ERR(session);

#ifndef PANTHOR_PERF_WITH_SYNCS
	if (args->pad[0] || args->pad[1])
		return -EINVAL;

#endif
#ifdef PANTHOR_PERF_WITH_SYNCS
	if (args->flags & DRM_PANTHOR_PERF_SAMPLE_SYNCS)
		return take_ordered_sample(file, session, args);

	if (args->syncs.stride || args->syncs.count || args->syncs.array) {
		drm_dbg(ddev, "SAMPLE: operations without the flag SYNCS\n");
		return -EINVAL;
	}

#endif
	return queue_sample(session, args->user_data);
}
