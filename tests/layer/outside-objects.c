// SPDX-License-Identifier: GPL-2.0 or MIT
/* Copyright (c) 2026 The panthor-perf developers */

/*
 * Objects of every kind with allocation callbacks, names, tags and private data; labels that begin in one command buffer and end
 * in another; functions of extensions that are not enabled; and an old application without any of it.
 */

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

#include "outside.h"

#define MAX_OBJECTS	64
#define MAGIC		UINT64_C(0x6f7574736964652e)

/* Who allocates: memory is freed with the same callbacks. */
struct owner {
	int live;
	int wrong;
	int foreign;
};

/* In front of what is allocated. */
struct header {
	uint64_t magic;
	struct owner *owner;
	void *start;
	size_t size;
};

struct object {
	VkObjectType type;
	uint64_t handle;
};

struct objects {
	struct app app;
	struct owner instance;
	struct owner device;
	struct owner others;
	VkAllocationCallbacks callbacks;
	struct object all[MAX_OBJECTS];
	uint32_t count;
	uint32_t messages;
};

static pthread_t main_thread;

static void *allocate(void *data, size_t size, size_t align, VkSystemAllocationScope scope)
{
	struct owner *owner = data;
	struct header *header;
	char *start, *at;

	if (!size)
		return NULL;
	start = malloc(size + align + sizeof(*header));
	if (!start)
		return NULL;
	at = start + sizeof(*header);
	at += (align - (uintptr_t)at % align) % align;
	header = (struct header *)(void *)at - 1;
	*header = (struct header) { MAGIC, owner, start, size };
	owner->live++;
	owner->foreign += !pthread_equal(pthread_self(), main_thread);
	return at;
}

static void release(void *data, void *memory)
{
	struct header *header = memory;
	struct owner *owner = data;

	if (!memory)
		return;
	header--;
	owner->wrong += header->magic != MAGIC || header->owner != owner;
	owner->foreign += !pthread_equal(pthread_self(), main_thread);
	owner->live--;
	header->magic = 0;
	free(header->start);
}

static void *reallocate(void *data, void *memory, size_t size, size_t align,
			VkSystemAllocationScope scope)
{
	const struct header *header = memory;
	void *now = allocate(data, size, align, scope);

	if (memory && now)
		memcpy(now, memory, size < header[-1].size ? size : header[-1].size);
	if (memory && (now || !size))
		release(data, memory);
	return now;
}

static VkAllocationCallbacks callbacks_of(struct owner *owner)
{
	return (VkAllocationCallbacks) { owner, allocate, reallocate, release, NULL, NULL };
}

static void check_owner(const struct owner *owner, const char *what)
{
	char text[96];

	snprintf(text, sizeof(text), "%s: all is freed", what);
	check(!owner->live, text);
	snprintf(text, sizeof(text), "%s: with the callbacks that have allocated it", what);
	check(!owner->wrong, text);
	snprintf(text, sizeof(text), "%s: by the thread that calls", what);
	check(!owner->foreign, text);
}

static VkBool32 message(VkDebugUtilsMessageSeverityFlagBitsEXT severity,
			VkDebugUtilsMessageTypeFlagsEXT types,
			const VkDebugUtilsMessengerCallbackDataEXT *message_data, void *data)
{
	struct objects *objects = data;

	if (message_data->pMessageIdName && !strcmp(message_data->pMessageIdName, "outside"))
		objects->messages++;
	return VK_FALSE;
}

static void add(struct objects *objects, VkObjectType type, uint64_t handle)
{
	objects->all[objects->count++] = (struct object) { type, handle };
}

/* Create an object, which is destroyed by destroy_all(). */
#define CREATE(kind, name, ...)	({								\
	const Vk##name##CreateInfo _info = {							\
		VK_STRUCTURE_TYPE_##kind##_CREATE_INFO, __VA_ARGS__				\
	};											\
	Vk##name _made;										\
	need(vkCreate##name(objects->app.device, &_info, &objects->callbacks, &_made), #name);	\
	add(objects, VK_OBJECT_TYPE_##kind, (uint64_t)_made);					\
	_made; })

#define DESTROY(kind, name)									\
	case VK_OBJECT_TYPE_##kind:								\
		vkDestroy##name(objects->app.device, (Vk##name)object->handle,			\
				&objects->callbacks);						\
		break

static void destroy_all(struct objects *objects)
{
	while (objects->count--) {
		const struct object *object = &objects->all[objects->count];

		switch (object->type) {
		DESTROY(SEMAPHORE, Semaphore);
		DESTROY(FENCE, Fence);
		DESTROY(BUFFER, Buffer);
		DESTROY(IMAGE, Image);
		DESTROY(EVENT, Event);
		DESTROY(QUERY_POOL, QueryPool);
		DESTROY(BUFFER_VIEW, BufferView);
		DESTROY(IMAGE_VIEW, ImageView);
		DESTROY(SHADER_MODULE, ShaderModule);
		DESTROY(PIPELINE_CACHE, PipelineCache);
		DESTROY(PIPELINE_LAYOUT, PipelineLayout);
		DESTROY(RENDER_PASS, RenderPass);
		DESTROY(PIPELINE, Pipeline);
		DESTROY(DESCRIPTOR_SET_LAYOUT, DescriptorSetLayout);
		DESTROY(SAMPLER, Sampler);
		DESTROY(DESCRIPTOR_POOL, DescriptorPool);
		DESTROY(FRAMEBUFFER, Framebuffer);
		DESTROY(COMMAND_POOL, CommandPool);
		DESTROY(DESCRIPTOR_UPDATE_TEMPLATE, DescriptorUpdateTemplate);
		DESTROY(PRIVATE_DATA_SLOT, PrivateDataSlot);
		case VK_OBJECT_TYPE_DEVICE_MEMORY:
			vkFreeMemory(objects->app.device, (VkDeviceMemory)object->handle,
				     &objects->callbacks);
			break;
		default:
			break;
		}
	}
	objects->count = 0;
}

static VkDeviceMemory memory(struct objects *objects, VkMemoryRequirements needs)
{
	const VkMemoryAllocateInfo info = {
		.sType = VK_STRUCTURE_TYPE_MEMORY_ALLOCATE_INFO,
		.allocationSize = needs.size,
		.memoryTypeIndex = (uint32_t)__builtin_ctz(needs.memoryTypeBits),
	};
	VkDeviceMemory made;

	need(vkAllocateMemory(objects->app.device, &info, &objects->callbacks, &made), "memory");
	add(objects, VK_OBJECT_TYPE_DEVICE_MEMORY, (uint64_t)made);
	return made;
}

static VkCommandPool create_all(struct objects *objects)
{
	const VkDescriptorSetLayoutBinding binding = {
		0, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, 1, VK_SHADER_STAGE_COMPUTE_BIT, NULL,
	};
	const VkPushConstantRange range = { VK_SHADER_STAGE_COMPUTE_BIT, 0, 8 };
	const VkDescriptorPoolSize size = { VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, 1 };
	const VkDescriptorUpdateTemplateEntry entry = {
		0, 0, 1, VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, 0, 0,
	};
	const VkAttachmentDescription attachment = {
		0, VK_FORMAT_R8G8B8A8_UNORM, VK_SAMPLE_COUNT_1_BIT, VK_ATTACHMENT_LOAD_OP_CLEAR,
		VK_ATTACHMENT_STORE_OP_STORE, VK_ATTACHMENT_LOAD_OP_DONT_CARE,
		VK_ATTACHMENT_STORE_OP_DONT_CARE, VK_IMAGE_LAYOUT_UNDEFINED,
		VK_IMAGE_LAYOUT_GENERAL,
	};
	const VkSubpassDescription subpass = { 0 };
	VkDescriptorSetAllocateInfo set_info = {
		.sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_ALLOCATE_INFO,
		.descriptorSetCount = 1,
	};
	VkDevice device = objects->app.device;
	VkMemoryRequirements needs;
	VkDescriptorSetLayout set_layout;
	VkPipelineLayout layout;
	VkComputePipelineCreateInfo compute;
	VkShaderModule module;
	VkPipelineCache cache;
	VkDescriptorSet set;
	VkDescriptorPool pool;
	VkCommandPool cmds;
	VkRenderPass pass;
	VkPipeline pipeline;
	VkImageView view;
	VkBuffer buffer;
	VkImage image;

	CREATE(SEMAPHORE, Semaphore, NULL, 0);
	CREATE(FENCE, Fence, NULL, 0);
	CREATE(EVENT, Event, NULL, 0);
	CREATE(QUERY_POOL, QueryPool, NULL, 0, VK_QUERY_TYPE_TIMESTAMP, 4, 0);
	CREATE(PRIVATE_DATA_SLOT, PrivateDataSlot, NULL, 0);
	CREATE(SAMPLER, Sampler, NULL, 0);
	buffer = CREATE(BUFFER, Buffer, NULL, 0, 4096, VK_BUFFER_USAGE_UNIFORM_TEXEL_BUFFER_BIT |
			VK_BUFFER_USAGE_STORAGE_BUFFER_BIT, VK_SHARING_MODE_EXCLUSIVE, 0, NULL);
	vkGetBufferMemoryRequirements(device, buffer, &needs);
	need(vkBindBufferMemory(device, buffer, memory(objects, needs), 0), "vkBindBufferMemory");
	CREATE(BUFFER_VIEW, BufferView, NULL, 0, buffer, VK_FORMAT_R8G8B8A8_UNORM, 0, 1024);
	image = CREATE(IMAGE, Image, NULL, 0, VK_IMAGE_TYPE_2D, VK_FORMAT_R8G8B8A8_UNORM,
		       { SIZE, SIZE, 1 }, 1, 1, VK_SAMPLE_COUNT_1_BIT, VK_IMAGE_TILING_OPTIMAL,
		       VK_IMAGE_USAGE_COLOR_ATTACHMENT_BIT, VK_SHARING_MODE_EXCLUSIVE, 0, NULL,
		       VK_IMAGE_LAYOUT_UNDEFINED);
	vkGetImageMemoryRequirements(device, image, &needs);
	need(vkBindImageMemory(device, image, memory(objects, needs), 0), "vkBindImageMemory");
	view = CREATE(IMAGE_VIEW, ImageView, NULL, 0, image, VK_IMAGE_VIEW_TYPE_2D,
		      VK_FORMAT_R8G8B8A8_UNORM, { 0 }, { VK_IMAGE_ASPECT_COLOR_BIT, 0, 1, 0, 1 });
	pass = CREATE(RENDER_PASS, RenderPass, NULL, 0, 1, &attachment, 1, &subpass, 0, NULL);
	CREATE(FRAMEBUFFER, Framebuffer, NULL, 0, pass, 1, &view, SIZE, SIZE, 1);
	module = CREATE(SHADER_MODULE, ShaderModule, NULL, 0, sizeof(mix_code), mix_code);
	cache = CREATE(PIPELINE_CACHE, PipelineCache, NULL, 0, 0, NULL);
	set_layout = CREATE(DESCRIPTOR_SET_LAYOUT, DescriptorSetLayout, NULL, 0, 1, &binding);
	layout = CREATE(PIPELINE_LAYOUT, PipelineLayout, NULL, 0, 1, &set_layout, 1, &range);
	CREATE(DESCRIPTOR_UPDATE_TEMPLATE, DescriptorUpdateTemplate, NULL, 0, 1, &entry,
	       VK_DESCRIPTOR_UPDATE_TEMPLATE_TYPE_DESCRIPTOR_SET, set_layout);
	pool = CREATE(DESCRIPTOR_POOL, DescriptorPool, NULL, 0, 1, 1, &size);
	set_info.descriptorPool = pool;
	set_info.pSetLayouts = &set_layout;
	need(vkAllocateDescriptorSets(device, &set_info, &set), "vkAllocateDescriptorSets");
	add(objects, VK_OBJECT_TYPE_DESCRIPTOR_SET, (uint64_t)set);
	compute = (VkComputePipelineCreateInfo) {
		.sType = VK_STRUCTURE_TYPE_COMPUTE_PIPELINE_CREATE_INFO,
		.stage = {
			.sType = VK_STRUCTURE_TYPE_PIPELINE_SHADER_STAGE_CREATE_INFO,
			.stage = VK_SHADER_STAGE_COMPUTE_BIT,
			.module = module,
			.pName = "main",
		},
		.layout = layout,
	};
	need(vkCreateComputePipelines(device, cache, 1, &compute, &objects->callbacks, &pipeline),
	     "vkCreateComputePipelines");
	add(objects, VK_OBJECT_TYPE_PIPELINE, (uint64_t)pipeline);
	cmds = CREATE(COMMAND_POOL, CommandPool, NULL, 0, 0);
	for (VkCommandBufferLevel level = 0; level < 2; level++)
		for (uint32_t i = 0; i < 2; i++)
			add(objects, VK_OBJECT_TYPE_COMMAND_BUFFER,
			    (uint64_t)new_command_buffer(&objects->app, cmds, level));
	return cmds;
}

static VkResult set_name(struct objects *objects, const struct object *object, const char *name)
{
	const VkDebugUtilsObjectNameInfoEXT info = {
		VK_STRUCTURE_TYPE_DEBUG_UTILS_OBJECT_NAME_INFO_EXT, NULL, object->type,
		object->handle, name,
	};

	return FUNCTION(&objects->app, vkSetDebugUtilsObjectNameEXT)(objects->app.device, &info);
}

static void describe(struct objects *objects)
{
	VkPrivateDataSlot slots[2];
	const VkPrivateDataSlotCreateInfo slot_info = {
		VK_STRUCTURE_TYPE_PRIVATE_DATA_SLOT_CREATE_INFO, NULL, 0,
	};
	VkDevice device = objects->app.device;
	bool named = true, tagged = true, kept = true;
	uint64_t data;
	char name[32];

	for (uint32_t i = 0; i < 2; i++)
		need(vkCreatePrivateDataSlot(device, &slot_info, &objects->callbacks, &slots[i]),
		     "vkCreatePrivateDataSlot");
	for (uint32_t i = 0; i < objects->count; i++) {
		const struct object *object = &objects->all[i];
		const VkDebugUtilsObjectTagInfoEXT tag = {
			VK_STRUCTURE_TYPE_DEBUG_UTILS_OBJECT_TAG_INFO_EXT, NULL, object->type,
			object->handle, 1000 + i, sizeof(name), name,
		};

		snprintf(name, sizeof(name), "object %u", i);
		named &= !set_name(objects, object, "first") && !set_name(objects, object, NULL) &&
			 !set_name(objects, object, "") && !set_name(objects, object, name);
		tagged &= !FUNCTION(&objects->app, vkSetDebugUtilsObjectTagEXT)(device, &tag);
		data = 1;
		vkGetPrivateData(device, object->type, object->handle, slots[1], &data);
		kept &= !data;
		for (uint32_t j = 0; j < 2; j++)
			need(vkSetPrivateData(device, object->type, object->handle, slots[j],
					      MAGIC + 2 * i + j), "vkSetPrivateData");
	}
	for (uint32_t i = 0; i < objects->count; i++) {
		for (uint32_t j = 0; j < 2; j++) {
			vkGetPrivateData(device, objects->all[i].type, objects->all[i].handle,
					 slots[j], &data);
			kept &= data == MAGIC + 2 * i + j;
		}
	}
	check(named, "names");
	check(tagged, "tags");
	check(kept, "private data");
	for (uint32_t i = 0; i < 2; i++)
		vkDestroyPrivateDataSlot(device, slots[i], &objects->callbacks);
}

static void create_device(struct objects *objects)
{
	const VkAllocationCallbacks callbacks = callbacks_of(&objects->instance);
	const VkAllocationCallbacks device_callbacks = callbacks_of(&objects->device);
	const char *names[] = { VK_EXT_DEBUG_UTILS_EXTENSION_NAME };
	const VkDebugUtilsMessengerCreateInfoEXT messenger = {
		.sType = VK_STRUCTURE_TYPE_DEBUG_UTILS_MESSENGER_CREATE_INFO_EXT,
		.messageSeverity = VK_DEBUG_UTILS_MESSAGE_SEVERITY_INFO_BIT_EXT,
		.messageType = VK_DEBUG_UTILS_MESSAGE_TYPE_GENERAL_BIT_EXT,
		.pfnUserCallback = message,
		.pUserData = objects,
	};
	const VkApplicationInfo application = {
		.sType = VK_STRUCTURE_TYPE_APPLICATION_INFO,
		.apiVersion = VK_API_VERSION_1_3,
	};
	const VkInstanceCreateInfo info = {
		.sType = VK_STRUCTURE_TYPE_INSTANCE_CREATE_INFO,
		.pNext = &messenger,
		.pApplicationInfo = &application,
		.enabledExtensionCount = 1,
		.ppEnabledExtensionNames = names,
	};
	const VkPhysicalDeviceVulkan13Features features13 = {
		.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_VULKAN_1_3_FEATURES,
		.privateData = VK_TRUE,
	};
	const VkDevicePrivateDataCreateInfo slots = {
		.sType = VK_STRUCTURE_TYPE_DEVICE_PRIVATE_DATA_CREATE_INFO,
		.pNext = &features13,
		.privateDataSlotRequestCount = 3,
	};
	struct app *app = &objects->app;
	const VkDeviceGroupDeviceCreateInfo group = {
		.sType = VK_STRUCTURE_TYPE_DEVICE_GROUP_DEVICE_CREATE_INFO,
		.pNext = &slots,
		.physicalDeviceCount = 1,
		.pPhysicalDevices = &app->gpu,
	};
	const float priority = 0.5;
	const VkDeviceQueueCreateInfo queue = {
		.sType = VK_STRUCTURE_TYPE_DEVICE_QUEUE_CREATE_INFO,
		.queueCount = 1,
		.pQueuePriorities = &priority,
	};
	const VkDeviceCreateInfo device = {
		.sType = VK_STRUCTURE_TYPE_DEVICE_CREATE_INFO,
		.pNext = &group,
		.queueCreateInfoCount = 1,
		.pQueueCreateInfos = &queue,
	};
	const VkDeviceQueueInfo2 queue2 = { .sType = VK_STRUCTURE_TYPE_DEVICE_QUEUE_INFO_2 };
	VkQueue again, second;
	uint32_t one = 1;

	need(vkCreateInstance(&info, &callbacks, &app->instance), "vkCreateInstance");
	if (vkEnumeratePhysicalDevices(app->instance, &one, &app->gpu) < 0 || !one)
		need(VK_ERROR_INITIALIZATION_FAILED, "vkEnumeratePhysicalDevices");
	need(vkCreateDevice(app->gpu, &device, &device_callbacks, &app->device), "vkCreateDevice");
	vkGetDeviceQueue(app->device, 0, 0, &app->queue);
	vkGetDeviceQueue(app->device, 0, 0, &again);
	vkGetDeviceQueue2(app->device, &queue2, &second);
	check(app->queue == again && again == second, "one queue has one handle");
}

/* What is not enabled has no functions, whoever offers it. */
static void functions(struct objects *objects)
{
	static const char *const none[] = {
		"vkAcquireProfilingLockKHR", "vkReleaseProfilingLockKHR",
		"vkCreatePerfSessionPANTHOR", "vkQueueSubmit2KHR", "vkCmdBeginRenderingKHR",
		"vkWaitSemaphoresKHR", "vkSignalSemaphoreKHR", "vkResetQueryPoolEXT",
		"vkCmdPushDescriptorSetKHR", "vkCmdBindDescriptorBuffersEXT",
		"vkCmdBeginConditionalRenderingEXT", "vkCmdSetCullModeEXT", "vkCmdDrawMultiEXT",
		"vkCmdDebugMarkerBeginEXT", "vkQueuePresentKHR", "vkCreateSwapchainKHR",
		"vkCmdBindShadersEXT", "vkCmdBeginRenderPass2KHR", "vkNoSuchFunction", "",
		/* Those of an instance, for which the validation layer has warnings. */
		"vkCreateInstance", "vkDestroyInstance", "vkEnumeratePhysicalDevices",
		"vkCreateDevice", "vkGetPhysicalDeviceProperties",
	};
	static const char *const some[] = {
		"vkGetDeviceProcAddr", "vkQueueSubmit", "vkQueueSubmit2", "vkWaitSemaphores",
		"vkResetQueryPool", "vkCmdBeginRendering", "vkDestroyDevice", "vkQueueBindSparse",
	};
	uint32_t count = COUNT(none) - (validated(&objects->app) ? 5 : 0);
	char text[96];

	for (uint32_t i = 0; i < count; i++) {
		snprintf(text, sizeof(text), "no function '%s'", none[i]);
		check(!vkGetDeviceProcAddr(objects->app.device, none[i]), text);
	}
	for (uint32_t i = 0; i < COUNT(some); i++) {
		snprintf(text, sizeof(text), "function '%s'", some[i]);
		check(!!vkGetDeviceProcAddr(objects->app.device, some[i]), text);
	}
}

static void with_callbacks(struct objects *objects)
{
	const VkAllocationCallbacks instance = callbacks_of(&objects->instance);
	const VkAllocationCallbacks device = callbacks_of(&objects->device);
	const VkDebugUtilsMessengerCreateInfoEXT info = {
		.sType = VK_STRUCTURE_TYPE_DEBUG_UTILS_MESSENGER_CREATE_INFO_EXT,
		.messageSeverity = VK_DEBUG_UTILS_MESSAGE_SEVERITY_INFO_BIT_EXT,
		.messageType = VK_DEBUG_UTILS_MESSAGE_TYPE_GENERAL_BIT_EXT,
		.pfnUserCallback = message,
		.pUserData = objects,
	};
	const VkDebugUtilsMessengerCallbackDataEXT data = {
		.sType = VK_STRUCTURE_TYPE_DEBUG_UTILS_MESSENGER_CALLBACK_DATA_EXT,
		.pMessageIdName = "outside",
		.pMessage = "a message",
	};
	struct app *app = &objects->app;
	VkDebugUtilsMessengerEXT messenger;
	VkCommandPool pool;

	create_device(objects);
	objects->callbacks = callbacks_of(&objects->others);
	need(((PFN_vkCreateDebugUtilsMessengerEXT)
	      vkGetInstanceProcAddr(app->instance, "vkCreateDebugUtilsMessengerEXT"))
	     (app->instance, &info, &instance, &messenger), "a messenger");
	((PFN_vkSubmitDebugUtilsMessageEXT)
	 vkGetInstanceProcAddr(app->instance, "vkSubmitDebugUtilsMessageEXT"))
		(app->instance, VK_DEBUG_UTILS_MESSAGE_SEVERITY_INFO_BIT_EXT,
		 VK_DEBUG_UTILS_MESSAGE_TYPE_GENERAL_BIT_EXT, &data);
	check(objects->messages == 1, "one message");
	((PFN_vkDestroyDebugUtilsMessengerEXT)
	 vkGetInstanceProcAddr(app->instance, "vkDestroyDebugUtilsMessengerEXT"))
		(app->instance, messenger, &instance);
	add(objects, VK_OBJECT_TYPE_DEVICE, (uint64_t)app->device);
	add(objects, VK_OBJECT_TYPE_QUEUE, (uint64_t)app->queue);
	pool = create_all(objects);
	describe(objects);
	functions(objects);
	/* One is being recorded when its pool is destroyed, one is never submitted, others not begun. */
	begin(new_command_buffer(app, pool, VK_COMMAND_BUFFER_LEVEL_PRIMARY), 0);
	destroy_all(objects);
	/* Nothing is nothing. */
	vkDestroySemaphore(app->device, VK_NULL_HANDLE, &objects->callbacks);
	vkDestroyCommandPool(app->device, VK_NULL_HANDLE, NULL);
	vkDestroyQueryPool(app->device, VK_NULL_HANDLE, NULL);
	vkDestroyFence(app->device, VK_NULL_HANDLE, NULL);
	vkDestroyDevice(app->device, &device);
	check_owner(&objects->others, "objects");
	check_owner(&objects->device, "device");
	vkDestroyInstance(app->instance, &instance);
	check_owner(&objects->instance, "instance");
}

/* Labels of a queue and of command buffers of one submission. */
static void labels(struct app *app, struct buffer *buffer)
{
	const VkDebugUtilsLabelEXT frame = {
		.sType = VK_STRUCTURE_TYPE_DEBUG_UTILS_LABEL_EXT,
		.pLabelName = "frame",
	};
	const VkCommandBuffer cmds[] = { app_begin(app), app_begin(app), app_begin(app) };
	const VkSubmitInfo info = {
		.sType = VK_STRUCTURE_TYPE_SUBMIT_INFO,
		.commandBufferCount = 2,
		.pCommandBuffers = cmds,
	};
	VkPipeline mixer = new_mixer(app);
	VkQueue queue = app->queue;

	app_begin_label(app, cmds[0], "pass");
	app_write(app, cmds[0], mixer, buffer, 0, 1);
	app_barrier(cmds[0]);
	app_write(app, cmds[1], mixer, buffer, 0, 2);
	app_end_label(app, cmds[1]);
	app_barrier(cmds[1]);
	app_write(app, cmds[1], mixer, buffer, 0, 3);
	app_barrier(cmds[1]);
	app_write(app, cmds[2], mixer, buffer, 0, 4);
	to_host(cmds[2]);
	for (uint32_t i = 0; i < COUNT(cmds); i++)
		app_end(cmds[i]);
	FUNCTION(app, vkQueueBeginDebugUtilsLabelEXT)(queue, &frame);
	FUNCTION(app, vkQueueInsertDebugUtilsLabelEXT)(queue, &frame);
	need(vkQueueSubmit(queue, 1, &info, VK_NULL_HANDLE), "vkQueueSubmit");
	FUNCTION(app, vkQueueEndDebugUtilsLabelEXT)(queue);
	app_submit(app, cmds[2]);
	app_wait(app);
	check_words(buffer->words, PART, MIX(MIX(MIX(MIX(0u, 1), 2), 3), 4), "labelled work");
	printf("row submission frame/pass\nrow submission (no label)\n");
	printf("row command-buffer frame/pass\nrow command-buffer frame/pass\n");
	printf("row command-buffer (no label)\n");
	printf("row workload frame/pass\nrow workload frame/pass\n");
	printf("row workload frame/vkCmdDispatch\nrow workload vkCmdDispatch\n");
	vkDestroyPipeline(app->device, mixer, NULL);
}

/* Without any version, feature or extension, as for Vulkan 1.0. */
static void old_application(void)
{
	const VkInstanceCreateInfo info = { .sType = VK_STRUCTURE_TYPE_INSTANCE_CREATE_INFO };
	const float priority = 1;
	const VkDeviceQueueCreateInfo queue = {
		.sType = VK_STRUCTURE_TYPE_DEVICE_QUEUE_CREATE_INFO,
		.queueCount = 1,
		.pQueuePriorities = &priority,
	};
	const VkPhysicalDeviceFeatures features = { .robustBufferAccess = VK_TRUE };
	const VkDeviceCreateInfo device = {
		.sType = VK_STRUCTURE_TYPE_DEVICE_CREATE_INFO,
		.queueCreateInfoCount = 1,
		.pQueueCreateInfos = &queue,
		.pEnabledFeatures = &features,
	};
	const VkBufferCopy copy = { 0, 1024, 256 };
	struct app app = { 0 };
	struct buffer buffer;
	VkCommandBuffer cmd;
	uint32_t one = 1;

	need(vkCreateInstance(&info, NULL, &app.instance), "vkCreateInstance");
	if (vkEnumeratePhysicalDevices(app.instance, &one, &app.gpu) < 0 || !one)
		need(VK_ERROR_INITIALIZATION_FAILED, "vkEnumeratePhysicalDevices");
	need(vkCreateDevice(app.gpu, &device, NULL, &app.device), "vkCreateDevice");
	vkGetDeviceQueue(app.device, 0, 0, &app.queue);
	app.pool = new_pool(&app, 0);
	buffer = new_buffer(&app, VK_BUFFER_USAGE_TRANSFER_SRC_BIT |
				  VK_BUFFER_USAGE_TRANSFER_DST_BIT);
	cmd = app_begin(&app);
	vkCmdFillBuffer(cmd, buffer.buffer, 0, 256, 17);
	app_barrier(cmd);
	vkCmdCopyBuffer(cmd, buffer.buffer, buffer.buffer, 1, &copy);
	to_host(cmd);
	app_run(&app, cmd);
	check_words(buffer.words + 256, PART, 17, "an old application");
	printf("row submission (no label)\nrow command-buffer (no label)\n");
	printf("row workload vkCmdFillBuffer\nrow workload vkCmdCopyBuffer\n");
	vkDestroyBuffer(app.device, buffer.buffer, NULL);
	vkFreeMemory(app.device, buffer.memory, NULL);
	vkDestroyCommandPool(app.device, app.pool, NULL);
	vkDestroyDevice(app.device, NULL);
	vkDestroyInstance(app.instance, NULL);
}

int main(void)
{
	static struct objects objects;
	struct app app = { 0 };
	struct buffer buffer;

	main_thread = pthread_self();
	app_start(&app);
	buffer = app_buffer(&app);
	for (uint32_t i = 0; i < 2; i++) {
		memset(&objects, 0, sizeof(objects));
		with_callbacks(&objects);
	}
	old_application();
	labels(&app, &buffer);
	app_free_buffer(&app, &buffer);
	app_finish(&app);
	return 0;
}
