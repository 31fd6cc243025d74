// SPDX-License-Identifier: GPL-2.0 or MIT
/* Copyright (c) 2026 The panthor-perf developers */

/* Extensions of devices that the layer offers, and the driver does not have. */

#include <stdlib.h>
#include <string.h>

#include "layer.h"
#include "offered.h"
#include "settings.h"

#define EXTENSION	VK_KHR_PERFORMANCE_QUERY_EXTENSION_NAME
#define LAYER		"VK_LAYER_PANTHOR_perf_query"

/* The extensions of the driver, but for this one, and room for another one. To be freed. */
static VkResult get_extensions(const struct instance *instance, VkPhysicalDevice physical,
			       VkExtensionProperties **extensions, uint32_t *count)
{
	uint32_t all = 0, others = 0;
	VkResult result;

	*extensions = NULL;
	do {
		result = instance->vk.EnumerateDeviceExtensionProperties(physical, NULL, &all,
									 NULL);
		if (result != VK_SUCCESS)
			return result;
		free(*extensions);
		*extensions = calloc(all + 1, sizeof(**extensions));
		if (!*extensions)
			return VK_ERROR_OUT_OF_HOST_MEMORY;
		result = instance->vk.EnumerateDeviceExtensionProperties(physical, NULL, &all,
									 *extensions);
	} while (result == VK_INCOMPLETE);
	for (uint32_t i = 0; i < all; i++) {
		if (strcmp((*extensions)[i].extensionName, EXTENSION))
			(*extensions)[others++] = (*extensions)[i];
	}
	*count = others;
	return result;
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

/* A device that is counted has the extension, and no other one has it from the layer. */
static VKAPI_ATTR VkResult VKAPI_CALL
layer_EnumerateDeviceExtensionProperties(VkPhysicalDevice physical, const char *layer,
					 uint32_t *count, VkExtensionProperties *properties)
{
	static const VkExtensionProperties own = {
		EXTENSION, VK_KHR_PERFORMANCE_QUERY_SPEC_VERSION,
	};
	const struct instance *instance = instance_of(physical);
	VkExtensionProperties *all;
	uint32_t total;
	VkResult result;

	if (layer && !strcmp(layer, LAYER))
		return return_extensions(&own, !!gpu_of_physical(physical), count, properties);
	if ((layer && *layer) || !gpu_of_physical(physical))
		return instance->vk.EnumerateDeviceExtensionProperties(physical, layer, count,
								       properties);
	result = get_extensions(instance, physical, &all, &total);
	if (result == VK_SUCCESS) {
		all[total++] = own;
		result = return_extensions(all, total, count, properties);
	}
	free(all);
	return result;
}

static VKAPI_ATTR void VKAPI_CALL
layer_GetPhysicalDeviceFeatures2(VkPhysicalDevice physical, VkPhysicalDeviceFeatures2 *features)
{
	const struct instance *instance = instance_of(physical);

	(instance->vk.GetPhysicalDeviceFeatures2 ? instance->vk.GetPhysicalDeviceFeatures2 :
	 instance->vk.GetPhysicalDeviceFeatures2KHR)(physical, features);
	for (VkBaseOutStructure *at = features->pNext; at; at = at->pNext) {
		VkPhysicalDevicePerformanceQueryFeaturesKHR *own = (void *)at;

		if (at->sType != VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PERFORMANCE_QUERY_FEATURES_KHR ||
		    !gpu_of_physical(physical))
			continue;
		own->performanceCounterQueryPools = VK_TRUE;
		own->performanceCounterMultipleQueryPools = VK_TRUE;
	}
}

/**
 * offered_remove() - Remove the extension from those that the driver gets
 * @info: Copied information.
 * @names: Its extensions, which may be changed.
 */
void offered_remove(VkDeviceCreateInfo *info, const char **names)
{
	uint32_t count = 0;

	for (uint32_t i = 0; i < info->enabledExtensionCount; i++) {
		if (strcmp(names[i], EXTENSION))
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
	if (settings_get()->mode != MODE_QUERIES)
		return NULL;
	return find_function(functions, COUNT(functions), name);
}
