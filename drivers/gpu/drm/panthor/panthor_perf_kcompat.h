/* SPDX-License-Identifier: GPL-2.0 or MIT */
/* Copyright (c) 2026 The panthor-perf developers */

#ifndef __PANTHOR_PERF_KCOMPAT_H__
#define __PANTHOR_PERF_KCOMPAT_H__

/*
 * Differences between the kernels that the driver is built for, panthor's own
 * interfaces included. No other file tests LINUX_VERSION_CODE. The driver uses
 * the names of the newest kernel, and this file defines them for older ones.
 *
 * The versions of the tests are known from the sources of 6.12, 6.18, 7.1, 7.2
 * and 7.3.
 */

#include <linux/bits.h>
#include <linux/capability.h>
#include <linux/err.h>
#include <linux/hrtimer.h>
#include <linux/io.h>
#include <linux/iopoll.h>
#include <linux/iosys-map.h>
#include <linux/ktime.h>
#include <linux/pm_runtime.h>
#include <linux/timekeeping.h>
#include <linux/version.h>

#include <drm/drm_gem.h>
#include <drm/drm_print.h>

#if LINUX_VERSION_CODE < KERNEL_VERSION(6, 12, 0) || LINUX_VERSION_CODE >= KERNEL_VERSION(7, 4, 0)
#error "panthor-perf supports the panthor driver of Linux 6.12 to 7.3"
#endif

#include "panthor_device.h"
#include "panthor_fw.h"
#include "panthor_gem.h"
#include "panthor_mmu.h"

#if LINUX_VERSION_CODE < KERNEL_VERSION(7, 1, 0)
#include "panthor_regs.h"
#else
#include "panthor_fw_regs.h"
#include "panthor_gpu_regs.h"
#include "panthor_hw.h"
#include "panthor_pwr_regs.h"
#endif

/**
 * panthor_perf_may_observe() - Check whether the caller may observe the whole system
 *
 * perf_allow_cpu() would honour kernel.perf_event_paranoid and security modules as well. A module
 * cannot call it before 7.3: older kernels export neither the function, nor
 * sysctl_perf_event_paranoid and security_perf_event_open(). The rule is the same on all kernels.
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
 * Before 7.2 the kernel offers CLOCK_REALTIME and CLOCK_MONOTONIC_RAW of one moment. Setting the
 * time changes the distance of CLOCK_REALTIME from CLOCK_MONOTONIC: the function then repeats the
 * reading.
 */
static inline void panthor_perf_read_clocks(u64 *mono_ns, u64 *raw_ns)
{
#if LINUX_VERSION_CODE < KERNEL_VERSION(7, 2, 0)
	struct system_time_snapshot snapshot;
	ktime_t offset;

	do {
		offset = ktime_mono_to_any(0, TK_OFFS_REAL);
		ktime_get_snapshot(&snapshot);
	} while (offset != ktime_mono_to_any(0, TK_OFFS_REAL));

	*mono_ns = ktime_to_ns(ktime_sub(snapshot.real, offset));
	*raw_ns = ktime_to_ns(snapshot.raw);
#else
	struct system_time_snapshot snapshot = {};

	ktime_get_snapshot_id(CLOCK_MONOTONIC, &snapshot);
	*mono_ns = ktime_to_ns(snapshot.systime);
	*raw_ns = ktime_to_ns(snapshot.monoraw);
#endif
}

/* A register that panthor does not declare. */
#define GPU_PRFCNT_FEATURES	0x68

#ifdef GPU_TIMESTAMP_LO
#define GPU_SHADER_PRESENT	GPU_SHADER_PRESENT_LO
#define GPU_TIMESTAMP		GPU_TIMESTAMP_LO
#define GPU_CYCLE_COUNT		GPU_CYCLE_COUNT_LO
#endif

/* From 7.2 on, offsets of registers are those from the start of their block. */
#if LINUX_VERSION_CODE < KERNEL_VERSION(7, 2, 0)
#define MCU_CONTROL_BASE	0x0
#undef PWR_SHADER_PRESENT
#define PWR_SHADER_PRESENT	0x200
#endif

#if LINUX_VERSION_CODE < KERNEL_VERSION(7, 1, 0)

#define GPU_CONTROL_BASE	0x0
#define PWR_CONTROL_BASE	0x800

/**
 * panthor_hw_has_pwr_ctrl() - Check whether the GPU has registers for power control
 * @ptdev: Device.
 *
 * Return: false.
 */
static inline bool panthor_hw_has_pwr_ctrl(struct panthor_device *ptdev)
{
	return false;
}

/* Registers are addressed by the device before 7.1, by the address of their block since then. */
#undef gpu_read
#define gpu_read(iomem, reg)		readl((iomem) + (reg))
#undef gpu_write
#define gpu_write(iomem, reg, data)	writel(data, (iomem) + (reg))
#undef gpu_read64
#define gpu_read64			panthor_perf_read64
#undef gpu_read64_counter
#define gpu_read64_counter		panthor_perf_read64_counter
#undef gpu_read_poll_timeout
#define gpu_read_poll_timeout(iomem, reg, val, cond, delay_us, timeout_us) \
	readl_poll_timeout((iomem) + (reg), val, cond, delay_us, timeout_us)

/**
 * panthor_perf_read64() - Read a 64-bit register that does not change
 * @iomem: Address of the block of registers.
 * @reg: Offset of its low half, in bytes.
 *
 * Return: Value of the register.
 */
static inline u64 panthor_perf_read64(void __iomem *iomem, u32 reg)
{
	return gpu_read(iomem, reg) | (u64)gpu_read(iomem, reg + 4) << 32;
}

/**
 * panthor_perf_read64_counter() - Read a 64-bit counter register
 * @iomem: Address of the block of registers.
 * @reg: Offset of its low half, in bytes.
 *
 * Return: A value that the register had during the call.
 */
static inline u64 panthor_perf_read64_counter(void __iomem *iomem, u32 reg)
{
	u32 high, low, again = gpu_read(iomem, reg + 4);

	/* The low half may wrap between two reads, but not twice in a row. */
	do {
		high = again;
		low = gpu_read(iomem, reg);
		again = gpu_read(iomem, reg + 4);
	} while (high != again);

	return low | (u64)high << 32;
}

#endif /* before 7.1 */

/**
 * panthor_perf_shader_present() - Read the mask of the GPU's shader cores from its register
 * @ptdev: Device, powered.
 *
 * The mask in &panthor_device.gpu_info may lack cores that the platform does not use. Firmware has
 * counters for all.
 *
 * Return: Mask of shader cores.
 */
static inline u64 panthor_perf_shader_present(struct panthor_device *ptdev)
{
	void __iomem *iomem = ptdev->iomem + GPU_CONTROL_BASE;

	if (panthor_hw_has_pwr_ctrl(ptdev))
		return gpu_read64(iomem + PWR_CONTROL_BASE, PWR_SHADER_PRESENT);

	return gpu_read64(iomem, GPU_SHADER_PRESENT);
}

/**
 * panthor_perf_stop_mcu() - Stop the MCU without a request to its firmware
 * @ptdev: Device during unplug.
 *
 * The device is powered, unless its last resume failed. Panthor accesses the registers then, too,
 * in kernels before 6.18.
 */
static inline void panthor_perf_stop_mcu(struct panthor_device *ptdev)
{
	u32 status;

#if LINUX_VERSION_CODE >= KERNEL_VERSION(6, 18, 0)
	/* The MCU of a GPU without power does not run. */
	if (!pm_runtime_active(ptdev->base.dev))
		return;
#endif

	gpu_write(ptdev->iomem + MCU_CONTROL_BASE, MCU_CONTROL, MCU_CONTROL_DISABLE);
	if (gpu_read_poll_timeout(ptdev->iomem + MCU_CONTROL_BASE, MCU_STATUS, status,
				  status == MCU_STATUS_DISABLED, 10, 100000))
		drm_warn(&ptdev->base, "the MCU does not stop\n");
}

#if LINUX_VERSION_CODE < KERNEL_VERSION(6, 13, 0)

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

#endif /* before 6.13 */

#if LINUX_VERSION_CODE < KERNEL_VERSION(6, 16, 0)

/**
 * panthor_perf_kernel_bo_create() - Create a buffer object and map it
 * @ptdev: Device.
 * @vm: Address space.
 * @size: Size in bytes.
 * @bo_flags: Flags of the object.
 * @vm_map_flags: Flags of the mapping.
 * @gpu_va: Address, or %PANTHOR_VM_KERNEL_AUTO_VA.
 * @name: Name in debugfs, from 6.16 on.
 *
 * Return: The object or an ERR_PTR().
 */
static inline struct panthor_kernel_bo *
panthor_perf_kernel_bo_create(struct panthor_device *ptdev, struct panthor_vm *vm, size_t size,
			      u32 bo_flags, u32 vm_map_flags, u64 gpu_va, const char *name)
{
	return panthor_kernel_bo_create(ptdev, vm, size, bo_flags, vm_map_flags, gpu_va);
}

#define panthor_kernel_bo_create	panthor_perf_kernel_bo_create

#endif /* before 6.16 */

/* These kernels have no flag for a cached CPU mapping. */
#if LINUX_VERSION_CODE < KERNEL_VERSION(7, 1, 0)
#define DRM_PANTHOR_BO_WB_MMAP	0
#endif

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
				      DRM_PANTHOR_BO_NO_MMAP | DRM_PANTHOR_BO_WB_MMAP,
				      DRM_PANTHOR_VM_BIND_OP_MAP_NOEXEC |
				      DRM_PANTHOR_VM_BIND_OP_MAP_UNCACHED,
				      PANTHOR_VM_KERNEL_AUTO_VA, "Performance counters");

#if LINUX_VERSION_CODE < KERNEL_VERSION(7, 1, 0)
	/* The object has no CPU mapping yet. */
	if (!IS_ERR(bo) && IS_ENABLED(CONFIG_ARM64))
		to_panthor_bo(bo->obj)->base.map_wc = false;
#endif

	return bo;
}

/**
 * panthor_perf_fw_bo_sgt() - Get the DMA addresses of a buffer object for the firmware
 * @bo: Object.
 *
 * panthor_gem_sync() is no alternative: it takes the reservation lock, interruptibly, and the
 * ring is synchronised on the path that signals fences.
 *
 * Return: DMA mapping of @bo, valid as long as @bo, or an ERR_PTR().
 */
static inline struct sg_table *panthor_perf_fw_bo_sgt(struct panthor_kernel_bo *bo)
{
#if LINUX_VERSION_CODE < KERNEL_VERSION(7, 2, 0)
	return drm_gem_shmem_get_pages_sgt(&to_panthor_bo(bo->obj)->base);
#else
	return panthor_gem_get_dev_sgt(to_panthor_bo(bo->obj));
#endif
}

/* A macro that the DRM core does not have. */
#define drm_warn_ratelimited(drm, fmt, ...) \
	__drm_printk((drm), warn, _ratelimited, fmt, ##__VA_ARGS__)

#if LINUX_VERSION_CODE < KERNEL_VERSION(6, 16, 0)
#define drm_gem_vmap		drm_gem_vmap_unlocked
#define drm_gem_vunmap		drm_gem_vunmap_unlocked
#endif

/* What a &struct drm_driver needs for panthor's buffer objects. Only tests have such a driver. */
#if LINUX_VERSION_CODE < KERNEL_VERSION(7, 2, 0)
#define PANTHOR_PERF_GEM_DRIVER \
	.driver_features = DRIVER_RENDER | DRIVER_GEM | DRIVER_GEM_GPUVA, \
	.gem_create_object = panthor_gem_create_object
#elif LINUX_VERSION_CODE < KERNEL_VERSION(7, 3, 0)
#define PANTHOR_PERF_GEM_DRIVER \
	.driver_features = DRIVER_RENDER | DRIVER_GEM | DRIVER_GEM_GPUVA
#else
#define PANTHOR_PERF_GEM_DRIVER \
	.driver_features = DRIVER_RENDER | DRIVER_GEM
#endif

#if LINUX_VERSION_CODE < KERNEL_VERSION(7, 2, 0)

/**
 * panthor_gem_shrinker_init() - Prepare for the reclaim of buffer objects
 * @ptdev: Device.
 *
 * Return: 0.
 */
static inline int panthor_gem_shrinker_init(struct panthor_device *ptdev)
{
	return 0;
}

/**
 * panthor_gem_shrinker_unplug() - End the reclaim of buffer objects
 * @ptdev: Device.
 */
static inline void panthor_gem_shrinker_unplug(struct panthor_device *ptdev)
{
}

#endif /* before 7.2 */

#endif
