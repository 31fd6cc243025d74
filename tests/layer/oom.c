// SPDX-License-Identifier: GPL-2.0 or MIT
/* Copyright (c) 2026 The panthor-perf developers */

/*
 * Allocations that fail while work is submitted: each one of the call, and all of those of other threads. Then submissions
 * that the driver refuses for lack of memory. All that a call has accepted is executed, or the device is lost; every wait ends.
 */

#include <stdio.h>
#include <string.h>

#include "app.h"
#include "fakealloc.h"
#include "limit.h"
#include "query.h"

#define PARTS		4
#define PART		64
/* More allocations than a call makes. */
#define MOST		200

struct oom {
	struct app app;
	struct buffer buffer;
	VkPipeline writer;
	struct query query;
	VkSemaphore timeline;
	uint64_t value;
	PFN_fake_fail fail;
};

/* How to submit. */
struct way {
	const char *text;
	bool version2;
	bool sparse;
	/* Behind a submission that waits for the host. */
	bool waits;
	bool unknown;
	bool query;
};

static VkCommandBuffer record(struct oom *oom, const struct way *way)
{
	VkCommandBuffer cmd = app_begin(&oom->app);

	if (way->query)
		query_begin(&oom->app, &oom->query, cmd);
	for (uint32_t i = 0; i < PARTS; i++)
		app_write(&oom->app, cmd, oom->writer, &oom->buffer, i * PART, 46);
	if (way->query)
		query_end(&oom->query, cmd);
	app_end(cmd);
	return cmd;
}

static VkResult submit(struct oom *oom, const struct way *way, VkCommandBuffer cmd, VkFence fence)
{
	const uint64_t value = oom->value + 2;
	const VkTimelineSemaphoreSubmitInfo points = {
		.sType = VK_STRUCTURE_TYPE_TIMELINE_SEMAPHORE_SUBMIT_INFO,
		.signalSemaphoreValueCount = 1,
		.pSignalSemaphoreValues = &value,
	};
	const struct unknown unknown = { UNKNOWN_TYPE, &points }, unknown2 = { UNKNOWN_TYPE };
	const void *chain = way->unknown ? (void *)&unknown : &points;
	const VkSubmitInfo info = {
		.sType = VK_STRUCTURE_TYPE_SUBMIT_INFO,
		.pNext = chain,
		.commandBufferCount = 1,
		.pCommandBuffers = &cmd,
		.signalSemaphoreCount = 1,
		.pSignalSemaphores = &oom->timeline,
	};
	const VkCommandBufferSubmitInfo buffer = {
		.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_SUBMIT_INFO,
		.commandBuffer = cmd,
	};
	const VkSemaphoreSubmitInfo signal = {
		.sType = VK_STRUCTURE_TYPE_SEMAPHORE_SUBMIT_INFO,
		.semaphore = oom->timeline,
		.value = value,
		.stageMask = VK_PIPELINE_STAGE_2_ALL_COMMANDS_BIT,
	};
	const VkSubmitInfo2 info2 = {
		.sType = VK_STRUCTURE_TYPE_SUBMIT_INFO_2,
		.pNext = way->unknown ? &unknown2 : NULL,
		.commandBufferInfoCount = 1,
		.pCommandBufferInfos = &buffer,
		.signalSemaphoreInfoCount = 1,
		.pSignalSemaphoreInfos = &signal,
	};
	const VkBindSparseInfo bind = {
		.sType = VK_STRUCTURE_TYPE_BIND_SPARSE_INFO,
		.pNext = chain,
		.signalSemaphoreCount = 1,
		.pSignalSemaphores = &oom->timeline,
	};

	if (way->sparse)
		return vkQueueBindSparse(oom->app.queue, 1, &bind, fence);
	return way->version2 ? vkQueueSubmit2(oom->app.queue, 1, &info2, fence) :
			       vkQueueSubmit(oom->app.queue, 1, &info, fence);
}

/* A submission that waits for the next point. */
static void submit_wait(struct oom *oom)
{
	const VkPipelineStageFlags stage = VK_PIPELINE_STAGE_ALL_COMMANDS_BIT;
	const uint64_t value = oom->value + 1;
	const VkTimelineSemaphoreSubmitInfo points = {
		.sType = VK_STRUCTURE_TYPE_TIMELINE_SEMAPHORE_SUBMIT_INFO,
		.waitSemaphoreValueCount = 1,
		.pWaitSemaphoreValues = &value,
	};
	const VkSubmitInfo info = {
		.sType = VK_STRUCTURE_TYPE_SUBMIT_INFO,
		.pNext = &points,
		.waitSemaphoreCount = 1,
		.pWaitSemaphores = &oom->timeline,
		.pWaitDstStageMask = &stage,
	};

	need(vkQueueSubmit(oom->app.queue, 1, &info, VK_NULL_HANDLE), "vkQueueSubmit");
}

static VkFence create_fence(struct oom *oom)
{
	const VkFenceCreateInfo info = { .sType = VK_STRUCTURE_TYPE_FENCE_CREATE_INFO };
	VkFence fence;

	need(vkCreateFence(oom->app.device, &info, NULL, &fence), "vkCreateFence");
	return fence;
}

static void signal_host(struct oom *oom, uint64_t value)
{
	const VkSemaphoreSignalInfo info = {
		.sType = VK_STRUCTURE_TYPE_SEMAPHORE_SIGNAL_INFO,
		.semaphore = oom->timeline,
		.value = value,
	};

	need(vkSignalSemaphore(oom->app.device, &info), "vkSignalSemaphore");
}

static VkResult wait_for_point(struct oom *oom, uint64_t value)
{
	const VkSemaphoreWaitInfo info = {
		.sType = VK_STRUCTURE_TYPE_SEMAPHORE_WAIT_INFO,
		.semaphoreCount = 1,
		.pSemaphores = &oom->timeline,
		.pValues = &value,
	};

	return vkWaitSemaphores(oom->app.device, &info, UINT64_MAX);
}

/* Whether all parts have been written, or none if it was refused. Clears them. */
static bool is_whole(struct oom *oom, const struct way *way, bool done)
{
	const uint32_t value = done && !way->sparse ? 46 : 0;
	bool whole = true;

	for (uint32_t i = 0; i < PARTS * PART; i++)
		whole &= oom->buffer.words[i] == value;
	memset(oom->buffer.words, 0, WORDS * sizeof(uint32_t));
	return whole;
}

/* One submission with failures. Returns their number, or -1 if something is wrong. */
static int try(struct oom *oom, const struct way *way, enum fake_failure what, uint32_t number)
{
	VkCommandBuffer cmd = record(oom, way);
	VkFence fence = create_fence(oom);
	bool right = true;
	uint32_t failed;
	VkResult result;

	if (way->waits)
		submit_wait(oom);
	oom->fail(what, number);
	result = submit(oom, way, cmd, fence);
	if (what == FAKE_FAIL_OWN)
		failed = oom->fail(FAKE_FAIL_NOTHING, 0);
	if (result == VK_SUCCESS) {
		if (way->waits)
			signal_host(oom, oom->value + 1);
		right &= vkWaitForFences(oom->app.device, 1, &fence, VK_TRUE, UINT64_MAX) ==
			 VK_SUCCESS;
		right &= wait_for_point(oom, oom->value + 2) == VK_SUCCESS;
		oom->value += 2;
	} else if (way->waits) {
		signal_host(oom, ++oom->value);
	}
	/* Where nothing has to wait, all of it reaches the driver. */
	right &= result == VK_SUCCESS || (way->waits && result == VK_ERROR_OUT_OF_HOST_MEMORY);
	/* It has a result, or it has failed. */
	if (way->query && result == VK_SUCCESS)
		query_wait(&oom->app, &oom->query);
	if (what != FAKE_FAIL_OWN)
		failed = oom->fail(FAKE_FAIL_NOTHING, 0);
	need(vkQueueWaitIdle(oom->app.queue), "vkQueueWaitIdle");
	right &= is_whole(oom, way, result == VK_SUCCESS);
	vkDestroyFence(oom->app.device, fence, NULL);
	vkFreeCommandBuffers(oom->app.device, oom->app.pool, 1, &cmd);
	return right ? (int)failed : -1;
}

static void try_all(struct oom *oom, const struct way *way)
{
	char text[128];
	int failed = 1;

	limit(LIMIT_S, way->text);
	for (uint32_t i = 1; i < MOST && failed == 1; i++) {
		failed = try(oom, way, FAKE_FAIL_OWN, i);
		if (failed < 0)
			printf("# allocation %u\n", i);
	}
	snprintf(text, sizeof(text), "%s: each allocation of the call", way->text);
	check(!failed, text);
	snprintf(text, sizeof(text), "%s: allocations of other threads", way->text);
	check(try(oom, way, FAKE_FAIL_OTHERS, 0) >= 0, text);
}

static void create_semaphores(struct oom *oom)
{
	const VkSemaphoreCreateInfo info = { .sType = VK_STRUCTURE_TYPE_SEMAPHORE_CREATE_INFO };
	uint32_t failed = 1;
	bool right = true;

	for (uint32_t i = 1; i < MOST && failed; i++) {
		VkSemaphore semaphore;
		VkResult result;

		oom->fail(FAKE_FAIL_OWN, i);
		result = vkCreateSemaphore(oom->app.device, &info, NULL, &semaphore);
		failed = oom->fail(FAKE_FAIL_NOTHING, 0);
		if (result == VK_SUCCESS)
			vkDestroySemaphore(oom->app.device, semaphore, NULL);
		right &= result == (failed ? VK_ERROR_OUT_OF_HOST_MEMORY : VK_SUCCESS);
	}
	check(right && !failed, "vkCreateSemaphore: each allocation");
}

/*
 * The driver has no memory. It may have some a moment later. If not, and the call has returned before, the device is lost.
 */
static void refuse(struct oom *oom, const struct way *way)
{
	VkCommandBuffer cmd = record(oom, way);
	VkFence fence = create_fence(oom);
	VkResult result;

	limit(LIMIT_S, "a driver without memory");
	oom->fail(FAKE_FAIL_SUBMISSIONS, 2);
	do {
		result = submit(oom, way, cmd, fence);
	} while (result == VK_ERROR_OUT_OF_DEVICE_MEMORY);
	check(result == VK_SUCCESS &&
	      vkWaitForFences(oom->app.device, 1, &fence, VK_TRUE, UINT64_MAX) == VK_SUCCESS,
	      "the driver has no memory for a moment");
	check(is_whole(oom, way, true), "all is executed");
	oom->value += 2;
	need(vkResetFences(oom->app.device, 1, &fence), "vkResetFences");
	oom->fail(FAKE_FAIL_SUBMISSIONS, UINT32_MAX);
	result = submit(oom, way, cmd, fence);
	if (result == VK_SUCCESS) {
		result = wait_for_point(oom, oom->value + 2);
		check(result == VK_ERROR_DEVICE_LOST, "a wait for a point ends");
		result = vkWaitForFences(oom->app.device, 1, &fence, VK_TRUE, UINT64_MAX);
		check(result == VK_ERROR_DEVICE_LOST, "a wait for a fence ends");
		do {
			result = vkGetFenceStatus(oom->app.device, fence);
		} while (result == VK_NOT_READY);
		check(result == VK_ERROR_DEVICE_LOST, "polls of a fence end");
		result = query_wait(&oom->app, &oom->query);
		check(result == (oom->query.offered ? VK_ERROR_DEVICE_LOST : VK_SUCCESS),
		      "a wait for a query ends");
		result = vkQueueWaitIdle(oom->app.queue);
		check(result == VK_ERROR_DEVICE_LOST, "vkQueueWaitIdle ends");
		result = vkDeviceWaitIdle(oom->app.device);
		check(result == VK_ERROR_DEVICE_LOST, "vkDeviceWaitIdle ends");
		result = submit(oom, way, cmd, fence);
		check(result == VK_ERROR_DEVICE_LOST, "the next call says so");
	} else {
		check(result == VK_ERROR_OUT_OF_DEVICE_MEMORY, "a wait for a point ends");
		check(true, "a wait for a fence ends");
		check(true, "polls of a fence end");
		check(true, "a wait for a query ends");
		check(true, "vkQueueWaitIdle ends");
		check(true, "vkDeviceWaitIdle ends");
		check(true, "the next call says so");
	}
	oom->fail(FAKE_FAIL_NOTHING, 0);
	vkDestroyFence(oom->app.device, fence, NULL);
}

int main(void)
{
	static const struct way ways[] = {
		{ "vkQueueSubmit" },
		{ "vkQueueSubmit2", .version2 = true },
		{ "vkQueueBindSparse", .sparse = true },
		{ "vkQueueSubmit with a query", .query = true },
		{ "vkQueueSubmit behind a wait", .waits = true },
		{ "vkQueueSubmit2 behind a wait", .version2 = true, .waits = true },
		{ "vkQueueBindSparse behind a wait", .sparse = true, .waits = true },
		{ "vkQueueSubmit with a query behind a wait", .query = true, .waits = true },
	};
	static const struct way unknown[] = {
		{ "vkQueueSubmit with an unknown structure", .unknown = true, .query = true },
		{ "vkQueueSubmit2 with an unknown structure", .unknown = true, .version2 = true },
		{ "vkQueueSubmit with an unknown structure behind a wait", .unknown = true,
		  .waits = true, .query = true },
		{ "vkQueueBindSparse with an unknown structure behind a wait", .unknown = true,
		  .sparse = true, .waits = true },
	};
	struct oom oom = { 0 };
	bool offered;

	app_instance(&oom.app);
	offered = query_enable(&oom.app);
	app_device(&oom.app);
	oom.fail = (PFN_fake_fail)app_function(&oom.app, "vkFailTEST");
	oom.buffer = app_buffer(&oom.app);
	oom.writer = app_writer(&oom.app);
	oom.query = query_start(&oom.app, offered);
	oom.timeline = app_semaphore(&oom.app, VK_SEMAPHORE_TYPE_TIMELINE, 0, false);
	create_semaphores(&oom);
	for (size_t i = 0; i < COUNT(ways); i++)
		try_all(&oom, &ways[i]);
	for (size_t i = 0; i < COUNT(unknown) && !is_validated(); i++)
		try_all(&oom, &unknown[i]);
	/* Khronos' validation does not take back what the driver has refused. */
	if (!is_validated())
		refuse(&oom, &ways[3]);
	limit(LIMIT_S, "the end");
	query_finish(&oom.app, &oom.query);
	vkDestroySemaphore(oom.app.device, oom.timeline, NULL);
	vkDestroyPipeline(oom.app.device, oom.writer, NULL);
	app_free_buffer(&oom.app, &oom.buffer);
	app_finish(&oom.app);
	return 0;
}
