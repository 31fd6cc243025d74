// SPDX-License-Identifier: GPL-2.0 or MIT
/* Copyright (c) 2026 The panthor-perf developers */

/*
 * usage: vk-calls ROUNDS
 *
 * Records and submits command buffers on the first Vulkan device, for a tool that counts the instructions of
 * record_commands() and submit_commands(). Prints the number of commands and of submissions.
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
};

static void check(VkResult result, const char *what)
{
	if (result == VK_SUCCESS)
		return;
	fprintf(stderr, "vk-calls: %s: VkResult %d\n", what, result);
	exit(1);
}

static VkPhysicalDevice find_device(void)
{
	const VkApplicationInfo app = {
		.sType = VK_STRUCTURE_TYPE_APPLICATION_INFO,
		.apiVersion = VK_API_VERSION_1_1,
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
	const VkDeviceCreateInfo info = {
		.sType = VK_STRUCTURE_TYPE_DEVICE_CREATE_INFO,
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

int main(int argc, char **argv)
{
	const VkCommandBufferBeginInfo begin = { .sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO };
	const int rounds = argc == 2 ? atoi(argv[1]) : 0;
	struct objects vk = { 0 };

	if (rounds < 1) {
		fprintf(stderr, "usage: vk-calls ROUNDS\n");
		return 2;
	}
	create_device(find_device(), &vk);
	create_buffers(&vk);
	for (int i = 0; i < rounds; i++) {
		check(vkBeginCommandBuffer(vk.cmd, &begin), "vkBeginCommandBuffer");
		record_commands(&vk);
		check(vkEndCommandBuffer(vk.cmd), "vkEndCommandBuffer");
		submit_commands(&vk);
		check(vkWaitForFences(vk.device, 1, &vk.fence, VK_TRUE, UINT64_MAX), "vkWaitForFences");
		check(vkResetFences(vk.device, 1, &vk.fence), "vkResetFences");
	}
	printf("%d %d\n", rounds * COMMANDS, rounds);
	return 0;
}
