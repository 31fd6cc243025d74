/* SPDX-License-Identifier: GPL-2.0 or MIT */
/* Copyright (c) 2026 The panthor-perf developers */

/* Extensions of devices that the layer offers. */
#ifndef VULKAN_LAYER_OFFERED_H
#define VULKAN_LAYER_OFFERED_H

#include <vulkan/vulkan.h>

struct instance;

/* The oldest headers that the layer is built with lack the extension. */
#define FRAME_BOUNDARY_EXTENSION	"VK_EXT_frame_boundary"
#define FRAME_BOUNDARY_VERSION		1
#define FRAME_BOUNDARY_FEATURES		((VkStructureType)1000375000)
#define FRAME_BOUNDARY			((VkStructureType)1000375001)

/**
 * struct frame_boundary_features - VkPhysicalDeviceFrameBoundaryFeaturesEXT
 */
struct frame_boundary_features {
	/** @sType: %FRAME_BOUNDARY_FEATURES. */
	VkStructureType sType;

	/** @pNext: The next structure. */
	void *pNext;

	/** @frameBoundary: The feature. */
	VkBool32 frameBoundary;
};

/**
 * struct offered - an extension that the layer offers
 */
struct offered {
	/** @properties: Its name and version. */
	VkExtensionProperties properties;

	/** @features: Type of its structure of features. */
	VkStructureType features;

	/** @layer: Name of the layer that has it. */
	const char *layer;
};

const struct offered *offered_extension(const struct instance *instance,
					VkPhysicalDevice physical);
const struct offered *offered_enabled(const struct instance *instance, VkPhysicalDevice physical,
				      const VkDeviceCreateInfo *info);
bool offered_by_driver(const struct instance *instance, VkPhysicalDevice physical,
		       const char *name);
void offered_remove(VkDeviceCreateInfo *info, const char **names, const char *extension);
PFN_vkVoidFunction offered_function(const char *name);

#endif
