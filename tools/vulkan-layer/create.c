// SPDX-License-Identifier: GPL-2.0 or MIT
/* Copyright (c) 2026 The panthor-perf developers */

/*
 * What the driver gets in vkCreateDevice.
 *
 * A device needs two things of its driver that the application may not have enabled: timeline
 * semaphores, and their export as syncobjs. The layer adds them in a copy of the structures.
 */

#include <stdlib.h>
#include <string.h>

#include <vulkan/vk_layer.h>

#include "chains.h"
#include "create.h"
#include "layer.h"
#include "offered.h"
#include "structs.h"

#define UNKNOWN_STRUCT	"a structure that the layer does not know"

static const char *const needed[] = {
	VK_KHR_TIMELINE_SEMAPHORE_EXTENSION_NAME,
	VK_KHR_EXTERNAL_SEMAPHORE_FD_EXTENSION_NAME,
};

static size_t size_of(VkStructureType type)
{
	/* The loader's own, which stand first. */
	if (type == VK_STRUCTURE_TYPE_LOADER_DEVICE_CREATE_INFO)
		return sizeof(VkLayerDeviceCreateInfo);
	return struct_size(type);
}

/**
 * create_free_chain() - Free a copy
 * @chain: The copy.
 * @end: Where it ends.
 */
void create_free_chain(void *chain, const void *end)
{
	VkBaseOutStructure *at = chain;

	while (at != end) {
		VkBaseOutStructure *next = at->pNext;

		free(at);
		at = next;
	}
}

/**
 * create_copy_chain() - Copy the structures of a chain
 * @chain: The chain.
 * @without: Type of those that are left out.
 * @end: Where the first structure is returned that was not copied: one that is not known, and what
 *	is behind it, stay those of @chain.
 *
 * Return: The copy.
 */
void *create_copy_chain(const void *chain, VkStructureType without, const void **end)
{
	const VkBaseInStructure *at = chain;
	VkBaseOutStructure *first = NULL, **link = &first;

	for (; at; at = at->pNext) {
		VkBaseOutStructure *copy;

		if (at->sType == without)
			continue;
		if (!size_of(at->sType))
			break;
		copy = malloc(size_of(at->sType));
		if (!copy)
			break;
		memcpy(copy, at, size_of(at->sType));
		*link = copy;
		link = &copy->pNext;
	}
	*link = (VkBaseOutStructure *)at;
	*end = at;
	return first;
}

/*
 * Enables timeline semaphores in the chain of @info, which is a copy up to @end. @feature is what
 * says so if there is no such structure. Fails if there is one that is not copied.
 */
static bool enable_timelines(VkDeviceCreateInfo *info,
			     VkPhysicalDeviceTimelineSemaphoreFeatures *feature, const void *end)
{
	VkPhysicalDeviceTimelineSemaphoreFeatures *timeline;
	VkPhysicalDeviceVulkan12Features *vulkan12;

	vulkan12 = (void *)chain_find(info->pNext,
				      VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_FEATURES);
	timeline = (void *)chain_find(info->pNext, feature->sType);
	if (!vulkan12 && !timeline) {
		feature->pNext = (void *)info->pNext;
		info->pNext = feature;
		return true;
	}
	if ((vulkan12 && vulkan12->timelineSemaphore) || (timeline && timeline->timelineSemaphore))
		return true;
	if (chain_find(end, vulkan12 ? vulkan12->sType : timeline->sType)) {
		say("timeline semaphores cannot be enabled behind %s (sType %d)", UNKNOWN_STRUCT,
		    ((const VkBaseInStructure *)end)->sType);
		return false;
	}
	if (vulkan12)
		vulkan12->timelineSemaphore = VK_TRUE;
	else
		timeline->timelineSemaphore = VK_TRUE;
	return true;
}

/** create_is_enabled() - Does an application enable an extension? */
bool create_is_enabled(const VkDeviceCreateInfo *info, const char *extension)
{
	for (uint32_t i = 0; i < info->enabledExtensionCount; i++) {
		if (!strcmp(info->ppEnabledExtensionNames[i], extension))
			return true;
	}
	return false;
}

/* A copy of the extensions of @info, with room for those that the layer needs. To be freed. */
static const char **copy_extensions(VkDeviceCreateInfo *info)
{
	const char **names = calloc(info->enabledExtensionCount + COUNT(needed), sizeof(*names));

	for (uint32_t i = 0; names && i < info->enabledExtensionCount; i++)
		names[i] = info->ppEnabledExtensionNames[i];
	if (names)
		info->ppEnabledExtensionNames = names;
	return names;
}

/*
 * The driver does not get an extension of the layer, with its structure: a feature that it lacks.
 * The layer cannot leave it out behind a structure of unknown size. Then the driver skips it or
 * refuses the device.
 */
static VkResult create_device(PFN_vkCreateDevice create, VkPhysicalDevice physical,
			      const VkDeviceCreateInfo *info, const struct offered *hidden,
			      bool profiled, const VkAllocationCallbacks *allocator,
			      VkDevice *handle)
{
	VkPhysicalDeviceTimelineSemaphoreFeatures feature = {
		.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_TIMELINE_SEMAPHORE_FEATURES,
		.timelineSemaphore = VK_TRUE,
	};
	const VkStructureType without = hidden ? hidden->features : VK_STRUCTURE_TYPE_MAX_ENUM;
	VkDeviceCreateInfo own = *info;
	const char **names = copy_extensions(&own);
	VkResult result = VK_ERROR_FEATURE_NOT_PRESENT;
	const void *end;
	void *chain;

	if (!names)
		return VK_ERROR_OUT_OF_HOST_MEMORY;
	chain = create_copy_chain(info->pNext, without, &end);
	own.pNext = chain;
	if (hidden)
		offered_remove(&own, names, hidden->properties.extensionName);
	for (size_t i = 0; i < COUNT(needed) && profiled; i++) {
		if (!create_is_enabled(&own, needed[i]))
			names[own.enabledExtensionCount++] = needed[i];
	}
	if (!profiled || enable_timelines(&own, &feature, end))
		result = create(physical, &own, allocator, handle);
	if (result != VK_SUCCESS && hidden && chain_find(end, without))
		say("the features of %s cannot be left out behind %s (sType %d)",
		    hidden->properties.extensionName, UNKNOWN_STRUCT,
		    ((const VkBaseInStructure *)end)->sType);
	create_free_chain(chain, end);
	free(names);
	return result;
}

/**
 * create_profiled() - Have the driver create a device that is profiled
 * @create: vkCreateDevice() of the next layer.
 * @physical: Physical device.
 * @info: What the application wants.
 * @hidden: An extension that only the layer has. May be %NULL.
 * @allocator: The application's allocator.
 * @handle: Where the device is returned.
 *
 * Return: As vkCreateDevice().
 */
VkResult create_profiled(PFN_vkCreateDevice create, VkPhysicalDevice physical,
			 const VkDeviceCreateInfo *info, const struct offered *hidden,
			 const VkAllocationCallbacks *allocator, VkDevice *handle)
{
	return create_device(create, physical, info, hidden, true, allocator, handle);
}

/**
 * create_other() - Have the driver create a device that is not profiled
 * @create: vkCreateDevice() of the next layer.
 * @physical: Physical device.
 * @info: What the application wants.
 * @hidden: An extension that only the layer has. May be %NULL: the driver gets @info as it is.
 * @allocator: The application's allocator.
 * @handle: Where the device is returned.
 *
 * Return: As vkCreateDevice().
 */
VkResult create_other(PFN_vkCreateDevice create, VkPhysicalDevice physical,
		      const VkDeviceCreateInfo *info, const struct offered *hidden,
		      const VkAllocationCallbacks *allocator, VkDevice *handle)
{
	if (!hidden)
		return create(physical, info, allocator, handle);
	return create_device(create, physical, info, hidden, false, allocator, handle);
}
