// SPDX-License-Identifier: GPL-2.0 or MIT
/* Copyright (c) 2026 The panthor-perf developers */

/*
 * VK_KHR_performance_query: results, resets, waits, what the driver gets of a pool, and where a query cannot be counted.
 */

#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "app.h"

#define EXTENSION	VK_KHR_PERFORMANCE_QUERY_EXTENSION_NAME
#define MAX_COUNTERS	2048
/* The longest wait for what never comes. */
#define PATIENCE_S	6
/* Tries of what depends on time, and a time in which a sample comes. */
#define ROUNDS		20
#define PAUSE_NS	10000000

/* That without graphics, and the one of the spy layer. */
#define FAMILY_COMPUTE	1
#define FAMILY_TRANSFER	2
#define FAMILIES	3

struct test {
	struct app app;
	struct buffer buffer;
	struct target target;
	VkPipeline writer;
	VkQueryPool occlusion;
	/* MaliCompQueueJob: the fake driver has one in each sample, and one more for each suspend. */
	uint32_t counter;
	uint32_t counter_count;
};

static uint64_t now_s(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return now.tv_sec;
}

static void check_counters(struct test *test)
{
	static VkPerformanceCounterKHR counters[MAX_COUNTERS];
	static VkPerformanceCounterDescriptionKHR texts[MAX_COUNTERS];
	uint32_t counts[FAMILIES] = { MAX_COUNTERS, MAX_COUNTERS, MAX_COUNTERS };
	PFN_vkEnumeratePhysicalDeviceQueueFamilyPerformanceQueryCountersKHR enumerate =
		(PFN_vkEnumeratePhysicalDeviceQueueFamilyPerformanceQueryCountersKHR)
		vkGetInstanceProcAddr(test->app.instance, "vkEnumeratePhysicalDeviceQueueFamilyPerformanceQueryCountersKHR");

	for (uint32_t i = 0; i < MAX_COUNTERS; i++) {
		counters[i].sType = VK_STRUCTURE_TYPE_PERFORMANCE_COUNTER_KHR;
		texts[i].sType = VK_STRUCTURE_TYPE_PERFORMANCE_COUNTER_DESCRIPTION_KHR;
	}
	for (uint32_t family = FAMILIES; family--;)
		need(enumerate(test->app.gpu, family, &counts[family], counters, texts),
		     "the counters");
	test->counter_count = counts[0];
	while (test->counter < counts[0] &&
	       strcmp(texts[test->counter].name, "MaliCompQueueJob"))
		test->counter++;
	check(test->counter < counts[0], "a counter is there");
	check(counts[FAMILY_COMPUTE] == counts[0], "a family for compute has the same");
	check(!counts[FAMILY_TRANSFER], "a family for transfers has none");
}

/* ---- The device ---- */

static void create_device(struct test *test)
{
	static VkPhysicalDeviceVulkan13Features features13 = {
		.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_3_FEATURES,
		.privateData = VK_TRUE,
		.synchronization2 = VK_TRUE,
		.dynamicRendering = VK_TRUE,
	};
	static VkPhysicalDeviceVulkan12Features features12 = {
		.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_FEATURES,
		.pNext = &features13,
		.hostQueryReset = VK_TRUE,
	};
	static VkPhysicalDeviceTransformFeedbackFeaturesEXT feedback = {
		.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_TRANSFORM_FEEDBACK_FEATURES_EXT,
		.pNext = &features12,
		.transformFeedback = VK_TRUE,
	};
	static VkPhysicalDevicePerformanceQueryFeaturesKHR features = {
		.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PERFORMANCE_QUERY_FEATURES_KHR,
		.pNext = &feedback,
		.performanceCounterQueryPools = VK_TRUE,
	};

	test->app.features = &features;
	test->app.all_queues = true;
	test->app.names[0] = VK_EXT_TRANSFORM_FEEDBACK_EXTENSION_NAME;
	test->app.names[1] = EXTENSION;
	app_device(&test->app);
	test->buffer = app_buffer(&test->app);
	test->target = app_target(&test->app);
	test->writer = app_writer(&test->app);
}

static void destroy_device(struct test *test)
{
	vkDestroyPipeline(test->app.device, test->writer, NULL);
	app_free_buffer(&test->app, &test->buffer);
	app_free_target(&test->app, &test->target);
	app_destroy_device(&test->app);
}

static PFN_vkVoidFunction function(struct test *test, const char *name)
{
	return vkGetDeviceProcAddr(test->app.device, name);
}

static bool lock(struct test *test)
{
	const VkAcquireProfilingLockInfoKHR info = {
		.sType = VK_STRUCTURE_TYPE_ACQUIRE_PROFILING_LOCK_INFO_KHR,
		.timeout = UINT64_MAX,
	};

	return !((PFN_vkAcquireProfilingLockKHR)function(test, "vkAcquireProfilingLockKHR"))
		(test->app.device, &info);
}

static void unlock(struct test *test)
{
	((PFN_vkReleaseProfilingLockKHR)function(test, "vkReleaseProfilingLockKHR"))
		(test->app.device);
}

/* ---- Queries ---- */

static VkQueryPool create_pool(struct test *test, uint32_t family, uint32_t count)
{
	const VkQueryPoolPerformanceCreateInfoKHR counters = {
		.sType = VK_STRUCTURE_TYPE_QUERY_POOL_PERFORMANCE_CREATE_INFO_KHR,
		.queueFamilyIndex = family,
		.counterIndexCount = 1,
		.pCounterIndices = &test->counter,
	};
	const VkQueryPoolCreateInfo info = {
		.sType = VK_STRUCTURE_TYPE_QUERY_POOL_CREATE_INFO,
		.pNext = &counters,
		.queryType = VK_QUERY_TYPE_PERFORMANCE_QUERY_KHR,
		.queryCount = count,
	};
	VkQueryPool pool;

	need(vkCreateQueryPool(test->app.device, &info, NULL, &pool), "vkCreateQueryPool");
	return pool;
}

static void destroy_pool(struct test *test, VkQueryPool pool)
{
	vkDestroyQueryPool(test->app.device, pool, NULL);
}

static VkResult get(struct test *test, VkQueryPool pool, uint32_t index, VkQueryResultFlags flags,
		    uint64_t *jobs)
{
	VkPerformanceCounterResultKHR value = { .uint64 = UINT64_MAX };
	VkResult result = vkGetQueryPoolResults(test->app.device, pool, index, 1, sizeof(value),
						&value, sizeof(value), flags);

	*jobs = value.uint64;
	return result;
}

static bool is_count(uint64_t jobs)
{
	return jobs > 0 && jobs < 10;
}

/* It is waited for, and has one sample. */
static bool has_result(struct test *test, VkQueryPool pool, uint32_t index)
{
	uint64_t jobs;

	return get(test, pool, index, VK_QUERY_RESULT_WAIT_BIT, &jobs) == VK_SUCCESS &&
	       is_count(jobs);
}

static VkResult state_of(struct test *test, VkQueryPool pool, uint32_t index)
{
	uint64_t jobs;

	return get(test, pool, index, 0, &jobs);
}

/* Of a query that is waited for, within a time that no wait for nothing takes. */
static VkResult wait_result(struct test *test, VkQueryPool pool, uint32_t index)
{
	const uint64_t begin = now_s();
	uint64_t jobs;
	VkResult result = get(test, pool, index, VK_QUERY_RESULT_WAIT_BIT, &jobs);

	return now_s() - begin < PATIENCE_S ? result : VK_TIMEOUT;
}

static void write(struct test *test, VkCommandBuffer cmd, uint32_t value)
{
	app_write(&test->app, cmd, test->writer, &test->buffer, 0, value);
	app_barrier(cmd);
}

static bool wrote(struct test *test, uint32_t value)
{
	bool right = true;

	for (int i = 0; i < 64; i++)
		right &= test->buffer.words[i] == value;
	return right;
}

/* A query around a dispatch. */
static void run_query(struct test *test, VkQueryPool pool, uint32_t index)
{
	VkCommandBuffer cmd = app_begin(&test->app);

	vkCmdBeginQuery(cmd, pool, index, 0);
	write(test, cmd, 1);
	vkCmdEndQuery(cmd, pool, index);
	app_run(&test->app, cmd);
}

static void check_results(struct test *test)
{
	VkQueryPool pool = create_pool(test, 0, 3);
	uint64_t jobs = 0;
	VkCommandBuffer cmd;
	int rounds;

	run_query(test, pool, 0);
	check(get(test, pool, 0, 0, &jobs) == VK_SUCCESS && is_count(jobs),
		    "the result is there when the fence has signalled");
	run_query(test, pool, 1);
	check(has_result(test, pool, 1), "a result that is waited for");
	check(state_of(test, pool, 2) == VK_NOT_READY, "no result of another query");
	check(wait_result(test, pool, 2) == VK_NOT_READY,
		    "a wait for a query that nothing begins has an end");

	/* Reset by the host and by a command; both again with a submission behind. */
	vkResetQueryPool(test->app.device, pool, 0, 1);
	check(state_of(test, pool, 0) == VK_NOT_READY, "no result behind vkResetQueryPool");
	check(has_result(test, pool, 1), "the other one has its result");
	cmd = app_begin(&test->app);
	vkCmdResetQueryPool(cmd, pool, 0, 3);
	app_run(&test->app, cmd);
	check(state_of(test, pool, 1) == VK_NOT_READY,
		    "no result behind vkCmdResetQueryPool");
	run_query(test, pool, 1);
	check(has_result(test, pool, 1), "a result behind a reset");

	/* As VulkanProfiler does. */
	cmd = app_begin(&test->app);
	vkCmdResetQueryPool(cmd, pool, 0, 1);
	vkCmdBeginQuery(cmd, pool, 0, 0);
	write(test, cmd, 2);
	vkCmdEndQuery(cmd, pool, 0);
	app_run(&test->app, cmd);
	check(get(test, pool, 0, 0, &jobs) == VK_SUCCESS && is_count(jobs),
	      "a query that is reset in its command buffer");

	/* As soon as the query has ended for the application, it may be reset and begun again. */
	for (rounds = 0; rounds < ROUNDS; rounds++) {
		run_query(test, pool, 2);
		vkResetQueryPool(test->app.device, pool, 2, 1);
		nanosleep(&(struct timespec) { 0, PAUSE_NS }, NULL);
		if (state_of(test, pool, 2) != VK_NOT_READY)
			break;
	}
	check(rounds == ROUNDS, "no sample comes behind a reset by the host");
	destroy_pool(test, pool);
	/* With samples that nobody has read. */
	for (rounds = 0; rounds < ROUNDS; rounds++) {
		pool = create_pool(test, 0, 1);
		run_query(test, pool, 0);
		destroy_pool(test, pool);
	}
}

/* The order of a query and a reset is that of the submissions, also of one that waits for the host. */
static void check_late_reset(struct test *test)
{
	VkSemaphore timeline;
	const uint64_t point = 1;
	const VkTimelineSemaphoreSubmitInfo points = {
		.sType = VK_STRUCTURE_TYPE_TIMELINE_SEMAPHORE_SUBMIT_INFO,
		.waitSemaphoreValueCount = 1,
		.pWaitSemaphoreValues = &point,
	};
	const VkPipelineStageFlags stage = VK_PIPELINE_STAGE_ALL_COMMANDS_BIT;
	VkQueryPool pool = create_pool(test, 0, 1);
	VkCommandBuffer cmd = app_begin(&test->app);
	const VkSubmitInfo submit = {
		.sType = VK_STRUCTURE_TYPE_SUBMIT_INFO,
		.pNext = &points,
		.waitSemaphoreCount = 1,
		.pWaitSemaphores = &timeline,
		.pWaitDstStageMask = &stage,
		.commandBufferCount = 1,
		.pCommandBuffers = &cmd,
	};

	timeline = app_semaphore(&test->app, VK_SEMAPHORE_TYPE_TIMELINE, 0, false);
	run_query(test, pool, 0);
	vkCmdResetQueryPool(cmd, pool, 0, 1);
	app_end(cmd);
	need(vkQueueSubmit(test->app.queue, 1, &submit, VK_NULL_HANDLE), "vkQueueSubmit");
	check(has_result(test, pool, 0), "a result before a reset that waits for the host");
	need(vkSignalSemaphore(test->app.device, &(VkSemaphoreSignalInfo) {
		VK_STRUCTURE_TYPE_SEMAPHORE_SIGNAL_INFO, NULL, timeline, 1,
	}), "vkSignalSemaphore");
	app_wait(&test->app);
	check(state_of(test, pool, 0) == VK_NOT_READY, "none behind that reset");
	vkFreeCommandBuffers(test->app.device, test->app.pool, 1, &cmd);
	vkDestroySemaphore(test->app.device, timeline, NULL);
	destroy_pool(test, pool);
}

/* Functions of the driver that take a handle of a pool. */
static void check_handles(struct test *test)
{
	VkQueryPool pool = create_pool(test, 0, 2);
	const VkDebugUtilsObjectNameInfoEXT name = {
		.sType = VK_STRUCTURE_TYPE_DEBUG_UTILS_OBJECT_NAME_INFO_EXT,
		.objectType = VK_OBJECT_TYPE_QUERY_POOL,
		.objectHandle = (uint64_t)(uintptr_t)pool,
		.pObjectName = "a pool with a name that is longer than what lies behind it",
	};
	const VkDebugUtilsObjectTagInfoEXT tag = {
		.sType = VK_STRUCTURE_TYPE_DEBUG_UTILS_OBJECT_TAG_INFO_EXT,
		.objectType = VK_OBJECT_TYPE_QUERY_POOL,
		.objectHandle = name.objectHandle,
		.tagSize = 4,
		.pTag = "tag",
	};
	const VkPrivateDataSlotCreateInfo info = {
		.sType = VK_STRUCTURE_TYPE_PRIVATE_DATA_SLOT_CREATE_INFO,
	};
	VkPrivateDataSlot slot;
	uint64_t data = 0;

	need(((PFN_vkSetDebugUtilsObjectNameEXT)app_function(&test->app, "vkSetDebugUtilsObjectNameEXT"))
	     (test->app.device, &name), "vkSetDebugUtilsObjectNameEXT");
	need(((PFN_vkSetDebugUtilsObjectTagEXT)app_function(&test->app, "vkSetDebugUtilsObjectTagEXT"))
	     (test->app.device, &tag), "vkSetDebugUtilsObjectTagEXT");
	need(vkCreatePrivateDataSlot(test->app.device, &info, NULL, &slot), "vkCreatePrivateDataSlot");
	need(vkSetPrivateData(test->app.device, VK_OBJECT_TYPE_QUERY_POOL, name.objectHandle, slot, 7012),
	     "vkSetPrivateData");
	vkGetPrivateData(test->app.device, VK_OBJECT_TYPE_QUERY_POOL, name.objectHandle, slot, &data);
	check(data == 7012, "a pool has its private data");
	run_query(test, pool, 1);
	check(has_result(test, pool, 1), "a query of a pool with a name");
	vkDestroyPrivateDataSlot(test->app.device, slot, NULL);
	destroy_pool(test, pool);
}

static void check_indexed(struct test *test)
{
	PFN_vkCmdBeginQueryIndexedEXT begin = (PFN_vkCmdBeginQueryIndexedEXT)
		function(test, "vkCmdBeginQueryIndexedEXT");
	PFN_vkCmdEndQueryIndexedEXT end = (PFN_vkCmdEndQueryIndexedEXT)
		function(test, "vkCmdEndQueryIndexedEXT");
	VkQueryPool pool = create_pool(test, 0, 1);
	VkCommandBuffer cmd = app_begin(&test->app);

	begin(cmd, pool, 0, 0, 0);
	write(test, cmd, 3);
	end(cmd, pool, 0, 0);
	app_run(&test->app, cmd);
	check(has_result(test, pool, 0), "vkCmdBeginQueryIndexedEXT");
	destroy_pool(test, pool);
}

/* ---- Where a query cannot be counted ---- */

static void check_refused(struct test *test)
{
	VkQueryPool pool = create_pool(test, 0, 4);
	VkCommandBuffer cmd = app_begin(&test->app);

	vkCmdResetQueryPool(cmd, test->occlusion, 0, 1);
	vkCmdBeginQuery(cmd, test->occlusion, 0, 0);
	vkCmdBeginQuery(cmd, pool, 0, 0);
	vkCmdEndQuery(cmd, test->occlusion, 0);
	write(test, cmd, 5);
	vkCmdEndQuery(cmd, pool, 0);
	app_end(cmd);
	/* The application has not submitted the query yet. */
	check(state_of(test, pool, 0) == VK_NOT_READY, "nothing was submitted");
	vkResetQueryPool(test->app.device, pool, 0, 1);
	app_submit(&test->app, cmd);
	app_wait(&test->app);
	check(wait_result(test, pool, 0) == VK_ERROR_DEVICE_LOST,
		    "a query that begins within an occlusion query has no result");
	/* Each submission of it. */
	vkResetQueryPool(test->app.device, pool, 0, 1);
	app_submit(&test->app, cmd);
	app_wait(&test->app);
	check(wait_result(test, pool, 0) == VK_ERROR_DEVICE_LOST,
		    "nor when it is submitted once more");
	check(wrote(test, 5), "the dispatch was executed");

	need(vkResetCommandBuffer(cmd, 0), "vkResetCommandBuffer");
	need(vkBeginCommandBuffer(cmd, &(VkCommandBufferBeginInfo) {
		VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO, NULL, 0, NULL,
	}), "vkBeginCommandBuffer");
	vkCmdResetQueryPool(cmd, test->occlusion, 0, 1);
	vkCmdBeginQuery(cmd, pool, 1, 0);
	vkCmdBeginQuery(cmd, test->occlusion, 0, 0);
	vkCmdEndQuery(cmd, pool, 1);
	write(test, cmd, 6);
	vkCmdEndQuery(cmd, test->occlusion, 0);
	vkCmdBeginQuery(cmd, pool, 2, 0);
	write(test, cmd, 7);
	vkCmdEndQuery(cmd, pool, 2);
	app_run(&test->app, cmd);
	check(wait_result(test, pool, 1) == VK_ERROR_DEVICE_LOST,
		    "a query that ends within an occlusion query has no result");
	check(has_result(test, pool, 2), "one behind it has");
	check(wrote(test, 7), "the dispatches were executed");

	/* The query that was refused is whole later. */
	vkResetQueryPool(test->app.device, pool, 0, 2);
	run_query(test, pool, 0);
	run_query(test, pool, 1);
	check(has_result(test, pool, 0) && has_result(test, pool, 1),
		    "both have one in other command buffers");
	destroy_pool(test, pool);
}

static void check_secondary(struct test *test)
{
	VkCommandBuffer secondary = app_begin_secondary(&test->app, 0), cmd = app_begin(&test->app);
	VkQueryPool pool = create_pool(test, 0, 2);

	vkCmdBeginQuery(secondary, pool, 0, 0);
	write(test, secondary, 9);
	vkCmdEndQuery(secondary, pool, 0);
	app_end(secondary);
	vkCmdExecuteCommands(cmd, 1, &secondary);
	vkCmdBeginQuery(cmd, pool, 1, 0);
	vkCmdEndQuery(cmd, pool, 1);
	app_end(cmd);
	vkResetQueryPool(test->app.device, pool, 0, 2);
	app_submit(&test->app, cmd);
	app_wait(&test->app);
	check(wait_result(test, pool, 0) == VK_ERROR_DEVICE_LOST,
		    "a query in a secondary command buffer has no result");
	check(has_result(test, pool, 1), "one behind it has, of nothing");
	check(wrote(test, 9), "the secondary command buffer was executed");
	vkFreeCommandBuffers(test->app.device, test->app.pool, 1, &cmd);
	vkFreeCommandBuffers(test->app.device, test->app.pool, 1, &secondary);
	destroy_pool(test, pool);
}

/* A render pass instance that one command buffer suspends and another one resumes. */
static void check_suspended(struct test *test)
{
	PFN_vkVoidFunction broken = function(test, "vkTestBrokenPasses");
	VkCommandBuffer cmds[] = {
		app_begin(&test->app), app_begin(&test->app), app_begin(&test->app),
	};
	const VkSubmitInfo submit = {
		.sType = VK_STRUCTURE_TYPE_SUBMIT_INFO,
		.commandBufferCount = COUNT(cmds),
		.pCommandBuffers = cmds,
	};
	VkQueryPool pool = create_pool(test, 0, 3);

	/* It cannot end where the instance is suspended. */
	vkCmdBeginQuery(cmds[0], pool, 0, 0);
	write(test, cmds[0], 10);
	app_begin_rendering(&test->app, cmds[0], &test->target, VK_RENDERING_SUSPENDING_BIT);
	vkCmdEndRendering(cmds[0]);
	vkCmdEndQuery(cmds[0], pool, 0);
	app_end(cmds[0]);
	app_begin_rendering(&test->app, cmds[1], &test->target,
			    VK_RENDERING_SUSPENDING_BIT | VK_RENDERING_RESUMING_BIT);
	vkCmdEndRendering(cmds[1]);
	app_end(cmds[1]);
	/* It would have the instance, which begins in another command buffer. */
	vkCmdBeginQuery(cmds[2], pool, 2, 0);
	app_begin_rendering(&test->app, cmds[2], &test->target, VK_RENDERING_RESUMING_BIT);
	vkCmdEndRendering(cmds[2]);
	vkCmdEndQuery(cmds[2], pool, 2);
	vkCmdBeginQuery(cmds[2], pool, 1, 0);
	write(test, cmds[2], 11);
	vkCmdEndQuery(cmds[2], pool, 1);
	app_end(cmds[2]);
	need(vkQueueSubmit(test->app.queue, 1, &submit, VK_NULL_HANDLE), "vkQueueSubmit");
	app_wait(&test->app);
	check(broken && !((uint32_t (*)(void))broken)(),
	      "a suspended render pass instance is resumed in the same submission");
	check(wrote(test, 11), "the command buffers were executed");
	check(wait_result(test, pool, 0) == VK_ERROR_DEVICE_LOST,
	      "a query that ends where it is suspended has no result");
	check(wait_result(test, pool, 2) == VK_ERROR_DEVICE_LOST, "nor one in which it is resumed");
	check(has_result(test, pool, 1), "one behind it has");
	destroy_pool(test, pool);
	vkFreeCommandBuffers(test->app.device, test->app.pool, COUNT(cmds), cmds);
}

/* Counters are those of the GPU, whatever the family. */
static void check_families(struct test *test)
{
	VkQueryPool pools[] = { create_pool(test, 0, 1), create_pool(test, FAMILY_COMPUTE, 1) };
	const VkCommandPool first = test->app.pool;
	const VkQueue queue = test->app.queue;

	test->app.queue = test->app.compute;
	test->app.pool = test->app.compute_pool;
	for (size_t i = COUNT(pools); i--;) {
		run_query(test, pools[i], 0);
		check(has_result(test, pools[i], 0),
			    i ? "a query of a queue for compute" :
			    "a query of another family on a queue for compute");
		destroy_pool(test, pools[i]);
	}
	test->app.pool = first;
	test->app.queue = queue;
}

/* ---- The profiling lock ---- */

static void *take_lock(void *arg)
{
	return lock(arg) ? arg : NULL;
}

/* Each lock counts: two threads, one of which releases it at once. */
static void check_locks(struct test *test)
{
	VkQueryPool pool = create_pool(test, 0, 1);
	pthread_t threads[8];
	bool all = true;

	for (size_t i = 0; i < COUNT(threads); i++)
		pthread_create(&threads[i], NULL, take_lock, test);
	for (size_t i = 0; i < COUNT(threads); i++) {
		void *locked;

		pthread_join(threads[i], &locked);
		all &= !!locked;
	}
	check(all, "eight threads take the profiling lock");
	for (size_t i = 0; i < COUNT(threads) - 1; i++)
		unlock(test);
	run_query(test, pool, 0);
	check(has_result(test, pool, 0), "a query while the last one has it");
	unlock(test);
	destroy_pool(test, pool);
}

/* The driver refuses it, after the call of the application. */
static void check_lost(struct test *test)
{
	VkQueryPool pool = create_pool(test, 0, 2);
	VkCommandBuffer cmd = app_begin(&test->app);
	PFN_vkVoidFunction refuse = function(test, "vkTestRefuse");

	vkCmdBeginQuery(cmd, pool, 0, 0);
	write(test, cmd, 13);
	vkCmdEndQuery(cmd, pool, 0);
	app_end(cmd);
	refuse();
	app_submit(&test->app, cmd);
	check(wait_result(test, pool, 0) == VK_ERROR_DEVICE_LOST,
	      "a query of a submission that the driver refuses");
	check(wait_result(test, pool, 1) == VK_ERROR_DEVICE_LOST, "one that is not begun");
	destroy_pool(test, pool);
}

int main(void)
{
	const VkQueryPoolCreateInfo occlusion = {
		.sType = VK_STRUCTURE_TYPE_QUERY_POOL_CREATE_INFO,
		.queryType = VK_QUERY_TYPE_OCCLUSION,
		.queryCount = 1,
	};
	struct test test = { 0 };

	printf("only queries\n");
	app_add_layer("VK_LAYER_TEST_spy");
	app_instance(&test.app);
	if (!app_has_extension(&test.app, EXTENSION)) {
		vkDestroyInstance(test.app.instance, NULL);
		return 0;
	}
	check_counters(&test);
	create_device(&test);
	need(vkCreateQueryPool(test.app.device, &occlusion, NULL, &test.occlusion), "an occlusion query");
	lock(&test);
	check_results(&test);
	check_late_reset(&test);
	check_handles(&test);
	check_indexed(&test);
	check_refused(&test);
	check_secondary(&test);
	check_suspended(&test);
	check_families(&test);
	unlock(&test);
	check_locks(&test);
	check_lost(&test);
	vkDestroyQueryPool(test.app.device, test.occlusion, NULL);
	destroy_device(&test);
	vkDestroyInstance(test.app.instance, NULL);
	return 0;
}
