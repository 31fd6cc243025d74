/* SPDX-License-Identifier: GPL-2.0 or MIT */
/* Copyright (c) 2026 The panthor-perf developers */

/* Submissions as the driver gets them. */
#ifndef VULKAN_LAYER_DRIVER_H
#define VULKAN_LAYER_DRIVER_H

#include <stdbool.h>
#include <stdint.h>

#include <vulkan/vulkan.h>

struct queue;
struct semaphore_op;
struct work;

VkResult driver_submit(struct queue *queue, bool version2, const struct semaphore_op *waits,
		       uint32_t wait_count, const struct work *works, uint32_t work_count,
		       const struct semaphore_op *signals, uint32_t signal_count, VkFence fence);

#endif
