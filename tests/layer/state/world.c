// SPDX-License-Identifier: GPL-2.0 or MIT
/* Copyright (c) 2026 The panthor-perf developers */

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <vulkan/vk_layer.h>

#include "mock.h"
#include "reflect.h"
#include "world.h"

#define COUNT(array)	(sizeof(array) / sizeof((array)[0]))
/* Of extensions that headers may be older than. */
#define FLAG_DESCRIPTOR_BUFFER	0x00000010
#define FLAG_EMBEDDED_SAMPLERS	0x00000020
/* Cases have fewer steps. */
#define QUERIES		160
#define TYPE_STRUCTURE_KHR	1000150000

struct world world;

const struct push_binding push_first[PUSH_BINDINGS] = {
	{ VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER, 1 },
	{ VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, 4 },
	{ VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER, 2 },
	{ VK_DESCRIPTOR_TYPE_SAMPLED_IMAGE, 1 },
	{ VK_DESCRIPTOR_TYPE_STORAGE_IMAGE, 1 },
	{ VK_DESCRIPTOR_TYPE_UNIFORM_TEXEL_BUFFER, 1 },
	{ VK_DESCRIPTOR_TYPE_STORAGE_TEXEL_BUFFER, 2 },
	{ VK_DESCRIPTOR_TYPE_SAMPLER, 1 },
	{ VK_DESCRIPTOR_TYPE_INPUT_ATTACHMENT, 1 },
	{ TYPE_STRUCTURE_KHR, 2 },
	/* A write may continue in the next binding of the same type. */
	{ VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, 2 },
	{ VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, 2 },
};

const struct push_binding push_other[PUSH_BINDINGS] = {
	{ VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, 2 },
	{ VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER, 1 },
};

/* ---- Layouts ---- */

/**
 * world_set_layout() - Create a layout of descriptor sets
 * @name: 'A', 'B', 'C': sets. 'P', 'Q': push descriptors. 'D', 'E', 'S': of descriptor buffers, the
 *	   last one with embedded samplers.
 *
 * Return: The layout.
 */
VkDescriptorSetLayout world_set_layout(char name)
{
	static const struct push_binding a[] = { { VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER_DYNAMIC, 1 },
						 { VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, 1 } };
	static const struct push_binding b[] = { { VK_DESCRIPTOR_TYPE_COMBINED_IMAGE_SAMPLER, 2 } };
	static const struct push_binding c[] = { { VK_DESCRIPTOR_TYPE_STORAGE_BUFFER_DYNAMIC, 2 } };
	static const struct push_binding d[] = { { VK_DESCRIPTOR_TYPE_UNIFORM_BUFFER, 1 } };
	static const struct push_binding e[] = { { VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, 3 } };
	static const struct push_binding s[] = { { VK_DESCRIPTOR_TYPE_SAMPLER, 1 } };
	static const struct {
		char name;
		uint32_t flags;
		const struct push_binding *bindings;
		uint32_t count;
	} all[] = {
		{ 'A', 0, a, COUNT(a) },
		{ 'B', 0, b, COUNT(b) },
		{ 'C', 0, c, COUNT(c) },
		{ 'P', VK_DESCRIPTOR_SET_LAYOUT_CREATE_PUSH_DESCRIPTOR_BIT_KHR, push_first,
		  PUSH_BINDINGS },
		{ 'Q', VK_DESCRIPTOR_SET_LAYOUT_CREATE_PUSH_DESCRIPTOR_BIT_KHR, push_other, 2 },
		{ 'D', FLAG_DESCRIPTOR_BUFFER, d, COUNT(d) },
		{ 'E', FLAG_DESCRIPTOR_BUFFER, e, COUNT(e) },
		{ 'S', FLAG_DESCRIPTOR_BUFFER | FLAG_EMBEDDED_SAMPLERS, s, COUNT(s) },
	};
	VkDescriptorSetLayoutBinding bindings[MAX_BINDINGS] = { 0 };
	VkDescriptorSetLayoutCreateInfo info = {
		.sType = VK_STRUCTURE_TYPE_DESCRIPTOR_SET_LAYOUT_CREATE_INFO,
		.pBindings = bindings,
	};
	const struct side *side = &world.sides[1];
	VkDescriptorSetLayout layout = VK_NULL_HANDLE;
	size_t i = 0;

	while (all[i].name != name)
		i++;
	info.flags = all[i].flags;
	info.bindingCount = all[i].count;
	for (uint32_t n = 0; n < all[i].count; n++)
		bindings[n] = (VkDescriptorSetLayoutBinding){
			.binding = n,
			.descriptorType = all[i].bindings[n].type,
			.descriptorCount = all[i].bindings[n].count,
			.stageFlags = VK_SHADER_STAGE_ALL,
		};
	side->vk.CreateDescriptorSetLayout(side->device, &info, NULL, &layout);
	return layout;
}

static void create_layouts(void)
{
	static const VkPushConstantRange two[] = {
		{ VK_SHADER_STAGE_VERTEX_BIT | VK_SHADER_STAGE_FRAGMENT_BIT, 0, 16 },
		{ VK_SHADER_STAGE_COMPUTE_BIT, 16, 32 },
	};
	static const VkPushConstantRange one[] = {
		{ VK_SHADER_STAGE_VERTEX_BIT | VK_SHADER_STAGE_FRAGMENT_BIT |
		  VK_SHADER_STAGE_COMPUTE_BIT, 0, 64 },
	};
	static const struct {
		const char *sets;
		const VkPushConstantRange *ranges;
		uint32_t range_count;
	} all[LAYOUT_COUNT] = {
		[LAYOUT_FIRST] = { "ABCP", two, 2 },
		[LAYOUT_SAME] = { "ABCP", two, 2 },
		[LAYOUT_ONE] = { "ACBP", two, 2 },
		[LAYOUT_PUSH] = { "ABCQ", two, 2 },
		[LAYOUT_CONSTANTS] = { "ABCP", one, 1 },
		[LAYOUT_SETS] = { "ABCA", two, 2 },
		[LAYOUT_BUFFERS] = { "DESD", two, 2 },
		[LAYOUT_BUFFERS_SAME] = { "DESD", two, 2 },
		[LAYOUT_BUFFERS_OTHER] = { "DDSE", two, 2 },
	};
	const struct side *side = &world.sides[1];

	for (size_t i = 0; i < LAYOUT_COUNT; i++) {
		VkDescriptorSetLayout sets[MAX_SETS];
		VkPipelineLayoutCreateInfo info = {
			.sType = VK_STRUCTURE_TYPE_PIPELINE_LAYOUT_CREATE_INFO,
			.pSetLayouts = sets,
			.pushConstantRangeCount = all[i].range_count,
			.pPushConstantRanges = all[i].ranges,
		};

		for (; all[i].sets[info.setLayoutCount]; info.setLayoutCount++)
			sets[info.setLayoutCount] =
				world_set_layout(all[i].sets[info.setLayoutCount]);
		side->vk.CreatePipelineLayout(side->device, &info, NULL, &world.layouts[i]);
	}
}

static void create_pipelines(void)
{
	static const VkPipelineVertexInputStateCreateInfo vertex = {
		.sType = VK_STRUCTURE_TYPE_PIPELINE_VERTEX_INPUT_STATE_CREATE_INFO,
	};
	static const VkPipelineInputAssemblyStateCreateInfo assembly = {
		.sType = VK_STRUCTURE_TYPE_PIPELINE_INPUT_ASSEMBLY_STATE_CREATE_INFO,
	};
	static const VkPipelineTessellationStateCreateInfo tessellation = {
		.sType = VK_STRUCTURE_TYPE_PIPELINE_TESSELLATION_STATE_CREATE_INFO,
		.patchControlPoints = 1,
	};
	static const VkPipelineViewportStateCreateInfo viewport = {
		.sType = VK_STRUCTURE_TYPE_PIPELINE_VIEWPORT_STATE_CREATE_INFO,
	};
	static const VkPipelineRasterizationStateCreateInfo rasterization = {
		.sType = VK_STRUCTURE_TYPE_PIPELINE_RASTERIZATION_STATE_CREATE_INFO,
	};
	static const VkPipelineMultisampleStateCreateInfo samples = {
		.sType = VK_STRUCTURE_TYPE_PIPELINE_MULTISAMPLE_STATE_CREATE_INFO,
		.rasterizationSamples = VK_SAMPLE_COUNT_1_BIT,
	};
	static const VkPipelineDepthStencilStateCreateInfo depth = {
		.sType = VK_STRUCTURE_TYPE_PIPELINE_DEPTH_STENCIL_STATE_CREATE_INFO,
	};
	static const VkPipelineColorBlendStateCreateInfo blend = {
		.sType = VK_STRUCTURE_TYPE_PIPELINE_COLOR_BLEND_STATE_CREATE_INFO,
	};
	const struct side *side = &world.sides[1];

	for (int i = 0; i < GRAPHICS_PIPELINES; i++) {
		VkDynamicState states[MAX_STATES];
		VkPipelineDynamicStateCreateInfo dynamic = {
			.sType = VK_STRUCTURE_TYPE_PIPELINE_DYNAMIC_STATE_CREATE_INFO,
			.pDynamicStates = states,
		};
		const VkGraphicsPipelineCreateInfo info = {
			.sType = VK_STRUCTURE_TYPE_GRAPHICS_PIPELINE_CREATE_INFO,
			.pVertexInputState = &vertex,
			.pInputAssemblyState = &assembly,
			.pTessellationState = &tessellation,
			.pViewportState = &viewport,
			.pRasterizationState = &rasterization,
			.pMultisampleState = &samples,
			.pDepthStencilState = &depth,
			.pColorBlendState = &blend,
			.pDynamicState = &dynamic,
			.layout = world.layouts[LAYOUT_FIRST],
		};

		for (unsigned int n = 0; n < command_count && i != PIPELINE_STATIC; n++) {
			for (int core = 0; core < 2; core++) {
				const VkDynamicState state = commands[n].core[core];

				if (state != NO_DYNAMIC_STATE &&
				    (i == PIPELINE_DYNAMIC || (state & 1) == (i == PIPELINE_ODD)))
					states[dynamic.dynamicStateCount++] = state;
			}
		}
		if (i == PIPELINE_DYNAMIC) {
			states[dynamic.dynamicStateCount++] = VK_DYNAMIC_STATE_VERTEX_INPUT_EXT;
			states[dynamic.dynamicStateCount++] =
				VK_DYNAMIC_STATE_VERTEX_INPUT_BINDING_STRIDE;
		}
		side->vk.CreateGraphicsPipelines(side->device, VK_NULL_HANDLE, 1, &info, NULL,
						 &world.pipelines[i]);
	}
}

/* ---- Devices ---- */

static PFN_vkVoidFunction VKAPI_CALL driver_instance_proc(VkInstance instance, const char *name)
{
	return mock_instance_proc(instance, name);
}

static PFN_vkVoidFunction VKAPI_CALL driver_device_proc(VkDevice device, const char *name)
{
	return mock_device_proc(device, name);
}

/*
 * Called through the layer as the loader does it. The application enables what the registry has, and
 * @whole.
 */
static bool create_device(struct side *side, PFN_vkGetInstanceProcAddr instance_proc,
			  PFN_vkGetDeviceProcAddr device_proc, const char *whole)
{
	VkLayerInstanceLink instance_next = {
		.pfnNextGetInstanceProcAddr = driver_instance_proc,
	};
	VkLayerInstanceCreateInfo instance_link = {
		.sType = VK_STRUCTURE_TYPE_LOADER_INSTANCE_CREATE_INFO,
		.function = VK_LAYER_LINK_INFO,
		.u.pLayerInfo = &instance_next,
	};
	const VkApplicationInfo app = {
		.sType = VK_STRUCTURE_TYPE_APPLICATION_INFO,
		.apiVersion = VK_HEADER_VERSION_COMPLETE,
	};
	const VkInstanceCreateInfo instance_info = {
		.sType = VK_STRUCTURE_TYPE_INSTANCE_CREATE_INFO,
		.pNext = &instance_link,
		.pApplicationInfo = &app,
	};
	VkLayerDeviceLink device_next = {
		.pfnNextGetInstanceProcAddr = driver_instance_proc,
		.pfnNextGetDeviceProcAddr = driver_device_proc,
	};
	VkPhysicalDevicePerformanceQueryFeaturesKHR queries = {
		.sType = VK_STRUCTURE_TYPE_PHYSICAL_DEVICE_PERFORMANCE_QUERY_FEATURES_KHR,
		.performanceCounterQueryPools = VK_TRUE,
	};
	/* The loader's structures stand first. */
	VkLayerDeviceCreateInfo loader = {
		.sType = VK_STRUCTURE_TYPE_LOADER_DEVICE_CREATE_INFO,
		.pNext = world.with_queries ? &queries : NULL,
		.function = VK_LOADER_DATA_CALLBACK,
		.u.pfnSetDeviceLoaderData = mock_set_loader_data,
	};
	VkLayerDeviceCreateInfo device_link = {
		.sType = VK_STRUCTURE_TYPE_LOADER_DEVICE_CREATE_INFO,
		.pNext = &loader,
		.function = VK_LAYER_LINK_INFO,
		.u.pLayerInfo = &device_next,
	};
	const float priority = 1;
	const VkDeviceQueueCreateInfo queue = {
		.sType = VK_STRUCTURE_TYPE_DEVICE_QUEUE_CREATE_INFO,
		.queueCount = 1,
		.pQueuePriorities = &priority,
	};
	const char **names = calloc(extension_count + 2, sizeof(*names));
	VkDeviceCreateInfo info = {
		.sType = VK_STRUCTURE_TYPE_DEVICE_CREATE_INFO,
		.pNext = &device_link,
		.queueCreateInfoCount = 1,
		.pQueueCreateInfos = &queue,
		.ppEnabledExtensionNames = names,
	};
	PFN_vkCreateInstance create_instance;
	PFN_vkCreateDevice create;
	PFN_vkEnumeratePhysicalDevices enumerate;
	VkPhysicalDevice physical;
	uint32_t count = 1;

	create_instance = (PFN_vkCreateInstance)instance_proc(NULL, "vkCreateInstance");
	if (!create_instance || create_instance(&instance_info, NULL, &side->instance))
		return false;
	enumerate = (PFN_vkEnumeratePhysicalDevices)instance_proc(side->instance,
								 "vkEnumeratePhysicalDevices");
	create = (PFN_vkCreateDevice)instance_proc(side->instance, "vkCreateDevice");
	if (!enumerate || enumerate(side->instance, &count, &physical) || !create)
		return false;
	for (uint32_t i = 0; i < extension_count; i++) {
		if (provider_is_known(extension_names[i]) &&
		    strcmp(extension_names[i], "VK_ARM_render_pass_striped") &&
		    (world.with_queries || strcmp(extension_names[i], "VK_KHR_performance_query")))
			names[info.enabledExtensionCount++] = extension_names[i];
	}
	if (whole)
		names[info.enabledExtensionCount++] = whole;
	if (create(physical, &info, NULL, &side->device))
		return false;
	side->proc = device_proc;
	free(names);
	return true;
}

static void find_functions(struct side *side)
{
#define FIND(name)	side->vk.name = (PFN_vk##name)side->proc(side->device, "vk" #name)
	FIND(AllocateCommandBuffers);
	FIND(BeginCommandBuffer);
	FIND(CreateCommandPool);
	FIND(CreateDescriptorSetLayout);
	FIND(CreateDescriptorUpdateTemplate);
	FIND(CreateFence);
	FIND(CreateGraphicsPipelines);
	FIND(CreatePipelineLayout);
	FIND(CreateQueryPool);
	FIND(DestroyCommandPool);
	FIND(DestroyDescriptorUpdateTemplate);
	FIND(DestroyDevice);
	FIND(EndCommandBuffer);
	FIND(FreeCommandBuffers);
	FIND(GetDeviceQueue);
	FIND(QueueSubmit);
	FIND(QueueWaitIdle);
	FIND(ResetCommandBuffer);
	FIND(ResetCommandPool);
#undef FIND
	side->commands = calloc(command_count, sizeof(*side->commands));
	for (unsigned int i = 0; i < command_count; i++)
		side->commands[i] = side->proc(side->device, commands[i].name);
}

/** world_new_pool() - Have another pool, with command buffers. */
bool world_new_pool(struct side *side)
{
	const VkCommandPoolCreateInfo info = {
		.sType = VK_STRUCTURE_TYPE_COMMAND_POOL_CREATE_INFO,
		.flags = VK_COMMAND_POOL_CREATE_RESET_COMMAND_BUFFER_BIT,
	};
	VkCommandBufferAllocateInfo allocate = {
		.sType = VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO,
		.commandBufferCount = 1,
	};

	if (side->pool)
		side->vk.DestroyCommandPool(side->device, side->pool, NULL);
	if (side->vk.CreateCommandPool(side->device, &info, NULL, &side->pool))
		return false;
	allocate.commandPool = side->pool;
	if (side->vk.AllocateCommandBuffers(side->device, &allocate, &side->cmd))
		return false;
	allocate.level = VK_COMMAND_BUFFER_LEVEL_SECONDARY;
	if (side->vk.AllocateCommandBuffers(side->device, &allocate, &side->secondary))
		return false;
	/* As the loader does on the way back. */
	mock_set_key(side->device, side->cmd);
	mock_set_key(side->device, side->secondary);
	return true;
}

static void create_query_pool(struct side *side)
{
	static const uint32_t counter;
	const VkQueryPoolPerformanceCreateInfoKHR performance = {
		.sType = VK_STRUCTURE_TYPE_QUERY_POOL_PERFORMANCE_CREATE_INFO_KHR,
		.counterIndexCount = 1,
		.pCounterIndices = &counter,
	};
	const VkQueryPoolCreateInfo info = {
		.sType = VK_STRUCTURE_TYPE_QUERY_POOL_CREATE_INFO,
		.pNext = &performance,
		.queryType = VK_QUERY_TYPE_PERFORMANCE_QUERY_KHR,
		.queryCount = QUERIES,
	};

	side->vk.CreateQueryPool(side->device, &info, NULL, &side->queries);
}

/* The lock for counters: queries of the layer need it. */
static void lock_profiling(struct side *side)
{
	const VkAcquireProfilingLockInfoKHR info = {
		.sType = VK_STRUCTURE_TYPE_ACQUIRE_PROFILING_LOCK_INFO_KHR,
		.timeout = UINT64_MAX,
	};
	PFN_vkAcquireProfilingLockKHR acquire =
		(PFN_vkAcquireProfilingLockKHR)side->proc(side->device,
							  "vkAcquireProfilingLockKHR");

	if (!acquire || acquire(side->device, &info))
		fprintf(stderr, "state: no profiling lock\n");
}

/**
 * world_init() - Create devices and objects
 * @layer: The layer's library. %NULL: both sides are without the layer.
 * @whole: Enable this extension, with which no command buffer may be split. May be %NULL.
 *
 * Return: Whether it succeeded.
 */
bool world_init(const char *layer, const char *whole)
{
	VkNegotiateLayerInterface negotiate = {
		.sType = LAYER_NEGOTIATE_INTERFACE_STRUCT,
		.loaderLayerInterfaceVersion = CURRENT_LOADER_LAYER_INTERFACE_VERSION,
		.pfnGetInstanceProcAddr = driver_instance_proc,
		.pfnGetDeviceProcAddr = driver_device_proc,
	};
	PFN_vkNegotiateLoaderLayerInterfaceVersion function = NULL;
	const char *mode = getenv("PANTHOR_PERF_LAYER");
	void *library;

	world.with_queries = mode && !strcmp(mode, "queries");
	if (layer) {
		library = dlopen(layer, RTLD_NOW | RTLD_LOCAL);
		if (!library) {
			fprintf(stderr, "state: %s\n", dlerror());
			return false;
		}
		*(void **)&function = dlsym(library, "vkNegotiateLoaderLayerInterfaceVersion");
		if (!function || function(&negotiate))
			return false;
	}
	world.sides[1].layer = true;
	for (int i = 0; i < 2; i++) {
		struct side *side = &world.sides[i];

		if (!create_device(side,
				   i ? negotiate.pfnGetInstanceProcAddr : driver_instance_proc,
				   i ? negotiate.pfnGetDeviceProcAddr : driver_device_proc, whole))
			return false;
		find_functions(side);
		side->vk.GetDeviceQueue(side->device, 0, 0, &side->queue);
		mock_set_key(side->device, side->queue);
		if (!world_new_pool(side))
			return false;
	}
	if (world.with_queries) {
		lock_profiling(&world.sides[1]);
		create_query_pool(&world.sides[1]);
	}
	create_layouts();
	create_pipelines();
	return true;
}

/** world_fini() - Destroy the devices. */
void world_fini(void)
{
	for (int i = 0; i < 2; i++)
		world.sides[i].vk.DestroyDevice(world.sides[i].device, NULL);
}
