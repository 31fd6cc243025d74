/* SPDX-License-Identifier: GPL-2.0 or MIT */
/* Copyright (c) 2026 The panthor-perf developers */

/* VK_KHR_performance_query. */
#ifndef VULKAN_LAYER_QUERIES_H
#define VULKAN_LAYER_QUERIES_H

#include <stdbool.h>

#include <vulkan/vulkan.h>

bool queries_are_wanted(const VkDeviceCreateInfo *info);
void queries_remove_extension(VkDeviceCreateInfo *info, const char **names);

#endif
