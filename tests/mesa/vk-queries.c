// SPDX-License-Identifier: GPL-2.0 or MIT
/* Copyright (c) 2026 The panthor-perf developers */

/*
 * usage: vk-queries [--early]
 *
 * VK_KHR_performance_query as a program uses it: enumerates the counters, takes the profiling lock, and has queries of
 * several counters around dispatches, a render pass and a whole command buffer, the costs of which are known. An
 * occlusion query of the driver's own is beside them. With --early it also wants results before there are any,
 * which the validation layer does not like.
 */

#include <stdio.h>
#include <stdlib.h>

#include "steps.h"
#include "vk.h"

#define MAX_COUNTERS	1024
#define QUERIES		4
#define DISPATCHES	3

/* Counters of a G610, and one that is a formula. */
static const struct {
	const char *name;
	VkPerformanceCounterStorageKHR storage;
	VkPerformanceCounterUnitKHR unit;
} wanted[] = {
	{ "MaliCompQueueJob", VK_PERFORMANCE_COUNTER_STORAGE_UINT64_KHR, VK_PERFORMANCE_COUNTER_UNIT_GENERIC_KHR },
	{ "MaliNonFragWarp", VK_PERFORMANCE_COUNTER_STORAGE_UINT64_KHR, VK_PERFORMANCE_COUNTER_UNIT_GENERIC_KHR },
	{ "MaliVertQueueJob", VK_PERFORMANCE_COUNTER_STORAGE_UINT64_KHR, VK_PERFORMANCE_COUNTER_UNIT_GENERIC_KHR },
	{ "MaliGeomTrianglePrim", VK_PERFORMANCE_COUNTER_STORAGE_UINT64_KHR, VK_PERFORMANCE_COUNTER_UNIT_GENERIC_KHR },
	{ "MaliFragQueueJob", VK_PERFORMANCE_COUNTER_STORAGE_UINT64_KHR, VK_PERFORMANCE_COUNTER_UNIT_GENERIC_KHR },
	{ "MaliGPUActiveCy", VK_PERFORMANCE_COUNTER_STORAGE_UINT64_KHR, VK_PERFORMANCE_COUNTER_UNIT_CYCLES_KHR },
	{ "comp_queue_util", VK_PERFORMANCE_COUNTER_STORAGE_FLOAT64_KHR, VK_PERFORMANCE_COUNTER_UNIT_PERCENTAGE_KHR },
};

static const struct {
	const char *name;
	uint64_t costs[5];
} queries[QUERIES] = {
	{ "a dispatch", { 1, WARPS(1) } },
	{ "a render pass", { 0, 0, 1, 1, 1 } },
	{ "dispatches and a render pass", { DISPATCHES, DISPATCHES * WARPS(2), 1, 1, 1 } },
	{ "a command buffer", { 1, WARPS(5) } },
};

static VkPerformanceCounterKHR counters_of_gpu[MAX_COUNTERS];
static VkPerformanceCounterDescriptionKHR texts[MAX_COUNTERS];
static uint32_t indices[COUNT(wanted)];

#define FUNCTION(vk, name)	((PFN_vk##name)vkGetInstanceProcAddr((vk)->instance, "vk" #name))

static void enumerate(struct vk *vk)
{
	PFN_vkEnumeratePhysicalDeviceQueueFamilyPerformanceQueryCountersKHR get =
		FUNCTION(vk, EnumeratePhysicalDeviceQueueFamilyPerformanceQueryCountersKHR);
	uint32_t count = 0, few = 3;
	bool distinct = true;

	vk_check(get(vk->gpu, 0, &count, NULL, NULL), "the number of counters");
	check(count > 100 && count < MAX_COUNTERS, "there are %u counters", count);
	for (uint32_t i = 0; i < count; i++) {
		counters_of_gpu[i].sType = VK_STRUCTURE_TYPE_PERFORMANCE_COUNTER_KHR;
		texts[i].sType = VK_STRUCTURE_TYPE_PERFORMANCE_COUNTER_DESCRIPTION_KHR;
	}
	check(get(vk->gpu, 0, &few, counters_of_gpu, texts) == VK_INCOMPLETE && few == 3,
	      "room for three: three, and VK_INCOMPLETE");
	vk_check(get(vk->gpu, 0, &count, counters_of_gpu, texts), "the counters");
	for (uint32_t i = 0; i < count; i++) {
		for (uint32_t n = 0; n < i; n++)
			distinct &= strcmp(texts[i].name, texts[n].name) &&
				    memcmp(counters_of_gpu[i].uuid, counters_of_gpu[n].uuid, VK_UUID_SIZE);
		distinct &= *texts[i].name && *texts[i].description && *texts[i].category;
	}
	check(distinct, "each has a name, a category, a description and a UUID of its own");
	for (size_t i = 0; i < COUNT(wanted); i++) {
		uint32_t n = 0;

		while (n < count && strcmp(texts[n].name, wanted[i].name))
			n++;
		check(n < count && counters_of_gpu[n].storage == wanted[i].storage &&
		      counters_of_gpu[n].unit == wanted[i].unit &&
		      counters_of_gpu[n].scope == VK_PERFORMANCE_COUNTER_SCOPE_RENDER_PASS_KHR,
		      "%s is there, with its unit, storage and scope", wanted[i].name);
		indices[i] = n;
	}
}

static void check_device(struct vk *vk)
{
	VkPhysicalDevicePerformanceQueryFeaturesKHR features = {
		.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PERFORMANCE_QUERY_FEATURES_KHR,
	};
	VkPhysicalDeviceFeatures2 all = {
		.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2,
		.pNext = &features,
	};
	VkQueryPoolPerformanceCreateInfoKHR info = {
		.sType = VK_STRUCTURE_TYPE_QUERY_POOL_PERFORMANCE_CREATE_INFO_KHR,
		.counterIndexCount = COUNT(wanted),
		.pCounterIndices = indices,
	};
	VkExtensionProperties extensions[512];
	uint32_t count = COUNT(extensions), passes = 0;
	bool found = false;

	vkGetPhysicalDeviceFeatures2(vk->gpu, &all);
	check(features.performanceCounterQueryPools, "the feature is there");
	vk_check(vkEnumerateDeviceExtensionProperties(vk->gpu, NULL, &count, extensions), "the extensions");
	for (uint32_t i = 0; i < count; i++)
		found |= !strcmp(extensions[i].extensionName, VK_KHR_PERFORMANCE_QUERY_EXTENSION_NAME);
	check(found, "the extension is there");
	FUNCTION(vk, GetPhysicalDeviceQueueFamilyPerformanceQueryPassesKHR)(vk->gpu, &info, &passes);
	check(passes == 1, "one pass is enough");
}

static void begin_pass(struct vk *vk, VkCommandBuffer cmd)
{
	const VkClearValue clear = { .color.float32 = { 0, 0.5f, 1, 1 } };
	const VkRenderPassBeginInfo info = {
		.sType = VK_STRUCTURE_TYPE_RENDER_PASS_BEGIN_INFO,
		.renderPass = vk->render_pass,
		.framebuffer = vk->framebuffer,
		.renderArea = { { 0, 0 }, { TARGET_SIZE, TARGET_SIZE } },
		.clearValueCount = 1,
		.pClearValues = &clear,
	};

	vkCmdBeginRenderPass(cmd, &info, VK_SUBPASS_CONTENTS_INLINE);
}

static void draw(struct vk *vk, VkCommandBuffer cmd)
{
	begin_pass(vk, cmd);
	vkCmdBeginQuery(cmd, vk->occlusion, 0, 0);
	vkCmdDraw(cmd, 3, 1, 0, 0);
	vkCmdEndQuery(cmd, vk->occlusion, 0);
	vkCmdEndRenderPass(cmd);
}

static void bind(struct vk *vk, VkCommandBuffer cmd)
{
	vkCmdBindPipeline(cmd, VK_PIPELINE_BIND_POINT_GRAPHICS, vk->draw);
	vkCmdBindPipeline(cmd, VK_PIPELINE_BIND_POINT_COMPUTE, vk->compute);
	vkCmdBindDescriptorSets(cmd, VK_PIPELINE_BIND_POINT_COMPUTE, vk->layout, 0, 1, &vk->set, 0, NULL);
}

/* What is between the queries is in none of them. */
static void record_several(struct vk *vk, VkCommandBuffer cmd, VkQueryPool pool)
{
	bind(vk, cmd);
	vkCmdResetQueryPool(cmd, vk->occlusion, 0, 1);
	vkCmdDispatch(cmd, 7, 1, 1);
	vkCmdBeginQuery(cmd, pool, 0, 0);
	vkCmdDispatch(cmd, 1, 1, 1);
	vkCmdEndQuery(cmd, pool, 0);
	vkCmdDispatch(cmd, 7, 1, 1);
	vkCmdBeginQuery(cmd, pool, 1, 0);
	draw(vk, cmd);
	vkCmdEndQuery(cmd, pool, 1);
	vkCmdResetQueryPool(cmd, vk->occlusion, 0, 1);
	vkCmdBeginQuery(cmd, pool, 2, 0);
	for (int i = 0; i < DISPATCHES; i++)
		vkCmdDispatch(cmd, 2, 1, 1);
	draw(vk, cmd);
	vkCmdEndQuery(cmd, pool, 2);
	vkCmdDispatch(cmd, 7, 1, 1);
}

/* A command buffer of its own, as the extension has it. */
static void record_reset(struct vk *vk, VkCommandBuffer cmd, VkQueryPool pool)
{
	vkCmdResetQueryPool(cmd, pool, 0, QUERIES);
}

static void record_none(struct vk *vk, VkCommandBuffer cmd, VkQueryPool pool)
{
	bind(vk, cmd);
	vkCmdDispatch(cmd, 1, 1, 1);
}

static void record_whole(struct vk *vk, VkCommandBuffer cmd, VkQueryPool pool)
{
	vkCmdBeginQuery(cmd, pool, QUERIES - 1, 0);
	bind(vk, cmd);
	vkCmdDispatch(cmd, 5, 1, 1);
	vkCmdEndQuery(cmd, pool, QUERIES - 1);
}

static void submit(struct vk *vk, VkQueryPool pool,
		   void (*record)(struct vk *vk, VkCommandBuffer cmd, VkQueryPool pool))
{
	const VkPerformanceQuerySubmitInfoKHR pass = {
		.sType = VK_STRUCTURE_TYPE_PERFORMANCE_QUERY_SUBMIT_INFO_KHR,
	};
	VkCommandBuffer cmd = vk_begin(vk, VK_COMMAND_BUFFER_LEVEL_PRIMARY);

	record(vk, cmd, pool);
	vk_end(vk, cmd);
	vk_submit(vk, vk->queues[0], &cmd, 1, &pass, 0, NULL, 0, NULL);
}

static void check_results(struct vk *vk, VkQueryPool pool)
{
	VkPerformanceCounterResultKHR results[QUERIES][COUNT(wanted)];

	vk_check(vkGetQueryPoolResults(vk->device, pool, 0, QUERIES, sizeof(results), results,
				       sizeof(results[0]), VK_QUERY_RESULT_WAIT_BIT), "vkGetQueryPoolResults");
	for (int i = 0; i < QUERIES; i++) {
		bool right = true;

		for (size_t n = 0; n < COUNT(queries[i].costs); n++)
			right &= results[i][n].uint64 == queries[i].costs[n];
		check(right, "%s: %llu compute jobs, %llu warps, %llu vertex jobs, %llu triangles, %llu fragment jobs",
		      queries[i].name, (unsigned long long)results[i][0].uint64,
		      (unsigned long long)results[i][1].uint64, (unsigned long long)results[i][2].uint64,
		      (unsigned long long)results[i][3].uint64, (unsigned long long)results[i][4].uint64);
		check(results[i][5].uint64 > 0, "%s: %llu active cycles", queries[i].name,
		      (unsigned long long)results[i][5].uint64);
		check(results[i][6].float64 >= 0 && results[i][6].float64 <= 100 &&
		      (results[i][6].float64 > 0) == (queries[i].costs[0] > 0),
		      "%s: compute queue busy for %.3f percent", queries[i].name, results[i][6].float64);
	}
}

int main(int argc, char **argv)
{
	const VkPhysicalDevicePerformanceQueryFeaturesKHR features = {
		.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PERFORMANCE_QUERY_FEATURES_KHR,
		.performanceCounterQueryPools = VK_TRUE,
	};
	const VkQueryPoolPerformanceCreateInfoKHR counted = {
		.sType = VK_STRUCTURE_TYPE_QUERY_POOL_PERFORMANCE_CREATE_INFO_KHR,
		.counterIndexCount = COUNT(wanted),
		.pCounterIndices = indices,
	};
	const VkQueryPoolCreateInfo info = {
		.sType = VK_STRUCTURE_TYPE_QUERY_POOL_CREATE_INFO,
		.pNext = &counted,
		.queryType = VK_QUERY_TYPE_PERFORMANCE_QUERY_KHR,
		.queryCount = QUERIES,
	};
	const VkAcquireProfilingLockInfoKHR lock = {
		.sType = VK_STRUCTURE_TYPE_ACQUIRE_PROFILING_LOCK_INFO_KHR,
		.timeout = UINT64_MAX,
	};
	VkPerformanceCounterResultKHR early[COUNT(wanted)];
	PFN_vkAcquireProfilingLockKHR acquire;
	PFN_vkReleaseProfilingLockKHR release;
	struct vk vk = {
		.extension = VK_KHR_PERFORMANCE_QUERY_EXTENSION_NAME,
		.features = &features,
	};
	VkQueryPool pool;

	if (argc > 2 || (argc == 2 && strcmp(argv[1], "--early"))) {
		fprintf(stderr, "usage: vk-queries [--early]\n");
		return 2;
	}
	setlinebuf(stdout);
	vk_create_instance(&vk);
	enumerate(&vk);
	check_device(&vk);
	vk_create_device(&vk);
	acquire = (PFN_vkAcquireProfilingLockKHR)vkGetDeviceProcAddr(vk.device, "vkAcquireProfilingLockKHR");
	release = (PFN_vkReleaseProfilingLockKHR)vkGetDeviceProcAddr(vk.device, "vkReleaseProfilingLockKHR");
	for (int round = 0; round < 2; round++) {
		vk_check(acquire(vk.device, &lock), "vkAcquireProfilingLockKHR");
		vk_check(vkCreateQueryPool(vk.device, &info, NULL, &pool), "vkCreateQueryPool");
		submit(&vk, pool, record_reset);
		vk_wait(&vk);
		if (argc > 1)
			check(vkGetQueryPoolResults(vk.device, pool, 0, 1, sizeof(early), early,
						    sizeof(early), 0) == VK_NOT_READY,
			      "no result before there is one");
		submit(&vk, pool, record_several);
		submit(&vk, pool, record_whole);
		vk_wait(&vk);
		/* The samples come behind the end of the queue. */
		check_results(&vk, pool);
		/* Without a query nothing is counted. */
		submit(&vk, pool, record_none);
		vk_wait(&vk);
		vkDestroyQueryPool(vk.device, pool, NULL);
		release(vk.device);
	}
	vk_destroy_device(&vk);
	vk_destroy_instance(&vk);
	return 0;
}
