// SPDX-License-Identifier: GPL-2.0 or MIT
/* Copyright (c) 2026 The panthor-perf developers */

/*
 * Results of queries whose samples are read later than the fence of their submission, by profilers that take anything
 * but VK_SUCCESS for zeros. The specification knows no such time between: a query is available when its commands have
 * completed. So the result is there for vkGetQueryPoolResults without VK_QUERY_RESULT_WAIT_BIT as well. A sample that does not
 * come must not hold up the application: then the call returns VK_NOT_READY after the 2 s of the manual.
 */

#include <stdio.h>
#include <time.h>

#include "app.h"
#include "limit.h"
#include "query.h"

#include "fakeorder.h"

#define LIMIT_S		20
/* Of a sample that is late, and of one that is too late. */
#define LATE_MS		300
#define TOO_LATE_MS	4000
#define BOUND_MS	2000
/* A call that does not wait takes less, also on a machine with other things to do. */
#define AT_ONCE_MS	200

struct test {
	struct app app;
	struct buffer buffer;
	VkPipeline writer;
	VkFence fence;
	struct query query;
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

/* The query is reset in the same command buffer, as VulkanProfiler does. */
static VkCommandBuffer record(struct test *test, uint32_t value)
{
	VkCommandBuffer cmd = app_begin(&test->app);

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

static void check_late(struct test *test, PFN_fake_order_delay delay)
{
	VkCommandBuffer cmd = record(test, 1);
	uint64_t ms;

	delay(LATE_MS);
	submit(test, cmd);
	wait(test);
	check(read_result(test, &ms) == VK_SUCCESS, "a result whose sample is late");
	/* The fence has not waited until the sample could be read. */
	check(ms > LATE_MS / 2, "the call has waited for the sample");
	check(read_result(test, &ms) == VK_SUCCESS && ms < AT_ONCE_MS, "it is there at once later");
	vkFreeCommandBuffers(test->app.device, test->app.pool, 1, &cmd);
}

static void check_too_late(struct test *test, PFN_fake_order_delay delay)
{
	VkCommandBuffer cmd = record(test, 2);
	uint64_t ms;

	delay(TOO_LATE_MS);
	submit(test, cmd);
	check(read_result(test, &ms) == VK_NOT_READY && ms < AT_ONCE_MS,
	      "no wait for a query that the GPU has not executed");
	wait(test);
	check(read_result(test, &ms) == VK_NOT_READY, "no result whose sample does not come");
	check(ms >= BOUND_MS - AT_ONCE_MS && ms < BOUND_MS + BOUND_MS / 2, "the wait has an end");
	check(query_wait(&test->app, &test->query) == VK_SUCCESS, "a wait for it gets it");
	delay(0);
	vkFreeCommandBuffers(test->app.device, test->app.pool, 1, &cmd);
}

int main(void)
{
	const VkFenceCreateInfo info = { .sType = VK_STRUCTURE_TYPE_FENCE_CREATE_INFO };
	struct test test = { 0 };
	PFN_fake_order_delay delay;

	printf("only queries\n");
	/* Forbidden for these queries: whether the application does so is not the layer's matter. */
	printf("allow VUID-vkCmdBeginQuery-None-02863\n");
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
	delay = (PFN_fake_order_delay)app_function(&test.app, "vkDelayTEST");
	limit(LIMIT_S, "a query with late samples");
	check_late(&test, delay);
	check_too_late(&test, delay);
	vkDestroyFence(test.app.device, test.fence, NULL);
	vkDestroyPipeline(test.app.device, test.writer, NULL);
	app_free_buffer(&test.app, &test.buffer);
	query_finish(&test.app, &test.query);
	app_finish(&test.app);
	return 0;
}
