/* SPDX-License-Identifier: GPL-2.0 or MIT */
/* Copyright (c) 2026 The panthor-perf developers */

/*
 * A GPU that is profiled: its counter session, the timeline that puts work and samples in order,
 * and the thread that hands submissions to the driver.
 */
#ifndef VULKAN_LAYER_GPU_H
#define VULKAN_LAYER_GPU_H

#include <stdbool.h>
#include <stdint.h>
#include <time.h>

#include <vulkan/vulkan.h>

struct device;
struct gpu;
struct queue;
struct submission;

struct gpu *gpu_get(int64_t major, int64_t minor, const char *name);
struct panthor_perf_device *gpu_device(const struct gpu *gpu);
const struct panthor_perf_selection *gpu_selection(const struct gpu *gpu);
bool gpu_lock_profiling(struct gpu *gpu);
void gpu_unlock_profiling(struct gpu *gpu);
bool gpu_has_reached(const struct gpu *gpu, uint64_t point);
bool gpu_add_device(struct gpu *gpu, struct device *device);
void gpu_remove_device(struct gpu *gpu, struct device *device);

bool gpu_begin_direct(struct gpu *gpu, struct submission *first);
bool gpu_is_ready(struct gpu *gpu, struct submission *submission);
bool gpu_holds_work(struct gpu *gpu, const struct queue *queue, uint64_t before);
bool gpu_is_waiting(struct gpu *gpu, const struct queue *queue);
void gpu_end_direct(struct gpu *gpu, const struct submission *first, uint32_t count);
void gpu_enqueue(struct gpu *gpu, struct submission *first, uint32_t count);
void gpu_begin_call(struct gpu *gpu, struct submission *first);
void gpu_end_call(struct gpu *gpu, struct submission *first, uint32_t count, bool done);
void gpu_flush(struct gpu *gpu, const struct device *device, struct queue *queue,
	       const VkSemaphore *semaphores, uint32_t count, VkFence fence);

void gpu_wait_queue(struct gpu *gpu, struct queue *queue);
bool gpu_wait_some(struct gpu *gpu, const struct device *device);
bool gpu_is_fence_pending(struct gpu *gpu, struct device *device, VkFence fence);
bool gpu_wait_fences(struct gpu *gpu, struct device *device, const VkFence *fences, uint32_t count,
		     const struct timespec *end);

void gpu_lock(struct gpu *gpu);
void gpu_unlock(struct gpu *gpu);
void gpu_wake(struct gpu *gpu);
void gpu_changed_locked(struct gpu *gpu);
VkResult gpu_import_timeline(struct gpu *gpu, struct device *device, uint32_t syncobj,
			     VkSemaphore *semaphore);
int gpu_node(const struct gpu *gpu);

#endif
