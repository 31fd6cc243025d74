// SPDX-License-Identifier: GPL-2.0 or MIT
/* Copyright (c) 2026 The panthor-perf developers */

#include <linux/dma-mapping.h>
#include <linux/err.h>
#include <linux/pm_runtime.h>
#include <linux/scatterlist.h>
#include <linux/slab.h>

#include "panthor_device.h"
#include "panthor_fw.h"
#include "panthor_fw_regs.h"
#include "panthor_gem.h"
#include "panthor_gpu_regs.h"
#include "panthor_hw.h"
#include "panthor_mmu.h"
#include "panthor_perf_fw.h"
#include "panthor_perf_hw.h"
#include "panthor_perf_layout.h"
#include "panthor_pwr_regs.h"

/**
 * DOC: Access to the hardware
 *
 * All accesses of the counters to registers, to the GPU's power and to memory
 * that the GPU shares. The firmware's interface is memory too, and
 * panthor_perf_fw.c accesses it. In the kernel of the KUnit suites, a fake
 * firmware stands in for this file.
 */

/* Registers that panthor does not declare. */
#define GPU_PRFCNT_FEATURES	0x68
#define PWR_NEURAL_PRESENT	0x240

#ifdef PANTHOR_PERF_REGISTER_MAP

/* Proposed for architecture 15: the description of the GPU has the places of its blocks. */
static void __iomem *gpu_control(struct panthor_device *ptdev)
{
	return ptdev->iomem + ptdev->hw->map.gpu_control_base;
}

static void __iomem *pwr_control(struct panthor_device *ptdev)
{
	return ptdev->iomem + ptdev->hw->map.pwr_control_base;
}

#else

static void __iomem *gpu_control(struct panthor_device *ptdev)
{
	return ptdev->iomem + GPU_CONTROL_BASE;
}

static void __iomem *pwr_control(struct panthor_device *ptdev)
{
	return ptdev->iomem + PWR_CONTROL_BASE;
}

#endif

/**
 * panthor_perf_hw_shader_present() - Read the mask of the GPU's shader cores from its register
 * @ptdev: Device, powered.
 *
 * The mask in &panthor_device.gpu_info may lack cores that the platform does not use. Firmware has
 * counters for all.
 *
 * Return: Mask of shader cores.
 */
u64 panthor_perf_hw_shader_present(struct panthor_device *ptdev)
{
	if (panthor_hw_has_pwr_ctrl(ptdev))
		return gpu_read64(pwr_control(ptdev), PWR_SHADER_PRESENT);

	return gpu_read64(gpu_control(ptdev), GPU_SHADER_PRESENT);
}

/**
 * panthor_perf_hw_block_features() - Read the word with the size of a block of counters
 * @ptdev: Device, powered.
 *
 * Return: GPU_PRFCNT_FEATURES, valid from architecture 11 on.
 */
u32 panthor_perf_hw_block_features(struct panthor_device *ptdev)
{
	return gpu_read(gpu_control(ptdev), GPU_PRFCNT_FEATURES);
}

/**
 * panthor_perf_hw_features() - Read GPU_FEATURES
 * @ptdev: Device, powered.
 *
 * Return: The lower half of the register, 0 before architecture 14.
 */
u32 panthor_perf_hw_features(struct panthor_device *ptdev)
{
	if (!panthor_hw_has_pwr_ctrl(ptdev))
		return 0;

	return gpu_read(gpu_control(ptdev), GPU_FEATURES);
}

/**
 * panthor_perf_hw_neural_present() - Read the mask of the cores with a neural accelerator
 * @ptdev: Device, powered.
 *
 * Return: NEURAL_PRESENT, 0 before architecture 14.
 */
u64 panthor_perf_hw_neural_present(struct panthor_device *ptdev)
{
	if (!panthor_hw_has_pwr_ctrl(ptdev))
		return 0;

	return gpu_read64(pwr_control(ptdev), PWR_NEURAL_PRESENT);
}

static struct panthor_device *device_of(const struct panthor_perf_fw *fw)
{
	return container_of(fw->drm, struct panthor_device, base);
}

/**
 * panthor_perf_hw_power_get() - Resume the GPU and take a reference to its power
 * @fw: Protocol state.
 *
 * May sleep.
 *
 * Return: 0; -EIO if the GPU does not resume.
 */
int panthor_perf_hw_power_get(struct panthor_perf_fw *fw)
{
	/* After a failed resume, power management returns -EINVAL, as for a wrong argument. */
	return panthor_device_resume_and_get(device_of(fw)) ? -EIO : 0;
}

/**
 * panthor_perf_hw_power_get_async() - Take a reference to the GPU's power and queue a resume
 * @fw: Protocol state.
 *
 * Any context.
 */
void panthor_perf_hw_power_get_async(struct panthor_perf_fw *fw)
{
	pm_runtime_get(fw->drm->dev);
}

/**
 * panthor_perf_hw_power_put() - Put a reference to the GPU's power
 * @fw: Protocol state.
 *
 * Does not wait.
 */
void panthor_perf_hw_power_put(struct panthor_perf_fw *fw)
{
	pm_runtime_mark_last_busy(fw->drm->dev);
	pm_runtime_put_autosuspend(fw->drm->dev);
}

/**
 * struct panthor_perf_hw_memory - Memory of the firmware's ring
 */
struct panthor_perf_hw_memory {
	/** @bo: Buffer object of the ring. */
	struct panthor_kernel_bo *bo;

	/** @pages: DMA address of each page, for the synchronisation of caches. */
	dma_addr_t pages[];
};

/**
 * panthor_perf_hw_free_ring() - Free the firmware's ring, if there is one
 * @fw: Protocol state. The MCU is stopped, or was never given the ring's address.
 *
 * May sleep.
 */
void panthor_perf_hw_free_ring(struct panthor_perf_fw *fw)
{
	struct panthor_perf_hw_memory *memory = fw->memory;

	if (!memory)
		return;

	fw->memory = NULL;
	fw->ring_va = 0;
	fw->ring = NULL;
	panthor_kernel_bo_destroy(memory->bo);
	kvfree(memory);
}

/**
 * panthor_perf_hw_alloc_ring() - Allocate the firmware's ring, if there is none yet
 * @fw: Protocol state. On success, &panthor_perf_fw.ring and &panthor_perf_fw.ring_va are set. The
 *      caller holds &panthor_perf.alloc_lock.
 *
 * The mapping of the MCU is uncached and that of the CPU cached. panthor_perf_hw_sync_for_cpu() and
 * panthor_perf_hw_sync_for_device() keep them equal. On a coherent device these do nothing: panthor
 * relies on coherent accesses of the MCU there, as for the firmware's interface.
 *
 * The GPU may be suspended. May sleep and allocate: not for the suspend and reset paths.
 *
 * Return: 0 or a negative error.
 */
int panthor_perf_hw_alloc_ring(struct panthor_perf_fw *fw)
{
	const size_t size = fw->slots * fw->layout->entry_size;
	const u32 page_count = DIV_ROUND_UP(size, PAGE_SIZE);
	struct panthor_device *ptdev = device_of(fw);
	struct panthor_perf_hw_memory *memory;
	struct sg_dma_page_iter iter;
	struct sg_table *sgt;
	u32 page = 0;
	int ret;

	if (fw->ring)
		return 0;

	memory = kvzalloc(struct_size(memory, pages, page_count), GFP_KERNEL);
	if (!memory)
		return -ENOMEM;

	fw->memory = memory;
	memory->bo = panthor_kernel_bo_create(ptdev, panthor_fw_vm(ptdev), size,
					      DRM_PANTHOR_BO_WB_MMAP,
					      DRM_PANTHOR_VM_BIND_OP_MAP_NOEXEC |
					      DRM_PANTHOR_VM_BIND_OP_MAP_UNCACHED,
					      PANTHOR_VM_KERNEL_AUTO_VA, "Performance counters");
	ret = PTR_ERR_OR_ZERO(memory->bo) ?: panthor_kernel_bo_vmap(memory->bo);
	if (ret)
		goto err_free;

	/*
	 * Keep the DMA addresses: the worker synchronises page by page with them. As the hooks of
	 * suspend and reset wait for it, it must not take the reservation lock, as
	 * panthor_gem_sync() does.
	 */
	sgt = panthor_gem_get_dev_sgt(to_panthor_bo(memory->bo->obj));
	ret = PTR_ERR_OR_ZERO(sgt);
	if (ret)
		goto err_free;

	/* The object may be larger than requested. */
	for_each_sgtable_dma_page(sgt, &iter, 0) {
		if (page < page_count)
			memory->pages[page++] = sg_page_iter_dma_address(&iter);
	}

	fw->ring_va = panthor_kernel_bo_gpuva(memory->bo);
	fw->ring = memory->bo->kmap;
	return 0;

err_free:
	/* The MCU may run: it does not have the address yet. */
	panthor_perf_hw_free_ring(fw);
	return ret;
}

/* Page by page: the DMA addresses of the pages need not be contiguous. */
static void sync_ring(struct panthor_perf_fw *fw, u32 offset, u32 size,
		      void (*sync)(struct device *dev, dma_addr_t addr, size_t size,
				   enum dma_data_direction dir))
{
	while (size) {
		u32 in_page = offset_in_page(offset);
		u32 part = min_t(u32, size, PAGE_SIZE - in_page);

		sync(fw->drm->dev, fw->memory->pages[offset / PAGE_SIZE] + in_page, part,
		     DMA_BIDIRECTIONAL);
		offset += part;
		size -= part;
	}
}

/**
 * panthor_perf_hw_sync_for_cpu() - Make the firmware's writes to a part of the ring visible
 * @fw: Protocol state, with a ring.
 * @offset: Offset of the part, in bytes.
 * @size: Size of the part, in bytes.
 */
void panthor_perf_hw_sync_for_cpu(struct panthor_perf_fw *fw, u32 offset, u32 size)
{
	sync_ring(fw, offset, size, dma_sync_single_for_cpu);
}

/**
 * panthor_perf_hw_sync_for_device() - Make the CPU's writes to a part of the ring visible
 * @fw: Protocol state, with a ring.
 * @offset: Offset of the part, in bytes.
 * @size: Size of the part, in bytes.
 */
void panthor_perf_hw_sync_for_device(struct panthor_perf_fw *fw, u32 offset, u32 size)
{
	sync_ring(fw, offset, size, dma_sync_single_for_device);
}

/**
 * panthor_perf_hw_as() - Get the number of the MCU's address space, in which the ring is mapped
 * @fw: Protocol state, of a powered GPU.
 *
 * Return: Number of the address space.
 */
u32 panthor_perf_hw_as(struct panthor_perf_fw *fw)
{
	return panthor_vm_as(panthor_fw_vm(device_of(fw)));
}

/**
 * panthor_perf_hw_timestamp() - Read TIMESTAMP
 * @fw: Protocol state, of a powered GPU.
 *
 * Return: The GPU timestamp, in ticks.
 */
u64 panthor_perf_hw_timestamp(struct panthor_perf_fw *fw)
{
	return gpu_read64_counter(gpu_control(device_of(fw)), GPU_TIMESTAMP);
}

/**
 * panthor_perf_hw_cycles() - Read CYCLE_COUNT
 * @fw: Protocol state, of a powered GPU.
 *
 * Return: The GPU's cycle counter.
 */
u64 panthor_perf_hw_cycles(struct panthor_perf_fw *fw)
{
	return gpu_read64_counter(gpu_control(device_of(fw)), GPU_CYCLE_COUNT);
}

/**
 * panthor_perf_hw_doorbell() - Ring the global doorbell
 * @fw: Protocol state, of a powered GPU.
 */
void panthor_perf_hw_doorbell(struct panthor_perf_fw *fw)
{
	gpu_write(device_of(fw)->iomem, CSF_DOORBELL(CSF_GLB_DOORBELL_ID), 1);
}

/**
 * panthor_perf_hw_wait() - Sleep until acknowledges equal their requests
 * @fw: Protocol state, of a powered GPU.
 * @reqs: Request bits.
 * @timeout_ms: Longest wait, in ms.
 *
 * Return: 0 or -ETIMEDOUT.
 */
int panthor_perf_hw_wait(struct panthor_perf_fw *fw, u32 reqs, u32 timeout_ms)
{
	u32 acked;

	return panthor_fw_glb_wait_acks(device_of(fw), reqs, &acked, timeout_ms);
}
