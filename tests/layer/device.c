// SPDX-License-Identifier: GPL-2.0 or MIT
/* Copyright (c) 2026 The panthor-perf developers */

/*
 * What a device has: VK_KHR_performance_query in the layer's mode for queries, and no function without its extension. In that
 * mode a device without the extension has nothing of the layer.
 *
 * vkCreateDevice with chains that nobody may write: each structure is in memory that can only be read, and ends where this memory
 * ends. With a structure of a type that no layer knows, and features in front of it and behind it. A device is what it is without
 * the layer.
 */

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "app.h"

#define TYPE_UNKNOWN	((VkStructureType)1999999000)
#define MAX_CHAIN	8
#define MAX_EXTENSIONS	512
#define EXTENSION	VK_KHR_PERFORMANCE_QUERY_EXTENSION_NAME
#define LAYER		"VK_LAYER_PANTHOR_perf_query"

/** struct unknown - a structure of a later version of Vulkan */
struct unknown {
	/** @sType: %TYPE_UNKNOWN. */
	VkStructureType sType;

	/** @pNext: The next structure. */
	void *pNext;

	/** @values: Whatever it has. */
	uint64_t values[5];
};

/* What a chain consists of, in order. */
enum element { END, UNKNOWN, QUERIES, NO_QUERIES, FEATURES12, TIMELINE, NO_TIMELINE, FEATURES13 };

static const struct unknown unknown = { TYPE_UNKNOWN, NULL, { 1, 2, 3, 4, 5 } };
static const VkPhysicalDevicePerformanceQueryFeaturesKHR queries = {
	.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PERFORMANCE_QUERY_FEATURES_KHR,
	.performanceCounterQueryPools = VK_TRUE,
};
static const VkPhysicalDevicePerformanceQueryFeaturesKHR no_queries = {
	.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PERFORMANCE_QUERY_FEATURES_KHR,
};
/* Without timeline semaphores. */
static const VkPhysicalDeviceVulkan12Features features12 = {
	.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_FEATURES,
	.hostQueryReset = VK_TRUE,
};
static const VkPhysicalDeviceTimelineSemaphoreFeatures timeline = {
	.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_TIMELINE_SEMAPHORE_FEATURES,
	.timelineSemaphore = VK_TRUE,
};
static const VkPhysicalDeviceTimelineSemaphoreFeatures no_timeline = {
	.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_TIMELINE_SEMAPHORE_FEATURES,
};
static const VkPhysicalDeviceVulkan13Features features13 = {
	.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_3_FEATURES,
	.synchronization2 = VK_TRUE,
};

static const struct {
	const void *data;
	size_t size;
} elements[] = {
	[UNKNOWN] = { &unknown, sizeof(unknown) },
	[QUERIES] = { &queries, sizeof(queries) },
	[NO_QUERIES] = { &no_queries, sizeof(no_queries) },
	[FEATURES12] = { &features12, sizeof(features12) },
	[TIMELINE] = { &timeline, sizeof(timeline) },
	[NO_TIMELINE] = { &no_timeline, sizeof(no_timeline) },
	[FEATURES13] = { &features13, sizeof(features13) },
};

static const struct {
	const char *text;
	enum element chain[MAX_CHAIN];
} chains[] = {
	{ "no chain", { END } },
	{ "features of Vulkan 1.2", { FEATURES12 } },
	{ "timeline semaphores are enabled", { TIMELINE, FEATURES13 } },
	{ "timeline semaphores are not enabled", { FEATURES13, NO_TIMELINE } },
	{ "an unknown structure", { UNKNOWN } },
	{ "an unknown structure behind the features", { FEATURES12, UNKNOWN } },
	{ "an unknown structure before the features", { UNKNOWN, FEATURES12 } },
	{ "an unknown structure before timeline semaphores", { FEATURES13, UNKNOWN, TIMELINE } },
	{ "an unknown structure before none", { FEATURES13, UNKNOWN, NO_TIMELINE } },
};

/* Devices with VK_KHR_performance_query. */
static const struct {
	const char *text;
	enum element chain[MAX_CHAIN];
	/* The layer has to leave out what it cannot leave out, or to change what it cannot change. */
	bool may_fail;
} query_chains[] = {
	{ "queries alone", { QUERIES } },
	{ "queries first", { QUERIES, FEATURES12, FEATURES13 } },
	{ "queries in the middle", { FEATURES12, QUERIES, FEATURES13 } },
	{ "queries last", { FEATURES13, QUERIES } },
	{ "no feature", { FEATURES12 } },
	{ "queries before an unknown structure", { FEATURES13, QUERIES, UNKNOWN, TIMELINE } },
	{ "queries behind an unknown structure", { UNKNOWN, QUERIES, FEATURES13 }, true },
	{ "the feature is off behind an unknown structure", { UNKNOWN, NO_QUERIES, TIMELINE } },
	{ "no timeline semaphores behind an unknown structure", { QUERIES, UNKNOWN, FEATURES12 }, true },
};

/* The element as the last bytes of memory that cannot be written. */
static void *make(enum element element, void *next)
{
	const size_t page = sysconf(_SC_PAGESIZE), size = elements[element].size;
	char *memory = mmap(NULL, 2 * page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
	VkBaseOutStructure *made = (void *)(memory + page - size);

	if (memory == MAP_FAILED)
		abort();
	memcpy(made, elements[element].data, size);
	made->pNext = next;
	if (mprotect(memory, page, PROT_READ) || mprotect(memory + page, page, PROT_NONE))
		abort();
	return made;
}

static const void *make_chain(const enum element *chain)
{
	return *chain ? make(*chain, (void *)make_chain(chain + 1)) : NULL;
}

static bool is_whole(const void *first, const enum element *chain)
{
	const VkBaseInStructure *at = first;

	for (; *chain; chain++, at = at->pNext) {
		const size_t head = sizeof(VkBaseInStructure);

		if (!at || at->sType != *(const VkStructureType *)elements[*chain].data ||
		    memcmp((const char *)at + head, (const char *)elements[*chain].data + head,
			   elements[*chain].size - head))
			return false;
	}
	return !at;
}

static VkResult create(struct app *app, const void *chain, const char *extension)
{
	const float priority = 1;
	const VkDeviceQueueCreateInfo queue = {
		.sType = VK_STRUCTURE_TYPE_DEVICE_QUEUE_CREATE_INFO,
		.queueCount = 1,
		.pQueuePriorities = &priority,
	};
	const VkDeviceCreateInfo info = {
		.sType = VK_STRUCTURE_TYPE_DEVICE_CREATE_INFO,
		.pNext = chain,
		.queueCreateInfoCount = 1,
		.pQueueCreateInfos = &queue,
		.enabledExtensionCount = !!extension,
		.ppEnabledExtensionNames = &extension,
	};

	return vkCreateDevice(app->gpu, &info, NULL, &app->device);
}

static bool works(struct app *app)
{
	const VkFenceCreateInfo info = { .sType = VK_STRUCTURE_TYPE_FENCE_CREATE_INFO };
	VkResult result;
	VkFence fence;

	vkGetDeviceQueue(app->device, 0, 0, &app->queue);
	need(vkCreateFence(app->device, &info, NULL, &fence), "vkCreateFence");
	need(vkQueueSubmit(app->queue, 0, NULL, fence), "vkQueueSubmit");
	result = vkWaitForFences(app->device, 1, &fence, VK_TRUE, TIMEOUT_NS);
	vkDestroyFence(app->device, fence, NULL);
	return result == VK_SUCCESS;
}

static bool has_queries(struct app *app)
{
	return vkGetDeviceProcAddr(app->device, "vkAcquireProfilingLockKHR") &&
	       vkGetDeviceProcAddr(app->device, "vkReleaseProfilingLockKHR");
}

static void check_query_chain(struct app *app, size_t i)
{
	const void *chain = make_chain(query_chains[i].chain);
	VkResult result = create(app, chain, EXTENSION);
	bool right = result == VK_SUCCESS || (query_chains[i].may_fail && result == VK_ERROR_FEATURE_NOT_PRESENT);

	/* A device that was created has what it was created for. */
	if (result == VK_SUCCESS)
		right = works(app) && has_queries(app);
	right &= is_whole(chain, query_chains[i].chain);
	fprintf(stderr, "%sok %s: VkResult %d\n", right ? "" : "not ", query_chains[i].text, result);
	if (!right)
		check(false, query_chains[i].text);
	if (result == VK_SUCCESS)
		vkDestroyDevice(app->device, NULL);
}

static uint32_t count_extension(struct app *app, const char *layer)
{
	VkExtensionProperties all[MAX_EXTENSIONS];
	uint32_t count = MAX_EXTENSIONS, found = 0;

	need(vkEnumerateDeviceExtensionProperties(app->gpu, layer, &count, all),
	     "vkEnumerateDeviceExtensionProperties");
	for (uint32_t i = 0; i < count; i++)
		found += !strcmp(all[i].extensionName, EXTENSION);
	return found;
}

static void check_extension(struct app *app)
{
	const char *mode = getenv("PANTHOR_PERF_LAYER");
	const bool queries_mode = mode && !strcmp(mode, "queries");
	VkPhysicalDevicePerformanceQueryFeaturesKHR features = {
		.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PERFORMANCE_QUERY_FEATURES_KHR,
	};
	VkPhysicalDeviceFeatures2 all = {
		.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2,
		.pNext = &features,
	};
	VkExtensionProperties extensions[MAX_EXTENSIONS];
	uint32_t count = 0, few;

	check(count_extension(app, NULL) == queries_mode, "the extension is there once, for queries only");
	check(count_extension(app, LAYER) == queries_mode, "it is one of the layer");
	vkGetPhysicalDeviceFeatures2(app->gpu, &all);
	check(features.performanceCounterQueryPools == queries_mode, "so is the feature");
	need(vkEnumerateDeviceExtensionProperties(app->gpu, NULL, &count, NULL), "the number of extensions");
	few = count - 1;
	check(vkEnumerateDeviceExtensionProperties(app->gpu, NULL, &few, extensions) == VK_INCOMPLETE &&
	      few == count - 1, "room for all but one of the extensions");
	few = 0;
	check(vkEnumerateDeviceExtensionProperties(app->gpu, NULL, &few, extensions) == VK_INCOMPLETE && !few,
	      "room for none of the extensions");
}

/* Of a device without any extension that it need not have. */
static void check_functions(struct app *app)
{
	const bool offered = app_has_extension(app, EXTENSION);

	need(create(app, make_chain((enum element[]) { TIMELINE, END }), offered ? EXTENSION : NULL), "vkCreateDevice");
	check(has_queries(app) == offered, "the profiling lock is there if the extension is");
	check(!vkGetDeviceProcAddr(app->device, "vkResetQueryPoolEXT"), "no vkResetQueryPoolEXT without its extension");
	check(!vkGetDeviceProcAddr(app->device, "vkCmdBeginQueryIndexedEXT"), "no vkCmdBeginQueryIndexedEXT");
	vkDestroyDevice(app->device, NULL);
}

static bool is_of_layer(PFN_vkVoidFunction function)
{
	Dl_info info;

	return function && dladdr((void *)function, &info) &&
	       strstr(info.dli_fname, "libVkLayer_panthor_perf.so");
}

/* Calls of the application are those that the next layer gets. */
static void check_left_alone(struct app *app)
{
	static const char *const names[] = {
		"vkBeginCommandBuffer", "vkCmdDispatch", "vkCmdPipelineBarrier", "vkCreateQueryPool", "vkCreateSemaphore",
		"vkDeviceWaitIdle", "vkGetDeviceQueue", "vkGetFenceStatus", "vkQueueBindSparse", "vkQueueSubmit",
		"vkQueueSubmit2", "vkQueueWaitIdle", "vkSignalSemaphore", "vkWaitForFences", "vkWaitSemaphores",
	};
	const char *mode = getenv("PANTHOR_PERF_LAYER");
	bool own = false;

	need(create(app, NULL, NULL), "vkCreateDevice");
	for (size_t i = 0; i < COUNT(names); i++)
		own |= is_of_layer(vkGetDeviceProcAddr(app->device, names[i]));
	check(own == (mode && !strcmp(mode, "profile")), "a device without queries is left alone in the mode for queries");
	vkDestroyDevice(app->device, NULL);
}

static void check_old_version(void)
{
	struct app old = { .version = VK_API_VERSION_1_1 };

	app_instance(&old);
	need(create(&old, NULL, app_has_extension(&old, EXTENSION) ? EXTENSION : NULL), "vkCreateDevice of Vulkan 1.1");
	check(!vkGetDeviceProcAddr(old.device, "vkResetQueryPool"), "no vkResetQueryPool with Vulkan 1.1");
	vkDestroyDevice(old.device, NULL);
	vkDestroyInstance(old.instance, NULL);
}

int main(void)
{
	const char *layers = getenv("VK_INSTANCE_LAYERS");
	/* It finds structures that it does not know wrong. */
	const bool validation = layers && strstr(layers, "VK_LAYER_KHRONOS_validation");
	struct app app = { 0 };

	app_instance(&app);
	check_extension(&app);
	check_functions(&app);
	check_left_alone(&app);
	for (size_t i = 0; i < COUNT(chains) && !validation; i++) {
		const void *chain = make_chain(chains[i].chain);
		VkResult result = create(&app, chain, NULL);

		check(result == VK_SUCCESS && works(&app) && is_whole(chain, chains[i].chain), chains[i].text);
		if (result == VK_SUCCESS)
			vkDestroyDevice(app.device, NULL);
	}
	for (size_t i = 0; i < COUNT(query_chains) && !validation && app_has_extension(&app, EXTENSION); i++)
		check_query_chain(&app, i);
	vkDestroyInstance(app.instance, NULL);
	check_old_version();
	return 0;
}
