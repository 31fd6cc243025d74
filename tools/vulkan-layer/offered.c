// SPDX-License-Identifier: GPL-2.0 or MIT
/* Copyright (c) 2026 The panthor-perf developers */

/*
 * Extensions of devices that the layer offers. In each of its modes that is one:
 *
 * VK_KHR_performance_query is the layer's own, also where a driver has it.
 *
 * VK_EXT_frame_boundary says where frames end that are not presented. It is the layer's if the
 * driver does not have it, so that an application can enable it on any driver. The driver gets none
 * of its structures then. If it turns out later that the GPU cannot be counted, only submissions
 * have them, and a driver skips what it does not know.
 */

#include <stdlib.h>
#include <string.h>

#include "create.h"
#include "layer.h"
#include "offered.h"
#include "settings.h"

static const struct offered queries = {
	{ VK_KHR_PERFORMANCE_QUERY_EXTENSION_NAME, VK_KHR_PERFORMANCE_QUERY_SPEC_VERSION },
	VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PERFORMANCE_QUERY_FEATURES_KHR,
	"VK_LAYER_PANTHOR_perf_query",
};

static const struct offered boundaries = {
	{ FRAME_BOUNDARY_EXTENSION, FRAME_BOUNDARY_VERSION },
	FRAME_BOUNDARY_FEATURES,
	"VK_LAYER_PANTHOR_perf",
};

/* That of the mode. */
static const struct offered *of_mode(void)
{
	return settings_get()->mode == MODE_QUERIES ? &queries : &boundaries;
}

/* The extensions of the driver, with room for another one. To be freed. */
static VkResult get_extensions(const struct instance *instance, VkPhysicalDevice physical,
			       VkExtensionProperties **extensions, uint32_t *count)
{
	VkResult result;

	*extensions = NULL;
	*count = 0;
	do {
		result = instance->vk.EnumerateDeviceExtensionProperties(physical, NULL, count,
									 NULL);
		if (result != VK_SUCCESS)
			return result;
		free(*extensions);
		*extensions = calloc(*count + 1, sizeof(**extensions));
		if (!*extensions)
			return VK_ERROR_OUT_OF_HOST_MEMORY;
		result = instance->vk.EnumerateDeviceExtensionProperties(physical, NULL, count,
									 *extensions);
	} while (result == VK_INCOMPLETE);
	return result;
}

static VkExtensionProperties *find(VkExtensionProperties *all, uint32_t count, const char *name)
{
	for (uint32_t i = 0; i < count; i++) {
		if (!strcmp(all[i].extensionName, name))
			return &all[i];
	}
	return NULL;
}

/** offered_by_driver() - Has the driver of a physical device an extension? */
bool offered_by_driver(const struct instance *instance, VkPhysicalDevice physical, const char *name)
{
	VkExtensionProperties *all;
	uint32_t count;
	bool has;

	has = get_extensions(instance, physical, &all, &count) == VK_SUCCESS &&
	      find(all, count, name);
	free(all);
	return has;
}

/**
 * offered_extension() - The extension that the layer offers for a physical device
 * @instance: The instance.
 * @physical: The physical device.
 *
 * Return: The extension; %NULL: there is none, because the device is not counted, or because its
 * driver has it.
 */
const struct offered *offered_extension(const struct instance *instance, VkPhysicalDevice physical)
{
	const struct offered *offered = of_mode();

	if (offered == &queries)
		return gpu_of_physical(physical) ? offered : NULL;
	/* To know more, the GPU would have to be opened before it is used. */
	if (!layer_find_gpu(instance, physical, NULL) ||
	    offered_by_driver(instance, physical, offered->properties.extensionName))
		return NULL;
	return offered;
}

/**
 * offered_enabled() - The extension that a device has of the layer
 * @instance: The instance.
 * @physical: Its physical device.
 * @info: What the application creates it with.
 *
 * Return: The extension; %NULL: none.
 */
const struct offered *offered_enabled(const struct instance *instance, VkPhysicalDevice physical,
				      const VkDeviceCreateInfo *info)
{
	if (!create_is_enabled(info, of_mode()->properties.extensionName))
		return NULL;
	return offered_extension(instance, physical);
}

static VkResult return_extensions(const VkExtensionProperties *from, uint32_t total,
				  uint32_t *count, VkExtensionProperties *to)
{
	const uint32_t room = to ? *count : total;

	*count = room < total ? room : total;
	if (to)
		memcpy(to, from, *count * sizeof(*to));
	return *count < total ? VK_INCOMPLETE : VK_SUCCESS;
}

static VKAPI_ATTR VkResult VKAPI_CALL
layer_EnumerateDeviceExtensionProperties(VkPhysicalDevice physical, const char *layer,
					 uint32_t *count, VkExtensionProperties *properties)
{
	const struct instance *instance = instance_of(physical);
	const bool own = layer && !strcmp(layer, of_mode()->layer);
	VkExtensionProperties *all, *same;
	const struct offered *offered;
	uint32_t total;
	VkResult result;

	offered = own || !layer || !*layer ? offered_extension(instance, physical) : NULL;
	if (own)
		return return_extensions(offered ? &offered->properties : NULL, !!offered, count,
					 properties);
	if (!offered)
		return instance->vk.EnumerateDeviceExtensionProperties(physical, layer, count,
								       properties);
	result = get_extensions(instance, physical, &all, &total);
	if (result == VK_SUCCESS) {
		same = find(all, total, offered->properties.extensionName);
		if (!same)
			same = &all[total++];
		*same = offered->properties;
		result = return_extensions(all, total, count, properties);
	}
	free(all);
	return result;
}

static VKAPI_ATTR void VKAPI_CALL
layer_GetPhysicalDeviceFeatures2(VkPhysicalDevice physical, VkPhysicalDeviceFeatures2 *features)
{
	const struct instance *instance = instance_of(physical);
	const VkStructureType type = of_mode()->features;
	VkBaseOutStructure *at = features->pNext;

	(instance->vk.GetPhysicalDeviceFeatures2 ? instance->vk.GetPhysicalDeviceFeatures2 :
	 instance->vk.GetPhysicalDeviceFeatures2KHR)(physical, features);
	while (at && at->sType != type)
		at = at->pNext;
	if (!at || !offered_extension(instance, physical))
		return;
	if (type == FRAME_BOUNDARY_FEATURES) {
		((struct frame_boundary_features *)at)->frameBoundary = VK_TRUE;
	} else {
		VkPhysicalDevicePerformanceQueryFeaturesKHR *own = (void *)at;

		own->performanceCounterQueryPools = VK_TRUE;
		own->performanceCounterMultipleQueryPools = VK_TRUE;
	}
}

/**
 * offered_remove() - Remove an extension from those that the driver gets
 * @info: Copied information.
 * @names: Its extensions, which may be changed.
 * @extension: The extension.
 */
void offered_remove(VkDeviceCreateInfo *info, const char **names, const char *extension)
{
	uint32_t count = 0;

	for (uint32_t i = 0; i < info->enabledExtensionCount; i++) {
		if (strcmp(names[i], extension))
			names[count++] = names[i];
	}
	info->enabledExtensionCount = count;
}

static const struct function functions[] = {
	FUNCTION(EnumerateDeviceExtensionProperties),
	FUNCTION(GetPhysicalDeviceFeatures2),
	FUNCTION_AS(GetPhysicalDeviceFeatures2KHR, GetPhysicalDeviceFeatures2),
};

/** offered_function() - The layer's function of an instance; %NULL: not here. */
PFN_vkVoidFunction offered_function(const char *name)
{
	return find_function(functions, COUNT(functions), name);
}
