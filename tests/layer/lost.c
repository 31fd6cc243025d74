// SPDX-License-Identifier: GPL-2.0 or MIT
/* Copyright (c) 2026 The panthor-perf developers */

/*
 * A command buffer with four dispatches is submitted in every way that a call of Vulkan has: with structures in the chains,
 * flags, device indices and masks, several elements, and on a queue that the application has not got from a layer. Each of
 * the dispatches writes a part of a buffer, and all of them must be executed, however the layer splits the command buffer.
 *
 * Some of it is not valid: the driver passes over what it does not know. It is left out with the validation layer.
 */

#include <dlfcn.h>
#include <link.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <vulkan/vk_layer.h>

#include "app.h"
#include "limit.h"
#include "query.h"

#define PARTS	4
#define PART	64
struct lost {
	struct app app;
	struct buffer buffer;
	VkPipeline writer;
	struct query query;
	uint32_t value;
	/* The layer knows all that is submitted, and counts it. */
	bool known;
};

static VkCommandBuffer record(struct lost *lost, uint32_t first)
{
	VkCommandBuffer cmd = app_begin(&lost->app);

	/* One query is pending at a time. */
	if (!first)
		query_begin(&lost->app, &lost->query, cmd);
	for (uint32_t i = 0; i < PARTS; i++)
		app_write(&lost->app, cmd, lost->writer, &lost->buffer, (first + i) * PART,
			  lost->value);
	if (!first)
		query_end(&lost->query, cmd);
	app_end(cmd);
	return cmd;
}

/* Waits, and checks what so many command buffers of so many submissions have written. */
static void check_all(struct lost *lost, uint32_t submissions, uint32_t cmds, const char *text)
{
	for (uint32_t i = 0; i < submissions && lost->known; i++)
		printf("row submission (no label)\n");
	for (uint32_t i = 0; i < cmds && lost->known; i++)
		printf("row command-buffer (no label)\n");
	for (uint32_t i = 0; i < cmds * PARTS && lost->known; i++)
		printf("row workload vkCmdDispatch\n");
	app_wait(&lost->app);
	check_words(lost->buffer.words, cmds * PARTS * PART, lost->value, text);
	check(query_wait(&lost->app, &lost->query) ==
	      (lost->known || !lost->query.offered ? VK_SUCCESS : VK_ERROR_DEVICE_LOST),
	      "its query has a result, or has failed");
	memset(lost->buffer.words, 0, WORDS * sizeof(uint32_t));
	lost->value++;
}

static void submit(struct lost *lost, const void *chain, const char *text)
{
	VkCommandBuffer cmd = record(lost, 0);
	const VkSubmitInfo info = {
		.sType = VK_STRUCTURE_TYPE_SUBMIT_INFO,
		.pNext = chain,
		.commandBufferCount = 1,
		.pCommandBuffers = &cmd,
	};

	need(vkQueueSubmit(lost->app.queue, 1, &info, VK_NULL_HANDLE), text);
	check_all(lost, 1, 1, text);
}

static void submit2(struct lost *lost, const void *chain, VkSubmitFlags flags, uint32_t mask,
		    const void *cmd_chain, const char *text)
{
	const VkCommandBufferSubmitInfo cmd = {
		.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_SUBMIT_INFO,
		.pNext = cmd_chain,
		.commandBuffer = record(lost, 0),
		.deviceMask = mask,
	};
	const VkSubmitInfo2 info = {
		.sType = VK_STRUCTURE_TYPE_SUBMIT_INFO_2,
		.pNext = chain,
		.flags = flags,
		.commandBufferInfoCount = 1,
		.pCommandBufferInfos = &cmd,
	};

	need(vkQueueSubmit2(lost->app.queue, 1, &info, VK_NULL_HANDLE), text);
	check_all(lost, 1, 1, text);
}

static VkSemaphore create_semaphore(struct lost *lost)
{
	const VkSemaphoreCreateInfo info = { .sType = VK_STRUCTURE_TYPE_SEMAPHORE_CREATE_INFO };
	VkSemaphore semaphore;

	need(vkCreateSemaphore(lost->app.device, &info, NULL, &semaphore), "vkCreateSemaphore");
	return semaphore;
}

/* Two elements with two command buffers each, a semaphore between them, and a mask for each command buffer. */
static void submit_groups(struct lost *lost, const void *chain, const char *text)
{
	const VkPipelineStageFlags stage = VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT;
	VkSemaphore semaphore = create_semaphore(lost);
	const VkCommandBuffer cmds[] = {
		record(lost, 0), record(lost, PARTS), record(lost, 2 * PARTS),
		record(lost, 3 * PARTS),
	};
	const uint32_t masks[] = { 1, 1 }, index = 0;
	const VkDeviceGroupSubmitInfo groups[] = {
		{
			.sType = VK_STRUCTURE_TYPE_DEVICE_GROUP_SUBMIT_INFO,
			.pNext = chain,
			.commandBufferCount = 2,
			.pCommandBufferDeviceMasks = masks,
			.signalSemaphoreCount = 1,
			.pSignalSemaphoreDeviceIndices = &index,
		}, {
			.sType = VK_STRUCTURE_TYPE_DEVICE_GROUP_SUBMIT_INFO,
			.waitSemaphoreCount = 1,
			.pWaitSemaphoreDeviceIndices = &index,
			.commandBufferCount = 2,
			.pCommandBufferDeviceMasks = masks,
		},
	};
	const VkSubmitInfo infos[] = {
		{
			.sType = VK_STRUCTURE_TYPE_SUBMIT_INFO,
			.pNext = &groups[0],
			.commandBufferCount = 2,
			.pCommandBuffers = cmds,
			.signalSemaphoreCount = 1,
			.pSignalSemaphores = &semaphore,
		}, {
			.sType = VK_STRUCTURE_TYPE_SUBMIT_INFO,
			.pNext = &groups[1],
			.waitSemaphoreCount = 1,
			.pWaitSemaphores = &semaphore,
			.pWaitDstStageMask = &stage,
			.commandBufferCount = 2,
			.pCommandBuffers = cmds + 2,
		},
	};

	need(vkQueueSubmit(lost->app.queue, COUNT(infos), infos, VK_NULL_HANDLE), text);
	check_all(lost, COUNT(infos), COUNT(cmds), text);
	vkDestroySemaphore(lost->app.device, semaphore, NULL);
}

/* Another device of a group: there is one device. */
static void submit_indices(struct lost *lost, uint32_t index, const char *text)
{
	VkSemaphore semaphore = create_semaphore(lost);
	const VkSemaphoreSubmitInfo op = {
		.sType = VK_STRUCTURE_TYPE_SEMAPHORE_SUBMIT_INFO,
		.semaphore = semaphore,
		.stageMask = VK_PIPELINE_STAGE_2_COMPUTE_SHADER_BIT,
		.deviceIndex = index,
	};
	const VkCommandBufferSubmitInfo cmds[] = {
		{
			.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_SUBMIT_INFO,
			.commandBuffer = record(lost, 0),
			.deviceMask = 1,
		}, {
			.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_SUBMIT_INFO,
			.commandBuffer = record(lost, PARTS),
		},
	};
	const VkSubmitInfo2 infos[] = {
		{
			.sType = VK_STRUCTURE_TYPE_SUBMIT_INFO_2,
			.commandBufferInfoCount = 1,
			.pCommandBufferInfos = &cmds[0],
			.signalSemaphoreInfoCount = 1,
			.pSignalSemaphoreInfos = &op,
		}, {
			.sType = VK_STRUCTURE_TYPE_SUBMIT_INFO_2,
			.waitSemaphoreInfoCount = 1,
			.pWaitSemaphoreInfos = &op,
			.commandBufferInfoCount = 1,
			.pCommandBufferInfos = &cmds[1],
		},
	};

	need(vkQueueSubmit2(lost->app.queue, COUNT(infos), infos, VK_NULL_HANDLE), text);
	check_all(lost, COUNT(infos), COUNT(cmds), text);
	vkDestroySemaphore(lost->app.device, semaphore, NULL);
}

static void submit_unknown(struct lost *lost)
{
	const uint32_t masks[] = { 1 };
	const VkDeviceGroupSubmitInfo group = {
		.sType = VK_STRUCTURE_TYPE_DEVICE_GROUP_SUBMIT_INFO,
		.commandBufferCount = 1,
		.pCommandBufferDeviceMasks = masks,
	};
	const struct unknown alone = { UNKNOWN_TYPE }, in_front = { UNKNOWN_TYPE, &group };
	VkDeviceGroupSubmitInfo group_in_front = group;

	group_in_front.pNext = &alone;
	lost->known = false;
	submit(lost, &alone, "an unknown structure");
	submit(lost, &in_front, "an unknown structure and VkDeviceGroupSubmitInfo");
	submit(lost, &group_in_front, "VkDeviceGroupSubmitInfo and an unknown structure");
	submit_groups(lost, &alone, "an unknown structure in one of two elements");
	submit2(lost, &alone, 0, 0, NULL, "an unknown structure of vkQueueSubmit2");
	submit2(lost, NULL, 0, 0, &alone, "an unknown structure of a command buffer");
	lost->known = true;
	submit2(lost, NULL, VK_SUBMIT_PROTECTED_BIT, 0, NULL, "flags");
	submit2(lost, NULL, 0, 3, NULL, "a device mask with a second device");
	submit_indices(lost, 1, "device index 1");
}

static int find_below(struct dl_phdr_info *info, size_t size, void *found)
{
	if (strstr(info->dlpi_name, "libVkLayer_test_node.so"))
		*(void **)found = dlopen(info->dlpi_name, RTLD_NOW | RTLD_NOLOAD);
	return 0;
}

/*
 * A queue that the layer has not seen: that of the layer below, as another layer gets it. The dispatch table is what stands
 * first in a handle.
 */
static void submit_elsewhere(struct lost *lost)
{
	struct lost other = { .value = 7012, .known = true };
	void *below = NULL;
	PFN_vkNegotiateLoaderLayerInterfaceVersion negotiate;
	PFN_vkGetDeviceQueue get_queue = NULL;
	VkNegotiateLayerInterface version = {
		.sType = LAYER_NEGOTIATE_INTERFACE_STRUCT,
		.loaderLayerInterfaceVersion = CURRENT_LOADER_LAYER_INTERFACE_VERSION,
	};

	other.app = lost->app;
	other.app.no_queue = true;
	app_device(&other.app);
	dl_iterate_phdr(find_below, &below);
	negotiate = below ? (PFN_vkNegotiateLoaderLayerInterfaceVersion)
		dlsym(below, "vkNegotiateLoaderLayerInterfaceVersion") : NULL;
	if (!negotiate || negotiate(&version))
		need(VK_ERROR_LAYER_NOT_PRESENT, "the layer below");
	get_queue = (PFN_vkGetDeviceQueue)
		version.pfnGetDeviceProcAddr(other.app.device, "vkGetDeviceQueue");
	get_queue(other.app.device, 0, 0, &other.app.queue);
	*(void **)other.app.queue = *(void **)other.app.device;
	other.buffer = app_buffer(&other.app);
	other.writer = app_writer(&other.app);
	submit(&other, NULL, "a queue that the layer has not seen");
	submit2(&other, NULL, 0, 0, NULL, "once more");
	vkDestroyPipeline(other.app.device, other.writer, NULL);
	app_free_buffer(&other.app, &other.buffer);
	app_destroy_device(&other.app);
	dlclose(below);
}

int main(void)
{
	const VkProtectedSubmitInfo not_protected = {
		.sType = VK_STRUCTURE_TYPE_PROTECTED_SUBMIT_INFO,
	};
	const VkTimelineSemaphoreSubmitInfo points = {
		.sType = VK_STRUCTURE_TYPE_TIMELINE_SEMAPHORE_SUBMIT_INFO,
		.pNext = &not_protected,
	};
	const uint32_t masks[] = { 1 };
	const VkDeviceGroupSubmitInfo group = {
		.sType = VK_STRUCTURE_TYPE_DEVICE_GROUP_SUBMIT_INFO,
		.pNext = &points,
		.commandBufferCount = 1,
		.pCommandBufferDeviceMasks = masks,
	};
	struct lost lost = { .value = 7012, .known = true };
	bool offered;

	app_instance(&lost.app);
	offered = query_enable(&lost.app);
	app_device(&lost.app);
	lost.query = query_start(&lost.app, offered);
	lost.buffer = app_buffer(&lost.app);
	lost.writer = app_writer(&lost.app);
	submit(&lost, NULL, "nothing in the chain");
	submit(&lost, &not_protected, "VkProtectedSubmitInfo");
	submit(&lost, &points, "VkTimelineSemaphoreSubmitInfo, VkProtectedSubmitInfo");
	submit(&lost, &group, "VkDeviceGroupSubmitInfo and both of them");
	submit_groups(&lost, &not_protected, "VkDeviceGroupSubmitInfo with two command buffers");
	submit2(&lost, NULL, 0, 1, NULL, "a device mask");
	submit_indices(&lost, 0, "device index 0");
	if (!is_validated()) {
		submit_unknown(&lost);
		submit_elsewhere(&lost);
	}
	query_finish(&lost.app, &lost.query);
	vkDestroyPipeline(lost.app.device, lost.writer, NULL);
	app_free_buffer(&lost.app, &lost.buffer);
	app_finish(&lost.app);
	return 0;
}
