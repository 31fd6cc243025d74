// SPDX-License-Identifier: GPL-2.0 or MIT
/* Copyright (c) 2026 The panthor-perf developers */

/*
 * Calls of VK_KHR_performance_query and of panthor_perf_vulkan.h with what is not there, and samples that cannot be counted:
 * each has an error or no effect, and what comes behind it works.
 */

#include <stdio.h>
#include <stdlib.h>
#include <time.h>

#include "app.h"
#include "panthor_perf_vulkan.h"

#define FAR		1000000
#define NOBODY		((struct VkPerfSessionPANTHOR *)(uintptr_t)0x7012)

struct test {
	struct app app;
	struct buffer buffer;
	VkPipeline writer;
};

static PFN_vkGetPerfPropertiesPANTHOR get_properties;
static PFN_vkGetPerfClocksPANTHOR get_clocks;
static PFN_vkCreatePerfSessionPANTHOR create_session;
static PFN_vkDestroyPerfSessionPANTHOR destroy_session;
static PFN_vkResetPerfSessionPANTHOR reset_session;
static PFN_vkCmdBeginPerfSamplePANTHOR begin_sample;
static PFN_vkCmdEndPerfSamplePANTHOR end_sample;
static PFN_vkCmdCopyPerfSessionResultsPANTHOR copy_results;
static PFN_vkGetPerfSessionStatusPANTHOR get_status;
static PFN_vkGetPerfSessionResultsPANTHOR get_results;

static void find_functions(struct test *test)
{
#define FIND(pointer, name)	pointer = (PFN_vk##name)app_function(&test->app, "vk" #name)
	FIND(get_properties, GetPerfPropertiesPANTHOR);
	FIND(get_clocks, GetPerfClocksPANTHOR);
	FIND(create_session, CreatePerfSessionPANTHOR);
	FIND(destroy_session, DestroyPerfSessionPANTHOR);
	FIND(reset_session, ResetPerfSessionPANTHOR);
	FIND(begin_sample, CmdBeginPerfSamplePANTHOR);
	FIND(end_sample, CmdEndPerfSamplePANTHOR);
	FIND(copy_results, CmdCopyPerfSessionResultsPANTHOR);
	FIND(get_status, GetPerfSessionStatusPANTHOR);
	FIND(get_results, GetPerfSessionResultsPANTHOR);
#undef FIND
}

static void write(struct test *test, VkCommandBuffer cmd, uint32_t value)
{
	app_write(&test->app, cmd, test->writer, &test->buffer, 0, value);
	app_barrier(cmd);
}

/* ---- Queries ---- */

static VkResult create_pool(struct test *test, uint32_t family, uint32_t counter, VkQueryPool *pool)
{
	const VkQueryPoolPerformanceCreateInfoKHR counters = {
		.sType = VK_STRUCTURE_TYPE_QUERY_POOL_PERFORMANCE_CREATE_INFO_KHR,
		.queueFamilyIndex = family,
		.counterIndexCount = 1,
		.pCounterIndices = &counter,
	};
	const VkQueryPoolCreateInfo info = {
		.sType = VK_STRUCTURE_TYPE_QUERY_POOL_CREATE_INFO,
		.pNext = &counters,
		.queryType = VK_QUERY_TYPE_PERFORMANCE_QUERY_KHR,
		.queryCount = 4,
	};

	return vkCreateQueryPool(test->app.device, &info, NULL, pool);
}

static VkResult read_results(struct test *test, VkQueryPool pool, uint32_t first, uint32_t count,
			     size_t size)
{
	VkPerformanceCounterResultKHR values[8];

	return vkGetQueryPoolResults(test->app.device, pool, first, count, size, values,
				     sizeof(values[0]), VK_QUERY_RESULT_WAIT_BIT);
}

static void check_queries(struct test *test)
{
	const size_t size = sizeof(VkPerformanceCounterResultKHR);
	VkQueryPool pool, none;
	VkCommandBuffer cmd;

	check(create_pool(test, 0, FAR, &none) < 0, "a counter that is not there");
	check(create_pool(test, 0, UINT32_MAX, &none) < 0, "the last counter of all");
	check(create_pool(test, FAR, 0, &none) < 0, "a queue family that is not there");
	need(create_pool(test, 0, 0, &pool), "vkCreateQueryPool");
	cmd = app_begin(&test->app);
	vkCmdResetQueryPool(cmd, pool, 2, FAR);
	vkCmdBeginQuery(cmd, pool, FAR, 0);
	vkCmdEndQuery(cmd, pool, FAR);
	vkCmdEndQuery(cmd, pool, 0);
	vkCmdBeginQuery(cmd, pool, 0, 0);
	write(test, cmd, 1);
	vkCmdEndQuery(cmd, pool, 1);
	vkCmdEndQuery(cmd, pool, 0);
	vkCmdCopyQueryPoolResults(cmd, pool, 0, 4, test->buffer.buffer, 0, 64,
				  VK_QUERY_RESULT_WAIT_BIT);
	vkCmdBeginQuery(cmd, pool, 3, 0);
	write(test, cmd, 2);
	app_end(cmd);
	app_submit(&test->app, cmd);
	app_wait(&test->app);
	check(test->buffer.words[0] == 2, "no command is lost");
	check(read_results(test, pool, 0, 1, size) == VK_SUCCESS, "the query in between");
	check(read_results(test, pool, 3, 1, size) == VK_ERROR_DEVICE_LOST,
		    "a query without an end has no result");
	vkResetQueryPool(test->app.device, pool, 3, FAR);
	vkResetQueryPool(test->app.device, pool, FAR, 1);
	check(read_results(test, pool, 0, 5, 8 * size) < 0, "more results than queries");
	check(read_results(test, pool, 4, 1, size) < 0, "the result behind the last one");
	check(read_results(test, pool, FAR, UINT32_MAX, size) < 0, "results far behind");
	check(read_results(test, pool, 0, 1, size - 1) < 0, "no room for a result");
	check(read_results(test, pool, 0, 1, size) == VK_SUCCESS, "the result once more");
	vkFreeCommandBuffers(test->app.device, test->app.pool, 1, &cmd);
	vkDestroyQueryPool(test->app.device, pool, NULL);
	vkDestroyQueryPool(test->app.device, VK_NULL_HANDLE, NULL);
}

/* ---- Sessions ---- */

static struct VkPerfSessionPANTHOR *new_session(struct test *test, struct VkPerfSessionPANTHOR *source)
{
	const struct VkPerfSessionCreateInfoPANTHOR info = { sizeof(info), 8, source };
	struct VkPerfSessionPANTHOR *session;

	need(create_session(test->app.device, &info, &session), "vkCreatePerfSessionPANTHOR");
	return session;
}

static VkResult begin(VkCommandBuffer cmd, struct VkPerfSessionPANTHOR *session, uint32_t *id)
{
	const struct VkPerfSampleBeginInfoPANTHOR info = {
		sizeof(info), VK_PERF_SAMPLE_TYPE_TIMING_PANTHOR, 0, NULL,
	};

	return begin_sample(cmd, session, &info, id);
}

static void check_sizes(struct test *test)
{
	VkDevice device = test->app.device;
	/* No more than the size is there. */
	size_t *size = malloc(sizeof(*size));
	struct VkPerfSessionPANTHOR *session = new_session(test, NULL);
	VkCommandBuffer cmd = app_begin(&test->app);
	uint32_t id;

	if (!size)
		abort();
	*size = sizeof(*size);
	check(get_properties(device, (void *)size) < 0, "properties of a smaller size");
	check(get_clocks(device, (void *)size) < 0, "clocks of a smaller size");
	check(create_session(device, (void *)size, &session) < 0, "a session of a smaller size");
	check(begin_sample(cmd, session, (void *)size, &id) < 0, "a sample of a smaller size");
	app_end(cmd);
	vkFreeCommandBuffers(device, test->app.pool, 1, &cmd);
	destroy_session(device, session);
	free(size);
}

/* @session: it is none. */
static void check_no_session(struct test *test, struct VkPerfSessionPANTHOR *session)
{
	VkDevice device = test->app.device;
	VkCommandBuffer cmd = app_begin(&test->app);
	size_t size = 0;
	uint32_t id;

	check(begin(cmd, session, &id) == VK_ERROR_INITIALIZATION_FAILED, "no session: begin");
	end_sample(cmd, session, 0);
	check(copy_results(cmd, session) == VK_ERROR_INITIALIZATION_FAILED, "no session: copy");
	write(test, cmd, 3);
	app_run(&test->app, cmd);
	check(test->buffer.words[0] == 3, "no session: no command is lost");
	check(get_status(device, session) == VK_ERROR_INITIALIZATION_FAILED, "no session: status");
	check(get_results(device, session, 0, &size, NULL) == VK_ERROR_INITIALIZATION_FAILED,
		    "no session: results");
	check(reset_session(device, session) == VK_ERROR_INITIALIZATION_FAILED, "no session: reset");
	destroy_session(device, session);
}

static void check_sources(struct test *test)
{
	struct VkPerfSessionPANTHOR *session = new_session(test, NULL), *copy, *none;
	const struct VkPerfSessionCreateInfoPANTHOR of_nobody = { sizeof(of_nobody), 8, NOBODY };
	VkCommandBuffer cmd;
	uint32_t id;

	check(create_session(test->app.device, &of_nobody, &none) < 0,
		    "a copy of a session that is not there");
	copy = new_session(test, session);
	cmd = app_begin(&test->app);
	need(begin(cmd, session, &id), "vkCmdBeginPerfSamplePANTHOR");
	end_sample(cmd, session, id + 1);
	end_sample(cmd, session, id);
	need(copy_results(cmd, copy), "vkCmdCopyPerfSessionResultsPANTHOR");
	app_end(cmd);
	/* It must outlive the copy. */
	destroy_session(test->app.device, session);
	app_submit(&test->app, cmd);
	app_wait(&test->app);
	while (get_status(test->app.device, copy) == VK_NOT_READY)
		nanosleep(&(struct timespec) { 0, 1000000 }, NULL);
	check(get_status(test->app.device, copy) == VK_ERROR_DEVICE_LOST,
		    "a copy of a session that was destroyed");
	vkFreeCommandBuffers(test->app.device, test->app.pool, 1, &cmd);
	destroy_session(test->app.device, copy);
}

/* A sample that ends within an occlusion query, with work behind that is not in it. */
static void check_overlap(struct test *test)
{
	const VkQueryPoolCreateInfo info = {
		.sType = VK_STRUCTURE_TYPE_QUERY_POOL_CREATE_INFO,
		.queryType = VK_QUERY_TYPE_OCCLUSION,
		.queryCount = 1,
	};
	struct VkPerfSessionPANTHOR *session = new_session(test, NULL);
	struct VkPerfTimingPANTHOR times = { 0 };
	VkResult status = VK_NOT_READY, result;
	size_t size = sizeof(times);
	VkQueryPool occlusion;
	VkCommandBuffer cmd;
	uint32_t id;

	need(vkCreateQueryPool(test->app.device, &info, NULL, &occlusion), "an occlusion query");
	cmd = app_begin(&test->app);
	vkCmdResetQueryPool(cmd, occlusion, 0, 1);
	need(begin(cmd, session, &id), "vkCmdBeginPerfSamplePANTHOR");
	vkCmdBeginQuery(cmd, occlusion, 0, 0);
	end_sample(cmd, session, id);
	for (int i = 0; i < 1000; i++)
		write(test, cmd, 4 + i);
	vkCmdEndQuery(cmd, occlusion, 0);
	app_run(&test->app, cmd);
	while (status == VK_NOT_READY) {
		nanosleep(&(struct timespec) { 0, 1000000 }, NULL);
		status = get_status(test->app.device, session);
	}
	result = get_results(test->app.device, session, id, &size, &times);
	fprintf(stderr, "VkResult %d, %.1f ms\n", result, (times.endNs - times.beginNs) / 1e6);
	check(status == VK_ERROR_DEVICE_LOST && result == VK_ERROR_DEVICE_LOST,
		    "a sample that ends in an occlusion query has no result");
	check(test->buffer.words[0] == 1003, "the dispatches were executed");
	destroy_session(test->app.device, session);
	vkDestroyQueryPool(test->app.device, occlusion, NULL);
}

int main(void)
{
	static const VkPhysicalDeviceVulkan12Features features12 = {
		.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_FEATURES,
		.hostQueryReset = VK_TRUE,
	};
	static const VkPhysicalDevicePerformanceQueryFeaturesKHR features = {
		.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PERFORMANCE_QUERY_FEATURES_KHR,
		.pNext = (void *)&features12,
		.performanceCounterQueryPools = VK_TRUE,
	};
	struct test test = {
		.app.features = &features,
		.app.names = { VK_KHR_PERFORMANCE_QUERY_EXTENSION_NAME },
	};

	printf("only queries\n");
	app_instance(&test.app);
	if (!app_has_extension(&test.app, VK_KHR_PERFORMANCE_QUERY_EXTENSION_NAME)) {
		vkDestroyInstance(test.app.instance, NULL);
		return 0;
	}
	app_device(&test.app);
	test.buffer = app_buffer(&test.app);
	test.writer = app_writer(&test.app);
	find_functions(&test);
	check_queries(&test);
	check_sizes(&test);
	check_no_session(&test, NULL);
	check_no_session(&test, NOBODY);
	check_sources(&test);
	check_overlap(&test);
	vkDestroyPipeline(test.app.device, test.writer, NULL);
	app_free_buffer(&test.app, &test.buffer);
	/* With a session that was not destroyed. */
	new_session(&test, NULL);
	app_finish(&test.app);
	return 0;
}
