/* SPDX-License-Identifier: GPL-2.0 or MIT */
/* Copyright (c) 2026 The panthor-perf developers */

/*
 * What the programs outside-*.c have in common, beside app.h. These are written from the specification of Vulkan only.
 */
#ifndef TESTS_LAYER_OUTSIDE_H
#define TESTS_LAYER_OUTSIDE_H

#include <string.h>

#include "app.h"

#define FUNCTION(app, name)	((PFN_##name)app_function(app, #name))
/* Words that a dispatch writes. */
#define PART			64
/* What outside-mix.comp does to a word: the order of two of them matters. */
#define MIX(word, value)	((word) * 3u + (value))

/**
 * struct point - a semaphore and a value of it
 */
struct point {
	/** @semaphore: Semaphore, or VK_NULL_HANDLE. */
	VkSemaphore semaphore;

	/** @value: Value, if it is a timeline semaphore. */
	uint64_t value;
};

/**
 * struct code - SPIR-V
 */
struct code {
	/** @words: Words. */
	const uint32_t *words;

	/** @size: Bytes. */
	size_t size;
};

static const uint32_t mix_code[] = {
#include "outside-mix.comp.h"
};

/** new_mixer() - A pipeline whose dispatches change words, for app_write(). */
static inline VkPipeline new_mixer(struct app *app)
{
	return app_compute(app, mix_code, sizeof(mix_code));
}

/** new_semaphore() - A binary or a timeline semaphore; @next is a chain. */
static inline VkSemaphore new_semaphore(struct app *app, VkSemaphoreType kind, const void *next)
{
	const VkSemaphoreTypeCreateInfo type = {
		.sType = VK_STRUCTURE_TYPE_SEMAPHORE_TYPE_CREATE_INFO,
		.pNext = next,
		.semaphoreType = kind,
	};
	const VkSemaphoreCreateInfo info = {
		.sType = VK_STRUCTURE_TYPE_SEMAPHORE_CREATE_INFO,
		.pNext = &type,
	};
	VkSemaphore semaphore;

	need(vkCreateSemaphore(app->device, &info, NULL, &semaphore), "vkCreateSemaphore");
	return semaphore;
}

/** new_timeline() - A timeline semaphore with the value 0. */
static inline VkSemaphore new_timeline(struct app *app)
{
	return new_semaphore(app, VK_SEMAPHORE_TYPE_TIMELINE, NULL);
}

/** new_fence() - A fence. */
static inline VkFence new_fence(struct app *app, VkFenceCreateFlags flags)
{
	const VkFenceCreateInfo info = {
		.sType = VK_STRUCTURE_TYPE_FENCE_CREATE_INFO,
		.flags = flags,
	};
	VkFence fence;

	need(vkCreateFence(app->device, &info, NULL, &fence), "vkCreateFence");
	return fence;
}

/** new_pool() - A pool of command buffers. */
static inline VkCommandPool new_pool(struct app *app, VkCommandPoolCreateFlags flags)
{
	const VkCommandPoolCreateInfo info = {
		.sType = VK_STRUCTURE_TYPE_COMMAND_POOL_CREATE_INFO,
		.flags = flags,
	};
	VkCommandPool pool;

	need(vkCreateCommandPool(app->device, &info, NULL, &pool), "vkCreateCommandPool");
	return pool;
}

/** new_command_buffer() - A command buffer of a pool, which is not begun. */
static inline VkCommandBuffer new_command_buffer(struct app *app, VkCommandPool pool,
						 VkCommandBufferLevel level)
{
	const VkCommandBufferAllocateInfo info = {
		.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO,
		.commandPool = pool,
		.level = level,
		.commandBufferCount = 1,
	};
	VkCommandBuffer cmd;

	need(vkAllocateCommandBuffers(app->device, &info, &cmd), "vkAllocateCommandBuffers");
	return cmd;
}

/** begin() - Begin a primary command buffer. What is ignored for one is not set. */
static inline void begin(VkCommandBuffer cmd, VkCommandBufferUsageFlags flags)
{
	const VkCommandBufferBeginInfo info = {
		.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO,
		.flags = flags,
	};

	need(vkBeginCommandBuffer(cmd, &info), "vkBeginCommandBuffer");
}

/** counter() - The value of a timeline semaphore. */
static inline uint64_t counter(struct app *app, VkSemaphore semaphore)
{
	uint64_t value = 0;

	need(vkGetSemaphoreCounterValue(app->device, semaphore, &value),
	     "vkGetSemaphoreCounterValue");
	return value;
}

/** wait_for() - Wait for a value of a timeline semaphore. */
static inline VkResult wait_for(struct app *app, VkSemaphore semaphore, uint64_t value,
				uint64_t timeout)
{
	const VkSemaphoreWaitInfo info = {
		.sType = VK_STRUCTURE_TYPE_SEMAPHORE_WAIT_INFO,
		.semaphoreCount = 1,
		.pSemaphores = &semaphore,
		.pValues = &value,
	};

	return vkWaitSemaphores(app->device, &info, timeout);
}

/** host_signal() - Set the value of a timeline semaphore. */
static inline void host_signal(struct app *app, VkSemaphore semaphore, uint64_t value)
{
	const VkSemaphoreSignalInfo info = {
		.sType = VK_STRUCTURE_TYPE_SEMAPHORE_SIGNAL_INFO,
		.semaphore = semaphore,
		.value = value,
	};

	need(vkSignalSemaphore(app->device, &info), "vkSignalSemaphore");
}

/** submit_between() - Submit a command buffer, or none, that waits and signals. */
static inline void submit_between(struct app *app, VkCommandBuffer cmd, struct point wait,
				  struct point signal, VkFence fence)
{
	const VkSemaphoreSubmitInfo points[] = {
		{
			.sType = VK_STRUCTURE_TYPE_SEMAPHORE_SUBMIT_INFO,
			.semaphore = wait.semaphore,
			.value = wait.value,
			.stageMask = VK_PIPELINE_STAGE_2_ALL_COMMANDS_BIT,
		}, {
			.sType = VK_STRUCTURE_TYPE_SEMAPHORE_SUBMIT_INFO,
			.semaphore = signal.semaphore,
			.value = signal.value,
			.stageMask = VK_PIPELINE_STAGE_2_ALL_COMMANDS_BIT,
		},
	};
	const VkCommandBufferSubmitInfo buffer = {
		.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_SUBMIT_INFO,
		.commandBuffer = cmd,
	};
	const VkSubmitInfo2 info = {
		.sType = VK_STRUCTURE_TYPE_SUBMIT_INFO_2,
		.waitSemaphoreInfoCount = wait.semaphore ? 1 : 0,
		.pWaitSemaphoreInfos = &points[0],
		.commandBufferInfoCount = cmd ? 1 : 0,
		.pCommandBufferInfos = &buffer,
		.signalSemaphoreInfoCount = signal.semaphore ? 1 : 0,
		.pSignalSemaphoreInfos = &points[1],
	};

	need(vkQueueSubmit2(app->queue, 1, &info, fence), "vkQueueSubmit2");
}

/** to_host() - The host sees all that was written, once it has waited. */
static inline void to_host(VkCommandBuffer cmd)
{
	const VkMemoryBarrier barrier = {
		.sType = VK_STRUCTURE_TYPE_MEMORY_BARRIER,
		.srcAccessMask = VK_ACCESS_MEMORY_WRITE_BIT,
		.dstAccessMask = VK_ACCESS_HOST_READ_BIT | VK_ACCESS_HOST_WRITE_BIT,
	};

	vkCmdPipelineBarrier(cmd, VK_PIPELINE_STAGE_ALL_COMMANDS_BIT, VK_PIPELINE_STAGE_HOST_BIT,
			     0, 1, &barrier, 0, NULL, 0, NULL);
}

/** new_memory() - Memory that the host sees. */
static inline VkDeviceMemory new_memory(struct app *app, VkDeviceSize size, uint32_t types,
					const void *next)
{
	const VkMemoryPropertyFlags flags = VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT |
					    VK_MEMORY_PROPERTY_HOST_COHERENT_BIT;
	VkMemoryAllocateInfo info = {
		.sType = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO,
		.pNext = next,
		.allocationSize = size,
	};
	VkPhysicalDeviceMemoryProperties memory;
	VkDeviceMemory allocated;

	vkGetPhysicalDeviceMemoryProperties(app->gpu, &memory);
	while (info.memoryTypeIndex < memory.memoryTypeCount &&
	       (!(types & 1u << info.memoryTypeIndex) ||
		(memory.memoryTypes[info.memoryTypeIndex].propertyFlags & flags) != flags))
		info.memoryTypeIndex++;
	need(vkAllocateMemory(app->device, &info, NULL, &allocated), "vkAllocateMemory");
	return allocated;
}

/** new_buffer() - A buffer of %WORDS words with this usage, without a set; app_free_buffer() frees it. */
static inline struct buffer new_buffer(struct app *app, VkBufferUsageFlags usage)
{
	const VkMemoryAllocateFlagsInfo address = {
		.sType = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_FLAGS_INFO,
		.flags = VK_MEMORY_ALLOCATE_DEVICE_ADDRESS_BIT,
	};
	const VkBufferCreateInfo info = {
		.sType = VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO,
		.size = WORDS * sizeof(uint32_t),
		.usage = usage,
	};
	struct buffer buffer = { 0 };
	VkMemoryRequirements needs;
	void *map;

	need(vkCreateBuffer(app->device, &info, NULL, &buffer.buffer), "vkCreateBuffer");
	vkGetBufferMemoryRequirements(app->device, buffer.buffer, &needs);
	buffer.memory = new_memory(app, needs.size, needs.memoryTypeBits,
				   usage & VK_BUFFER_USAGE_SHADER_DEVICE_ADDRESS_BIT ? &address :
										       NULL);
	need(vkBindBufferMemory(app->device, buffer.buffer, buffer.memory, 0),
	     "vkBindBufferMemory");
	need(vkMapMemory(app->device, buffer.memory, 0, VK_WHOLE_SIZE, 0, &map), "vkMapMemory");
	buffer.words = map;
	memset(map, 0, WORDS * sizeof(uint32_t));
	return buffer;
}

/** address_of() - The address of a buffer of new_buffer(). */
static inline VkDeviceAddress address_of(struct app *app, const struct buffer *buffer)
{
	const VkBufferDeviceAddressInfo info = {
		.sType = VK_STRUCTURE_TYPE_BUFFER_DEVICE_ADDRESS_INFO,
		.buffer = buffer->buffer,
	};

	return vkGetBufferDeviceAddress(app->device, &info);
}

/** offers() - Whether the device has an extension. */
static inline bool offers(struct app *app, const char *name)
{
	VkExtensionProperties all[512];
	uint32_t count = COUNT(all);

	need(vkEnumerateDeviceExtensionProperties(app->gpu, NULL, &count, all),
	     "vkEnumerateDeviceExtensionProperties");
	for (uint32_t i = 0; i < count; i++)
		if (!strcmp(all[i].extensionName, name))
			return true;
	return false;
}

/** validated() - Whether there is a validation layer, some of whose messages are wrong. */
static inline bool validated(struct app *app)
{
	VkPhysicalDeviceToolProperties tools[16];
	uint32_t count = COUNT(tools);

	for (uint32_t i = 0; i < count; i++)
		tools[i] = (VkPhysicalDeviceToolProperties) {
			.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_TOOL_PROPERTIES,
		};
	need(vkGetPhysicalDeviceToolProperties(app->gpu, &count, tools),
	     "vkGetPhysicalDeviceToolProperties");
	for (uint32_t i = 0; i < count; i++)
		if (tools[i].purposes & VK_TOOL_PURPOSE_VALIDATION_BIT)
			return true;
	return false;
}

/** begin_loaded() - Begin to render to what a target has. */
static inline void begin_loaded(VkCommandBuffer cmd, const struct target *target,
				VkRenderingFlags flags)
{
	const VkRenderingAttachmentInfo color = {
		.sType = VK_STRUCTURE_TYPE_RENDERING_ATTACHMENT_INFO,
		.imageView = target->view,
		.imageLayout = VK_IMAGE_LAYOUT_GENERAL,
		.loadOp = VK_ATTACHMENT_LOAD_OP_LOAD,
		.storeOp = VK_ATTACHMENT_STORE_OP_STORE,
	};
	const VkRenderingInfo info = {
		.sType = VK_STRUCTURE_TYPE_RENDERING_INFO,
		.flags = flags,
		.renderArea = { { 0, 0 }, { SIZE, SIZE } },
		.layerCount = 1,
		.colorAttachmentCount = 1,
		.pColorAttachments = &color,
	};

	vkCmdBeginRendering(cmd, &info);
}

/** new_graphics() - A pipeline without vertex input, for a subpass or (VK_NULL_HANDLE) dynamic rendering. */
static inline VkPipeline new_graphics(struct app *app, const struct code *vertex,
				      const struct code *fragment, VkPipelineLayout layout,
				      VkRenderPass pass, uint32_t subpass)
{
	const VkFormat format = VK_FORMAT_R8G8B8A8_UNORM;
	const VkPipelineRenderingCreateInfo rendering = {
		.sType = VK_STRUCTURE_TYPE_PIPELINE_RENDERING_CREATE_INFO,
		.colorAttachmentCount = 1,
		.pColorAttachmentFormats = &format,
	};
	VkShaderModuleCreateInfo modules[] = {
		{ VK_STRUCTURE_TYPE_SHADER_MODULE_CREATE_INFO, NULL, 0, vertex->size,
		  vertex->words },
		{ VK_STRUCTURE_TYPE_SHADER_MODULE_CREATE_INFO, NULL, 0, fragment->size,
		  fragment->words },
	};
	const VkPipelineShaderStageCreateInfo stages[] = {
		{ VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO, &modules[0], 0,
		  VK_SHADER_STAGE_VERTEX_BIT, VK_NULL_HANDLE, "main", NULL },
		{ VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO, &modules[1], 0,
		  VK_SHADER_STAGE_FRAGMENT_BIT, VK_NULL_HANDLE, "main", NULL },
	};
	const VkPipelineVertexInputStateCreateInfo input = {
		.sType = VK_STRUCTURE_TYPE_PIPELINE_VERTEX_INPUT_STATE_CREATE_INFO,
	};
	const VkPipelineInputAssemblyStateCreateInfo assembly = {
		.sType = VK_STRUCTURE_TYPE_PIPELINE_INPUT_ASSEMBLY_STATE_CREATE_INFO,
		.topology = VK_PRIMITIVE_TOPOLOGY_TRIANGLE_LIST,
	};
	const VkPipelineViewportStateCreateInfo viewports = {
		.sType = VK_STRUCTURE_TYPE_PIPELINE_VIEWPORT_STATE_CREATE_INFO,
		.viewportCount = 1,
		.scissorCount = 1,
	};
	const VkPipelineRasterizationStateCreateInfo rasterization = {
		.sType = VK_STRUCTURE_TYPE_PIPELINE_RASTERIZATION_STATE_CREATE_INFO,
		.lineWidth = 1,
	};
	const VkPipelineMultisampleStateCreateInfo multisample = {
		.sType = VK_STRUCTURE_TYPE_PIPELINE_MULTISAMPLE_STATE_CREATE_INFO,
		.rasterizationSamples = VK_SAMPLE_COUNT_1_BIT,
	};
	const VkPipelineColorBlendAttachmentState attachment = { .colorWriteMask = 0xf };
	const VkPipelineColorBlendStateCreateInfo blend = {
		.sType = VK_STRUCTURE_TYPE_PIPELINE_COLOR_BLEND_STATE_CREATE_INFO,
		.attachmentCount = 1,
		.pAttachments = &attachment,
	};
	const VkDynamicState states[] = { VK_DYNAMIC_STATE_VIEWPORT, VK_DYNAMIC_STATE_SCISSOR };
	const VkPipelineDynamicStateCreateInfo dynamic = {
		.sType = VK_STRUCTURE_TYPE_PIPELINE_DYNAMIC_STATE_CREATE_INFO,
		.dynamicStateCount = COUNT(states),
		.pDynamicStates = states,
	};
	const VkGraphicsPipelineCreateInfo info = {
		.sType = VK_STRUCTURE_TYPE_GRAPHICS_PIPELINE_CREATE_INFO,
		.pNext = pass ? NULL : &rendering,
		.stageCount = COUNT(stages),
		.pStages = stages,
		.pVertexInputState = &input,
		.pInputAssemblyState = &assembly,
		.pViewportState = &viewports,
		.pRasterizationState = &rasterization,
		.pMultisampleState = &multisample,
		.pColorBlendState = &blend,
		.pDynamicState = &dynamic,
		.layout = layout,
		.renderPass = pass,
		.subpass = subpass,
	};
	VkPipeline pipeline;

	need(vkCreateGraphicsPipelines(app->device, VK_NULL_HANDLE, 1, &info, NULL, &pipeline),
	     "vkCreateGraphicsPipelines");
	return pipeline;
}

/** copy_row() - Copy the middle row of a target to a word of a buffer, and all behind it. */
static inline void copy_row(VkCommandBuffer cmd, const struct target *target,
			    const struct buffer *buffer, uint32_t word)
{
	const VkBufferImageCopy pixels = {
		.bufferOffset = word * sizeof(uint32_t),
		.imageSubresource = { VK_IMAGE_ASPECT_COLOR_BIT, 0, 0, 1 },
		.imageOffset = { 0, SIZE / 2, 0 },
		.imageExtent = { SIZE, 1, 1 },
	};

	app_barrier(cmd);
	vkCmdCopyImageToBuffer(cmd, target->image, VK_IMAGE_LAYOUT_GENERAL, buffer->buffer, 1,
			       &pixels);
	app_barrier(cmd);
}

#endif
