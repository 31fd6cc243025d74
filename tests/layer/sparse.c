// SPDX-License-Identifier: GPL-2.0 or MIT
/* Copyright (c) 2026 The panthor-perf developers */

/*
 * Memory is bound to a sparse buffer by a call that comes behind a submission that waits for the host, and whose structures
 * are overwritten when it has returned. Frames end in vkQueueBindSparse: only frame 1 is profiled.
 */

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "app.h"
#include "limit.h"

#define PART		64
/* Of memory that is bound at once. */
#define BLOCK		65536
#define BLOCKS		2

struct sparse {
	struct app app;
	struct buffer copy;
	VkPipeline writer;
	VkBuffer buffer;
	VkDeviceMemory memory;
	VkDescriptorSet set;
	VkSemaphore timeline;
	uint64_t value;
};

static void create(struct sparse *sparse)
{
	const VkBufferCreateInfo info = {
		.sType = VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO,
		.flags = VK_BUFFER_CREATE_SPARSE_BINDING_BIT,
		.size = BLOCKS * BLOCK,
		.usage = VK_BUFFER_USAGE_STORAGE_BUFFER_BIT | VK_BUFFER_USAGE_TRANSFER_SRC_BIT,
	};
	const VkDescriptorSetAllocateInfo set = {
		.sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_ALLOCATE_INFO,
		.descriptorPool = sparse->app.sets,
		.descriptorSetCount = 1,
		.pSetLayouts = &sparse->app.set_layout,
	};
	VkDescriptorBufferInfo whole = { .range = VK_WHOLE_SIZE };
	VkWriteDescriptorSet write = {
		.sType = VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET,
		.descriptorCount = 1,
		.descriptorType = VK_DESCRIPTOR_TYPE_STORAGE_BUFFER,
		.pBufferInfo = &whole,
	};
	VkMemoryAllocateInfo memory = { .sType = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO };
	struct app *app = &sparse->app;
	VkMemoryRequirements needs;

	sparse->timeline = app_semaphore(app, VK_SEMAPHORE_TYPE_TIMELINE, 0, false);
	need(vkCreateBuffer(app->device, &info, NULL, &sparse->buffer), "vkCreateBuffer");
	vkGetBufferMemoryRequirements(app->device, sparse->buffer, &needs);
	memory.allocationSize = BLOCKS * BLOCK;
	while (!(needs.memoryTypeBits & 1u << memory.memoryTypeIndex))
		memory.memoryTypeIndex++;
	need(vkAllocateMemory(app->device, &memory, NULL, &sparse->memory), "vkAllocateMemory");
	need(vkAllocateDescriptorSets(app->device, &set, &sparse->set), "vkAllocateDescriptorSets");
	whole.buffer = sparse->buffer;
	write.dstSet = sparse->set;
	vkUpdateDescriptorSets(app->device, 1, &write, 0, NULL);
}

static void submit_points(struct sparse *sparse, VkCommandBuffer cmd, uint64_t wait)
{
	const VkPipelineStageFlags stage = VK_PIPELINE_STAGE_ALL_COMMANDS_BIT;
	const VkTimelineSemaphoreSubmitInfo points = {
		.sType = VK_STRUCTURE_TYPE_TIMELINE_SEMAPHORE_SUBMIT_INFO,
		.waitSemaphoreValueCount = 1,
		.pWaitSemaphoreValues = &wait,
	};
	const VkSubmitInfo info = {
		.sType = VK_STRUCTURE_TYPE_SUBMIT_INFO,
		.pNext = &points,
		.waitSemaphoreCount = 1,
		.pWaitSemaphores = &sparse->timeline,
		.pWaitDstStageMask = &stage,
		.commandBufferCount = !!cmd,
		.pCommandBuffers = &cmd,
	};

	need(vkQueueSubmit(sparse->app.queue, 1, &info, VK_NULL_HANDLE), "vkQueueSubmit");
}

/* Two elements, each with one of the blocks; the second one waits for the first. */
static void bind(struct sparse *sparse)
{
	uint64_t between = sparse->value + 2, behind = sparse->value + 3;
	VkTimelineSemaphoreSubmitInfo points[] = {
		{
			.sType = VK_STRUCTURE_TYPE_TIMELINE_SEMAPHORE_SUBMIT_INFO,
			.signalSemaphoreValueCount = 1,
			.pSignalSemaphoreValues = &between,
		}, {
			.sType = VK_STRUCTURE_TYPE_TIMELINE_SEMAPHORE_SUBMIT_INFO,
			.waitSemaphoreValueCount = 1,
			.pWaitSemaphoreValues = &between,
			.signalSemaphoreValueCount = 1,
			.pSignalSemaphoreValues = &behind,
		},
	};
	VkDeviceGroupBindSparseInfo group = {
		.sType = VK_STRUCTURE_TYPE_DEVICE_GROUP_BIND_SPARSE_INFO,
		.pNext = &points[1],
	};
	VkSparseMemoryBind binds[BLOCKS];
	VkSparseBufferMemoryBindInfo buffers[BLOCKS];
	VkSemaphore semaphore = sparse->timeline;
	VkBindSparseInfo infos[BLOCKS];

	for (uint32_t i = 0; i < BLOCKS; i++) {
		binds[i] = (VkSparseMemoryBind) {
			.resourceOffset = i * BLOCK,
			.size = BLOCK,
			.memory = sparse->memory,
			.memoryOffset = (BLOCKS - 1 - i) * BLOCK,
		};
		buffers[i] = (VkSparseBufferMemoryBindInfo) { sparse->buffer, 1, &binds[i] };
		infos[i] = (VkBindSparseInfo) {
			.sType = VK_STRUCTURE_TYPE_BIND_SPARSE_INFO,
			.pNext = i ? (void *)&group : &points[0],
			.waitSemaphoreCount = i,
			.pWaitSemaphores = &semaphore,
			.bufferBindCount = 1,
			.pBufferBinds = &buffers[i],
			.signalSemaphoreCount = 1,
			.pSignalSemaphores = &semaphore,
		};
	}
	need(vkQueueBindSparse(sparse->app.queue, BLOCKS, infos, VK_NULL_HANDLE),
	     "vkQueueBindSparse");
	memset(points, 0xa5, sizeof(points));
	memset(&group, 0xa5, sizeof(group));
	memset(binds, 0xa5, sizeof(binds));
	memset(buffers, 0xa5, sizeof(buffers));
	memset(infos, 0xa5, sizeof(infos));
	memset(&semaphore, 0xa5, sizeof(semaphore));
	between = behind = UINT64_MAX;
}

/* What is written into the second block comes out of the first half of the memory. */
static VkCommandBuffer record(struct sparse *sparse)
{
	const struct push push = { BLOCK / sizeof(uint32_t), 46 };
	const VkBufferCopy region = { BLOCK, 0, PART * sizeof(uint32_t) };
	VkCommandBuffer cmd = app_begin(&sparse->app);

	vkCmdBindPipeline(cmd, VK_PIPELINE_BIND_POINT_COMPUTE, sparse->writer);
	vkCmdBindDescriptorSets(cmd, VK_PIPELINE_BIND_POINT_COMPUTE, sparse->app.layout, 0, 1,
				&sparse->set, 0, NULL);
	vkCmdPushConstants(cmd, sparse->app.layout, VK_SHADER_STAGE_ALL, 0, sizeof(push), &push);
	vkCmdDispatch(cmd, PART, 1, 1);
	app_barrier(cmd);
	vkCmdCopyBuffer(cmd, sparse->buffer, sparse->copy.buffer, 1, &region);
	app_barrier(cmd);
	app_end(cmd);
	return cmd;
}

/* A frame ends; by a structure that is newer than the headers of Debian 12. */
static void end_frame(struct sparse *sparse)
{
	const VkFrameBoundaryEXT boundary = {
		.sType = VK_STRUCTURE_TYPE_FRAME_BOUNDARY_EXT,
		.flags = VK_FRAME_BOUNDARY_FRAME_END_BIT_EXT,
		.frameID = 7,
	};
	const VkBindSparseInfo info = {
		.sType = VK_STRUCTURE_TYPE_BIND_SPARSE_INFO,
		.pNext = &boundary,
	};

	need(vkQueueBindSparse(sparse->app.queue, 1, &info, VK_NULL_HANDLE), "the end of a frame");
}

static void run_frame(struct sparse *sparse, const char *text)
{
	VkCommandBuffer cmd = record(sparse);

	app_submit(&sparse->app, cmd);
	app_wait(&sparse->app);
	check_words(sparse->copy.words, PART, 46, text);
	memset(sparse->copy.words, 0, WORDS * sizeof(uint32_t));
}

int main(void)
{
	const VkPhysicalDeviceVulkan13Features features13 = {
		.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_3_FEATURES,
		.synchronization2 = VK_TRUE,
		.dynamicRendering = VK_TRUE,
	};
	const VkPhysicalDeviceVulkan12Features features12 = {
		.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_2_FEATURES,
		.pNext = (void *)&features13,
		.timelineSemaphore = VK_TRUE,
	};
	const VkPhysicalDeviceFeatures2 features = {
		.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_FEATURES_2,
		.pNext = (void *)&features12,
		.features.sparseBinding = VK_TRUE,
	};
	struct sparse sparse = { .app.features = &features };
	VkSemaphoreSignalInfo signal = { .sType = VK_STRUCTURE_TYPE_SEMAPHORE_SIGNAL_INFO };
	VkCommandBuffer cmd;

	setenv("PANTHOR_PERF_LAYER_FRAMES", "1", 1);
	app_start(&sparse.app);
	sparse.copy = app_buffer(&sparse.app);
	sparse.writer = app_writer(&sparse.app);
	create(&sparse);
	limit(LIMIT_S, "vkQueueBindSparse behind the host");
	submit_points(&sparse, VK_NULL_HANDLE, sparse.value + 1);
	bind(&sparse);
	cmd = record(&sparse);
	submit_points(&sparse, cmd, sparse.value + 3);
	signal.semaphore = sparse.timeline;
	signal.value = sparse.value + 1;
	need(vkSignalSemaphore(sparse.app.device, &signal), "vkSignalSemaphore");
	app_wait(&sparse.app);
	check_words(sparse.copy.words, PART, 46, "what is written into bound memory");
	memset(sparse.copy.words, 0, WORDS * sizeof(uint32_t));
	if (!is_validated()) {
		limit(LIMIT_S, "frames that end in vkQueueBindSparse");
		end_frame(&sparse);
		printf("row submission (no label)\nrow command-buffer (no label)\n");
		printf("row workload vkCmdDispatch\nrow workload vkCmdCopyBuffer\n");
		run_frame(&sparse, "frame 1");
		end_frame(&sparse);
		run_frame(&sparse, "frame 2");
	}
	limit(LIMIT_S, "the end");
	vkDestroySemaphore(sparse.app.device, sparse.timeline, NULL);
	vkDestroyPipeline(sparse.app.device, sparse.writer, NULL);
	vkDestroyBuffer(sparse.app.device, sparse.buffer, NULL);
	vkFreeMemory(sparse.app.device, sparse.memory, NULL);
	app_free_buffer(&sparse.app, &sparse.copy);
	app_finish(&sparse.app);
	return 0;
}
