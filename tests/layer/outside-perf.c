// SPDX-License-Identifier: GPL-2.0 or MIT
/* Copyright (c) 2026 The panthor-perf developers */

/*
 * VK_KHR_performance_query as the examples of Khronos use it, if the device has it: counters of the host, passes, the profiling
 * lock, queries around dispatches, passes and whole command buffers, several pools, resets by the host and by other command
 * buffers, results with and without a wait. Without the extension, the same work without queries.
 */

#include <stdio.h>
#include <stdlib.h>

#include "outside.h"

#define MAX_COUNTERS	512
#define MAX_PASSES	8

struct perf {
	struct app app;
	struct buffer words;
	struct buffer results;
	struct target target;
	VkPipeline mixer;
	VkPipeline draw;
	bool offered;
	uint32_t count;
	VkPerformanceCounterKHR counters[MAX_COUNTERS];
	uint32_t passes;
	VkQueryPool pools[2];
	VkQueryPool times;
	uint32_t numbers[2][2];
	uint32_t expected;
};

/* Whether @right, if there are queries. */
static void expect(struct perf *perf, bool right, const char *text)
{
	check(!perf->offered || right, text);
}

/* The count of extensions changes with the layer, but not how they are enumerated. */
static void enumerate(struct perf *perf)
{
	VkExtensionProperties all[512];
	uint32_t count = 0, less, more = COUNT(all);
	VkPhysicalDevice gpu = perf->app.gpu;
	bool found = false;

	need(vkEnumerateDeviceExtensionProperties(gpu, NULL, &count, NULL), "extensions");
	less = count - 1;
	check(vkEnumerateDeviceExtensionProperties(gpu, NULL, &less, all) == VK_INCOMPLETE &&
	      less == count - 1, "one extension less");
	less = 0;
	check(vkEnumerateDeviceExtensionProperties(gpu, NULL, &less, all) == VK_INCOMPLETE &&
	      !less, "no extension");
	check(vkEnumerateDeviceExtensionProperties(gpu, NULL, &more, all) == VK_SUCCESS &&
	      more == count, "all extensions");
	for (uint32_t i = 0; i < more; i++) {
		for (uint32_t j = 0; j < i; j++)
			if (!strcmp(all[i].extensionName, all[j].extensionName))
				check(false, "an extension twice");
		if (!strcmp(all[i].extensionName, VK_KHR_PERFORMANCE_QUERY_EXTENSION_NAME))
			found = true;
	}
	perf->offered = found;
}

static void features(struct perf *perf)
{
	VkPhysicalDevicePerformanceQueryFeaturesKHR performance = {
		.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PERFORMANCE_QUERY_FEATURES_KHR,
	};
	VkPhysicalDeviceVulkan12Features features12 = {
		.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_FEATURES,
		.pNext = perf->offered ? &performance : NULL,
	};
	VkPhysicalDeviceFeatures2 all = {
		.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2,
		.pNext = &features12,
	};
	VkPhysicalDevicePerformanceQueryPropertiesKHR properties = {
		.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PERFORMANCE_QUERY_PROPERTIES_KHR,
		.allowCommandBufferQueryCopies = 7,
	};
	VkPhysicalDeviceProperties2 properties2 = {
		.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PROPERTIES_2,
		.pNext = perf->offered ? &properties : NULL,
	};

	vkGetPhysicalDeviceFeatures2(perf->app.gpu, &all);
	vkGetPhysicalDeviceProperties2(perf->app.gpu, &properties2);
	check(features12.timelineSemaphore, "a feature before those of queries");
	expect(perf, performance.performanceCounterQueryPools, "performanceCounterQueryPools");
	expect(perf, properties.allowCommandBufferQueryCopies <= 1, "a property is a boolean");
}

/* What only a device with queries can print, it prints only if it is wrong. */
static void only_wrong(bool right, const char *text)
{
	if (!right)
		check(false, text);
}

static void enumerate_counters(struct perf *perf)
{
	PFN_vkEnumeratePhysicalDeviceQueueFamilyPerformanceQueryCountersKHR enumerate_them =
		(void *)vkGetInstanceProcAddr(perf->app.instance,
			"vkEnumeratePhysicalDeviceQueueFamilyPerformanceQueryCountersKHR");
	static VkPerformanceCounterDescriptionKHR descriptions[MAX_COUNTERS];
	VkPhysicalDevice gpu = perf->app.gpu;
	uint32_t count = 0, less;
	bool named = true, unique = true;

	need(enumerate_them(gpu, 0, &count, NULL, NULL), "counters");
	only_wrong(count > 1 && count < MAX_COUNTERS, "the number of counters");
	for (uint32_t i = 0; i < MAX_COUNTERS; i++) {
		perf->counters[i].sType = VK_STRUCTURE_TYPE_PERFORMANCE_COUNTER_KHR;
		descriptions[i].sType = VK_STRUCTURE_TYPE_PERFORMANCE_COUNTER_DESCRIPTION_KHR;
	}
	less = count - 1;
	only_wrong(enumerate_them(gpu, 0, &less, perf->counters, descriptions) == VK_INCOMPLETE &&
	      less == count - 1, "one counter less");
	perf->count = MAX_COUNTERS;
	need(enumerate_them(gpu, 0, &perf->count, perf->counters, descriptions), "counters");
	only_wrong(perf->count == count, "all counters");
	for (uint32_t i = 0; i < count; i++) {
		named &= descriptions[i].name[0] && descriptions[i].category[0] &&
			 strlen(descriptions[i].description) < VK_MAX_DESCRIPTION_SIZE;
		for (uint32_t j = 0; j < i; j++)
			unique &= !!memcmp(perf->counters[i].uuid, perf->counters[j].uuid,
					   VK_UUID_SIZE);
	}
	only_wrong(named, "names of counters");
	only_wrong(unique, "each counter has a UUID of its own");
}

static void create_pools(struct perf *perf)
{
	PFN_vkGetPhysicalDeviceQueueFamilyPerformanceQueryPassesKHR passes_of =
		(void *)vkGetInstanceProcAddr(perf->app.instance,
			"vkGetPhysicalDeviceQueueFamilyPerformanceQueryPassesKHR");
	const VkAcquireProfilingLockInfoKHR lock = {
		.sType = VK_STRUCTURE_TYPE_ACQUIRE_PROFILING_LOCK_INFO_KHR,
		.timeout = UINT64_MAX,
	};
	struct app *app = &perf->app;
	uint32_t found = 0, passes;

	/* Each pool has two integers, the second one those of the first one in the opposite order. */
	for (uint32_t i = 0; i < perf->count && found < 2; i++)
		if (perf->counters[i].storage == VK_PERFORMANCE_COUNTER_STORAGE_UINT64_KHR)
			perf->numbers[0][found++] = i;
	only_wrong(found == 2, "two integers");
	perf->numbers[1][0] = perf->numbers[0][1];
	perf->numbers[1][1] = perf->numbers[0][0];
	for (uint32_t i = 0; i < 2; i++) {
		const VkQueryPoolPerformanceCreateInfoKHR performance = {
			.sType = VK_STRUCTURE_TYPE_QUERY_POOL_PERFORMANCE_CREATE_INFO_KHR,
			.counterIndexCount = 2,
			.pCounterIndices = perf->numbers[i],
		};
		const VkQueryPoolCreateInfo info = {
			.sType = VK_STRUCTURE_TYPE_QUERY_POOL_CREATE_INFO,
			.pNext = &performance,
			.queryType = VK_QUERY_TYPE_PERFORMANCE_QUERY_KHR,
			.queryCount = 4,
		};

		passes_of(app->gpu, &performance, &passes);
		only_wrong(passes >= 1 && passes <= MAX_PASSES, "passes");
		perf->passes = passes > perf->passes ? passes : perf->passes;
		need(vkCreateQueryPool(app->device, &info, NULL, &perf->pools[i]), "a pool");
	}
	need(FUNCTION(app, vkAcquireProfilingLockKHR)(app->device, &lock), "the profiling lock");
}

static void query(struct perf *perf, VkCommandBuffer cmd, uint32_t pool, uint32_t number, bool ends)
{
	if (perf->offered && ends)
		vkCmdEndQuery(cmd, perf->pools[pool], number);
	else if (perf->offered)
		vkCmdBeginQuery(cmd, perf->pools[pool], number, 0);
}

static void mix(struct perf *perf, VkCommandBuffer cmd, uint32_t value)
{
	app_barrier(cmd);
	app_write(&perf->app, cmd, perf->mixer, &perf->words, 0, value);
	app_barrier(cmd);
}

static void pass(struct perf *perf, VkCommandBuffer cmd)
{
	vkCmdPushConstants(cmd, perf->app.layout, VK_SHADER_STAGE_ALL, 0, 16,
			   (float[4]) { 1, 0, 0, 1 });
	app_begin_rendering(&perf->app, cmd, &perf->target, 0);
	vkCmdDraw(cmd, 3, 1, 0, 0);
	vkCmdEndRendering(cmd);
	copy_row(cmd, &perf->target, &perf->results, 0);
}

/* Queries 0 to 2 of a pool: a dispatch, a pass with state from before it, and all between two transfers. */
static VkCommandBuffer record(struct perf *perf, uint32_t pool)
{
	VkCommandBuffer cmd = app_begin(&perf->app);

	vkCmdSetViewport(cmd, 0, 1, &(VkViewport) { 0, 0, SIZE, SIZE, 0, 1 });
	vkCmdSetScissor(cmd, 0, 1, &(VkRect2D) { { 0, 0 }, { SIZE / 2, SIZE } });
	vkCmdBindPipeline(cmd, VK_PIPELINE_BIND_POINT_GRAPHICS, perf->draw);
	query(perf, cmd, pool, 0, false);
	mix(perf, cmd, 1);
	query(perf, cmd, pool, 0, true);
	mix(perf, cmd, 2);
	query(perf, cmd, pool, 1, false);
	pass(perf, cmd);
	query(perf, cmd, pool, 1, true);
	query(perf, cmd, pool, 2, false);
	vkCmdFillBuffer(cmd, perf->results.buffer, 1024, 256, 7);
	mix(perf, cmd, 3);
	vkCmdDispatch(cmd, PART, 1, 1);
	pass(perf, cmd);
	query(perf, cmd, pool, 2, true);
	vkCmdResetQueryPool(cmd, perf->times, pool, 1);
	vkCmdWriteTimestamp2(cmd, VK_PIPELINE_STAGE_2_ALL_COMMANDS_BIT, perf->times, pool);
	mix(perf, cmd, 4);
	to_host(cmd);
	app_end(cmd);
	return cmd;
}

/* The last query is all of a command buffer. */
static VkCommandBuffer record_whole(struct perf *perf, uint32_t pool)
{
	VkCommandBuffer cmd = app_begin(&perf->app);

	query(perf, cmd, pool, 3, false);
	mix(perf, cmd, 5);
	query(perf, cmd, pool, 3, true);
	to_host(cmd);
	app_end(cmd);
	return cmd;
}

/* A submission for each pass, both command buffers in one element. */
static void submit(struct perf *perf, const VkCommandBuffer *cmds, uint32_t count, VkFence fence)
{
	for (uint32_t i = 0; i < perf->passes; i++) {
		const VkPerformanceQuerySubmitInfoKHR performance = {
			.sType = VK_STRUCTURE_TYPE_PERFORMANCE_QUERY_SUBMIT_INFO_KHR,
			.counterPassIndex = i,
		};
		const VkSubmitInfo info = {
			.sType = VK_STRUCTURE_TYPE_SUBMIT_INFO,
			.pNext = perf->offered ? &performance : NULL,
			.commandBufferCount = count,
			.pCommandBuffers = cmds,
		};

		need(vkQueueSubmit(perf->app.queue, 1, &info,
				   i == perf->passes - 1 ? fence : VK_NULL_HANDLE),
		     "vkQueueSubmit");
	}
}

static void verify(struct perf *perf, const char *text)
{
	for (uint32_t i = 0; i < perf->passes; i++) {
		const uint32_t values[] = { 1, 2, 3, 3, 4, 5 };

		for (uint32_t j = 0; j < COUNT(values); j++)
			perf->expected = MIX(perf->expected, values[j]);
	}
	check_words(perf->words.words, PART, perf->expected, text);
	check_words(perf->results.words, SIZE / 2, 0xff0000ff, "drawn");
	check_words(perf->results.words + SIZE / 2, SIZE / 2, 0, "not drawn");
	check_words(perf->results.words + 256, PART, 7, "filled");
}

static VkResult results(struct perf *perf, uint32_t pool, VkPerformanceCounterResultKHR *values,
			VkQueryResultFlags flags)
{
	const VkDeviceSize stride = 2 * sizeof(*values);

	if (!perf->offered)
		return VK_SUCCESS;
	return vkGetQueryPoolResults(perf->app.device, perf->pools[pool], 0, 4, 4 * stride, values,
				     stride, flags);
}

static void reset(struct perf *perf, uint32_t pool, VkCommandBuffer cmd)
{
	if (perf->offered && cmd)
		vkCmdResetQueryPool(cmd, perf->pools[pool], 0, 4);
	else if (perf->offered)
		vkResetQueryPool(perf->app.device, perf->pools[pool], 0, 4);
}

static void run(struct perf *perf, uint32_t pool, const char *text)
{
	const VkCommandBuffer cmds[] = { record(perf, pool), record_whole(perf, pool) };
	VkPerformanceCounterResultKHR values[8] = { 0 }, again[8] = { 0 };
	struct app *app = &perf->app;
	VkFence fence = new_fence(app, 0);
	VkCommandBuffer other;
	bool fewer = true;
	uint64_t time;

	for (uint32_t i = 0; i < 3; i++) {
		/* Reset by the host, then by a command buffer before. */
		if (i < 2) {
			reset(perf, pool, NULL);
			expect(perf, results(perf, pool, values, 0) == VK_NOT_READY,
			       "no results behind a reset");
		} else {
			other = app_begin(app);
			reset(perf, pool, other);
			app_run(app, other);
			expect(perf, results(perf, pool, values, 0) == VK_NOT_READY,
			       "no results behind a reset by the device");
		}
		vkResetQueryPool(app->device, perf->times, pool, 1);
		submit(perf, cmds, 2, fence);
		/* Another kind of query in the same command buffer: for the first time, this is the wait. */
		if (!i)
			check(!vkGetQueryPoolResults(app->device, perf->times, pool, 1, 8, &time, 8,
						     VK_QUERY_RESULT_64_BIT |
						     VK_QUERY_RESULT_WAIT_BIT) && time, "a time");
		if (i == 2)
			need(vkWaitForFences(app->device, 1, &fence, VK_TRUE, TIMEOUT_NS),
			     "vkWaitForFences");
		/* For the second time, this is the wait. */
		expect(perf, !results(perf, pool, values, VK_QUERY_RESULT_WAIT_BIT), "results");
		expect(perf, !results(perf, pool, again, 0), "the same results again");
		expect(perf, !memcmp(values, again, sizeof(values)), "results do not change");
		need(vkWaitForFences(app->device, 1, &fence, VK_TRUE, TIMEOUT_NS),
		     "vkWaitForFences");
		need(vkResetFences(app->device, 1, &fence), "vkResetFences");
		for (uint32_t j = 0; j < 8; j++)
			fewer &= values[j].uint64 < UINT64_C(1) << 48;
		verify(perf, text);
	}
	expect(perf, fewer, "counts are differences");
	vkFreeCommandBuffers(app->device, app->pool, 2, cmds);
	vkDestroyFence(app->device, fence, NULL);
}

/* Both pools in one submission, in command buffers of their own. */
static void both(struct perf *perf)
{
	VkCommandBuffer cmds[] = { record(perf, 0), record_whole(perf, 0), record(perf, 1),
				   record_whole(perf, 1) };
	VkPerformanceCounterResultKHR values[2][8];
	const uint32_t mixed[] = { 1, 2, 3, 3, 4, 5 };
	struct app *app = &perf->app;

	memset(values, 0, sizeof(values));
	reset(perf, 0, NULL);
	reset(perf, 1, NULL);
	submit(perf, cmds, COUNT(cmds), VK_NULL_HANDLE);
	for (uint32_t i = 0; i < 2; i++)
		expect(perf, !results(perf, 1 - i, values[1 - i], VK_QUERY_RESULT_WAIT_BIT),
		       "results of two pools");
	need(vkQueueWaitIdle(app->queue), "vkQueueWaitIdle");
	for (uint32_t i = 0; i < perf->passes; i++)
		for (uint32_t j = 0; j < COUNT(mixed); j++)
			perf->expected = MIX(perf->expected, mixed[j]);
	verify(perf, "two pools");
	vkFreeCommandBuffers(app->device, app->pool, COUNT(cmds), cmds);
}

/* Queries that are begun, but not submitted, and a pool that is destroyed with results. */
static void unused(struct perf *perf)
{
	VkPerformanceCounterResultKHR values[8] = { 0 };
	VkCommandBuffer cmd;

	reset(perf, 0, NULL);
	cmd = record(perf, 0);
	expect(perf, results(perf, 0, values, 0) == VK_NOT_READY, "recorded only");
	vkFreeCommandBuffers(perf->app.device, perf->app.pool, 1, &cmd);
	cmd = app_begin(&perf->app);
	query(perf, cmd, 0, 0, false);
	mix(perf, cmd, 1);
	need(vkResetCommandBuffer(cmd, 0), "vkResetCommandBuffer");
	expect(perf, results(perf, 0, values, 0) == VK_NOT_READY, "not even recorded");
	vkFreeCommandBuffers(perf->app.device, perf->app.pool, 1, &cmd);
}

int main(void)
{
	static struct perf perf;
	VkPhysicalDevicePerformanceQueryFeaturesKHR performance = {
		.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PERFORMANCE_QUERY_FEATURES_KHR,
		.performanceCounterQueryPools = VK_TRUE,
	};
	VkPhysicalDeviceVulkan13Features features13 = {
		.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_3_FEATURES,
		.synchronization2 = VK_TRUE,
		.dynamicRendering = VK_TRUE,
	};
	const VkQueryPoolCreateInfo times = {
		.sType = VK_STRUCTURE_TYPE_QUERY_POOL_CREATE_INFO,
		.queryType = VK_QUERY_TYPE_TIMESTAMP,
		.queryCount = 2,
	};
	const VkPhysicalDeviceVulkan12Features features12 = {
		.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_FEATURES,
		.pNext = &features13,
		.timelineSemaphore = VK_TRUE,
		.hostQueryReset = VK_TRUE,
	};
	struct app *app = &perf.app;

	app->features = &features12;
	perf.passes = 1;
	app_instance(app);
	enumerate(&perf);
	features(&perf);
	if (perf.offered) {
		features13.pNext = &performance;
		app->names[0] = VK_KHR_PERFORMANCE_QUERY_EXTENSION_NAME;
	}
	app_device(app);
	if (perf.offered) {
		enumerate_counters(&perf);
		create_pools(&perf);
	}
	need(vkCreateQueryPool(app->device, &times, NULL, &perf.times), "vkCreateQueryPool");
	perf.words = app_buffer(app);
	perf.results = app_buffer(app);
	perf.target = app_target(app);
	perf.mixer = new_mixer(app);
	perf.draw = app_draw(app, NULL, 0);
	run(&perf, 0, "the first pool");
	run(&perf, 1, "the second pool");
	both(&perf);
	unused(&perf);
	if (perf.offered)
		FUNCTION(app, vkReleaseProfilingLockKHR)(app->device);
	for (uint32_t i = 0; i < 2; i++)
		vkDestroyQueryPool(app->device, perf.pools[i], NULL);
	vkDestroyQueryPool(app->device, perf.times, NULL);
	vkDestroyPipeline(app->device, perf.mixer, NULL);
	vkDestroyPipeline(app->device, perf.draw, NULL);
	app_free_target(app, &perf.target);
	app_free_buffer(app, &perf.words);
	app_free_buffer(app, &perf.results);
	app_finish(app);
	return 0;
}
