/* SPDX-License-Identifier: GPL-2.0 or MIT */
/* Copyright (c) 2026 The panthor-perf developers */

/* Performance queries, for programs that need one: a device has them with the layer that offers them, and not without. */
#ifndef TESTS_LAYER_QUERY_H
#define TESTS_LAYER_QUERY_H

#include <stdbool.h>
#include <string.h>

#include <vulkan/vulkan.h>

#include "app.h"

/**
 * struct query - a query pool of one query of one counter
 */
struct query {
	/** @offered: The device has queries; otherwise all functions here do nothing. */
	bool offered;

	/** @pool: The pool. */
	VkQueryPool pool;
};

/** query_enable() - Have a device created with queries, if there are any. Before app_device(). */
static inline bool query_enable(struct app *app)
{
	static const VkPhysicalDeviceVulkan13Features features13 = {
		.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_3_FEATURES,
		.synchronization2 = VK_TRUE,
		.dynamicRendering = VK_TRUE,
	};
	static const VkPhysicalDeviceVulkan12Features features12 = {
		.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_FEATURES,
		.pNext = (void *)&features13,
		.timelineSemaphore = VK_TRUE,
		.bufferDeviceAddress = VK_TRUE,
		.hostQueryReset = VK_TRUE,
	};
	static const VkPhysicalDevicePerformanceQueryFeaturesKHR features = {
		.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PERFORMANCE_QUERY_FEATURES_KHR,
		.pNext = (void *)&features12,
		.performanceCounterQueryPools = VK_TRUE,
	};
	static VkExtensionProperties all[512];
	uint32_t count = COUNT(all);
	uint32_t names = 0;

	need(vkEnumerateDeviceExtensionProperties(app->gpu, NULL, &count, all),
	     "vkEnumerateDeviceExtensionProperties");
	for (uint32_t i = 0; i < count; i++) {
		if (strcmp(all[i].extensionName, VK_KHR_PERFORMANCE_QUERY_EXTENSION_NAME))
			continue;
		while (app->names[names])
			names++;
		app->names[names] = VK_KHR_PERFORMANCE_QUERY_EXTENSION_NAME;
		app->features = &features;
		return true;
	}
	return false;
}

/** query_start() - Create the pool, and start counting. */
static inline struct query query_start(struct app *app, bool offered)
{
	static const uint32_t counter;
	static const VkQueryPoolPerformanceCreateInfoKHR counters = {
		.sType = VK_STRUCTURE_TYPE_QUERY_POOL_PERFORMANCE_CREATE_INFO_KHR,
		.counterIndexCount = 1,
		.pCounterIndices = &counter,
	};
	static const VkQueryPoolCreateInfo info = {
		.sType = VK_STRUCTURE_TYPE_QUERY_POOL_CREATE_INFO,
		.pNext = &counters,
		.queryType = VK_QUERY_TYPE_PERFORMANCE_QUERY_KHR,
		.queryCount = 1,
	};
	static const VkAcquireProfilingLockInfoKHR lock = {
		.sType = VK_STRUCTURE_TYPE_ACQUIRE_PROFILING_LOCK_INFO_KHR,
		.timeout = UINT64_MAX,
	};
	struct query query = { offered };
	PFN_vkAcquireProfilingLockKHR acquire;

	if (!offered)
		return query;
	acquire = (PFN_vkAcquireProfilingLockKHR)app_function(app, "vkAcquireProfilingLockKHR");
	need(acquire(app->device, &lock), "vkAcquireProfilingLockKHR");
	need(vkCreateQueryPool(app->device, &info, NULL, &query.pool), "vkCreateQueryPool");
	return query;
}

/** query_finish() - The opposite of query_start(). */
static inline void query_finish(struct app *app, struct query *query)
{
	PFN_vkReleaseProfilingLockKHR release;

	if (!query->offered)
		return;
	release = (PFN_vkReleaseProfilingLockKHR)app_function(app, "vkReleaseProfilingLockKHR");
	release(app->device);
	vkDestroyQueryPool(app->device, query->pool, NULL);
}

/** query_begin() - Reset the query, and begin it. */
static inline void query_begin(struct app *app, struct query *query, VkCommandBuffer cmd)
{
	if (!query->offered)
		return;
	vkResetQueryPool(app->device, query->pool, 0, 1);
	vkCmdBeginQuery(cmd, query->pool, 0, 0);
}

/** query_end() - End it. */
static inline void query_end(struct query *query, VkCommandBuffer cmd)
{
	if (query->offered)
		vkCmdEndQuery(cmd, query->pool, 0);
}

/**
 * query_wait() - Wait for its result
 *
 * Return: As vkGetQueryPoolResults().
 */
static inline VkResult query_wait(struct app *app, struct query *query)
{
	VkPerformanceCounterResultKHR result;

	if (!query->offered)
		return VK_SUCCESS;
	return vkGetQueryPoolResults(app->device, query->pool, 0, 1, sizeof(result), &result,
				     sizeof(result), VK_QUERY_RESULT_WAIT_BIT);
}

#endif
