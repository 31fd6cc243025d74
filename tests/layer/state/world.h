/* SPDX-License-Identifier: GPL-2.0 or MIT */
/* Copyright (c) 2026 The panthor-perf developers */

/*
 * Devices of the driver of the test, with the layer and without, as the loader makes them; and the
 * objects that commands are recorded with.
 */
#ifndef STATE_WORLD_H
#define STATE_WORLD_H

#include <stdbool.h>

#include <vulkan/vulkan.h>

#include "commands.h"

/** enum layout_name - layouts of pipelines */
enum layout_name {
	/**
	 * @LAYOUT_FIRST: Sets A, B, C, and P for push descriptors; push constants of two ranges.
	 */
	LAYOUT_FIRST,

	/** @LAYOUT_SAME: Defined identically. */
	LAYOUT_SAME,

	/** @LAYOUT_ONE: Compatible for set 0 only: A, C, B, P. */
	LAYOUT_ONE,

	/** @LAYOUT_PUSH: Compatible but for the last set: A, B, C, Q. */
	LAYOUT_PUSH,

	/** @LAYOUT_CONSTANTS: Other push constants: compatible for nothing. */
	LAYOUT_CONSTANTS,

	/**
	 * @LAYOUT_SETS: Compatible but for the last set, which has no push descriptors: A, B, C,
	 * A.
	 */
	LAYOUT_SETS,

	/** @LAYOUT_BUFFERS: Of descriptor buffers, with embedded samplers as set 2. */
	LAYOUT_BUFFERS,

	/** @LAYOUT_BUFFERS_SAME: Defined identically. */
	LAYOUT_BUFFERS_SAME,

	/** @LAYOUT_BUFFERS_OTHER: Compatible for set 0 only. */
	LAYOUT_BUFFERS_OTHER,
	LAYOUT_COUNT,
};

/** enum pipeline_name - pipelines */
enum pipeline_name {
	/** @PIPELINE_DYNAMIC: All of its state is dynamic. */
	PIPELINE_DYNAMIC,

	/** @PIPELINE_STATIC: None. */
	PIPELINE_STATIC,

	/** @PIPELINE_EVEN: Every other state. */
	PIPELINE_EVEN,

	/** @PIPELINE_ODD: The others. */
	PIPELINE_ODD,
	GRAPHICS_PIPELINES,
};

#define SET_PUSH	3
#define SET_SAMPLERS	2
#define PUSH_BINDINGS	12

/** struct push_binding - a binding of a layout for push descriptors */
struct push_binding {
	/** @type: Type of its descriptors. */
	VkDescriptorType type;

	/** @count: Their number. */
	uint32_t count;
};

extern const struct push_binding push_first[PUSH_BINDINGS];
extern const struct push_binding push_other[PUSH_BINDINGS];

/** struct functions - functions of a device that the test calls */
struct functions {
	PFN_vkAllocateCommandBuffers AllocateCommandBuffers;
	PFN_vkBeginCommandBuffer BeginCommandBuffer;
	PFN_vkCreateCommandPool CreateCommandPool;
	PFN_vkCreateDescriptorSetLayout CreateDescriptorSetLayout;
	PFN_vkCreateDescriptorUpdateTemplate CreateDescriptorUpdateTemplate;
	PFN_vkCreateFence CreateFence;
	PFN_vkCreateGraphicsPipelines CreateGraphicsPipelines;
	PFN_vkCreatePipelineLayout CreatePipelineLayout;
	PFN_vkCreateQueryPool CreateQueryPool;
	PFN_vkDestroyDescriptorUpdateTemplate DestroyDescriptorUpdateTemplate;
	PFN_vkDestroyDevice DestroyDevice;
	PFN_vkDestroyCommandPool DestroyCommandPool;
	PFN_vkEndCommandBuffer EndCommandBuffer;
	PFN_vkFreeCommandBuffers FreeCommandBuffers;
	PFN_vkGetDeviceQueue GetDeviceQueue;
	PFN_vkQueueSubmit QueueSubmit;
	PFN_vkQueueWaitIdle QueueWaitIdle;
	PFN_vkResetCommandBuffer ResetCommandBuffer;
	PFN_vkResetCommandPool ResetCommandPool;
};

/** struct side - a device, with the layer or without */
struct side {
	/** @layer: It is with the layer. */
	bool layer;

	/** @instance: Its instance. */
	VkInstance instance;

	/** @device: The device. */
	VkDevice device;

	/** @proc: Finds its functions. */
	PFN_vkGetDeviceProcAddr proc;

	/** @vk: Functions. */
	struct functions vk;

	/** @queue: Its queue. */
	VkQueue queue;

	/** @pool: Its pool of command buffers. */
	VkCommandPool pool;

	/** @cmd: Its command buffer. */
	VkCommandBuffer cmd;

	/** @secondary: A secondary command buffer. */
	VkCommandBuffer secondary;

	/** @queries: Its pool of performance queries. May be %VK_NULL_HANDLE. */
	VkQueryPool queries;

	/** @commands: The function of each command, by number. */
	PFN_vkVoidFunction *commands;
};

/** struct world - what all cases have */
struct world {
	/** @sides: Without the layer, and with it. */
	struct side sides[2];

	/** @with_queries: The layer has the mode "queries". */
	bool with_queries;

	/** @layouts: Layouts of pipelines. */
	VkPipelineLayout layouts[LAYOUT_COUNT];

	/** @pipelines: Graphics pipelines. */
	VkPipeline pipelines[GRAPHICS_PIPELINES];
};

extern struct world world;

bool world_init(const char *layer, const char *whole);
void world_fini(void);
bool world_new_pool(struct side *side);
VkDescriptorSetLayout world_set_layout(char name);

#endif
