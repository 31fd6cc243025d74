// SPDX-License-Identifier: GPL-2.0 or MIT
/* Copyright (c) 2026 The panthor-perf developers */

#include <linux/cleanup.h>
#include <linux/eventfd.h>
#include <linux/iosys-map.h>
#include <linux/log2.h>
#include <linux/overflow.h>
#include <linux/sizes.h>
#include <linux/slab.h>
#include <linux/stddef.h>
#include <linux/uaccess.h>
#include <linux/xarray.h>

#include <drm/drm_drv.h>
#include <drm/drm_file.h>
#include <drm/drm_print.h>

#include "panthor_device.h"
#include "panthor_perf.h"
#include "panthor_perf_access.h"
#include "panthor_perf_device.h"
#include "panthor_perf_kcompat.h"
#include "panthor_perf_session.h"

#define MAX_SECTIONS		256

/* Largest size of an object beyond its slots, in bytes. */
#define MAX_SPARE_SIZE		SZ_1M

/* Size of a section in ABI 1: the least stride that a client may pass. */
#define MIN_SECTION_SIZE	offsetofend(struct drm_panthor_perf_section, mask)

#define SETUP_FLAGS		(DRM_PANTHOR_PERF_SETUP_COMPACT | \
				 DRM_PANTHOR_PERF_SETUP_ALLOW_SUSPEND | \
				 DRM_PANTHOR_PERF_SETUP_WAKEUP)

/**
 * struct panthor_perf_file - Sessions of an open DRM file
 */
struct panthor_perf_file {
	/** @perf: Counters of the device. */
	struct panthor_perf *perf;

	/** @sessions: Sessions by handle. The lock of the array guards lookup against removal. */
	struct xarray sessions;

	/** @session_count: Number of sessions of this file that are not freed yet. */
	atomic_t session_count;

	/**
	 * @right: A process with the right to observe the whole system has set up a session in
	 * this file. All processes that share the file then have the right in it, since they can
	 * use that session.
	 */
	bool right;
};

/**
 * struct panthor_perf_bo - Buffer object of user space, mapped for the kernel
 *
 * User space may change the contents of the mapping at any time.
 */
struct panthor_perf_bo {
	/** @obj: Object, with a reference. NULL if nothing is mapped. */
	struct drm_gem_object *obj;

	/** @map: Mapping of the whole object. */
	struct iosys_map map;
};

/**
 * struct panthor_perf_session_memory - Resources that a session releases at its end
 */
struct panthor_perf_session_memory {
	/** @pperf: Sessions of the file. The session counts in their limits. */
	struct panthor_perf_file *pperf;

	/** @ring: Buffer object of the ring. */
	struct panthor_perf_bo ring;

	/** @control: Buffer object of the shared indices. */
	struct panthor_perf_bo control;
};

static struct panthor_perf *file_to_perf(struct drm_file *file)
{
	struct panthor_file *pfile = file->driver_priv;

	return pfile->ptdev->perf;
}

static struct panthor_perf_file *get_perf_file(struct drm_file *file)
{
	struct panthor_file *pfile = file->driver_priv;
	struct panthor_perf_file *pperf = READ_ONCE(pfile->perf), *other;

	if (pperf)
		return pperf;

	pperf = kzalloc(sizeof(*pperf), GFP_KERNEL_ACCOUNT);
	if (!pperf)
		return NULL;

	pperf->perf = pfile->ptdev->perf;
	xa_init_flags(&pperf->sessions, XA_FLAGS_ALLOC1);

	other = cmpxchg(&pfile->perf, NULL, pperf);
	if (other) {
		kfree(pperf);
		return other;
	}

	return pperf;
}

/* Look up a session of this file and take a reference. */
static struct panthor_perf_session *session_lookup(struct drm_file *file, u32 handle)
{
	struct panthor_file *pfile = file->driver_priv;
	struct panthor_perf_file *pperf = READ_ONCE(pfile->perf);
	struct panthor_perf_session *session;

	if (!pfile->ptdev->perf)
		return ERR_PTR(-EOPNOTSUPP);

	if (!pperf)
		return ERR_PTR(-ENOENT);

	xa_lock(&pperf->sessions);
	session = xa_load(&pperf->sessions, handle);
	if (session)
		panthor_perf_session_get(session);
	xa_unlock(&pperf->sessions);

	return session ?: ERR_PTR(-ENOENT);
}

/* Remove a session from its file. A handle that SETUP has only reserved stays. */
static struct panthor_perf_session *session_take(struct panthor_perf_file *pperf, u32 handle)
{
	struct panthor_perf_session *session;

	xa_lock(&pperf->sessions);
	session = xa_load(&pperf->sessions, handle);
	if (session)
		__xa_erase(&pperf->sessions, handle);
	xa_unlock(&pperf->sessions);
	return session;
}

static void kill_session(struct panthor_perf_session *session)
{
	mutex_lock(&session->sampler->lock);
	panthor_perf_session_kill_locked(session, false);
	mutex_unlock(&session->sampler->lock);
}

/**
 * panthor_perf_file_close() - End the sessions of a file
 * @pfile: File without users.
 */
void panthor_perf_file_close(struct panthor_file *pfile)
{
	struct panthor_perf_file *pperf = pfile->perf;
	struct panthor_perf_session *session;
	unsigned long handle;

	if (!pperf)
		return;

	xa_for_each(&pperf->sessions, handle, session) {
		kill_session(session);
		panthor_perf_session_put(session);
	}

	xa_destroy(&pperf->sessions);
	kfree(pperf);
}

/**
 * panthor_perf_show_fdinfo() - Print the sessions of a file
 * @p: Printer.
 * @file: DRM file.
 */
void panthor_perf_show_fdinfo(struct drm_printer *p, struct drm_file *file)
{
	struct panthor_file *pfile = file->driver_priv;
	struct panthor_perf_file *pperf = READ_ONCE(pfile->perf);
	unsigned long handle = 0;

	drm_printf(p, "panthor-perf-sessions:\t%d\n",
		   pperf ? atomic_read(&pperf->session_count) : 0);
	if (!pperf)
		return;

	for (;;) {
		struct panthor_perf_session *session;

		xa_lock(&pperf->sessions);
		session = xa_find(&pperf->sessions, &handle, ULONG_MAX, XA_PRESENT);
		if (session)
			panthor_perf_session_get(session);
		xa_unlock(&pperf->sessions);
		if (!session)
			break;

		drm_printf(p, "panthor-perf-session-%lu:\t", handle++);
		mutex_lock(&session->sampler->lock);
		panthor_perf_session_print_locked(session, p);
		mutex_unlock(&session->sampler->lock);
		panthor_perf_session_put(session);
	}
}

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
			return ret == -E2BIG ? -EINVAL : ret;
	}

	return 0;
}

/* Flags of SETUP that PERF_INFO offers. */
static u32 offered_flags(const struct drm_panthor_perf_info *info)
{
	static const struct {
		u32 flag, support;
	} features[] = {
		{ DRM_PANTHOR_PERF_SETUP_COMPACT, DRM_PANTHOR_PERF_COMPACT_SUPPORT },
		{ DRM_PANTHOR_PERF_SETUP_ALLOW_SUSPEND, DRM_PANTHOR_PERF_ALLOW_SUSPEND_SUPPORT },
		{ DRM_PANTHOR_PERF_SETUP_WAKEUP, DRM_PANTHOR_PERF_WAKEUP_SUPPORT },
	};
	u32 flags = 0;

	for (u32 i = 0; i < ARRAY_SIZE(features); i++) {
		if (info->flags & features[i].support)
			flags |= features[i].flag;
	}

	return flags;
}

static int check_wakeup(const struct drm_panthor_perf_setup *args)
{
	if (!(args->flags & DRM_PANTHOR_PERF_SETUP_WAKEUP))
		return args->wakeup_samples ? -EINVAL : 0;

	/* Before the final sample, at most sample_slots - 1 samples are unread. */
	if (!args->wakeup_samples || args->wakeup_samples >= args->sample_slots)
		return -EINVAL;

	return args->eventfd < 0 ? -EINVAL : 0;
}

/* The caller has the right if its process or its file has it. */
static bool has_right(struct drm_file *file, bool needed)
{
	struct panthor_file *pfile = file->driver_priv;
	struct panthor_perf_file *pperf = READ_ONCE(pfile->perf);

	return (pperf && READ_ONCE(pperf->right)) || panthor_perf_access_has_right(needed);
}

/* Check the arguments themselves, not the objects that they refer to. */
static int check_setup(struct panthor_perf *perf, struct drm_file *file,
		       const struct drm_panthor_perf_setup *args, bool *right)
{
	const struct drm_panthor_perf_info *info = &perf->info;
	bool needs_right;

	if (args->pad || args->flags & ~SETUP_FLAGS ||
	    args->counter_set > DRM_PANTHOR_PERF_SET_TERTIARY || args->eventfd < -1 ||
	    args->control_offset % sizeof(u64))
		return -EINVAL;

	if (!is_power_of_2(args->sample_slots) || args->sample_slots < info->min_sample_slots ||
	    args->sample_slots > info->max_sample_slots)
		return -EINVAL;

	if (args->sample_period_ns && args->sample_period_ns < info->min_period_ns)
		return -EINVAL;

	needs_right = panthor_perf_access_needs_right(args->counter_set);
	*right = has_right(file, needs_right);
	if (needs_right && !*right)
		return -EACCES;

	if (args->flags & ~offered_flags(info) || !(info->supported_sets & BIT(args->counter_set)))
		return -EOPNOTSUPP;

	if (args->sample_period_ns && !info->min_period_ns)
		return -EOPNOTSUPP;

	return check_wakeup(args);
}

static void unmap_object(struct panthor_perf_bo *bo)
{
	if (!bo->obj)
		return;

	drm_gem_vunmap(bo->obj, &bo->map);
	drm_gem_object_put(bo->obj);
	bo->obj = NULL;
}

static void release_memory(struct panthor_perf_session *session)
{
	struct panthor_perf_session_memory *memory = session->release_data;

	unmap_object(&memory->control);
	unmap_object(&memory->ring);
	atomic_dec(&memory->pperf->session_count);
	atomic_dec(&memory->pperf->perf->session_count);
	kfree(memory);
}

/* May take the object's reservation lock: not for the fence signalling path. */
static int map_object(struct panthor_perf_bo *bo, struct drm_file *file, u32 handle,
		      u64 min_size, u64 max_size)
{
	struct drm_gem_object *obj = drm_gem_object_lookup(file, handle);
	int ret = -EINVAL;

	if (!obj)
		return -ENOENT;

	if (obj->import_attach || to_panthor_bo(obj)->flags & DRM_PANTHOR_BO_NO_MMAP ||
	    obj->size < min_size || obj->size > max_size)
		goto err_put;

	ret = drm_gem_vmap(obj, &bo->map);
	if (ret)
		goto err_put;

	bo->obj = obj;
	return 0;

err_put:
	drm_gem_object_put(obj);
	return ret;
}

static int map_memory(struct drm_file *file, const struct drm_panthor_perf_setup *args,
		      u32 sample_size, struct panthor_perf_session_memory *memory)
{
	const u64 control_size = sizeof(struct drm_panthor_perf_ring_control);
	const struct drm_panthor_perf_info *info = &memory->pperf->perf->info;
	const u64 ring_size = (u64)args->sample_slots * sample_size;
	/* A client with COMPACT may have a ring for samples of all blocks. */
	const u64 ring_max = (u64)args->sample_slots * info->sample_size + MAX_SPARE_SIZE;
	u64 control_end, control_max = MAX_SPARE_SIZE;
	int ret;

	if (check_add_overflow(args->control_offset, control_size, &control_end))
		return -EINVAL;

	if (args->control_handle == args->ring_handle)
		control_max = ring_max;

	ret = map_object(&memory->ring, file, args->ring_handle, ring_size, ring_max);
	if (ret)
		return ret;

	ret = map_object(&memory->control, file, args->control_handle, control_end,
			 control_max);
	if (ret)
		return ret;

	if (memory->ring.map.is_iomem || memory->control.map.is_iomem)
		return -EINVAL;

	/* In an object with both, the indices lie behind the slots. */
	if (memory->ring.obj == memory->control.obj && args->control_offset < ring_size)
		return -EINVAL;

	return 0;
}

static bool add_below(atomic_t *count, int limit)
{
	int old = atomic_read(count);

	do {
		if (old >= limit)
			return false;
	} while (!atomic_try_cmpxchg(count, &old, old + 1));

	return true;
}

/* Count a session in the limits of its file and device. */
static int reserve_session(struct panthor_perf_file *pperf, bool right)
{
	struct panthor_perf *perf = pperf->perf;

	if (!add_below(&pperf->session_count, perf->info.max_sessions))
		return -ENOSPC;

	if (!add_below(&perf->session_count,
		       panthor_perf_access_session_limit(perf->max_sessions, right))) {
		atomic_dec(&pperf->session_count);
		return -ENOSPC;
	}

	return 0;
}

static struct panthor_perf_session *
create_session(struct panthor_perf_file *pperf, const struct panthor_perf_session_config *config,
	       bool right)
{
	struct panthor_perf_session_memory *memory;
	struct panthor_perf_session *session;
	int ret;

	memory = kzalloc(sizeof(*memory), GFP_KERNEL_ACCOUNT);
	if (!memory)
		return ERR_PTR(-ENOMEM);

	ret = reserve_session(pperf, right);
	if (ret) {
		kfree(memory);
		return ERR_PTR(ret);
	}

	session = panthor_perf_session_create(&pperf->perf->sampler, config);
	if (IS_ERR(session)) {
		atomic_dec(&pperf->session_count);
		atomic_dec(&pperf->perf->session_count);
		kfree(memory);
		return session;
	}

	memory->pperf = pperf;
	session->release = release_memory;
	session->release_data = memory;
	return session;
}

/*
 * Initialise the ring and make the session visible to other calls. The handle is reserved first: a
 * SETUP that fails does not write to the shared indices.
 */
static int show_session(struct panthor_perf_file *pperf, struct panthor_perf_session *session,
			const struct drm_panthor_perf_setup *args, u32 sample_size, u32 *handle)
{
	struct panthor_perf_session_memory *memory = session->release_data;
	struct panthor_perf *perf = pperf->perf;
	bool gone;
	int ret;

	/* Reserve the handle: lookups do not find it, and the store below cannot fail. */
	ret = xa_alloc(&pperf->sessions, handle, NULL, xa_limit_32b, GFP_KERNEL_ACCOUNT);
	if (ret)
		return ret;

	mutex_lock(&perf->sampler.lock);
	gone = perf->sampler.gone;
	if (!gone) {
		panthor_perf_ring_init(&session->ring, memory->ring.map.vaddr,
				       memory->control.map.vaddr + args->control_offset,
				       args->sample_slots, sample_size);
		session->ring.wakeup_samples = args->wakeup_samples;
		list_add_tail(&session->node, &perf->sessions);
	}
	mutex_unlock(&perf->sampler.lock);
	if (gone) {
		xa_release(&pperf->sessions, *handle);
		return -ENODEV;
	}

	/* This is the last step: from here on other calls may use and tear down the session. */
	xa_store(&pperf->sessions, *handle, session, GFP_KERNEL_ACCOUNT);
	return 0;
}

/**
 * panthor_ioctl_perf_setup() - Create a session
 * @ddev: DRM device.
 * @data: &struct drm_panthor_perf_setup.
 * @file: DRM file.
 *
 * Return: 0 or a negative error as in the uAPI's table.
 */
int panthor_ioctl_perf_setup(struct drm_device *ddev, void *data, struct drm_file *file)
{
	struct panthor_perf *perf = file_to_perf(file);
	struct panthor_perf_session_config config = {};
	struct drm_panthor_perf_setup *args = data;
	struct panthor_perf_session *session;
	struct panthor_perf_file *pperf;
	u32 handle, sample_size;
	bool right;
	int ret;

	if (!perf)
		return -EOPNOTSUPP;

	ret = check_setup(perf, file, args, &right);
	if (!ret)
		ret = add_sections(perf, &args->sections, &config);
	if (ret)
		goto err;

	pperf = get_perf_file(file);
	if (!pperf)
		return -ENOMEM;

	config.set = args->counter_set;
	config.flags = args->flags;
	config.period_ns = args->sample_period_ns;
	sample_size = panthor_perf_select_size(perf->layout, config.masks,
					       config.flags & DRM_PANTHOR_PERF_SETUP_COMPACT);
	session = create_session(pperf, &config, right);
	if (IS_ERR(session)) {
		ret = PTR_ERR(session);
		goto err;
	}

	if (args->eventfd >= 0) {
		struct eventfd_ctx *eventfd = eventfd_ctx_fdget(args->eventfd);

		if (IS_ERR(eventfd)) {
			ret = PTR_ERR(eventfd);
			goto err_put;
		}
		session->config.eventfd = eventfd;
	}

	ret = map_memory(file, args, sample_size, session->release_data);
	if (ret)
		goto err_put;

	ret = show_session(pperf, session, args, sample_size, &handle);
	if (ret)
		goto err_put;

	if (right)
		WRITE_ONCE(pperf->right, true);

	args->handle = handle;
	args->sample_size = sample_size;
	return 0;

err_put:
	panthor_perf_session_put(session);
err:
	drm_dbg(ddev, "perf: setup refused: %d\n", ret);
	return ret;
}

/**
 * panthor_ioctl_perf_teardown() - Destroy a session
 * @ddev: DRM device.
 * @data: &struct drm_panthor_perf_teardown.
 * @file: DRM file.
 *
 * Return: 0 or a negative error as in the uAPI's table.
 */
int panthor_ioctl_perf_teardown(struct drm_device *ddev, void *data, struct drm_file *file)
{
	struct panthor_file *pfile = file->driver_priv;
	struct panthor_perf_file *pperf = READ_ONCE(pfile->perf);
	struct drm_panthor_perf_teardown *args = data;
	struct panthor_perf_session *session;

	if (!pfile->ptdev->perf)
		return -EOPNOTSUPP;

	if (args->flags)
		return -EINVAL;

	session = pperf ? session_take(pperf, args->handle) : NULL;
	if (!session)
		return -ENOENT;

	kill_session(session);
	panthor_perf_session_put(session);
	return 0;
}

static int queue_start(struct panthor_perf *perf, struct panthor_perf_session *session,
		       u64 user_data, struct panthor_perf_start_wait *wait)
{
	struct panthor_perf_fw *fw = &perf->sampler.fw;
	int ret = panthor_perf_session_check_start(session);

	if (ret)
		return ret;

	if (fw->ops->power_get(fw))
		return -EIO;

	/* The GPU must be powered: the ring is mapped in its address space. */
	scoped_guard(mutex, &perf->alloc_lock)
		ret = fw->ops->ring_alloc(fw);
	if (!ret)
		ret = panthor_perf_session_start(session, user_data, wait);
	if (ret)
		fw->ops->power_put(fw);

	return ret;
}

static int start_session(struct drm_device *ddev, struct panthor_perf *perf,
			 struct panthor_perf_session *session, u64 user_data)
{
	struct panthor_perf_start_wait wait;
	int ret, cookie;

	if (!drm_dev_enter(ddev, &cookie))
		return -ENODEV;

	ret = queue_start(perf, session, user_data, &wait);
	drm_dev_exit(cookie);

	/* Outside of the unplug section: unplug does not wait for the firmware's acknowledge. */
	return ret ?: panthor_perf_session_start_wait(session, &wait);
}

/* The session of START, STOP and SAMPLE, for end_call(). */
static struct panthor_perf_session *begin_call(struct drm_file *file, u32 handle, u32 flags)
{
	return flags ? ERR_PTR(-EINVAL) : session_lookup(file, handle);
}

static int end_call(struct drm_device *ddev, struct panthor_perf_session *session,
		    const char *name, int ret)
{
	if (ret)
		drm_dbg(ddev, "perf: %s refused: %d\n", name, ret);
	panthor_perf_session_put(session);
	return ret;
}

/**
 * panthor_ioctl_perf_start() - Start counting
 * @ddev: DRM device.
 * @data: &struct drm_panthor_perf_start.
 * @file: DRM file.
 *
 * Return: 0 or a negative error as in the uAPI's table.
 */
int panthor_ioctl_perf_start(struct drm_device *ddev, void *data, struct drm_file *file)
{
	const struct drm_panthor_perf_start *args = data;
	struct panthor_perf_session *session = begin_call(file, args->handle, args->flags);

	if (IS_ERR(session))
		return PTR_ERR(session);

	return end_call(ddev, session, "start",
			start_session(ddev, file_to_perf(file), session, args->user_data));
}

/**
 * panthor_ioctl_perf_stop() - Stop counting
 * @ddev: DRM device.
 * @data: &struct drm_panthor_perf_stop.
 * @file: DRM file.
 *
 * Return: 0 or a negative error as in the uAPI's table.
 */
int panthor_ioctl_perf_stop(struct drm_device *ddev, void *data, struct drm_file *file)
{
	const struct drm_panthor_perf_stop *args = data;
	struct panthor_perf_session *session = begin_call(file, args->handle, args->flags);

	if (IS_ERR(session))
		return PTR_ERR(session);

	return end_call(ddev, session, "stop",
			panthor_perf_session_stop(session, args->user_data));
}

/**
 * panthor_ioctl_perf_sample() - Take a sample
 * @ddev: DRM device.
 * @data: &struct drm_panthor_perf_sample.
 * @file: DRM file.
 *
 * Return: 0 or a negative error as in the uAPI's table.
 */
int panthor_ioctl_perf_sample(struct drm_device *ddev, void *data, struct drm_file *file)
{
	const struct drm_panthor_perf_sample *args = data;
	struct panthor_perf_session *session = begin_call(file, args->handle, args->flags);

	if (IS_ERR(session))
		return PTR_ERR(session);

	return end_call(ddev, session, "sample",
			panthor_perf_session_sample(session, args->user_data));
}
