// SPDX-License-Identifier: GPL-2.0 or MIT
/* Copyright (c) 2026 The panthor-perf developers */

/*
 * Results of queries whose samples are read later than the fence of their submission, by profilers that take anything
 * but VK_SUCCESS for zeros. The specification knows no such time between: a query is available when its commands have
 * completed. So the result is there for vkGetQueryPoolResults without VK_QUERY_RESULT_WAIT_BIT as well. A sample that does not
 * come must not hold up the application: then the call returns VK_NOT_READY after the 2 s of the manual.
 */

#include <pthread.h>
#include <stdio.h>
#include <time.h>

#include "app.h"
#include "limit.h"
#include "query.h"

#include "fakeorder.h"

/* Of a sample that is late, from when the program begins to read the result. */
#define LATE_NS		300000000
#define BOUND_MS	2000
/* The quickest of several calls takes less if they do not wait, also on a busy machine. */
#define AT_ONCE_MS	200
#define CALLS		5

struct test {
	struct app app;
	struct buffer buffer;
	VkPipeline writer;
	VkFence fence;
	/* The GPU waits for it before the query. */
	VkEvent event;
	struct query query;
	PFN_fake_order_delay delay;
};

static uint64_t now_ms(void)
{
	struct timespec now;

	clock_gettime(CLOCK_MONOTONIC, &now);
	return now.tv_sec * UINT64_C(1000) + now.tv_nsec / 1000000;
}

/* As the application has it: without a wait. */
static VkResult read_result(struct test *test, uint64_t *ms)
{
	const uint64_t begin = now_ms();
	VkPerformanceCounterResultKHR value;
	VkResult result = vkGetQueryPoolResults(test->app.device, test->query.pool, 0, 1, sizeof(value),
						&value, sizeof(value), 0);

	*ms = now_ms() - begin;
	return result;
}

/* Is each of several results this one, and at least one of the calls short enough? */
static bool read_at_once(struct test *test, VkResult expected)
{
	bool right = true, at_once = false;
	uint64_t ms;

	for (int i = 0; i < CALLS; i++) {
		right &= read_result(test, &ms) == expected;
		at_once |= ms < AT_ONCE_MS;
	}
	return right && at_once;
}

/* The query is reset in the same command buffer, as VulkanProfiler does. */
static VkCommandBuffer record(struct test *test, uint32_t value)
{
	VkCommandBuffer cmd = app_begin(&test->app);

	vkCmdWaitEvents(cmd, 1, &test->event, VK_PIPELINE_STAGE_HOST_BIT,
			VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT, 0, NULL, 0, NULL, 0, NULL);
	vkCmdResetQueryPool(cmd, test->query.pool, 0, 1);
	vkCmdBeginQuery(cmd, test->query.pool, 0, 0);
	app_write(&test->app, cmd, test->writer, &test->buffer, 0, value);
	app_barrier(cmd);
	vkCmdEndQuery(cmd, test->query.pool, 0);
	app_end(cmd);
	return cmd;
}

static void submit(struct test *test, VkCommandBuffer cmd)
{
	const VkSubmitInfo info = {
		.sType = VK_STRUCTURE_TYPE_SUBMIT_INFO,
		.commandBufferCount = 1,
		.pCommandBuffers = &cmd,
	};

	need(vkResetFences(test->app.device, 1, &test->fence), "vkResetFences");
	need(vkQueueSubmit(test->app.queue, 1, &info, test->fence), "vkQueueSubmit");
}

static void wait(struct test *test)
{
	need(vkWaitForFences(test->app.device, 1, &test->fence, VK_TRUE, TIMEOUT_NS),
	     "vkWaitForFences");
}

static void *end_delay(void *arg)
{
	struct test *test = arg;

	nanosleep(&(struct timespec) { .tv_nsec = LATE_NS }, NULL);
	test->delay(0);
	return NULL;
}

static void check_late(struct test *test)
{
	VkCommandBuffer cmd = record(test, 1);
	pthread_t thread;
	uint64_t ms;

	test->delay(UINT32_MAX);
	need(vkSetEvent(test->app.device, test->event), "vkSetEvent");
	submit(test, cmd);
	/* The fence does not wait until the sample can be read. */
	wait(test);
	if (pthread_create(&thread, NULL, end_delay, test))
		need(VK_ERROR_OUT_OF_HOST_MEMORY, "pthread_create");
	check(read_result(test, &ms) == VK_SUCCESS, "the call waits for a sample that is late");
	pthread_join(thread, NULL);
	check(read_at_once(test, VK_SUCCESS), "it is there at once later");
	vkFreeCommandBuffers(test->app.device, test->app.pool, 1, &cmd);
}

static void check_too_late(struct test *test)
{
	VkCommandBuffer cmd = record(test, 2);
	bool right = true, in_time = false;
	uint64_t ms;

	test->delay(UINT32_MAX);
	need(vkResetEvent(test->app.device, test->event), "vkResetEvent");
	submit(test, cmd);
	check(read_at_once(test, VK_NOT_READY),
	      "no wait for a query that the GPU has not executed");
	need(vkSetEvent(test->app.device, test->event), "vkSetEvent");
	wait(test);
	for (int i = 0; i < CALLS && right && !in_time; i++) {
		right = read_result(test, &ms) == VK_NOT_READY && ms >= BOUND_MS - AT_ONCE_MS;
		in_time = ms < BOUND_MS + BOUND_MS / 2;
	}
	check(right, "no result whose sample does not come");
	check(in_time, "the wait for a sample that does not come has an end");
	test->delay(0);
	check(query_wait(&test->app, &test->query) == VK_SUCCESS, "a wait for it gets it");
	vkFreeCommandBuffers(test->app.device, test->app.pool, 1, &cmd);
}

int main(void)
{
	const VkFenceCreateInfo info = { .sType = VK_STRUCTURE_TYPE_FENCE_CREATE_INFO };
	const VkEventCreateInfo event = { .sType = VK_STRUCTURE_TYPE_EVENT_CREATE_INFO };
	struct test test = { 0 };

	printf("only queries\n");
	/* Forbidden for these queries: whether the application does so is not the layer's matter. */
	printf("allow VUID-vkCmdBeginQuery-None-02863\n");
	/* Forbidden while a submission waits for the event; the driver has that, and nothing else can hold it there. */
	printf("allow VUID-vkSetEvent-event-09543\n");
	app_instance(&test.app);
	if (!query_enable(&test.app)) {
		vkDestroyInstance(test.app.instance, NULL);
		return 0;
	}
	app_device(&test.app);
	test.query = query_start(&test.app, true);
	test.buffer = app_buffer(&test.app);
	test.writer = app_writer(&test.app);
	need(vkCreateFence(test.app.device, &info, NULL, &test.fence), "vkCreateFence");
	need(vkCreateEvent(test.app.device, &event, NULL, &test.event), "vkCreateEvent");
	test.delay = (PFN_fake_order_delay)app_function(&test.app, "vkDelayTEST");
	limit(LIMIT_S, "a query with late samples");
	check_late(&test);
	check_too_late(&test);
	vkDestroyEvent(test.app.device, test.event, NULL);
	vkDestroyFence(test.app.device, test.fence, NULL);
	vkDestroyPipeline(test.app.device, test.writer, NULL);
	app_free_buffer(&test.app, &test.buffer);
	query_finish(&test.app, &test.query);
	app_finish(&test.app);
	return 0;
}
