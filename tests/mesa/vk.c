// SPDX-License-Identifier: GPL-2.0 or MIT
/* Copyright (c) 2026 The panthor-perf developers */

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "steps.h"
#include "vk.h"

#define VENDOR_ARM	0x13b5

static const uint32_t compute_code[] = {
#include "dispatch.comp.h"
};

static const uint32_t vertex_code[] = {
#include "triangle.vert.h"
};

static const uint32_t fragment_code[] = {
#include "triangle.frag.h"
};

void vk_check(VkResult result, const char *what)
{
	if (result == VK_SUCCESS)
		return;
	printf("not ok %s - VkResult %d\n", what, result);
	fflush(stdout);
	_Exit(1);
}

void vk_create_instance(struct vk *vk)
{
	const VkApplicationInfo app = {
		.sType = VK_STRUCTURE_TYPE_APPLICATION_INFO,
		.pApplicationName = "vk-steps",
		.apiVersion = VK_API_VERSION_1_1,
	};
	static const char *const extensions[] = {
		VK_EXT_DEBUG_UTILS_EXTENSION_NAME,
		VK_KHR_SURFACE_EXTENSION_NAME,
		VK_EXT_HEADLESS_SURFACE_EXTENSION_NAME,
	};
	const VkInstanceCreateInfo info = {
		.sType = VK_STRUCTURE_TYPE_INSTANCE_CREATE_INFO,
		.pApplicationInfo = &app,
		.enabledExtensionCount = vk->surface ? COUNT(extensions) : 1,
		.ppEnabledExtensionNames = extensions,
	};
	VkQueueFamilyProperties family;
	VkPhysicalDevice gpus[4];
	uint32_t count = COUNT(gpus), families = 1;

	vk_check(vkCreateInstance(&info, NULL, &vk->instance), "vkCreateInstance");
	vk_check(vkEnumeratePhysicalDevices(vk->instance, &count, gpus), "vkEnumeratePhysicalDevices");
	for (uint32_t i = 0; i < count && !vk->gpu; i++) {
		vkGetPhysicalDeviceProperties(gpus[i], &vk->properties);
		if (vk->properties.vendorID == VENDOR_ARM)
			vk->gpu = gpus[i];
	}
	if (!vk->gpu)
		vk_check(VK_ERROR_INITIALIZATION_FAILED, "finding a Mali GPU");
	vkGetPhysicalDeviceQueueFamilyProperties(vk->gpu, &families, &family);
	vk->queue_count = family.queueCount;
	vk->timestamp_bits = family.timestampValidBits;
}

static void create_queues(struct vk *vk)
{
	const char *const extensions[] = { VK_KHR_TIMELINE_SEMAPHORE_EXTENSION_NAME, vk->extension };
	static const float priorities[COUNT(vk->queues)] = { 1.0f, 1.0f };
	const uint32_t count = vk->queue_count < COUNT(vk->queues) ? vk->queue_count :
								     COUNT(vk->queues);
	const VkDeviceQueueCreateInfo queues = {
		.sType = VK_STRUCTURE_TYPE_DEVICE_QUEUE_CREATE_INFO,
		.queueCount = count,
		.pQueuePriorities = priorities,
	};
	const VkPhysicalDeviceTimelineSemaphoreFeaturesKHR timeline = {
		.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_TIMELINE_SEMAPHORE_FEATURES_KHR,
		.pNext = (void *)vk->features,
		.timelineSemaphore = VK_TRUE,
	};
	const VkDeviceCreateInfo info = {
		.sType = VK_STRUCTURE_TYPE_DEVICE_CREATE_INFO,
		.pNext = &timeline,
		.queueCreateInfoCount = 1,
		.pQueueCreateInfos = &queues,
		.enabledExtensionCount = COUNT(extensions) - !vk->extension,
		.ppEnabledExtensionNames = extensions,
	};
	const VkCommandPoolCreateInfo pool = {
		.sType = VK_STRUCTURE_TYPE_COMMAND_POOL_CREATE_INFO,
	};

	vk_check(vkCreateDevice(vk->gpu, &info, NULL, &vk->device), "vkCreateDevice");
	for (uint32_t i = 0; i < count; i++)
		vkGetDeviceQueue(vk->device, 0, i, &vk->queues[i]);
	vk_check(vkCreateCommandPool(vk->device, &pool, NULL, &vk->pool), "vkCreateCommandPool");
	vk->begin_label = (PFN_vkCmdBeginDebugUtilsLabelEXT)
		vkGetDeviceProcAddr(vk->device, "vkCmdBeginDebugUtilsLabelEXT");
	vk->end_label = (PFN_vkCmdEndDebugUtilsLabelEXT)
		vkGetDeviceProcAddr(vk->device, "vkCmdEndDebugUtilsLabelEXT");
	if (!vk->begin_label || !vk->end_label)
		vk_check(VK_ERROR_EXTENSION_NOT_PRESENT, "finding functions for labels");
}

static VkDeviceMemory allocate(struct vk *vk, const VkMemoryRequirements *needs, uint32_t flags)
{
	VkPhysicalDeviceMemoryProperties memory;
	VkDeviceMemory allocated;
	uint32_t type = 0;

	vkGetPhysicalDeviceMemoryProperties(vk->gpu, &memory);
	while (type < memory.memoryTypeCount &&
	       (!(needs->memoryTypeBits & 1u << type) ||
		(memory.memoryTypes[type].propertyFlags & flags) != flags))
		type++;
	const VkMemoryAllocateInfo info = {
		.sType = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO,
		.allocationSize = needs->size,
		.memoryTypeIndex = type,
	};
	vk_check(vkAllocateMemory(vk->device, &info, NULL, &allocated), "vkAllocateMemory");
	return allocated;
}

static void create_buffers(struct vk *vk)
{
	const VkBufferCreateInfo info = {
		.sType = VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO,
		.size = WORDS_SIZE,
		.usage = VK_BUFFER_USAGE_STORAGE_BUFFER_BIT | VK_BUFFER_USAGE_INDIRECT_BUFFER_BIT |
			 VK_BUFFER_USAGE_INDEX_BUFFER_BIT | VK_BUFFER_USAGE_VERTEX_BUFFER_BIT |
			 VK_BUFFER_USAGE_TRANSFER_SRC_BIT | VK_BUFFER_USAGE_TRANSFER_DST_BIT,
	};

	for (uint32_t i = 0; i < COUNT(vk->words); i++) {
		VkMemoryRequirements needs;

		vk_check(vkCreateBuffer(vk->device, &info, NULL, &vk->words[i]), "vkCreateBuffer");
		vkGetBufferMemoryRequirements(vk->device, vk->words[i], &needs);
		vk->memory[i] = allocate(vk, &needs, VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT |
						     VK_MEMORY_PROPERTY_HOST_COHERENT_BIT);
		vk_check(vkBindBufferMemory(vk->device, vk->words[i], vk->memory[i], 0),
			 "vkBindBufferMemory");
	}
}

static void create_target(struct vk *vk)
{
	const VkImageCreateInfo image = {
		.sType = VK_STRUCTURE_TYPE_IMAGE_CREATE_INFO,
		.imageType = VK_IMAGE_TYPE_2D,
		.format = VK_FORMAT_R8G8B8A8_UNORM,
		.extent = { TARGET_SIZE, TARGET_SIZE, 1 },
		.mipLevels = 1,
		.arrayLayers = 1,
		.samples = VK_SAMPLE_COUNT_1_BIT,
		.usage = VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT | VK_IMAGE_USAGE_TRANSFER_SRC_BIT,
	};
	VkImageViewCreateInfo view = {
		.sType = VK_STRUCTURE_TYPE_IMAGE_VIEW_CREATE_INFO,
		.viewType = VK_IMAGE_VIEW_TYPE_2D,
		.format = image.format,
		.subresourceRange = { VK_IMAGE_ASPECT_COLOR_BIT, 0, 1, 0, 1 },
	};
	const VkAttachmentDescription attachment = {
		.format = image.format,
		.samples = VK_SAMPLE_COUNT_1_BIT,
		.loadOp = VK_ATTACHMENT_LOAD_OP_CLEAR,
		.storeOp = VK_ATTACHMENT_STORE_OP_STORE,
		.stencilLoadOp = VK_ATTACHMENT_LOAD_OP_DONT_CARE,
		.stencilStoreOp = VK_ATTACHMENT_STORE_OP_DONT_CARE,
		.finalLayout = VK_IMAGE_LAYOUT_GENERAL,
	};
	const VkAttachmentReference color = { 0, VK_IMAGE_LAYOUT_COLOR_ATTACHMENT_OPTIMAL };
	const VkSubpassDescription subpass = {
		.colorAttachmentCount = 1,
		.pColorAttachments = &color,
	};
	const VkRenderPassCreateInfo pass = {
		.sType = VK_STRUCTURE_TYPE_RENDER_PASS_CREATE_INFO,
		.attachmentCount = 1,
		.pAttachments = &attachment,
		.subpassCount = 1,
		.pSubpasses = &subpass,
	};
	VkFramebufferCreateInfo framebuffer = {
		.sType = VK_STRUCTURE_TYPE_FRAMEBUFFER_CREATE_INFO,
		.attachmentCount = 1,
		.width = TARGET_SIZE,
		.height = TARGET_SIZE,
		.layers = 1,
	};
	VkMemoryRequirements needs;

	vk_check(vkCreateImage(vk->device, &image, NULL, &vk->image), "vkCreateImage");
	vkGetImageMemoryRequirements(vk->device, vk->image, &needs);
	vk->image_memory = allocate(vk, &needs, 0);
	vk_check(vkBindImageMemory(vk->device, vk->image, vk->image_memory, 0), "vkBindImageMemory");
	view.image = vk->image;
	vk_check(vkCreateImageView(vk->device, &view, NULL, &vk->view), "vkCreateImageView");
	vk_check(vkCreateRenderPass(vk->device, &pass, NULL, &vk->render_pass), "vkCreateRenderPass");
	framebuffer.renderPass = vk->render_pass;
	framebuffer.pAttachments = &vk->view;
	vk_check(vkCreateFramebuffer(vk->device, &framebuffer, NULL, &vk->framebuffer),
		 "vkCreateFramebuffer");
}

static void create_set(struct vk *vk)
{
	const VkDescriptorSetLayoutBinding binding = {
		.descriptorType = VK_DESCRIPTOR_TYPE_STORAGE_BUFFER,
		.descriptorCount = 1,
		.stageFlags = VK_SHADER_STAGE_COMPUTE_BIT,
	};
	const VkDescriptorSetLayoutCreateInfo set_layout = {
		.sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_CREATE_INFO,
		.bindingCount = 1,
		.pBindings = &binding,
	};
	const VkDescriptorPoolSize size = { VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, 1 };
	const VkDescriptorPoolCreateInfo pool = {
		.sType = VK_STRUCTURE_TYPE_DESCRIPTOR_POOL_CREATE_INFO,
		.maxSets = 1,
		.poolSizeCount = 1,
		.pPoolSizes = &size,
	};
	VkDescriptorSetAllocateInfo set = {
		.sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_ALLOCATE_INFO,
		.descriptorSetCount = 1,
	};
	const VkDescriptorBufferInfo buffer = { vk->words[0], 0, VK_WHOLE_SIZE };
	VkWriteDescriptorSet write = {
		.sType = VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET,
		.descriptorCount = 1,
		.descriptorType = VK_DESCRIPTOR_TYPE_STORAGE_BUFFER,
		.pBufferInfo = &buffer,
	};
	const VkPushConstantRange push = { VK_SHADER_STAGE_COMPUTE_BIT, 0, 16 };
	VkPipelineLayoutCreateInfo layout = {
		.sType = VK_STRUCTURE_TYPE_PIPELINE_LAYOUT_CREATE_INFO,
		.setLayoutCount = 1,
		.pushConstantRangeCount = 1,
		.pPushConstantRanges = &push,
	};

	vk_check(vkCreateDescriptorSetLayout(vk->device, &set_layout, NULL, &vk->set_layout),
		 "vkCreateDescriptorSetLayout");
	vk_check(vkCreateDescriptorPool(vk->device, &pool, NULL, &vk->descriptors),
		 "vkCreateDescriptorPool");
	set.descriptorPool = vk->descriptors;
	set.pSetLayouts = &vk->set_layout;
	vk_check(vkAllocateDescriptorSets(vk->device, &set, &vk->set), "vkAllocateDescriptorSets");
	write.dstSet = vk->set;
	vkUpdateDescriptorSets(vk->device, 1, &write, 0, NULL);
	layout.pSetLayouts = &vk->set_layout;
	vk_check(vkCreatePipelineLayout(vk->device, &layout, NULL, &vk->layout),
		 "vkCreatePipelineLayout");
}

static VkPipelineShaderStageCreateInfo stage_of(struct vk *vk, VkShaderStageFlagBits stage,
						const uint32_t *code, size_t size)
{
	const VkShaderModuleCreateInfo info = {
		.sType = VK_STRUCTURE_TYPE_SHADER_MODULE_CREATE_INFO,
		.codeSize = size,
		.pCode = code,
	};
	VkPipelineShaderStageCreateInfo made = {
		.sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO,
		.stage = stage,
		.pName = "main",
	};

	vk_check(vkCreateShaderModule(vk->device, &info, NULL, &made.module), "vkCreateShaderModule");
	return made;
}

static void create_draw(struct vk *vk)
{
	const VkPipelineShaderStageCreateInfo stages[] = {
		stage_of(vk, VK_SHADER_STAGE_VERTEX_BIT, vertex_code, sizeof(vertex_code)),
		stage_of(vk, VK_SHADER_STAGE_FRAGMENT_BIT, fragment_code, sizeof(fragment_code)),
	};
	const VkPipelineVertexInputStateCreateInfo input = {
		.sType = VK_STRUCTURE_TYPE_PIPELINE_VERTEX_INPUT_STATE_CREATE_INFO,
	};
	const VkPipelineInputAssemblyStateCreateInfo assembly = {
		.sType = VK_STRUCTURE_TYPE_PIPELINE_INPUT_ASSEMBLY_STATE_CREATE_INFO,
		.topology = VK_PRIMITIVE_TOPOLOGY_TRIANGLE_LIST,
	};
	const VkViewport viewport = { 0, 0, TARGET_SIZE, TARGET_SIZE, 0, 1 };
	const VkRect2D scissor = { { 0, 0 }, { TARGET_SIZE, TARGET_SIZE } };
	const VkPipelineViewportStateCreateInfo viewports = {
		.sType = VK_STRUCTURE_TYPE_PIPELINE_VIEWPORT_STATE_CREATE_INFO,
		.viewportCount = 1,
		.pViewports = &viewport,
		.scissorCount = 1,
		.pScissors = &scissor,
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
	const VkGraphicsPipelineCreateInfo info = {
		.sType = VK_STRUCTURE_TYPE_GRAPHICS_PIPELINE_CREATE_INFO,
		.stageCount = COUNT(stages),
		.pStages = stages,
		.pVertexInputState = &input,
		.pInputAssemblyState = &assembly,
		.pViewportState = &viewports,
		.pRasterizationState = &rasterization,
		.pMultisampleState = &multisample,
		.pColorBlendState = &blend,
		.layout = vk->layout,
		.renderPass = vk->render_pass,
	};

	vk_check(vkCreateGraphicsPipelines(vk->device, VK_NULL_HANDLE, 1, &info, NULL, &vk->draw),
		 "vkCreateGraphicsPipelines");
	for (size_t i = 0; i < COUNT(stages); i++)
		vkDestroyShaderModule(vk->device, stages[i].module, NULL);
}

static void create_pipelines(struct vk *vk)
{
	const VkComputePipelineCreateInfo compute = {
		.sType = VK_STRUCTURE_TYPE_COMPUTE_PIPELINE_CREATE_INFO,
		.stage = stage_of(vk, VK_SHADER_STAGE_COMPUTE_BIT, compute_code, sizeof(compute_code)),
		.layout = vk->layout,
	};

	vk_check(vkCreateComputePipelines(vk->device, VK_NULL_HANDLE, 1, &compute, NULL,
					  &vk->compute), "vkCreateComputePipelines");
	vkDestroyShaderModule(vk->device, compute.stage.module, NULL);
	create_draw(vk);
}

static void create_queries(struct vk *vk)
{
	VkQueryPoolCreateInfo info = {
		.sType = VK_STRUCTURE_TYPE_QUERY_POOL_CREATE_INFO,
		.queryType = VK_QUERY_TYPE_OCCLUSION,
		.queryCount = 1,
	};

	vk_check(vkCreateQueryPool(vk->device, &info, NULL, &vk->occlusion), "vkCreateQueryPool");
	if (!vk->timestamp_bits)
		return;
	info.queryType = VK_QUERY_TYPE_TIMESTAMP;
	info.queryCount = 2;
	vk_check(vkCreateQueryPool(vk->device, &info, NULL, &vk->timestamps), "vkCreateQueryPool");
}

void vk_create_device(struct vk *vk)
{
	create_queues(vk);
	create_buffers(vk);
	create_target(vk);
	create_set(vk);
	create_pipelines(vk);
	create_queries(vk);
}

void vk_destroy_device(struct vk *vk)
{
	VkDevice device = vk->device;

	vkDestroyEvent(device, vk->event, NULL);
	vk->event = VK_NULL_HANDLE;
	vkDestroyQueryPool(device, vk->timestamps, NULL);
	vkDestroyQueryPool(device, vk->occlusion, NULL);
	vkDestroyPipeline(device, vk->draw, NULL);
	vkDestroyPipeline(device, vk->compute, NULL);
	vkDestroyPipelineLayout(device, vk->layout, NULL);
	vkDestroyDescriptorPool(device, vk->descriptors, NULL);
	vkDestroyDescriptorSetLayout(device, vk->set_layout, NULL);
	vkDestroyFramebuffer(device, vk->framebuffer, NULL);
	vkDestroyRenderPass(device, vk->render_pass, NULL);
	vkDestroyImageView(device, vk->view, NULL);
	vkDestroyImage(device, vk->image, NULL);
	vkFreeMemory(device, vk->image_memory, NULL);
	for (size_t i = 0; i < COUNT(vk->words); i++) {
		vkDestroyBuffer(device, vk->words[i], NULL);
		vkFreeMemory(device, vk->memory[i], NULL);
	}
	vkDestroyCommandPool(device, vk->pool, NULL);
	vkDestroyDevice(device, NULL);
	vk->timestamps = VK_NULL_HANDLE;
}

void vk_destroy_instance(struct vk *vk)
{
	vkDestroyInstance(vk->instance, NULL);
}

VkCommandBuffer vk_begin(struct vk *vk, VkCommandBufferLevel level)
{
	const VkCommandBufferAllocateInfo info = {
		.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO,
		.commandPool = vk->pool,
		.level = level,
		.commandBufferCount = 1,
	};
	const VkCommandBufferInheritanceInfo inherited = {
		.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_INHERITANCE_INFO,
	};
	const VkCommandBufferBeginInfo begin = {
		.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO,
		/* A secondary one is executed twice. */
		.flags = level == VK_COMMAND_BUFFER_LEVEL_PRIMARY ?
			 VK_COMMAND_BUFFER_USAGE_ONE_TIME_SUBMIT_BIT :
			 VK_COMMAND_BUFFER_USAGE_SIMULTANEOUS_USE_BIT,
		.pInheritanceInfo = &inherited,
	};
	VkCommandBuffer cmd;

	vk_check(vkAllocateCommandBuffers(vk->device, &info, &cmd), "vkAllocateCommandBuffers");
	vk_check(vkBeginCommandBuffer(cmd, &begin), "vkBeginCommandBuffer");
	if (vk->label) {
		const VkDebugUtilsLabelEXT label = {
			.sType = VK_STRUCTURE_TYPE_DEBUG_UTILS_LABEL_EXT,
			.pLabelName = vk->label,
		};

		vk->begin_label(cmd, &label);
	}
	return cmd;
}

void vk_end(struct vk *vk, VkCommandBuffer cmd)
{
	if (vk->label)
		vk->end_label(cmd);
	vk_check(vkEndCommandBuffer(cmd), "vkEndCommandBuffer");
}

void vk_submit(struct vk *vk, VkQueue queue, const VkCommandBuffer *cmds, uint32_t count,
	       const void *next, uint32_t waits, const VkSemaphore *wait, uint32_t signals,
	       const VkSemaphore *signal)
{
	static const VkPipelineStageFlags stages[] = {
		VK_PIPELINE_STAGE_ALL_COMMANDS_BIT, VK_PIPELINE_STAGE_ALL_COMMANDS_BIT,
	};
	const VkSubmitInfo info = {
		.sType = VK_STRUCTURE_TYPE_SUBMIT_INFO,
		.pNext = next,
		.waitSemaphoreCount = waits,
		.pWaitSemaphores = wait,
		.pWaitDstStageMask = stages,
		.commandBufferCount = count,
		.pCommandBuffers = cmds,
		.signalSemaphoreCount = signals,
		.pSignalSemaphores = signal,
	};

	vk_check(vkQueueSubmit(queue, 1, &info, VK_NULL_HANDLE), "vkQueueSubmit");
}

/* Wait until all that was submitted has ended, by a fence behind it. */
void vk_wait(struct vk *vk)
{
	const VkFenceCreateInfo info = { .sType = VK_STRUCTURE_TYPE_FENCE_CREATE_INFO };

	for (size_t i = 0; i < COUNT(vk->queues) && vk->queues[i]; i++) {
		VkFence fence;

		vk_check(vkCreateFence(vk->device, &info, NULL, &fence), "vkCreateFence");
		vk_check(vkQueueSubmit(vk->queues[i], 0, NULL, fence), "vkQueueSubmit of a fence");
		vk_check(vkWaitForFences(vk->device, 1, &fence, VK_TRUE, TIMEOUT_NS),
			 "vkWaitForFences");
		vkDestroyFence(vk->device, fence, NULL);
	}
}

void *vk_map(struct vk *vk, uint32_t buffer)
{
	void *map;

	vk_check(vkMapMemory(vk->device, vk->memory[buffer], 0, VK_WHOLE_SIZE, 0, &map),
		 "vkMapMemory");
	return map;
}
