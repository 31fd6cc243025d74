// SPDX-License-Identifier: GPL-2.0 or MIT
/* Copyright (c) 2026 The panthor-perf developers */

#include <linux/capability.h>
#include <linux/cleanup.h>
#include <linux/dma-fence.h>
#include <linux/eventfd.h>
#include <linux/log2.h>
#include <linux/overflow.h>
#include <linux/slab.h>
#include <linux/uaccess.h>
#include <linux/xarray.h>

#ifdef CONFIG_ARM_ARCH_TIMER
#include <asm/arch_timer.h>
#endif

#include <drm/drm_drv.h>
#include <drm/drm_file.h>
#include <drm/drm_managed.h>
#include <drm/drm_print.h>

#include "panthor_device.h"
#include "panthor_fw.h"
#include "panthor_perf.h"
#include "panthor_perf_bo.h"
#include "panthor_perf_kcompat.h"
#include "panthor_perf_layout.h"
#include "panthor_perf_sampler.h"
#include "panthor_perf_session.h"

/**
 * DOC: Performance counters
 *
 * The path of a count, and the files that know each part of it::
 *
 *	Mali firmware ring --> sampler --> 64-bit totals --> session --> user ring + eventfd
 *	  panthor_perf_fw     panthor_perf_sampler     panthor_perf_session  panthor_perf_ring
 *	  panthor_perf_layout
 *
 * This file has the rest: the device's life cycle, PERF_INFO, the ioctls and
 * each file's table of sessions.
 *
 * Locks, in the order of their taking:
 *
 * 1. the DRM unplug section,
 * 2. runtime PM,
 * 3. &panthor_perf.alloc_lock, under which START allocates the firmware's
 *    ring; not taken in suspend, reset and the worker,
 * 4. &panthor_perf_sampler.lock, the perf mutex,
 * 5. the lock of the firmware's global interface.
 *
 * Suspend, resume, reset and the worker that they wait for are on the path that
 * signals fences. They are annotated as such: lockdep proves that nothing under
 * the perf mutex waits for memory or for a fence.
 *
 * A GPU whose firmware reports impossible counter sizes works on without
 * counters: everything answers -EOPNOTSUPP.
 */

/* Sessions of one GPU, and of one file of it. */
#define MAX_SESSIONS		64
#define MAX_FILE_SESSIONS	16

/* A ring needs room for one sample and the final one. */
#define MIN_SAMPLE_SLOTS	2
#define MAX_SAMPLE_SLOTS	4096

#define MAX_SECTIONS		256

#define SETUP_FLAGS		(DRM_PANTHOR_PERF_SETUP_COMPACT | \
				 DRM_PANTHOR_PERF_SETUP_ALLOW_SUSPEND | \
				 DRM_PANTHOR_PERF_SETUP_WAKEUP)

/**
 * struct panthor_perf - Counters of a device
 */
struct panthor_perf {
	/** @sampler: Sampler. */
	struct panthor_perf_sampler sampler;

	/** @layout: Layout of the firmware's samples. */
	struct panthor_perf_layout *layout;

	/** @info: What PERF_INFO tells. */
	struct drm_panthor_perf_info info;

	/** @alloc_lock: Serialises the allocation of the firmware's ring. */
	struct mutex alloc_lock;

	/** @sessions: All sessions that are not dead. Guarded by the perf mutex. */
	struct list_head sessions;

	/** @session_count: Sessions of this device that are set up. */
	atomic_t session_count;
};

/**
 * struct panthor_perf_file - Sessions of an open file
 */
struct panthor_perf_file {
	/** @perf: Counters of the device. */
	struct panthor_perf *perf;

	/** @sessions: Sessions by their handle. Its lock guards lookup against removal. */
	struct xarray sessions;

	/** @session_count: Sessions that are set up. */
	atomic_t session_count;
};

/**
 * struct panthor_perf_session_memory - What a session holds of its file and of user space
 */
struct panthor_perf_session_memory {
	/** @pperf: The file's sessions, in whose limits the session counts. */
	struct panthor_perf_file *pperf;

	/** @ring: The ring object. */
	struct panthor_perf_bo ring;

	/** @control: The control object. */
	struct panthor_perf_bo control;
};

static u64 gpu_timestamp_frequency(void)
{
#ifdef CONFIG_ARM_ARCH_TIMER
	return arch_timer_get_cntfrq();
#else
	return 0;
#endif
}

static void fill_info(struct panthor_perf *perf)
{
	const struct panthor_perf_layout *layout = perf->layout;

	perf->info = (struct drm_panthor_perf_info) {
		.counters_per_block = layout->counters,
		.sample_header_size = sizeof(struct drm_panthor_perf_sample_header),
		.block_header_size = sizeof(struct drm_panthor_perf_block_header),
		.sample_size = panthor_perf_session_sample_size(layout),
		.fw_blocks = layout->type_count[DRM_PANTHOR_PERF_BLOCK_TYPE_FW],
		.cshw_blocks = layout->type_count[DRM_PANTHOR_PERF_BLOCK_TYPE_CSHW],
		.tiler_blocks = layout->type_count[DRM_PANTHOR_PERF_BLOCK_TYPE_TILER],
		.memsys_blocks = layout->type_count[DRM_PANTHOR_PERF_BLOCK_TYPE_MEMSYS],
		.shader_blocks = layout->type_count[DRM_PANTHOR_PERF_BLOCK_TYPE_SHADER],
		.neural_blocks = layout->type_count[DRM_PANTHOR_PERF_BLOCK_TYPE_NEURAL],
		.csg_blocks = layout->type_count[DRM_PANTHOR_PERF_BLOCK_TYPE_CSG],
		.supported_sets = BIT(DRM_PANTHOR_PERF_SET_PRIMARY),
		.min_sample_slots = MIN_SAMPLE_SLOTS,
		.max_sample_slots = MAX_SAMPLE_SLOTS,
		.max_sessions = MAX_SESSIONS,
		.abi = 0,
		.gpu_timestamp_frequency = gpu_timestamp_frequency(),
	};
}

static void perf_release(struct drm_device *ddev, void *data)
{
	struct panthor_perf *perf = data;

	panthor_perf_sampler_fini(&perf->sampler);
	kfree(perf->layout);
}

static struct panthor_perf_layout *read_layout(struct panthor_device *ptdev)
{
	const struct panthor_fw_global_control_iface *control =
		panthor_fw_get_glb_iface(ptdev)->control;
	const struct panthor_perf_layout_params params = {
		.prfcnt_size = READ_ONCE(control->perfcnt_size),
		.prfcnt_features = READ_ONCE(control->perfcnt_features),
		.gpu_id = ptdev->gpu_info.gpu_id,
		.gpu_prfcnt_features = panthor_perf_gpu_read(ptdev,
							     PANTHOR_PERF_GPU_PRFCNT_FEATURES),
		.mem_features = ptdev->gpu_info.mem_features,
		.csg_count = READ_ONCE(control->group_num),
		.shader_present = panthor_perf_raw_shader_present(ptdev),
	};
	struct panthor_perf_layout *layout = panthor_perf_layout_create(&params);

	if (layout == ERR_PTR(-EOPNOTSUPP))
		drm_warn(&ptdev->base,
			 "no performance counters: size %#x features %#x block size %#x memory %#x shader cores %#llx fit no layout\n",
			 params.prfcnt_size, params.prfcnt_features, params.gpu_prfcnt_features,
			 params.mem_features, params.shader_present);

	return layout;
}

/**
 * panthor_perf_init() - Initialise the counters of a device
 * @ptdev: Device, powered, with its firmware running and not registered yet.
 *
 * A GPU without usable counters is no error: everything answers -EOPNOTSUPP then.
 */
void panthor_perf_init(struct panthor_device *ptdev)
{
	struct drm_device *ddev = &ptdev->base;
	struct panthor_perf_layout *layout;
	struct panthor_perf *perf;

	perf = drmm_kzalloc(ddev, sizeof(*perf), GFP_KERNEL);
	if (!perf)
		return;

	if (drmm_mutex_init(ddev, &perf->alloc_lock))
		return;

	layout = read_layout(ptdev);
	if (IS_ERR(layout))
		return;

	perf->layout = layout;
	INIT_LIST_HEAD(&perf->sessions);
	panthor_perf_fw_init(&perf->sampler.fw, &panthor_perf_fw_gpu_ops,
			     panthor_fw_get_glb_iface(ptdev), layout);
	perf->sampler.fw.ptdev = ptdev;
	fill_info(perf);

	if (panthor_perf_sampler_init(&perf->sampler, ptdev->fast_rate)) {
		kfree(layout);
		return;
	}

	if (drmm_add_action_or_reset(ddev, perf_release, perf))
		return;

	ptdev->perf = perf;
}

/**
 * panthor_perf_unplug() - End all sessions and leave the GPU alone
 * @ptdev: Device, powered, whose DRM device is unplugged; or one whose initialisation failed.
 *
 * Waits a bounded time.
 */
void panthor_perf_unplug(struct panthor_device *ptdev)
{
	struct panthor_perf *perf = ptdev->perf;
	struct panthor_perf_session *session, *next;

	if (!perf)
		return;

	panthor_perf_sampler_unplug(&perf->sampler);

	mutex_lock(&perf->sampler.lock);
	list_for_each_entry_safe(session, next, &perf->sessions, node)
		panthor_perf_session_kill_locked(session, true);
	mutex_unlock(&perf->sampler.lock);

	panthor_perf_fw_free_ring(&perf->sampler.fw);
}

/**
 * panthor_perf_suspend() - Stop the counters
 * @ptdev: Device, whose scheduler is suspended and whose firmware still runs.
 */
void panthor_perf_suspend(struct panthor_device *ptdev)
{
	bool cookie;

	if (!ptdev->perf)
		return;

	cookie = dma_fence_begin_signalling();
	panthor_perf_sampler_suspend(&ptdev->perf->sampler);
	dma_fence_end_signalling(cookie);
}

/**
 * panthor_perf_resume() - Start the counters again, if a session is started
 * @ptdev: Device, whose firmware runs again and whose scheduler is still suspended.
 */
void panthor_perf_resume(struct panthor_device *ptdev)
{
	bool cookie;

	if (!ptdev->perf)
		return;

	cookie = dma_fence_begin_signalling();
	panthor_perf_sampler_resume(&ptdev->perf->sampler);
	dma_fence_end_signalling(cookie);
}

/**
 * panthor_perf_pre_reset() - The GPU is about to be reset
 * @ptdev: Device, whose firmware may hang.
 */
void panthor_perf_pre_reset(struct panthor_device *ptdev)
{
	bool cookie;

	if (!ptdev->perf)
		return;

	cookie = dma_fence_begin_signalling();
	panthor_perf_sampler_pre_reset(&ptdev->perf->sampler);
	dma_fence_end_signalling(cookie);
}

/**
 * panthor_perf_post_reset() - The GPU was reset
 * @ptdev: Device.
 * @failed: Its firmware does not run; unplug follows.
 */
void panthor_perf_post_reset(struct panthor_device *ptdev, bool failed)
{
	bool cookie;

	if (!ptdev->perf)
		return;

	cookie = dma_fence_begin_signalling();
	panthor_perf_sampler_post_reset(&ptdev->perf->sampler, failed);
	dma_fence_end_signalling(cookie);
}

/**
 * panthor_perf_report_irq() - The firmware raised an interrupt
 * @ptdev: Device.
 * @status: Job interrupt status.
 *
 * Called from the interrupt's thread. Only has the worker look.
 */
void panthor_perf_report_irq(struct panthor_device *ptdev, u32 status)
{
	struct panthor_perf *perf = ptdev->perf;

	if (!perf || !(status & JOB_INT_GLOBAL_IF))
		return;

	if (READ_ONCE(perf->sampler.state) != PANTHOR_PERF_SAMPLER_OFF)
		panthor_perf_sampler_kick(&perf->sampler);
}

/**
 * panthor_perf_query_info() - Answer %DRM_PANTHOR_DEV_QUERY_PERF_INFO
 * @ptdev: Device.
 * @args: The query.
 *
 * Return: 0; -EOPNOTSUPP if there are no counters; -EINVAL if the user's structure is too small;
 * -EFAULT.
 */
int panthor_perf_query_info(struct panthor_device *ptdev, struct drm_panthor_dev_query *args)
{
	const u32 size = sizeof(struct drm_panthor_perf_info);
	struct panthor_perf *perf = ptdev->perf;
	void __user *user = u64_to_user_ptr(args->pointer);

	if (!perf)
		return -EOPNOTSUPP;

	if (!args->pointer) {
		args->size = size;
		return 0;
	}

	if (args->size < size)
		return -EINVAL;

	if (copy_to_user(user, &perf->info, size) || clear_user(user + size, args->size - size))
		return -EFAULT;

	return 0;
}

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

static void kill_session(struct panthor_perf_session *session)
{
	mutex_lock(&session->sampler->lock);
	panthor_perf_session_kill_locked(session, false);
	mutex_unlock(&session->sampler->lock);
}

/**
 * panthor_perf_file_close() - End the sessions of a file
 * @pfile: File, which nobody uses any more.
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

static int add_sections(struct panthor_perf *perf, const struct drm_panthor_obj_array *array,
			struct panthor_perf_session_config *config)
{
	void __user *user = u64_to_user_ptr(array->array);

	if (!array->count)
		return 0;

	if (array->count > MAX_SECTIONS || array->stride > PAGE_SIZE ||
	    array->stride < sizeof(struct drm_panthor_perf_section))
		return -EINVAL;

	for (u32 i = 0; i < array->count; i++) {
		struct drm_panthor_perf_section section;
		int ret;

		ret = copy_struct_from_user(&section, sizeof(section),
					    user + (size_t)i * array->stride, array->stride);
		if (!ret)
			ret = panthor_perf_session_config_add(config, perf->layout, &section);
		if (ret)
			return ret == -E2BIG ? -EINVAL : ret;
	}

	return 0;
}

/* All that can be said of the arguments without looking at what they refer to. */
static int check_setup(struct panthor_perf *perf, const struct drm_panthor_perf_setup *args)
{
	if (args->pad || args->flags & ~SETUP_FLAGS ||
	    args->block_set > DRM_PANTHOR_PERF_SET_TERTIARY || args->eventfd < -1 ||
	    !is_power_of_2(args->sample_slots) || args->sample_slots < MIN_SAMPLE_SLOTS ||
	    args->sample_slots > MAX_SAMPLE_SLOTS || args->control_offset % sizeof(u64))
		return -EINVAL;

	if (args->block_set != DRM_PANTHOR_PERF_SET_PRIMARY && !perfmon_capable())
		return -EACCES;

	if (args->flags || args->sample_period_ns ||
	    !(perf->info.supported_sets & BIT(args->block_set)))
		return -EOPNOTSUPP;

	if (args->wakeup_ns || args->wakeup_samples)
		return -EINVAL;

	return 0;
}

static void release_memory(struct panthor_perf_session *session)
{
	struct panthor_perf_session_memory *memory = session->release_data;

	panthor_perf_bo_unmap(&memory->control);
	panthor_perf_bo_unmap(&memory->ring);
	atomic_dec(&memory->pperf->session_count);
	atomic_dec(&memory->pperf->perf->session_count);
	kfree(memory);
}

static int map_memory(struct drm_file *file, const struct drm_panthor_perf_setup *args,
		      u32 sample_size, struct panthor_perf_session_memory *memory)
{
	const u64 control_size = sizeof(struct drm_panthor_perf_ring_control);
	const u64 ring_size = (u64)args->sample_slots * sample_size;
	u64 control_end;
	int ret;

	if (check_add_overflow(args->control_offset, control_size, &control_end))
		return -EINVAL;

	ret = panthor_perf_bo_map(&memory->ring, file, args->ring_handle, ring_size);
	if (ret)
		return ret;

	ret = panthor_perf_bo_map(&memory->control, file, args->control_handle, control_end);
	if (ret)
		return ret;

	if (memory->ring.map.is_iomem || memory->control.map.is_iomem)
		return -EINVAL;

	/* One object may be both, if the slots end before the indices. */
	if (memory->ring.obj == memory->control.obj && args->control_offset < ring_size)
		return -EINVAL;

	return 0;
}

/* Count a session in the limits of its file and device. */
static int reserve_session(struct panthor_perf_file *pperf)
{
	if (!atomic_add_unless(&pperf->session_count, 1, MAX_FILE_SESSIONS))
		return -ENOSPC;

	if (!atomic_add_unless(&pperf->perf->session_count, 1, MAX_SESSIONS)) {
		atomic_dec(&pperf->session_count);
		return -ENOSPC;
	}

	return 0;
}

static struct panthor_perf_session *
create_session(struct panthor_perf_file *pperf, const struct panthor_perf_session_config *config)
{
	struct panthor_perf_session_memory *memory;
	struct panthor_perf_session *session;
	int ret;

	memory = kzalloc(sizeof(*memory), GFP_KERNEL_ACCOUNT);
	if (!memory)
		return ERR_PTR(-ENOMEM);

	ret = reserve_session(pperf);
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

static int show_session(struct panthor_perf_file *pperf, struct panthor_perf_session *session,
			u32 *handle)
{
	struct panthor_perf *perf = pperf->perf;
	bool gone;
	int ret;

	mutex_lock(&perf->sampler.lock);
	gone = perf->sampler.gone;
	if (!gone)
		list_add_tail(&session->node, &perf->sessions);
	mutex_unlock(&perf->sampler.lock);
	if (gone)
		return -ENODEV;

	/* Last, since from here on others may use and tear down the session. */
	ret = xa_alloc(&pperf->sessions, handle, session, xa_limit_32b, GFP_KERNEL_ACCOUNT);
	if (ret)
		kill_session(session);

	return ret;
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
	struct panthor_perf_session_memory *memory;
	struct panthor_perf_session *session;
	struct panthor_perf_file *pperf;
	u32 handle;
	int ret;

	if (!perf)
		return -EOPNOTSUPP;

	ret = check_setup(perf, args);
	if (!ret)
		ret = add_sections(perf, &args->sections, &config);
	if (ret)
		goto err;

	pperf = get_perf_file(file);
	if (!pperf)
		return -ENOMEM;

	config.set = args->block_set;
	session = create_session(pperf, &config);
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

	memory = session->release_data;
	ret = map_memory(file, args, perf->info.sample_size, memory);
	if (ret)
		goto err_put;

	panthor_perf_ring_init(&session->ring, memory->ring.map.vaddr,
			       memory->control.map.vaddr + args->control_offset,
			       args->sample_slots, perf->info.sample_size);

	ret = show_session(pperf, session, &handle);
	if (ret)
		goto err_put;

	args->handle = handle;
	args->sample_size = perf->info.sample_size;
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

	if (args->pad)
		return -EINVAL;

	session = pperf ? xa_erase(&pperf->sessions, args->handle) : NULL;
	if (!session)
		return -ENOENT;

	kill_session(session);
	panthor_perf_session_put(session);
	return 0;
}

/* The GPU must be powered: the ring is mapped in its address space. */
static int alloc_ring(struct panthor_perf *perf)
{
	guard(mutex)(&perf->alloc_lock);
	return panthor_perf_fw_alloc_ring(&perf->sampler.fw);
}

static int start_session(struct panthor_perf *perf, struct panthor_perf_session *session,
			 struct panthor_perf_start_wait *wait)
{
	struct panthor_perf_fw *fw = &perf->sampler.fw;
	int ret;

	if (fw->ops->power_get(fw))
		return -EIO;

	ret = alloc_ring(perf);
	if (!ret)
		ret = panthor_perf_session_start(session, wait);
	if (ret)
		fw->ops->power_put(fw);

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
	struct drm_panthor_perf_start *args = data;
	struct panthor_perf_session *session;
	struct panthor_perf_start_wait wait;
	int ret, cookie;

	if (args->pad)
		return -EINVAL;

	session = session_lookup(file, args->handle);
	if (IS_ERR(session))
		return PTR_ERR(session);

	if (!drm_dev_enter(ddev, &cookie)) {
		ret = -ENODEV;
		goto out_put;
	}

	ret = start_session(file_to_perf(file), session, &wait);
	drm_dev_exit(cookie);

	/* Not inside the unplug section: unplug does not wait for the firmware's answer. */
	if (!ret)
		ret = panthor_perf_session_start_wait(session, &wait);

out_put:
	if (ret)
		drm_dbg(ddev, "perf: start refused: %d\n", ret);
	panthor_perf_session_put(session);
	return ret;
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
	struct drm_panthor_perf_stop *args = data;
	struct panthor_perf_session *session;
	int ret;

	if (args->pad)
		return -EINVAL;

	session = session_lookup(file, args->handle);
	if (IS_ERR(session))
		return PTR_ERR(session);

	ret = panthor_perf_session_stop(session, args->user_data);
	if (ret)
		drm_dbg(ddev, "perf: stop refused: %d\n", ret);
	panthor_perf_session_put(session);
	return ret;
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
	struct drm_panthor_perf_sample *args = data;
	struct panthor_perf_session *session;
	int ret;

	if (args->pad)
		return -EINVAL;

	session = session_lookup(file, args->handle);
	if (IS_ERR(session))
		return PTR_ERR(session);

	ret = panthor_perf_session_sample(session, args->user_data);
	if (ret)
		drm_dbg(ddev, "perf: sample refused: %d\n", ret);
	panthor_perf_session_put(session);
	return ret;
}
