// SPDX-License-Identifier: GPL-2.0 or MIT
/* Copyright (c) 2026 The panthor-perf developers */

/*
 * Two devices share semaphores: a timeline one and a binary one. Each device writes to its buffer only what the other one has
 * made ready, and what the host sees in between shows the order.
 */

#include <stdio.h>

#include "app.h"

#define ROUNDS	20

struct half {
	struct app app;
	struct buffer buffer;
	VkPipeline writer;
	VkSemaphore timeline;
	VkSemaphore binary;
};

static VkCommandBuffer write_once(struct half *half, uint32_t first, uint32_t value)
{
	VkCommandBuffer cmd = app_begin(&half->app);

	app_write(&half->app, cmd, half->writer, &half->buffer, first, value);
	app_barrier(cmd);
	app_end(cmd);
	return cmd;
}

/* Points of 0 are none, and @binary is signalled (1) or waited for (-1). */
static void submit(struct half *half, VkCommandBuffer cmd, uint64_t wait, uint64_t signal,
		   int binary)
{
	VkSemaphoreSubmitInfo waits[2], signals[2];
	const VkSemaphoreSubmitInfo both = {
		.sType = VK_STRUCTURE_TYPE_SEMAPHORE_SUBMIT_INFO,
		.stageMask = VK_PIPELINE_STAGE_2_ALL_COMMANDS_BIT,
	};
	const VkCommandBufferSubmitInfo buffer = {
		.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_SUBMIT_INFO,
		.commandBuffer = cmd,
	};
	VkSubmitInfo2 info = {
		.sType = VK_STRUCTURE_TYPE_SUBMIT_INFO_2,
		.pWaitSemaphoreInfos = waits,
		.commandBufferInfoCount = 1,
		.pCommandBufferInfos = &buffer,
		.pSignalSemaphoreInfos = signals,
	};

	for (int i = 0; i < 2; i++)
		waits[i] = signals[i] = both;
	if (wait) {
		waits[info.waitSemaphoreInfoCount].semaphore = half->timeline;
		waits[info.waitSemaphoreInfoCount++].value = wait;
	}
	if (signal) {
		signals[info.signalSemaphoreInfoCount].semaphore = half->timeline;
		signals[info.signalSemaphoreInfoCount++].value = signal;
	}
	if (binary < 0)
		waits[info.waitSemaphoreInfoCount++].semaphore = half->binary;
	if (binary > 0)
		signals[info.signalSemaphoreInfoCount++].semaphore = half->binary;
	need(vkQueueSubmit2(half->app.queue, 1, &info, VK_NULL_HANDLE), "vkQueueSubmit2");
}

static uint64_t value_of(struct half *half)
{
	uint64_t value;

	need(vkGetSemaphoreCounterValue(half->app.device, half->timeline, &value),
	     "vkGetSemaphoreCounterValue");
	return value;
}

static void wait_for(struct half *half, uint64_t value)
{
	const VkSemaphoreWaitInfo info = {
		.sType = VK_STRUCTURE_TYPE_SEMAPHORE_WAIT_INFO,
		.semaphoreCount = 1,
		.pSemaphores = &half->timeline,
		.pValues = &value,
	};

	need(vkWaitSemaphores(half->app.device, &info, TIMEOUT_NS), "vkWaitSemaphores");
}

static void start(struct half *half)
{
	half->app.names[0] = VK_KHR_EXTERNAL_SEMAPHORE_FD_EXTENSION_NAME;
	app_start(&half->app);
	half->buffer = app_buffer(&half->app);
	half->writer = app_writer(&half->app);
}

static void finish(struct half *half)
{
	need(vkDeviceWaitIdle(half->app.device), "vkDeviceWaitIdle");
	vkDestroySemaphore(half->app.device, half->timeline, NULL);
	vkDestroySemaphore(half->app.device, half->binary, NULL);
	vkDestroyPipeline(half->app.device, half->writer, NULL);
	app_free_buffer(&half->app, &half->buffer);
	app_finish(&half->app);
}

/* The second device gets all of its work before the first one, which begins. */
static void take_turns(struct half *first, struct half *second)
{
	for (uint32_t i = 1; i <= ROUNDS; i++)
		submit(second, write_once(second, 0, i), 2 * i - 1, 2 * i, 0);
	check(value_of(first) == 0, "nothing has run before the first point");
	for (uint32_t i = 1; i <= ROUNDS; i++)
		submit(first, write_once(first, 64, i), 2 * i - 2, 2 * i - 1, 0);
	wait_for(second, 2 * ROUNDS);
	check(value_of(first) == 2 * ROUNDS, "both have the last point");
	check_words(first->buffer.words + 64, 64, ROUNDS, "the first device");
	check_words(second->buffer.words, 64, ROUNDS, "the second device");
}

static void by_binary(struct half *first, struct half *second)
{
	for (uint32_t i = 1; i <= ROUNDS; i++) {
		submit(first, write_once(first, 128, 100 + i), 0, 2 * ROUNDS + 2 * i - 1, 1);
		submit(second, write_once(second, 128, 200 + i), 2 * ROUNDS + 2 * i - 1,
		       2 * ROUNDS + 2 * i, -1);
		wait_for(first, 2 * ROUNDS + 2 * i);
	}
	check_words(first->buffer.words + 128, 64, 100 + ROUNDS, "the first device, binary");
	check_words(second->buffer.words + 128, 64, 200 + ROUNDS, "the second device, binary");
}

int main(void)
{
	struct half first = { 0 }, second = { 0 };

	/* Khronos' validation compares the points of earlier submissions with the value at the end. */
	printf("allow VUID-VkSubmitInfo2-semaphore-03882\n");
	start(&first);
	start(&second);
	first.timeline = app_semaphore(&first.app, VK_SEMAPHORE_TYPE_TIMELINE, 0, true);
	second.timeline = app_semaphore(&second.app, VK_SEMAPHORE_TYPE_TIMELINE, 0, false);
	app_share_semaphore(&first.app, first.timeline, &second.app, second.timeline);
	first.binary = app_semaphore(&first.app, VK_SEMAPHORE_TYPE_BINARY, 0, true);
	second.binary = app_semaphore(&second.app, VK_SEMAPHORE_TYPE_BINARY, 0, false);
	app_share_semaphore(&first.app, first.binary, &second.app, second.binary);
	take_turns(&first, &second);
	by_binary(&first, &second);
	finish(&second);
	finish(&first);
	return 0;
}
