/* SPDX-License-Identifier: GPL-2.0 or MIT */
/* Copyright (c) 2026 The panthor-perf developers */

/* Labels and names that the application gives to command buffers and queues. */
#ifndef VULKAN_LAYER_LABELS_H
#define VULKAN_LAYER_LABELS_H

#include <vulkan/vulkan.h>

struct device;
struct queue;

char *labels_of_queue(struct queue *queue);
char *labels_of_cmd(struct device *device, VkCommandBuffer handle);

#endif
