// SPDX-License-Identifier: GPL-2.0 or MIT
/* Copyright (c) 2026 The panthor-perf developers */

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "app.h"

static const uint32_t write_code[] = {
#include "write.comp.h"
};

static const uint32_t vertex_code[] = {
#include "cover.vert.h"
};

static const uint32_t fragment_code[] = {
#include "color.frag.h"
};

/** check() - Print a result. */
bool check(bool right, const char *text)
{
	printf("%sok %s\n", right ? "" : "not ", text);
	fflush(stdout);
	return right;
}

/** check_words() - Print whether all words have a value. */
bool check_words(const uint32_t *words, uint32_t count, uint32_t value, const char *text)
{
	uint32_t i = 0;

	while (i < count && words[i] == value)
		i++;
	if (i == count)
		printf("ok %s\n", text);
	else
		printf("not ok %s - word %u is %u instead of %u\n", text, i, words[i], value);
	fflush(stdout);
	return i == count;
}

/** need() - End the program if a call has failed. */
void need(VkResult result, const char *what)
{
	if (result == VK_SUCCESS)
		return;
	printf("not ok %s - VkResult %d\n", what, result);
	fflush(stdout);
	_Exit(1);
}

/** app_function() - A function of the device, or of the instance. */
PFN_vkVoidFunction app_function(struct app *app, const char *name)
{
	PFN_vkVoidFunction found = vkGetDeviceProcAddr(app->device, name);

	if (!found)
		found = vkGetInstanceProcAddr(app->instance, name);
	if (!found)
		need(VK_ERROR_EXTENSION_NOT_PRESENT, name);
	return found;
}

/* Sanitizers know no names in a library that was unloaded: APP_KEEP has those that stay. */
static void keep_libraries(void)
{
	char *names = getenv("APP_KEEP"), *name;

	names = names ? strdup(names) : NULL;
	for (name = names ? strtok(names, ":") : NULL; name; name = strtok(NULL, ":"))
		dlopen(name, RTLD_NOW | RTLD_NODELETE);
	free(names);
}

/** app_add_layer() - Add a layer below that of panthor-perf. Before app_instance(). */
void app_add_layer(const char *name)
{
	char names[512];

	snprintf(names, sizeof(names), "%s:%s", name, getenv("VK_INSTANCE_LAYERS"));
	setenv("VK_INSTANCE_LAYERS", names, true);
}

/** app_has_extension() - Has the physical device an extension? */
bool app_has_extension(struct app *app, const char *name)
{
	VkExtensionProperties all[512];
	uint32_t count = COUNT(all);

	need(vkEnumerateDeviceExtensionProperties(app->gpu, NULL, &count, all),
	     "vkEnumerateDeviceExtensionProperties");
	while (count && strcmp(all[count - 1].extensionName, name))
		count--;
	return count;
}

static uint32_t count_names(const char *const *names)
{
	uint32_t count = 0;

	while (count < MAX_NAMES && names[count])
		count++;
	return count;
}

/** app_instance() - Create the instance, and choose the physical device. */
void app_instance(struct app *app)
{
	VkApplicationInfo application = {
		.sType = VK_STRUCTURE_TYPE_APPLICATION_INFO,
		.pApplicationName = "panthor-perf test",
		.apiVersion = app->version ? app->version : VK_API_VERSION_1_4,
	};
	const char *names[MAX_NAMES + 1] = { VK_EXT_DEBUG_UTILS_EXTENSION_NAME };
	const VkInstanceCreateInfo info = {
		.sType = VK_STRUCTURE_TYPE_INSTANCE_CREATE_INFO,
		.pApplicationInfo = &application,
		.enabledExtensionCount = 1 + count_names(app->instance_names),
		.ppEnabledExtensionNames = names,
	};
	uint32_t one = 1;

	keep_libraries();
	for (uint32_t i = 0; i + 1 < info.enabledExtensionCount; i++)
		names[1 + i] = app->instance_names[i];
	need(vkCreateInstance(&info, NULL, &app->instance), "vkCreateInstance");
	if (vkEnumeratePhysicalDevices(app->instance, &one, &app->gpu) < 0 || !one)
		need(VK_ERROR_INITIALIZATION_FAILED, "vkEnumeratePhysicalDevices");
}

static void create_layouts(struct app *app)
{
	const VkDescriptorSetLayoutBinding binding = {
		.descriptorType = VK_DESCRIPTOR_TYPE_STORAGE_BUFFER,
		.descriptorCount = 1,
		.stageFlags = VK_SHADER_STAGE_ALL,
	};
	const VkDescriptorSetLayoutCreateInfo set_layout = {
		.sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_CREATE_INFO,
		.bindingCount = 1,
		.pBindings = &binding,
	};
	const VkPushConstantRange range = { VK_SHADER_STAGE_ALL, 0, 128 };
	const VkPipelineLayoutCreateInfo layout = {
		.sType = VK_STRUCTURE_TYPE_PIPELINE_LAYOUT_CREATE_INFO,
		.setLayoutCount = 1,
		.pSetLayouts = &app->set_layout,
		.pushConstantRangeCount = 1,
		.pPushConstantRanges = &range,
	};
	const VkDescriptorPoolSize size = { VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, 64 };
	const VkDescriptorPoolCreateInfo sets = {
		.sType = VK_STRUCTURE_TYPE_DESCRIPTOR_POOL_CREATE_INFO,
		.flags = VK_DESCRIPTOR_POOL_CREATE_FREE_DESCRIPTOR_SET_BIT,
		.maxSets = 64,
		.poolSizeCount = 1,
		.pPoolSizes = &size,
	};

	need(vkCreateDescriptorSetLayout(app->device, &set_layout, NULL, &app->set_layout),
	     "vkCreateDescriptorSetLayout");
	need(vkCreatePipelineLayout(app->device, &layout, NULL, &app->layout),
	     "vkCreatePipelineLayout");
	need(vkCreateDescriptorPool(app->device, &sets, NULL, &app->sets),
	     "vkCreateDescriptorPool");
}

/** app_device() - Create the device, and what @app has of it. */
void app_device(struct app *app)
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
		.bufferDeviceAddress = VK_TRUE,
		.hostQueryReset = VK_TRUE,
	};
	const float priorities[] = { 1, 1 };
	uint32_t families = 0;
	const VkDeviceQueueCreateInfo queues[] = {
		{
			.sType = VK_STRUCTURE_TYPE_DEVICE_QUEUE_CREATE_INFO,
			.queueCount = app->all_queues ? 2 : 1,
			.pQueuePriorities = priorities,
		}, {
			.sType = VK_STRUCTURE_TYPE_DEVICE_QUEUE_CREATE_INFO,
			.queueFamilyIndex = 1,
			.queueCount = 1,
			.pQueuePriorities = priorities,
		},
	};
	const VkDeviceCreateInfo info = {
		.sType = VK_STRUCTURE_TYPE_DEVICE_CREATE_INFO,
		.pNext = app->features ? app->features : &features12,
		.queueCreateInfoCount = app->all_queues ? 2 : 1,
		.pQueueCreateInfos = queues,
		.enabledExtensionCount = count_names(app->names),
		.ppEnabledExtensionNames = app->names,
	};
	VkCommandPoolCreateInfo pool = {
		.sType = VK_STRUCTURE_TYPE_COMMAND_POOL_CREATE_INFO,
		.flags = VK_COMMAND_POOL_CREATE_RESET_COMMAND_BUFFER_BIT,
	};

	/* What is used was asked for. */
	vkGetPhysicalDeviceQueueFamilyProperties(app->gpu, &families, NULL);
	need(vkCreateDevice(app->gpu, &info, NULL, &app->device), "vkCreateDevice");
	if (!app->no_queue)
		vkGetDeviceQueue(app->device, 0, 0, &app->queue);
	need(vkCreateCommandPool(app->device, &pool, NULL, &app->pool), "vkCreateCommandPool");
	if (app->all_queues && !app->no_queue) {
		vkGetDeviceQueue(app->device, 0, 1, &app->second);
		vkGetDeviceQueue(app->device, 1, 0, &app->compute);
	}
	if (app->all_queues) {
		pool.queueFamilyIndex = 1;
		need(vkCreateCommandPool(app->device, &pool, NULL, &app->compute_pool),
		     "vkCreateCommandPool");
	}
	create_layouts(app);
}

/** app_start() - Create the instance and the device. */
void app_start(struct app *app)
{
	app_instance(app);
	app_device(app);
}

/** app_destroy_device() - The opposite of app_device(). */
void app_destroy_device(struct app *app)
{
	vkDestroyDescriptorPool(app->device, app->sets, NULL);
	vkDestroyPipelineLayout(app->device, app->layout, NULL);
	vkDestroyDescriptorSetLayout(app->device, app->set_layout, NULL);
	vkDestroyCommandPool(app->device, app->pool, NULL);
	if (app->all_queues)
		vkDestroyCommandPool(app->device, app->compute_pool, NULL);
	vkDestroyDevice(app->device, NULL);
}

/** app_finish() - The opposite of app_start(). */
void app_finish(struct app *app)
{
	app_destroy_device(app);
	vkDestroyInstance(app->instance, NULL);
}

/* All memory of llvmpipe is that of the host. */
static VkDeviceMemory allocate(struct app *app, const VkMemoryRequirements *needs)
{
	const VkMemoryPropertyFlags flags = VK_MEMORY_PROPERTY_HOST_VISIBLE_BIT |
					    VK_MEMORY_PROPERTY_HOST_COHERENT_BIT;
	VkMemoryAllocateInfo info = {
		.sType = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO,
		.allocationSize = needs->size,
	};
	VkPhysicalDeviceMemoryProperties memory;
	VkDeviceMemory allocated;

	vkGetPhysicalDeviceMemoryProperties(app->gpu, &memory);
	while (info.memoryTypeIndex < memory.memoryTypeCount &&
	       (!(needs->memoryTypeBits & 1u << info.memoryTypeIndex) ||
		(memory.memoryTypes[info.memoryTypeIndex].propertyFlags & flags) != flags))
		info.memoryTypeIndex++;
	need(vkAllocateMemory(app->device, &info, NULL, &allocated), "vkAllocateMemory");
	return allocated;
}

/** app_buffer() - Create a buffer, of zeros. */
struct buffer app_buffer(struct app *app)
{
	const VkBufferCreateInfo info = {
		.sType = VK_STRUCTURE_TYPE_BUFFER_CREATE_INFO,
		.size = WORDS * sizeof(uint32_t),
		.usage = VK_BUFFER_USAGE_STORAGE_BUFFER_BIT | VK_BUFFER_USAGE_UNIFORM_BUFFER_BIT |
			 VK_BUFFER_USAGE_INDIRECT_BUFFER_BIT | VK_BUFFER_USAGE_INDEX_BUFFER_BIT |
			 VK_BUFFER_USAGE_VERTEX_BUFFER_BIT | VK_BUFFER_USAGE_TRANSFER_SRC_BIT |
			 VK_BUFFER_USAGE_TRANSFER_DST_BIT,
	};
	const VkDescriptorSetAllocateInfo set = {
		.sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_ALLOCATE_INFO,
		.descriptorPool = app->sets,
		.descriptorSetCount = 1,
		.pSetLayouts = &app->set_layout,
	};
	VkDescriptorBufferInfo whole = { .range = VK_WHOLE_SIZE };
	VkWriteDescriptorSet write = {
		.sType = VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET,
		.descriptorCount = 1,
		.descriptorType = VK_DESCRIPTOR_TYPE_STORAGE_BUFFER,
		.pBufferInfo = &whole,
	};
	struct buffer buffer = { 0 };
	VkMemoryRequirements needs;
	void *map;

	need(vkCreateBuffer(app->device, &info, NULL, &buffer.buffer), "vkCreateBuffer");
	vkGetBufferMemoryRequirements(app->device, buffer.buffer, &needs);
	buffer.memory = allocate(app, &needs);
	need(vkBindBufferMemory(app->device, buffer.buffer, buffer.memory, 0),
	     "vkBindBufferMemory");
	need(vkMapMemory(app->device, buffer.memory, 0, VK_WHOLE_SIZE, 0, &map), "vkMapMemory");
	buffer.words = map;
	for (uint32_t i = 0; i < WORDS; i++)
		buffer.words[i] = 0;
	need(vkAllocateDescriptorSets(app->device, &set, &buffer.set), "vkAllocateDescriptorSets");
	whole.buffer = buffer.buffer;
	write.dstSet = buffer.set;
	vkUpdateDescriptorSets(app->device, 1, &write, 0, NULL);
	return buffer;
}

/** app_free_buffer() - Destroy a buffer. */
void app_free_buffer(struct app *app, struct buffer *buffer)
{
	vkFreeDescriptorSets(app->device, app->sets, 1, &buffer->set);
	vkDestroyBuffer(app->device, buffer->buffer, NULL);
	vkFreeMemory(app->device, buffer->memory, NULL);
}

static VkImageMemoryBarrier to_general(VkImage image)
{
	return (VkImageMemoryBarrier) {
		.sType = VK_STRUCTURE_TYPE_IMAGE_MEMORY_BARRIER,
		.dstAccessMask = VK_ACCESS_MEMORY_READ_BIT | VK_ACCESS_MEMORY_WRITE_BIT,
		.newLayout = VK_IMAGE_LAYOUT_GENERAL,
		.image = image,
		.subresourceRange = { VK_IMAGE_ASPECT_COLOR_BIT, 0, 1, 0, 1 },
	};
}

/** app_target() - Create a target. Its layout is that of the first command buffer of app_run(). */
struct target app_target(struct app *app)
{
	const VkImageCreateInfo info = {
		.sType = VK_STRUCTURE_TYPE_IMAGE_CREATE_INFO,
		.imageType = VK_IMAGE_TYPE_2D,
		.format = VK_FORMAT_R8G8B8A8_UNORM,
		.extent = { SIZE, SIZE, 1 },
		.mipLevels = 1,
		.arrayLayers = 1,
		.samples = VK_SAMPLE_COUNT_1_BIT,
		.usage = VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT | VK_IMAGE_USAGE_TRANSFER_SRC_BIT |
			 VK_IMAGE_USAGE_TRANSFER_DST_BIT,
	};
	VkImageViewCreateInfo view = {
		.sType = VK_STRUCTURE_TYPE_IMAGE_VIEW_CREATE_INFO,
		.viewType = VK_IMAGE_VIEW_TYPE_2D,
		.format = info.format,
		.subresourceRange = { VK_IMAGE_ASPECT_COLOR_BIT, 0, 1, 0, 1 },
	};
	struct target target = { 0 };
	VkImageMemoryBarrier barrier;
	VkMemoryRequirements needs;
	VkCommandBuffer cmd;

	need(vkCreateImage(app->device, &info, NULL, &target.image), "vkCreateImage");
	vkGetImageMemoryRequirements(app->device, target.image, &needs);
	target.memory = allocate(app, &needs);
	need(vkBindImageMemory(app->device, target.image, target.memory, 0), "vkBindImageMemory");
	view.image = target.image;
	need(vkCreateImageView(app->device, &view, NULL, &target.view), "vkCreateImageView");
	barrier = to_general(target.image);
	cmd = app_begin(app);
	vkCmdPipelineBarrier(cmd, VK_PIPELINE_STAGE_ALL_COMMANDS_BIT,
			     VK_PIPELINE_STAGE_ALL_COMMANDS_BIT, 0, 0, NULL, 0, NULL, 1, &barrier);
	app_run(app, cmd);
	return target;
}

/** app_free_target() - Destroy a target. */
void app_free_target(struct app *app, struct target *target)
{
	vkDestroyImageView(app->device, target->view, NULL);
	vkDestroyImage(app->device, target->image, NULL);
	vkFreeMemory(app->device, target->memory, NULL);
}

static VkPipelineShaderStageCreateInfo stage_of(struct app *app, VkShaderStageFlagBits stage,
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

	need(vkCreateShaderModule(app->device, &info, NULL, &made.module), "vkCreateShaderModule");
	return made;
}

/** app_compute() - A compute pipeline with the layout of @app. */
VkPipeline app_compute(struct app *app, const uint32_t *code, size_t size)
{
	const VkComputePipelineCreateInfo info = {
		.sType = VK_STRUCTURE_TYPE_COMPUTE_PIPELINE_CREATE_INFO,
		.stage = stage_of(app, VK_SHADER_STAGE_COMPUTE_BIT, code, size),
		.layout = app->layout,
	};
	VkPipeline pipeline;

	need(vkCreateComputePipelines(app->device, VK_NULL_HANDLE, 1, &info, NULL, &pipeline),
	     "vkCreateComputePipelines");
	vkDestroyShaderModule(app->device, info.stage.module, NULL);
	return pipeline;
}

/** app_writer() - A compute pipeline of write.comp, with struct push. */
VkPipeline app_writer(struct app *app)
{
	return app_compute(app, write_code, sizeof(write_code));
}

/**
 * app_draw() - A graphics pipeline for dynamic rendering
 * @app: The device.
 * @dynamic: States that are dynamic, beside viewport and scissor.
 * @count: Their number.
 *
 * Three vertices cover the target. The color is that of the push constants.
 *
 * Return: The pipeline.
 */
VkPipeline app_draw(struct app *app, const VkDynamicState *dynamic, uint32_t count)
{
	const VkPipelineShaderStageCreateInfo stages[] = {
		stage_of(app, VK_SHADER_STAGE_VERTEX_BIT, vertex_code, sizeof(vertex_code)),
		stage_of(app, VK_SHADER_STAGE_FRAGMENT_BIT, fragment_code, sizeof(fragment_code)),
	};
	const VkFormat format = VK_FORMAT_R8G8B8A8_UNORM;
	const VkPipelineRenderingCreateInfo rendering = {
		.sType = VK_STRUCTURE_TYPE_PIPELINE_RENDERING_CREATE_INFO,
		.colorAttachmentCount = 1,
		.pColorAttachmentFormats = &format,
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
	VkDynamicState states[64] = { VK_DYNAMIC_STATE_VIEWPORT, VK_DYNAMIC_STATE_SCISSOR };
	const VkPipelineDynamicStateCreateInfo all_dynamic = {
		.sType = VK_STRUCTURE_TYPE_PIPELINE_DYNAMIC_STATE_CREATE_INFO,
		.dynamicStateCount = 2 + count,
		.pDynamicStates = states,
	};
	const VkGraphicsPipelineCreateInfo info = {
		.sType = VK_STRUCTURE_TYPE_GRAPHICS_PIPELINE_CREATE_INFO,
		.pNext = &rendering,
		.stageCount = COUNT(stages),
		.pStages = stages,
		.pVertexInputState = &input,
		.pInputAssemblyState = &assembly,
		.pViewportState = &viewports,
		.pRasterizationState = &rasterization,
		.pMultisampleState = &multisample,
		.pColorBlendState = &blend,
		.pDynamicState = &all_dynamic,
		.layout = app->layout,
	};
	VkPipeline pipeline;

	for (uint32_t i = 0; i < count; i++)
		states[2 + i] = dynamic[i];
	need(vkCreateGraphicsPipelines(app->device, VK_NULL_HANDLE, 1, &info, NULL, &pipeline),
	     "vkCreateGraphicsPipelines");
	for (uint32_t i = 0; i < COUNT(stages); i++)
		vkDestroyShaderModule(app->device, stages[i].module, NULL);
	return pipeline;
}

/** app_semaphore() - A semaphore, which is exported as a file descriptor if it has to be. */
VkSemaphore app_semaphore(struct app *app, VkSemaphoreType kind, uint64_t value, bool exported)
{
	const VkExportSemaphoreCreateInfo export = {
		.sType = VK_STRUCTURE_TYPE_EXPORT_SEMAPHORE_CREATE_INFO,
		.handleTypes = VK_EXTERNAL_SEMAPHORE_HANDLE_TYPE_OPAQUE_FD_BIT,
	};
	const VkSemaphoreTypeCreateInfo type = {
		.sType = VK_STRUCTURE_TYPE_SEMAPHORE_TYPE_CREATE_INFO,
		.pNext = exported ? &export : NULL,
		.semaphoreType = kind,
		.initialValue = value,
	};
	const VkSemaphoreCreateInfo info = {
		.sType = VK_STRUCTURE_TYPE_SEMAPHORE_CREATE_INFO,
		.pNext = &type,
	};
	VkSemaphore semaphore;

	need(vkCreateSemaphore(app->device, &info, NULL, &semaphore), "vkCreateSemaphore");
	return semaphore;
}

/**
 * app_export_semaphore() - Export a semaphore
 * @app: Its device.
 * @semaphore: The semaphore. If it is a binary one, the driver has got what signals it.
 *
 * Return: A file descriptor.
 */
int app_export_semaphore(struct app *app, VkSemaphore semaphore)
{
	PFN_vkGetSemaphoreFdKHR get = (PFN_vkGetSemaphoreFdKHR)
		app_function(app, "vkGetSemaphoreFdKHR");
	const VkSemaphoreGetFdInfoKHR info = {
		.sType = VK_STRUCTURE_TYPE_SEMAPHORE_GET_FD_INFO_KHR,
		.semaphore = semaphore,
		.handleType = VK_EXTERNAL_SEMAPHORE_HANDLE_TYPE_OPAQUE_FD_BIT,
	};
	int fd;

	need(get(app->device, &info, &fd), "vkGetSemaphoreFdKHR");
	return fd;
}

/** app_share_semaphore() - Make a semaphore of another device the same as an exported one. */
void app_share_semaphore(struct app *from, VkSemaphore semaphore, struct app *to,
			 VkSemaphore other)
{
	PFN_vkImportSemaphoreFdKHR import = (PFN_vkImportSemaphoreFdKHR)
		app_function(to, "vkImportSemaphoreFdKHR");
	const VkImportSemaphoreFdInfoKHR info = {
		.sType = VK_STRUCTURE_TYPE_IMPORT_SEMAPHORE_FD_INFO_KHR,
		.semaphore = other,
		.handleType = VK_EXTERNAL_SEMAPHORE_HANDLE_TYPE_OPAQUE_FD_BIT,
		.fd = app_export_semaphore(from, semaphore),
	};

	need(import(to->device, &info), "vkImportSemaphoreFdKHR");
}

/** app_begin() - Allocate and begin a primary command buffer of the first family. */
VkCommandBuffer app_begin(struct app *app)
{
	return app_begin_of(app, app->pool);
}

/** app_begin_of() - Allocate and begin a primary command buffer of a pool. */
VkCommandBuffer app_begin_of(struct app *app, VkCommandPool pool)
{
	const VkCommandBufferAllocateInfo info = {
		.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO,
		.commandPool = pool,
		.commandBufferCount = 1,
	};
	const VkCommandBufferBeginInfo begin = {
		.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO,
	};
	VkCommandBuffer cmd;

	need(vkAllocateCommandBuffers(app->device, &info, &cmd), "vkAllocateCommandBuffers");
	need(vkBeginCommandBuffer(cmd, &begin), "vkBeginCommandBuffer");
	return cmd;
}

/** app_begin_secondary() - Allocate and begin a secondary command buffer. */
VkCommandBuffer app_begin_secondary(struct app *app, VkCommandBufferUsageFlags flags)
{
	const VkCommandBufferAllocateInfo info = {
		.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO,
		.commandPool = app->pool,
		.level = VK_COMMAND_BUFFER_LEVEL_SECONDARY,
		.commandBufferCount = 1,
	};
	const VkCommandBufferInheritanceInfo inherited = {
		.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_INHERITANCE_INFO,
	};
	const VkCommandBufferBeginInfo begin = {
		.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO,
		.flags = flags,
		.pInheritanceInfo = &inherited,
	};
	VkCommandBuffer cmd;

	need(vkAllocateCommandBuffers(app->device, &info, &cmd), "vkAllocateCommandBuffers");
	need(vkBeginCommandBuffer(cmd, &begin), "vkBeginCommandBuffer");
	return cmd;
}

/** app_end() - End a command buffer. */
void app_end(VkCommandBuffer cmd)
{
	need(vkEndCommandBuffer(cmd), "vkEndCommandBuffer");
}

/** app_barrier() - All behind it sees all before it. */
void app_barrier(VkCommandBuffer cmd)
{
	const VkMemoryBarrier barrier = {
		.sType = VK_STRUCTURE_TYPE_MEMORY_BARRIER,
		.srcAccessMask = VK_ACCESS_MEMORY_WRITE_BIT,
		.dstAccessMask = VK_ACCESS_MEMORY_READ_BIT | VK_ACCESS_MEMORY_WRITE_BIT,
	};

	vkCmdPipelineBarrier(cmd, VK_PIPELINE_STAGE_ALL_COMMANDS_BIT,
			     VK_PIPELINE_STAGE_ALL_COMMANDS_BIT, 0, 1, &barrier, 0, NULL, 0, NULL);
}

/** app_submit() - Submit a command buffer. */
void app_submit(struct app *app, VkCommandBuffer cmd)
{
	const VkSubmitInfo info = {
		.sType = VK_STRUCTURE_TYPE_SUBMIT_INFO,
		.commandBufferCount = 1,
		.pCommandBuffers = &cmd,
	};

	need(vkQueueSubmit(app->queue, 1, &info, VK_NULL_HANDLE), "vkQueueSubmit");
}

/**
 * app_submit_points() - Submit with points of a timeline
 * @app: Program.
 * @next: More structures of the submission, or NULL.
 * @cmd: Command buffer, or VK_NULL_HANDLE.
 * @timeline: Semaphore.
 * @wait: The point that the submission waits for, 0 for none.
 * @signal: The point that it signals, 0 for none.
 * @fence: Fence, or VK_NULL_HANDLE.
 */
void app_submit_points(struct app *app, const void *next, VkCommandBuffer cmd, VkSemaphore timeline,
		       uint64_t wait, uint64_t signal, VkFence fence)
{
	const VkPipelineStageFlags stage = VK_PIPELINE_STAGE_ALL_COMMANDS_BIT;
	const VkTimelineSemaphoreSubmitInfo points = {
		.sType = VK_STRUCTURE_TYPE_TIMELINE_SEMAPHORE_SUBMIT_INFO,
		.pNext = next,
		.waitSemaphoreValueCount = !!wait,
		.pWaitSemaphoreValues = &wait,
		.signalSemaphoreValueCount = !!signal,
		.pSignalSemaphoreValues = &signal,
	};
	const VkSubmitInfo info = {
		.sType = VK_STRUCTURE_TYPE_SUBMIT_INFO,
		.pNext = &points,
		.waitSemaphoreCount = !!wait,
		.pWaitSemaphores = &timeline,
		.pWaitDstStageMask = &stage,
		.commandBufferCount = !!cmd,
		.pCommandBuffers = &cmd,
		.signalSemaphoreCount = !!signal,
		.pSignalSemaphores = &timeline,
	};

	need(vkQueueSubmit(app->queue, 1, &info, fence), "vkQueueSubmit");
}

/** app_wait() - Wait for all that was submitted, by a fence. */
void app_wait(struct app *app)
{
	const VkFenceCreateInfo info = { .sType = VK_STRUCTURE_TYPE_FENCE_CREATE_INFO };
	VkFence fence;

	need(vkCreateFence(app->device, &info, NULL, &fence), "vkCreateFence");
	need(vkQueueSubmit(app->queue, 0, NULL, fence), "vkQueueSubmit of a fence");
	need(vkWaitForFences(app->device, 1, &fence, VK_TRUE, TIMEOUT_NS), "vkWaitForFences");
	vkDestroyFence(app->device, fence, NULL);
}

/** app_run() - End a command buffer, submit it, wait for it, and free it. */
void app_run(struct app *app, VkCommandBuffer cmd)
{
	app_end(cmd);
	app_submit(app, cmd);
	app_wait(app);
	vkFreeCommandBuffers(app->device, app->pool, 1, &cmd);
}

/** app_begin_label() - Begin a label. */
void app_begin_label(struct app *app, VkCommandBuffer cmd, const char *label)
{
	const VkDebugUtilsLabelEXT info = {
		.sType = VK_STRUCTURE_TYPE_DEBUG_UTILS_LABEL_EXT,
		.pLabelName = label,
	};
	PFN_vkCmdBeginDebugUtilsLabelEXT begin = (PFN_vkCmdBeginDebugUtilsLabelEXT)
		app_function(app, "vkCmdBeginDebugUtilsLabelEXT");

	begin(cmd, &info);
}

/** app_end_label() - End a label. */
void app_end_label(struct app *app, VkCommandBuffer cmd)
{
	PFN_vkCmdEndDebugUtilsLabelEXT end = (PFN_vkCmdEndDebugUtilsLabelEXT)
		app_function(app, "vkCmdEndDebugUtilsLabelEXT");

	end(cmd);
}

/**
 * app_write() - A dispatch that writes 64 words
 * @app: The device.
 * @cmd: Command buffer.
 * @writer: Pipeline of app_writer().
 * @buffer: What is written.
 * @first: The first word.
 * @value: The value of each.
 */
void app_write(struct app *app, VkCommandBuffer cmd, VkPipeline writer,
	       const struct buffer *buffer, uint32_t first, uint32_t value)
{
	const struct push push = { first, value };

	vkCmdBindPipeline(cmd, VK_PIPELINE_BIND_POINT_COMPUTE, writer);
	vkCmdBindDescriptorSets(cmd, VK_PIPELINE_BIND_POINT_COMPUTE, app->layout, 0, 1,
				&buffer->set, 0, NULL);
	vkCmdPushConstants(cmd, app->layout, VK_SHADER_STAGE_ALL, 0, sizeof(push), &push);
	vkCmdDispatch(cmd, 64, 1, 1);
}

/** app_begin_rendering() - Begin to render to a target, and clear it to zeros unless resumed. */
void app_begin_rendering(struct app *app, VkCommandBuffer cmd, const struct target *target,
			 VkRenderingFlags flags)
{
	const VkRenderingAttachmentInfo color = {
		.sType = VK_STRUCTURE_TYPE_RENDERING_ATTACHMENT_INFO,
		.imageView = target->view,
		.imageLayout = VK_IMAGE_LAYOUT_GENERAL,
		.loadOp = VK_ATTACHMENT_LOAD_OP_CLEAR,
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
