// SPDX-License-Identifier: GPL-2.0 or MIT
/* Copyright (c) 2026 The panthor-perf developers */

/*
 * usage: vk-calls ROUNDS [MINOR]
 *
 * Records and submits command buffers on the first Vulkan device, for a tool that counts the instructions of
 * record_commands() and submit_commands(). Prints the number of commands and of submissions. With MINOR, the instance
 * is of Vulkan 1.MINOR instead of 1.1; from 1.3 on, its copies, barriers and submissions are those of Vulkan 1.3.
 */

#include <stdio.h>
#include <stdlib.h>

#include <vulkan/vulkan.h>

#define SIZE		65536
#define COMMANDS	200
#define COUNT(array)	(sizeof(array) / sizeof((array)[0]))

struct objects {
	VkDevice device;
	VkQueue queue;
	VkCommandPool pool;
	VkCommandBuffer cmd;
	VkBuffer buffers[2];
	VkPipelineLayout layout;
	VkFence fence;
	int minor;
};

static void check(VkResult result, const char *what)
{
	if (result == VK_SUCCESS)
		return;
	fprintf(stderr, "vk-calls: %s: VkResult %d\n", what, result);
	exit(1);
}

static VkPhysicalDevice find_device(int minor)
{
	const VkApplicationInfo app = {
		.sType = VK_STRUCTURE_TYPE_APPLICATION_INFO,
		.apiVersion = VK_MAKE_API_VERSION(0, 1, minor, 0),
	};
	const VkInstanceCreateInfo info = {
		.sType = VK_STRUCTURE_TYPE_INSTANCE_CREATE_INFO,
		.pApplicationInfo = &app,
	};
	VkPhysicalDevice physical;
	VkInstance instance;
	uint32_t count = 1;
	VkResult result;

	check(vkCreateInstance(&info, NULL, &instance), "vkCreateInstance");
	result = vkEnumeratePhysicalDevices(instance, &count, &physical);
	if (result != VK_SUCCESS && result != VK_INCOMPLETE)
		check(result, "vkEnumeratePhysicalDevices");
	if (!count)
		check(VK_ERROR_INITIALIZATION_FAILED, "finding a device");
	return physical;
}

static void create_device(VkPhysicalDevice physical, struct objects *vk)
{
	static const float priority = 1;
	const VkDeviceQueueCreateInfo queue = {
		.sType = VK_STRUCTURE_TYPE_DEVICE_QUEUE_CREATE_INFO,
		.queueCount = 1,
		.pQueuePriorities = &priority,
	};
	const VkPhysicalDeviceVulkan13Features features = {
		.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_3_FEATURES,
		.synchronization2 = VK_TRUE,
	};
	const VkDeviceCreateInfo info = {
		.sType = VK_STRUCTURE_TYPE_DEVICE_CREATE_INFO,
		.pNext = vk->minor >= 3 ? &features : NULL,
		.queueCreateInfoCount = 1,
		.pQueueCreateInfos = &queue,
	};
	const VkCommandPoolCreateInfo pool = {
		.sType = VK_STRUCTURE_TYPE_COMMAND_POOL_CREATE_INFO,
		.flags = VK_COMMAND_POOL_CREATE_RESET_COMMAND_BUFFER_BIT,
	};
	const VkPushConstantRange push = { VK_SHADER_STAGE_COMPUTE_BIT, 0, 16 };
	const VkPipelineLayoutCreateInfo layout = {
		.sType = VK_STRUCTURE_TYPE_PIPELINE_LAYOUT_CREATE_INFO,
		.pushConstantRangeCount = 1,
		.pPushConstantRanges = &push,
	};
	const VkFenceCreateInfo fence = { .sType = VK_STRUCTURE_TYPE_FENCE_CREATE_INFO };
	VkCommandBufferAllocateInfo cmd = {
		.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO,
		.level = VK_COMMAND_BUFFER_LEVEL_PRIMARY,
		.commandBufferCount = 1,
	};

	check(vkCreateDevice(physical, &info, NULL, &vk->device), "vkCreateDevice");
	vkGetDeviceQueue(vk->device, 0, 0, &vk->queue);
	check(vkCreateCommandPool(vk->device, &pool, NULL, &vk->pool), "vkCreateCommandPool");
	cmd.commandPool = vk->pool;
	check(vkAllocateCommandBuffers(vk->device, &cmd, &vk->cmd), "vkAllocateCommandBuffers");
	check(vkCreatePipelineLayout(vk->device, &layout, NULL, &vk->layout), "vkCreatePipelineLayout");
	check(vkCreateFence(vk->device, &fence, NULL, &vk->fence), "vkCreateFence");
}

static void create_buffers(struct objects *vk)
{
	const VkBufferCreateInfo info = {
		.sType = VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO,
		.size = SIZE,
		.usage = VK_BUFFER_USAGE_TRANSFER_SRC_BIT | VK_BUFFER_USAGE_TRANSFER_DST_BIT,
	};

	for (size_t i = 0; i < COUNT(vk->buffers); i++) {
		VkMemoryAllocateInfo allocate = { .sType = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO };
		VkMemoryRequirements needs;
		VkDeviceMemory memory;

		check(vkCreateBuffer(vk->device, &info, NULL, &vk->buffers[i]), "vkCreateBuffer");
		vkGetBufferMemoryRequirements(vk->device, vk->buffers[i], &needs);
		allocate.allocationSize = needs.size;
		while (!(needs.memoryTypeBits & 1u << allocate.memoryTypeIndex))
			allocate.memoryTypeIndex++;
		check(vkAllocateMemory(vk->device, &allocate, NULL, &memory), "vkAllocateMemory");
		check(vkBindBufferMemory(vk->device, vk->buffers[i], memory, 0), "vkBindBufferMemory");
	}
}

__attribute__((__noinline__)) void record_commands(struct objects *vk)
{
	static const VkMemoryBarrier barrier = {
		.sType = VK_STRUCTURE_TYPE_MEMORY_BARRIER,
		.srcAccessMask = VK_ACCESS_MEMORY_WRITE_BIT,
		.dstAccessMask = VK_ACCESS_MEMORY_READ_BIT,
	};
	static const VkViewport viewport = { 0, 0, 64, 64, 0, 1 };
	static const VkRect2D scissor = { { 0, 0 }, { 64, 64 } };
	static const VkBufferCopy region = { 0, 0, 256 };
	static const uint32_t push[4] = { 1, 2, 3, 4 };

	for (unsigned int i = 0; i < COMMANDS; i++) {
		switch (i % 6) {
		case 0:
			vkCmdSetViewport(vk->cmd, 0, 1, &viewport);
			break;
		case 1:
			vkCmdSetScissor(vk->cmd, 0, 1, &scissor);
			break;
		case 2:
			vkCmdPushConstants(vk->cmd, vk->layout, VK_SHADER_STAGE_COMPUTE_BIT, 0, sizeof(push), push);
			break;
		case 3:
			vkCmdFillBuffer(vk->cmd, vk->buffers[0], 0, 256, i);
			break;
		case 4:
			vkCmdPipelineBarrier(vk->cmd, VK_PIPELINE_STAGE_TRANSFER_BIT,
					     VK_PIPELINE_STAGE_TRANSFER_BIT, 0, 1, &barrier, 0, NULL, 0, NULL);
			break;
		case 5:
			vkCmdCopyBuffer(vk->cmd, vk->buffers[0], vk->buffers[1], 1, &region);
			break;
		}
	}
}

__attribute__((__noinline__)) void submit_commands(struct objects *vk)
{
	const VkSubmitInfo info = {
		.sType = VK_STRUCTURE_TYPE_SUBMIT_INFO,
		.commandBufferCount = 1,
		.pCommandBuffers = &vk->cmd,
	};

	check(vkQueueSubmit(vk->queue, 1, &info, vk->fence), "vkQueueSubmit");
}

static void record_commands_1_3(struct objects *vk)
{
	static const VkMemoryBarrier2 barrier = {
		.sType = VK_STRUCTURE_TYPE_MEMORY_BARRIER_2,
		.srcStageMask = VK_PIPELINE_STAGE_2_COPY_BIT,
		.srcAccessMask = VK_ACCESS_2_TRANSFER_WRITE_BIT,
		.dstStageMask = VK_PIPELINE_STAGE_2_COPY_BIT,
		.dstAccessMask = VK_ACCESS_2_TRANSFER_READ_BIT,
	};
	static const VkDependencyInfo dependency = {
		.sType = VK_STRUCTURE_TYPE_DEPENDENCY_INFO,
		.memoryBarrierCount = 1,
		.pMemoryBarriers = &barrier,
	};
	static const VkBufferCopy2 region = { .sType = VK_STRUCTURE_TYPE_BUFFER_COPY_2, .size = 256 };
	const VkCopyBufferInfo2 copy = {
		.sType = VK_STRUCTURE_TYPE_COPY_BUFFER_INFO_2,
		.srcBuffer = vk->buffers[0],
		.dstBuffer = vk->buffers[1],
		.regionCount = 1,
		.pRegions = &region,
	};

	for (unsigned int i = 0; i < COMMANDS; i += 2) {
		vkCmdCopyBuffer2(vk->cmd, &copy);
		vkCmdPipelineBarrier2(vk->cmd, &dependency);
	}
}

static void submit_commands_1_3(struct objects *vk)
{
	const VkCommandBufferSubmitInfo cmd = {
		.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_SUBMIT_INFO,
		.commandBuffer = vk->cmd,
	};
	const VkSubmitInfo2 info = {
		.sType = VK_STRUCTURE_TYPE_SUBMIT_INFO_2,
		.commandBufferInfoCount = 1,
		.pCommandBufferInfos = &cmd,
	};

	check(vkQueueSubmit2(vk->queue, 1, &info, vk->fence), "vkQueueSubmit2");
}

int main(int argc, char **argv)
{
	const VkCommandBufferBeginInfo begin = { .sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO };
	const int rounds = argc == 2 || argc == 3 ? atoi(argv[1]) : 0;
	struct objects vk = { .minor = argc == 3 ? atoi(argv[2]) : 1 };

	if (rounds < 1 || vk.minor < 0) {
		fprintf(stderr, "usage: vk-calls ROUNDS [MINOR]\n");
		return 2;
	}
	create_device(find_device(vk.minor), &vk);
	create_buffers(&vk);
	for (int i = 0; i < rounds; i++) {
		check(vkBeginCommandBuffer(vk.cmd, &begin), "vkBeginCommandBuffer");
		if (vk.minor < 3)
			record_commands(&vk);
		else
			record_commands_1_3(&vk);
		check(vkEndCommandBuffer(vk.cmd), "vkEndCommandBuffer");
		if (vk.minor < 3)
			submit_commands(&vk);
		else
			submit_commands_1_3(&vk);
		check(vkWaitForFences(vk.device, 1, &vk.fence, VK_TRUE, UINT64_MAX), "vkWaitForFences");
		check(vkResetFences(vk.device, 1, &vk.fence), "vkResetFences");
	}
	printf("%d %d\n", rounds * COMMANDS, rounds);
	return 0;
}
