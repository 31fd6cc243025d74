// SPDX-License-Identifier: GPL-2.0 or MIT
/* Copyright (c) 2026 The panthor-perf developers */

/* Three queues of two families, one without graphics: each waits for the one before by a binary semaphore. */

#include <stdio.h>

#include "app.h"

#define ROUNDS		5
#define DISPATCHES	3

static void submit(VkQueue queue, VkCommandBuffer cmd, VkSemaphore wait, VkSemaphore signal)
{
	const VkPipelineStageFlags stage = VK_PIPELINE_STAGE_ALL_COMMANDS_BIT;
	const VkSubmitInfo info = {
		.sType = VK_STRUCTURE_TYPE_SUBMIT_INFO,
		.waitSemaphoreCount = wait ? 1 : 0,
		.pWaitSemaphores = &wait,
		.pWaitDstStageMask = &stage,
		.commandBufferCount = 1,
		.pCommandBuffers = &cmd,
		.signalSemaphoreCount = signal ? 1 : 0,
		.pSignalSemaphores = &signal,
	};

	need(vkQueueSubmit(queue, 1, &info, VK_NULL_HANDLE), "vkQueueSubmit");
}

/* Each dispatch writes to its own place, and the last one of a queue copies what the queue before has written. */
static VkCommandBuffer record(struct app *app, VkCommandPool pool, VkPipeline writer,
			      const struct buffer *buffer, uint32_t queue, uint32_t value)
{
	const VkBufferCopy copy = {
		(queue + 2) % 3 * 4 * 64 * sizeof(uint32_t),
		(queue * 4 + 3) * 64 * sizeof(uint32_t), 64 * sizeof(uint32_t),
	};
	VkCommandBuffer cmd = app_begin_of(app, pool);

	for (uint32_t i = 0; i < DISPATCHES; i++)
		app_write(app, cmd, writer, buffer, (queue * 4 + i) * 64, value + i);
	app_barrier(cmd);
	vkCmdCopyBuffer(cmd, buffer->buffer, buffer->buffer, 1, &copy);
	app_barrier(cmd);
	app_end(cmd);
	return cmd;
}

static void check_families(struct app *app)
{
	VkQueueFamilyProperties families[4];
	uint32_t count = COUNT(families);

	vkGetPhysicalDeviceQueueFamilyProperties(app->gpu, &count, families);
	check(count == 2 && families[0].queueCount == 2 && families[1].queueCount == 1,
	      "two families");
	check(families[0].queueFlags & VK_QUEUE_GRAPHICS_BIT &&
	      !(families[1].queueFlags & VK_QUEUE_GRAPHICS_BIT) &&
	      families[1].queueFlags & VK_QUEUE_COMPUTE_BIT, "the second one has compute alone");
}

int main(void)
{
	const VkSemaphoreCreateInfo info = { .sType = VK_STRUCTURE_TYPE_SEMAPHORE_CREATE_INFO };
	struct app app = { .all_queues = true };
	VkSemaphore semaphores[2];
	struct buffer buffer;
	VkPipeline writer;

	app_start(&app);
	check_families(&app);
	buffer = app_buffer(&app);
	writer = app_writer(&app);
	for (uint32_t i = 0; i < 2; i++)
		need(vkCreateSemaphore(app.device, &info, NULL, &semaphores[i]),
		     "vkCreateSemaphore");
	for (uint32_t round = 1; round <= ROUNDS; round++) {
		const uint32_t value = 1000 * round;

		submit(app.queue, record(&app, app.pool, writer, &buffer, 0, value),
		       VK_NULL_HANDLE, semaphores[0]);
		submit(app.compute, record(&app, app.compute_pool, writer, &buffer, 1, value + 10),
		       semaphores[0], semaphores[1]);
		submit(app.second, record(&app, app.pool, writer, &buffer, 2, value + 20),
		       semaphores[1], VK_NULL_HANDLE);
		need(vkQueueWaitIdle(app.second), "vkQueueWaitIdle");
		for (uint32_t i = 0; i < 3; i++)
			printf("row submission (no label)\nrow command-buffer (no label)\n"
			       "row workload vkCmdDispatch\nrow workload vkCmdDispatch\n"
			       "row workload vkCmdDispatch\nrow workload vkCmdCopyBuffer\n");
	}
	for (uint32_t queue = 0; queue < 3; queue++) {
		const uint32_t before = queue ? 1000 * ROUNDS + 10 * (queue - 1) :
						1000 * (ROUNDS - 1) + 20;
		const uint32_t *words = buffer.words + queue * 4 * 64;

		for (uint32_t i = 0; i < DISPATCHES; i++)
			check_words(words + i * 64, 64, 1000 * ROUNDS + 10 * queue + i, "dispatch");
		check_words(words + DISPATCHES * 64, 64, before, "what the queue before wrote");
	}
	need(vkDeviceWaitIdle(app.device), "vkDeviceWaitIdle");
	for (uint32_t i = 0; i < 2; i++)
		vkDestroySemaphore(app.device, semaphores[i], NULL);
	vkDestroyPipeline(app.device, writer, NULL);
	app_free_buffer(&app, &buffer);
	app_finish(&app);
	return 0;
}
