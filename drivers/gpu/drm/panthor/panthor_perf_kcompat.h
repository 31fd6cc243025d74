/* SPDX-License-Identifier: GPL-2.0 or MIT */
/* Copyright (c) 2026 The panthor-perf developers */

#ifndef __PANTHOR_PERF_KCOMPAT_H__
#define __PANTHOR_PERF_KCOMPAT_H__

/*
 * Differences between the kernels that the driver is built for, panthor's own
 * interfaces included. No other file tests LINUX_VERSION_CODE.
 */

#include <linux/bits.h>
#include <linux/capability.h>
#include <linux/err.h>
#include <linux/hrtimer.h>
#include <linux/iopoll.h>
#include <linux/iosys-map.h>
#include <linux/ktime.h>
#include <linux/pm_runtime.h>
#include <linux/timekeeping.h>
#include <linux/version.h>

#include <drm/drm_gem.h>
#include <drm/drm_print.h>

#include "panthor_device.h"
#include "panthor_fw.h"
#include "panthor_gem.h"
#include "panthor_mmu.h"
#include "panthor_regs.h"

#if LINUX_VERSION_CODE < KERNEL_VERSION(6, 12, 0) || LINUX_VERSION_CODE >= KERNEL_VERSION(6, 13, 0)
#error "panthor-perf supports the panthor driver of Linux 6.12"
#endif

/**
 * panthor_perf_may_observe() - Check whether the caller may observe the whole system
 *
 * perf_allow_cpu() would honour kernel.perf_event_paranoid and security modules as well. A module
 * cannot call it: 6.12 exports neither sysctl_perf_event_paranoid nor security_perf_event_open().
 *
 * Return: true if the caller may observe the whole system.
 */
static inline bool panthor_perf_may_observe(void)
{
	return perfmon_capable();
}

/**
 * panthor_perf_may_observe_noaudit() - As panthor_perf_may_observe(), without a log entry
 *
 * Return: true if the caller may observe the whole system.
 */
static inline bool panthor_perf_may_observe_noaudit(void)
{
	return ns_capable_noaudit(&init_user_ns, CAP_PERFMON) ||
	       ns_capable_noaudit(&init_user_ns, CAP_SYS_ADMIN);
}

/**
 * panthor_perf_read_clocks() - Read two clocks of the host at the same time
 * @mono_ns: Set to CLOCK_MONOTONIC.
 * @raw_ns: Set to CLOCK_MONOTONIC_RAW.
 *
 * The kernel offers CLOCK_REALTIME and CLOCK_MONOTONIC_RAW of one moment. Setting the time changes
 * the distance of CLOCK_REALTIME from CLOCK_MONOTONIC: the function then repeats the reading.
 */
static inline void panthor_perf_read_clocks(u64 *mono_ns, u64 *raw_ns)
{
	struct system_time_snapshot snapshot;
	ktime_t offset;

	do {
		offset = ktime_mono_to_any(0, TK_OFFS_REAL);
		ktime_get_snapshot(&snapshot);
	} while (offset != ktime_mono_to_any(0, TK_OFFS_REAL));

	*mono_ns = ktime_to_ns(ktime_sub(snapshot.real, offset));
	*raw_ns = ktime_to_ns(snapshot.raw);
}

/* A register that panthor does not declare. */
#define GPU_PRFCNT_FEATURES	0x68

/* Register names of later kernels. */
#define GPU_SHADER_PRESENT	GPU_SHADER_PRESENT_LO
#define GPU_TIMESTAMP		GPU_TIMESTAMP_LO
#define GPU_CYCLE_COUNT		GPU_CYCLE_COUNT_LO

/**
 * gpu_read64() - Read a 64-bit register that does not change
 * @ptdev: Device, powered.
 * @reg: Offset of its low half, in bytes.
 *
 * Return: Value of the register.
 */
static inline u64 gpu_read64(struct panthor_device *ptdev, u32 reg)
{
	return gpu_read(ptdev, reg) | (u64)gpu_read(ptdev, reg + 4) << 32;
}

/**
 * gpu_read64_counter() - Read a 64-bit counter register
 * @ptdev: Device, powered.
 * @reg: Offset of its low half, in bytes.
 *
 * Return: A value that the register had during the call.
 */
static inline u64 gpu_read64_counter(struct panthor_device *ptdev, u32 reg)
{
	u32 high, low, again = gpu_read(ptdev, reg + 4);

	/* The low half may wrap between two reads, but not twice in a row. */
	do {
		high = again;
		low = gpu_read(ptdev, reg);
		again = gpu_read(ptdev, reg + 4);
	} while (high != again);

	return low | (u64)high << 32;
}

/**
 * panthor_perf_stop_mcu() - Stop the MCU without a request to its firmware
 * @ptdev: Device, powered, during unplug.
 */
static inline void panthor_perf_stop_mcu(struct panthor_device *ptdev)
{
	u32 status;

	gpu_write(ptdev, MCU_CONTROL, MCU_CONTROL_DISABLE);
	if (readl_poll_timeout(ptdev->iomem + MCU_STATUS, status, status == MCU_STATUS_DISABLED,
			       10, 100000))
		drm_warn(&ptdev->base, "the MCU does not stop\n");
}

/**
 * hrtimer_setup() - Initialise a timer
 * @timer: Timer.
 * @expired: Callback, in hard interrupt context.
 * @clock: Clock.
 * @mode: Mode.
 */
static inline void hrtimer_setup(struct hrtimer *timer,
				 enum hrtimer_restart (*expired)(struct hrtimer *timer),
				 clockid_t clock, enum hrtimer_mode mode)
{
	hrtimer_init(timer, clock, mode);
	timer->function = expired;
}

/**
 * panthor_device_resume_and_get() - Resume the GPU and take a reference to its power
 * @ptdev: Device.
 *
 * Return: 0 or a negative error.
 */
static inline int panthor_device_resume_and_get(struct panthor_device *ptdev)
{
	return pm_runtime_resume_and_get(ptdev->base.dev);
}

/**
 * panthor_perf_fw_bo_create() - Create a buffer object for the firmware and the kernel
 * @ptdev: Device.
 * @size: Size in bytes.
 *
 * Return: The object, mapped uncached for the MCU at an address of its own, or an ERR_PTR(). On
 * arm64 the kernel mapping is cached, on coherent devices too: the caller has to synchronise it.
 */
static inline struct panthor_kernel_bo *
panthor_perf_fw_bo_create(struct panthor_device *ptdev, size_t size)
{
	struct panthor_kernel_bo *bo;

	bo = panthor_kernel_bo_create(ptdev, panthor_fw_vm(ptdev), size,
				      DRM_PANTHOR_BO_NO_MMAP,
				      DRM_PANTHOR_VM_BIND_OP_MAP_NOEXEC |
				      DRM_PANTHOR_VM_BIND_OP_MAP_UNCACHED,
				      PANTHOR_VM_KERNEL_AUTO_VA);

	/* The object has no CPU mapping yet. */
	if (!IS_ERR(bo) && IS_ENABLED(CONFIG_ARM64))
		to_panthor_bo(bo->obj)->base.map_wc = false;

	return bo;
}

/**
 * panthor_perf_fw_bo_sgt() - Get the DMA addresses of a buffer object for the firmware
 * @bo: Object.
 *
 * Return: DMA mapping of @bo, valid as long as @bo, or an ERR_PTR().
 */
static inline struct sg_table *panthor_perf_fw_bo_sgt(struct panthor_kernel_bo *bo)
{
	return drm_gem_shmem_get_pages_sgt(&to_panthor_bo(bo->obj)->base);
}

/* Names of later kernels, and a macro that the DRM core of this kernel does not have. */
#define drm_warn_ratelimited(drm, fmt, ...) \
	__drm_printk((drm), warn, _ratelimited, fmt, ##__VA_ARGS__)
#define drm_gem_vmap		drm_gem_vmap_unlocked
#define drm_gem_vunmap		drm_gem_vunmap_unlocked

#endif
