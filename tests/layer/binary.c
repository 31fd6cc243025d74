// SPDX-License-Identifier: GPL-2.0 or MIT
/* Copyright (c) 2026 The panthor-perf developers */

/*
 * A device of Vulkan 1.1 that has not enabled timeline semaphores, as Chromium's: binary semaphores
 * that are exported and imported order submissions, and it has no functions of timelines.
 */

#include <stdio.h>

#include "app.h"

#define OPAQUE		VK_EXTERNAL_SEMAPHORE_HANDLE_TYPE_OPAQUE_FD_BIT
#define WORDS_COPIED	64
#define ROUNDS		8

/* All of them are of timelines. */
static void check_functions(struct app *app)
{
	static const char *const names[] = {
		"vkGetSemaphoreCounterValue", "vkGetSemaphoreCounterValueKHR", "vkSignalSemaphore",
		"vkSignalSemaphoreKHR", "vkWaitSemaphores", "vkWaitSemaphoresKHR",
	};
	char text[64];

	for (uint32_t i = 0; i < COUNT(names); i++) {
		snprintf(text, sizeof(text), "no function '%s'", names[i]);
		check(!vkGetDeviceProcAddr(app->device, names[i]), text);
	}
}

static VkSemaphore create_semaphore(struct app *app, bool exported)
{
	const VkExportSemaphoreCreateInfo export = {
		.sType = VK_STRUCTURE_TYPE_EXPORT_SEMAPHORE_CREATE_INFO,
		.handleTypes = OPAQUE,
	};
	const VkSemaphoreCreateInfo info = {
		.sType = VK_STRUCTURE_TYPE_SEMAPHORE_CREATE_INFO,
		.pNext = exported ? &export : NULL,
	};
	VkSemaphore semaphore;

	need(vkCreateSemaphore(app->device, &info, NULL, &semaphore), "vkCreateSemaphore");
	return semaphore;
}

static void submit(struct app *app, const char *label, VkCommandBuffer cmd, VkSemaphore wait,
		   VkSemaphore signal)
{
	const VkPipelineStageFlags stages = VK_PIPELINE_STAGE_ALL_COMMANDS_BIT;
	const VkSubmitInfo info = {
		.sType = VK_STRUCTURE_TYPE_SUBMIT_INFO,
		.waitSemaphoreCount = !!wait,
		.pWaitSemaphores = &wait,
		.pWaitDstStageMask = &stages,
		.commandBufferCount = 1,
		.pCommandBuffers = &cmd,
		.signalSemaphoreCount = !!signal,
		.pSignalSemaphores = &signal,
	};

	need(vkQueueSubmit(app->queue, 1, &info, VK_NULL_HANDLE), "vkQueueSubmit");
	printf("row submission %s\nrow command-buffer %s\nrow workload %s\n", label, label, label);
}

static VkCommandBuffer record(struct app *app, const char *label, const struct buffer *buffer,
			      uint32_t value)
{
	const VkDeviceSize size = WORDS_COPIED * sizeof(uint32_t);
	const VkBufferCopy copy = { 0, size, size };
	VkCommandBuffer cmd = app_begin(app);

	app_begin_label(app, cmd, label);
	if (value)
		vkCmdFillBuffer(cmd, buffer->buffer, 0, size, value);
	else
		vkCmdCopyBuffer(cmd, buffer->buffer, buffer->buffer, 1, &copy);
	app_end_label(app, cmd);
	app_barrier(cmd);
	app_end(cmd);
	return cmd;
}

/* The second submission needs what the first one has written. */
static void check_order(struct app *app, const struct buffer *buffer, VkSemaphore signal,
			VkSemaphore wait, const char *text)
{
	for (uint32_t round = 1; round <= ROUNDS; round++) {
		VkCommandBuffer cmds[] = { record(app, "fill", buffer, round),
					   record(app, "copy", buffer, 0) };

		submit(app, "fill", cmds[0], VK_NULL_HANDLE, signal);
		submit(app, "copy", cmds[1], wait, VK_NULL_HANDLE);
		app_wait(app);
		check_words(buffer->words + WORDS_COPIED, WORDS_COPIED, round, text);
		vkFreeCommandBuffers(app->device, app->pool, COUNT(cmds), cmds);
	}
}

int main(void)
{
	/* A chain without anything of timelines. */
	static const VkPhysicalDeviceFeatures2 features = {
		.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2,
	};
	struct app app = {
		.version = VK_API_VERSION_1_1,
		.names = { VK_KHR_EXTERNAL_SEMAPHORE_FD_EXTENSION_NAME },
		.features = &features,
	};
	VkSemaphore plain, exported, imported;
	struct buffer buffer;

	app_start(&app);
	check_functions(&app);
	buffer = app_buffer(&app);
	plain = create_semaphore(&app, false);
	exported = create_semaphore(&app, true);
	imported = create_semaphore(&app, false);
	check_order(&app, &buffer, plain, plain, "a semaphore of the device alone");
	check_order(&app, &buffer, exported, exported, "a semaphore that can be exported");
	app_share_semaphore(&app, exported, &app, imported);
	check_order(&app, &buffer, exported, imported, "a semaphore that was exported");
	check_order(&app, &buffer, imported, exported, "a semaphore that was imported");
	vkDestroySemaphore(app.device, plain, NULL);
	vkDestroySemaphore(app.device, exported, NULL);
	vkDestroySemaphore(app.device, imported, NULL);
	app_free_buffer(&app, &buffer);
	app_finish(&app);
	return 0;
}
