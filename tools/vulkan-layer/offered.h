/* SPDX-License-Identifier: GPL-2.0 or MIT */
/* Copyright (c) 2026 The panthor-perf developers */

/* Extensions of devices that the layer offers. */
#ifndef VULKAN_LAYER_OFFERED_H
#define VULKAN_LAYER_OFFERED_H

#include <vulkan/vulkan.h>

void offered_remove(VkDeviceCreateInfo *info, const char **names);
PFN_vkVoidFunction offered_function(const char *name);

#endif
