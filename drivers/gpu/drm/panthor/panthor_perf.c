// SPDX-License-Identifier: GPL-2.0 or MIT
/* Copyright (c) 2026 The panthor-perf developers */

#include <linux/cleanup.h>
#include <linux/clk.h>
#include <linux/err.h>
#include <linux/slab.h>

#ifdef CONFIG_ARM_ARCH_TIMER
#include <asm/arch_timer.h>
#endif

#include <drm/drm_drv.h>
#include <drm/drm_managed.h>
#include <drm/drm_print.h>

#include "panthor_device.h"
#include "panthor_fw.h"
#include "panthor_fw_regs.h"
#include "panthor_perf.h"
#include "panthor_perf_device.h"
#include "panthor_perf_fw.h"
#include "panthor_perf_hw.h"
#include "panthor_perf_pmu.h"
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
 * panthor_perf has the device's life cycle and PERF_INFO, panthor_perf_ioctl the
 * ioctls and each file's table of sessions.
 *
 * Locks, outermost first:
 *
 * - the DRM unplug section
 * - runtime PM
 * - &panthor_perf_events.lock, under which perf events are opened
 * - &panthor_perf.alloc_lock, under which the firmware's ring is allocated
 * - &panthor_perf_clock_mode.lock, under which START sets the clock
 * - &panthor_perf_session.sample_lock, under which SAMPLE queues requests
 * - &panthor_perf_sampler.lock, the perf mutex
 * - the lock of the firmware's global interface
 * - &panthor_perf_domain.lock, which the clock framework takes in its notifier
 *
 * Jobs' fences signal after a reset of the GPU, and the hooks of suspend and reset
 * wait for the worker, which takes the perf mutex. So its holders are annotated for
 * lockdep as the path that signals fences: neither the hooks nor any holder may
 * wait for memory or a fence. The hooks and the worker take none of the locks above
 * the mutex.
 *
 * A GPU whose firmware reports impossible counter sizes works without counters:
 * PERF_INFO and all ioctls return -EOPNOTSUPP.
 */

/* A ring needs room for one sample and the final one. */
#define MIN_SAMPLE_SLOTS	2
#define MAX_SAMPLE_SLOTS	4096

/* Shortest period: about the time in which firmware writes a sample and the worker publishes it. */
#define MIN_PERIOD_NS		(100 * NSEC_PER_USEC)

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
		.sample_size = panthor_perf_select_size(layout),
		.supported_clocks = perf->sampler.counts.clocks.supported,
		.fw_blocks = layout->type_count[DRM_PANTHOR_PERF_BLOCK_TYPE_FW],
		.cshw_blocks = layout->type_count[DRM_PANTHOR_PERF_BLOCK_TYPE_CSHW],
		.tiler_blocks = layout->type_count[DRM_PANTHOR_PERF_BLOCK_TYPE_TILER],
		.memsys_blocks = layout->type_count[DRM_PANTHOR_PERF_BLOCK_TYPE_MEMSYS],
		.shader_blocks = layout->type_count[DRM_PANTHOR_PERF_BLOCK_TYPE_SHADER],
		.neural_blocks = layout->type_count[DRM_PANTHOR_PERF_BLOCK_TYPE_NEURAL],
		.csg_blocks = layout->type_count[DRM_PANTHOR_PERF_BLOCK_TYPE_CSG],
		.supported_sets = BIT(DRM_PANTHOR_PERF_SET_PRIMARY) |
				  BIT(DRM_PANTHOR_PERF_SET_SECONDARY) |
				  BIT(DRM_PANTHOR_PERF_SET_TERTIARY),
		.min_sample_slots = MIN_SAMPLE_SLOTS,
		.max_sample_slots = MAX_SAMPLE_SLOTS,
		.max_sessions = PANTHOR_PERF_FILE_SESSIONS,
		.abi = DRM_PANTHOR_PERF_ABI,
		.min_period_ns = MIN_PERIOD_NS,
		.gpu_timestamp_frequency = gpu_timestamp_frequency(),
		.max_pending_samples = PANTHOR_PERF_MAX_PENDING,
	};
	perf->info.flags |= DRM_PANTHOR_PERF_BLOCK_STATES_SUPPORT;
	perf->info.flags |= DRM_PANTHOR_PERF_ALLOW_SUSPEND_SUPPORT;
	perf->info.flags |= DRM_PANTHOR_PERF_SYNCS_SUPPORT;
	perf->info.flags |= DRM_PANTHOR_PERF_COMPACT_SUPPORT | DRM_PANTHOR_PERF_WAKEUP_SUPPORT;
	if (perf->clock_mode.core)
		perf->info.flags |= DRM_PANTHOR_PERF_CLOCK_MODE_SUPPORT;
}

static void perf_release(struct drm_device *ddev, void *data)
{
	struct panthor_perf *perf = data;

	panthor_perf_sampler_fini(&perf->sampler);
	kfree(perf->layout);
}

/* gpu_info lacks shader cores that the platform does not use. Their register has all of them. */
static struct panthor_perf_layout *read_layout(struct panthor_device *ptdev)
{
	const struct panthor_fw_global_control_iface *control =
		panthor_fw_get_glb_iface(ptdev)->control;
	const struct panthor_perf_layout_params params = {
		.prfcnt_size = READ_ONCE(control->perfcnt_size),
		.gpu_id = ptdev->gpu_info.gpu_id,
		.gpu_prfcnt_features = panthor_perf_hw_block_features(ptdev),
		.mem_features = ptdev->gpu_info.mem_features,
		.csg_count = READ_ONCE(control->group_num),
		.shader_present = panthor_perf_hw_shader_present(ptdev),
		.gpu_features = panthor_perf_hw_features(ptdev),
		.neural_present = panthor_perf_hw_neural_present(ptdev),
		.shader_available = ptdev->gpu_info.shader_present,
	};
	struct panthor_perf_layout *layout = panthor_perf_layout_create(&params);

	if (layout == ERR_PTR(-EOPNOTSUPP))
		drm_warn(&ptdev->base,
			 "no performance counters: GPU %#x size %#x block size %#x memory %#x groups %u shader cores %#llx fit no layout\n",
			 params.gpu_id, params.prfcnt_size, params.gpu_prfcnt_features,
			 params.mem_features, params.csg_count, params.shader_present);
	if (layout == ERR_PTR(-EOPNOTSUPP) && (params.gpu_features || params.neural_present))
		drm_warn(&ptdev->base, "no performance counters: GPU features %#x accelerators %#llx\n",
			 params.gpu_features, params.neural_present);

	return layout;
}

/**
 * panthor_perf_init() - Initialise the counters of a device
 * @ptdev: Device, powered and with running firmware. It is not registered yet: only the interrupt
 *         handler and a reset use the counters.
 *
 * A GPU without usable counters is not an error: PERF_INFO and all ioctls return -EOPNOTSUPP.
 *
 * Return: 0 or -ENOMEM.
 */
int panthor_perf_init(struct panthor_device *ptdev)
{
	struct drm_device *ddev = &ptdev->base;
	struct panthor_perf_layout *layout;
	struct panthor_perf *perf;
	int ret, cookie;

	perf = drmm_kzalloc(ddev, sizeof(*perf), GFP_KERNEL);
	if (!perf)
		return -ENOMEM;

	ret = drmm_mutex_init(ddev, &perf->alloc_lock);
	if (ret)
		return ret;

	layout = read_layout(ptdev);
	if (IS_ERR(layout))
		return PTR_ERR(layout) == -EOPNOTSUPP ? 0 : PTR_ERR(layout);

	perf->layout = layout;
	INIT_LIST_HEAD(&perf->sessions);
	panthor_perf_fw_init(&perf->sampler.fw, panthor_fw_get_glb_iface(ptdev), layout);
	perf->sampler.fw.drm = ddev;
	perf->sampler.counts.timestamp_frequency = gpu_timestamp_frequency();
	/* No client may have a shorter period. */
	perf->sampler.request_interval_ns = MIN_PERIOD_NS;
	perf->max_sessions = PANTHOR_PERF_GPU_SESSIONS;

	ret = panthor_perf_sampler_init(&perf->sampler, ptdev->fast_rate);
	if (ret) {
		kfree(layout);
		return ret;
	}

	/* If this call fails, it runs perf_release(). */
	ret = drmm_add_action_or_reset(ddev, perf_release, perf);
	if (ret)
		return ret;

	/* If a failed reset has unplugged the device, nothing would unplug the counters. */
	if (!drm_dev_enter(ddev, &cookie))
		return 0;

	panthor_perf_clocks_init(&perf->sampler.counts.clocks, ptdev->clks.coregroup,
				 ptdev->clks.stacks);
	panthor_perf_clock_mode_init(&perf->clock_mode, ddev->dev, ptdev->clks.core);
	panthor_perf_layout_set_clocks(layout, perf->sampler.counts.clocks.supported);
	/* The reply has what the calls above have set. */
	fill_info(perf);

	/* The interrupt is enabled already: its handler must find a complete structure. */
	smp_store_release(&ptdev->perf, perf);
	panthor_perf_pmu_register(ptdev);
	drm_dev_exit(cookie);
	return 0;
}

/**
 * panthor_perf_unplug() - End all sessions and stop using the GPU
 * @ptdev: Device, powered, whose DRM device is unplugged or whose initialisation failed.
 *
 * Waits a bounded time.
 */
void panthor_perf_unplug(struct panthor_device *ptdev)
{
	struct panthor_perf *perf = ptdev->perf;
	struct panthor_perf_session *session;

	if (!perf)
		return;

	panthor_perf_sampler_unplug(&perf->sampler);
	/* By now the open of an event, which holds the events' lock while it waits, has failed. */
	panthor_perf_pmu_unplug(perf);

	do {
		guard(panthor_perf_sampler)(&perf->sampler);
		session = list_first_entry_or_null(&perf->sessions, typeof(*session), node);
		if (session)
			panthor_perf_session_kill_locked(session, true);
	} while (session);

	/* The end of a session queues the worker: wait for it, since the GPU goes away. */
	cancel_delayed_work_sync(&perf->sampler.work);

	panthor_perf_clock_mode_fini(&perf->clock_mode);
	panthor_perf_clocks_fini(&perf->sampler.counts.clocks);
}

/**
 * panthor_perf_free_ring() - Free the firmware's ring
 * @ptdev: Device, unplugged, with the MCU stopped and before the MCU's address space is put.
 *
 * An MCU that does not stop may still use the memory, as it may use panthor's own.
 */
void panthor_perf_free_ring(struct panthor_device *ptdev)
{
	if (ptdev->perf)
		panthor_perf_hw_free_ring(&ptdev->perf->sampler.fw);
}

/**
 * panthor_perf_suspend() - Stop the counters before a suspend
 * @ptdev: Device, with a suspended scheduler, and with firmware that was not halted yet.
 */
void panthor_perf_suspend(struct panthor_device *ptdev)
{
	if (!ptdev->perf)
		return;

	/* The resume does a reset that is pending. Until then, firmware may hang. */
	panthor_perf_sampler_suspend(&ptdev->perf->sampler, panthor_device_reset_is_pending(ptdev));
	/* Afterwards: perf events get the totals as of the sampler's last sample. */
	panthor_perf_pmu_suspend(ptdev->perf);
}

/**
 * panthor_perf_resume() - Restart the counters after a resume, if a session is started
 * @ptdev: Device, with running firmware and a scheduler that is still suspended.
 */
void panthor_perf_resume(struct panthor_device *ptdev)
{
	if (ptdev->perf)
		panthor_perf_sampler_restart(&ptdev->perf->sampler, false);
}

/**
 * panthor_perf_resume_failed() - Let nothing wait for a resume that has failed
 * @ptdev: Device, still suspended.
 *
 * The counters are dead until a later resume works.
 */
void panthor_perf_resume_failed(struct panthor_device *ptdev)
{
	if (ptdev->perf)
		panthor_perf_sampler_restart(&ptdev->perf->sampler, true);
}

/**
 * panthor_perf_pre_reset() - Prepare the counters for a reset of the GPU
 * @ptdev: Device. Its firmware may hang.
 */
void panthor_perf_pre_reset(struct panthor_device *ptdev)
{
	if (ptdev->perf)
		panthor_perf_sampler_pre_reset(&ptdev->perf->sampler);
}

/**
 * panthor_perf_post_reset() - Restart the counters after a reset of the GPU
 * @ptdev: Device.
 * @failed: The firmware does not run. Unplug follows.
 */
void panthor_perf_post_reset(struct panthor_device *ptdev, bool failed)
{
	if (ptdev->perf)
		panthor_perf_sampler_restart(&ptdev->perf->sampler, failed);
}

/**
 * panthor_perf_report_irq() - Handle an interrupt of the firmware
 * @ptdev: Device.
 * @status: Job interrupt status.
 *
 * Called from the interrupt thread. Only queues the worker.
 */
void panthor_perf_report_irq(struct panthor_device *ptdev, u32 status)
{
	/* Pairs with the release in panthor_perf_init(), which may still be running. */
	struct panthor_perf *perf = smp_load_acquire(&ptdev->perf);

	if (!perf || !(status & JOB_INT_GLOBAL_IF))
		return;

	/*
	 * With counters off, the interrupt is not for them. The interrupt of an enable may come
	 * before the change of the state. The worker does not need it: it polls after the change.
	 */
	if (READ_ONCE(perf->sampler.state) != PANTHOR_PERF_SAMPLER_OFF)
		panthor_perf_sampler_queue_work(&perf->sampler);
}

/**
 * panthor_perf_info() - Get the reply to %DRM_PANTHOR_DEV_QUERY_PERF_INFO
 * @ptdev: Device.
 *
 * Return: The reply, constant while the device exists, or ERR_PTR(-EOPNOTSUPP) if there are no
 * counters.
 */
const struct drm_panthor_perf_info *panthor_perf_info(struct panthor_device *ptdev)
{
	return ptdev->perf ? &ptdev->perf->info : ERR_PTR(-EOPNOTSUPP);
}

/**
 * panthor_perf_query_clocks() - Get the reply to %DRM_PANTHOR_DEV_QUERY_PERF_CLOCKS
 * @ptdev: Device.
 * @clocks: Set to the reply.
 *
 * Return: 0; -EOPNOTSUPP if there are no counters; -ENODEV if the GPU is gone.
 */
int panthor_perf_query_clocks(struct panthor_device *ptdev, struct drm_panthor_perf_clocks *clocks)
{
	const struct panthor_perf_clock_mode *cm;
	int cookie;

	if (!ptdev->perf)
		return -EOPNOTSUPP;

	if (!drm_dev_enter(&ptdev->base, &cookie))
		return -ENODEV;

	cm = &ptdev->perf->clock_mode;
	*clocks = (struct drm_panthor_perf_clocks) {
		.toplevel = {
			.rate_hz = clk_get_rate(ptdev->clks.core),
			.lowest_hz = cm->rates[DRM_PANTHOR_PERF_CLOCK_MODE_LOWEST],
			.highest_hz = cm->rates[DRM_PANTHOR_PERF_CLOCK_MODE_HIGHEST],
			.profiling_hz = cm->rates[DRM_PANTHOR_PERF_CLOCK_MODE_PROFILING],
		},
		.coregroup.rate_hz = clk_get_rate(ptdev->clks.coregroup),
		.shader.rate_hz = clk_get_rate(ptdev->clks.stacks),
	};
	drm_dev_exit(cookie);
	return 0;
}
