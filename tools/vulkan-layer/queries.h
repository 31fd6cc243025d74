/* SPDX-License-Identifier: GPL-2.0 or MIT */
/* Copyright (c) 2026 The panthor-perf developers */

/* VK_KHR_performance_query. */
#ifndef VULKAN_LAYER_QUERIES_H
#define VULKAN_LAYER_QUERIES_H

#include <stdbool.h>

#include <vulkan/vulkan.h>

struct device;

#define NO_SPLIT_AT_END	"its command buffer cannot be split where it ends"

bool queries_lock_profiling(struct device *device);
void queries_unlock_profiling(struct device *device);
void queries_remove_device(struct device *device);

#endif
