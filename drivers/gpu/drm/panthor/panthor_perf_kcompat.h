/* SPDX-License-Identifier: GPL-2.0 or MIT */
/* Copyright (c) 2026 The panthor-perf developers */

#ifndef __PANTHOR_PERF_KCOMPAT_H__
#define __PANTHOR_PERF_KCOMPAT_H__

/*
 * Names of the newest kernel and of its panthor, for older kernels. The compiler reads this file
 * before each source file of the component (see Makefile.perf), which uses these names. No other
 * file tests LINUX_VERSION_CODE.
 *
 * The versions of the tests are known from the sources of 6.12, 6.18, 7.1, 7.2
 * and 7.3.
 */

#include <linux/uaccess.h>
#include <linux/version.h>

/* Parts of files that a series for mainline adds after the first one: here all are there. */
#define PANTHOR_PERF_WITH_CLOCKS
#define PANTHOR_PERF_WITH_STATES
#define PANTHOR_PERF_WITH_NEURAL
#define PANTHOR_PERF_WITH_PERIODS
#define PANTHOR_PERF_WITH_SUSPEND
#define PANTHOR_PERF_WITH_SYNCS
#define PANTHOR_PERF_WITH_COMPACT
#define PANTHOR_PERF_WITH_CLOCK_MODE

#if LINUX_VERSION_CODE < KERNEL_VERSION(6, 12, 0) || LINUX_VERSION_CODE >= KERNEL_VERSION(7, 4, 0)
#error "panthor-perf supports the panthor driver of Linux 6.12 to 7.3"
#endif

/* Bytes that are not 0 beyond those that the driver knows: in mainline -E2BIG, as in panthor. */
#define copy_struct_from_user(...) \
	panthor_perf_error_of_abi_1(copy_struct_from_user(__VA_ARGS__))

/**
 * panthor_perf_error_of_abi_1() - Get the error of ABI 1 for a copy of a longer structure
 * @ret: What copy_struct_from_user() has returned.
 *
 * Return: -EINVAL for -E2BIG, otherwise @ret.
 */
static inline int panthor_perf_error_of_abi_1(int ret)
{
	return ret == -E2BIG ? -EINVAL : ret;
}

#if LINUX_VERSION_CODE < KERNEL_VERSION(7, 3, 0)

#include <linux/capability.h>
#include <linux/err.h>
#include <linux/hrtimer.h>
#include <linux/io.h>
#include <linux/iosys-map.h>
#include <linux/module.h>
#include <linux/perf_event.h>
#include <linux/pm_runtime.h>
#include <linux/rcupdate.h>
#include <linux/slab.h>
#include <linux/sysctl.h>
#include <linux/timekeeping.h>

#include <drm/drm_drv.h>
#include <drm/drm_gem.h>

#include "panthor_device.h"
#include "panthor_gem.h"
#include "panthor_hw.h"
#include "panthor_mmu.h"
#include "panthor_pwr_regs.h"

/**
 * panthor_perf_allow_cpu() - Check the right to use perf on all CPUs
 *
 * These kernels do not export what kernel.perf_event_paranoid permits to others.
 *
 * Return: 0, or -EACCES without CAP_PERFMON.
 */
static inline int panthor_perf_allow_cpu(void)
{
	return perfmon_capable() ? 0 : -EACCES;
}

#define perf_allow_cpu		panthor_perf_allow_cpu

/* These kernels refuse a &struct perf_event_attr that has it. */
#ifndef PERF_ATTR_SIZE_VER9
#define config4			config3
#endif

#ifndef kzalloc_obj
#define kzalloc_obj(obj, flags)	kzalloc(sizeof(obj), flags)
#endif

/* A &struct drm_driver with panthor's buffer objects needs more there. Only tests have one. */
#if LINUX_VERSION_CODE < KERNEL_VERSION(7, 2, 0)
#define DRIVER_GEM \
	(DRIVER_GEM | DRIVER_GEM_GPUVA), .gem_create_object = panthor_gem_create_object
#else
#define DRIVER_GEM	(DRIVER_GEM | DRIVER_GEM_GPUVA)
#endif

#if LINUX_VERSION_CODE < KERNEL_VERSION(7, 2, 0)

/* From 7.2 on, offsets of registers are those from the start of their block. */
#undef PWR_SHADER_PRESENT
#define PWR_SHADER_PRESENT	0x200

/**
 * struct panthor_perf_time_snapshot - Two clocks of the host at one moment
 */
struct panthor_perf_time_snapshot {
	/** @systime: CLOCK_MONOTONIC. */
	ktime_t systime;

	/** @monoraw: CLOCK_MONOTONIC_RAW. */
	ktime_t monoraw;
};

/**
 * ktime_get_snapshot_id() - Read two clocks of the host at the same time
 * @clock_id: CLOCK_MONOTONIC.
 * @snapshot: Set to the readings.
 *
 * These kernels offer CLOCK_REALTIME and CLOCK_MONOTONIC_RAW of one moment. Setting the time
 * changes the distance of CLOCK_REALTIME from CLOCK_MONOTONIC: the function then repeats the
 * reading.
 */
static inline void ktime_get_snapshot_id(clockid_t clock_id,
					 struct panthor_perf_time_snapshot *snapshot)
{
	struct system_time_snapshot both;
	ktime_t offset;

	do {
		offset = ktime_mono_to_any(0, TK_OFFS_REAL);
		ktime_get_snapshot(&both);
	} while (offset != ktime_mono_to_any(0, TK_OFFS_REAL));

	snapshot->systime = ktime_sub(both.real, offset);
	snapshot->monoraw = both.raw;
}

#define system_time_snapshot	panthor_perf_time_snapshot

/* From 7.2 on, a fence without the operation release() does not use the others once signalled. */
#define PANTHOR_PERF_FENCES_PIN_MODULE

/* The DMA addresses of an object, valid as long as the object, or an ERR_PTR(). */
#define panthor_gem_get_dev_sgt(bo)	drm_gem_shmem_get_pages_sgt(&(bo)->base)

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

#if LINUX_VERSION_CODE < KERNEL_VERSION(7, 1, 0)

#define GPU_CONTROL_BASE	0x0
#define PWR_CONTROL_BASE	0x800

#ifndef GPU_FEATURES
#define GPU_FEATURES		0x60
#endif

#ifdef GPU_TIMESTAMP_LO
#define GPU_SHADER_PRESENT	GPU_SHADER_PRESENT_LO
#define GPU_TIMESTAMP		GPU_TIMESTAMP_LO
#define GPU_CYCLE_COUNT		GPU_CYCLE_COUNT_LO
#endif

/**
 * panthor_perf_has_pwr_ctrl() - Check whether the GPU has registers for power control
 * @ptdev: Device.
 *
 * Return: false.
 */
static inline bool panthor_perf_has_pwr_ctrl(struct panthor_device *ptdev)
{
	return false;
}

#define panthor_hw_has_pwr_ctrl		panthor_perf_has_pwr_ctrl

/* Registers are addressed by the device before 7.1, by the address of their block since then. */
#undef gpu_read
#define gpu_read(iomem, reg)		readl((iomem) + (reg))
#undef gpu_write
#define gpu_write(iomem, reg, data)	writel(data, (iomem) + (reg))
#undef gpu_read64
#define gpu_read64			panthor_perf_read64
#undef gpu_read64_counter
#define gpu_read64_counter		panthor_perf_read64_counter

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

/* These kernels have no flag for a cached CPU mapping. The bit is none of panthor's. */
#define DRM_PANTHOR_BO_WB_MMAP	BIT(31)

/**
 * panthor_perf_kernel_bo_create() - Create a buffer object and map it
 * @ptdev: Device.
 * @vm: Address space.
 * @size: Size in bytes.
 * @bo_flags: Flags of the object, or %DRM_PANTHOR_BO_WB_MMAP alone.
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
	const u32 flags = bo_flags == DRM_PANTHOR_BO_WB_MMAP ? DRM_PANTHOR_BO_NO_MMAP : bo_flags;
	struct panthor_kernel_bo *bo;

#if LINUX_VERSION_CODE < KERNEL_VERSION(6, 16, 0)
	bo = panthor_kernel_bo_create(ptdev, vm, size, flags, vm_map_flags, gpu_va);
#else
	bo = panthor_kernel_bo_create(ptdev, vm, size, flags, vm_map_flags, gpu_va, name);
#endif

	/* The object has no CPU mapping yet. */
	if (!IS_ERR(bo) && bo_flags == DRM_PANTHOR_BO_WB_MMAP && IS_ENABLED(CONFIG_ARM64))
		to_panthor_bo(bo->obj)->base.map_wc = false;

	return bo;
}

#define panthor_kernel_bo_create	panthor_perf_kernel_bo_create

#endif /* before 7.1 */

#if LINUX_VERSION_CODE < KERNEL_VERSION(6, 16, 0)
#define drm_gem_vmap		drm_gem_vmap_unlocked
#define drm_gem_vunmap		drm_gem_vunmap_unlocked
#endif

/* From 6.15 on, perf_pmu_unregister() ends the events that are open. */
#if LINUX_VERSION_CODE < KERNEL_VERSION(6, 15, 0)
#define PANTHOR_PERF_PMU_STAYS
#endif

#if LINUX_VERSION_CODE < KERNEL_VERSION(6, 13, 0)

/**
 * panthor_perf_register_sysctl_sz() - Register sysctls
 * @path: Their folder.
 * @table: Sysctls. These kernels do not change the table, but their parameter is not const.
 * @size: Number of sysctls.
 *
 * Return: What unregisters them, or NULL.
 */
static inline struct ctl_table_header *
panthor_perf_register_sysctl_sz(const char *path, const struct ctl_table *table, size_t size)
{
	return register_sysctl_sz(path, (struct ctl_table *)table, size);
}

#define register_sysctl_sz	panthor_perf_register_sysctl_sz

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

#endif /* before 7.3 */

#endif
