/* SPDX-License-Identifier: GPL-2.0 or MIT */
/* Copyright (c) 2026 The panthor-perf developers */

/* What the driver gets in vkCreateDevice. */
#ifndef VULKAN_LAYER_CREATE_H
#define VULKAN_LAYER_CREATE_H

#include <stdbool.h>

#include <vulkan/vulkan.h>

struct offered;

bool create_is_enabled(const VkDeviceCreateInfo *info, const char *extension);
VkResult create_profiled(PFN_vkCreateDevice create, VkPhysicalDevice physical,
			 const VkDeviceCreateInfo *info, const struct offered *hidden,
			 const VkAllocationCallbacks *allocator, VkDevice *handle);
VkResult create_other(PFN_vkCreateDevice create, VkPhysicalDevice physical,
		      const VkDeviceCreateInfo *info, const struct offered *hidden,
		      const VkAllocationCallbacks *allocator, VkDevice *handle);

void *create_copy_chain(const void *chain, VkStructureType without, const void **end);
void create_free_chain(void *chain, const void *end);

#endif
