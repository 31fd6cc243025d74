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

#include "create.h"
#include "layer.h"
#include "offered.h"
#include "structs.h"

#define UNKNOWN_STRUCT	"a structure that the layer does not know"

/* What Vulkan's chains consist of. */
static const VkBaseInStructure *find_struct(const void *chain, VkStructureType type)
{
	const VkBaseInStructure *at = chain;

	while (at && at->sType != type)
		at = at->pNext;
	return at;
}

static void free_chain(void *chain, const void *end)
{
	VkBaseOutStructure *at = chain;

	while (at != end) {
		VkBaseOutStructure *next = at->pNext;

		free(at);
		at = next;
	}
}

static size_t size_of(VkStructureType type)
{
	/* The loader's own, which stand first. */
	if (type == VK_STRUCTURE_TYPE_LOADER_DEVICE_CREATE_INFO)
		return sizeof(VkLayerDeviceCreateInfo);
	return struct_size(type);
}

/*
 * Copies the structures of a chain up to the first one that is not known; the rest is that of
 * @chain. Those of type @without are left out of the copy. *@end is the first structure that was
 * not copied.
 */
static void *copy_chain(const void *chain, VkStructureType without, const void **end)
{
	const VkBaseInStructure *at = chain;
	VkBaseOutStructure *first = NULL, **link = &first;

	for (; at && size_of(at->sType); at = at->pNext) {
		VkBaseOutStructure *copy;

		if (at->sType == without)
			continue;
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

	vulkan12 = (void *)find_struct(info->pNext,
				       VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_FEATURES);
	timeline = (void *)find_struct(info->pNext, feature->sType);
	if (!vulkan12 && !timeline) {
		feature->pNext = (void *)info->pNext;
		info->pNext = feature;
		return true;
	}
	if ((vulkan12 && vulkan12->timelineSemaphore) || (timeline && timeline->timelineSemaphore))
		return true;
	if (find_struct(end, vulkan12 ? vulkan12->sType : timeline->sType)) {
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

/* The extensions of @info, and those that the layer needs. To be freed. */
static const char **add_extensions(VkDeviceCreateInfo *info)
{
	static const char *const needed[] = {
		VK_KHR_TIMELINE_SEMAPHORE_EXTENSION_NAME,
		VK_KHR_EXTERNAL_SEMAPHORE_FD_EXTENSION_NAME,
	};
	uint32_t count = info->enabledExtensionCount;
	const char **names = calloc(count + COUNT(needed), sizeof(*names));

	if (!names)
		return NULL;
	for (uint32_t i = 0; i < count; i++)
		names[i] = info->ppEnabledExtensionNames[i];
	for (size_t i = 0; i < COUNT(needed); i++) {
		if (!create_is_enabled(info, needed[i]))
			names[count++] = needed[i];
	}
	info->ppEnabledExtensionNames = names;
	info->enabledExtensionCount = count;
	return names;
}

/**
 * create_profiled() - Have the driver create a device that is profiled
 * @create: vkCreateDevice() of the next layer.
 * @physical: Physical device.
 * @info: What the application wants.
 * @queries: The device has VK_KHR_performance_query.
 * @allocator: The application's allocator.
 * @handle: Where the device is returned.
 *
 * The driver does not get the structure of queries, a feature that it lacks. The layer cannot leave
 * it out behind a structure of unknown size. Then the driver skips it or refuses the device.
 *
 * Return: As vkCreateDevice().
 */
VkResult create_profiled(PFN_vkCreateDevice create, VkPhysicalDevice physical,
			 const VkDeviceCreateInfo *info, bool queries,
			 const VkAllocationCallbacks *allocator, VkDevice *handle)
{
	VkPhysicalDeviceTimelineSemaphoreFeatures feature = {
		.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_TIMELINE_SEMAPHORE_FEATURES,
		.timelineSemaphore = VK_TRUE,
	};
	const VkStructureType of_queries =
		VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PERFORMANCE_QUERY_FEATURES_KHR;
	VkDeviceCreateInfo own = *info;
	const char **names = add_extensions(&own);
	VkResult result = VK_ERROR_FEATURE_NOT_PRESENT;
	const void *end;
	void *chain;

	if (!names)
		return VK_ERROR_OUT_OF_HOST_MEMORY;
	chain = copy_chain(info->pNext, queries ? of_queries : VK_STRUCTURE_TYPE_MAX_ENUM, &end);
	own.pNext = chain;
	if (queries)
		offered_remove(&own, names);
	if (enable_timelines(&own, &feature, end))
		result = create(physical, &own, allocator, handle);
	if (result != VK_SUCCESS && queries && find_struct(end, of_queries))
		say("%s cannot be left out behind %s (sType %d)",
		    "VkPhysicalDevicePerformanceQueryFeaturesKHR", UNKNOWN_STRUCT,
		    ((const VkBaseInStructure *)end)->sType);
	free_chain(chain, end);
	free(names);
	return result;
}
