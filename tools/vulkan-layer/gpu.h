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

#include "pools.h"

struct device;
struct gpu;
struct queue;

/**
 * struct semaphore_op - a semaphore that a submission waits for or signals
 */
struct semaphore_op {
	/** @semaphore: The semaphore. */
	VkSemaphore semaphore;

	/** @value: The point, if it is a timeline semaphore. */
	uint64_t value;

	/** @stages: Stages that wait, or are waited for. */
	uint64_t stages;
};

/**
 * struct work - a command buffer of a submission, or a part of one
 */
struct work {
	/** @cmd: The command buffer. */
	VkCommandBuffer cmd;

	/** @label: Its labels and name. May be %NULL. */
	char *label;

	/** @query: The query that it is, as it is submitted. */
	struct query query;

	/** @works: It has a workload. */
	bool works;

	/** @joined: The next one belongs to the same render pass. */
	bool joined;
};

/**
 * struct submission - a submission that the thread hands to the driver
 *
 * One allocation, but for the labels and queries.
 */
struct submission {
	/** @next: The next one that came. */
	struct submission *next;

	/** @queue: Its queue. */
	struct queue *queue;

	/** @profiled: It is counted. */
	bool profiled;

	/** @split: The driver must not get the application's own structures. */
	bool split;

	/** @version2: It came by vkQueueSubmit2. */
	bool version2;

	/** @frame: Its frame. */
	uint64_t frame;

	/** @label: Open labels of the queue. May be %NULL. */
	char *label;

	/** @fence: Signalled when it is done. May be %NULL. */
	VkFence fence;

	/** @waits: What it waits for. */
	struct semaphore_op *waits;

	/** @works: Its command buffers. */
	struct work *works;

	/** @signals: What it signals. */
	struct semaphore_op *signals;

	/** @query_events: What it does to queries. */
	struct query_events query_events;

	/** @wait_count: Number of @waits. */
	uint32_t wait_count;

	/** @work_count: Number of @works. */
	uint32_t work_count;

	/** @signal_count: Number of @signals. */
	uint32_t signal_count;
};

struct gpu *gpu_get(int64_t major, int64_t minor, const char *name);
struct panthor_perf_device *gpu_device(const struct gpu *gpu);
const struct panthor_perf_selection *gpu_selection(const struct gpu *gpu);
bool gpu_lock_profiling(struct gpu *gpu);
void gpu_unlock_profiling(struct gpu *gpu);
bool gpu_has_reached(const struct gpu *gpu, uint64_t point);
bool gpu_add_device(struct gpu *gpu, struct device *device);
void gpu_remove_device(struct gpu *gpu, struct device *device);

bool gpu_begin_direct(struct gpu *gpu, const struct submission *submission, bool must);
void gpu_enqueue(struct gpu *gpu, struct submission *first);
void gpu_submitted(struct gpu *gpu, const struct submission *submission);

void gpu_wait_queue(struct gpu *gpu, struct queue *queue);
void gpu_wait_device(struct gpu *gpu, struct device *device);
void gpu_wait_signal(struct gpu *gpu, struct device *device, VkSemaphore semaphore, VkFence fence);
bool gpu_wait_some(struct gpu *gpu, struct device *device);
bool gpu_is_fence_pending(struct gpu *gpu, struct device *device, VkFence fence);
bool gpu_wait_fences(struct gpu *gpu, struct device *device, const VkFence *fences, uint32_t count,
		     const struct timespec *end);

void gpu_add_semaphore(struct gpu *gpu, struct device *device, VkSemaphore handle, uint64_t value);
void gpu_remove_semaphore(struct gpu *gpu, struct device *device, VkSemaphore handle);
void gpu_share_semaphore(struct gpu *gpu, struct device *device, VkSemaphore handle, int fd);
void gpu_signalled(struct gpu *gpu, struct device *device, VkSemaphore handle, uint64_t value);

void submission_free(struct submission *submission);

#endif
