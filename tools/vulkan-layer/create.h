/* SPDX-License-Identifier: GPL-2.0 or MIT */
/* Copyright (c) 2026 The panthor-perf developers */

/* What the driver gets in vkCreateDevice. */
#ifndef VULKAN_LAYER_CREATE_H
#define VULKAN_LAYER_CREATE_H

#include <stdbool.h>

#include <vulkan/vulkan.h>

bool create_is_enabled(const VkDeviceCreateInfo *info, const char *extension);
VkResult create_profiled(PFN_vkCreateDevice create, VkPhysicalDevice physical,
			 const VkDeviceCreateInfo *info, bool queries,
			 const VkAllocationCallbacks *allocator, VkDevice *handle);

#endif
